//! Connections, and the limits of each of them.

use super::activity::Activity;
use super::listener::{Listener, Stream};
use super::prefixed::{HEAD_TIME, Prefixed};
use super::routes::Routes;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::Semaphore;
use tokio::time::timeout;

/// The maximum number of open connections. The same number of further connections get an answer that there are too
/// many.
const MAX_CONNECTIONS: usize = 256;

/// The maximum number of bytes that are read of a request's head. The limit for accepted requests is lower; a head
/// between the two limits gets an answer that says so.
pub(super) const MAX_HEAD: usize = 64 << 10;

/// The maximum number of headers of a request that are read.
const MAX_HEADERS: usize = 256;

/// The maximum number of requests under way on one HTTP/2 connection.
const MAX_STREAMS: u32 = 64;

/// How long to wait after an error of the system, such as a lack of descriptors.
const PAUSE: Duration = Duration::from_millis(50);

pub(super) struct Connections {
    routes: Arc<Routes>,
    open: Arc<Semaphore>,
    refused: Arc<Semaphore>,
    graceful: Mutex<GracefulShutdown>,
}

impl Connections {
    pub(super) fn new(routes: Routes) -> Self {
        let slots = || Arc::new(Semaphore::new(MAX_CONNECTIONS));
        Connections { routes: Arc::new(routes), open: slots(), refused: slots(), graceful: Mutex::default() }
    }

    /// Accepts connections forever.
    pub(super) async fn accept(&self, listener: &Listener) {
        loop {
            match listener.accept().await {
                Ok(Stream::Tcp(stream)) => self.begin(stream),
                Ok(Stream::Unix(stream)) => self.begin(stream),
                Err(error) => {
                    tracing::warn!(%error, "a connection could not be accepted");
                    tokio::time::sleep(PAUSE).await;
                }
            }
        }
    }

    fn begin(&self, stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static) {
        let (slot, is_overloaded) = match Arc::clone(&self.open).try_acquire_owned() {
            Ok(slot) => (slot, false),
            Err(_) => match Arc::clone(&self.refused).try_acquire_owned() {
                Ok(slot) => (slot, true),
                // The connection is dropped without an answer, which the client must take for a deny.
                Err(_) => return,
            },
        };
        let routes = Arc::clone(&self.routes);
        let watcher = self.graceful.lock().unwrap_or_else(PoisonError::into_inner).watcher();
        tokio::spawn(async move {
            let _slot = slot;
            let activity = Activity::new();
            let looked = timeout(HEAD_TIME, Prefixed::look(stream, Arc::clone(&activity))).await;
            let Ok(Ok((stream, is_http2))) = looked else { return };
            let requests = Arc::clone(&activity);
            let answer = service_fn(move |request| {
                let (routes, under_way) = (Arc::clone(&routes), requests.begin());
                async move {
                    let answer = routes.answer(request, is_overloaded).await;
                    drop(under_way);
                    answer
                }
            });
            let io = TokioIo::new(stream);
            let served = async {
                if is_http2 {
                    let mut http = hyper::server::conn::http2::Builder::new(TokioExecutor::new());
                    http.timer(TokioTimer::new())
                        .max_concurrent_streams(MAX_STREAMS)
                        .max_header_list_size(u32::try_from(MAX_HEAD).unwrap_or(u32::MAX))
                        .keep_alive_interval(HEAD_TIME)
                        .keep_alive_timeout(HEAD_TIME);
                    watcher.watch(http.serve_connection(io, answer)).await
                } else {
                    let mut http = hyper::server::conn::http1::Builder::new();
                    // The stream has its own time limits, which differ between a request's head and the time before it.
                    http.timer(TokioTimer::new())
                        .header_read_timeout(None)
                        .max_headers(MAX_HEADERS)
                        .max_buf_size(MAX_HEAD)
                        .keep_alive(!is_overloaded);
                    watcher.watch(http.serve_connection(io, answer)).await
                }
            };
            tokio::select! {
                ended = served => {
                    if let Err(error) = ended {
                        tracing::debug!(%error, "a connection ended early");
                    }
                }
                // A connection with a request under way is not idle, but one whose client does not read an answer is.
                () = activity.idle() => {}
            }
        });
    }

    /// Waits for the requests under way.
    pub(super) async fn finish(&self) {
        let graceful = std::mem::take(&mut *self.graceful.lock().unwrap_or_else(PoisonError::into_inner));
        graceful.shutdown().await;
    }
}
