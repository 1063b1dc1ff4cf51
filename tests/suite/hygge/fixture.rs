//! Projects under hygge's rules, and hooks for them.

use crate::support::project::Project;
use async_trait::async_trait;
use hookbox::config::Loader;
use hookbox::{Action, Event, Failure, Hook, HookInfo, Input, Mode, NativeHook, Outcome, dialect};
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::sync::Semaphore;

/// Creates a home and a project whose commands follow hygge's rules.
pub fn hygge() -> Project {
    Project::new().with_args(&["--app", "hygge"])
}

/// Loads a project's layers as hygge does. From the host's environment, hooks get what is needed to find their
/// programs.
pub fn loader(project: &Project) -> Loader {
    let path = std::env::var_os("PATH").map(|path| ("PATH".into(), path));
    crate::support::loader(project.dir()).home(project.home()).app("hygge").dialect(dialect::of_app("hygge")).env(path)
}

/// Returns the entry of a hook that runs this shell text. Strings and lists of strings are written alike in JSON and
/// TOML.
pub fn shell_hook(name: &str, events: &[&str], script: &str) -> String {
    let args = json!(["-c", script]);
    format!("[hooks.{name}]\nevents = {}\ncommand = \"/bin/sh\"\nargs = {args}\n", json!(events))
}

/// Returns a hook of the embedding program that always answers the same.
pub fn fake(name: &str, events: &[Event], action: Action) -> impl Hook + use<> {
    NativeHook::new(name, events.iter().copied(), move |_| Ok(action.clone()))
}

/// Returns the tool's input as the chain left it, byte for byte.
#[track_caller]
pub fn tool_input(outcome: &Outcome) -> &str {
    outcome.input.as_ref().unwrap().tool_input.as_ref().unwrap().as_str()
}

/// Returns what the model sees of the tool's result.
#[track_caller]
pub fn tool_content(outcome: &Outcome) -> &str {
    &outcome.input.as_ref().unwrap().tool_result.as_ref().unwrap().content
}

/// Returns the names of the hooks that were asked, in order.
pub fn asked(outcome: &Outcome) -> Vec<&str> {
    outcome.hooks.iter().map(|record| record.name.as_str()).collect()
}

/// An async hook on `post_tool` that waits in each call until it is released.
pub struct Blocking {
    pub info: HookInfo,
    action: Action,
    started: AtomicUsize,
    ended: AtomicUsize,
    gate: Semaphore,
}

impl Blocking {
    pub fn answering(action: Action) -> Self {
        let mut info = HookInfo::new("blocking", []);
        info.events = vec![(Event::PostTool, Mode::Async)];
        Blocking { info, action, started: AtomicUsize::new(0), ended: AtomicUsize::new(0), gate: Semaphore::new(0) }
    }

    pub fn shared() -> Arc<Self> {
        Arc::new(Blocking::answering(Action::allow()))
    }

    pub fn release(&self) {
        self.gate.close();
    }

    pub fn started(&self) -> usize {
        self.started.load(Ordering::SeqCst)
    }

    pub fn ended(&self) -> usize {
        self.ended.load(Ordering::SeqCst)
    }
}

#[async_trait]
impl Hook for Blocking {
    fn info(&self) -> &HookInfo {
        &self.info
    }

    async fn run(&self, _: &Input) -> Result<Action, Failure> {
        self.started.fetch_add(1, Ordering::SeqCst);
        // An error means that the gate is permanently open.
        let _ = self.gate.acquire().await;
        self.ended.fetch_add(1, Ordering::SeqCst);
        Ok(self.action.clone())
    }
}

/// Returns a `bash` call with this result.
pub fn returned(content: &str) -> Input {
    Input::pre_tool("bash", "{}").unwrap().into_post_tool(result(content))
}

pub fn result(content: &str) -> hookbox::ToolResult {
    hookbox::ToolResult { is_error: false, content: content.to_owned() }
}
