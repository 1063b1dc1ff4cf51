//! Hookbox's own files among those of an agent: programs and plugins.

use super::file::Before;
use super::find::{Found, Places, line_for};
use super::{line, of_project};
use crate::cli::doctor::Started;
use anyhow::Context;
use hookbox::agent::{Agent, COMMAND, OwnFile};
use std::path::PathBuf;

/// Returns the content of one of hookbox's own files with this command.
///
/// # Errors
/// Returns an error if the command has no JSON form.
pub(super) fn content(own: &OwnFile, command: &[String]) -> anyhow::Result<String> {
    let list = serde_json::to_string(command).context("the command has no JSON form")?;
    let [in_shell, in_json] = COMMAND;
    Ok(own.content.replace(in_shell, &line(command)).replace(in_json, &list))
}

/// Whether hookbox has written a file with this text, which may have been changed since.
pub(super) fn is_own(text: &str, agent: &dyn Agent) -> bool {
    text.contains(&format!("Written by `hookbox install {}`", agent.name()))
}

/// Returns what hookbox's own files of a user or of a project contain, or `None` if there are no such files.
pub(super) fn own_files(agent: &dyn Agent, files: Vec<(&OwnFile, PathBuf)>, places: &Places<'_>) -> Option<Found> {
    let read = |(own, path): (_, PathBuf)| {
        let text = Before::read(&path).map(|before| before.text().to_owned()).unwrap_or_default();
        (own, path, text)
    };
    let (there, gone): (Vec<_>, Vec<_>) = files.into_iter().map(read).partition(|(.., text)| is_own(text, agent));
    let (_, first, _) = there.first()?;
    let mut found = Found { path: first.clone(), ..Found::default() };
    for (own, path, text) in there {
        let command = command_in(&text, own);
        if places.is_projects(&path) && !command.as_ref().is_some_and(|line| of_project::is_written(line, agent)) {
            found.untried.push(of_project::not_tried(&format!("`{}`", path.display()), agent));
            continue;
        }
        match command {
            Some(line) if own.is_program => found.calls.push(Started::Program(path, line)),
            Some(line) => found.calls.push(line_for(agent, line)),
            // The command does not say what a changed file does.
            None => found.differences.push(format!("`{}` was changed", path.display())),
        }
    }
    if gone.is_empty() {
        found.asked = agent.own_events().to_vec();
    } else {
        found.missing = vec!["all of its events"];
    }
    Some(found)
}

/// Returns the command in one of hookbox's own files, as a line for a shell, or `None` if the rest of the file is not
/// as hookbox writes it.
fn command_in(text: &str, own: &OwnFile) -> Option<String> {
    let between = |mark: &str| {
        let (head, tail) = own.content.split_once(mark)?;
        text.strip_prefix(head)?.strip_suffix(tail).filter(|command| !command.contains('\n'))
    };
    let [in_shell, in_json] = COMMAND;
    if let Some(line) = between(in_shell) {
        return Some(line.to_owned());
    }
    let words: Vec<String> = serde_json::from_str(between(in_json)?).ok()?;
    Some(line(&words))
}
