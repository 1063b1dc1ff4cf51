//! The lines of `--stdio`: requests and answers.

use super::salvage::Salvaged;
use hookbox::agent::Reply;
use hookbox::{Code, Outcome};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::borrow::Cow;

/// The maximum length of an id that is a text, in bytes.
const MAX_ID: usize = 64;

/// The id of a request: a whole number, or a text.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(untagged)]
pub(super) enum Id {
    Number(i64),
    Text(String),
}

/// A request, as its line spells it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wire<'a> {
    #[serde(borrow)]
    id: &'a RawValue,
    #[serde(borrow)]
    input: Option<&'a RawValue>,
    #[serde(borrow)]
    agent: Option<Cow<'a, str>>,
    #[serde(borrow)]
    payload: Option<&'a RawValue>,
    #[serde(borrow)]
    cancel: Option<&'a RawValue>,
    ping: Option<bool>,
    #[serde(borrow)]
    project: Option<Cow<'a, str>>,
    deadline_ms: Option<u64>,
}

/// A request.
pub(super) struct Request<'a> {
    pub(super) id: Id,
    pub(super) what: What<'a>,
    /// The directory that the agent works in.
    pub(super) project: Option<Cow<'a, str>>,
    pub(super) deadline_ms: Option<u64>,
}

/// What a request asks for.
pub(super) enum What<'a> {
    /// A verdict on an Input.
    Decide(&'a str),
    /// The reply to an agent's payload.
    Reply { agent: Cow<'a, str>, payload: &'a str },
    /// The early end of another request.
    Cancel(Id),
    /// A sign of life.
    Ping,
}

/// Why a line is not a request. If the line names an `agent`, the answer is in that agent's own format.
pub(super) struct Refused {
    pub(super) id: Option<Id>,
    pub(super) agent: Option<String>,
    pub(super) message: String,
}

/// Reads a JSON object.
///
/// # Errors
/// Returns an error if the text is not a JSON object. Serde would also accept a list with the members of the struct in
/// order.
pub(super) fn object<'a, T: Deserialize<'a>>(text: &'a str) -> serde_json::Result<T> {
    if text.trim_ascii_start().starts_with('[') {
        return Err(serde::de::Error::custom("a list, expected an object"));
    }
    serde_json::from_str(text)
}

/// Reads the request in a line.
pub(super) fn read(line: &[u8]) -> Result<Request<'_>, Refused> {
    let text = std::str::from_utf8(line).map_err(|error| refused(line, format!("the line is not UTF-8: {error}")))?;
    let wire: Wire<'_> = object(text).map_err(|error| refused(line, format!("the line is not a request: {error}")))?;
    let agent = wire.agent.as_ref().map(ToString::to_string);
    let id = match id(wire.id) {
        Ok(id) => id,
        Err(message) => return Err(Refused { id: None, agent, message }),
    };
    let what = match (wire.input, wire.agent, wire.payload, wire.cancel, wire.ping) {
        (Some(input), None, None, None, None) => Ok(What::Decide(input.get())),
        (None, Some(agent), Some(payload), None, None) => Ok(What::Reply { agent, payload: payload.get() }),
        (None, None, None, Some(of), None) => id_of(of).map(What::Cancel),
        (None, None, None, None, Some(true)) => Ok(What::Ping),
        _ => Err("a request has one of: `input`, `agent` with `payload`, `cancel`, `ping`".to_owned()),
    };
    match what {
        Ok(what) => Ok(Request { id, what, project: wire.project, deadline_ms: wire.deadline_ms }),
        Err(message) => Err(Refused { id: Some(id), agent, message }),
    }
}

fn id_of(raw: &RawValue) -> Result<Id, String> {
    id(raw).map_err(|message| format!("`cancel` names no request: {message}"))
}

fn id(raw: &RawValue) -> Result<Id, String> {
    if let Ok(number) = serde_json::from_str::<i64>(raw.get()) {
        return Ok(Id::Number(number));
    }
    match serde_json::from_str::<String>(raw.get()) {
        Ok(text) if text.len() <= MAX_ID => Ok(Id::Text(text)),
        Ok(_) => Err(format!("`id` has more than {MAX_ID} bytes")),
        Err(_) => Err("`id` must be a whole number or a text".to_owned()),
    }
}

/// Returns the refusal of a line, or of the beginning of a line, with the id and the agent that it names, so that its
/// sender gets an answer.
pub(super) fn refused(line: &[u8], message: String) -> Refused {
    let found = Salvaged::of(line, &["id", "agent"]);
    let id = found.json("id").and_then(|json| id(serde_json::from_str(json).ok()?).ok());
    Refused { id, agent: found.text("agent"), message }
}

/// Returns the line that answers an Input.
pub(super) fn outcome(id: &Id, outcome: &Outcome) -> String {
    format!("{{\"id\":{},\"outcome\":{}}}\n", json(id), outcome.to_json_line())
}

/// Returns the line that answers an agent's payload.
pub(super) fn reply(id: &Id, reply: &Reply) -> String {
    format!("{{\"id\":{},\"reply\":{}}}\n", json(id), reply_json(reply))
}

pub(super) fn cancelled(id: &Id, was_under_way: bool) -> String {
    format!("{{\"id\":{},\"cancelled\":{was_under_way}}}\n", json(id))
}

pub(super) fn pong(id: &Id) -> String {
    format!("{{\"id\":{},\"pong\":true,\"version\":{}}}\n", json(id), json(&env!("CARGO_PKG_VERSION")))
}

/// Returns the line for an error. It contains a deny, so that no client takes it for an allow.
pub(super) fn error(id: Option<&Id>, code: Code, message: &str, agent: Option<&Reply>) -> String {
    #[derive(Serialize)]
    struct Fault<'a> {
        code: Code,
        message: &'a str,
    }
    let fault = json(&Fault { code, message });
    let deny = match agent {
        Some(reply) => format!("\"reply\":{}", reply_json(reply)),
        None => format!("\"outcome\":{}", Outcome::no_verdict(code, message, None).to_json_line()),
    };
    let id = id.map_or_else(|| "null".to_owned(), json);
    format!("{{\"id\":{id},\"error\":{fault},{deny}}}\n")
}

fn reply_json(reply: &Reply) -> String {
    #[derive(Serialize)]
    struct Wire<'a> {
        stdout: &'a str,
        stderr: &'a str,
        status: u8,
    }
    json(&Wire { stdout: &reply.stdout, stderr: &reply.stderr, status: reply.status })
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_else(|_| "null".to_owned())
}
