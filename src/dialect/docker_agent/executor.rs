//! docker-agent's hooks for an agent: which events have hooks, and the result of running them.

use super::config::Definition;
use super::{DispatchResult, DockerAgent, config};
use crate::config::{Dialect, HostEnv, Loaded, Problem};
use crate::host::{Host, HostError};
use crate::protocol::{Event, Input};
use crate::registry::Registry;
use crate::runtime::Caller;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The hooks of one agent, ready to run.
///
/// A component's rewrite of a tool's input ends up in [`DispatchResult::modified_input`], like a command's update.
///
/// ```no_run
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// use hookbox::dialect::Options;
/// use hookbox::dialect::docker_agent::{DockerAgent, Executor, Generation};
/// use hookbox::{Event, Host, Input};
/// use std::path::Path;
///
/// let dialect = DockerAgent::new(Generation::V1_58, &Options::default());
/// let host = Host::new("/home/me/project", std::env::vars_os());
/// let hooks = Executor::load(dialect, Path::new("agent.yaml"), &host)?;
/// let call = Input::pre_tool("shell", r#"{"cmd":"ls"}"#)?;
/// if hooks.has(Event::PreTool) {
///     let result = hooks.dispatch(Event::PreTool, call).await?;
///     println!("allowed: {}, {}", result.allowed, result.message);
/// }
/// # Ok(()) }
/// ```
pub struct Executor {
    dialect: DockerAgent,
    registry: Arc<Registry>,
    events: BTreeSet<Event>,
    working_dir: PathBuf,
    problems: Vec<Problem>,
}

/// The error for an event that cannot be dispatched.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown hook event \"{0}\"")]
pub struct DispatchError(pub Event);

impl Executor {
    /// Loads the hooks in a file, as `hookbox run` does on this host. A file that cannot be used denies everything that
    /// can be stopped.
    ///
    /// # Errors
    /// Returns an error if the directory that the agent works in does not exist.
    pub fn load(dialect: DockerAgent, file: &Path, host: &Host) -> Result<Self, HostError> {
        let generation = dialect.generation;
        let working_dir = host.cwd().to_owned();
        let loaded = host.clone().file(file).dialect(Arc::new(dialect.clone())).load()?;
        let Loaded { registry, problems, .. } = loaded;
        // A file that cannot be used has a hook that denies, so a host that asks `has` first still reaches the deny.
        let known = generation.events().iter().map(|traits| traits.event);
        let events = known.filter(|event| !registry.for_event(*event).is_empty()).collect();
        Ok(Executor { dialect, registry, events, working_dir, problems })
    }

    /// Creates an executor without hooks.
    #[must_use]
    pub fn empty(dialect: DockerAgent, working_dir: &Path) -> Self {
        let registry = Arc::new(Registry::with_rule(dialect.rule()));
        let working_dir = working_dir.to_owned();
        Executor { dialect, registry, events: BTreeSet::new(), working_dir, problems: Vec::new() }
    }

    /// Adds a hook as a file would define it. The checks that a file goes through are skipped, so an invalid hook fails
    /// when it is asked. `matcher` only counts on tool events. A hook whose matcher is not a regex is not added, but
    /// denies in the third generation or a strict dialect.
    pub fn add(&mut self, event: Event, matcher: Option<&str>, definition: Definition, env: &[(OsString, OsString)]) {
        let host = HostEnv { env, cwd: &self.working_dir };
        if let Some(hook) = config::build(&self.dialect, event, matcher, definition, &host) {
            // A hook built here has a name and is sync, so it can be registered.
            if self.registry.register_shared(hook).is_ok() {
                self.events.insert(event);
            }
        }
    }

    /// Whether the config has a hook for the event, for any tool.
    #[must_use]
    pub fn has(&self, event: Event) -> bool {
        self.events.contains(&event)
    }

    /// Returns the problems in the config.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Runs the hooks of an event. Fills in the Input's event and, if it is empty, its working directory.
    ///
    /// # Errors
    /// Returns an error if the generation does not know the event.
    pub async fn dispatch(&self, event: Event, input: Input) -> Result<DispatchResult, DispatchError> {
        self.dispatch_for(event, input, &Caller::default()).await
    }

    /// Runs the hooks of an event like [`dispatch`](Executor::dispatch), for a caller that does not wait forever.
    ///
    /// # Errors
    /// Returns an error if the generation does not know the event.
    pub async fn dispatch_for(
        &self,
        event: Event,
        mut input: Input,
        caller: &Caller,
    ) -> Result<DispatchResult, DispatchError> {
        self.dialect.generation.traits(event).ok_or(DispatchError(event))?;
        input.event = event;
        self.dialect.complete(&mut input, &self.working_dir);
        let outcome = self.registry.run_for(input, caller).await;
        Ok(DispatchResult::from_outcome(self.dialect.generation, &outcome))
    }
}
