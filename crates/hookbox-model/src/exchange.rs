//! One request and the interpretation of its response.

use crate::error::{Error, ErrorKind};
use crate::model::Model;
use crate::provider::Encoded;
use bytes::Bytes;
use hookbox_net::{Call, Timeouts};
use http::{HeaderMap, Request, header};
use http_body_util::{BodyExt, Full};
use serde_json::Value;
use std::time::Duration;

/// The statuses after which another attempt may succeed. Anthropic sends 529 when it is overloaded.
const BUSY: [u16; 6] = [429, 500, 502, 503, 504, 529];

/// The reason why an attempt failed.
pub(crate) struct Failed {
    pub(crate) error: Error,
    /// Whether another attempt may succeed.
    pub(crate) again: bool,
    /// The time that the server asks the client to wait.
    pub(crate) wait: Option<Duration>,
}

impl Failed {
    fn for_good(kind: ErrorKind, message: impl Into<String>) -> Self {
        Failed { error: Error::new(kind, message), again: false, wait: None }
    }
}

/// Sends a request, and reads the JSON of a successful response.
pub(crate) async fn send(call: &Call, model: &Model, encoded: &Encoded) -> Result<Value, Failed> {
    let mut request = Request::post(format!("{}{}", model.base_url(), encoded.path))
        .header(header::CONTENT_TYPE, "application/json")
        .header(header::ACCEPT, "application/json");
    for (name, value) in &encoded.headers {
        request = request.header(*name, *value);
    }
    let body = Full::new(Bytes::from(encoded.body.to_string()));
    let invalid = |error: http::Error| Failed::for_good(ErrorKind::Refused, error.to_string());
    let request = request.body(body).map_err(invalid)?;
    let response = call.send(request, Timeouts::default()).await.map_err(|error| unreached(&error))?;
    let (status, headers) = (response.status(), response.headers().clone());
    let body = response.into_body().collect().await.map_err(|error| unreached(&error))?.to_bytes();
    if status.is_success() {
        let not_json = |_| Failed::for_good(ErrorKind::Answer, "the response is not JSON");
        return serde_json::from_slice(&body).map_err(not_json);
    }
    if status.is_redirection() {
        let message = format!("the server answered {}, a redirect, which is not followed", status.as_u16());
        return Err(Failed::for_good(ErrorKind::Refused, message));
    }
    let message = match code(&body) {
        Some(code) => format!("the server answered {} ({code})", status.as_u16()),
        None => format!("the server answered {}", status.as_u16()),
    };
    if BUSY.contains(&status.as_u16()) {
        return Err(Failed { error: Error::new(ErrorKind::Unavailable, message), again: true, wait: wait(&headers) });
    }
    Err(Failed::for_good(ErrorKind::Refused, message))
}

/// Converts the error of a request that did not get a complete response.
fn unreached(error: &hookbox_net::Error) -> Failed {
    use hookbox_net::ErrorKind as Net;
    let again = matches!(
        error.kind(),
        Net::ConnectionRefused | Net::ConnectionTerminated | Net::ConnectionTimeout | Net::HttpResponseIncomplete
    );
    Failed { error: Error::new(ErrorKind::Unavailable, error.to_string()), again, wait: None }
}

/// Reads the code of an error, as the providers write it. Other text of a server is not repeated, because it may quote
/// the key.
fn code(body: &[u8]) -> Option<String> {
    let body: Value = serde_json::from_slice(body).ok()?;
    let error = body.get("error").or_else(|| body.pointer("/0/error"))?;
    let plain =
        |code: &&str| (1..=40).contains(&code.len()) && code.chars().all(|c| c.is_ascii_alphabetic() || c == '_');
    ["code", "type", "status"].iter().find_map(|key| error.get(*key)?.as_str().filter(plain)).map(str::to_owned)
}

/// Reads the seconds in `retry-after`.
fn wait(headers: &HeaderMap) -> Option<Duration> {
    let seconds: u64 = headers.get(header::RETRY_AFTER)?.to_str().ok()?.trim().parse().ok()?;
    Some(Duration::from_secs(seconds))
}
