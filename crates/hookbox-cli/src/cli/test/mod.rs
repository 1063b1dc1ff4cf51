//! `hookbox test`: runs cases, and checks the hook's answers.

mod junit;
mod listen;
mod report;

use super::run::interrupted;
use super::subject::{Found, Stopped, SubjectArgs};
use super::{Exit, Format, FormatArg, output, print_json, render};
use crate::author::cases::{Actual, Case, Cases, FILE_NAMES, Mismatch, STORE, Update, update};
use crate::author::{Network, Recorder, Workbench, Wrote};
use anyhow::{Context, anyhow, bail};
use clap::Args;
use hookbox::Json;
use report::Report;
use serde::Serialize;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Ask a hook about its cases, and show where its answers differ
///
/// The cases are in `cases.toml` beside the hook, or in `cases.jsonl`. Each is asked in a chain of its own, with the
/// sandbox and the limits of the engine. A hook that fails is never what a case expects, unless it names the error.
/// With -v every case is listed, with -vv what happens is logged.
///
/// Exit status: 0 if all cases passed, 1 if one failed, 2 if none could be asked (bad usage, cases or a config that cannot be
/// read, a hook that cannot run).
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    hookbox test no-force-push\n  \
    hookbox test --command 'python3 old-hook.py' --cases cases.toml --update")]
pub(super) struct Test {
    #[command(flatten)]
    subject: SubjectArgs,

    /// The cases, in place of `cases.toml` or `cases.jsonl` beside the hook
    #[arg(long, value_name = "FILE")]
    cases: Option<PathBuf>,

    /// Only the cases whose name contains this
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,

    /// Send the hook's requests, in place of answering them from the cases
    #[arg(long)]
    live: bool,

    /// Write into the cases what the hook answers: `expect`, `reason` and `modified`; with --live also what the network answers:
    /// `http`. Nothing else changes
    #[arg(long)]
    update: bool,

    /// Also write the results to this file, as JUnit XML
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,

    #[command(flatten)]
    format: FormatArg,
}

/// The result of a case.
struct Row<'c> {
    case: &'c Case,
    given: Actual,
    mismatches: Vec<Mismatch>,
    wrote: Vec<Wrote>,
    took: Duration,
    status: Status,
}

impl Row<'_> {
    /// Returns the reason for a different decision, if the case does not check the reason.
    fn why_otherwise(&self) -> Option<String> {
        let differs = |what: &str| self.mismatches.iter().any(|mismatch| mismatch.what == what);
        let why = self.given.why().filter(|_| differs("decision") && !differs("reason"));
        why.map(|why| Json::string(why).as_str().to_owned())
    }
}

/// The status of a case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Status {
    Passed,
    Failed,
    /// These keys of the case were changed.
    #[serde(serialize_with = "as_updated")]
    Updated(Vec<&'static str>),
}

fn as_updated<S: serde::Serializer>(_: &[&'static str], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str("updated")
}

impl Test {
    pub(super) fn exec(self, verbose: u8) -> Exit {
        self.run(verbose).unwrap_or_else(Stopped::exit)
    }

    fn run(&self, verbose: u8) -> Result<Exit, Stopped> {
        let found = self.subject.find()?;
        let cases = self.read_cases(&found)?;
        if self.update && self.cases.is_none() {
            stays_within(found.subject.dir(), &cases.file.path)?;
        }
        let wanted = |case: &&Case| self.filter.as_ref().is_none_or(|text| case.name.contains(text.as_str()));
        let chosen: Vec<&Case> = cases.cases.iter().filter(wanted).collect();
        if chosen.is_empty() {
            let text = self.filter.as_deref().unwrap_or_default();
            return Err(anyhow!("no case has a name with {text:?} in it, so that nothing would be checked").into());
        }
        let started = Instant::now();
        let mut rows = self.ask(&found, &chosen, verbose)?;
        let took = started.elapsed();
        if self.update {
            record(&cases, &mut rows)?;
        }
        let report = Report {
            hook: found.subject.name(),
            file: found.shown(&cases.file.path),
            rows: &rows,
            left_out: cases.cases.len() - chosen.len(),
            took,
        };
        if let Some(path) = &self.junit {
            fs::write(path, junit::xml(&report).context("the results cannot be written as XML")?)
                .with_context(|| format!("`{}` could not be written", path.display()))?;
        }
        match self.format.format {
            Format::Json => report.lines().iter().try_for_each(print_json)?,
            Format::Text => report.print(verbose > 0)?,
        }
        Ok(if report.failed() == 0 { Exit::Success } else { Exit::Failure })
    }

    fn read_cases(&self, found: &Found) -> Result<Cases, Stopped> {
        let dir = found.subject.dir();
        let path = match &self.cases {
            Some(path) => path.clone(),
            None => {
                let mut files = FILE_NAMES.iter().map(|name| dir.join(name));
                let message = || {
                    let dir = dir.display();
                    anyhow!("no `cases.toml` and no `cases.jsonl` in `{dir}`: write one, or name a file with --cases")
                };
                files.find(|file| file.exists()).ok_or_else(message)?
            }
        };
        Cases::read(&path, self.update).map_err(|problems| {
            render::problems(&problems);
            Stopped::Told
        })
    }

    /// Asks the hook about each case in turn. What a shell hook leaves behind is visible to the next case.
    fn ask<'c>(&self, found: &Found, cases: &[&'c Case], verbose: u8) -> Result<Vec<Row<'c>>, Stopped> {
        let recorder = Arc::new(Recorder::default());
        // With `-vv`, the log already contains what the hook writes.
        let _listening = (verbose < 2).then(|| listen::listen(&recorder));
        let cached = (!self.subject.no_cache).then(|| found.cached_loader(&recorder)).flatten();
        let loader = cached.unwrap_or_else(|| found.loader(&recorder));
        let refused = |failure: hookbox::Failure| {
            render::message(failure.code, &format!("hook `{}` {}", found.subject.name(), failure.message));
            Stopped::Told
        };
        let network = if self.live { Network::Live } else { Network::Case };
        let mut bench = Workbench::new(&loader, &found.subject, &found.cwd, network).map_err(refused)?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().context("no runtime")?;
        let ended = runtime.block_on(async {
            let all = async {
                let mut rows = Vec::with_capacity(cases.len());
                for case in cases {
                    let trial = bench.ask(case).await?;
                    let expectation = case.expectation.as_ref();
                    let mut mismatches =
                        expectation.map_or_else(Vec::new, |expected| expected.mismatches(&trial.given));
                    mismatches.extend(case.powers.mismatch(trial.stored.as_ref()));
                    let status = if mismatches.is_empty() { Status::Passed } else { Status::Failed };
                    let wrote = recorder.take();
                    rows.push(Row { case, given: trial.given, mismatches, wrote, took: trial.took, status });
                }
                Ok(rows)
            };
            tokio::select! {
                biased;
                // Cancelling a case ends every process that it has started.
                signal = interrupted() => Err(Stopped::Error(anyhow!("ended by {signal}"))),
                rows = all => rows.map_err(refused),
            }
        });
        // Waiting for the runtime could block forever on a file operation of a cancelled guest.
        runtime.shutdown_background();
        ended
    }
}

/// Makes sure that no link leads from a hook's cases out of its folder. The author of the folder must not be able to
/// make hookbox change a file elsewhere.
fn stays_within(dir: &Path, cases: &Path) -> anyhow::Result<()> {
    let real = cases.canonicalize().with_context(|| format!("`{}` cannot be reached", cases.display()))?;
    let dir = dir.canonicalize().with_context(|| format!("`{}` cannot be reached", dir.display()))?;
    if !real.starts_with(dir) {
        bail!("`{}` is a link to `{}`: name that file with --cases to update it", cases.display(), real.display());
    }
    Ok(())
}

/// Writes the actual answers into the file of cases.
fn record(cases: &Cases, rows: &mut [Row<'_>]) -> Result<(), Stopped> {
    let came: Vec<(&Case, &Actual)> = rows.iter().map(|row| (row.case, &row.given)).collect();
    let path = &cases.file.path;
    let failed = |why: String| anyhow!("`{}` could not be updated: {why}", path.display());
    let (text, updates) = update(cases, &came).map_err(failed)?;
    if text != cases.file.text {
        output::write(path, text.as_bytes()).map_err(|error| failed(error.to_string()))?;
    }
    for (row, update) in rows.iter_mut().zip(updates) {
        row.status = match update {
            // The case keeps its status, because its store may still differ.
            Update::None => continue,
            Update::Changed(_) if row.mismatches.iter().any(|mismatch| mismatch.what == STORE) => {
                row.given.notes.push("not updated: `store.after`, which is yours to say".to_owned());
                Status::Failed
            }
            Update::Changed(keys) => Status::Updated(keys),
            Update::Refused(why) => {
                row.given.notes.push(format!("not updated: {why}"));
                Status::Failed
            }
        };
    }
    Ok(())
}
