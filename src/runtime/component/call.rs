//! Calls of a component. Each call gets a new instance that runs under a deadline and is dropped at the end.

use super::limits::Refused;
use super::loaded::Linked;
use super::prepare::Prepared;
use super::state::State;
use super::{last_words, one_line};
use crate::protocol::{Code, Failure};
use bytesize::ByteSize;
use std::str::Utf8Error;
use std::time::{Duration, Instant};
use tokio::sync::SemaphorePermit;
use tokio::time::timeout_at;
use wasmtime::component::ResourceTableError;
use wasmtime::{Store, Trap, UpdateDeadline};
use wasmtime_wasi::I32Exit;

/// The time that a guest of a short-lived process may compute before other tasks get a turn. Giving them a turn needs a
/// runtime, and starting one takes as long as most calls; on a busy machine, any call may still be computing at the
/// first tick.
const UNDISTURBED: Duration = Duration::from_millis(20);

/// The return type of `run`.
pub(super) type RunResult = (Result<String, String>,);

/// An observer of a call.
pub(super) trait Observer {
    /// Called when the instance is about to be created.
    fn starts(&mut self) {}

    /// Called when the instance has been created.
    fn instantiated(&mut self) {}

    /// Called when the component has answered.
    fn answered(&mut self, _store: &Store<State>) {}
}

/// The observer for calls that need none.
impl Observer for () {}

impl Prepared {
    /// Passes `payload` to a new instance and returns its answer. `limit` covers instantiation and the call. The epoch
    /// stops a guest that computes; dropping the call's future stops a guest that sleeps in the host.
    ///
    /// `session` identifies the store, if the component has one.
    pub(super) async fn call(&self, payload: &str, session: Option<&str>, limit: Duration) -> Result<String, Failure> {
        self.call_observed(payload, session, limit, &mut ()).await
    }

    /// Like [`call`](Prepared::call), with an observer. This is the only way into a component.
    pub(super) async fn call_observed(
        &self,
        payload: &str,
        session: Option<&str>,
        limit: Duration,
        observer: &mut (impl Observer + Send),
    ) -> Result<String, Failure> {
        let deadline = Instant::now() + limit;
        let (cell, place) = self.enter(deadline, limit).await?;
        let linked = self.loaded.linked(&self.sandbox, cell)?;
        let _ticking = self.sandbox.ticker.during_call(cell);
        let mut store = self.store(linked, session, deadline)?;
        let called = self.instantiate_and_run(linked, &mut store, payload, observer);
        // Without a grant, nothing in the host can sleep.
        let called = if self.is_pure() { Ok(called.await) } else { timeout_at(deadline.into(), called).await };
        for (stream, text) in store.data().stdio() {
            tracing::debug!(stream, text, "the guest wrote");
        }
        store.data().logged.finish();
        let answer = match called {
            Ok(Ok((Ok(answer),))) => {
                observer.answered(&store);
                Ok(answer)
            }
            Ok(Ok((Err(error),))) => Err(self.over_memory(&store).unwrap_or_else(|| Failure::failed(error))),
            Ok(Err(error)) => Err(self.explain(&error, &mut store, limit)),
            Err(_) => Err(Failure::overdue(limit)),
        };
        // The call's resources must be back in the pool before its place is released.
        drop(store);
        if self.grants.store().is_some() {
            self.sandbox.powers.stores.call_ended();
        }
        if self.grants.net().is_some() {
            // Pending requests are tasks, which end only when the runtime polls them.
            tokio::task::yield_now().await;
        }
        drop(place);
        answer
    }

    /// Takes a place in this thread's cell, or in another cell if this one is full.
    async fn enter(&self, deadline: Instant, limit: Duration) -> Result<(usize, SemaphorePermit<'_>), Failure> {
        let engines = &self.sandbox.engines;
        let home = engines.home();
        let from_home = (home..engines.cells()).chain(0..home);
        for cell in from_home {
            if let Ok(place) = engines.places(cell).map_err(internal)?.try_acquire() {
                return Ok((cell, place));
            }
        }
        // Waiting needs a timer and thus a runtime. The first poll of a pure hook may not have one; see `Blocking`.
        tokio::task::yield_now().await;
        let place = timeout_at(deadline.into(), engines.places(home).map_err(internal)?.acquire()).await;
        // The second error cannot occur: the semaphore of the places is never closed.
        let place = place.map_err(|_| busy(limit))?.map_err(|_| busy(limit))?;
        Ok((home, place))
    }

    fn store(&self, linked: &Linked, session: Option<&str>, deadline: Instant) -> Result<Store<State>, Failure> {
        let bucket = self.grants.store().map(|store| store.bucket(session, deadline)).transpose()?;
        let requests = self.grants.net().map(|net| net.requests(deadline));
        let state = State::new(&self.limits, &self.grants, bucket, requests, deadline)
            .map_err(|error| Failure::new(Code::Grant, format!("could not be given a directory: {error:#}")))?;
        let mut store = Store::new(&linked.engine, state);
        store.limiter(|state| &mut state.usage);
        if let Some(fuel) = self.limits.fuel {
            store.set_fuel(fuel).map_err(internal)?;
        }
        store.set_hostcall_fuel(self.limits.output_bytes);
        store.set_max_component_handles(self.limits.handles);
        store.set_epoch_deadline(1);
        let undisturbed = self.sandbox.ticker.is_signal().then(|| Instant::now() + UNDISTURBED);
        store.epoch_deadline_callback(move |context| {
            let now = Instant::now();
            Ok(if now >= context.data().deadline {
                UpdateDeadline::Interrupt
            } else if undisturbed.is_some_and(|end| now < end) {
                UpdateDeadline::Continue(1)
            } else {
                // Yield at each tick, so that other tasks on this thread get a turn.
                UpdateDeadline::Yield(1)
            })
        });
        Ok(store)
    }

    async fn instantiate_and_run(
        &self,
        linked: &Linked,
        store: &mut Store<State>,
        payload: &str,
        observer: &mut impl Observer,
    ) -> wasmtime::Result<RunResult> {
        observer.starts();
        let instance = linked.pre.instantiate_async(&mut *store).await?;
        observer.instantiated();
        if let Some(script) = &self.script {
            return script.run(&instance, &mut *store, linked.run, payload).await;
        }
        let run = instance.get_typed_func::<(&str,), RunResult>(&mut *store, linked.run)?;
        run.call_async(&mut *store, (payload,)).await
    }

    fn explain(&self, error: &wasmtime::Error, store: &mut Store<State>, limit: Duration) -> Failure {
        // A guest that was refused memory may fail in any way, but its author needs to know about the refusal.
        if let Some(failure) = self.over_memory(store) {
            return failure;
        }
        if let Some(I32Exit(status)) = error.downcast_ref() {
            return Failure::new(Code::Exited, format!("called exit({status}) instead of returning an Action"));
        }
        if error.downcast_ref::<Utf8Error>().is_some() {
            return Failure::new(Code::Action, "handed over text that is not valid UTF-8");
        }
        match error.downcast_ref::<Trap>() {
            Some(Trap::Interrupt) => return Failure::overdue(limit),
            Some(Trap::OutOfFuel) => {
                let fuel = self.limits.fuel.unwrap_or(u64::MAX);
                return Failure::new(Code::Fuel, format!("used up its fuel of {fuel}"));
            }
            Some(trap) => {
                if let Some(words) = last_words::read(error, store) {
                    return Failure::new(Code::Trap, format!("panicked: {words}"));
                }
                let place = last_words::function(error).map(|name| format!(" in `{name}`")).unwrap_or_default();
                return Failure::new(Code::Trap, format!("crashed: {}{place}", spell(*trap)));
            }
            None => {}
        }
        let text = one_line(error);
        if text.contains(HOSTCALL_FUEL) {
            let most = ByteSize(self.limits.output_bytes as u64);
            return Failure::new(Code::OutputSize, format!("returned more than {most}"));
        }
        let is_limit =
            error.downcast_ref::<ResourceTableError>().is_some() || LIMITS.iter().any(|sign| text.contains(sign));
        if is_limit {
            return Failure::new(Code::Limit, format!("went over a limit: {text}"));
        }
        if let Some((_, why)) = REFUSED_BY_SYSTEM.iter().find(|(sign, _)| text.contains(sign)) {
            return Failure::new(Code::Limit, format!("could not start: this process may not {why}"));
        }
        Failure::new(Code::Trap, format!("crashed: {text}"))
    }

    fn over_memory(&self, store: &Store<State>) -> Option<Failure> {
        match store.data().usage.refused()? {
            Refused::Memory(asked) => {
                let limit = ByteSize(self.limits.memory_bytes as u64);
                let asked = ByteSize(asked as u64);
                let advice = "raise its `limits.memory`, or make the call smaller";
                Some(Failure::new(Code::Memory, format!("asked for {asked} of memory; its limit is {limit}; {advice}")))
            }
            Refused::TableElements(asked) => {
                let limit = self.limits.table_elements;
                Some(Failure::new(Code::Limit, format!("asked for {asked} table elements; its limit is {limit}")))
            }
        }
    }
}

fn internal(error: wasmtime::Error) -> Failure {
    Failure::new(Code::Internal, format!("could not be set up: {error:#}"))
}

/// Creates the failure of a call that could not start, because too many calls were in progress for its whole time
/// limit.
fn busy(limit: Duration) -> Failure {
    let limit = humantime::format_duration(limit);
    Failure::new(Code::Timeout, format!("could not start within {limit}: too many calls are under way"))
}

/// The engine's wordings when the system refuses what a memory needs: address space, of which each memory reserves 4 GiB
/// and uses little, and a file without a name for its initial content. Each comes with what the process may not do.
const REFUSED_BY_SYSTEM: [(&str, &str); 2] = [
    ("mmap failed to reserve", "reserve enough memory; raise the limit on its address space (`ulimit -v`)"),
    ("File too large", "make a file for its memory; raise the limit on the size of files (`ulimit -f`)"),
];

/// wasmtime's wording of errors that have no type of their own. A test for each limit ties the texts to wasmtime's
/// version.
const HOSTCALL_FUEL: &str = "fuel allocated for hostcalls";
const LIMITS: [&str; 3] = ["handle limit exceeded", "resource limit exceeded", "exceeds limit"];

/// Returns the trap's message without its common prefix.
fn spell(trap: Trap) -> String {
    let text = trap.to_string();
    text.strip_prefix("wasm trap: ").map(str::to_owned).unwrap_or(text)
}
