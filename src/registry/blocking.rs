//! A blocking runner of events, for programs without a Tokio runtime.

use super::Registry;
use crate::protocol::{Event, Input, Outcome};
use crate::runtime::Caller;
use std::convert::Infallible;
use std::future::{Future, pending};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};
use tokio::runtime::{Builder, Runtime, RuntimeFlavor};

/// A runner for the events of a [`Registry`], for a program without a Tokio runtime. Each call blocks its thread until
/// the event is decided. Share the value behind an `Arc`, or clone it: clones share the runtime.
///
/// Pure hooks run on the calling thread, without a runtime. A runtime is started when the first hook needs it; async
/// hooks keep running in it between calls.
///
/// Do not call [`run`](Blocking::run) from a Tokio task, because it would block the task's runtime. Await
/// [`Registry::run`] there.
///
/// ```
/// use hookbox::{Action, Blocking, Event, Input, NativeHook, Registry, Verdict};
///
/// let registry = Registry::new();
/// registry.register(NativeHook::new("guard", [Event::PreTool], |_| Ok(Action::deny("no"))))?;
/// let hooks = Blocking::new(registry);
/// let outcome = hooks.run(Input::pre_tool("bash", r#"{"command":"ls"}"#)?)?;
/// assert_eq!(outcome.verdict, Verdict::Deny);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Blocking {
    registry: Arc<Registry>,
    runtime: Arc<Mutex<Option<Arc<Runtime>>>>,
}

impl Blocking {
    /// Creates a runner for the hooks of this registry.
    #[must_use]
    pub fn new(registry: impl Into<Arc<Registry>>) -> Self {
        Blocking { registry: registry.into(), runtime: Arc::default() }
    }

    /// Returns the registry.
    #[must_use]
    pub const fn registry(&self) -> &Arc<Registry> {
        &self.registry
    }

    /// Like [`Registry::run`].
    ///
    /// # Errors
    /// Returns an error if a hook needs a runtime and the system cannot provide one. Nothing was decided, so the event
    /// must not go on.
    pub fn run(&self, input: impl Into<Box<Input>>) -> io::Result<Outcome> {
        self.run_for(input, Caller::unbounded())
    }

    /// Like [`Registry::run_for`].
    ///
    /// # Errors
    /// Returns an error in the same cases as [`run`](Blocking::run).
    pub fn run_for(&self, input: impl Into<Box<Input>>, caller: &Caller) -> io::Result<Outcome> {
        let Ok(outcome) = self.run_unless(input, caller, pending::<Infallible>())?;
        Ok(outcome)
    }

    /// Like [`run_for`](Blocking::run_for), unless `interrupt` is ready first. The event is then given up, every
    /// process that it started is ended, and the result of `interrupt` is returned as the inner error.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`run`](Blocking::run).
    pub fn run_unless<T>(
        &self,
        input: impl Into<Box<Input>>,
        caller: &Caller,
        interrupt: impl Future<Output = T>,
    ) -> io::Result<Result<Outcome, T>> {
        let input = input.into();
        let event = input.event;
        let mut run = self.registry.run_for(input, caller);
        // Pure hooks usually answer on the first poll, and starting a runtime takes as long as calling them.
        if self.registry.only_computes(event)
            && let Poll::Ready(outcome) = Pin::new(&mut run).poll(&mut Context::from_waker(Waker::noop()))
        {
            return Ok(Ok(outcome));
        }
        let runtime = self.runtime()?;
        // An interrupted event must be dropped inside the runtime, which then waits for the processes that it killed.
        Ok(runtime.block_on(async move {
            tokio::select! {
                // `biased` makes sure that a pending interrupt is handled before the first process is started.
                biased;
                interrupted = interrupt => Err(interrupted),
                outcome = run => Ok(outcome),
            }
        }))
    }

    /// Like [`Registry::close`]. Does nothing if no hook ever needed a runtime.
    pub fn close(&self) -> usize {
        self.close_unless(pending())
    }

    /// Like [`close`](Blocking::close), but ends all async hooks immediately when `interrupt` is ready.
    pub fn close_unless(&self, interrupt: impl Future<Output = ()>) -> usize {
        let Some(runtime) = self.lock().take() else { return 0 };
        let left = runtime.block_on(async {
            tokio::select! {
                left = self.registry.close() => left,
                () = interrupt => 0,
            }
        });
        if let Some(runtime) = Arc::into_inner(runtime) {
            // Do not wait for the threads: a file operation of an abandoned component may hang forever.
            runtime.shutdown_background();
        }
        left
    }

    fn runtime(&self) -> io::Result<Arc<Runtime>> {
        let mut runtime = self.lock();
        // Async hooks keep running between calls, which takes a thread. Without async hooks, the calling threads
        // suffice. The first async hook may have been registered since the last call.
        let needs_thread = Event::ALL.iter().any(|event| self.registry.has_async(*event));
        let fits = |made: &Runtime| !needs_thread || made.handle().runtime_flavor() == RuntimeFlavor::MultiThread;
        if let Some(made) = runtime.as_ref().filter(|made| fits(made)) {
            return Ok(Arc::clone(made));
        }
        let mut builder = if needs_thread { Builder::new_multi_thread() } else { Builder::new_current_thread() };
        builder.worker_threads(1).thread_name("hookbox-async").enable_all();
        // Tokio panics if the system has no descriptor for its signals or no thread for its worker.
        let built = catch_unwind(AssertUnwindSafe(|| builder.build()));
        let too_few = |_| Err(io::Error::other("there are too few descriptors or threads to run hooks with"));
        let made = Arc::new(built.unwrap_or_else(too_few)?);
        if let Some(old) = runtime.replace(Arc::clone(&made)).and_then(Arc::into_inner) {
            old.shutdown_background();
        }
        Ok(made)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<Arc<Runtime>>> {
        self.runtime.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
