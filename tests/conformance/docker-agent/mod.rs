//! docker-agent: what the tests of its rows share.

mod context;
mod http;
mod large_results;
mod library;
mod model;
mod prompt;
mod snapshot;
mod stock;
mod types;

use crate::conformance::by_test::Named;
use crate::support::project::Project;
use hookbox::dialect::Options;
use hookbox::dialect::docker_agent::{Definition, DispatchResult, DockerAgent, Executor, Generation, HookTypes};
use hookbox::{Caller, Event, Host, Input};
use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

pub(super) const TESTS: &[&[Named]] = &[
    context::TESTS,
    http::TESTS,
    large_results::TESTS,
    library::TESTS,
    model::TESTS,
    prompt::TESTS,
    snapshot::TESTS,
    stock::TESTS,
    types::TESTS,
];

/// An agent's hooks, and the project where they run.
struct Agent {
    executor: Executor,
    _project: Project,
}

impl Agent {
    /// Loads the hooks of a file.
    fn load(generation: Generation, types: &Arc<HookTypes>, config: &str) -> Self {
        let project = Project::new();
        let file = project.write("project/agent.yaml", config);
        let executor =
            Executor::load(dialect(generation, types), &file, &Host::new(project.dir(), environment())).unwrap();
        Agent { executor, _project: project }
    }

    /// Creates an agent without hooks.
    fn empty(generation: Generation, types: &Arc<HookTypes>) -> Self {
        let project = Project::new();
        let executor = Executor::empty(dialect(generation, types), &project.dir());
        Agent { executor, _project: project }
    }

    /// Creates an agent without hooks and without a working directory.
    fn nowhere(generation: Generation, types: &Arc<HookTypes>) -> Self {
        let executor = Executor::empty(dialect(generation, types), Path::new(""));
        Agent { executor, _project: Project::new() }
    }

    /// Adds one more hook, for every tool, that nobody has checked.
    fn with(mut self, event: Event, definition: Definition) -> Self {
        self.executor.add(event, Some("*"), definition, &environment());
        self
    }

    async fn ask(&self, input: Input) -> DispatchResult {
        self.ask_for(input, &Caller::default()).await
    }

    async fn ask_for(&self, input: Input, caller: &Caller) -> DispatchResult {
        self.executor.dispatch_for(input.event, input, caller).await.unwrap()
    }
}

fn dialect(generation: Generation, types: &Arc<HookTypes>) -> DockerAgent {
    DockerAgent::new(generation, &Options::default()).types(Arc::clone(types))
}

/// Returns the environment that is needed to find programs.
fn environment() -> Vec<(OsString, OsString)> {
    std::env::var_os("PATH").map(|path| ("PATH".into(), path)).into_iter().collect()
}

/// Returns the stock types of hook.
fn types() -> Arc<HookTypes> {
    Arc::default()
}

/// Returns a hook of this type.
fn hook(kind: &str, command: &str) -> Definition {
    Definition::new(kind, command)
}

/// Returns an Input for an event of the session. If the event is about a tool, the tool is `shell`.
fn input(event: Event) -> Input {
    let mut input = Input::new(event);
    input.session_id = Some("test-session".to_owned());
    if event.has_tool() {
        input.tool_name = Some("shell".to_owned());
        input.tool_use_id = Some("test-id".to_owned());
    }
    input
}

/// Returns the same Input with a change.
fn input_with(event: Event, change: impl FnOnce(&mut Input)) -> Input {
    let mut input = input(event);
    change(&mut input);
    input
}

/// Checks the result of a failure of a hook that must not fail.
#[track_caller]
fn assert_failed(result: &DispatchResult, error: &str) {
    let message = format!("PreToolUse hook failed to execute: {error}");
    assert_eq!((result.allowed, result.exit_code), (false, -1), "{result:?}");
    assert_eq!(result.message, message, "{result:?}");
}
