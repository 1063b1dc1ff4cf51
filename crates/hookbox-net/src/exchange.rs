//! One exchange: the connection, the request and the response.

use crate::body::{Body, Bounds};
use crate::call::{self, Timeouts};
use crate::client::{Inner, Loaded};
use crate::connect;
use crate::error::{Error, ErrorKind};
use crate::headers::{self, MAX_HEAD, MAX_HEADERS};
use crate::idle::{Home, Purpose};
use crate::link::Link;
use crate::outgoing::Outgoing;
use crate::proxy::Proxy;
use crate::target::{Scheme, Target};
use crate::tls;
use http::header::{CONTENT_LENGTH, TRANSFER_ENCODING};
use http::{HeaderValue, Method, Request, Response, StatusCode};
use http_body::Body as _;
use http_body_util::Empty;
use hyper::body::Incoming;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout_at};

/// One allowed request, with its client and its time limits.
pub(crate) struct Exchange {
    pub(crate) client: Arc<Inner>,
    /// The position of the rule that allows the request.
    pub(crate) rule: usize,
    pub(crate) target: Target,
    pub(crate) timeouts: Timeouts,
    pub(crate) deadline: Instant,
}

trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Stream for T {}

impl Exchange {
    /// Sends the request, waits for the head of the response, and checks it.
    pub(crate) async fn run(&self, request: Request<Outgoing>) -> Result<Response<Body>, Error> {
        let finished = request.body().finished();
        let (response, mut link) = self.exchange(request).await?;
        if response.status() == StatusCode::SWITCHING_PROTOCOLS {
            return Err(Error::new(ErrorKind::HttpUpgradeFailed, "the server wants to change the protocol"));
        }
        // hyper's own limit is soft: it may have read more before it checks.
        if headers::size(response.headers()) > MAX_HEAD {
            return Err(Error::new(ErrorKind::HttpResponseHeaderSectionSize, "the head of the response is too long"));
        }
        if !finished.load(Ordering::Acquire) {
            link.spawn(self.deadline);
        }
        let bounds = Bounds {
            limit: self.client.options.body_limit,
            deadline: self.deadline,
            between_bytes: self.timeouts.between_bytes,
            target: self.target.quoted(),
        };
        let (parts, incoming) = response.into_parts();
        Ok(Response::from_parts(parts, Body::new(incoming, link, bounds)?))
    }

    /// Sends the request and waits for the head of the response.
    async fn exchange(&self, mut request: Request<Outgoing>) -> Result<(Response<Incoming>, Link), Error> {
        let (mut link, waited) = self.open(true).await?;
        let until = self.until(self.timeouts.first_byte);
        let late = |_| Error::new(ErrorKind::HttpResponseTimeout, "the response did not begin in time");
        timeout_at(until, frame(&mut request)).await.map_err(late)??;

        let harmless = matches!(*request.method(), Method::GET | Method::HEAD) && request.body().is_end_stream();
        let again = (waited && harmless).then(|| request_head(&request));
        let result = timeout_at(until, link.send(request)).await.map_err(late)?;
        match (result, again) {
            (Ok(response), _) => Ok((response, link)),
            // The server closed the idle connection while the request was on its way, so the request is sent once more.
            (Err(error), Some(again)) if error.is_closed_connection() => {
                (link, _) = self.open(false).await?;
                let response = timeout_at(until, link.send(again?)).await.map_err(late)??;
                Ok((response, link))
            }
            (Err(error), _) => Err(error),
        }
    }

    /// Opens a connection or takes an idle one. Also returns whether the connection was idle.
    async fn open(&self, may_have_waited: bool) -> Result<(Link, bool), Error> {
        let limit = self.client.options.connect_timeout;
        let until = self.until(Some(self.timeouts.connect.map_or(limit, |guest| guest.min(limit))));
        let loaded = self.client.loaded.get(self.rule).ok_or_else(call::internal)?;
        let host = self.target.host();
        if let Some(proxy) = loaded.proxy.as_ref().filter(|proxy| !proxy.is_direct(host)) {
            let tcp = self.connect_through(proxy, until).await?;
            return Ok((self.handshake(loaded, tcp, until, None).await?, false));
        }
        let resolver = self.client.options.resolver.as_ref();
        let addresses = connect::resolve(resolver, host, self.target.port(), loaded.private, until).await?;
        if self.target.scheme() == Scheme::Http && !loaded.headers.is_empty() {
            connect::check_plain(&addresses)?;
        }
        let idle = self.client.idle.as_ref().map(|idle| (idle, Purpose::new(self.rule, &self.target)));
        if let Some((idle, purpose)) = idle.as_ref().filter(|_| may_have_waited)
            && let Some(mut link) = idle.take(purpose, &addresses)
            && link.is_ready().await
        {
            return Ok((link, true));
        }
        let (tcp, address) = connect::connect(&addresses, until).await?;
        let home = idle.map(|(idle, purpose)| idle.home(&purpose, address));
        Ok((self.handshake(loaded, tcp, until, home).await?, false))
    }

    async fn connect_through(&self, proxy: &Proxy, until: Instant) -> Result<TcpStream, Error> {
        let resolver = self.client.options.resolver.as_ref();
        let addresses = connect::resolve_proxy(resolver, &proxy.host, proxy.port, until).await?;
        let (mut tcp, _) = connect::connect(&addresses, until).await?;
        let late = |_| Error::new(ErrorKind::ConnectionTimeout, "the proxy did not answer in time");
        timeout_at(until, proxy.tunnel(&mut tcp, &self.target)).await.map_err(late)??;
        Ok(tcp)
    }

    async fn handshake(
        &self,
        loaded: &Loaded,
        tcp: TcpStream,
        until: Instant,
        home: Option<Home>,
    ) -> Result<Link, Error> {
        let stream: Box<dyn Stream> = match self.target.scheme() {
            Scheme::Http => Box::new(tcp),
            Scheme::Https => {
                let handshake = tls::handshake(&loaded.roots, self.target.host(), tcp);
                let late = |_| Error::new(ErrorKind::ConnectionTimeout, "the TLS handshake did not end in time");
                Box::new(timeout_at(until, handshake).await.map_err(late)??)
            }
        };
        let mut builder = http1::Builder::new();
        builder.max_headers(MAX_HEADERS).max_buf_size(MAX_HEAD);
        let (sender, connection) = builder.handshake(TokioIo::new(stream)).await?;
        Ok(Link::new(sender, Box::pin(connection), home))
    }

    /// Returns the end of a time limit, or the call's deadline if that is earlier.
    fn until(&self, limit: Option<Duration>) -> Instant {
        limit.and_then(|limit| Instant::now().checked_add(limit)).map_or(self.deadline, |end| end.min(self.deadline))
    }
}

/// Sets the headers that frame the body in those cases in which hyper does not set them.
async fn frame(request: &mut Request<Outgoing>) -> Result<(), Error> {
    let rarely_has_body = matches!(*request.method(), Method::GET | Method::HEAD);
    if rarely_has_body && !request.body().has_length() || request.body().is_declared_empty() {
        request.body_mut().look_ahead().await?;
        if !request.body().has_length() {
            // Without this header, hyper assumes that such a method has no body.
            request.headers_mut().insert(TRANSFER_ENCODING, HeaderValue::from_static("chunked"));
        }
    }
    if !rarely_has_body && request.body().is_end_stream() {
        // Many servers require a length with `POST`, even for an empty body (RFC 9110, 8.6).
        request.headers_mut().insert(CONTENT_LENGTH, HeaderValue::from_static("0"));
    }
    Ok(())
}

/// Copies a request without its body, so that it can be sent again.
fn request_head(request: &Request<Outgoing>) -> Result<Request<Outgoing>, Error> {
    let mut head = Request::new(Outgoing::new(Empty::new(), None, 0)?);
    request.method().clone_into(head.method_mut());
    request.uri().clone_into(head.uri_mut());
    request.headers().clone_into(head.headers_mut());
    Ok(head)
}
