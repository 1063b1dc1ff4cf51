//! The selection of lines of the log.

use super::super::render;
use super::super::scope::{Scope, app_name};
use anyhow::{Context, bail};
use clap::Args;
use hookbox::Code;
use hookbox::record::{Line, Lines, read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The name of the decision of a monitor that would have denied.
const WOULD_DENY: &str = "would-deny";

/// The log, and which of its lines are meant.
#[derive(Args)]
pub(in crate::cli) struct Select {
    /// Read this log, in place of the one that the config names
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,

    /// Only what is not older than this (`30m`, `2h`, `7d`), than this day or than this time in RFC 3339
    #[arg(long, value_name = "AGE", value_parser = since)]
    since: Option<SystemTime>,

    /// Only events of this agent
    #[arg(long, value_name = "AGENT")]
    agent: Option<String>,

    /// Only events about which this hook was asked
    #[arg(long, value_name = "HOOK")]
    hook: Option<String>,

    /// Only events that ended so; `would-deny`: a monitor would have denied
    #[arg(long, value_name = "DECISION", value_parser = ["allow", "deny", "ask", "modify", "none", WOULD_DENY])]
    decision: Option<String>,

    /// Only calls of this tool
    #[arg(long, value_name = "TOOL")]
    tool: Option<String>,

    #[command(flatten)]
    place: Place,
}

/// Where the user's config is, which names the log.
#[derive(Args)]
struct Place {
    /// Read this file in place of the usual config files; may be given again
    #[arg(long, value_name = "FILE")]
    config: Vec<PathBuf>,

    /// The app whose config files are read: `~/.config/<APP>/` and `.<APP>/`
    #[arg(long, default_value = "hookbox", value_parser = app_name)]
    app: String,

    /// The user's home directory, in place of $HOME
    #[arg(long, value_name = "DIR")]
    home: Option<PathBuf>,
}

fn since(text: &str) -> Result<SystemTime, String> {
    if let Some(time) = time(text).or_else(|| time(&format!("{text}T00:00:00"))) {
        return Ok(time);
    }
    let age = humantime::parse_duration(text)
        .map_err(|_| "not an age such as `2h`, a day such as `2026-11-23`, or a time in RFC 3339".to_owned())?;
    SystemTime::now().checked_sub(age).ok_or_else(|| "that is before time began".to_owned())
}

/// Parses a time in RFC 3339. Without an offset, it is in UTC.
fn time(text: &str) -> Option<SystemTime> {
    let text = text.to_ascii_uppercase();
    if let Ok(time) = humantime::parse_rfc3339_weak(&text) {
        return Some(time);
    }
    let (local, offset) = text.split_at_checked(text.len().checked_sub("+00:00".len())?)?;
    let local = humantime::parse_rfc3339_weak(local).ok()?;
    let (sign, offset) = offset.split_at_checked(1)?;
    let offset = humantime::parse_rfc3339_weak(&format!("1970-01-01T{offset}:00")).ok()?;
    let offset = offset.duration_since(SystemTime::UNIX_EPOCH).ok()?;
    match sign {
        "+" => local.checked_sub(offset),
        "-" => local.checked_add(offset),
        _ => None,
    }
}

/// Returns the path of the log that the config of this scope names, if it names one.
///
/// # Errors
/// Returns an error if it is not known where configs are.
pub(in crate::cli) fn named_log(scope: &Scope) -> anyhow::Result<Option<PathBuf>> {
    Ok(scope.loader()?.log_settings().map(|settings| settings.file))
}

/// Opens a log.
///
/// # Errors
/// Returns an error if its directory cannot be read, or if it is a directory itself.
pub(in crate::cli) fn lines_of(file: &Path) -> anyhow::Result<Lines> {
    if file.is_dir() {
        bail!("`{}` is a directory, not a log", file.display());
    }
    read(file).with_context(|| format!("`{}` cannot be read", file.display()))
}

impl Select {
    /// Returns the scope of the config that names the log.
    pub(in crate::cli) fn scope(&self) -> Scope {
        let Place { config, app, home } = &self.place;
        let mut scope = Scope::of_place(app.clone(), home.clone(), None, None);
        scope.name_files(config.clone());
        scope
    }

    /// Returns the path of the log.
    ///
    /// # Errors
    /// Returns an error if no config asks for a log.
    fn file(&self) -> anyhow::Result<PathBuf> {
        match &self.log {
            Some(file) => std::path::absolute(file).context("the current directory is unknown"),
            None => named_log(&self.scope())?
                .context("there is no decision log: add `[log]` to your hooks.toml, or name a file with --log"),
        }
    }

    /// Opens the log, and returns its lines, oldest first.
    pub(in crate::cli) fn open(&self) -> anyhow::Result<Lines> {
        let file = self.file()?;
        if self.log.is_some() && !file.exists() {
            bail!("`{}` does not exist", file.display());
        }
        lines_of(&file)
    }

    /// Returns the name of the hook, if one is named.
    pub(in crate::cli) fn hook(&self) -> Option<&str> {
        self.hook.as_deref()
    }

    /// Whether a line is selected.
    pub(in crate::cli) fn wants(&self, line: &Line) -> bool {
        let is = |wanted: &Option<String>, text: Option<&str>| wanted.as_deref().is_none_or(|want| text == Some(want));
        let tool = line.tool.as_ref().and_then(|tool| tool.name.as_deref());
        let is_new = |since: &SystemTime| humantime::parse_rfc3339(&line.time).is_ok_and(|time| time >= *since);
        self.since.as_ref().is_none_or(is_new)
            && is(&self.agent, line.agent.as_deref())
            && is(&self.tool, tool)
            && self.hook.as_ref().is_none_or(|hook| line.hooks.iter().any(|asked| asked.name == *hook))
            && match self.decision.as_deref() {
                None => true,
                Some(WOULD_DENY) => would_deny(line).is_some() || (!line.applied && line.verdict == "deny"),
                Some(decision) => line.verdict == decision,
            }
    }

    /// Returns the selected lines, oldest first. Reports on stderr which lines are broken and how many are missing.
    pub(in crate::cli) fn lines(&self) -> anyhow::Result<Vec<Line>> {
        let mut reader = self.open()?;
        let mut tally = Tally::default();
        let lines = reader.by_ref().filter_map(|line| tally.note(line)).filter(|line| self.wants(line)).collect();
        tally.tell();
        Ok(lines)
    }
}

/// Returns the first monitor that would have denied.
pub(super) fn would_deny(line: &Line) -> Option<&str> {
    let denies = line.hooks.iter().find(|hook| !hook.enforce && hook.decision == "deny");
    denies.map(|hook| hook.name.as_str())
}

/// The tally of what is wrong with the log.
#[derive(Default)]
pub(super) struct Tally {
    lost: u64,
}

impl Tally {
    pub(super) fn note(&mut self, line: Result<Line, hookbox::record::BrokenLine>) -> Option<Line> {
        match line {
            Ok(line) => {
                self.lost = self.lost.saturating_add(line.lost);
                Some(line)
            }
            Err(broken) => {
                render::warning(Code::Log, &format!("a line of the log cannot be read: {broken}"));
                None
            }
        }
    }

    pub(super) fn tell(&self) {
        if self.lost > 0 {
            let lost = self.lost;
            render::warning(Code::Log, &format!("missing in this log, since they could not be written: {lost}"));
        }
    }
}
