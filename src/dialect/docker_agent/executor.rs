//! docker-agent's hooks for an agent: which events have any, and what they come to.

use super::config::{Definition, configured};
use super::{DispatchResult, DockerAgent, config};
use crate::config::{ConfigFile, Dialect, Host, Loaded, Loader, Problem};
use crate::protocol::{Event, Input, Source};
use crate::registry::Registry;
use crate::runtime::Caller;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Runs the hooks of one agent.
pub struct Executor {
    dialect: DockerAgent,
    registry: Registry,
    events: BTreeSet<Event>,
    working_dir: PathBuf,
    problems: Vec<Problem>,
}

/// An event cannot be dispatched.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0} is no event of this generation of docker-agent")]
pub struct DispatchError(pub Event);

impl Executor {
    /// An executor of the hooks in a file, for an agent that works in `working_dir` with this environment. A file that
    /// cannot be used denies whatever can be stopped.
    #[must_use]
    pub fn load(
        dialect: DockerAgent,
        file: &Path,
        working_dir: &Path,
        env: impl IntoIterator<Item = (OsString, OsString)>,
    ) -> Self {
        let env: Vec<(OsString, OsString)> = env.into_iter().collect();
        let events = match ConfigFile::read(file, Source::USER) {
            Ok(Some(read)) => configured(&dialect, &read, &Host { env: &env, cwd: working_dir }),
            _ => BTreeSet::new(),
        };
        let gating = dialect.generation.events().iter().filter(|traits| traits.gating).map(|traits| traits.event);
        let loader = Loader::new(working_dir).file(file).env(env).dialect(Arc::new(dialect.clone()));
        let Loaded { registry, problems, broken, .. } = loader.load();
        // A host that asks `has` first must come to the deny.
        let events = if broken.is_some() { gating.collect() } else { events };
        Executor { dialect, registry, events, working_dir: working_dir.to_owned(), problems }
    }

    /// An executor without hooks.
    #[must_use]
    pub fn empty(dialect: DockerAgent, working_dir: &Path) -> Self {
        let registry = Registry::with_rule(dialect.rule());
        let working_dir = working_dir.to_owned();
        Executor { dialect, registry, events: BTreeSet::new(), working_dir, problems: Vec::new() }
    }

    /// Adds a hook as a file would have it, without the checks that reading a file brings: what is wrong with it fails
    /// when it is asked. `matcher` only counts on events about tools; one that is no regex adds nothing.
    pub fn add(&mut self, event: Event, matcher: Option<&str>, definition: Definition, env: &[(OsString, OsString)]) {
        let host = Host { env, cwd: &self.working_dir };
        if let Some(hook) = config::build(&self.dialect, event, matcher, definition, &host) {
            self.events.insert(event);
            // A hook of a config has a name and is sync.
            let _ = self.registry.register_shared(hook);
        }
    }

    /// Whether the config has anything for the event, be it an empty list of hooks.
    #[must_use]
    pub fn has(&self, event: Event) -> bool {
        self.events.contains(&event)
    }

    /// What is wrong with the config.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Runs the hooks of an event. The Input's event and, where it is empty, its working directory are filled in.
    ///
    /// # Errors
    /// The generation does not know the event.
    pub async fn dispatch(&self, event: Event, input: Input) -> Result<DispatchResult, DispatchError> {
        self.dispatch_for(event, input, &Caller::default()).await
    }

    /// As [`dispatch`](Executor::dispatch), for a caller that does not wait for ever.
    ///
    /// # Errors
    /// The generation does not know the event.
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
        Ok(DispatchResult::of(self.dialect.generation, &outcome))
    }
}
