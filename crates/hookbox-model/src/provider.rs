//! The protocols of model servers: each turns a question into JSON, and JSON into an answer.

mod anthropic;
mod chat;
mod gemini;
mod responses;

use crate::question::{Question, Usage};
use serde_json::Value;

/// Whose protocol a server speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Provider {
    /// OpenAI's Responses.
    OpenAi,
    /// OpenAI's Chat Completions, which most other servers speak, too.
    OpenAiChat,
    /// Anthropic's Messages.
    Anthropic,
    /// Google's Gemini.
    Gemini,
}

/// A request to a server.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Encoded {
    /// What comes after the base URL.
    pub path: String,
    /// Headers of this provider, besides the key.
    pub headers: Vec<(&'static str, &'static str)>,
    /// The body.
    pub body: Value,
}

impl Provider {
    /// All of them.
    pub const ALL: &[Provider] = &[Provider::OpenAi, Provider::OpenAiChat, Provider::Anthropic, Provider::Gemini];

    /// Its name in configs.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Provider::OpenAi => "openai",
            Provider::OpenAiChat => "openai-chat",
            Provider::Anthropic => "anthropic",
            Provider::Gemini => "gemini",
        }
    }

    /// The provider of this name; docker-agent calls Gemini `google`.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        let name = if name == "google" { "gemini" } else { name };
        Provider::ALL.iter().copied().find(|provider| provider.as_str() == name)
    }

    /// Where its own server is.
    #[must_use]
    pub const fn base_url(self) -> &'static str {
        match self {
            Provider::OpenAi | Provider::OpenAiChat => "https://api.openai.com/v1",
            Provider::Anthropic => "https://api.anthropic.com/v1",
            Provider::Gemini => "https://generativelanguage.googleapis.com/v1beta",
        }
    }

    /// The variable that usually has the key for its own server.
    #[must_use]
    pub const fn key_variable(self) -> Option<&'static str> {
        Some(match self {
            Provider::OpenAi | Provider::OpenAiChat => "OPENAI_API_KEY",
            Provider::Anthropic => "ANTHROPIC_API_KEY",
            Provider::Gemini => "GEMINI_API_KEY",
        })
    }

    /// The header for the key; `None` if it is a bearer token.
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
    /// The response is not one of this provider's, the answer was cut off, or the model refused. The text does not
    /// repeat what the server wrote.
    pub fn decode(self, body: &Value, question: &Question) -> Result<String, String> {
        match self {
            Provider::OpenAi => responses::decode(body),
            Provider::OpenAiChat => chat::decode(body),
            Provider::Anthropic => anthropic::decode(body, question),
            Provider::Gemini => gemini::decode(body),
        }
    }

    /// Reads the tokens that a response says were used.
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

/// The texts of a list's members, joined; `None` if there is no such list or no text in it.
fn joined<'a>(list: Option<&'a Value>, text: impl Fn(&'a Value) -> Option<&'a str>) -> Option<String> {
    let texts: Vec<&str> = list?.as_array()?.iter().filter_map(text).collect();
    (!texts.is_empty()).then(|| texts.concat())
}

/// The text at a pointer.
fn text<'a>(value: &'a Value, pointer: &str) -> Option<&'a str> {
    value.pointer(pointer).and_then(Value::as_str)
}

const NO_TEXT: &str = "the response has no text";
const CUT_OFF: &str = "the answer was cut off: it needs more tokens than `max_tokens`";
const UNFINISHED: &str = "the answer is not complete";
const REFUSED: &str = "the model refused to answer";
