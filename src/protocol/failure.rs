//! The failure of a hook that gave no valid answer.

use super::Code;
use std::error::Error;
use std::io;
use std::sync::Arc;
use std::time::Duration;

/// The failure of a hook that gave no valid answer. On a gating event it is a deny, unless the hook's `on_error` says
/// otherwise.
///
/// Two failures are equal if their codes and messages are equal; their causes are not compared.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{message}")]
#[non_exhaustive]
pub struct Failure {
    /// The stable code.
    pub code: Code,
    /// What happened, continuing a sentence that starts with the hook's name: `did not answer within 1s`.
    pub message: String,
    source: Option<Arc<dyn Error + Send + Sync>>,
}

impl PartialEq for Failure {
    fn eq(&self, other: &Self) -> bool {
        (self.code, &self.message) == (other.code, &other.message)
    }
}

impl Eq for Failure {}

impl Failure {
    /// Creates a failure with this code. `message` continues a sentence that starts with the hook's name.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Failure { code, message: message.into(), source: None }
    }

    /// Replaces the message.
    #[must_use]
    pub fn with_message(self, message: impl Into<String>) -> Self {
        Failure { message: message.into(), ..self }
    }

    /// Sets the error that caused the failure. The message must still say what happened: the user sees nothing else.
    #[must_use]
    pub fn caused_by(self, error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Failure { source: Some(error.into().into()), ..self }
    }

    /// Creates the failure of a hook that did not answer in time.
    #[must_use]
    pub fn overdue(limit: Duration) -> Self {
        Failure::new(Code::Timeout, format!("did not answer within {}", humantime::format_duration(limit)))
    }

    /// Creates the failure of a hook that reports that it could not do its work.
    pub fn failed(message: impl AsRef<str>) -> Self {
        match message.as_ref().trim() {
            "" => Failure::new(Code::Failed, "failed without saying why"),
            message => Failure::new(Code::Failed, format!("failed: {message}")),
        }
    }
}

/// Returns the system's description of an error, without the error number that Rust appends.
pub(crate) fn os_words(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or_default().to_owned()
}
