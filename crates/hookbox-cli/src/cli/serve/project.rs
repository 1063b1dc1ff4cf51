//! The hooks and the log of a project that a service keeps ready.

use super::service::Observer;
use crate::cli::log::{Recorder, open};
use crate::cli::scope::Scope;
use hookbox::config::{Reload, Severity};
use hookbox::record::{Log, Settings};
use hookbox::runtime::component::Sandbox;
use hookbox::{Caller, Input, Outcome};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// The hooks for an agent that works in a directory.
pub(super) struct Project {
    pub(super) hooks: Reload,
    log: Mutex<Option<Arc<Log>>>,
}

impl Project {
    pub(super) fn load(
        scope: &Scope,
        dir: &Path,
        sandbox: &Sandbox,
        observer: Option<Arc<dyn Observer>>,
    ) -> anyhow::Result<Arc<Self>> {
        let loader = scope.in_project(dir).service_loader()?.share_sandbox(sandbox.clone());
        let hooks = Reload::start(loader, move |reloaded| {
            tracing::info!(version = reloaded.version, hooks = reloaded.hooks, "the config was read again");
            for problem in &reloaded.problems {
                tracing::warn!(code = %problem.code, "{problem}");
            }
            if let Some(observer) = &observer {
                observer.reloaded(reloaded.problems.iter().all(|problem| problem.severity != Severity::Error));
            }
        })?;
        Ok(Arc::new(Project { hooks, log: Mutex::default() }))
    }

    pub(super) async fn run(&self, input: Input, caller: &Caller) -> Outcome {
        let mut outcome = self.hooks.registry().run_for(input, caller).await;
        self.hooks.current().add_problems(&mut outcome);
        outcome
    }

    /// Returns a recorder for the log of the current config. The log stays open from call to call.
    pub(super) fn recorder(&self) -> Recorder {
        let loaded = self.hooks.current();
        let mut log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        let is_open = |settings: &Settings| log.as_ref().is_some_and(|log| log.settings() == settings);
        match &loaded.log {
            None => *log = None,
            Some(settings) if is_open(settings) => {}
            Some(settings) => *log = Some(Arc::new(open(settings.clone()))),
        }
        Recorder::with(log.clone(), &loaded)
    }

    /// Drops a project that is no longer kept, after its background hooks have finished.
    pub(super) async fn retire(self: Arc<Self>) {
        self.hooks.registry().close().await;
        // The drop of a project blocks until a thread has ended.
        let _ = tokio::task::spawn_blocking(move || drop(self)).await;
    }
}
