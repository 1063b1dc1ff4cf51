//! The requests of one call of a hook.

use crate::body::{Body, Bounds};
use crate::client::{Inner, Loaded};
use crate::connect;
use crate::error::{Error, ErrorKind};
use crate::headers::{self, MAX_HEAD, MAX_HEADERS};
use crate::link::Link;
use crate::outgoing::Outgoing;
use crate::refusal::Refusal;
use crate::target::{Scheme, Target};
use crate::tls;
use bytes::Bytes;
use http::header::{CONTENT_LENGTH, HOST, TRANSFER_ENCODING};
use http::{HeaderValue, Method, Request, Response, StatusCode, Uri, Version};
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use std::error::Error as StdError;
use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::{Instant, timeout_at};

/// The time limits of one request, as a guest sets them. None of them goes beyond the client's own or the call's deadline.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timeouts {
    /// For the look-up, the connection and the TLS handshake together.
    pub connect: Option<Duration>,
    /// From the connection to the head of the response.
    pub first_byte: Option<Duration>,
    /// Between two pieces of the response's body.
    pub between_bytes: Option<Duration>,
}

/// One call of a hook: counts its requests and ends them at its deadline.
pub struct Call {
    client: Arc<Inner>,
    deadline: Instant,
    requests: AtomicU32,
}

impl Call {
    pub(crate) fn new(client: Arc<Inner>, deadline: std::time::Instant) -> Self {
        Call { client, deadline: deadline.into(), requests: AtomicU32::new(0) }
    }

    /// Sends a request. It is counted and checked at once, and sent when the future is polled, which needs Tokio's
    /// runtime. Dropping the future or the response closes the connection.
    ///
    /// Redirects are not followed, and nothing is decompressed. The body of a `GET` or `HEAD` request without a known
    /// length is awaited up to its first bytes or its end, so that an empty one is sent as none.
    ///
    /// # Errors
    /// The rules do not allow the request, the call has sent too many, or it fails on the way.
    pub fn send<B>(
        &self,
        request: Request<B>,
        timeouts: Timeouts,
    ) -> impl Future<Output = Result<Response<Body>, Error>> + Send + use<B>
    where
        B: http_body::Body<Data = Bytes> + Send + 'static,
        B::Error: Into<Box<dyn StdError + Send + Sync>>,
    {
        let exchange = self.prepare(request, timeouts);
        async move {
            let (exchange, request) = exchange?;
            exchange.run(request).await.map_err(|error| error.at(&exchange.target.quoted()))
        }
    }

    fn prepare<B>(&self, request: Request<B>, timeouts: Timeouts) -> Result<(Exchange, Request<Outgoing>), Error>
    where
        B: http_body::Body<Data = Bytes> + Send + 'static,
        B::Error: Into<Box<dyn StdError + Send + Sync>>,
    {
        let most = self.client.options.max_requests;
        // A wrap-around would take four thousand million requests within one deadline; it must not allow any more.
        let counted =
            self.requests.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |sent| (sent < most).then(|| sent + 1));
        if counted.is_err() {
            let message = format!("the call has made {most} requests, which is the most");
            return Err(Error::new(ErrorKind::ConnectionLimitReached, message));
        }
        let (parts, body) = request.into_parts();
        let target = target_of(&parts.uri)?;
        let (rule, _) = self.client.rules.position(&target, &parts.method)?;
        let quoted = target.quoted();
        let mut headers = parts.headers;
        let build = || -> Result<Request<Outgoing>, Error> {
            let loaded = self.client.loaded.get(rule).ok_or_else(internal)?;
            let length = headers::take_length(&mut headers)?;
            let body = Outgoing::new(body, length, self.client.options.body_limit)?;
            if let Some((name, _)) = loaded.headers.iter().find(|(name, _)| headers.contains_key(name)) {
                let message = format!("the header `{name}` is set by the host alone");
                return Err(Error::new(ErrorKind::HttpRequestDenied, message));
            }
            headers.insert(HOST, HeaderValue::from_str(&target.authority()).map_err(|_| internal())?);
            headers.extend(loaded.headers.iter().cloned());
            let mut request = Request::new(body);
            *request.method_mut() = parts.method;
            *request.uri_mut() = Uri::try_from(target.path_and_query()).map_err(|_| internal())?;
            *request.version_mut() = Version::HTTP_11;
            *request.headers_mut() = headers;
            Ok(request)
        };
        let request = build().map_err(|error| error.at(&quoted))?;
        let client = Arc::clone(&self.client);
        Ok((Exchange { client, rule, target, timeouts, deadline: self.deadline }, request))
    }
}

impl fmt::Debug for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call").field("requests", &self.requests).finish_non_exhaustive()
    }
}

fn target_of(uri: &Uri) -> Result<Target, Refusal> {
    let authority = uri.authority().map_or("", http::uri::Authority::as_str);
    let path = uri.path_and_query().map_or("/", http::uri::PathAndQuery::as_str);
    Target::parse(uri.scheme_str().unwrap_or_default(), authority, path)
}

fn internal() -> Error {
    Error::new(ErrorKind::ConfigurationError, "the request cannot be built")
}

/// One allowed request.
struct Exchange {
    client: Arc<Inner>,
    /// The position of the rule that allows it.
    rule: usize,
    target: Target,
    timeouts: Timeouts,
    deadline: Instant,
}

trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Stream for T {}

impl Exchange {
    async fn run(&self, mut request: Request<Outgoing>) -> Result<Response<Body>, Error> {
        let mut link = self.open().await?;
        let until = self.until(self.timeouts.first_byte);
        let finished = request.body().finished();
        let head = async {
            let rarely_has_body = matches!(*request.method(), Method::GET | Method::HEAD);
            if rarely_has_body && !request.body().has_length() || request.body().is_declared_empty() {
                request.body_mut().look_ahead().await?;
                if !request.body().has_length() {
                    // Without this header, hyper takes the body of such a method for none.
                    request.headers_mut().insert(TRANSFER_ENCODING, HeaderValue::from_static("chunked"));
                }
            }
            if !rarely_has_body && http_body::Body::is_end_stream(request.body()) {
                // Many servers want a length with `POST`, also where there is nothing (RFC 9110, 8.6).
                request.headers_mut().insert(CONTENT_LENGTH, HeaderValue::from_static("0"));
            }
            link.send(request).await
        };
        let late = |_| Error::new(ErrorKind::HttpResponseTimeout, "the response did not begin in time");
        let response = timeout_at(until, head).await.map_err(late)??;
        if response.status() == StatusCode::SWITCHING_PROTOCOLS {
            return Err(Error::new(ErrorKind::HttpUpgradeFailed, "the server wants to change the protocol"));
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

    /// A new connection.
    async fn open(&self) -> Result<Link, Error> {
        let limit = self.client.options.connect_timeout;
        let until = self.until(Some(self.timeouts.connect.map_or(limit, |guest| guest.min(limit))));
        let loaded = self.client.loaded.get(self.rule).ok_or_else(internal)?;
        let tcp = self.connect(loaded, until).await?;
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
        Ok(Link::new(sender, Box::pin(connection)))
    }

    async fn connect(&self, loaded: &Loaded, until: Instant) -> Result<tokio::net::TcpStream, Error> {
        let resolver = self.client.options.resolver.as_ref();
        let host = self.target.host();
        let Some(proxy) = loaded.proxy.as_ref().filter(|proxy| !proxy.is_direct(host)) else {
            let addresses = connect::resolve(resolver, host, self.target.port(), loaded.private, until).await?;
            return connect::connect(&addresses, until).await;
        };
        let addresses = connect::resolve_trusted(resolver, &proxy.host, proxy.port, until).await?;
        let mut tcp = connect::connect(&addresses, until).await?;
        let late = |_| Error::new(ErrorKind::ConnectionTimeout, "the proxy did not answer in time");
        timeout_at(until, proxy.tunnel(&mut tcp, &self.target)).await.map_err(late)??;
        Ok(tcp)
    }

    /// The end of a time limit, and of the call's deadline at the latest.
    fn until(&self, limit: Option<Duration>) -> Instant {
        limit.and_then(|limit| Instant::now().checked_add(limit)).map_or(self.deadline, |end| end.min(self.deadline))
    }
}
