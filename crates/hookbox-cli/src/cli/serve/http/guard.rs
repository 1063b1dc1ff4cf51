//! Who may ask.

use super::token::Token;
use hyper::header::{AUTHORIZATION, HOST, ORIGIN, TRANSFER_ENCODING};
use hyper::http::request::Parts;
use hyper::{StatusCode, Version};

pub(super) struct Guard {
    /// The port, for TCP. A Unix socket has been guarded by its file.
    pub(super) port: Option<u16>,
    pub(super) token: Option<Token>,
}

/// Why a request is refused.
pub(super) struct Refusal {
    pub(super) status: StatusCode,
    pub(super) message: &'static str,
}

impl Guard {
    /// # Errors
    /// The request comes from a browser page or from somebody without the token, or can be understood in two ways.
    pub(super) fn check(&self, request: &Parts) -> Result<(), Refusal> {
        let headers = &request.headers;
        let refuse = |status, message| Err(Refusal { status, message });
        // Beside a Content-Length, it makes a request that can be read in two ways. No agent sends it.
        if headers.contains_key(TRANSFER_ENCODING) {
            return refuse(StatusCode::LENGTH_REQUIRED, "a request has a Content-Length, and no Transfer-Encoding");
        }
        if headers.contains_key(ORIGIN) {
            return refuse(StatusCode::FORBIDDEN, "pages of a browser may not ask");
        }
        let Some(port) = self.port else { return Ok(()) };
        // A page whose name was made to lead here sends its own name.
        let mut hosts = headers.get_all(HOST).iter().map(|host| host.to_str().unwrap_or_default());
        let host = match (hosts.next(), hosts.next(), request.version) {
            (Some(host), None, _) => host,
            (None, None, Version::HTTP_2) => request.uri.authority().map_or("", |authority| authority.as_str()),
            _ => return refuse(StatusCode::BAD_REQUEST, "a request has exactly one Host"),
        };
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
