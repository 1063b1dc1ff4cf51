//! Hook types that a host adds.

use crate::protocol::Action;
use async_trait::async_trait;

/// A handler for hooks of a type that a host has added.
#[async_trait]
pub trait Handler: Send + Sync {
    /// Answers one event. The payload is docker-agent's own.
    ///
    /// # Errors
    /// Returns an error if the handler has no answer.
    async fn run(&self, payload: &[u8]) -> Result<Handled, HandlerError>;
}

/// A handler's answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Handled {
    /// The answer. If it is `None`, `stdout` and `exit_code` are read like a command's.
    pub action: Option<Action>,
    /// Standard output, as of a command.
    pub stdout: String,
    /// Standard error, as of a command.
    pub stderr: String,
    /// The exit code, as of a command.
    pub exit_code: i32,
}

/// The error of a handler that has no answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
#[non_exhaustive]
pub struct HandlerError {
    /// The reason.
    pub message: String,
    /// What the handler wrote to stderr.
    pub stderr: String,
}

impl Handled {
    /// Answers with this Action.
    #[must_use]
    pub fn action(action: Action) -> Self {
        Handled { action: Some(action), ..Handled::default() }
    }

    /// Answers like a command that printed this and ended with this exit code.
    pub fn output(stdout: impl Into<String>, stderr: impl Into<String>, exit_code: i32) -> Self {
        Handled { action: None, stdout: stdout.into(), stderr: stderr.into(), exit_code }
    }
}

impl HandlerError {
    /// Creates an error with nothing on stderr.
    pub fn new(message: impl Into<String>) -> Self {
        HandlerError { message: message.into(), stderr: String::new() }
    }

    /// Sets what the handler wrote to stderr.
    #[must_use]
    pub fn with_stderr(self, stderr: impl Into<String>) -> Self {
        HandlerError { stderr: stderr.into(), ..self }
    }
}
