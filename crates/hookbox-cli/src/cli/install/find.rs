//! Finds hookbox in an agent's settings.

use super::call::Call;
use super::document;
use super::file::Before;
use super::loading::{Fault, faults};
use super::own::own_files;
use super::spots::{Spot, hidden_by, homes, spots};
use super::target::user_file;
use super::words::names_hookbox;
use super::{call, compare, entries, of_project};
use crate::cli::doctor::Started;
use hookbox::agent::{Agent, Entries, Kind, OwnFile, Settings};
use serde_json::Value;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The directories in which agents have their settings.
pub(in crate::cli) struct Places<'p> {
    pub(in crate::cli) home: &'p Path,
    /// Whether `home` is not the home directory of this process, so that the environment does not apply to it.
    pub(in crate::cli) is_other_home: bool,
    pub(in crate::cli) project: &'p Path,
}

impl Places<'_> {
    /// Whether a file belongs to the project, which must not decide what runs. It may also hold settings of the user,
    /// because variables can place these in the project.
    pub(super) fn is_projects(&self, file: &Path) -> bool {
        let is_in_home = self.home.starts_with(self.project) && file.starts_with(self.home);
        file.starts_with(self.project) && !is_in_home
    }
}

/// What was found in one settings file.
#[derive(Default)]
pub(in crate::cli) struct Found {
    pub(in crate::cli) path: PathBuf,
    /// Whether the file belongs to the project.
    pub(in crate::cli) is_projects: bool,
    /// The distinct commands and requests that call hookbox, and that may be tried.
    pub(in crate::cli) calls: Vec<Started>,
    /// The calls that may not be tried, each as a sentence that says why.
    pub(in crate::cli) untried: Vec<String>,
    /// The events for which the agent calls hookbox.
    pub(in crate::cli) asked: Vec<&'static str>,
    /// The events for which no command or request calls hookbox.
    pub(in crate::cli) missing: Vec<&'static str>,
    /// What else `hookbox install` would change.
    pub(in crate::cli) differences: Vec<String>,
    /// What keeps the agent from loading the file, or hookbox from adding to it.
    pub(in crate::cli) faults: Vec<Fault>,
    /// The entries of hookbox that the agent does not read in this file, and those that hide other hooks.
    pub(in crate::cli) misplaced: Vec<String>,
    /// Why the file cannot be used, as a sentence that names the file.
    pub(in crate::cli) unreadable: Option<String>,
}

/// Searches the settings of the user and those of the project. A call in the project's settings may only be tried if
/// `hookbox install --project` writes it, or if the user's own settings have it, too.
pub(in crate::cli) fn find(agent: &dyn Agent, settings: &Settings, places: &Places<'_>) -> Vec<Found> {
    let mut found = find_all(agent, settings, places);
    found.iter_mut().for_each(|found| found.is_projects = places.is_projects(&found.path));
    let (of_project, of_user): (Vec<&mut Found>, Vec<_>) = found.iter_mut().partition(|found| found.is_projects);
    let own: Vec<String> = of_user.iter().flat_map(|found| &found.calls).map(ToString::to_string).collect();
    of_project.into_iter().for_each(|found| found.leave_out_what_is_not(&own, agent));
    found
}

impl Found {
    /// Leaves out the commands and requests of a project that are neither the user's `own` nor what
    /// `hookbox install --project` writes.
    fn leave_out_what_is_not(&mut self, own: &[String], agent: &dyn Agent) {
        let is_known = |call: &Started| {
            let is_written = match call {
                // When this program was found, it was compared with what hookbox writes.
                Started::Program(..) => true,
                Started::Line(line, ..) => of_project::is_written(line, agent),
                Started::Request(_) => false,
            };
            is_written || own.contains(&call.to_string())
        };
        let (known, other): (Vec<_>, Vec<_>) = std::mem::take(&mut self.calls).into_iter().partition(is_known);
        self.calls = known;
        let path = self.path.display();
        let other = other.iter().map(|call| of_project::not_tried(&format!("`{call}` in `{path}`"), agent));
        self.untried.extend(other);
    }
}

fn find_all(agent: &dyn Agent, settings: &Settings, places: &Places<'_>) -> Vec<Found> {
    let Places { home, project, .. } = places;
    match settings {
        Settings::Entries(entries) => {
            let named = super::named_home(entries, places.is_other_home);
            let user = |entries: &Entries| entries.user_file(home, named.as_deref());
            let of_project = |entries: &Entries| project.join(entries.project);
            let mut found = at_level(agent, entries, user);
            if user(entries) != of_project(entries) {
                found.extend(at_level(agent, entries, of_project));
            }
            let known: Vec<PathBuf> = found.iter().map(|(path, _)| path.clone()).collect();
            let more = entries.files_with_switches(home, named.as_deref(), project).into_iter().map(|(path, _)| path);
            let is_more = |path: &PathBuf| !known.contains(path) && path.extension().is_some_and(|ext| ext == "json");
            // Hookbox does not have to be in these files.
            let mut more: Vec<Found> = more.filter(is_more).filter_map(|path| in_file(agent, entries, path)).collect();
            // A file with a header contains only hooks. The rules for loading it do not apply to these files, which are
            // settings.
            if !entries.header.is_empty() {
                more.iter_mut().for_each(|found| found.faults.clear());
            }
            let is_needed =
                |found: &Found| !(found.calls.is_empty() && found.untried.is_empty() && found.faults.is_empty());
            let more = more.into_iter().filter(is_needed);
            found.into_iter().filter_map(|(_, found)| found).chain(more).collect()
        }
        Settings::Files(files) => {
            let user = |own: &OwnFile| user_file(own, home, places.is_other_home);
            let of_user: Vec<_> = files.iter().map(|own| (own, user(own))).collect();
            let of_project = files.iter().map(|own| (own, project.join(own.project)));
            let of_project = of_project.filter(|(own, path)| *path != user(own)).collect();
            [of_user, of_project].into_iter().filter_map(|files| own_files(agent, files, places)).collect()
        }
        _ => Vec::new(),
    }
}

/// Returns what is in the files of a user or of a project, each with its path.
fn at_level(agent: &dyn Agent, entries: &Entries, path: impl Fn(&Entries) -> PathBuf) -> Vec<(PathBuf, Option<Found>)> {
    let others = entries.others.iter().map(|other| entries.in_other(other));
    let all = [*entries].into_iter().chain(others);
    let mut found: Vec<_> = all.map(|entries| (path(&entries), in_file(agent, &entries, path(&entries)))).collect();
    if let Ok(spots) = spots(entries, path)
        && spots.len() > 1
    {
        for (index, (_, found)) in found.iter_mut().enumerate() {
            if let Some(found) = found {
                look_behind(found, &spots, index, agent);
            }
        }
    }
    found
}

/// Finds the entries of hookbox in one of several files that another file hides, or that belong in another file.
fn look_behind(found: &mut Found, spots: &[Spot], index: usize, agent: &dyn Agent) {
    let homes = homes(spots, agent.name());
    for event in found.asked.clone() {
        let shown = |spot: &Spot| spot.before.path().display().to_string();
        if let Some(front) = hidden_by(spots, index, event, agent.name()) {
            found.misplaced.push(format!("{} reads `{event}` from `{}` in its place", agent.title(), shown(front)));
            found.asked.retain(|asked| *asked != event);
        } else if let Some((_, home)) = homes.iter().find(|(known, home)| *known == event && *home != index)
            && let Some(home) = spots.get(*home)
        {
            found.misplaced.push(format!("its `{event}` hides the hooks that `{}` has", shown(home)));
        }
    }
}

fn in_file(agent: &dyn Agent, entries: &Entries, path: PathBuf) -> Option<Found> {
    let before = match Before::read(&path) {
        Ok(before) if before.exists() => before,
        Ok(_) => return None,
        Err(error) => {
            let unreadable = Some(format!("{error:#}"));
            return Some(Found { path, unreadable, ..Found::default() });
        }
    };
    let text = before.text();
    if text.trim().is_empty() {
        return Some(Found { path, ..Found::default() });
    }
    match entries::calls(text, entries, agent.name()) {
        Ok(listed) => {
            let faults = faults(text, entries, agent.name());
            let is_loaded = !faults.iter().any(|fault| fault.stops_loading);
            let of = |is_there: bool| {
                listed.iter().filter(|(_, call)| call.is_some() == is_there).map(|(event, _)| *event).collect()
            };
            let (asked, missing) = (if is_loaded { of(true) } else { Vec::new() }, of(false));
            let mut calls: Vec<Call> = listed.into_iter().filter_map(|(_, call)| call).collect();
            calls.sort();
            calls.dedup();
            let differences = compare::differences(text, entries, agent.name());
            let mut found = Found { path, asked, missing, differences, faults, ..Found::default() };
            for call in calls {
                match call {
                    Call::Command(line) => found.calls.push(line_for(agent, line)),
                    Call::Http(url) if call::is_written(&url, agent.name()) => found.calls.push(Started::Request(url)),
                    Call::Http(url) => found.untried.push(call::not_asked(&url, agent.name())),
                }
            }
            Some(found)
        }
        Err(error) => {
            let shown = path.display();
            let unreadable =
                Some(format!("`{shown}` is not understood, and the agent may run without any hook: {error:#}"));
            Some(Found { path, unreadable, ..Found::default() })
        }
    }
}

/// Returns a problem for each command in these files that calls hookbox and does more, if one of hookbox's own hooks in
/// the same file calls it for the same event. Hooks in another file may be missing where this file counts.
pub(in crate::cli) fn asked_twice(agent: &dyn Agent, entries: &Entries, files: &[PathBuf]) -> Vec<String> {
    let in_file = |path: &PathBuf| {
        let before = Before::read(path).ok();
        let lines = before.map(|before| entries::beside_ours(before.text(), entries, agent.name()));
        let problem = |line: String| {
            format!(
                "`{line}` in `{}` calls hookbox for an event for which hookbox's own hook calls it, too, so that it is \
                 asked twice: take hookbox out of this line",
                path.display()
            )
        };
        lines.unwrap_or_default().into_iter().map(problem).collect::<Vec<String>>()
    };
    files.iter().flat_map(in_file).collect()
}

/// Returns what switches the agent's hooks off in its files. Files that were already `reported` as unreadable are left
/// out.
pub(in crate::cli) fn switched_off(
    agent: &dyn Agent,
    entries: &Entries,
    places: &Places<'_>,
    reported: &[PathBuf],
) -> Vec<String> {
    let named = super::named_home(entries, places.is_other_home);
    let files = entries.files_with_switches(places.home, named.as_deref(), places.project);
    let files = files.iter().filter(|(path, _)| !reported.contains(path));
    files.flat_map(|(path, switches)| in_switches(agent, switches, entries.shapes, path)).collect()
}

fn in_switches(agent: &dyn Agent, switches: &[(&str, bool)], shapes: &[(&str, Kind)], path: &Path) -> Vec<String> {
    let text = match Before::read(path) {
        Ok(before) if before.exists() => before.text().to_owned(),
        Ok(_) => return Vec::new(),
        Err(error) => return vec![format!("whether hooks are switched off is not known: {error:#}")],
    };
    if text.trim().is_empty() {
        return Vec::new();
    }
    let is_toml = path.extension().is_some_and(|extension| extension == "toml");
    let settings = if is_toml { document::toml_value(&text) } else { document::value(&text) };
    let Some(settings) = settings else {
        return vec![format!("`{}` is not understood, so that it may switch hooks off", path.display())];
    };
    let is_off = |pointer: &str, off: bool| match settings.pointer(pointer) {
        Some(Value::Array(names)) => {
            names.iter().filter_map(Value::as_str).any(|name| name == "hookbox" || names_hookbox(name, agent.name()))
        }
        Some(Value::Bool(is)) => is == &off,
        _ => false,
    };
    let dotted = |pointer: &str| pointer.trim_start_matches('/').replace('/', ".");
    let off = switches.iter().filter(|(pointer, off)| is_off(pointer, *off)).map(|(pointer, _)| dotted(pointer));
    let off = off.map(|name| format!("`{}` switches hooks off, by `{name}`", path.display()));
    let is_odd = |pointer: &str, kind: Kind| settings.pointer(pointer).is_some_and(|value| !is_of(kind, value));
    let odd = shapes.iter().filter(|(pointer, kind)| is_odd(pointer, *kind)).map(|(pointer, kind)| {
        let name = dotted(pointer);
        format!("`{}` switches the hooks of all files off: `{name}` is not {kind}", path.display())
    });
    off.chain(odd).collect()
}

fn is_of(kind: Kind, value: &Value) -> bool {
    match kind {
        Kind::List => value.is_array(),
        Kind::Object => value.is_object(),
        Kind::Text => value.is_string(),
        Kind::Number => value.is_number(),
        Kind::Flag => value.is_boolean(),
        _ => true,
    }
}

/// Returns how the agent starts this command: Codex in the user's login shell, all other agents in `sh`.
pub(super) fn line_for(agent: &dyn Agent, line: String) -> Started {
    match std::env::var_os("SHELL").filter(|_| agent.name() == "codex") {
        Some(shell) => Started::Line(line, shell, "-lc"),
        None => Started::Line(line, OsString::from("/bin/sh"), "-c"),
    }
}
