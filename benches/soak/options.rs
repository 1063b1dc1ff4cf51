//! The command-line options.

const USAGE: &str = "usage: soak [--powers] [--calls N] [--tasks N]";

pub(crate) struct Options {
    /// The number of calls after the warm-up.
    pub(crate) calls: u64,
    /// The number of concurrent tasks.
    pub(crate) tasks: usize,
    /// Whether the hooks have a store and the network.
    pub(crate) powers: bool,
}

impl Options {
    /// Reads the options from this program's command line.
    pub(crate) fn of_program() -> Result<Self, String> {
        let mut options = Options { calls: 100_000, tasks: 64, powers: false };
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
        Ok(options)
    }

    /// The number of warm-up calls. By about 50,000, the allocator holds everything that it keeps; from then on, memory
    /// is flat.
    pub(crate) fn warm_up(&self) -> u64 {
        self.calls / 2
    }
}
