//! The command-line options.

const USAGE: &str = "usage: soak [--powers] [--calls N] [--tasks N]";

/// The default numbers of calls: of hooks without powers, and of hooks with powers, which take many times as long.
const CALLS: u64 = 100_000;
const CALLS_WITH_POWERS: u64 = 20_000;

/// The numbers of calls that are enough to judge resident memory. With fewer calls, pools and allocators do not yet hold
/// all the memory that they keep. Hooks with powers need fewer calls. Some of their memory is allocated by SQLite, so only
/// resident memory shows it.
const ENOUGH_CALLS: u64 = 50_000;
const ENOUGH_CALLS_WITH_POWERS: u64 = 10_000;

pub(crate) struct Options {
    /// The number of calls after the warm-up.
    pub(crate) calls: u64,
    /// The number of concurrent tasks.
    pub(crate) tasks: usize,
    /// Whether the hooks have a store and network access.
    pub(crate) powers: bool,
}

impl Options {
    /// Reads the options from this program's command line.
    pub(crate) fn of_program() -> Result<Self, String> {
        let mut options = Options { calls: 0, tasks: 64, powers: false };
        // Cargo adds `--bench`.
        let mut args = std::env::args().skip(1).filter(|arg| arg != "--bench");
        while let Some(name) = args.next() {
            if name == "--powers" {
                options.powers = true;
                continue;
            }
            let number = args.next().and_then(|number| number.parse::<u32>().ok()).filter(|number| *number > 0);
            match (name.as_str(), number) {
                ("--calls", Some(calls)) => options.calls = calls.into(),
                ("--tasks", Some(tasks)) => options.tasks = usize::try_from(tasks).unwrap_or(usize::MAX),
                ("--calls" | "--tasks", None) => return Err(format!("`{name}` takes a number\n{USAGE}")),
                _ => return Err(format!("unknown option `{name}`\n{USAGE}")),
            }
        }
        if options.calls == 0 {
            options.calls = if options.powers { CALLS_WITH_POWERS } else { CALLS };
        }
        Ok(options)
    }

    /// Returns the number of calls in a round of the warm-up.
    pub(crate) fn round(&self) -> u64 {
        self.calls / 2
    }

    /// Whether there are enough calls to judge resident memory.
    pub(crate) fn judges_resident(&self) -> bool {
        self.calls >= if self.powers { ENOUGH_CALLS_WITH_POWERS } else { ENOUGH_CALLS }
    }
}
