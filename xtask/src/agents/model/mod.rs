//! A model that follows a script, and records what it is told. It listens on 127.0.0.1 and speaks the agents' four
//! protocols.

mod anthropic;
mod chat;
mod gemini;
mod responses;
mod server;
mod stream;

use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};

/// The model's next answer.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Turn {
    /// The model requests a call of one of the agent's tools.
    Call { tool: &'static str, input: Value },
    /// The model answers with text, which ends its turn.
    Say(&'static str),
}

/// An action that is done on the agent's machine while the model is thinking about its first turn.
pub(super) type Meanwhile = Box<dyn FnOnce() -> Result<()> + Send>;

/// A model that listens until it is dropped.
pub(super) struct Model {
    address: String,
    state: Arc<Mutex<State>>,
    _runtime: Runtime,
}

/// What the model was told, and what it did.
#[derive(Debug, Default)]
pub(super) struct Log {
    /// The body of each request for an answer.
    pub(super) requests: Vec<Value>,
    /// The number of turns of the script that were played.
    pub(super) said: usize,
    /// The model's own errors.
    pub(super) faults: Vec<String>,
}

struct State {
    script: std::vec::IntoIter<Turn>,
    meanwhile: Option<Meanwhile>,
    log: Log,
    /// The last conversation and its answer. An agent that retries gets the same answer again.
    last: Option<(Value, Turn)>,
}

/// A way to talk to a model.
#[derive(Clone, Copy)]
enum Protocol {
    Anthropic,
    Responses,
    Chat,
    Gemini,
}

/// The response to the agent.
struct Answer {
    content_type: &'static str,
    body: String,
}

impl Model {
    /// Starts a model that plays these turns, and ends any further turn at once.
    pub(super) fn start(script: Vec<Turn>, meanwhile: Option<Meanwhile>) -> Result<Self> {
        let state = State { script: script.into_iter(), meanwhile, log: Log::default(), last: None };
        let state = Arc::new(Mutex::new(state));
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        let listener = runtime.block_on(TcpListener::bind(("127.0.0.1", 0))).context("the model cannot listen")?;
        let address = format!("http://{}", listener.local_addr()?);
        runtime.spawn(server::serve(listener, Arc::clone(&state)));
        Ok(Model { address, state, _runtime: runtime })
    }

    /// Returns the address, `http://127.0.0.1:PORT`.
    pub(super) fn address(&self) -> &str {
        &self.address
    }

    /// Takes what the model was told so far.
    pub(super) fn take_log(&self) -> Log {
        std::mem::take(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner).log)
    }
}

impl Protocol {
    fn of(path: &str) -> Option<Self> {
        let is = |end: &str| path.ends_with(end);
        match () {
            () if is("/messages") => Some(Self::Anthropic),
            () if is("/responses") => Some(Self::Responses),
            () if is("/chat/completions") => Some(Self::Chat),
            () if is(":generateContent") || is(":streamGenerateContent") => Some(Self::Gemini),
            () => None,
        }
    }

    /// Returns the member of a request that has the conversation.
    const fn conversation(self) -> &'static str {
        match self {
            Self::Anthropic | Self::Chat => "messages",
            Self::Responses => "input",
            Self::Gemini => "contents",
        }
    }

    /// Returns the names of the tools that a request offers.
    fn tools(self, request: &Value) -> Vec<&str> {
        let tools = list(request, "tools");
        let named: Vec<&Value> = match self {
            Self::Anthropic | Self::Responses => tools.collect(),
            Self::Chat => tools.filter_map(|tool| tool.get("function")).collect(),
            Self::Gemini => tools.flat_map(|tool| list(tool, "functionDeclarations")).collect(),
        };
        named.into_iter().filter_map(|tool| tool.get("name")?.as_str()).collect()
    }

    fn answer(self, request: &Value, path: &str, turn: &Turn, number: usize) -> Answer {
        let streams = request.get("stream") == Some(&Value::Bool(true));
        match self {
            Self::Anthropic => anthropic::answer(turn, number, streams),
            Self::Responses => responses::answer(turn, number, streams),
            Self::Chat => chat::answer(turn, number, streams),
            Self::Gemini => gemini::answer(turn, number, path.ends_with(":streamGenerateContent")),
        }
    }
}

impl State {
    /// Returns the model's answer to a request. Requests without tools are not the agent's conversation. They ask for a
    /// title or a summary, and get a text that works as both.
    fn say(&mut self, protocol: Protocol, request: &Value) -> Turn {
        self.log.requests.push(request.clone());
        let tools = protocol.tools(request);
        if tools.is_empty() {
            return Turn::Say(r#"{"title":"A test"}"#);
        }
        let conversation = request.get(protocol.conversation()).unwrap_or(&Value::Null);
        if let Some((known, turn)) = &self.last
            && known == conversation
        {
            return turn.clone();
        }
        if let Some(Err(error)) = self.meanwhile.take().map(|act| act()) {
            self.log.faults.push(format!("what was to happen meanwhile did not: {error:#}"));
        }
        let turn = self.script.next().inspect(|_| self.log.said += 1).unwrap_or(Turn::Say("That is all."));
        if let Turn::Call { tool, .. } = &turn
            && !tools.contains(tool)
        {
            self.log.faults.push(format!("the agent offers no tool `{tool}`, but {}", tools.join(", ")));
        }
        self.last = Some((conversation.clone(), turn.clone()));
        turn
    }
}

/// Returns the elements of a member that is a list.
fn list<'a>(value: &'a Value, member: &str) -> impl Iterator<Item = &'a Value> {
    value.get(member).and_then(Value::as_array).into_iter().flatten()
}

/// Returns the answer to other requests, which are for token counts and lists of models.
fn aside(path: &str) -> Option<Value> {
    match path {
        _ if path.ends_with("/count_tokens") => Some(json!({ "input_tokens": 10 })),
        _ if path.ends_with(":countTokens") => Some(json!({ "totalTokens": 10 })),
        _ if path.ends_with("/models") => Some(json!({
            "object": "list",
            "data": [{ "id": "scripted", "object": "model", "created": 1, "owned_by": "nobody" }],
        })),
        _ => None,
    }
}
