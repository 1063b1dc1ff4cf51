//! The routes of the HTTP server.

use super::super::request::object;
use super::super::service::{Asked, Service};
use super::denied::{denied, spoken};
use super::guard::{Guard, Refusal};
use super::metrics::Metrics;
use hookbox::agent::{Environment, MAX_PAYLOAD_BYTES};
use hookbox::record::Via;
use hookbox::{Caller, Code, MAX_INPUT_BYTES, Outcome};
use http_body_util::{BodyExt, Full};
use hyper::body::{Body, Bytes, Incoming};
use hyper::header::{ALLOW, CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE, HeaderValue};
use hyper::http::request::Parts;
use hyper::{Method, Request, Response, StatusCode};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::convert::Infallible;
use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;
use tokio::time::timeout;

/// The time limit for reading the body of a request.
const BODY_TIME: Duration = Duration::from_secs(10);

/// The maximum number of bytes that are kept of a refused body, and the time limit for reading all of it.
const BEGINNING: usize = 64 << 10;
const REFUSED_TIME: Duration = Duration::from_secs(1);

/// The room for what a body has around an Input, in bytes.
const AROUND: usize = 64 << 10;

/// The maximum number of requests under way.
const MAX_UNDER_WAY: i64 = 256;

const OPENAPI: &str = include_str!("../../../../../../docs/reference/openapi.json");

/// The routes, with what is needed to answer requests.
pub(super) struct Routes {
    pub(super) service: Arc<Service>,
    pub(super) guard: Guard,
    pub(super) metrics: Arc<Metrics>,
    pub(super) via: Via,
}

/// The body of `POST /v1/decide`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Decide<'a> {
    #[serde(borrow)]
    input: &'a RawValue,
    #[serde(borrow)]
    project: Option<Cow<'a, str>>,
    deadline_ms: Option<u64>,
}

type Answer = Response<Full<Bytes>>;

/// The reason why a request is refused.
struct Fault {
    status: StatusCode,
    code: Code,
    message: String,
    /// The method to use instead, if the request's method is wrong.
    allowed: Option<Method>,
}

impl Fault {
    fn new(status: StatusCode, code: Code, message: impl Into<String>) -> Self {
        Fault { status, code, message: message.into(), allowed: None }
    }

    fn wrong_method(allowed: Method) -> Self {
        let message = format!("use {allowed}");
        Fault { allowed: Some(allowed), ..Fault::new(StatusCode::METHOD_NOT_ALLOWED, Code::Usage, message) }
    }
}

impl Routes {
    /// Answers a request. If `is_overloaded` is true, refuses it.
    pub(super) async fn answer(&self, request: Request<Incoming>, is_overloaded: bool) -> Result<Answer, Infallible> {
        let (head, mut body) = request.into_parts();
        let path = head.uri.path().to_owned();
        // This value is also dropped when the client goes away.
        let _under_way = self.metrics.begin();
        let crashed =
            || Fault::new(StatusCode::INTERNAL_SERVER_ERROR, Code::Internal, "hookbox crashed; please report it");
        Ok(match path.strip_prefix("/v1/agents/") {
            // An agent takes any status other than 200 for an allow.
            Some(name) => {
                let answer = self.agent(name, &head, body, is_overloaded);
                unless_it_panics(answer).await.unwrap_or_else(|| self.deny(name, &[], &crashed()))
            }
            None => {
                let answer = unless_it_panics(self.other(&path, &head, &mut body, is_overloaded)).await;
                match answer.unwrap_or_else(|| Err(crashed())) {
                    Ok(answer) => answer,
                    Err(fault) => {
                        drop(read_refused(&mut body).await);
                        self.refuse(&fault)
                    }
                }
            }
        })
    }

    async fn other(&self, path: &str, head: &Parts, body: &mut Incoming, is_overloaded: bool) -> Result<Answer, Fault> {
        let method = match path {
            "/v1/decide" => Method::POST,
            "/healthz" | "/readyz" | "/metrics" | "/v1/openapi.json" => Method::GET,
            _ => return Err(Fault::new(StatusCode::NOT_FOUND, Code::Usage, "there is nothing at this path")),
        };
        let is_allowed = head.method == method;
        // Neither the health of the server nor its methods are secret.
        if path != "/healthz" && (is_allowed || head.method != Method::OPTIONS) {
            self.guard.check(head)?;
        }
        if !is_allowed {
            return Err(Fault::wrong_method(method));
        }
        match path {
            "/v1/decide" => {
                self.has_room(is_overloaded)?;
                let body = read(head, body, MAX_INPUT_BYTES + AROUND).await.map_err(|(fault, _)| fault)?;
                self.decide(&body).await
            }
            "/readyz" => match self.service.problem() {
                None => Ok(text(StatusCode::OK, "ready\n".to_owned())),
                Some(problem) => Ok(text(StatusCode::SERVICE_UNAVAILABLE, format!("{problem}\n"))),
            },
            "/metrics" => {
                let mut answer = text(StatusCode::OK, self.metrics.text(&self.service));
                let kind = HeaderValue::from_static("application/openmetrics-text; version=1.0.0; charset=utf-8");
                answer.headers_mut().insert(CONTENT_TYPE, kind);
                Ok(answer)
            }
            "/v1/openapi.json" => Ok(json_answer(StatusCode::OK, OPENAPI.to_owned())),
            _ => Ok(text(StatusCode::OK, "alive\n".to_owned())),
        }
    }

    async fn decide(&self, body: &[u8]) -> Result<Answer, Fault> {
        let wrong = |message: String| Fault::new(StatusCode::BAD_REQUEST, Code::InputSyntax, message);
        let body = std::str::from_utf8(body).map_err(|error| wrong(format!("the body is not UTF-8: {error}")))?;
        let Decide { input, project, deadline_ms } =
            object(body).map_err(|error| wrong(format!("the body is not a request: {error}")))?;
        let asked = Asked { project: project.as_deref(), deadline_ms, via: self.via };
        let outcome = self.service.decide(input.get(), asked, Caller::default()).await;
        Ok(json_answer(StatusCode::OK, outcome.to_json_line()))
    }

    /// Answers an agent's own HTTP hook: always with 200 and a whole decision.
    async fn agent(&self, name: &str, head: &Parts, mut body: Incoming, is_overloaded: bool) -> Answer {
        if let Err(fault) = self.may_ask(head, is_overloaded) {
            // The beginning says which event to deny. No more is kept for a client that may not ask.
            let beginning = read_refused(&mut body).await;
            return self.deny(name, &beginning, &fault);
        }
        let payload = match read(head, &mut body, MAX_PAYLOAD_BYTES).await {
            Ok(payload) => payload,
            Err((fault, mut payload)) => {
                if payload.is_empty() {
                    payload = read_refused(&mut body).await;
                }
                return self.deny(name, &payload, &fault);
            }
        };
        let asked = Asked { project: None, deadline_ms: None, via: self.via };
        let environment = Environment::default();
        match self.service.reply(name, &payload, &environment, asked, Caller::default()).await {
            Some(reply) => json_answer(StatusCode::OK, spoken(name, &payload, &reply)),
            None => {
                let message = format!("there is no agent {name:?}");
                self.deny(name, &payload, &Fault::new(StatusCode::NOT_FOUND, Code::Usage, message))
            }
        }
    }

    fn may_ask(&self, head: &Parts, is_overloaded: bool) -> Result<(), Fault> {
        self.guard.check(head)?;
        if head.method != Method::POST {
            return Err(Fault::wrong_method(Method::POST));
        }
        self.has_room(is_overloaded)
    }

    fn deny(&self, name: &str, payload: &[u8], fault: &Fault) -> Answer {
        self.metrics.refused(fault.status.as_u16());
        let message = format!("hookbox: {}", fault.message);
        json_answer(StatusCode::OK, denied(name, payload, fault.code, &message))
    }

    fn has_room(&self, is_overloaded: bool) -> Result<(), Fault> {
        if is_overloaded || self.metrics.under_way() > MAX_UNDER_WAY {
            return Err(Fault::new(StatusCode::SERVICE_UNAVAILABLE, Code::Dropped, "overloaded: too many requests"));
        }
        Ok(())
    }

    fn refuse(&self, fault: &Fault) -> Answer {
        self.metrics.refused(fault.status.as_u16());
        let outcome = Outcome::no_verdict(fault.code, &fault.message, None);
        let mut answer = json_answer(fault.status, outcome.to_json_line());
        if let Some(allowed) = &fault.allowed
            && let Ok(allowed) = HeaderValue::from_str(allowed.as_str())
        {
            answer.headers_mut().insert(ALLOW, allowed);
        }
        answer
    }
}

impl From<Refusal> for Fault {
    fn from(refusal: Refusal) -> Self {
        Fault::new(refusal.status, Code::Usage, refusal.message)
    }
}

/// Reads the body, if it is not too large and arrives in time.
///
/// # Errors
/// Returns the reason why the body cannot be used, and the beginning of the body.
async fn read(head: &Parts, body: &mut Incoming, most: usize) -> Result<Vec<u8>, (Fault, Vec<u8>)> {
    let too_large = || {
        let message = format!("the body has more than {most} bytes");
        Fault::new(StatusCode::PAYLOAD_TOO_LARGE, Code::InputSize, message)
    };
    let announced = head.headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if announced.is_some_and(|length| length > most as u64) || body.size_hint().lower() > most as u64 {
        return Err((too_large(), Vec::new()));
    }
    let mut bytes = Vec::new();
    let whole = timeout(BODY_TIME, collect(body, most, &mut bytes)).await;
    let fault = match whole {
        Ok(Ok(())) if bytes.len() <= most => return Ok(bytes),
        Ok(Ok(())) => too_large(),
        Ok(Err(error)) => {
            let message = format!("the body cannot be read: {error}");
            Fault::new(StatusCode::BAD_REQUEST, Code::InputSyntax, message)
        }
        Err(_) => {
            let message = format!("the body took longer than {} s", BODY_TIME.as_secs());
            Fault::new(StatusCode::REQUEST_TIMEOUT, Code::Timeout, message)
        }
    };
    Err((fault, bytes))
}

/// Reads a refused body, as far as it arrives within [`REFUSED_TIME`], and returns its beginning. If the connection
/// were closed before the client has written the rest, many clients would report that instead of the answer.
async fn read_refused(body: &mut Incoming) -> Vec<u8> {
    let mut beginning = Vec::new();
    let all = async {
        collect(body, BEGINNING, &mut beginning).await?;
        while let Some(frame) = body.frame().await {
            frame?;
        }
        hyper::Result::Ok(())
    };
    let _ = timeout(REFUSED_TIME, all).await;
    beginning
}

/// Reads a body until it ends or there are more than `most` bytes.
async fn collect(body: &mut Incoming, most: usize, bytes: &mut Vec<u8>) -> hyper::Result<()> {
    while bytes.len() <= most
        && let Some(frame) = body.frame().await
    {
        bytes.extend_from_slice(frame?.data_ref().map_or(&[], |data| data));
    }
    Ok(())
}

/// Returns the result of a future; `None` if the future panics. The connection must not end without an answer.
async fn unless_it_panics<T>(future: impl Future<Output = T>) -> Option<T> {
    let mut future = pin!(future);
    poll_fn(|context| {
        let polled = catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(context)));
        polled.map_or(Poll::Ready(None), |polled| polled.map(Some))
    })
    .await
}

fn json_answer(status: StatusCode, body: String) -> Answer {
    let mut answer = text(status, body);
    answer.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    answer
}

fn text(status: StatusCode, body: String) -> Answer {
    let mut answer = Response::new(Full::new(Bytes::from(body)));
    *answer.status_mut() = status;
    let headers = answer.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_panic_is_no_answer() {
        assert_eq!(unless_it_panics(async { 7 }).await, Some(7));
        let panics = async {
            tokio::task::yield_now().await;
            std::panic::resume_unwind(Box::new("a fault"))
        };
        assert_eq!(unless_it_panics::<u8>(panics).await, None);
    }
}
