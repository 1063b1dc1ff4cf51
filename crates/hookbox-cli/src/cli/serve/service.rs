//! The service that decides events for clients, each with the config of its project.

use super::project::Project;
use crate::cli::answering::{DEADLINE, Judged, Sender, canary, off, project_of};
use crate::cli::log::Recorder;
use crate::cli::run;
use crate::cli::scope::Scope;
use crate::cli::unknown_events;
use anyhow::Context;
#[cfg(feature = "listen")]
use hookbox::UserPlaces;
use hookbox::agent::{self, Agent, Call, Environment, Reply, reply};
use hookbox::config::Dialect;
#[cfg(feature = "listen")]
use hookbox::config::Severity;
use hookbox::record::{Decided, Told, Via};
use hookbox::runtime::component::Sandbox;
use hookbox::{Caller, Code, Input, MAX_INPUT_BYTES, Outcome, Verdict};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::OnceCell;
use tokio::task::JoinSet;

/// How many projects are kept ready. A further project replaces the one that has not been used for the longest time.
const MAX_PROJECTS: usize = 64;

/// The maximum time for one decision. A config can give a hook up to ten minutes.
const MAX_DEADLINE: Duration = Duration::from_secs(3600);

/// An observer of what a service does.
pub(super) trait Observer: Send + Sync {
    /// Called when an event was decided.
    fn decided(&self, outcome: &Outcome, took: Duration);

    /// Called when the config of a project was read again. `is_used` says whether all of it could be used.
    fn reloaded(&self, is_used: bool);
}

/// The service that decides events for clients.
pub(super) struct Service {
    scope: Scope,
    /// Whether the decisions of the hooks are only recorded.
    is_monitored: bool,
    dialect: Arc<dyn Dialect>,
    cwd: PathBuf,
    /// The sandbox in which the components of all projects run.
    sandbox: Sandbox,
    observer: Option<Arc<dyn Observer>>,
    /// The hooks for this process's own directory, which are always kept.
    own: Arc<Project>,
    projects: Mutex<HashMap<PathBuf, Kept>>,
}

struct Kept {
    /// The project. The cell is empty until its hooks are loaded; several requests may wait for that.
    project: Arc<OnceCell<Arc<Project>>>,
    asked: Instant,
}

/// What a client's request contains besides the event.
pub(super) struct Asked<'a> {
    /// The directory that the agent works in.
    pub(super) project: Option<&'a str>,
    pub(super) deadline_ms: Option<u64>,
    pub(super) via: Via,
}

/// Why an event could not be judged.
struct Unjudged(Code, String);

impl Service {
    /// Creates the service, and loads the hooks of this process's own directory.
    ///
    /// # Errors
    /// Returns an error if the config cannot be looked for or the sandbox cannot be set up.
    pub(super) fn new(
        scope: Scope,
        is_monitored: bool,
        observer: Option<Arc<dyn Observer>>,
    ) -> anyhow::Result<Arc<Self>> {
        let loader = scope.service_loader()?;
        let sandbox = loader.sandbox().map_err(|failure| anyhow::anyhow!("{failure}"))?.clone();
        let (dialect, cwd) = (scope.dialect(), scope.project()?);
        // Loading the hooks now means that the first client does not wait, and that problems are reported at once.
        let own = Project::load(&scope, &cwd, &sandbox, observer.clone()).context("the hooks cannot be loaded")?;
        crate::cli::render::problems(&own.hooks.current().problems);
        Ok(Arc::new(Service { scope, is_monitored, dialect, cwd, sandbox, observer, own, projects: Mutex::default() }))
    }

    /// Returns the Outcome that `hookbox run` would print.
    pub(super) async fn decide(&self, input: &str, asked: Asked<'_>, caller: Caller) -> Outcome {
        let started = Instant::now();
        let outcome = self.judge(input, asked, caller, started).await;
        self.observe(&outcome, started);
        outcome
    }

    async fn judge(&self, input: &str, asked: Asked<'_>, caller: Caller, started: Instant) -> Outcome {
        if input.len() > MAX_INPUT_BYTES {
            return Outcome::no_verdict(Code::InputSize, run::too_large(), None);
        }
        let mut input = match Input::from_slice(input.as_bytes()) {
            Ok(input) => input,
            Err(error) => return Outcome::no_verdict(error.code, error.message, None),
        };
        let caller = match asked.deadline_ms.map(after) {
            Some(deadline) => caller.until(deadline),
            None => caller,
        };
        let unjudged = |Unjudged(code, message), input: Input| {
            let original = input.clone();
            self.applied(Outcome::no_verdict(code, message, Some(input)), &original)
        };
        let dir = match self.directory(asked.project, input.pwd.as_deref()) {
            Ok(dir) => dir,
            Err(error) => return unjudged(error, input),
        };
        self.dialect.complete(&mut input, &dir);
        let project = match self.project(dir, &caller).await {
            Ok(project) => project,
            Err(error) => return unjudged(error, input),
        };
        let original = input.clone();
        let recorder = project.recorder();
        let mut outcome = self.applied(project.run(input, &caller).await, &original);
        let mut decided = Decided::new(original.event.as_str(), asked.via);
        decided.input = Some(&original);
        decided.outcome = Some(&outcome);
        decided.took = started.elapsed();
        decided.told = Some(Told::status(match outcome.verdict {
            Verdict::Allow => 0,
            Verdict::Deny => 2,
            Verdict::Ask => 3,
        }));
        let warning = recorder.write(decided);
        outcome.warnings.extend(warning);
        outcome
    }

    /// Returns the reply that `hookbox hook` would give in this environment; `None` if hookbox does not know the agent.
    pub(super) async fn reply(
        &self,
        name: &str,
        payload: &[u8],
        environment: &Environment,
        asked: Asked<'_>,
        caller: Caller,
    ) -> Option<Reply> {
        let agent = agent::by_name(name)?;
        let started = Instant::now();
        let sender = Sender { name, environment };
        let agent = agent.sender(payload, environment).unwrap_or(agent);
        let not_judged = |scope: &Scope, is_off: bool| Judged {
            recorder: Recorder::unjudged(scope),
            started,
            is_off,
            via: asked.via,
        };
        let call = match agent.decode(payload, environment) {
            Ok(call) => call,
            Err(error) => {
                self.observe(&Outcome::no_verdict(error.code, &error.message, None), started);
                let reply = sender.refuse(payload, error.code, &error.message);
                not_judged(&self.scope, false).refused(agent, &error, &reply);
                return Some(reply);
            }
        };
        let caller = match asked.deadline_ms.map(after) {
            Some(deadline) => caller.until(deadline.min(started + DEADLINE)),
            None => caller.until(started + DEADLINE),
        };
        let failed = |Unjudged(code, message)| {
            let outcome = Outcome::no_verdict(code, message, call.input.clone());
            let outcome = match &call.input {
                Some(input) => self.applied(outcome, input),
                None => outcome,
            };
            self.observe(&outcome, started);
            Some(failed(agent, &call, &outcome))
        };
        let dir = match self.directory(asked.project, project_of(&call).and_then(Path::to_str)) {
            Ok(dir) => dir,
            Err(error) => return failed(error),
        };
        let scope = self.scope.in_project(&dir);
        let off = off(&scope, agent, &call, true);
        if let Ok(Some(_)) = &off {
            return Some(not_judged(&scope, true).conclude(agent, &call, None));
        }
        unknown_events::note(&scope, agent, &call);
        let Some(input) = call.input.clone() else {
            return Some(not_judged(&scope, false).conclude(agent, &call, None));
        };
        let project = match self.project(dir, &caller).await {
            Ok(project) => project,
            Err(error) => return failed(error),
        };
        let judged = Judged { recorder: project.recorder(), started, is_off: false, via: asked.via };
        let original = input.clone();
        let outcome = match canary(&input) {
            Some(outcome) => outcome,
            None => project.run(input, &caller).await,
        };
        let mut outcome = self.applied(outcome, &original);
        self.observe(&outcome, started);
        outcome.system_messages.extend(off.err());
        Some(judged.conclude(agent, &call, Some(&mut outcome)))
    }

    /// Returns the Outcome that takes effect: with `--monitor`, one that applies nothing.
    fn applied(&self, outcome: Outcome, original: &Input) -> Outcome {
        if self.is_monitored { outcome.unapplied(original.clone()) } else { outcome }
    }

    fn observe(&self, outcome: &Outcome, started: Instant) {
        if let Some(observer) = &self.observer {
            observer.decided(outcome, started.elapsed());
        }
    }

    /// Returns the directories of hookbox's state and cache.
    ///
    /// # Errors
    /// Returns an error if the home directory is unknown.
    #[cfg(feature = "listen")]
    pub(super) fn places(&self) -> anyhow::Result<UserPlaces> {
        self.scope.places()
    }

    /// Returns how many projects are kept ready, besides this process's own.
    #[cfg(feature = "listen")]
    pub(super) fn count(&self) -> usize {
        self.lock().len()
    }

    /// Returns what makes the config unusable for an agent that works in this process's directory.
    #[cfg(feature = "listen")]
    pub(super) fn problem(&self) -> Option<String> {
        let loaded = self.own.hooks.current();
        if let Some(problem) = &loaded.broken {
            return Some(problem.to_string());
        }
        let kept = loaded.kept.first()?;
        let problem = loaded.problems.iter().find(|problem| problem.severity == Severity::Error);
        let why = problem.map_or_else(|| format!("hook `{kept}` runs as before"), ToString::to_string);
        Some(format!("the last edit of the config cannot be used: {why}"))
    }

    /// Reads the config of all projects again.
    #[cfg(feature = "listen")]
    pub(super) async fn reload(&self) {
        for project in self.kept() {
            project.hooks.reload().await;
        }
    }

    /// Lets background hooks finish.
    pub(super) async fn close(&self) {
        let close = |project: Arc<Project>| async move { project.hooks.registry().close().await };
        let mut closing: JoinSet<usize> = self.kept().into_iter().map(close).collect();
        // The runtime may end in the meantime and cancel them.
        while closing.join_next().await.is_some() {}
    }

    /// Returns all projects whose hooks are loaded.
    fn kept(&self) -> Vec<Arc<Project>> {
        let projects = self.lock();
        let others = projects.values().filter_map(|kept| kept.project.get().cloned());
        others.chain([Arc::clone(&self.own)]).collect()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<PathBuf, Kept>> {
        self.projects.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the directory that an agent works in: the one that the request names, the one of the event, or this
    /// process's.
    fn directory(&self, named: Option<&str>, of_event: Option<&str>) -> Result<PathBuf, Unjudged> {
        if let Some(named) = named {
            let dir = Path::new(named);
            return match dir.is_absolute() && dir.is_dir() {
                true => Ok(dir.to_owned()),
                false => {
                    let message = format!("`project` must be the absolute path of a directory, not {named:?}");
                    Err(Unjudged(Code::Usage, message))
                }
            };
        }
        let of_event = of_event.map(Path::new).filter(|dir| dir.is_absolute() && dir.is_dir());
        Ok(of_event.unwrap_or(&self.cwd).to_owned())
    }

    /// Returns the hooks for a directory. Loads them if they are not kept ready.
    async fn project(&self, dir: PathBuf, caller: &Caller) -> Result<Arc<Project>, Unjudged> {
        if caller.has_left().is_some() {
            let message = "the caller gave the event up before any hook was asked";
            return Err(Unjudged(Code::Cancelled, message.to_owned()));
        }
        if dir == self.cwd {
            return Ok(Arc::clone(&self.own));
        }
        let cell = self.cell(&dir);
        if let Some(project) = cell.get() {
            return Ok(Arc::clone(project));
        }
        let (scope, sandbox, observer) = (self.scope.clone(), self.sandbox.clone(), self.observer.clone());
        // Loading continues even if this caller leaves, so that the next caller does not have to start again.
        let loading = tokio::spawn(async move {
            let load = move || Project::load(&scope, &dir, &sandbox, observer);
            let loaded = cell.get_or_try_init(async || tokio::task::spawn_blocking(load).await?);
            loaded.await.cloned()
        });
        let loaded = tokio::select! {
            biased;
            loaded = loading => loaded.map_err(Into::into).and_then(|loaded| loaded),
            _ = caller.left() => {
                let message = "the caller gave the event up before the hooks of its project were loaded";
                return Err(Unjudged(Code::Cancelled, message.to_owned()));
            }
        };
        loaded.map_err(|error| Unjudged(Code::Usage, format!("{error:#}")))
    }

    /// Returns the cell of a project. Makes room for a new project.
    fn cell(&self, dir: &Path) -> Arc<OnceCell<Arc<Project>>> {
        let mut projects = self.lock();
        if let Some(kept) = projects.get_mut(dir) {
            kept.asked = Instant::now();
            return Arc::clone(&kept.project);
        }
        if projects.len() >= MAX_PROJECTS
            && let Some(oldest) = projects.iter().min_by_key(|(_, kept)| kept.asked).map(|(dir, _)| dir.clone())
            && let Some(project) = projects.remove(&oldest).and_then(|kept| kept.project.get().cloned())
        {
            tokio::spawn(project.retire());
        }
        let kept = Kept { project: Arc::default(), asked: Instant::now() };
        let project = Arc::clone(&kept.project);
        projects.insert(dir.to_owned(), kept);
        project
    }
}

fn after(milliseconds: u64) -> Instant {
    Instant::now() + Duration::from_millis(milliseconds).min(MAX_DEADLINE)
}

/// Returns the reply to a call that hookbox itself could not judge.
fn failed(agent: &dyn Agent, call: &Call, outcome: &Outcome) -> Reply {
    match &call.input {
        Some(_) => reply(agent, call, outcome).1,
        None => agent.veto(outcome.reason.as_deref().unwrap_or_default()),
    }
}
