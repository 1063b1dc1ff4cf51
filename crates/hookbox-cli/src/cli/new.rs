//! `hookbox new`: creates a hook project.

use super::{Exit, print_line};
use crate::author::{self, Language};
use clap::Args;
use std::path::PathBuf;

/// Make a new folder with a small hook that works, its test cases, and all that building it takes
#[derive(Args)]
#[command(after_help = "Example:\n  hookbox new no-force-push --lang rust")]
pub(super) struct New {
    /// The folder to make, named like the hook: lowercase letters, digits and `-`
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
        let (rule, enter) = (self.lang.source(), format!("cd {dir}"));
        let install =
            (self.lang == Language::TypeScript).then_some(("npm install", "brings esbuild, and tsc for your editor"));
        let build = if self.lang == Language::JavaScript {
            "only for a component: README.md has the entry for the script"
        } else {
            "makes the component and shows the entry for hooks.toml"
        };
        let steps = [
            Some((enter.as_str(), &*format!("the rule is in {rule}, its cases in cases.toml"))),
            install,
            Some(("hookbox test", "runs the cases in the sandbox")),
            Some(("hookbox build", build)),
        ];
        for (command, what) in steps.into_iter().flatten() {
            print_line(&format!("  {command:<30} # {what}"));
        }
        Ok(Exit::Success)
    }
}
