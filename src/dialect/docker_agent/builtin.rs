//! Hooks that are looked up by name when they are asked: builtins, and hook types that a host adds.

mod add_context;
mod add_date;
mod cache_response;
mod context;
mod git;
mod handler;
#[cfg(feature = "net")]
mod http;
mod large_results;
mod max_iterations;
mod own;
mod redact_secrets;
mod safer_shell;
mod secrets;
mod snapshot;
mod typed;

use super::Generation;
use super::model::{ModelClient, Models, ResponseSchema};
use crate::protocol::{Action, Event, Input};
use crate::runtime::Caller;
use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use context::Git;
pub use handler::{Handled, Handler, HandlerError};
pub(in crate::dialect) use own::hook as own_hook;
pub use snapshot::{Checkpoint, SnapshotError, Snapshots};
pub(super) use typed::TypedHook;

/// A hook built into the agent. It receives the Input and its arguments. `None` means that it has nothing to say; an
/// error is a failure.
pub type Builtin = dyn Fn(&Input, &[String]) -> Result<Option<Action>, String> + Send + Sync;

/// A function that makes the handler for one hook of a type that a host has added.
type Factory = dyn Fn(&str, &[String]) -> Result<Arc<dyn Handler>, String> + Send + Sync;

/// The hooks that configs can name: builtins, and further hook types.
///
/// Hosts add their own. A new entry replaces one with the same name. Names are looked up when a hook is asked, so a
/// host can still add a name that an already loaded config uses.
pub struct HookTypes {
    builtins: RwLock<HashMap<String, Registered>>,
    /// Builtins that wait for a process or a server, except those whose name is in `builtins`.
    waiting: &'static [(&'static str, Waiting)],
    /// Whether `http_post` may reach this machine and private networks.
    private: AtomicBool,
    /// Where `snapshot` keeps files, if a host has set it.
    snapshots: RwLock<Option<Snapshots>>,
    factories: RwLock<HashMap<String, Arc<Factory>>>,
    models: RwLock<Models>,
}

/// A builtin that is a function.
struct Registered {
    builtin: Arc<Builtin>,
    /// The first generation whose configs can name it.
    since: Generation,
}

/// A builtin that waits for a process or a server, and so takes longer than a function may.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Waiting {
    Git(Git),
    Snapshot,
    #[cfg(feature = "net")]
    HttpPost,
    #[cfg(feature = "net")]
    Unload,
}

impl Waiting {
    const ALL: &[(&str, Waiting)] = &[
        ("add_git_status", Waiting::Git(Git::Status)),
        ("add_git_diff", Waiting::Git(Git::Diff)),
        ("add_recent_commits", Waiting::Git(Git::Commits)),
        ("snapshot", Waiting::Snapshot),
        #[cfg(feature = "net")]
        ("http_post", Waiting::HttpPost),
        #[cfg(feature = "net")]
        ("unload", Waiting::Unload),
    ];

    /// Runs the builtin. If the caller stops waiting, a request ends without a failure.
    async fn run(
        self,
        input: &Input,
        args: &[String],
        types: &HookTypes,
        caller: &Caller,
    ) -> Result<Option<Action>, String> {
        match self {
            Waiting::Git(git) => Ok(git.run(input, args, caller).await),
            Waiting::Snapshot => {
                types.snapshot(input, caller).await;
                Ok(None)
            }
            #[cfg(feature = "net")]
            Waiting::HttpPost => tokio::select! {
                sent = http::post(args, types.private.load(Ordering::Relaxed)) => sent.map(|()| None),
                _ = caller.left() => Ok(None),
            },
            #[cfg(feature = "net")]
            Waiting::Unload => tokio::select! {
                () = http::unload(input) => Ok(None),
                _ = caller.left() => Ok(None),
            },
        }
    }
}

/// The error for something without a name that cannot be added to [`HookTypes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a name is required")]
pub struct RegisterError;

impl fmt::Debug for HookTypes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HookTypes").finish_non_exhaustive()
    }
}

impl Default for HookTypes {
    /// Creates a set with the stock builtins.
    fn default() -> Self {
        let types = HookTypes { waiting: Waiting::ALL, ..HookTypes::empty() };
        types.add("add_date", Generation::First, add_date::run);
        types.add("cache_response", Generation::First, cache_response::run);
        types.add("max_iterations", Generation::First, max_iterations::run);
        types.add("redact_secrets", Generation::First, redact_secrets::run);
        types.add(add_context::NAME, Generation::V3, add_context::run);
        types.add("limit_large_tool_results", Generation::V3, large_results::run);
        types.add(safer_shell::NAME, Generation::V3, safer_shell::run);
        context::register(&types);
        types
    }
}

impl HookTypes {
    /// Creates a set without builtins or further types.
    #[must_use]
    pub fn empty() -> Self {
        HookTypes {
            builtins: RwLock::default(),
            waiting: &[],
            private: AtomicBool::new(false),
            snapshots: RwLock::default(),
            factories: RwLock::default(),
            models: RwLock::default(),
        }
    }

    /// Adds a builtin.
    ///
    /// # Errors
    /// Returns an error if the name is empty.
    pub fn register(
        &self,
        name: &str,
        builtin: impl Fn(&Input, &[String]) -> Result<Option<Action>, String> + Send + Sync + 'static,
    ) -> Result<(), RegisterError> {
        if name.is_empty() {
            return Err(RegisterError);
        }
        self.add(name, Generation::First, builtin);
        Ok(())
    }

    fn add(
        &self,
        name: &str,
        since: Generation,
        builtin: impl Fn(&Input, &[String]) -> Result<Option<Action>, String> + Send + Sync + 'static,
    ) {
        let mut builtins = self.builtins.write().unwrap_or_else(PoisonError::into_inner);
        builtins.insert(name.to_owned(), Registered { builtin: Arc::new(builtin), since });
    }

    /// Adds a hook type. `factory` receives the `command` and the `args` of an entry.
    ///
    /// # Errors
    /// Returns an error if the name is empty.
    pub fn register_type(
        &self,
        name: &str,
        factory: impl Fn(&str, &[String]) -> Result<Arc<dyn Handler>, String> + Send + Sync + 'static,
    ) -> Result<(), RegisterError> {
        if name.is_empty() {
            return Err(RegisterError);
        }
        let mut factories = self.factories.write().unwrap_or_else(PoisonError::into_inner);
        factories.insert(name.to_owned(), Arc::new(factory));
        Ok(())
    }

    /// Sets the client that model hooks ask.
    pub fn set_model_client(&self, client: Arc<dyn ModelClient>) {
        self.models.write().unwrap_or_else(PoisonError::into_inner).set_client(client);
    }

    /// Adds the function that turns answers with this schema into Actions.
    ///
    /// # Errors
    /// Returns an error if the name is empty.
    pub fn register_shape(
        &self,
        schema: &str,
        shape: impl Fn(&str, Event) -> Result<Action, String> + Send + Sync + 'static,
    ) -> Result<(), RegisterError> {
        if schema.is_empty() {
            return Err(RegisterError);
        }
        self.models.write().unwrap_or_else(PoisonError::into_inner).add_shape(schema, Arc::new(shape));
        Ok(())
    }

    /// Adds a schema that a model is told to answer by.
    ///
    /// # Errors
    /// Returns an error if the schema's name is empty.
    pub fn register_schema(&self, schema: ResponseSchema) -> Result<(), RegisterError> {
        if schema.name.is_empty() {
            return Err(RegisterError);
        }
        self.models.write().unwrap_or_else(PoisonError::into_inner).add_schema(schema);
        Ok(())
    }

    /// Whether answers with this schema can be turned into Actions.
    #[must_use]
    pub fn has_shape(&self, schema: &str) -> bool {
        self.models.read().unwrap_or_else(PoisonError::into_inner).has_shape(schema)
    }

    /// Returns the schema that a model is told to answer by, if there is one.
    #[must_use]
    pub fn schema(&self, name: &str) -> Option<ResponseSchema> {
        self.models.read().unwrap_or_else(PoisonError::into_inner).schema(name).cloned()
    }

    fn models(&self) -> Models {
        self.models.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns the builtin with this name, unless it asks git or sends requests: those take longer than a function may.
    #[must_use]
    pub fn builtin(&self, name: &str) -> Option<Arc<Builtin>> {
        let builtins = self.builtins.read().unwrap_or_else(PoisonError::into_inner);
        builtins.get(name).map(|registered| Arc::clone(&registered.builtin))
    }

    /// Asks the builtin with this name. `None` means that it has nothing to say.
    ///
    /// # Errors
    /// Returns an error if there is no such builtin, or if it failed.
    pub async fn ask(
        &self,
        name: &str,
        input: &Input,
        args: &[String],
        caller: &Caller,
    ) -> Result<Option<Action>, String> {
        if let Some(builtin) = self.builtin(name) {
            return builtin(input, args);
        }
        let waiting = self.waiting(name).ok_or_else(|| typed::unknown_builtin(name))?;
        waiting.run(input, args, self, caller).await
    }

    /// Asks the builtin with this name for an entry of a generation's config.
    async fn handle(
        &self,
        (name, args): (&str, &[String]),
        input: &Input,
        caller: &Caller,
        generation: Generation,
    ) -> Result<Handled, String> {
        self.check(name, generation)?;
        // An Action has no place for what this builtin says to the user.
        if name == safer_shell::NAME && self.since(name) == Generation::V3 {
            let said = safer_shell::of_agent(input, args).map(safer_shell::Verdict::into_output);
            return Ok(Handled::output(said.unwrap_or_default(), "", 0));
        }
        let action = self.ask(name, input, args, caller).await?;
        Ok(Handled::action(action.unwrap_or_default()))
    }

    /// Checks that configs of this generation can name this builtin. The error says why not.
    fn check(&self, name: &str, generation: Generation) -> Result<(), String> {
        let unknown = typed::unknown_builtin(name);
        match self.since(name) {
            since if since > generation => {
                let dialect = since.dialect();
                Err(format!("{unknown}: a later generation has it: use `--dialect {dialect}`"))
            }
            _ if self.has_builtin(name) => Ok(()),
            _ => Err(unknown),
        }
    }

    /// Returns the first generation whose configs can name this builtin.
    fn since(&self, name: &str) -> Generation {
        let builtins = self.builtins.read().unwrap_or_else(PoisonError::into_inner);
        builtins.get(name).map_or(Generation::First, |registered| registered.since)
    }

    /// Whether configs can name this builtin.
    #[must_use]
    pub fn has_builtin(&self, name: &str) -> bool {
        self.builtin(name).is_some() || self.waiting(name).is_some()
    }

    /// Sets whether `http_post` may reach this machine and private networks. docker-agent's `http_post` may not.
    pub fn allow_private_addresses(&self, allow: bool) {
        self.private.store(allow, Ordering::Relaxed);
    }

    /// Sets where `snapshot` keeps files. The default is `snapshot` in hookbox's state directory.
    pub fn keep_snapshots(&self, snapshots: Snapshots) {
        *self.snapshots.write().unwrap_or_else(PoisonError::into_inner) = Some(snapshots);
    }

    /// Keeps the project's files. An error is only logged and fails no event, because the builtin guards nothing.
    async fn snapshot(&self, input: &Input, caller: &Caller) {
        let set = self.snapshots.read().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(snapshots) = set.or_else(Snapshots::of_user)
            && let Err(error) = snapshots.note(input, caller).await
        {
            tracing::warn!(%error, event = input.event.as_str(), "the project's files are not kept");
        }
    }

    fn waiting(&self, name: &str) -> Option<Waiting> {
        self.waiting.iter().find(|(known, _)| *known == name).map(|(_, git)| *git)
    }

    fn factory(&self, kind: &str) -> Option<Arc<Factory>> {
        self.factories.read().unwrap_or_else(PoisonError::into_inner).get(kind).map(Arc::clone)
    }

    /// Whether a host has added this hook type.
    #[must_use]
    pub fn has_handler(&self, kind: &str) -> bool {
        self.factory(kind).is_some()
    }
}

/// Whether a builtin judges the commands of shell tools.
pub(super) fn wants_commands(builtin: &str) -> bool {
    builtin == safer_shell::NAME
}

/// Returns the events to which an agent's flag adds a builtin.
pub(super) fn events_of(builtin: &str, generation: Generation) -> &'static [Event] {
    match builtin {
        "redact_secrets" if generation.is_third() => {
            &[Event::ToolInputTransform, Event::BeforeLlmCall, Event::ToolResponseTransform]
        }
        "add_date" | "add_prompt_files" => &[Event::TurnStart],
        "add_environment_info" => &[Event::SessionStart],
        "cache_response" => &[Event::PostMessage],
        "redact_secrets" => &[Event::PreTool, Event::BeforeLlmCall, Event::ToolResponseTransform],
        safer_shell::NAME if generation.is_third() => &[Event::PreTool],
        "limit_large_tool_results" if generation.is_third() => &[Event::ToolResponseTransform, Event::SessionEnd],
        "snapshot" => &[Event::SessionStart, Event::TurnStart, Event::TurnEnd, Event::SessionEnd],
        _ => &[],
    }
}
