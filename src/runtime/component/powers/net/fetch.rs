//! `hookbox:http`: a request as one function, for languages whose toolchains replace `wasi:http` with a stub or do not
//! offer it.
#![allow(unreachable_pub, reason = "the generated code exports what it is given")]

use super::super::super::state::State;
use super::error::report;
use super::host::{Requests, Sender, Whole};
use bytes::Bytes;
use hookbox_net::Timeouts;
use http::header::{HeaderName, HeaderValue};
use http_body_util::BodyExt;
use wasmtime::component::{HasData, Linker};

wasmtime::component::bindgen!({
    path: "wit/deps/hookbox-http",
    world: "imports",
    imports: { default: async },
});

use self::hookbox::http::fetch::{Host, Request, Response, add_to_linker};

/// The state that the function works on.
pub struct Fetch(Sender);

impl HasData for Fetch {
    type Data<'a> = Fetch;
}

impl Host for Fetch {
    async fn fetch(&mut self, request: Request) -> Result<Response, String> {
        let request = build(request)?;
        let (call, record) = match &self.0 {
            Sender::Network(call, record) => (call, record),
            Sender::Answers(answers) => {
                let (head, body) = answers.answer(request.method(), request.uri())?.into_parts();
                return Ok(response(&head, &body));
            }
            Sender::None => return Err("requests are not granted".to_owned()),
        };
        let failed = |error: hookbox_net::Error| {
            report(&error);
            error.to_string()
        };
        let (method, uri) = (request.method().clone(), request.uri().clone());
        let (head, body) = call.send(request, Timeouts::default()).await.map_err(failed)?.into_parts();
        let body = body.collect().await.map_err(failed)?.to_bytes();
        if let Some(record) = record {
            record.keep(&method, &uri, &head, &body);
        }
        Ok(response(&head, &body))
    }
}

fn response(head: &http::response::Parts, body: &Bytes) -> Response {
    let header = |(name, value): (&HeaderName, &HeaderValue)| {
        (name.as_str().to_owned(), String::from_utf8_lossy(value.as_bytes()).into_owned())
    };
    Response { status: head.status.as_u16(), headers: head.headers.iter().map(header).collect(), body: body.to_vec() }
}

/// Builds a request from the component's parts.
///
/// # Errors
/// Returns an error if the method, the URL or a header is not valid.
fn build(request: Request) -> Result<http::Request<Whole>, String> {
    let Request { method, url, headers, body } = request;
    let mut built = http::Request::new(Whole::new(Bytes::from(body.unwrap_or_default())));
    *built.method_mut() = method.parse().map_err(|_| format!("the method {method:?} is not valid"))?;
    *built.uri_mut() = url.parse().map_err(|_| format!("the URL {url:?} is not valid"))?;
    for (name, value) in headers {
        let parsed_name = HeaderName::try_from(&name).map_err(|_| format!("the header name {name:?} is not valid"))?;
        let value =
            HeaderValue::try_from(value).map_err(|_| format!("the value of the header `{name}` is not valid"))?;
        let added = built.headers_mut().try_append(parsed_name, value);
        added.map_err(|_| "the request has too many headers".to_owned())?;
    }
    Ok(built)
}

/// Links the interface.
pub(in super::super::super) fn link(linker: &mut Linker<State>) -> wasmtime::Result<()> {
    add_to_linker::<_, Fetch>(linker, |state| Fetch(state.requests().map_or(Sender::None, Requests::sender)))
}
