//! Who turns components into machine code.
//!
//! The compiler is the part of the sandbox that looks at every byte of a component, and a few kilobytes can make it run
//! for hours or take all memory. So it runs in a process of its own, which has limits and nothing to lose, and a program
//! that only calls hooks need not contain it.

#[cfg(feature = "compiler")]
mod child;
#[cfg(feature = "compiler")]
mod cranelift;
mod parent;

use super::engines::Metering;
use super::unchecked::NativeCode;
use crate::protocol::{Code, Failure};
use std::env;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

#[cfg(feature = "compiler")]
pub use child::serve_if_asked;

/// The argument that makes a program the compiler. Behind it stand the limits (seconds, and bytes of memory) and, if the
/// code is to count it, [`FUEL`].
const COMPILE: &str = "__compile";
const FUEL: &str = "fuel";

/// Its exit status when stdout does not have machine code but the reason why there is none.
const REFUSED: i32 = 3;

/// The program that compiles for one that does not contain the compiler; it stands beside it.
const PROGRAM: &str = "hookbox-compiler";

/// Who turns components into machine code. Without one, only what is in the [`Cache`](super::Cache) runs.
#[derive(Clone)]
pub struct Compiler {
    who: Who,
    effort: Effort,
    /// What is left of the time that several components share, if they do.
    left: Duration,
    on_slow: fn(&str),
}

#[derive(Clone, Debug)]
enum Who {
    Nobody,
    Program(PathBuf),
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
    /// Whether a component whose compilation failed within the last hour is tried again.
    pub retry: bool,
}

impl Effort {
    /// While an agent waits: 10 s and 1 GiB. Programs in Rust or C take less than a second.
    pub const EVENT: Effort = Effort { time: Duration::from_secs(10), memory_bytes: 1 << 30, retry: false };
    /// While a person waits: 120 s and 2 GiB. The interpreters inside of JavaScript and Python hooks take ten seconds or
    /// more of two cores.
    pub const PATIENT: Effort = Effort { time: Duration::from_secs(120), memory_bytes: 2 << 30, retry: true };
}

/// Why there is no machine code.
#[derive(Debug)]
pub(super) enum CompileError {
    /// The compiler refused the component, or could not manage it: it would do so again.
    Refused(Failure),
    /// It did not come to an end in time.
    Overdue(Failure),
    /// There is no compiler, or it could not be started.
    Unavailable(Failure),
}

impl CompileError {
    pub(super) fn into_failure(self) -> Failure {
        match self {
            CompileError::Refused(failure) | CompileError::Overdue(failure) | CompileError::Unavailable(failure) => {
                failure
            }
        }
    }
}

impl Compiler {
    /// No compiler: only what is in the cache runs.
    #[must_use]
    pub fn none() -> Self {
        Compiler::new(Who::Nobody)
    }

    /// A program that is called with a component on its stdin, as `hookbox-compiler` is, and never with anything secret.
    pub fn program(path: impl Into<PathBuf>) -> Self {
        Compiler::new(Who::Program(path.into()))
    }

    /// The program `hookbox-compiler` beside this one.
    #[must_use]
    pub fn beside_this_program() -> Self {
        env::current_exe()
            .map_or_else(|_| Compiler::none(), |program| Compiler::program(program.with_file_name(PROGRAM)))
    }

    /// This program itself, in a process of its own. Its `main` has to begin with [`serve_if_asked`]; where it does not,
    /// there is no compiler.
    #[cfg(feature = "compiler")]
    #[must_use]
    pub fn this_program() -> Self {
        match env::current_exe() {
            Ok(program) if child::is_ready() => Compiler::program(program),
            _ => Compiler::none(),
        }
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
        Compiler { who, effort: Effort::EVENT, left: Duration::MAX, on_slow: |_| {} }
    }

    /// What a compilation may use up, in place of [`Effort::EVENT`].
    #[must_use]
    pub fn effort(self, effort: Effort) -> Self {
        Compiler { effort, ..self }
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

    /// The same compiler, with this much left of the time that several components share.
    pub(super) fn with_left(&self, left: Duration) -> Self {
        Compiler { left, ..self.clone() }
    }

    pub(super) const fn retries(&self) -> bool {
        self.effort.retry
    }

    /// Compiles a component, which messages call `name`.
    pub(super) fn compile(&self, wasm: &[u8], metering: Metering, name: &str) -> Result<NativeCode, CompileError> {
        if self.left.is_zero() {
            return Err(CompileError::Unavailable(others_took(self.effort.time)));
        }
        match &self.who {
            Who::Nobody => Err(CompileError::Unavailable(Failure::new(
                Code::Compile,
                "was not compiled: this program has no compiler",
            ))),
            Who::Program(program) => {
                let effort = Effort { time: self.effort.time.min(self.left), ..self.effort };
                let compiled = parent::compile(program, &effort, wasm, metering, &|| (self.on_slow)(name));
                // With the whole time it might have come to an end, so that this says nothing of the component.
                compiled.map_err(|error| match error {
                    CompileError::Overdue(_) if effort.time < self.effort.time => {
                        CompileError::Unavailable(others_took(self.effort.time))
                    }
                    error => error,
                })
            }
            #[cfg(feature = "compiler")]
            Who::InProcess => {
                cranelift::compile(wasm, metering).map(NativeCode::compiled).map_err(CompileError::Refused)
            }
        }
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
