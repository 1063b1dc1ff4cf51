//! Sends the requests that the tool's input asks for, and reports the result of each.
//!
//! The tool's input, or else the hook's settings, are `{"do": [["fetch", "GET", "http://…", [["name", "value"]],
//! "body"], …]}`.

use serde_json::{Value, json};

mod host {
    wit_bindgen::generate!({
        path: ["../../wit/deps/wasi-io", "../../wit/deps/wasi-clocks", "../../wit/deps/wasi-http", "../../wit/deps/hookbox-http"],
        inline: "
            package test:requests;
            world requests {
                import wasi:http/outgoing-handler@0.2.12;
                import hookbox:http/fetch@0.1.0;
            }",
        generate_all,
    });
}

use host::hookbox::http::fetch::{Request, fetch};
use host::wasi::http::outgoing_handler::handle;
use host::wasi::http::types::{
    ErrorCode, Fields, FutureIncomingResponse, IncomingBody, Method, OutgoingBody, OutgoingRequest, Scheme,
};
use host::wasi::io::streams::StreamError;

hookbox_test_guests::try_out!(|input: String| {
    let input: Value = serde_json::from_str(&input).unwrap_or_default();
    let steps = if input["settings"]["do"].is_array() { &input["settings"]["do"] } else { &input["tool_input"]["do"] };
    let mut left = Vec::new();
    let done: Vec<Value> = steps.as_array().into_iter().flatten().map(|step| do_it(step, &mut left)).collect();
    // The requests that are still open end with the call.
    std::mem::forget(left);
    Value::from(done).to_string()
});

fn do_it(step: &Value, left: &mut Vec<FutureIncomingResponse>) -> Value {
    let text = |at: usize| step[at].as_str().unwrap_or_default();
    let headers = || {
        let pairs = step[3].as_array().into_iter().flatten();
        pairs.map(|pair| {
            (pair[0].as_str().unwrap_or_default().to_owned(), pair[1].as_str().unwrap_or_default().to_owned())
        })
    };
    let body = match &step[4] {
        Value::String(text) => Some(text.clone().into_bytes()),
        Value::Number(size) => Some(vec![b'x'; size.as_u64().unwrap_or_default() as usize]),
        _ => None,
    };
    match text(0) {
        "fetch" => {
            let request =
                Request { method: text(1).to_owned(), url: text(2).to_owned(), headers: headers().collect(), body };
            match fetch(&request) {
                Ok(response) => json!({
                    "status": response.status,
                    "headers": response.headers,
                    "body": shown(&response.body),
                }),
                Err(error) => json!({ "error": error }),
            }
        }
        "standard" => match start(text(1), text(2), headers(), body).and_then(finish) {
            Ok(response) => response,
            Err(code) => json!({ "error": format!("{code:?}") }),
        },
        "leave" => match start(text(1), text(2), headers(), body) {
            Ok(future) => {
                left.push(future);
                json!("left")
            }
            Err(code) => json!({ "error": format!("{code:?}") }),
        },
        "trap" => panic!("as asked"),
        "loop" => loop {
            std::hint::black_box(());
        },
        other => json!(format!("no operation {other}")),
    }
}

/// Shows a body, or only the length of a long one.
fn shown(body: &[u8]) -> Value {
    if body.len() > 1_000 { json!(body.len()) } else { String::from_utf8_lossy(body).into() }
}

fn start(
    method: &str,
    url: &str,
    headers: impl Iterator<Item = (String, String)>,
    body: Option<Vec<u8>>,
) -> Result<FutureIncomingResponse, ErrorCode> {
    let internal = |what: &str| ErrorCode::InternalError(Some(what.to_owned()));
    let fields = Fields::new();
    for (name, value) in headers {
        fields.append(&name, value.as_bytes()).map_err(|error| internal(&format!("header {name}: {error:?}")))?;
    }
    let request = OutgoingRequest::new(fields);
    let method = match method {
        "GET" => Method::Get,
        "POST" => Method::Post,
        other => Method::Other(other.to_owned()),
    };
    request.set_method(&method).map_err(|()| internal("method"))?;
    let (scheme, rest) = url.split_once("://").unwrap_or(("", url));
    let scheme = match scheme {
        "http" => Some(Scheme::Http),
        "https" => Some(Scheme::Https),
        "" => None,
        other => Some(Scheme::Other(other.to_owned())),
    };
    let cut = rest.find('/').unwrap_or(rest.len());
    let (authority, path) = rest.split_at(cut);
    request.set_scheme(scheme.as_ref()).map_err(|()| internal("scheme"))?;
    request.set_authority(Some(authority)).map_err(|()| internal("authority"))?;
    request.set_path_with_query(Some(path)).map_err(|()| internal("path"))?;
    let outgoing = request.body().map_err(|()| internal("body"))?;
    let future = handle(request, None)?;
    if let Some(bytes) = body {
        let stream = outgoing.write().map_err(|()| internal("stream"))?;
        for piece in bytes.chunks(4096) {
            if stream.blocking_write_and_flush(piece).is_err() {
                break;
            }
        }
    }
    OutgoingBody::finish(outgoing, None)?;
    Ok(future)
}

fn finish(future: FutureIncomingResponse) -> Result<Value, ErrorCode> {
    let response = loop {
        match future.get() {
            Some(Ok(response)) => break response?,
            Some(Err(())) => return Err(ErrorCode::InternalError(Some("taken twice".to_owned()))),
            None => future.subscribe().block(),
        }
    };
    let (status, incoming) = (response.status(), response.consume());
    let incoming = incoming.map_err(|()| ErrorCode::InternalError(Some("no body".to_owned())))?;
    let body = read(&incoming).map_err(|error| ErrorCode::InternalError(Some(error)))?;
    let headers: Vec<(String, String)> = response
        .headers()
        .entries()
        .into_iter()
        .map(|(name, value)| (name, String::from_utf8_lossy(&value).into_owned()))
        .collect();
    Ok(json!({ "status": status, "headers": headers, "body": shown(&body) }))
}

fn read(incoming: &IncomingBody) -> Result<Vec<u8>, String> {
    let stream = incoming.stream().map_err(|()| "no stream".to_owned())?;
    let mut body = Vec::new();
    loop {
        match stream.blocking_read(64 << 10) {
            Ok(bytes) => body.extend(bytes),
            Err(StreamError::Closed) => return Ok(body),
            Err(StreamError::LastOperationFailed(error)) => return Err(error.to_debug_string()),
        }
    }
}
