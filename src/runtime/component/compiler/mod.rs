//! The compilation of components to machine code.
//!
//! The compiler is the part of the sandbox that reads every byte of a component, and a few kilobytes can make it run
//! for hours or use all memory. So it runs in a separate process, in a [cage] with limits and without access to
//! anything of value. A program that only calls hooks need not contain the compiler.
//!
//! An agent waits only a few seconds. If there is a cache, a longer compilation continues in the background, under a
//! [supervisor], and a later call finds the result.

mod attempt;
#[cfg(feature = "compiler")]
mod cage;
#[cfg(feature = "compiler")]
mod child;
#[cfg(feature = "compiler")]
mod cranelift;
mod parent;
mod program;
#[cfg(feature = "compiler")]
mod supervisor;
mod task;
mod turns;
mod wire;

use super::engines::Metering;
use super::unchecked::{NativeCode, VouchedProgram};
use crate::protocol::{Code, Failure};
pub(super) use attempt::CompileError;
use attempt::{cage_gaps, compile_with};
#[cfg(feature = "cross")]
pub(super) use cranelift::compile_for;
use parent::Patience;
use program::Program;
pub(super) use program::open_beside;
use std::fmt;
use std::time::{Duration, Instant};
pub(super) use turns::Made;
use wire::CageGaps;

#[cfg(feature = "compiler")]
pub use child::serve_if_asked;

/// The argument that makes a program the compiler. It is followed by the limits (seconds, and bytes of memory) and, if
/// the code is to count fuel, [`FUEL`].
const COMPILE: &str = "__compile";
const FUEL: &str = "fuel";

/// The argument that makes a program the supervisor of a compiler.
const SUPERVISE: &str = "__supervise";

/// The time after which a waiting caller is told that a compilation is in progress.
const SLOW: Duration = Duration::from_secs(1);

/// The name of the program that compiles for programs that do not contain the compiler. It is installed next to them.
const PROGRAM: &str = "hookbox-compiler";

/// The way in which components are compiled to machine code. Without a compiler, only components in the
/// [`Cache`](super::Cache) run.
#[derive(Clone)]
pub struct Compiler {
    who: Who,
    effort: Effort,
    /// The effort of a compilation once no one waits for it any more.
    background: Option<Effort>,
    /// The rest of the time that several components share, if they share one.
    left: Duration,
    /// Whether no one has vouched for the component.
    untrusted: bool,
    on_slow: fn(&str),
}

#[derive(Clone, Debug)]
enum Who {
    Nobody,
    /// The program that this process runs.
    #[cfg(feature = "compiler")]
    This,
    /// [`PROGRAM`], next to this program.
    Beside,
    Vouched(VouchedProgram),
    #[cfg(feature = "compiler")]
    InProcess,
}

/// The time and memory that compiling one component may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Effort {
    /// The wall time.
    pub time: Duration,
    /// The bytes of address space.
    pub memory_bytes: u64,
    /// Whether the caller waits until the compilation is done. If so, a component that was refused before is tried
    /// again, and the compilation ends when its time is over. Otherwise it continues in the
    /// [background](Compiler::background).
    pub retry: bool,
}

impl Effort {
    /// The effort while an agent waits: 10 s and 1 GiB. Components in Rust or C take less than a second.
    pub const EVENT: Effort = Effort { time: Duration::from_secs(10), memory_bytes: 1 << 30, retry: false };
    /// The effort while a person waits: 120 s and 2 GiB. The interpreters in JavaScript and Python hooks take ten
    /// seconds or more on two cores.
    pub const PATIENT: Effort = Effort { time: Duration::from_secs(120), memory_bytes: 2 << 30, retry: true };

    /// Sets the wall time.
    #[must_use]
    pub const fn with_time(self, time: Duration) -> Self {
        Effort { time, ..self }
    }

    /// Sets the bytes of address space.
    #[must_use]
    pub const fn with_memory_bytes(self, memory_bytes: u64) -> Self {
        Effort { memory_bytes, ..self }
    }

    /// Sets whether the caller waits until the compilation is done.
    #[must_use]
    pub const fn with_retry(self, retry: bool) -> Self {
        Effort { retry, ..self }
    }
}

impl Compiler {
    /// Uses no compiler: only components in the cache run.
    #[must_use]
    pub fn none() -> Self {
        Compiler::new(Who::Nobody)
    }

    /// Uses the program `hookbox-compiler` next to this one. It must not be a symlink. The program and its directory
    /// must belong to this user or root, and others must not be able to write to them.
    #[must_use]
    pub const fn beside_this_program() -> Self {
        Compiler::new(Who::Beside)
    }

    /// Uses this program itself, in a separate process. Its `main` must begin with [`serve_if_asked`]; otherwise there
    /// is no compiler.
    #[cfg(feature = "compiler")]
    #[must_use]
    pub fn this_program() -> Self {
        if child::is_ready() { Compiler::new(Who::This) } else { Compiler::none() }
    }

    pub(super) const fn vouched(program: VouchedProgram) -> Self {
        Compiler::new(Who::Vouched(program))
    }

    /// Uses the compiler inside this process, without any limits. Use this only for components that you have built or
    /// chosen: a hostile component can take down the process.
    #[cfg(feature = "compiler")]
    #[must_use]
    pub fn in_process_for_trusted_bytes() -> Self {
        Compiler::new(Who::InProcess)
    }

    /// Uses the best compiler available: this program if it contains the compiler and begins with [`serve_if_asked`],
    /// otherwise `hookbox-compiler` next to it.
    #[must_use]
    pub fn found() -> Self {
        #[cfg(feature = "compiler")]
        if child::is_ready() {
            return Compiler::this_program();
        }
        Compiler::beside_this_program()
    }

    const fn new(who: Who) -> Self {
        Compiler {
            who,
            effort: Effort::EVENT,
            background: Some(Effort::PATIENT),
            left: Duration::MAX,
            untrusted: false,
            on_slow: |_| {},
        }
    }

    /// Sets the effort of a compilation. Default: [`Effort::EVENT`].
    #[must_use]
    pub fn effort(self, effort: Effort) -> Self {
        Compiler { effort, ..self }
    }

    /// Sets the effort of a compilation in the background. Default: [`Effort::PATIENT`].
    ///
    /// If there is a [`Cache`](super::Cache) for the result, a compilation continues in the background once the time of
    /// its [`Effort`] is over: in a separate process for each component, at a low priority. With `None`, it ends
    /// instead.
    #[must_use]
    pub fn background(self, effort: Option<Effort>) -> Self {
        Compiler { background: effort, ..self }
    }

    /// Sets a function to call once a compilation has taken a second. The function gets the name of the component.
    #[must_use]
    pub fn on_slow(self, on_slow: fn(&str)) -> Self {
        Compiler { on_slow, ..self }
    }

    /// Returns the time that all components of a config share: an agent waits for all of them together, and a cloned
    /// project may have many. A caller with [`Effort::retry`] waits for each component.
    pub(crate) fn shared_time(&self) -> Duration {
        if self.effort.retry { Duration::MAX } else { self.effort.time }
    }

    /// Returns the same compiler for one component, with the rest of the time that several components share.
    /// `untrusted` says that no one vouched for the component.
    pub(super) fn for_component(&self, left: Duration, untrusted: bool) -> Self {
        Compiler { left, untrusted, ..self.clone() }
    }

    /// Returns the same compiler, for a caller that does not wait at all.
    pub(super) fn without_waiting(&self) -> Self {
        let effort = Effort { time: Duration::ZERO, ..self.effort };
        Compiler { effort, left: Duration::MAX, ..self.clone() }
    }

    /// Returns whether a compilation continues when its time is over, provided there is a cache.
    pub(super) const fn goes_on(&self) -> bool {
        self.is_process() && self.background.is_some() && !self.effort.retry
    }

    pub(super) const fn retries(&self) -> bool {
        self.effort.retry
    }

    /// Describes which parts of the compiler's cage the kernel lacks. Returns `None` if the cage is complete, or if
    /// there is no compiler process to ask. This starts the compiler to find out.
    #[must_use]
    pub fn cage_gaps(&self) -> Option<String> {
        let program = Program::find(&self.who).ok()?;
        let deadline = Instant::now() + Effort::EVENT.time;
        let patience = Patience { deadline, when_slow: (deadline, &|| {}), goes_on: false };
        let gaps = cage_gaps(&program, &Effort::EVENT, &patience)?;
        let named = [
            (CageGaps::LANDLOCK, "landlock, which keeps it from files"),
            (CageGaps::SECCOMP, "seccomp, which keeps it from all system calls that compiling does not need"),
            (CageGaps::SYSTEM, "a cage of system calls and files as Linux has it"),
        ];
        let missing: Vec<&str> = named.iter().filter(|(part, _)| gaps.lacks(*part)).map(|(_, words)| *words).collect();
        let list = missing.join("; and ");
        (!missing.is_empty())
            .then(|| format!("components are compiled without all of their cage: this system lacks {list}"))
    }

    /// Compiles a component, called `name` in messages, within the remaining time.
    pub(super) fn compile(&self, wasm: &[u8], metering: Metering, name: &str) -> Result<NativeCode, CompileError> {
        self.check_time()?;
        let now = Instant::now();
        let deadline = now + self.effort.time.min(self.left);
        let compiled = self.compile_until(deadline, wasm, metering, &|| (self.on_slow)(name));
        compiled.map_err(|error| match error {
            CompileError::Failed(_) if self.left < self.effort.time && Instant::now() >= deadline => {
                CompileError::Failed(others_took(self.effort.time))
            }
            error => error,
        })
    }

    fn compile_until(
        &self,
        deadline: Instant,
        wasm: &[u8],
        metering: Metering,
        when_slow: &dyn Fn(),
    ) -> Result<NativeCode, CompileError> {
        #[cfg(feature = "compiler")]
        if matches!(self.who, Who::InProcess) {
            return cranelift::compile(wasm, metering).map(NativeCode::compiled);
        }
        let program = Program::find(&self.who).map_err(CompileError::Failed)?;
        let patience = Patience { deadline, when_slow: (Instant::now() + SLOW, when_slow), goes_on: false };
        compile_with(&program, &self.effort, wasm, metering, &patience).map(NativeCode::compiled)
    }

    /// Checks that there is time left.
    ///
    /// # Errors
    /// Returns an error if other components used up the time.
    fn check_time(&self) -> Result<(), CompileError> {
        if self.left.is_zero() {
            return Err(CompileError::Failed(others_took(self.effort.time)));
        }
        Ok(())
    }
}

fn others_took(time: Duration) -> Failure {
    let time = humantime::format_duration(time);
    let message = format!("was not compiled: others took the {time} that there are for it; run `hookbox check` first");
    Failure::new(Code::Compile, message)
}

impl fmt::Debug for Compiler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Compiler").field("who", &self.who).field("effort", &self.effort).finish()
    }
}
