//! `hookbox install` and `hookbox uninstall`: sets up hookbox as the hook of an agent.

mod base;
mod call;
mod compare;
mod document;
mod entries;
mod file;
mod find;

use super::ask::{self, Consent};
use super::scope::absolute;
use super::{Exit, diff, print_line, render};
use anyhow::{Context, bail};
pub(super) use base::{Base, Lock};
use call::Calls;
pub(super) use call::{TOKEN, proxy_warning};
use clap::Args;
use clap::builder::PossibleValuesParser;
pub(super) use compare::place;
pub(super) use document::toml_value;
pub(super) use file::{Before, Change};
pub(super) use find::{Found, Places, find, switched_off};
use hookbox::agent::{self, Agent, COMMAND, Entries, OwnFile, Settings};
use hookbox::{Code, Host};
use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

/// Make hookbox the hook of an agent
///
/// Adds `hookbox hook AGENT` to the agent's own settings, after showing what changes. Everything else in them stays as it
/// is, and the old file is kept beside the new one. Where an agent can be told to stop a tool when its hook fails, it is.
#[derive(Args)]
#[command(after_help = "Example:\n  hookbox install claude")]
pub(super) struct Install {
    #[command(flatten)]
    place: Place,

    /// Have the agent ask `hookbox serve` at this URL, such as `http://127.0.0.1:8787`, in place of a command
    #[cfg(feature = "http")]
    #[arg(long, value_name = "URL", value_parser = call::server)]
    http: Option<SocketAddr>,
}

/// Remove hookbox from the hooks of an agent
///
/// Takes out what `hookbox install` added. If nothing else has changed since, the old file is put back.
#[derive(Args)]
#[command(after_help = "Example:\n  hookbox uninstall claude")]
pub(super) struct Uninstall {
    #[command(flatten)]
    place: Place,
}

#[derive(Args)]
struct Place {
    /// The agent
    #[arg(value_name = "AGENT", value_parser = PossibleValuesParser::new(names()))]
    agent: String,

    /// In the settings of the user; this is the default
    #[arg(long)]
    user: bool,

    /// In the settings of the project in the current directory, for all who work on it
    #[arg(long, conflicts_with = "user")]
    project: bool,

    /// Do not ask
    #[arg(short, long)]
    yes: bool,

    /// The user's home directory, in place of $HOME
    #[arg(long, value_name = "DIR")]
    home: Option<PathBuf>,
}

/// The agents that hookbox can be installed for.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    agent::all().iter().filter(|agent| agent.settings().is_some()).map(|agent| agent.name())
}

impl Install {
    /// The command for an agent, without questions.
    pub(super) const fn for_agent(agent: String, project: bool, home: Option<PathBuf>) -> Self {
        let place = Place { agent, user: !project, project, yes: true, home };
        Install {
            place,
            #[cfg(feature = "http")]
            http: None,
        }
    }

    pub(super) fn exec(self) -> anyhow::Result<Exit> {
        let Place { agent, project, yes, .. } = &self.place;
        let (agent, settings) = settings_of(agent)?;
        let mut command = command(agent, *project)?;
        if !project {
            command.extend(self.place.arguments()?);
        }
        #[cfg(feature = "http")]
        let http = self.http;
        #[cfg(not(feature = "http"))]
        let http = None;
        let calls = Calls::new(line(&command), http, agent)?;
        let base = self.place.base()?;
        // Without a question, nothing can change between reading and writing.
        let lock = if *yes { base.lock() } else { None };
        let mut changes = Vec::new();
        match settings {
            Settings::Entries(entries) => {
                let path = self.place.entries(entries)?;
                let before = Before::read(&path)?;
                let after = entries::add(before.text(), entries, agent.name(), &calls)
                    .with_context(|| format!("`{}` was not changed", path.display()))?;
                let is_first = !entries::has_ours(before.text(), entries, agent.name());
                changes.push(Change::new(before, Some(after), false).keeping_old(is_first));
            }
            Settings::Files(files) => {
                for own in files {
                    let before = self.place.own(own, agent)?;
                    let list = serde_json::to_string(&command).context("the command has no JSON form")?;
                    let [in_shell, in_json] = COMMAND;
                    let content = own.content.replace(in_shell, &line(&command)).replace(in_json, &list);
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
        Ok(Exit::Success)
    }
}

impl Uninstall {
    pub(super) fn exec(self) -> anyhow::Result<Exit> {
        let Place { agent, yes, .. } = &self.place;
        let (agent, settings) = settings_of(agent)?;
        let base = self.place.base()?;
        let lock = if *yes { base.lock() } else { None };
        let mut changes = Vec::new();
        match settings {
            Settings::Entries(entries) => {
                let path = self.place.entries(entries)?;
                let before = Before::read(&path)?;
                if before.exists() {
                    let old = file::backup(&path)?;
                    let without = entries::remove(before.text(), entries, agent.name(), old.as_deref())
                        .with_context(|| format!("`{}` was not changed", path.display()))?;
                    let is_empty = entries::is_empty(&without, entries);
                    let old = old.filter(|old| document::is_same(old, &without));
                    // A file that hookbox created is removed as a whole.
                    let after = match old {
                        Some(old) => Some(old),
                        None if is_empty && file::is_made(&path) => None,
                        None => Some(without),
                    };
                    changes.push(Change::new(before, after, false));
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
        let is_done = make(&changes, &base, lock, *yes, &format!("{} does not ask hookbox", agent.title()))?;
        if is_done {
            changes.iter().for_each(Change::forget_backup);
        }
        Ok(if is_done { Exit::Success } else { Exit::Failure })
    }
}

impl Place {
    fn path(&self, user: &str, project: &str) -> anyhow::Result<PathBuf> {
        match self.project {
            true => absolute(Path::new(project)),
            false => Ok(self.home()?.join(user)),
        }
    }

    /// The arguments that say where the user's files are, so that no variable of the agent decides it.
    fn arguments(&self) -> anyhow::Result<Vec<String>> {
        let mut arguments = Vec::new();
        let mut add = |option: &str, dir: PathBuf| {
            let dir = dir.into_os_string().into_string();
            let dir = dir.map_err(|dir| anyhow::anyhow!("the path {} is not UTF-8", dir.display()))?;
            arguments.extend([option.to_owned(), dir]);
            Ok::<(), anyhow::Error>(())
        };
        add("--home", self.home()?)?;
        if self.home.is_none() {
            for (option, variable) in [
                ("--config-home", "XDG_CONFIG_HOME"),
                ("--state-home", "XDG_STATE_HOME"),
                ("--cache-home", "XDG_CACHE_HOME"),
            ] {
                if let Some(dir) = std::env::var_os(variable).map(PathBuf::from).filter(|dir| dir.is_absolute()) {
                    add(option, dir)?;
                }
            }
        }
        Ok(arguments)
    }

    /// What the files are below, in most cases.
    fn base(&self) -> anyhow::Result<Base> {
        Ok(if self.project { Base::project(std::env::current_dir()?) } else { Base::home(self.home()?) })
    }

    /// The path of the file with entries, where the agent itself looks for it.
    fn entries(&self, entries: &Entries) -> anyhow::Result<PathBuf> {
        match self.project {
            true => absolute(Path::new(entries.project)),
            false => Ok(entries.user_file(&self.home()?, named_home(entries, self.home.is_some()).as_deref())),
        }
    }

    /// Tells what else it takes for requests to be answered.
    fn tell_of(&self, server: SocketAddr, agent: &dyn Agent) -> anyhow::Result<()> {
        let host = Host::new(std::env::current_dir()?, std::env::vars_os());
        let host = if self.project { host } else { host.home(self.home()?) };
        let token = host.places()?.state().join(crate::cli::serve::TOKEN_FILE);
        print_line(&format!("start `hookbox serve --listen {server}`, and keep it running"));
        print_line(&format!("start {} with its token: export {TOKEN}=\"$(cat '{}')\"", agent.title(), token.display()));
        if let Some(warning) = proxy_warning() {
            render::warning(Code::Usage, &warning);
        }
        Ok(())
    }

    fn home(&self) -> anyhow::Result<PathBuf> {
        let home = match &self.home {
            Some(home) => absolute(home)?,
            None => std::env::var_os("HOME").map(PathBuf::from).filter(|home| home.is_absolute()).context(
                "the home directory is unknown: set HOME, or use --home, or --project for the project's settings",
            )?,
        };
        if !home.is_dir() {
            bail!("the home directory `{}` does not exist", home.display());
        }
        Ok(home)
    }

    /// A file of hookbox's own, which must not replace another one.
    fn own(&self, own: &OwnFile, agent: &dyn Agent) -> anyhow::Result<Before> {
        let path = self.path(own.user, own.project)?;
        let before = Before::read(&path)?;
        if before.exists() && !before.text().contains(&format!("Written by `hookbox install {}`", agent.name())) {
            bail!("`{}` is there already, and not hookbox's: move it away first", path.display());
        }
        Ok(before)
    }
}

/// The directory that the environment names in place of the agent's usual one in the home directory. `--home` means
/// another user, whose environment is not known.
pub(super) fn named_home(entries: &Entries, is_other_home: bool) -> Option<OsString> {
    entries.home.filter(|_| !is_other_home).and_then(std::env::var_os)
}

/// The events for which hookbox is installed.
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

/// The command of the hook. A project's is looked up in each user's `PATH`.
fn command(agent: &dyn Agent, project: bool) -> anyhow::Result<Vec<String>> {
    let program = if project {
        "hookbox".to_owned()
    } else {
        let program = std::env::current_exe().context("it is not known where hookbox is")?;
        let program = program.into_os_string().into_string();
        program.map_err(|path| anyhow::anyhow!("the path {} is not UTF-8", path.display()))?
    };
    Ok(vec![program, "hook".to_owned(), agent.name().to_owned()])
}

/// The command as a line for a shell.
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

/// Shows the changes, asks, and makes them, unless a file was changed in the meantime; false if the user does not want
/// them. With a lock, the files were read under it.
pub(super) fn make(
    changes: &[Change],
    base: &Base,
    lock: Option<Lock>,
    yes: bool,
    nothing: &str,
) -> anyhow::Result<bool> {
    let wanted: Vec<&Change> = changes.iter().filter(|change| change.is_one()).collect();
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
        print_line(&format!("{} {}", change.verb(), change.path().display()));
        for line in diff::lines(change.old(), change.new_text()) {
            print_line(&format!("  {line}"));
        }
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
