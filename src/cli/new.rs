//! `hookbox new`: a project to begin with.

use super::{Exit, print_line};
use clap::Args;
use hookbox::author::{self, Language};
use std::path::PathBuf;

/// Make a new folder with a small hook that works, its test cases, and all that building it takes
#[derive(Args)]
#[command(after_help = "Example:\n  hookbox new no-force-push --lang rust")]
pub(super) struct New {
    /// The hook's name, and the folder to make: small letters, digits and `-`
    #[arg(value_name = "NAME")]
    name: PathBuf,
    /// The language to write it in
    #[arg(long, value_enum, value_name = "LANGUAGE")]
    lang: Language,
}

impl New {
    pub(super) fn exec(self) -> anyhow::Result<Exit> {
        let files = author::create(&self.name, self.lang)?;
        let dir = self.name.display();
        print_line(&format!("made {dir} with {} files", files.len()));
        print_line("");
        print_line("Next:");
        for (command, what) in [
            (format!("cd {dir}"), format!("the rule is in {}, its cases in cases.toml", self.lang.source())),
            ("hookbox test".to_owned(), "runs the cases in the sandbox".to_owned()),
            ("hookbox build".to_owned(), "makes the component and shows the entry for hooks.toml".to_owned()),
        ] {
            print_line(&format!("  {command:<30} # {what}"));
        }
        Ok(Exit::Success)
    }
}
