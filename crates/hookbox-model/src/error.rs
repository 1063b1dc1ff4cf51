//! The errors of models.

use hookbox_net::{LoadError, RuleError, SourceError};

/// The reason why a model did not answer. The text contains neither the key nor what the server wrote, except for the
/// code of an error.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Error {
    kind: ErrorKind,
    message: String,
}

/// The kinds of failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The server could not be reached, was too busy, or broke off its response. Another attempt may succeed.
    Unavailable,
    /// The deadline has passed, or comes before another attempt could begin.
    Deadline,
    /// The server refused the request, or redirected it.
    Refused,
    /// The response does not follow the provider's protocol, the answer was cut off, or the model refused to answer.
    Answer,
    /// The answer does not have the required form, even after it was sent back.
    Form,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Error { kind, message: message.into() }
    }

    /// Returns the kind of failure.
    #[must_use]
    pub const fn kind(&self) -> ErrorKind {
        self.kind
    }
}

/// The reason why a model cannot be asked at all.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// The name does not say which provider to ask.
    #[error("{0:?} is no model: write `PROVIDER/MODEL`, with one of the providers {1}")]
    Name(String, String),
    /// The model's name has characters that no provider uses.
    #[error("the model's name {0:?} may have letters, digits, and any of `. _ - : / @`")]
    Characters(String),
    /// The source of the key is not valid.
    #[error("`key` is not valid: {0}")]
    Key(#[from] SourceError),
    /// The URL is not valid.
    #[error("`base_url` is not valid: {0}")]
    Url(#[from] RuleError),
    /// The key or the certificates cannot be used.
    #[error(transparent)]
    Load(#[from] LoadError),
}
