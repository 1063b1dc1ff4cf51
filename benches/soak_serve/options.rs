//! The command-line options.

use std::path::PathBuf;
use std::time::Duration;

const USAGE: &str = "usage: soak_serve --hookbox PATH [--seconds N] [--connections N]";

pub(crate) struct Options {
    pub(crate) hookbox: PathBuf,
    /// The duration of the run after the warm-up.
    pub(crate) time: Duration,
    pub(crate) connections: usize,
}

impl Options {
    /// Reads the options from this program's command line.
    pub(crate) fn of_program() -> Result<Self, String> {
        let (mut hookbox, mut seconds, mut connections) = (None, 300, 64);
        // Cargo adds `--bench`.
        let mut args = std::env::args().skip(1).filter(|arg| arg != "--bench");
        while let Some(name) = args.next() {
            let value = args.next().ok_or_else(|| format!("`{name}` takes a value\n{USAGE}"))?;
            let number = || value.parse::<u32>().ok().filter(|number| *number > 0);
            match (name.as_str(), number()) {
                ("--hookbox", _) => hookbox = Some(PathBuf::from(value)),
                ("--seconds", Some(number)) => seconds = number,
                ("--connections", Some(number)) => connections = number,
                ("--seconds" | "--connections", None) => return Err(format!("`{name}` takes a number\n{USAGE}")),
                _ => return Err(format!("unknown option `{name}`\n{USAGE}")),
            }
        }
        let hookbox = hookbox.ok_or_else(|| format!("`--hookbox` says where the program is\n{USAGE}"))?;
        let time = Duration::from_secs(seconds.into());
        let connections = usize::try_from(connections).unwrap_or(usize::MAX);
        Ok(Options { hookbox: std::path::absolute(hookbox).map_err(|error| error.to_string())?, time, connections })
    }

    /// Returns the duration of the warm-up, after which the resources of the servers are judged.
    pub(crate) fn warm_up(&self) -> Duration {
        self.time / 4
    }
}
