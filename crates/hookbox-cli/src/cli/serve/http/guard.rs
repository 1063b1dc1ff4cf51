//! The check of who may send requests.

use super::token::Token;
use hyper::header::{AUTHORIZATION, HOST, ORIGIN, TRANSFER_ENCODING};
use hyper::http::request::Parts;
use hyper::{StatusCode, Version};

/// The maximum size of a request's head, in bytes. [`connection`](super::connection) reads more, so that an agent gets
/// its deny.
const MAX_HEAD: usize = 16 << 10;

/// The maximum number of headers of a request.
const MAX_HEADERS: usize = 64;

pub(super) struct Guard {
    /// The port, for TCP; `None` for a Unix socket, which its file already protects.
    pub(super) port: Option<u16>,
    pub(super) token: Option<Token>,
}

/// Why a request is refused.
pub(super) struct Refusal {
    pub(super) status: StatusCode,
    pub(super) message: &'static str,
}

impl Guard {
    /// Checks that a request may be answered.
    ///
    /// # Errors
    /// Returns the refusal if the request comes from a browser page or from somebody without the token, can be
    /// understood in two ways, or has too large a head.
    pub(super) fn check(&self, request: &Parts) -> Result<(), Refusal> {
        let headers = &request.headers;
        let refuse = |status, message| Err(Refusal { status, message });
        let lines = headers.iter().map(|(name, value)| name.as_str().len() + value.len() + ": \r\n".len());
        let path = request.uri.path_and_query().map_or(0, |path| path.as_str().len());
        if headers.len() > MAX_HEADERS || lines.sum::<usize>() + path > MAX_HEAD {
            return refuse(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, "the head has more than 16 KiB or 64 lines");
        }
        // With a Content-Length as well, the request could be read in two ways. No agent sends a Transfer-Encoding.
        if headers.contains_key(TRANSFER_ENCODING) {
            return refuse(StatusCode::LENGTH_REQUIRED, "a request has a Content-Length, and no Transfer-Encoding");
        }
        if headers.contains_key(ORIGIN) {
            return refuse(StatusCode::FORBIDDEN, "pages of a browser may not ask");
        }
        let Some(port) = self.port else { return Ok(()) };
        // A page whose domain name was made to resolve to this server sends that name as the host.
        let mut hosts = headers.get_all(HOST).iter().map(|host| host.to_str().unwrap_or_default());
        let host = match (hosts.next(), hosts.next(), request.version) {
            (Some(host), None, _) => host,
            (None, None, Version::HTTP_2) => request.uri.authority().map_or("", |authority| authority.as_str()),
            _ => return refuse(StatusCode::BAD_REQUEST, "a request has exactly one Host"),
        };
        // The authority comes from a whole URL in place of a path, or from HTTP/2. If it differs from the Host, it is
        // not clear which of the two counts.
        if request.uri.authority().is_some_and(|authority| !authority.as_str().eq_ignore_ascii_case(host)) {
            return refuse(StatusCode::BAD_REQUEST, "a request has exactly one Host");
        }
        let name = host.strip_suffix(&format!(":{port}"));
        if !name.is_some_and(|name| ["127.0.0.1", "[::1]"].contains(&name) || name.eq_ignore_ascii_case("localhost")) {
            return refuse(StatusCode::FORBIDDEN, "the Host is not that of this server");
        }
        let mut given = headers.get_all(AUTHORIZATION).iter();
        let given = match (given.next(), given.next()) {
            (Some(given), None) => given.to_str().ok().and_then(|given| given.strip_prefix("Bearer ")),
            _ => None,
        };
        match (&self.token, given) {
            (Some(token), Some(given)) if token.is(given.trim()) => Ok(()),
            _ => refuse(StatusCode::UNAUTHORIZED, "token refused"),
        }
    }
}
