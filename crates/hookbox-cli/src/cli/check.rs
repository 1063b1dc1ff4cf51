//! `hookbox check`: everything that is wrong with the config and its components.

use super::scope::Scope;
use super::{Exit, Format, FormatArg, print_json, print_line};
use clap::Args;
use hookbox::Code;
use hookbox::config::Problem;
use serde::Serialize;
use std::path::PathBuf;

/// Check the config and its components; exit status 1 if anything is wrong
///
/// Reads every file, compiles every component and runs none, those of projects included; a script is read as each call reads
/// it, in its sandbox, and its hook is not called. That a project is not trusted is
/// said, but nothing is wrong with its config.
#[derive(Args)]
#[command(after_help = "Example:\n  hookbox check --config hooks.toml")]
pub(super) struct Check {
    #[command(flatten)]
    scope: Scope,
    #[command(flatten)]
    format: FormatArg,
}

#[derive(Serialize)]
struct Report<'a> {
    files: &'a [PathBuf],
    hooks: usize,
    problems: &'a [Problem],
}

impl Check {
    pub(super) fn exec(self) -> anyhow::Result<Exit> {
        let loaded = self.scope.load_everything()?;
        let report = Report { files: &loaded.files, hooks: loaded.hooks.len(), problems: &loaded.problems };
        if self.format.format == Format::Json {
            print_json(&report)?;
        } else {
            super::render::problems(report.problems);
            print_line(&summary(&report));
        }
        Ok(if faults(&report) == 0 { Exit::Success } else { Exit::Failure })
    }
}

/// How many problems are about the config, and not about the trust in it, the cache or this system.
fn faults(report: &Report<'_>) -> usize {
    let is_fault =
        |problem: &&Problem| !matches!(problem.code, Code::Untrusted | Code::Changed | Code::Cache | Code::Cage);
    report.problems.iter().filter(is_fault).count()
}

fn summary(report: &Report<'_>) -> String {
    let count = |number: usize, word: &str| match number {
        1 => format!("1 {word}"),
        number => format!("{number} {word}s"),
    };
    let problems = match faults(report) {
        0 => "no problems".to_owned(),
        number => count(number, "problem"),
    };
    format!("{} in {}: {problems}", count(report.hooks, "hook"), count(report.files.len(), "file"))
}
