//! The questions to a model, independent of its provider.

use serde_json::Value;

/// A question to a model.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Question {
    /// The system message.
    pub system: String,
    /// The user message.
    pub prompt: String,
    /// The form that the answer must have.
    pub schema: Option<Schema>,
    /// The maximum number of tokens in the answer.
    pub max_tokens: u32,
    /// An earlier answer of the model that had the wrong form.
    pub repair: Option<Repair>,
}

impl Question {
    /// The maximum number of tokens in an answer, unless the question says otherwise. This is enough for a verdict with
    /// a reason, and for the thoughts that some models count as output.
    pub const MAX_TOKENS: u32 = 1024;

    /// Creates a question for free text.
    pub fn new(system: impl Into<String>, prompt: impl Into<String>) -> Self {
        Question {
            system: system.into(),
            prompt: prompt.into(),
            schema: None,
            max_tokens: Question::MAX_TOKENS,
            repair: None,
        }
    }

    /// Sets the form that the answer must have.
    #[must_use]
    pub fn with_schema(self, schema: Schema) -> Self {
        Question { schema: Some(schema), ..self }
    }

    /// Sets the maximum number of tokens in the answer.
    #[must_use]
    pub fn with_max_tokens(self, max_tokens: u32) -> Self {
        Question { max_tokens, ..self }
    }

    /// Returns the messages after the system message.
    pub(crate) fn messages(&self) -> Vec<(Author, String)> {
        let mut messages = vec![(Author::User, self.prompt.clone())];
        if let Some(Repair { answer, fault }) = &self.repair {
            let request = format!("Your answer cannot be used: {fault}. Answer again, in the form required.");
            messages.extend([(Author::Model, answer.clone()), (Author::User, request)]);
        }
        messages
    }
}

/// The author of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Author {
    User,
    Model,
}

/// The form of an answer.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Schema {
    /// The name of the schema: letters, digits and `_`.
    pub name: String,
    /// The JSON schema of an object.
    pub json: Value,
    /// Whether the provider is to enforce the schema exactly.
    pub strict: bool,
}

impl Schema {
    /// Creates a schema that the provider is to enforce exactly.
    pub fn new(name: impl Into<String>, json: Value) -> Self {
        Schema { name: name.into(), json, strict: true }
    }

    /// Sets whether the provider is to enforce the schema exactly.
    #[must_use]
    pub fn with_strict(self, strict: bool) -> Self {
        Schema { strict, ..self }
    }
}

/// An answer of the wrong form, and what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Repair {
    /// The model's answer.
    pub answer: String,
    /// What is wrong with the answer.
    pub fault: String,
}

impl Repair {
    /// Creates a repair.
    pub fn new(answer: impl Into<String>, fault: impl Into<String>) -> Self {
        Repair { answer: answer.into(), fault: fault.into() }
    }
}

/// The tokens that a question used, as the provider counts them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Usage {
    /// The number of tokens in the question.
    pub input: u64,
    /// The number of tokens in the answer, including thoughts.
    pub output: u64,
}

impl Usage {
    /// Creates a count of tokens.
    #[must_use]
    pub const fn new(input: u64, output: u64) -> Self {
        Usage { input, output }
    }

    /// Returns the sum of both.
    #[must_use]
    pub const fn total(self) -> u64 {
        self.input.saturating_add(self.output)
    }

    pub(crate) const fn add(&mut self, other: Usage) {
        self.input = self.input.saturating_add(other.input);
        self.output = self.output.saturating_add(other.output);
    }
}
