//! Types of hook that a host adds.

use crate::protocol::Action;
use async_trait::async_trait;

/// Runs the hooks of a type that a host has added.
#[async_trait]
pub trait Handler: Send + Sync {
    /// Answers one event, whose payload is docker-agent's own.
    ///
    /// # Errors
    /// It has no answer.
    async fn run(&self, payload: &[u8]) -> Result<Handled, HandlerError>;
}

/// What a handler answers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Handled {
    /// The answer. Without, `stdout` and `exit_code` are read like a command's.
    pub action: Option<Action>,
    /// As a command's.
    pub stdout: String,
    /// As a command's.
    pub stderr: String,
    /// As a command's.
    pub exit_code: i32,
}

/// A handler has no answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct HandlerError {
    /// Why.
    pub message: String,
    /// What it had to say on stderr.
    pub stderr: String,
}

impl HandlerError {
    /// An error without anything on stderr.
    pub fn new(message: impl Into<String>) -> Self {
        HandlerError { message: message.into(), stderr: String::new() }
    }
}
