//! A recorder for what shell hooks write and the engine ignores.

use async_trait::async_trait;
use hookbox::runtime::shell::{Call, End, Processes, Spawner};
use std::sync::{Mutex, PoisonError};

/// A spawner that runs the commands of shell hooks as processes, and keeps their stderr output until it is taken.
#[derive(Debug, Default)]
pub struct Recorder(Mutex<Vec<Wrote>>);

/// What a hook wrote in addition to its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrote {
    /// The stream: `stdout` or `stderr`.
    pub stream: String,
    /// The text.
    pub text: String,
}

impl Recorder {
    /// Adds something that a hook wrote.
    pub fn keep(&self, stream: &str, text: impl Into<String>) {
        let (stream, text) = (stream.to_owned(), text.into());
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(Wrote { stream, text });
    }

    /// Takes everything recorded since the last call.
    pub fn take(&self) -> Vec<Wrote> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[async_trait]
impl Spawner for Recorder {
    async fn run(&self, call: Call<'_>) -> End {
        let end = Processes.run(call).await;
        if let End::Ended { stderr, .. } | End::TimedOut { stderr, .. } | End::Cancelled { stderr, .. } = &end
            && !stderr.trim_ascii().is_empty()
        {
            self.keep("stderr", String::from_utf8_lossy(stderr));
        }
        end
    }
}
