//! What the program is told to do.

use std::path::PathBuf;

const USAGE: &str = "usage: table [--record] [--hookbox PROGRAM] [NAME...]";

#[derive(Default)]
pub(crate) struct Options {
    /// What the wanted rows' names contain, one of them; none: all rows.
    names: Vec<String>,
    /// Whether what is compared with its like of another day is written down.
    pub(crate) record: bool,
    /// The `hookbox` that is started.
    pub(crate) hookbox: Option<PathBuf>,
    /// What this process does for the one that it is a child of.
    pub(crate) child: Option<Vec<String>>,
}

impl Options {
    /// The options on the command line of this program.
    pub(crate) fn of_program() -> Result<Self, String> {
        let mut options = Options::default();
        // Cargo adds `--bench`.
        let mut args = std::env::args().skip(1).filter(|arg| arg != "--bench");
        while let Some(arg) = args.next() {
            match arg.as_str() {
                "--child" => options.child = Some(args.by_ref().collect()),
                "--record" => options.record = true,
                "--hookbox" => match args.next() {
                    Some(program) => options.hookbox = Some(program.into()),
                    None => return Err(format!("`--hookbox` takes a program\n{USAGE}")),
                },
                option if option.starts_with('-') => return Err(format!("unknown option `{option}`\n{USAGE}")),
                _ => options.names.push(arg),
            }
        }
        Ok(options)
    }

    pub(crate) fn wants(&self, name: &str) -> bool {
        self.names.is_empty() || self.names.iter().any(|wanted| name.contains(wanted))
    }
}
