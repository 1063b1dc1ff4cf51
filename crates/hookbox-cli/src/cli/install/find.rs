//! Where hookbox stands in an agent's settings.

use super::entries;
use super::file::Before;
use crate::cli::doctor::Started;
use hookbox::agent::{Agent, Settings};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// What is in one settings file.
pub(in crate::cli) struct Found {
    pub(in crate::cli) path: PathBuf,
    /// The different commands that ask hookbox.
    pub(in crate::cli) commands: Vec<Started>,
    /// The events for which no command does.
    pub(in crate::cli) missing: Vec<&'static str>,
    /// Why the file is of no use.
    pub(in crate::cli) fault: Option<String>,
}

/// Looks into the settings of the user, and into those of the project.
pub(in crate::cli) fn find(agent: &dyn Agent, settings: &Settings, home: &Path, project: &Path) -> Vec<Found> {
    match settings {
        Settings::Entries(entries) => {
            let mut paths = vec![home.join(entries.user), project.join(entries.project)];
            paths.dedup();
            paths.into_iter().filter_map(|path| in_file(agent, entries, path)).collect()
        }
        Settings::Files(files) => {
            let places = [files.iter().map(|own| home.join(own.user)).collect::<Vec<_>>(), {
                files.iter().map(|own| project.join(own.project)).collect()
            }];
            let found = places.into_iter().filter_map(|paths| {
                let (there, gone): (Vec<_>, Vec<_>) = paths.into_iter().partition(|path| path.is_file());
                let first = there.first()?.clone();
                let is_program = files.iter().any(|own| own.is_program);
                let commands = if is_program {
                    there.into_iter().map(Started::Program).collect()
                } else {
                    plugin_command(&first).into_iter().collect()
                };
                let missing = if gone.is_empty() { Vec::new() } else { vec!["all of its events"] };
                Some(Found { path: first, commands, missing, fault: None })
            });
            found.collect()
        }
        _ => Vec::new(),
    }
}

fn in_file(agent: &dyn Agent, entries: &hookbox::agent::Entries, path: PathBuf) -> Option<Found> {
    let before = match Before::read(&path) {
        Ok(before) if before.exists() => before,
        Ok(_) => return None,
        Err(error) => {
            let fault = Some(format!("cannot be read: {error:#}"));
            return Some(Found { path, commands: Vec::new(), missing: Vec::new(), fault });
        }
    };
    match entries::commands(before.text(), entries, agent.name()) {
        Ok(listed) => {
            let missing = listed.iter().filter(|(_, command)| command.is_none()).map(|(event, _)| *event).collect();
            let mut lines: Vec<String> = listed.into_iter().filter_map(|(_, command)| command).collect();
            lines.sort();
            lines.dedup();
            let commands = lines.into_iter().map(|line| line_for(agent, line)).collect();
            let fault = entries::is_off(before.text()).then(|| "switches all hooks off".to_owned());
            Some(Found { path, commands, missing, fault })
        }
        Err(error) => {
            let fault = Some(format!("is not understood, and the agent may run without any hook: {error:#}"));
            Some(Found { path, commands: Vec::new(), missing: Vec::new(), fault })
        }
    }
}

/// Codex starts its commands in the user's login shell, all others in `sh`.
fn line_for(agent: &dyn Agent, line: String) -> Started {
    match std::env::var_os("SHELL").filter(|_| agent.name() == "codex") {
        Some(shell) => Started::Line(line, shell, "-lc"),
        None => Started::Line(line, OsString::from("sh"), "-c"),
    }
}

/// The command in a plugin of hookbox's: `const [program, ...args] = ["…","hook","opencode"]`.
fn plugin_command(path: &Path) -> Option<Started> {
    let text = std::fs::read_to_string(path).ok()?;
    let list = text.lines().find_map(|line| line.strip_prefix("const [program, ...args] = "))?;
    let words: Vec<String> = serde_json::from_str(list).ok()?;
    Some(Started::Line(super::line(&words), OsString::from("sh"), "-c"))
}
