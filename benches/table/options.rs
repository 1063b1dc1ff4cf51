//! The command-line options.

use std::path::PathBuf;

const USAGE: &str = "usage: table [--hookbox PROGRAM] [NAME...]";

#[derive(Default)]
pub(crate) struct Options {
    /// The parts of names that select the rows to measure. If the list is empty, all rows are measured.
    names: Vec<String>,
    /// The `hookbox` to start.
    pub(crate) hookbox: Option<PathBuf>,
    /// The arguments of this process, if it is a child.
    pub(crate) child: Option<Vec<String>>,
}

impl Options {
    /// Reads the options from this program's command line.
    pub(crate) fn of_program() -> Result<Self, String> {
        let mut options = Options::default();
        // Cargo adds `--bench`.
        let mut args = std::env::args().skip(1).filter(|arg| arg != "--bench");
        while let Some(arg) = args.next() {
            match arg.as_str() {
                "--child" => options.child = Some(args.by_ref().collect()),
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
