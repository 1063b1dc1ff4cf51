//! What a model is asked, independent of its provider.

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
    /// The most tokens of the answer.
    pub max_tokens: u32,
    /// An answer of the wrong form that the model gave before.
    pub repair: Option<Repair>,
}

impl Question {
    /// The most tokens of an answer, unless the question says otherwise. Enough for a verdict with a reason, and for
    /// the thoughts that some models count as output.
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

    /// Sets the most tokens of the answer.
    #[must_use]
    pub fn with_max_tokens(self, max_tokens: u32) -> Self {
        Question { max_tokens, ..self }
    }

    /// The messages after the system message, each with whether the model wrote it.
    pub(crate) fn messages(&self) -> Vec<(bool, String)> {
        let mut messages = vec![(false, self.prompt.clone())];
        if let Some(Repair { answer, fault }) = &self.repair {
            messages.push((true, answer.clone()));
            messages.push((false, format!("Your answer cannot be used: {fault}. Answer again, in the form required.")));
        }
        messages
    }
}

/// The form of an answer.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Schema {
    /// Its name: letters, digits and `_`.
    pub name: String,
    /// The JSON schema of an object.
    pub json: Value,
    /// Whether the provider is to enforce it exactly.
    pub strict: bool,
}

impl Schema {
    /// Creates a schema that the provider is to enforce exactly.
    pub fn new(name: impl Into<String>, json: Value) -> Self {
        Schema { name: name.into(), json, strict: true }
    }

    /// Sets whether the provider is to enforce it exactly.
    #[must_use]
    pub fn with_strict(self, strict: bool) -> Self {
        Schema { strict, ..self }
    }
}

/// An answer of the wrong form, and what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Repair {
    /// What the model answered.
    pub answer: String,
    /// What is wrong with it.
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
    /// Tokens of the question.
    pub input: u64,
    /// Tokens of the answer, including thoughts.
    pub output: u64,
}

impl Usage {
    /// Creates a count.
    #[must_use]
    pub const fn new(input: u64, output: u64) -> Self {
        Usage { input, output }
    }

    /// Both together.
    #[must_use]
    pub const fn total(self) -> u64 {
        self.input.saturating_add(self.output)
    }

    pub(crate) const fn add(&mut self, other: Usage) {
        self.input = self.input.saturating_add(other.input);
        self.output = self.output.saturating_add(other.output);
    }
}
