//! `hookbox replay`: asks the hooks of a config about recorded events, and shows which decisions differ.

mod ask;
mod compare;
mod junit;
mod report;

use super::log::{lines_of, named_log};
use super::scope::Scope;
use super::{Exit, Format, FormatArg, print_json, render};
use anyhow::{Context, bail};
use clap::Args;
use compare::{Replayed, compare};
use hookbox::Code;
use report::Report;
use std::fs;
use std::path::PathBuf;
use std::time::Instant;

/// Ask the hooks of a config about recorded events, and show which decisions differ
///
/// Nothing runs that could have an effect: a shell hook, or a component with a store, the network or files, gives the
/// answer that the log has from it. Without one, the event cannot be judged.
///
/// Exit status: 0 if nothing that was denied or asked about would pass, 1 if something would, 2 if nothing could be
/// compared.
#[derive(Args)]
#[command(after_help = "Example:\n  \
    hookbox replay ~/.local/state/hookbox/decisions.jsonl --config new-hooks.toml")]
pub(super) struct Replay {
    /// The log; without it, the one that your config names
    log: Option<PathBuf>,

    /// Compare only what this hook decides
    #[arg(long, value_name = "HOOK")]
    hook: Option<String>,

    /// Fail also if an event cannot be judged
    #[arg(long)]
    strict_unknown: bool,

    /// Also write the results to this file, as JUnit XML
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,

    #[command(flatten)]
    format: FormatArg,

    #[command(flatten)]
    scope: Scope,
}

impl Replay {
    pub(super) fn exec(self) -> Exit {
        self.run().unwrap_or_else(|error| {
            render::error(&error);
            Exit::Unusable
        })
    }

    fn run(&self) -> anyhow::Result<Exit> {
        let log = match &self.log {
            Some(log) => log.clone(),
            None => named_log(&self.scope.of_user())?
                .context("there is no decision log: add `[log]` to your hooks.toml, or name the file of a log")?,
        };
        if !log.exists() {
            bail!("`{}` does not exist: a log is kept if your hooks.toml has a table `[log]`", log.display());
        }
        let started = Instant::now();
        let mut lines = Vec::new();
        for line in lines_of(&log)? {
            match line {
                Ok(line) => lines.push(line),
                Err(broken) => render::warning(Code::Log, &format!("a line of the log cannot be read: {broken}")),
            }
        }
        let loaded = self.scope.load()?;
        render::problems(&loaded.problems);
        if loaded.broken.is_some() {
            bail!("the config cannot be used, so nothing can be asked");
        }
        if let Some(hook) = &self.hook
            && !loaded.hooks.iter().any(|summary| summary.name == *hook)
        {
            bail!("the config has no hook `{hook}`");
        }
        let answers = ask::ask(&loaded, &lines, self.hook.as_deref())?;
        let rows: Vec<Replayed<'_>> =
            lines.iter().zip(answers).map(|(line, answer)| compare(line, answer, self.hook.as_deref())).collect();
        let report = Report::new(&rows, &loaded.digest, started.elapsed());
        if let Some(path) = &self.junit {
            fs::write(path, junit::xml(&report, &rows).context("the results cannot be written as XML")?)
                .with_context(|| format!("`{}` could not be written", path.display()))?;
        }
        match self.format.format {
            Format::Json => print_json(&report)?,
            Format::Text => report.print(),
        }
        Ok(match report {
            _ if report.compared() == 0 => {
                render::warning(Code::Log, "no event of the log could be compared");
                Exit::Unusable
            }
            _ if report.is_looser() || (self.strict_unknown && report.has_unknown()) => Exit::Failure,
            _ => Exit::Success,
        })
    }
}
