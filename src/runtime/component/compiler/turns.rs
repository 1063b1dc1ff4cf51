//! Compilations whose result is stored in the cache. One process compiles and the others wait. The compiling process
//! may outlive the caller that asked for it.

use super::super::cache::{Cache, CodeKey, Turn};
use super::super::unchecked::NativeCode;
use super::attempt::{CompileError, Supervised, compile_in_background};
use super::parent::Patience;
use super::program::Program;
use super::task::Task;
use super::{Compiler, Effort, SLOW, Who};
use std::fs::File;
use std::io;
use std::thread;
use std::time::{Duration, Instant};

/// The interval at which to check whether another process has finished.
const POLL: Duration = Duration::from_millis(20);

/// The time that compiling WebAssembly takes, in seconds per megabyte: measured for Python's interpreter on two cores.
const SECONDS_PER_MEGABYTE: f64 = 0.75;

/// The result for a component.
pub(in super::super) enum Made<T> {
    /// Another process stored the component's code, or the fact that the component is refused.
    Known(T),
    Code(NativeCode),
}

impl Compiler {
    /// Compiles a component, called `name` in messages, and stores the result in the cache. `look` finds what other
    /// processes have stored in the cache in the meantime.
    pub(in super::super) fn compile_and_keep<T>(
        &self,
        cache: &Cache,
        key: &CodeKey,
        wasm: &[u8],
        name: &str,
        look: impl Fn() -> Option<T>,
    ) -> Result<Made<T>, CompileError> {
        self.check_time()?;
        let began = Instant::now();
        let mut job =
            Job { cache, key, wasm, name, deadline: began + self.effort.time.min(self.left), slow: began + SLOW };
        let compile_now = || keep(cache, key, self.compile(wasm, key.metering, name)).map(Made::Code);
        if !self.is_process() {
            return compile_now();
        }
        loop {
            let so_far = match cache.take_turn(key) {
                Ok(Turn::Ours(lock)) => {
                    // The previous holder of the turn may have just stored a result.
                    if let Some(known) = look() {
                        cache.end_turn(key);
                        return Ok(Made::Known(known));
                    }
                    match self.compile_in_turn(&job, lock)? {
                        InTurn::Made(code) => return Ok(Made::Code(code)),
                        InTurn::GoesOn => began.elapsed(),
                        InTurn::NotYet(so_far) => so_far,
                    }
                }
                Ok(Turn::Theirs(so_far)) => match look() {
                    Some(known) => return Ok(Made::Known(known)),
                    None => so_far,
                },
                // Without the cache, nothing can continue in the background, and no other process would find the
                // result.
                Err(error) => {
                    cache.note(&error);
                    return compile_now();
                }
            };
            let now = Instant::now();
            if now >= job.deadline {
                let limit = self.background.unwrap_or(self.effort).time;
                return Err(CompileError::failed(still_compiling(so_far, wasm.len(), limit)));
            }
            if now >= job.slow {
                (self.on_slow)(name);
                job.slow = job.deadline;
            }
            thread::sleep(POLL.min(job.deadline - now));
        }
    }

    /// Returns whether the compiler is a separate process.
    pub(super) const fn is_process(&self) -> bool {
        match self.who {
            Who::Beside | Who::Vouched(_) => true,
            Who::Nobody => false,
            #[cfg(feature = "compiler")]
            Who::This => true,
            #[cfg(feature = "compiler")]
            Who::InProcess => false,
        }
    }

    /// Compiles during this process's turn.
    fn compile_in_turn(&self, job: &Job<'_>, lock: File) -> Result<InTurn, CompileError> {
        let Job { cache, key, wasm, .. } = job;
        match self.background.filter(|_| !self.effort.retry) {
            Some(effort) => self.compile_supervised(job, effort, lock),
            None => {
                let compiled = self.compile_until(job.deadline, wasm, key.metering, &|| (self.on_slow)(job.name));
                let kept = keep(cache, key, compiled);
                cache.end_turn(key);
                drop(lock);
                kept.map(InTurn::Made)
            }
        }
    }

    fn compile_supervised(&self, job: &Job<'_>, effort: Effort, lock: File) -> Result<InTurn, CompileError> {
        let Job { cache, key, wasm, .. } = job;
        // The supervisor takes the turn for untrusted components itself. Checking here first avoids starting it in
        // vain.
        if self.untrusted
            && let Ok(Turn::Theirs(so_far)) = cache.take_untrusted_turn()
        {
            cache.end_turn(key);
            return Ok(InTurn::NotYet(so_far));
        }
        let program = Program::find(&self.who).map_err(|failure| {
            cache.end_turn(key);
            CompileError::Failed(failure)
        })?;
        let task = Task {
            effort,
            patience: job.deadline.saturating_duration_since(Instant::now()),
            untrusted: self.untrusted,
            key: **key,
            cache: cache.path().to_owned(),
            state: cache.state_dir().to_owned(),
        };
        let when_slow = || (self.on_slow)(job.name);
        let patience = Patience { deadline: job.deadline, when_slow: (job.slow, &when_slow), goes_on: true };
        let (made, fault) = compile_in_background(&program, &task, wasm, lock, &patience);
        if let Some(fault) = fault {
            cache.note(&io::Error::other(fault));
        }
        // The supervisor ended its own turn. If it was killed, the next process to take the turn reuses the file that
        // it left.
        Ok(match made? {
            Supervised::Code(code) => InTurn::Made(NativeCode::compiled(code)),
            Supervised::Overdue => InTurn::GoesOn,
            Supervised::Busy => InTurn::NotYet(Duration::ZERO),
        })
    }
}

/// A component to compile.
struct Job<'a> {
    cache: &'a Cache,
    key: &'a CodeKey,
    wasm: &'a [u8],
    name: &'a str,
    /// The time until which the caller waits.
    deadline: Instant,
    /// The time at which the caller is told why it waits.
    slow: Instant,
}

/// The result of a turn to compile.
enum InTurn {
    Made(NativeCode),
    /// The deadline has passed, but the compilation has not finished.
    GoesOn,
    /// Another component must be compiled first, which has taken this long so far.
    NotYet(Duration),
}

/// Stores the result of a compilation, if other processes can use it.
fn keep(cache: &Cache, key: &CodeKey, compiled: Result<NativeCode, CompileError>) -> Result<NativeCode, CompileError> {
    match &compiled {
        Ok(code) => cache.keep_code(key, code.bytes().unwrap_or_default()),
        Err(CompileError::Refused(failure)) => cache.keep_failure(key, failure),
        Err(CompileError::Failed(_)) => {}
    }
    compiled
}

/// Describes how much longer a compilation will take. Size is a poor predictor, so the estimate is given only until it
/// proves wrong.
fn still_compiling(so_far: Duration, bytes: usize, limit: Duration) -> String {
    #[allow(clippy::cast_precision_loss, reason = "an estimate")]
    let expected = Duration::from_secs_f64(bytes as f64 / 1e6 * SECONDS_PER_MEGABYTE);
    let rest = match expected.checked_sub(so_far) {
        Some(rest) => format!("try again in about {} s", rest.as_secs() + 1),
        None => format!("it ends within {} s", limit.saturating_sub(so_far).as_secs() + 1),
    };
    format!("is still being compiled ({} s so far), and its calls are denied until then: {rest}", so_far.as_secs())
}
