//! Sends requests as agents do.

use super::started::MAX_OUTPUT;
use crate::cli::install::TOKEN;
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Bytes;
use hyper::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HOST};
use hyper::{Request, Uri};
use hyper_util::rt::TokioIo;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::time::timeout;

/// How long the server may take to answer.
const PATIENCE: Duration = Duration::from_secs(30);

/// Sends a payload to the server and returns the answer.
///
/// # Errors
/// Returns an error if there is no answer, or one that an agent takes for a failure.
pub(super) fn post(url: &str, payload: &str) -> Result<String, String> {
    let token = std::env::var(TOKEN)
        .map_err(|_| format!("{TOKEN} is not set, here at least: give the agent the token of `hookbox serve`"))?;
    let answer = ask(url, &token, payload)?;
    // This answer is a deny for every event, and says nothing about the hooks.
    match answer.contains("token refused") {
        true => Err(format!("the server refuses the token in {TOKEN}")),
        false => Ok(answer),
    }
}

fn ask(url: &str, token: &str, payload: &str) -> Result<String, String> {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|error| error.to_string())?;
    let answer = async { timeout(PATIENCE, send(url, token, payload)).await };
    runtime.block_on(answer).unwrap_or_else(|_| Err(format!("no answer within {PATIENCE:?}")))
}

async fn send(url: &str, token: &str, payload: &str) -> Result<String, String> {
    let url: Uri = url.parse().map_err(|error| format!("it is not a URL: {error}"))?;
    let authority = url.authority().ok_or("it is not a URL of a server")?.as_str().to_owned();
    let stream = TcpStream::connect(&authority).await;
    let stream = stream
        .map_err(|error| format!("nothing answers there ({error}): start `hookbox serve --listen {authority}`"))?;
    let failed = |error: hyper::Error| format!("the request failed: {error}");
    let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.map_err(failed)?;
    tokio::spawn(connection);
    let request = Request::post(url.path())
        .header(HOST, &authority)
        .header(AUTHORIZATION, format!("Bearer {token}"))
        .header(CONTENT_TYPE, "application/json")
        .header(ACCEPT, "application/json, text/plain, */*")
        .body(Full::new(Bytes::from(payload.to_owned())))
        .map_err(|error| error.to_string())?;
    let answer = sender.send_request(request).await.map_err(failed)?;
    let status = answer.status();
    let body = Limited::new(answer.into_body(), MAX_OUTPUT).collect().await;
    let body = body.map_err(|error| format!("the answer could not be read: {error}"))?.to_bytes();
    if !status.is_success() {
        return Err(format!("the server answered with the status {status}"));
    }
    String::from_utf8(body.into()).map_err(|error| format!("the answer is not text: {error}"))
}
