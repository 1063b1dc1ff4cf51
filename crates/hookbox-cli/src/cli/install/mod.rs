//! `hookbox install` and `hookbox uninstall`: set up hookbox as the hook of an agent, and remove it again.

mod base;
mod call;
mod compare;
mod document;
mod entries;
mod file;
mod find;
mod loading;
mod merge;
mod of_project;
mod own;
mod program;
mod record;
mod shell;
mod spots;
mod target;
mod words;

use super::ask::{self, Consent};
use super::{Exit, diff, print_line, render};
use anyhow::{Context, bail};
pub(super) use base::{Base, Lock};
use call::Calls;
#[cfg(feature = "listen")]
pub(super) use call::TOKEN;
pub(super) use call::proxy_warning;
use clap::Args;
pub(super) use compare::place;
pub(super) use document::toml_value;
pub(super) use file::{Before, Change};
pub(super) use find::{Found, Places, asked_twice, find, switched_off};
use hookbox::Code;
use hookbox::agent::{self, Agent, Settings};
use program::Program;
pub(super) use program::is_same;
use record::Records;
pub(super) use shell::commands;
use spots::Spot;
use std::path::PathBuf;
use target::{Place, named_home};
pub(super) use target::{is_set_up, no_home, project_root, repository_root};
pub(super) use words::is_program;

/// Make hookbox the hook of an agent
///
/// Adds `hookbox hook AGENT` to the agent's own settings, after showing what changes. Everything else in them stays as
/// it is, and hookbox keeps what they were. Settings that the agent would not load are not changed: the message says
/// what to fix. If an agent can be told to stop a tool when its hook fails, it is.
#[derive(Args)]
#[command(after_help = "Example:\n  hookbox install claude")]
pub(super) struct Install {
    #[command(flatten)]
    place: Place,

    /// Have the agent ask `hookbox serve` at this URL, such as `http://127.0.0.1:8787`, in place of a command
    #[cfg(feature = "listen")]
    #[arg(long, value_name = "URL", value_parser = call::server)]
    http: Option<std::net::SocketAddr>,
}

/// Remove hookbox from the hooks of an agent
///
/// If the settings are as `hookbox install` left them, they become what they were before, to the byte. If they were changed
/// since, hookbox's entries are taken out, with the lists that are then empty, and all else stays.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  hookbox uninstall claude\n  hookbox uninstall --all    # before hookbox itself is removed"
)]
#[command(mut_arg("agent", |agent| agent.required(false).required_unless_present("all")))]
pub(super) struct Uninstall {
    #[command(flatten)]
    place: Place,

    /// All agents
    #[arg(long, conflicts_with = "agent")]
    all: bool,
}

/// Returns the agents that hookbox can be installed for.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    agent::all().iter().filter(|agent| agent.settings().is_some()).map(|agent| agent.name())
}

impl Install {
    /// Returns the command for an agent, which asks no questions.
    pub(super) const fn for_agent(agent: String, project: bool, home: Option<PathBuf>) -> Self {
        let place = Place { agent: Some(agent), user: !project, project, yes: true, home };
        Install {
            place,
            #[cfg(feature = "listen")]
            http: None,
        }
    }

    pub(super) fn exec(self) -> anyhow::Result<Exit> {
        let Place { project, yes, .. } = &self.place;
        let (agent, settings) = settings_of(self.place.agent()?)?;
        // A project's settings name a program that is looked up in each user's `PATH`.
        let program = if *project { Program::by_name() } else { Program::this()? };
        let mut command = vec![program.path, "hook".to_owned(), agent.name().to_owned()];
        if !project {
            command.extend(self.place.arguments()?);
        }
        #[cfg(feature = "listen")]
        let http = self.http;
        #[cfg(not(feature = "listen"))]
        let http = None;
        let calls = Calls::new(line(&command), http, agent)?;
        let base = self.place.base(agent)?;
        let records = self.place.records();
        // Without a question, the lock can be held from reading to writing, so that nothing changes in between.
        let lock = if *yes { base.lock() } else { None };
        let mut changes = Vec::new();
        match settings {
            Settings::Entries(entries) => {
                let spots = self.place.spots(entries, agent)?;
                tell_of_the_users(&spots, agent, "so that hookbox is asked twice: take hookbox out of this line");
                changes = added(spots, agent, &calls, &records)?;
            }
            Settings::Files(files) => {
                for own in files {
                    let before = self.place.own(own, agent)?;
                    let content = own::content(own, &command)?;
                    changes.push(Change::new(before, Some(content), own.is_program));
                }
            }
            _ => bail!("this hookbox cannot install itself for {}", agent.title()),
        }
        if !make(&changes, &base, lock, *yes, &format!("{} asks hookbox already", agent.title()))? {
            return Ok(Exit::Failure);
        }
        if let Settings::Entries(entries) = settings
            && let Some(then) = entries.then
        {
            print_line(then);
        }
        if let Some(server) = http {
            self.place.tell_of(server, agent)?;
        }
        if let Some(caution) = program.caution {
            print_line(&format!("note: {} asks hookbox there, but {caution}", agent.title()));
        }
        Ok(Exit::Success)
    }
}

impl Uninstall {
    pub(super) fn exec(self) -> anyhow::Result<Exit> {
        if !self.all {
            return self.one(self.place.agent()?);
        }
        let mut exit = Exit::Success;
        for agent in names() {
            // A fault in the settings of one agent does not keep hookbox in those of others.
            match self.one(agent) {
                Ok(Exit::Success) => {}
                Ok(_) => exit = Exit::Failure,
                Err(error) => {
                    render::error(&error);
                    exit = Exit::Failure;
                }
            }
        }
        Ok(exit)
    }

    fn one(&self, agent: &str) -> anyhow::Result<Exit> {
        let Place { yes, .. } = &self.place;
        let (agent, settings) = settings_of(agent)?;
        let base = self.place.base(agent)?;
        let records = self.place.records();
        let lock = if *yes { base.lock() } else { None };
        let mut changes = Vec::new();
        let mut nothing = format!("{} does not ask hookbox", agent.title());
        match settings {
            Settings::Entries(entries) => {
                let spots = self.place.spots(entries, agent)?;
                if tell_of_the_users(&spots, agent, "so that it still asks hookbox: change it yourself") {
                    nothing = format!("no other hook of {} asks hookbox", agent.title());
                }
                for spot in spots {
                    changes.extend(removed(spot, agent, &records)?);
                }
            }
            Settings::Files(files) => {
                for own in files {
                    let before = self.place.own(own, agent)?;
                    if before.exists() {
                        changes.push(Change::new(before, None, own.is_program));
                    }
                }
            }
            _ => bail!("this hookbox cannot install itself for {}", agent.title()),
        }
        let is_done = make(&changes, &base, lock, *yes, &nothing)?;
        if is_done {
            changes.iter().for_each(|change| change.forget(&records));
        }
        Ok(if is_done { Exit::Success } else { Exit::Failure })
    }
}

/// Names the commands that call hookbox and do more, which neither installing nor uninstalling it changes, and what comes
/// of that. Returns whether there are any.
fn tell_of_the_users(spots: &[Spot], agent: &dyn Agent, effect: &str) -> bool {
    let mut is_any = false;
    for Spot { entries, before, .. } in spots {
        for line in entries::of_the_user(before.text(), entries, agent.name()) {
            let path = before.path().display();
            print_line(&format!("note: `{line}` in {path} does more than call hookbox, and stays, {effect}"));
            is_any = true;
        }
    }
    is_any
}

/// Returns the changes that put hookbox's entries into these files.
fn added(spots: Vec<Spot>, agent: &dyn Agent, calls: &Calls, records: &Records) -> anyhow::Result<Vec<Change>> {
    let name = agent.name();
    for Spot { entries, before, .. } in spots.iter().filter(|spot| spot.before.exists()) {
        let unchanged = || format!("`{}` was not changed", before.path().display());
        if !before.text().trim().is_empty() {
            document::check(before.text()).with_context(unchanged)?;
        }
        // Faults in hookbox's own entries do not matter, because these entries are about to be replaced.
        let mut faults = loading::faults(before.text(), entries, name);
        faults.retain(|fault| !fault.is_ours);
        if !faults.is_empty() {
            let title = agent.title();
            let effect = match faults.iter().any(|fault| fault.stops_loading) {
                true => format!("{title} would load no hook from it"),
                false => "hookbox cannot add its hooks".to_owned(),
            };
            let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
            return Err(anyhow::anyhow!("{effect}: {}", faults.join("; ")).context(unchanged()));
        }
    }
    let homes = spots::homes(&spots, name);
    let mut changes = Vec::new();
    for (index, Spot { entries, before, .. }) in spots.into_iter().enumerate() {
        let here = |event: &str| homes.iter().any(|(known, home)| *known == event && *home == index);
        let is_first = !entries::has_ours(before.text(), &entries, name);
        if is_first && !homes.iter().any(|(_, home)| *home == index) {
            continue;
        }
        let after = entries::add(before.text(), &entries, name, calls, here)
            .with_context(|| format!("`{}` was not changed", before.path().display()))?;
        let is_left = entries::is_empty(&after, &entries) && !is_first;
        let was_made = records.of(before.path()).is_none_or(|record| record.before.is_none());
        // A file that hookbox made is removed once its entries belong elsewhere.
        let after = (!(is_left && was_made)).then_some(after);
        changes.push(Change::new(before, after, false).recorded(records, is_first));
    }
    // An entry that moves is written to its new file before it is removed from the file that hides the new one.
    changes.reverse();
    Ok(changes)
}

/// Returns the change that takes hookbox's entries out of this file; `None` if the file does not exist or never had
/// any.
fn removed(spot: Spot, agent: &dyn Agent, records: &Records) -> anyhow::Result<Option<Change>> {
    let Spot { entries, before, .. } = spot;
    let record = records.of(before.path());
    if !before.exists() || record.is_none() && !entries::has_ours(before.text(), &entries, agent.name()) {
        return Ok(None);
    }
    let after = match record {
        Some(record) if record.after == before.text() => record.before,
        record => {
            let old = record.as_ref().and_then(|record| record.before.as_deref());
            let without = entries::remove(before.text(), &entries, agent.name(), old)
                .with_context(|| format!("`{}` was not changed", before.path().display()))?;
            // This is the same document, with the spaces and lines that it had before.
            let undone = record.as_ref().zip(old);
            let undone = undone.and_then(|(record, old)| merge::undo(old, &record.after, before.text()));
            let undone = undone.filter(|undone| document::is_same(undone, &without));
            // A file that hookbox created, according to the record, is removed if nothing else is left in it.
            let is_made = record.as_ref().is_some_and(|record| record.before.is_none());
            let is_left = !is_made || !entries::is_empty(&without, &entries);
            is_left.then(|| undone.unwrap_or(without))
        }
    };
    Ok(Some(Change::new(before, after, false)))
}

/// Returns the events for which hookbox is installed.
pub(super) fn events(agent: &dyn Agent) -> Vec<&'static str> {
    match agent.settings() {
        Some(Settings::Entries(entries)) => entries.events.iter().map(|(event, _)| *event).collect(),
        _ => agent.own_events().to_vec(),
    }
}

fn settings_of(name: &str) -> anyhow::Result<(&'static dyn Agent, Settings)> {
    let agent = agent::by_name(name).context("hookbox does not know this agent")?;
    let settings = agent.settings().with_context(|| format!("it is not known how {} is set up", agent.title()))?;
    Ok((agent, settings))
}

/// Returns the command as a line for a shell.
fn line(command: &[String]) -> String {
    let is_plain = |word: &str| {
        !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/._-+:@%".contains(&byte))
    };
    let quoted = command.iter().map(|word| match is_plain(word) {
        true => word.clone(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    });
    quoted.collect::<Vec<_>>().join(" ")
}

/// Shows the changes, asks, and makes them. Returns false if the user does not want them, and an error if a file was
/// changed in the meantime. If a lock is given, it was already held while the files were read.
pub(super) fn make(
    changes: &[Change],
    base: &Base,
    lock: Option<Lock>,
    yes: bool,
    nothing: &str,
) -> anyhow::Result<bool> {
    let wanted: Vec<&Change> = changes.iter().filter(|change| change.changes_anything()).collect();
    if wanted.is_empty() {
        let lock = lock.or_else(|| base.lock());
        if lock.is_some() {
            changes.iter().for_each(Change::sweep);
        }
        drop(lock);
        print_line(nothing);
        return Ok(true);
    }
    for change in &wanted {
        if let Some(real) = base.leaves(change.path()) {
            bail!("nothing was changed: a link in the project leads out of it, to `{}`", real.display());
        }
    }
    let obstacle = wanted.iter().find_map(|change| change.obstacle());
    for change in &wanted {
        print_line(&format!("{} {}", change.verb(yes && obstacle.is_none()), change.path().display()));
        for line in diff::lines(change.old(), change.new_text()) {
            print_line(&format!("  {line}"));
        }
        if let Some(note) = change.note() {
            print_line(&format!("  note: {note}"));
        }
    }
    if let Some(obstacle) = obstacle {
        bail!("nothing was changed: {obstacle}");
    }
    if !yes {
        match ask::ask("write this? [y/N] ")? {
            Consent::Yes => {}
            Consent::No => {
                print_line("nothing was changed");
                return Ok(false);
            }
            Consent::NoTerminal => {
                render::message(Code::Usage, "no terminal to ask on: nothing was changed (`--yes` skips the question)");
                return Ok(false);
            }
        }
    }
    let lock = lock.or_else(|| base.lock());
    for change in &wanted {
        change.check()?;
    }
    if lock.is_some() {
        changes.iter().for_each(Change::sweep);
    }
    for change in wanted {
        change.make(base).with_context(|| format!("`{}` could not be written", change.path().display()))?;
    }
    Ok(true)
}
