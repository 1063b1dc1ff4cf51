//! Errors of requests, as the interface names them.

use hookbox_net::ErrorKind;
use wasmtime_wasi_http::Error;

/// Logs why a request failed, for the operator, and returns the error that the component gets.
pub(super) fn report(error: &hookbox_net::Error) -> Error {
    tracing::warn!(error = error.warning(), "a request of a component failed");
    code(error)
}

fn code(error: &hookbox_net::Error) -> Error {
    match error.kind() {
        ErrorKind::DnsTimeout => Error::DnsTimeout,
        ErrorKind::DnsError => Error::DnsError { rcode: None, info_code: None },
        ErrorKind::DestinationUnavailable => Error::DestinationUnavailable,
        ErrorKind::DestinationIpProhibited => Error::DestinationIpProhibited,
        ErrorKind::ConnectionRefused => Error::ConnectionRefused,
        ErrorKind::ConnectionTerminated => Error::ConnectionTerminated,
        ErrorKind::ConnectionTimeout => Error::ConnectionTimeout,
        ErrorKind::ConnectionReadTimeout => Error::ConnectionReadTimeout,
        ErrorKind::ConnectionLimitReached => Error::ConnectionLimitReached,
        ErrorKind::TlsProtocolError => Error::TlsProtocolError,
        ErrorKind::TlsCertificateError => Error::TlsCertificateError,
        ErrorKind::TlsAlertReceived => Error::TlsAlertReceived { alert_id: None, alert_message: None },
        ErrorKind::HttpRequestDenied => Error::HttpRequestDenied,
        ErrorKind::HttpRequestBodySize => Error::HttpRequestBodySize(None),
        ErrorKind::HttpRequestMethodInvalid => Error::HttpRequestMethodInvalid,
        ErrorKind::HttpRequestUriInvalid => Error::HttpRequestUriInvalid,
        ErrorKind::HttpRequestUriTooLong => Error::HttpRequestUriTooLong,
        ErrorKind::HttpRequestHeaderSectionSize => Error::HttpRequestHeaderSectionSize(None),
        ErrorKind::HttpRequestTrailerSectionSize => Error::HttpRequestTrailerSectionSize(None),
        ErrorKind::HttpResponseIncomplete => Error::HttpResponseIncomplete,
        ErrorKind::HttpResponseHeaderSectionSize => Error::HttpResponseHeaderSectionSize(None),
        ErrorKind::HttpResponseBodySize => Error::HttpResponseBodySize(None),
        ErrorKind::HttpResponseTrailerSectionSize => Error::HttpResponseTrailerSectionSize(None),
        ErrorKind::HttpResponseTimeout => Error::HttpResponseTimeout,
        ErrorKind::HttpUpgradeFailed => Error::HttpUpgradeFailed,
        ErrorKind::HttpProtocolError => Error::HttpProtocolError,
        ErrorKind::ConfigurationError => Error::ConfigurationError,
        // hookbox-net may add kinds of errors.
        _ => Error::InternalError(Some(error.to_string())),
    }
}
