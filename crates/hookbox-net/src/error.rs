//! The errors of requests.

use crate::refusal::{Quoted, Refusal};
use std::borrow::Cow;
use std::error::Error as StdError;
use std::io;

/// The kinds of failure: those of `error-code` in `wasi:http/types@0.2` that occur here, under the same names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The name was not resolved in time.
    DnsTimeout,
    /// The name could not be resolved.
    DnsError,
    /// No address can be reached.
    DestinationUnavailable,
    /// An address of the name is not allowed.
    DestinationIpProhibited,
    /// The server refused the connection.
    ConnectionRefused,
    /// The connection broke.
    ConnectionTerminated,
    /// The connection or the TLS handshake did not complete in time.
    ConnectionTimeout,
    /// The server paused for too long within its answer.
    ConnectionReadTimeout,
    /// The call has already sent as many requests as it may.
    ConnectionLimitReached,
    /// The TLS handshake failed.
    TlsProtocolError,
    /// The server's certificate is not valid.
    TlsCertificateError,
    /// The server ended the TLS handshake.
    TlsAlertReceived,
    /// The rules do not allow the request.
    HttpRequestDenied,
    /// The request's body is longer than allowed, or not as long as its `content-length` says.
    HttpRequestBodySize,
    /// The method is not granted.
    HttpRequestMethodInvalid,
    /// The URL is not in its one canonical form.
    HttpRequestUriInvalid,
    /// The URL is too long.
    HttpRequestUriTooLong,
    /// The request's headers are too many or too long.
    HttpRequestHeaderSectionSize,
    /// The request has trailers, which are not supported.
    HttpRequestTrailerSectionSize,
    /// The server ended its answer too early.
    HttpResponseIncomplete,
    /// The head of the answer is too long, or has too many headers.
    HttpResponseHeaderSectionSize,
    /// The answer's body is longer than allowed.
    HttpResponseBodySize,
    /// The answer's trailers are too many or too long.
    HttpResponseTrailerSectionSize,
    /// The answer did not come in time.
    HttpResponseTimeout,
    /// The server wants to change the protocol.
    HttpUpgradeFailed,
    /// The server, or the request's body, broke the protocol.
    HttpProtocolError,
    /// The host cannot send the request, because of its own setup.
    ConfigurationError,
}

/// The reason why a request failed or a body broke off.
///
/// Its text is for the guest. [`warning`](Error::warning) says more, for the operator. Neither contains a secret.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{message}")]
pub struct Error {
    kind: ErrorKind,
    message: Cow<'static, str>,
    detail: Option<String>,
    target: Option<Quoted>,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, message: impl Into<Cow<'static, str>>) -> Self {
        Error { kind, message: message.into(), detail: None, target: None }
    }

    /// Adds details for the operator only.
    pub(crate) fn with_detail(mut self, detail: impl std::fmt::Display) -> Self {
        self.detail = Some(Quoted::longer(&detail.to_string()).to_string());
        self
    }

    /// Adds the target of the request, unless one is already known.
    pub(crate) fn at(mut self, target: &Quoted) -> Self {
        self.target.get_or_insert_with(|| target.clone());
        self
    }

    /// Whether the server closed the connection, perhaps before it had the request.
    pub(crate) const fn is_closed_connection(&self) -> bool {
        matches!(self.kind, ErrorKind::HttpResponseIncomplete | ErrorKind::ConnectionTerminated)
    }

    /// Returns the kind of failure.
    #[must_use]
    pub const fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Returns one line for the operator: where the request went, what the guest sees, and what else is known.
    #[must_use]
    pub fn warning(&self) -> String {
        let mut text = self.target.as_ref().map(|target| format!("request to `{target}`: ")).unwrap_or_default();
        text.push_str(&self.message);
        if let Some(detail) = &self.detail {
            text.push_str(": ");
            text.push_str(detail);
        }
        text
    }
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        let kind = match &refusal {
            Refusal::Method { .. } => ErrorKind::HttpRequestMethodInvalid,
            Refusal::TooLong(_) => ErrorKind::HttpRequestUriTooLong,
            Refusal::NotGranted(_) | Refusal::Scheme(_) => ErrorKind::HttpRequestDenied,
            Refusal::Host { .. }
            | Refusal::UserInfo(_)
            | Refusal::Port(_)
            | Refusal::Path { .. }
            | Refusal::Query(_) => ErrorKind::HttpRequestUriInvalid,
        };
        Error::new(kind, refusal.to_string())
    }
}

/// Converts a failure that hyper reports: of the connection, of TLS below it, of the protocol, or of the request's body
/// above it.
impl From<hyper::Error> for Error {
    fn from(error: hyper::Error) -> Self {
        if let Some(own) = causes(&error).find_map(|cause| cause.downcast_ref::<Error>()) {
            return own.clone();
        }
        if error.is_parse_too_large() {
            return Error::new(
                ErrorKind::HttpResponseHeaderSectionSize,
                "the head or the trailers of the response are too long, or have too many headers",
            );
        }
        if error.is_incomplete_message() {
            return Error::new(ErrorKind::HttpResponseIncomplete, "the server closed the connection too early");
        }
        if let Some(io) = causes(&error).find_map(|cause| cause.downcast_ref::<io::Error>()) {
            return Error::from_io(io);
        }
        Error::new(ErrorKind::HttpProtocolError, "the response is not valid HTTP/1.1").with_detail(error)
    }
}

impl Error {
    /// Converts a failure to read from or write to an open connection.
    pub(crate) fn from_io(error: &io::Error) -> Self {
        if let Some(tls) = error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>()) {
            return Error::from_tls(tls);
        }
        match error.kind() {
            io::ErrorKind::UnexpectedEof => {
                Error::new(ErrorKind::HttpResponseIncomplete, "the server closed the connection too early")
            }
            // hyper reports invalid chunks and trailers as these kinds.
            io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput | io::ErrorKind::Other => {
                Error::new(ErrorKind::HttpProtocolError, "the response is not valid HTTP/1.1").with_detail(error)
            }
            _ => Error::new(ErrorKind::ConnectionTerminated, "the connection broke").with_detail(error),
        }
    }

    pub(crate) fn from_tls(error: &rustls::Error) -> Self {
        match error {
            rustls::Error::InvalidCertificate(_) | rustls::Error::NoCertificatesPresented => {
                Error::new(ErrorKind::TlsCertificateError, "the server's certificate is not valid")
            }
            rustls::Error::AlertReceived(_) => {
                Error::new(ErrorKind::TlsAlertReceived, "the server ended the TLS handshake")
            }
            _ => Error::new(ErrorKind::TlsProtocolError, "the TLS handshake failed"),
        }
        .with_detail(error)
    }
}

/// Returns an error and its causes, from the outside in.
fn causes<'a>(error: &'a (dyn StdError + 'static)) -> impl Iterator<Item = &'a (dyn StdError + 'static)> {
    std::iter::successors(Some(error), |error: &&'a (dyn StdError + 'static)| (*error).source())
}
