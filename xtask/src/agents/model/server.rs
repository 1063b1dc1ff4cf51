//! The HTTP side of the model.

use super::{Answer, Protocol, State, aside};
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode, header};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use std::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::net::TcpListener;

/// Answers requests for as long as the runtime lives.
pub(super) async fn serve(listener: TcpListener, state: Arc<Mutex<State>>) {
    while let Ok((connection, _)) = listener.accept().await {
        let state = Arc::clone(&state);
        tokio::spawn(async move {
            let service = service_fn(move |request| respond(request, Arc::clone(&state)));
            // An agent that disconnects in the middle of an answer is not an error.
            let _ = http1::Builder::new().serve_connection(TokioIo::new(connection), service).await;
        });
    }
}

async fn respond(request: Request<Incoming>, state: Arc<Mutex<State>>) -> Result<Response<Full<Bytes>>, Infallible> {
    let path = request.uri().path().to_owned();
    let fault = |text: String| {
        state.lock().unwrap_or_else(PoisonError::into_inner).log.faults.push(text.clone());
        response(StatusCode::BAD_REQUEST, answer_of(&json!({ "error": { "message": text } })))
    };
    let encoding = request.headers().get(header::CONTENT_ENCODING).cloned();
    let body = match request.into_body().collect().await {
        Ok(body) => body.to_bytes(),
        Err(error) => return Ok(fault(format!("a request to {path} broke off: {error}"))),
    };
    let Some(protocol) = Protocol::of(&path) else {
        return Ok(match aside(&path) {
            Some(value) => response(StatusCode::OK, answer_of(&value)),
            None => response(StatusCode::NOT_FOUND, answer_of(&json!({ "error": { "message": "not here" } }))),
        });
    };
    // An unreadable request may contain something that the agent must not send.
    let Ok(asked) = serde_json::from_slice::<Value>(&body) else {
        return Ok(fault(format!("a request to {path} is no JSON (content-encoding: {encoding:?})")));
    };
    let (turn, number) = {
        let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
        (state.say(protocol, &asked), state.log.requests.len())
    };
    Ok(response(StatusCode::OK, protocol.answer(&asked, &path, &turn, number)))
}

fn answer_of(value: &Value) -> Answer {
    Answer { content_type: "application/json", body: value.to_string() }
}

fn response(status: StatusCode, answer: Answer) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::from(answer.body)));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, header::HeaderValue::from_static(answer.content_type));
    response
}
