//! Header names that a guest must not set, and the limits of a request's headers.

use crate::error::{Error, ErrorKind};
use http::{HeaderMap, HeaderName, HeaderValue};

/// The maximum number of headers in a request or a response.
pub(crate) const MAX_HEADERS: usize = 64;

/// The maximum size of a request's headers or a response's head, in bytes.
pub(crate) const MAX_HEAD: usize = 32 << 10;

/// The headers that describe the connection or the body's framing. Neither a guest nor a rule may add them.
const CONNECTION: &[&str] = &[
    "connection",
    "content-length",
    "expect",
    "host",
    "http2-settings",
    "keep-alive",
    "proxy-authenticate",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// The headers that state who sends the request, and that servers and proxies trust.
const IDENTITY: &[&str] = &[
    "authorization",
    "cf-connecting-ip",
    "client-ip",
    "fastly-client-ip",
    "forwarded",
    "true-client-ip",
    "x-client-ip",
    "x-cluster-client-ip",
    "x-real-ip",
];

/// The headers that make some servers replace the method or the path that was granted.
const OVERRIDES: &[&str] =
    &["x-http-method", "x-http-method-override", "x-method-override", "x-original-url", "x-rewrite-url"];

/// Returns a header's name as servers that follow CGI read it: they do not distinguish `_` from `-`.
pub(crate) fn as_cgi_reads(name: &HeaderName) -> String {
    name.as_str().replace('_', "-")
}

/// Whether the header describes the connection or the body's framing.
pub(crate) fn belongs_to_connection(name: &HeaderName) -> bool {
    CONNECTION.contains(&as_cgi_reads(name).as_str())
}

/// Whether a guest must not set the header in any request. The headers that a rule adds are forbidden as well, but this
/// function does not know them. `Content-Length` is not forbidden, because it is checked against the body.
///
/// ```
/// assert!(hookbox_net::is_forbidden_header(&http::header::HOST));
/// assert!(!hookbox_net::is_forbidden_header(&http::header::ACCEPT));
/// ```
#[must_use]
pub fn is_forbidden_header(name: &HeaderName) -> bool {
    let text = as_cgi_reads(name);
    *name != http::header::CONTENT_LENGTH
        && (belongs_to_connection(name)
            || IDENTITY.contains(&text.as_str())
            || OVERRIDES.contains(&text.as_str())
            || text.starts_with("x-forwarded-"))
}

/// Checks a guest's headers and takes `Content-Length` out of them.
///
/// # Errors
/// Returns an error if a header is forbidden, if the headers are too many or too long, or if the length is not a single
/// number.
pub(crate) fn take_length(headers: &mut HeaderMap) -> Result<Option<u64>, Error> {
    if headers.len() > MAX_HEADERS {
        let message = format!("the request has {} headers, more than {MAX_HEADERS}", headers.len());
        return Err(Error::new(ErrorKind::HttpRequestHeaderSectionSize, message));
    }
    let size = size(headers);
    if size > MAX_HEAD {
        let message = format!("the request's headers have {size} bytes, more than {MAX_HEAD}");
        return Err(Error::new(ErrorKind::HttpRequestHeaderSectionSize, message));
    }
    if let Some(name) = headers.keys().find(|name| is_forbidden_header(name)) {
        return Err(Error::new(ErrorKind::HttpRequestDenied, format!("the header `{name}` is set by the host alone")));
    }
    let mut lengths = headers.get_all(http::header::CONTENT_LENGTH).iter();
    let length = match (lengths.next(), lengths.next()) {
        (None, _) => return Ok(None),
        (Some(length), None) => digits(length),
        (Some(_), Some(_)) => None,
    };
    headers.remove(http::header::CONTENT_LENGTH);
    match length {
        Some(length) => Ok(Some(length)),
        None => Err(Error::new(ErrorKind::HttpRequestDenied, "`content-length` is not one number of digits")),
    }
}

/// Returns the size of headers on the wire, in bytes.
pub(crate) fn size(headers: &HeaderMap) -> usize {
    // The 4 bytes are the colon, the space and the end of the line.
    headers.iter().map(|(name, value)| name.as_str().len() + value.len() + 4).sum()
}

fn digits(value: &HeaderValue) -> Option<u64> {
    let text = value.to_str().ok()?;
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}
