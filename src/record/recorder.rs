//! The decision log of a program that embeds the engine.

use super::build::Decided;
use super::file::Log;
use super::line::Via;
use crate::config::Loaded;
use crate::protocol::{Input, Outcome};
use crate::registry::Observer;
use std::sync::Arc;
use std::time::Duration;

/// An observer that writes each event that a [`Registry`](crate::Registry) decides to a decision log, as `hookbox run`
/// does. This includes events that no hook is asked about, if the log's settings want them.
///
/// ```no_run
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// use hookbox::record::{Inputs, Log, Recorder, Settings};
/// use hookbox::{Host, Input};
/// use std::sync::Arc;
///
/// let hooks = Arc::new(Host::new(std::env::current_dir()?, std::env::vars_os()).load()?);
/// // The log that the user's config asks for, or else a separate one, without Inputs.
/// let settings = hooks.log.clone().unwrap_or_else(|| {
///     let mut settings = Settings::new("decisions.jsonl");
///     settings.inputs = Inputs::None;
///     settings
/// });
/// let loaded = Arc::clone(&hooks);
/// let recorder = Recorder::new(Log::new(settings, None)).with_agent("my-agent").with_hooks(move || Arc::clone(&loaded));
/// hooks.registry.observe(recorder);
/// hooks.run(Input::pre_tool("bash", r#"{"command":"ls"}"#)?).await;
/// # Ok(()) }
/// ```
///
/// A line is written before the caller gets the Outcome. A line that cannot be written only adds to the count of
/// [lost](Log::lost) lines, and is reported to `tracing`.
pub struct Recorder {
    log: Arc<Log>,
    agent: Option<String>,
    hooks: Option<Box<dyn Fn() -> Arc<Loaded> + Send + Sync>>,
}

impl Recorder {
    /// Creates a recorder for this log, which several recorders may share.
    pub fn new(log: impl Into<Arc<Log>>) -> Self {
        Recorder { log: log.into(), agent: None, hooks: None }
    }

    /// Sets the name of the agent in each line.
    #[must_use]
    pub fn with_agent(self, agent: impl Into<String>) -> Self {
        Recorder { agent: Some(agent.into()), ..self }
    }

    /// Sets the source of the current config, for the digests and versions of its hooks: the result of a load, or
    /// `Reload::current`.
    #[must_use]
    pub fn with_hooks(self, hooks: impl Fn() -> Arc<Loaded> + Send + Sync + 'static) -> Self {
        Recorder { hooks: Some(Box::new(hooks)), ..self }
    }
}

impl Observer for Recorder {
    fn decided(&self, outcome: &Outcome, took: Duration) {
        let Some(input) = outcome.input.as_deref() else { return };
        self.decided_about(input, outcome, took);
    }

    fn wants_original(&self) -> bool {
        true
    }

    fn decided_about(&self, original: &Input, outcome: &Outcome, took: Duration) {
        let loaded = self.hooks.as_ref().map(|hooks| hooks());
        let mut decided = Decided::new(original.event.as_str(), Via::Lib);
        decided.agent = self.agent.as_deref();
        decided.input = Some(original);
        decided.outcome = Some(outcome);
        decided.took = took;
        if let Some(loaded) = &loaded {
            decided.hooks = &loaded.hooks;
            decided.config = Some(&loaded.digest);
        }
        if let Err(error) = self.log.write(&decided) {
            tracing::warn!("{error}; the decision stands, but this event is not in the log");
        }
    }
}
