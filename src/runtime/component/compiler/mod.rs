//! Who turns components into machine code.
//!
//! The compiler is the part of the sandbox that looks at every byte of a component, and a few kilobytes can make it run
//! for hours or take all memory. So it runs in a process of its own, in a [cage] with limits and nothing to lose, and a
//! program that only calls hooks need not contain it.
//!
//! An agent waits for seconds at most. Where there is a cache, a compilation that takes longer goes on without it, under a
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
use parent::Patience;
use program::Program;
use std::fmt;
use std::time::{Duration, Instant};
pub(super) use turns::Made;
use wire::CageGaps;

#[cfg(feature = "compiler")]
pub use child::serve_if_asked;

/// The argument that makes a program the compiler. Behind it stand the limits (seconds, and bytes of memory) and, if the
/// code is to count it, [`FUEL`].
const COMPILE: &str = "__compile";
const FUEL: &str = "fuel";

/// The argument that makes a program the supervisor of a compiler.
const SUPERVISE: &str = "__supervise";

/// When whoever waits should be told why.
const SLOW: Duration = Duration::from_secs(1);

/// The program that compiles for one that does not contain the compiler; it stands beside it.
const PROGRAM: &str = "hookbox-compiler";

/// Who turns components into machine code. Without one, only what is in the [`Cache`](super::Cache) runs.
#[derive(Clone)]
pub struct Compiler {
    who: Who,
    effort: Effort,
    /// What it may use up once nobody waits any more.
    background: Option<Effort>,
    /// What is left of the time that several components share, if they do.
    left: Duration,
    /// Whether nobody has vouched for the component.
    untrusted: bool,
    on_slow: fn(&str),
}

#[derive(Clone, Debug)]
enum Who {
    Nobody,
    /// The program of this process.
    #[cfg(feature = "compiler")]
    This,
    /// [`PROGRAM`] beside it.
    Beside,
    Vouched(VouchedProgram),
    #[cfg(feature = "compiler")]
    InProcess,
}

/// What the compilation of one component may use up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Wall time.
    pub time: Duration,
    /// Bytes of address space.
    pub memory_bytes: u64,
    /// Whether somebody waits until it is done. A component whose bytes were refused before is then tried again, and the
    /// compilation ends when its time is over. If not, it goes on in the [background](Compiler::background).
    pub retry: bool,
}

impl Effort {
    /// While an agent waits: 10 s and 1 GiB. Programs in Rust or C take less than a second.
    pub const EVENT: Effort = Effort { time: Duration::from_secs(10), memory_bytes: 1 << 30, retry: false };
    /// While a person waits: 120 s and 2 GiB. The interpreters inside of JavaScript and Python hooks take ten seconds or
    /// more of two cores.
    pub const PATIENT: Effort = Effort { time: Duration::from_secs(120), memory_bytes: 2 << 30, retry: true };
}

impl Compiler {
    /// No compiler: only what is in the cache runs.
    #[must_use]
    pub fn none() -> Self {
        Compiler::new(Who::Nobody)
    }

    /// The program `hookbox-compiler` beside this one. It and its directory must belong to this user or root, and others must
    /// not be able to write to them; it must not be a link.
    #[must_use]
    pub const fn beside_this_program() -> Self {
        Compiler::new(Who::Beside)
    }

    /// This program itself, in a process of its own. Its `main` has to begin with [`serve_if_asked`]; where it does not,
    /// there is no compiler.
    #[cfg(feature = "compiler")]
    #[must_use]
    pub fn this_program() -> Self {
        if child::is_ready() { Compiler::new(Who::This) } else { Compiler::none() }
    }

    pub(super) const fn vouched(program: VouchedProgram) -> Self {
        Compiler::new(Who::Vouched(program))
    }

    /// The compiler inside of this process, without any limit. For components that the caller has made or chosen: hostile
    /// ones can take the process down.
    #[cfg(feature = "compiler")]
    #[must_use]
    pub fn in_process_for_trusted_bytes() -> Self {
        Compiler::new(Who::InProcess)
    }

    /// The best that this program has: itself if it contains the compiler and begins with [`serve_if_asked`], or else
    /// `hookbox-compiler` beside it.
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

    /// What a compilation may use up, in place of [`Effort::EVENT`].
    #[must_use]
    pub fn effort(self, effort: Effort) -> Self {
        Compiler { effort, ..self }
    }

    /// What a compilation may use up in the background, where it goes on when the time of its [`Effort`] is over and there is
    /// a [`Cache`](super::Cache) for its result: in a process of its own, at a low priority, one for each component. In
    /// place of [`Effort::PATIENT`]; `None` ends it with its time.
    #[must_use]
    pub fn background(self, effort: Option<Effort>) -> Self {
        Compiler { background: effort, ..self }
    }

    /// What is to be done once a compilation has taken a second. It gets to know what is compiled.
    #[must_use]
    pub fn on_slow(self, on_slow: fn(&str)) -> Self {
        Compiler { on_slow, ..self }
    }

    /// The time that all components of a config share: an agent waits for all of them together, and a clone may bring many.
    /// Whoever is patient waits for each.
    pub(crate) fn shared_time(&self) -> Duration {
        if self.effort.retry { Duration::MAX } else { self.effort.time }
    }

    /// The same compiler, with this much left of the time that several components share, for a component that somebody
    /// vouched for or not.
    pub(super) fn for_component(&self, left: Duration, untrusted: bool) -> Self {
        Compiler { left, untrusted, ..self.clone() }
    }

    /// The same compiler, for somebody who does not wait at all.
    pub(super) fn without_waiting(&self) -> Self {
        let effort = Effort { time: Duration::ZERO, ..self.effort };
        Compiler { effort, left: Duration::MAX, ..self.clone() }
    }

    /// Whether a compilation goes on when its time is over, if there is a cache.
    pub(super) const fn goes_on(&self) -> bool {
        self.is_process() && self.background.is_some() && !self.effort.retry
    }

    pub(super) const fn retries(&self) -> bool {
        self.effort.retry
    }

    /// What the kernel does not give for the cage in which components are compiled, in words; `None` if it is whole, or if
    /// there is no process that would have one. It starts the compiler to find out.
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

    /// Compiles a component, which messages call `name`, in the time that there is.
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

    /// # Errors
    /// Other components took the time.
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
