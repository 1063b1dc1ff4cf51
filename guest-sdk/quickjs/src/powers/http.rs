//! The function that `fetch` is built on.

use super::Bytes;
use hookbox_sdk::http::Request;
use rquickjs::{Ctx, Exception, Object, Result, TypedArray};

/// Sends a request and waits for the response. `headers` contains names and values in turn.
pub(super) fn send<'js>(
    ctx: Ctx<'js>,
    method: String,
    url: String,
    headers: Vec<String>,
    body: Option<Bytes>,
) -> Result<Object<'js>> {
    super::check_open(&ctx, "the network")?;
    if let Some(why) = super::given().without_http() {
        return Err(Exception::throw_type(&ctx, why));
    }
    let mut request = Request::new(method, url);
    for header in headers.chunks_exact(2) {
        if let [name, value] = header {
            request = request.header(name, value);
        }
    }
    if let Some(Bytes(body)) = body {
        request = request.body(body);
    }
    let received = request.send().map_err(|error| Exception::throw_type(&ctx, &error.to_string()))?;
    let response = Object::new(ctx.clone())?;
    response.set("status", received.status)?;
    let headers = received.headers.into_iter().flat_map(|(name, value)| [name, value]);
    response.set("headers", headers.collect::<Vec<_>>())?;
    response.set("body", TypedArray::new(ctx, received.body)?)?;
    Ok(response)
}
