//! Hook types that a host adds.

use crate::protocol::Action;
use async_trait::async_trait;

/// Runs the hooks of a type that a host has added.
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
pub struct HandlerError {
    /// The reason.
    pub message: String,
    /// What the handler wrote to stderr.
    pub stderr: String,
}

impl HandlerError {
    /// An error with nothing on stderr.
    pub fn new(message: impl Into<String>) -> Self {
        HandlerError { message: message.into(), stderr: String::new() }
    }
}
