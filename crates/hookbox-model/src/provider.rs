//! The protocols of model servers. Each turns a question into JSON, and JSON into an answer.

mod anthropic;
mod chat;
mod gemini;
mod responses;

use crate::question::{Author, Question, Usage};
use serde_json::{Value, json};

/// The provider whose protocol a server speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Provider {
    /// OpenAI's Responses API.
    OpenAi,
    /// OpenAI's Chat Completions API, which most other servers speak, too.
    OpenAiChat,
    /// Anthropic's Messages API.
    Anthropic,
    /// Google's Gemini API.
    Gemini,
}

/// A request to a server.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Encoded {
    /// The path that is appended to the base URL.
    pub path: String,
    /// The headers of this provider, besides the key.
    pub headers: Vec<(&'static str, &'static str)>,
    /// The body.
    pub body: Value,
}

/// Returns the messages of a question in the form that all providers but Gemini use.
fn messages(question: &Question) -> Vec<Value> {
    let message = |(author, content): (Author, String)| {
        let role = match author {
            Author::User => "user",
            Author::Model => "assistant",
        };
        json!({ "role": role, "content": content })
    };
    question.messages().into_iter().map(message).collect()
}

impl Provider {
    /// All providers.
    pub const ALL: &[Provider] = &[Provider::OpenAi, Provider::OpenAiChat, Provider::Anthropic, Provider::Gemini];

    /// Returns the provider's name in configs.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Provider::OpenAi => "openai",
            Provider::OpenAiChat => "openai-chat",
            Provider::Anthropic => "anthropic",
            Provider::Gemini => "gemini",
        }
    }

    /// Returns the provider of this name. `google` means Gemini, as in docker-agent.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        let name = if name == "google" { "gemini" } else { name };
        Provider::ALL.iter().copied().find(|provider| provider.as_str() == name)
    }

    /// Returns the base URL of the provider's own server.
    #[must_use]
    pub const fn base_url(self) -> &'static str {
        match self {
            Provider::OpenAi | Provider::OpenAiChat => "https://api.openai.com/v1",
            Provider::Anthropic => "https://api.anthropic.com/v1",
            Provider::Gemini => "https://generativelanguage.googleapis.com/v1beta",
        }
    }

    /// Returns the environment variable that usually holds the key for the provider's own server.
    #[must_use]
    pub const fn key_variable(self) -> Option<&'static str> {
        Some(match self {
            Provider::OpenAi | Provider::OpenAiChat => "OPENAI_API_KEY",
            Provider::Anthropic => "ANTHROPIC_API_KEY",
            Provider::Gemini => "GEMINI_API_KEY",
        })
    }

    /// Returns the header for the key, or `None` if the key is a bearer token.
    pub(crate) const fn key_header(self) -> Option<&'static str> {
        match self {
            Provider::OpenAi | Provider::OpenAiChat => None,
            Provider::Anthropic => Some("x-api-key"),
            Provider::Gemini => Some("x-goog-api-key"),
        }
    }

    /// Turns a question to a model at this base URL into a request.
    #[must_use]
    pub fn encode(self, model: &str, base_url: &str, question: &Question) -> Encoded {
        match self {
            Provider::OpenAi => responses::encode(model, question),
            Provider::OpenAiChat => chat::encode(model, base_url, question),
            Provider::Anthropic => anthropic::encode(model, question),
            Provider::Gemini => gemini::encode(model, question),
        }
    }

    /// Reads the text of an answer from a successful response.
    ///
    /// # Errors
    /// Returns an error if the response does not follow the provider's protocol, the answer was cut off, or the model
    /// refused. The text of the error does not repeat what the server wrote.
    pub fn decode(self, body: &Value, question: &Question) -> Result<String, String> {
        match self {
            Provider::OpenAi => responses::decode(body),
            Provider::OpenAiChat => chat::decode(body),
            Provider::Anthropic => anthropic::decode(body, question),
            Provider::Gemini => gemini::decode(body),
        }
    }

    /// Reads from a response how many tokens were used.
    #[must_use]
    pub fn usage(self, body: &Value) -> Usage {
        let count = |pointers: &[&str]| {
            let read = |pointer: &&str| body.pointer(pointer).and_then(Value::as_u64);
            pointers.iter().filter_map(read).fold(0, u64::saturating_add)
        };
        match self {
            Provider::OpenAi => Usage::new(count(&["/usage/input_tokens"]), count(&["/usage/output_tokens"])),
            Provider::OpenAiChat => Usage::new(count(&["/usage/prompt_tokens"]), count(&["/usage/completion_tokens"])),
            Provider::Anthropic => {
                let cached = ["/usage/cache_creation_input_tokens", "/usage/cache_read_input_tokens"];
                let input = count(&["/usage/input_tokens"]).saturating_add(count(&cached));
                Usage::new(input, count(&["/usage/output_tokens"]))
            }
            Provider::Gemini => Usage::new(
                count(&["/usageMetadata/promptTokenCount"]),
                count(&["/usageMetadata/candidatesTokenCount", "/usageMetadata/thoughtsTokenCount"]),
            ),
        }
    }
}

/// Joins the texts of a list's members. Returns `None` if there is no such list or it has no text.
fn joined<'a>(list: Option<&'a Value>, text: impl Fn(&'a Value) -> Option<&'a str>) -> Option<String> {
    let texts: Vec<&str> = list?.as_array()?.iter().filter_map(text).collect();
    (!texts.is_empty()).then(|| texts.concat())
}

/// Returns the text at a JSON pointer.
fn text<'a>(value: &'a Value, pointer: &str) -> Option<&'a str> {
    value.pointer(pointer).and_then(Value::as_str)
}

const NO_TEXT: &str = "the response has no text";
const CUT_OFF: &str = "the answer was cut off: it needs more tokens than `max_tokens`";
const UNFINISHED: &str = "the answer is not complete";
const REFUSED: &str = "the model refused to answer";
