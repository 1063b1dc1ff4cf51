//! How a hook ends that gave no valid answer.

use super::Code;
use std::io;
use std::time::Duration;

/// A hook gave no valid answer. On a gating event that is a deny, unless the hook's `on_error` says otherwise.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Failure {
    /// The stable code.
    pub code: Code,
    /// What happened, as the rest of a sentence that starts with the hook's name: `did not answer within 1s`.
    pub message: String,
}

impl Failure {
    /// A failure with this code. `message` continues a sentence that starts with the hook's name.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Failure { code, message: message.into() }
    }

    /// The failure of a hook that did not answer in time.
    #[must_use]
    pub fn overdue(limit: Duration) -> Self {
        Failure::new(Code::Timeout, format!("did not answer within {}", humantime::format_duration(limit)))
    }

    /// The failure of a hook that says itself that it could not do its work.
    pub fn failed(message: impl AsRef<str>) -> Self {
        match message.as_ref().trim() {
            "" => Failure::new(Code::Failed, "failed without saying why"),
            message => Failure::new(Code::Failed, format!("failed: {message}")),
        }
    }
}

/// What the system says of an error, without the number that Rust puts behind it.
pub(crate) fn os_words(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or_default().to_owned()
}
