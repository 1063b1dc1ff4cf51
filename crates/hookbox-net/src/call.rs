//! The requests that a hook makes in one call.

use crate::body::Body;
use crate::client::Inner;
use crate::error::{Error, ErrorKind};
use crate::exchange::Exchange;
use crate::headers;
use crate::outgoing::Outgoing;
use crate::refusal::Refusal;
use crate::target::Target;
use bytes::Bytes;
use http::header::HOST;
use http::{HeaderValue, Request, Response, Uri, Version};
use std::error::Error as StdError;
use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use tokio::time::Instant;

/// The time limits of one request, as a guest sets them. None of them extends the client's own limits or the call's
/// deadline.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timeouts {
    /// The limit for the lookup, the connection and the TLS handshake together.
    pub connect: Option<Duration>,
    /// The limit from the connection to the head of the response.
    pub first_byte: Option<Duration>,
    /// The limit between two pieces of the response's body.
    pub between_bytes: Option<Duration>,
}

/// One call of a hook. It counts the hook's requests and ends them at its deadline.
pub struct Call {
    client: Arc<Inner>,
    deadline: Instant,
    requests: AtomicU32,
}

impl Call {
    pub(crate) fn new(client: Arc<Inner>, deadline: std::time::Instant) -> Self {
        Call { client, deadline: deadline.into(), requests: AtomicU32::new(0) }
    }

    /// Sends a request. The request is counted and checked at once, and sent when the future is polled, which needs
    /// Tokio's runtime. Dropping the future or the response closes the connection.
    ///
    /// Redirects are not followed, and nothing is decompressed. If a `GET` or `HEAD` request has a body without a known
    /// length, this waits for its first bytes or its end, so that an empty body is sent as no body.
    ///
    /// # Errors
    /// Returns an error if the rules do not allow the request, if the call has sent too many requests, or if the
    /// request fails on the way.
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
        // A wrap-around of the counter would take four billion requests within one deadline, but not even then may more
        // be allowed.
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
            let given: Vec<String> = headers.keys().map(headers::as_cgi_reads).collect();
            if let Some((name, _)) =
                loaded.headers.iter().find(|(name, _)| given.contains(&headers::as_cgi_reads(name)))
            {
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

pub(crate) fn internal() -> Error {
    Error::new(ErrorKind::ConfigurationError, "the request cannot be built")
}
