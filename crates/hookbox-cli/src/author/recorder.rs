//! Keeps what a shell hook writes, which the engine has no use for.

use async_trait::async_trait;
use hookbox::runtime::shell::{Call, End, Processes, Spawner};
use std::sync::{Mutex, PoisonError};

/// Runs the commands of shell hooks as processes, and keeps what they wrote to stderr until it is asked for.
#[derive(Debug, Default)]
pub struct Recorder(Mutex<Vec<Wrote>>);

/// What a hook wrote beside its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrote {
    /// Where to: `stdout` or `stderr`.
    pub stream: String,
    /// What.
    pub text: String,
}

impl Recorder {
    /// Adds what a hook wrote.
    pub fn keep(&self, stream: &str, text: impl Into<String>) {
        let (stream, text) = (stream.to_owned(), text.into());
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(Wrote { stream, text });
    }

    /// What was kept since this was last asked.
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
