//! The trait that every kind of hook implements, and the settings of a hook.

use super::caller::Caller;
use super::component::ComponentHook;
use super::matcher::Matcher;
use super::tool_name::ToolName;
use crate::protocol::{Action, Answer, Event, Failure, Input, Kind, OnError, Origin, Source};
use async_trait::async_trait;
use std::sync::Arc;
use std::time::Duration;

/// A hook. Implement this trait to add your own kind; [`NativeHook`](super::NativeHook) implements it for closures.
///
/// A hook that wraps another must forward its `kind` and `is_pure`; otherwise the wrapped hook is not asked again when
/// it should be. A hook that blocks its thread cannot be stopped in time.
#[async_trait]
pub trait Hook: Send + Sync {
    /// Returns the hook's settings. They must not change while the hook is registered.
    fn info(&self) -> &HookInfo;

    /// Answers one event. Dropping the future must end everything that the call has started.
    ///
    /// # Errors
    /// Returns a failure if the hook has no answer. On a gating event this denies, unless [`HookInfo::on_error`] says
    /// otherwise.
    async fn run(&self, input: &Input) -> Result<Action, Failure>;

    /// Like [`run`](Hook::run), with the extra details of a hook that runs as a process. `caller` tells when no one
    /// waits for the answer any more; if the hook ignores it, the engine drops the call then.
    async fn answer(&self, input: &Input, _caller: &Caller) -> Answer {
        self.run(input).await.into()
    }

    /// Does the work that can wait until all answers are given. Called when a [`Registry`](crate::Registry) is closed.
    async fn finish(&self) {}

    /// Checks whether the hook could run, without running it.
    ///
    /// # Errors
    /// Returns a failure if the hook could not run.
    fn probe(&self) -> Result<(), Failure> {
        Ok(())
    }

    /// Returns how the hook is run.
    fn kind(&self) -> Kind {
        Kind::Native
    }

    /// Returns the hook as a component, if it is one. Calls of components can be measured.
    fn as_component(&self) -> Option<&ComponentHook> {
        None
    }

    /// Returns whether the answer depends on the Input alone. Such a hook is asked again if the Input changes after its
    /// answer.
    fn is_pure(&self) -> bool {
        false
    }
}

/// The mode of a hook on an event: whether the event waits for the hook.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// The event waits, and the answer counts.
    #[default]
    Sync,
    /// The hook runs in the background on the final Input; its answer has no effect.
    Async,
}

impl Mode {
    /// Returns the name of the mode in configs.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Mode::Sync => "sync",
            Mode::Async => "async",
        }
    }
}

/// The settings of a hook, as the engine needs them.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct HookInfo {
    /// The name in records and messages. Two hooks may share one.
    pub name: String,
    /// A description for listings.
    pub description: String,
    /// Where the hook comes from. Default: the embedding program.
    pub source: Source,
    /// The events that the hook is registered for, each with its mode.
    pub events: Vec<(Event, Mode)>,
    /// The tools that the hook is registered for. Default: all.
    pub matcher: Matcher,
    /// The time limit. `None` means no limit, which native configs cannot ask for. Default: 5 s.
    pub timeout: Option<Duration>,
    /// What a failure of the hook counts as. Default: deny.
    pub on_error: OnError,
    /// Whether the hook is asked again when the Input changes after its answer, even though it is not pure. Default:
    /// no.
    pub recheck: bool,
    /// Whether the hook may only deny or ask; other answers are dropped. Default: no.
    pub restricted: bool,
    /// Whether the hook wants [`Tool::commands`](crate::Tool::commands) in its Input. Default: no.
    pub wants_commands: bool,
    /// Whether the hook's answer counts. If not, the hook is a monitor: it is asked about the same Inputs, and its
    /// answer is recorded but never applied. Default: yes.
    pub enforce: bool,
    /// The hook's position in the config of its system. Default: none.
    pub origin: Option<Arc<Origin>>,
}

impl HookInfo {
    /// Creates the default settings of a hook that is registered for these events in sync mode.
    pub fn new(name: impl Into<String>, events: impl IntoIterator<Item = Event>) -> Self {
        HookInfo {
            name: name.into(),
            description: String::new(),
            source: Source::HOST,
            events: events.into_iter().map(|event| (event, Mode::Sync)).collect(),
            matcher: Matcher::default(),
            timeout: Some(Duration::from_secs(5)),
            on_error: OnError::Deny,
            recheck: false,
            restricted: false,
            wants_commands: false,
            enforce: true,
            origin: None,
        }
    }

    /// Sets the description.
    #[must_use]
    pub fn with_description(self, description: impl Into<String>) -> Self {
        HookInfo { description: description.into(), ..self }
    }

    /// Sets the source.
    #[must_use]
    pub fn with_source(self, source: Source) -> Self {
        HookInfo { source, ..self }
    }

    /// Also registers the hook for this event, in this mode.
    #[must_use]
    pub fn with_event(mut self, event: Event, mode: Mode) -> Self {
        self.events.push((event, mode));
        self
    }

    /// Registers the hook for these tools only.
    #[must_use]
    pub fn with_matcher(self, matcher: Matcher) -> Self {
        HookInfo { matcher, ..self }
    }

    /// Sets the time limit.
    #[must_use]
    pub fn with_timeout(self, timeout: Duration) -> Self {
        HookInfo { timeout: Some(timeout), ..self }
    }

    /// Sets what a failure of the hook counts as.
    #[must_use]
    pub fn with_on_error(self, on_error: OnError) -> Self {
        HookInfo { on_error, ..self }
    }

    /// Has the hook asked again when the Input changes after its answer.
    #[must_use]
    pub fn with_recheck(self) -> Self {
        HookInfo { recheck: true, ..self }
    }

    /// Adds the commands of shell tools to the hook's Input.
    #[must_use]
    pub fn with_commands(self) -> Self {
        HookInfo { wants_commands: true, ..self }
    }

    /// Makes the hook a monitor: its answer is recorded but never applied.
    #[must_use]
    pub fn monitored(self) -> Self {
        HookInfo { enforce: false, ..self }
    }

    /// Returns the position in the config of the hook's system.
    pub(crate) fn origin(&self) -> &Origin {
        self.origin.as_deref().unwrap_or(Origin::NOWHERE)
    }

    /// Returns whether the hook is asked about this event for this tool.
    #[must_use]
    pub fn hears(&self, event: Event, tool_name: Option<&str>) -> bool {
        self.hears_tool(event, ToolName::new(tool_name))
    }

    /// Returns whether the hook is asked about this Input.
    pub(crate) fn hears_input(&self, input: &Input) -> bool {
        self.hears_tool(input.event, ToolName::of_input(input))
    }

    fn hears_tool(&self, event: Event, tool: ToolName<'_>) -> bool {
        self.events.iter().any(|(known, _)| *known == event) && self.concerns(event, tool)
    }

    /// Returns whether the hook, if it is registered for this event, is asked about this tool.
    pub(crate) fn concerns(&self, event: Event, tool: ToolName<'_>) -> bool {
        !event.has_tool() || self.matcher.hears_of(tool)
    }

    /// Returns the mode for listings: async if no event waits for the hook.
    #[must_use]
    pub fn mode(&self) -> Mode {
        if self.events.iter().all(|(_, mode)| *mode == Mode::Async) { Mode::Async } else { Mode::Sync }
    }
}
