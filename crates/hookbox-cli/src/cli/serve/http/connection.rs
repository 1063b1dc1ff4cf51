//! Connections, and what each of them may use up.

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

/// How many connections may be open. As many more are told that there are too many.
const MAX_CONNECTIONS: usize = 256;

/// The largest head of a request that is read, in bytes. A request may have less, and a larger one up to this limit gets an
/// answer that says so.
pub(super) const MAX_HEAD: usize = 64 << 10;

/// The most headers of a request that are read.
const MAX_HEADERS: usize = 256;

/// How many requests of one HTTP/2 connection may be under way.
const MAX_STREAMS: u32 = 64;

/// How long to wait after an error of the system, such as no more descriptors.
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

    /// Accepts connections for ever.
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
                // Dropped: it gets no answer, which each of its requests must take for a deny.
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
                    // The stream has limits of its own, which differ between a request's head and the time before it.
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
                // It is not idle while it has a request, but it is while the client does not read an answer.
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
