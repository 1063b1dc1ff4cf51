//! `hookbox check`: reports everything that is wrong with the config and its components.

use super::render::printable_line;
use super::scope::Scope;
use super::seen;
use super::{Exit, Format, FormatArg, print_json, print_line};
use clap::Args;
use hookbox::Code;
use hookbox::config::{Problem, Summary};
use serde::Serialize;
use std::path::PathBuf;

/// Check the config and its components; exit status 1 if anything is wrong
///
/// Reads every file, compiles every component and runs none, those of projects included; a script is read as each call
/// reads it, in its sandbox, and its hook is not called. It says if a project is not trusted, which is not an error,
/// and lists what components are granted.
#[derive(Args)]
#[command(after_help = "Example:\n  hookbox check hooks.toml")]
pub(super) struct Check {
    /// As --config FILE
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
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
    /// The grants of the hooks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    grants: Vec<Granted<'a>>,
    /// The places where a config was looked for, if none was found.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    searched: Vec<PathBuf>,
}

#[derive(Serialize)]
struct Granted<'a> {
    hook: &'a str,
    grants: &'a [String],
}

impl Check {
    pub(super) fn exec(mut self) -> anyhow::Result<Exit> {
        self.scope.name_files(self.files);
        let mut loaded = self.scope.load_everything()?;
        loaded.problems.extend(seen::gone(&self.scope));
        let found_nothing = loaded.files.is_empty() && loaded.problems.is_empty();
        let report = Report {
            files: &loaded.files,
            hooks: loaded.hooks.len(),
            problems: &loaded.problems,
            grants: loaded.hooks.iter().filter(|hook| !hook.grants.is_empty()).map(Granted::of).collect(),
            searched: if found_nothing { self.scope.loader()?.searched() } else { Vec::new() },
        };
        if self.format.format == Format::Json {
            print_json(&report)?;
        } else if found_nothing {
            let upward = self.scope.dialect().project_files(self.scope.app());
            let project = self.scope.project()?;
            let upward: Vec<PathBuf> = upward.iter().map(|name| project.join(name)).collect();
            print_line(&looked_for(&report.searched, &upward));
        } else {
            super::render::problems(report.problems);
            for Granted { hook, grants } in &report.grants {
                print_line(&format!("`{}` {}", printable_line(hook), printable_line(&grants.join("; "))));
            }
            print_line(&summary(&report));
        }
        Ok(if faults(&report) == 0 { Exit::Success } else { Exit::Failure })
    }
}

impl<'a> Granted<'a> {
    fn of(summary: &'a Summary) -> Self {
        Granted { hook: &summary.name, grants: &summary.grants }
    }
}

/// Returns the message that there is no config, with the places that were searched.
fn looked_for(files: &[PathBuf], upward: &[PathBuf]) -> String {
    let mut text = "no config found, so there is nothing to check; looked for".to_owned();
    for file in files {
        let above = if upward.contains(file) { ", and in the directories above" } else { "" };
        text.push_str(&format!("\n  {}{above}", printable_line(&file.display().to_string())));
    }
    text
}

/// Returns the number of problems with the config itself, not counting its trust, the cache, this system or the order
/// of hooks.
fn faults(report: &Report<'_>) -> usize {
    let besides = [Code::Untrusted, Code::Changed, Code::Cache, Code::Cage, Code::ConfigOrder];
    let is_fault = |problem: &&Problem| !besides.contains(&problem.code);
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
