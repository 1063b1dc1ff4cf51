//! The hooks of a host, by event.

mod ask;
mod background;
mod blocking;
mod facts;
mod observer;
mod refresh;
mod run;
mod table;

use crate::chain::{Chain, Member, Rule};
use crate::protocol::{Code, Decision, Event, Input, Kind, Outcome, Record, Warning};
use crate::runtime::{Caller, Hook, Mode, ToolName};
use arc_swap::{ArcSwap, ArcSwapOption, Guard};
use ask::{ask, ask_all};
use background::Background;
pub use blocking::Blocking;
use facts::FactFinder;
pub use observer::Observer;
pub(crate) use refresh::{Refresh, Refreshed};
pub use run::Run;
use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Instant, SystemTime};
use table::{Table, concerned};
use tracing::Instrument;

/// The hooks of a host. Share it behind an `Arc`. Hooks can be added and removed while events run; each event sees the
/// hooks that were registered when it began.
///
/// Running hooks needs a tokio runtime with time and I/O enabled.
pub struct Registry {
    table: ArcSwap<Table>,
    changes: Mutex<()>,
    /// A bit for each event that has hooks or is watched, so that all other events cost next to nothing.
    active_events: AtomicU64,
    rule: fn(Event) -> Rule,
    background: Background,
    observers: ArcSwap<Vec<Arc<dyn Observer>>>,
    refresh: ArcSwapOption<Arc<dyn Refresh>>,
    fact_finder: ArcSwap<FactFinder>,
}

impl Default for Registry {
    fn default() -> Self {
        Registry::with_rule(Rule::hookbox)
    }
}

/// The reason why a hook cannot be registered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RegisterError {
    /// The hook's name is empty.
    #[error("a hook's name must not be empty")]
    EmptyName,
    /// The hook would be async on an event that it should gate.
    #[error("hook `{name}` is async on {event}, where its answer must be waited for: make it sync")]
    AsyncGate {
        /// The hook's name.
        name: String,
        /// The gating event.
        event: Event,
    },
}

impl Registry {
    /// Creates a registry without hooks, which allows everything.
    #[must_use]
    pub fn new() -> Self {
        Registry::default()
    }

    /// Creates a registry whose hooks are asked by the rules of another hook system.
    #[must_use]
    pub fn with_rule(rule: fn(Event) -> Rule) -> Self {
        Registry {
            table: ArcSwap::default(),
            changes: Mutex::default(),
            active_events: AtomicU64::new(0),
            rule,
            background: Background::default(),
            observers: ArcSwap::default(),
            refresh: ArcSwapOption::empty(),
            fact_finder: ArcSwap::default(),
        }
    }

    /// Returns the rule by which the hooks of an event are asked.
    #[must_use]
    pub fn rule(&self, event: Event) -> Rule {
        (self.rule)(event)
    }

    /// Adds a hook after the existing ones, once for each of its events. Names may repeat.
    ///
    /// # Errors
    /// Returns an error if the hook has no name, or is async on a gating event.
    pub fn register(&self, hook: impl Hook + 'static) -> Result<(), RegisterError> {
        self.register_shared(Arc::new(hook))
    }

    /// Like [`register`](Registry::register), for a hook that the caller keeps a reference to.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`register`](Registry::register).
    pub fn register_shared(&self, hook: Arc<dyn Hook>) -> Result<(), RegisterError> {
        check(hook.as_ref())?;
        self.change(|table| table.add(&hook));
        Ok(())
    }

    /// Replaces all hooks with these in one step: every event sees either the old hooks or the new ones. Events in
    /// progress still ask the old ones, and async hooks that were started keep running.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`register`](Registry::register), for any of the new hooks. The existing
    /// hooks then stay.
    pub fn replace_all(&self, hooks: impl IntoIterator<Item = Arc<dyn Hook>>) -> Result<(), RegisterError> {
        let mut new = Table::default();
        for hook in hooks {
            check(hook.as_ref())?;
            new.add(&hook);
        }
        self.change(|table| *table = new);
        Ok(())
    }

    /// Adds an observer, which is told about every event decided from now on, including events without hooks.
    pub fn observe(&self, observer: impl Observer + 'static) {
        let observer: Arc<dyn Observer> = Arc::new(observer);
        self.observers.rcu(|observers| {
            let mut observers = Vec::clone(observers);
            observers.push(Arc::clone(&observer));
            observers
        });
        // From now on, events without hooks must reach the observers too.
        self.change(|_| {});
    }

    /// Removes every hook with this name from every event. Events in progress still ask these hooks.
    pub fn unregister(&self, name: &str) {
        self.change(|table| {
            for entries in &mut table.by_event {
                entries.retain(|entry| entry.hook.info().name != name);
            }
        });
    }

    /// Returns the hooks of an event, in the order in which they were registered.
    #[must_use]
    pub fn for_event(&self, event: Event) -> Vec<Arc<dyn Hook>> {
        let table = self.snapshot();
        table.for_event(event).iter().map(|entry| Arc::clone(&entry.hook)).collect()
    }

    /// Returns whether the hooks of an event only compute. [`run`](Registry::run) then needs no runtime for its first
    /// poll, and is usually done after it.
    #[must_use]
    pub fn only_computes(&self, event: Event) -> bool {
        let table = self.snapshot();
        let computes = |hook: &dyn Hook| matches!(hook.kind(), Kind::Component | Kind::Script) && hook.is_pure();
        table.for_event(event).iter().all(|entry| entry.mode == Mode::Sync && computes(entry.hook.as_ref()))
    }

    /// Returns whether the event has an async hook, whose answer is not waited for.
    pub(crate) fn has_async(&self, event: Event) -> bool {
        self.snapshot().for_event(event).iter().any(|entry| entry.mode == Mode::Async)
    }

    /// Returns the first hook with each name: events in the order of [`Event::ALL`], the hooks of an event in the order
    /// in which they were registered.
    #[must_use]
    pub fn all(&self) -> Vec<Arc<dyn Hook>> {
        let table = self.snapshot();
        let mut names = HashSet::new();
        let entries = table.by_event.iter().flatten();
        entries.filter(|entry| names.insert(&entry.hook.info().name)).map(|entry| Arc::clone(&entry.hook)).collect()
    }

    /// Like [`run`](Registry::run), for a gating event.
    #[inline]
    pub fn run_pre(&self, input: impl Into<Box<Input>>) -> Run<'_> {
        self.run(input)
    }

    /// Like [`run`](Registry::run), for an event that has happened.
    #[inline]
    pub fn run_post(&self, input: impl Into<Box<Input>>) -> Run<'_> {
        self.run(input)
    }

    /// Asks the sync hooks of the Input's event, then starts its async hooks on the resulting Input.
    ///
    /// This never fails: a hook that fails or panics counts in the Outcome. If the verdict is allow, go on with the
    /// Outcome's Input, which the hooks may have changed. Problems with a config are not among the warnings;
    /// [`Loaded::run`](crate::config::Loaded::run) adds them.
    ///
    /// An Input that is already in a `Box` is not copied, so an event without hooks takes a few nanoseconds.
    #[inline]
    pub fn run(&self, input: impl Into<Box<Input>>) -> Run<'_> {
        self.run_for(input, Caller::unbounded())
    }

    /// Like [`run`](Registry::run), for a caller that does not wait forever. A hook that has not answered when the
    /// caller leaves has failed.
    #[inline]
    pub fn run_for<'r>(&'r self, input: impl Into<Box<Input>>, caller: &'r Caller) -> Run<'r> {
        let input = input.into();
        if self.active_events.load(Ordering::Acquire) & bit(input.event) == 0 {
            return Run::without_hooks(input);
        }
        Run::asking(self.run_hooks(input, caller))
    }

    async fn run_hooks(&self, mut input: Box<Input>, caller: &Caller) -> Outcome {
        let started = Instant::now();
        let event = input.event;
        let is_wanted = self.observers.load().iter().any(|observer| observer.wants_original());
        let original = is_wanted.then(|| input.clone());
        if let Err(failure) = self.refreshed(caller).await
            && self.rule(event).gating
        {
            let outcome = Outcome::no_verdict(failure.code, failure, Some(*input));
            self.tell_of(original.as_deref(), &outcome, started);
            return outcome;
        }
        let table = self.snapshot();
        let span = tracing::debug_span!("event", %event, tool = input.tool_name.as_deref());
        let now = input.now.is_none().then(|| humantime::format_rfc3339_millis(SystemTime::now()).to_string());
        input.begin_dispatch(now);
        let fact_finder = self.fact_finder.load();
        fact_finder.facts.name_tool(&mut input);
        let tool = ToolName::of_input(&input);
        let concerned = concerned(table.for_event(event), event, tool);
        let disguised = disguise_warning(&input, tool);
        let wants_commands = concerned.iter().any(|entry| entry.hook.info().wants_commands);
        if !concerned.is_empty() {
            fact_finder.add_facts(&mut input, wants_commands).await;
        }
        let in_sync: Vec<&Arc<dyn Hook>> =
            concerned.iter().filter(|entry| entry.mode == Mode::Sync).map(|entry| &entry.hook).collect();
        let mut chain = Chain::new(
            input,
            self.rule(event),
            in_sync.iter().map(|hook| Member { info: hook.info(), kind: hook.kind(), is_pure: hook.is_pure() }),
        );
        ask_all(&in_sync, &mut chain, caller, &fact_finder, wants_commands).instrument(span.clone()).await;
        let mut outcome = chain.finish();
        outcome.warnings.splice(0..0, disguised);
        let _inside = span.entered();
        for entry in concerned.iter().filter(|entry| entry.mode == Mode::Async) {
            self.start(&entry.hook, &mut outcome);
        }
        if let Some(input) = &mut outcome.input {
            input.end_dispatch();
        }
        tracing::debug!(verdict = %outcome.verdict, denied_by = outcome.denied_by, "event decided");
        self.tell_of(original.as_deref(), &outcome, started);
        outcome
    }

    /// Tells the observers what was decided.
    fn tell_of(&self, original: Option<&Input>, outcome: &Outcome, started: Instant) {
        tell(&self.observers.load(), |observer| match original {
            Some(original) if observer.wants_original() => {
                observer.decided_about(original, outcome, started.elapsed());
            }
            _ => observer.decided(outcome, started.elapsed()),
        });
    }

    fn start(&self, hook: &Arc<dyn Hook>, outcome: &mut Outcome) {
        let Some(input) = outcome.input.clone() else {
            return;
        };
        let info = hook.info();
        let event = input.event;
        let background_hook = Arc::clone(hook);
        let observers = self.observers.load_full();
        let started = self.background.start(async move {
            let name = &background_hook.info().name;
            let (answer, took) = ask(background_hook.as_ref(), &input, Caller::unbounded()).await;
            tell(&observers, |observer| observer.finished(name, event, &answer, took));
            match answer.result {
                Ok(action) if action.decision == Decision::Modify => {
                    tracing::warn!(hook = name, "the rewrite of an async hook was ignored");
                }
                Ok(_) => {}
                Err(failure) => tracing::warn!(hook = name, code = %failure.code, "{failure}"),
            }
        });
        if started {
            let origin = info.origin.clone();
            let record = Record::new(&info.name, hook.kind(), info.source.clone());
            outcome.hooks.push(Record { is_async: true, on_error: info.on_error, origin, ..record });
        } else {
            let limit = Background::MAX_IN_FLIGHT;
            outcome.warnings.push(Warning {
                hook: info.name.clone(),
                code: Code::Dropped,
                message: format!("hook `{}` did not see this {event}: {limit} async hooks are in flight", info.name),
            });
        }
    }

    /// Waits up to two seconds for the async hooks in flight, then ends the remaining ones and returns their number.
    /// Dropping the future ends them too. Finally, lets each hook [finish](Hook::finish).
    pub async fn close(&self) -> usize {
        let left = self.background.close().await;
        let mut finished: Vec<Arc<dyn Hook>> = Vec::new();
        for entry in self.table.load_full().by_event.iter().flatten() {
            // A hook of several events is finished once. Two hooks may have the same name.
            if !finished.iter().any(|hook| Arc::ptr_eq(hook, &entry.hook)) {
                entry.hook.finish().await;
                finished.push(Arc::clone(&entry.hook));
            }
        }
        left
    }

    /// Returns the current hooks. This writes no memory that other threads read, since that would slow them all down.
    fn snapshot(&self) -> Guard<Arc<Table>> {
        self.table.load()
    }

    fn change(&self, edit: impl FnOnce(&mut Table)) {
        let _one_at_a_time = self.changes.lock().unwrap_or_else(PoisonError::into_inner);
        let mut table = Table::clone(&self.table.load());
        edit(&mut table);
        let is_watched = !self.observers.load().is_empty() || self.refresh.load().is_some();
        let is_active = |event: &Event| is_watched || !table.for_event(*event).is_empty();
        let active = Event::ALL.iter().copied().filter(is_active).map(bit);
        let active = active.fold(0, |all, bit| all | bit);
        self.table.store(Arc::new(table));
        self.active_events.store(active, Ordering::Release);
    }
}

/// Checks that the hook can be registered.
///
/// # Errors
/// Returns an error if the hook has no name, or is async on a gating event.
fn check(hook: &dyn Hook) -> Result<(), RegisterError> {
    let info = hook.info();
    if info.name.is_empty() {
        return Err(RegisterError::EmptyName);
    }
    match info.events.iter().find(|(event, mode)| event.is_gating() && *mode == Mode::Async) {
        Some((event, _)) => Err(RegisterError::AsyncGate { name: info.name.clone(), event: *event }),
        None => Ok(()),
    }
}

/// Calls every observer. Catches panics, because a panic in an observer must not lose the event's Outcome.
fn tell(observers: &[Arc<dyn Observer>], call: impl Fn(&dyn Observer)) {
    for observer in observers {
        if catch_unwind(AssertUnwindSafe(|| call(observer.as_ref()))).is_err() {
            tracing::error!("an observer panicked");
        }
    }
}

const fn bit(event: Event) -> u64 {
    const { assert!(Event::ALL.len() <= u64::BITS as usize) };
    1 << event as u64
}

/// Returns the warning about a tool's name that may pass for another, if the event is about a tool.
fn disguise_warning(input: &Input, tool: ToolName<'_>) -> Option<Warning> {
    let event = input.event;
    let disguise = tool.disguise().filter(|_| event.has_tool())?;
    let name = input.tool_name.as_deref().unwrap_or_default().escape_default();
    let message = format!(
        "the tool's name \"{name}\" {disguise}, so that it may pass for another: every hook of {event} was asked"
    );
    Some(Warning::new("tool_name", Code::InputName, message))
}
