//! The choice of the agent's files: those of a user, or those of a project.

use super::base::Base;
use super::call::{TOKEN, proxy_warning};
use super::file::Before;
use super::names;
use super::own;
use super::program::is_same;
use super::record::Records;
use super::spots::{Spot, spots};
use crate::cli::scope::absolute;
use crate::cli::{print_line, render};
use anyhow::{Context, bail};
use clap::Args;
use clap::builder::PossibleValuesParser;
use hookbox::agent::{Agent, Entries, OwnFile, Settings};
use hookbox::{Code, Host, UserPlaces};
use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

/// The names of what version control systems keep at the root of a project.
const ROOT_MARKS: [&str; 4] = [".git", ".hg", ".jj", ".svn"];

/// The directory of settings in a home directory.
const CONFIG: &str = ".config";

#[derive(Args)]
pub(super) struct Place {
    /// The agent
    #[arg(value_name = "AGENT", required = true, value_parser = PossibleValuesParser::new(names()))]
    pub(super) agent: Option<String>,

    /// In the settings of the user; this is the default
    #[arg(long)]
    pub(super) user: bool,

    /// In the settings of the project around the current directory, for all who work on it
    #[arg(long, conflicts_with = "user")]
    pub(super) project: bool,

    /// Do not ask
    #[arg(short, long)]
    pub(super) yes: bool,

    /// The user's home directory, in place of $HOME
    #[arg(long, value_name = "DIR")]
    pub(super) home: Option<PathBuf>,
}

impl Place {
    /// Returns the name of the agent.
    ///
    /// # Errors
    /// Returns an error if the arguments name no agent.
    pub(super) fn agent(&self) -> anyhow::Result<&str> {
        self.agent.as_deref().context("name an agent")
    }

    fn path(&self, own: &OwnFile, agent: &dyn Agent) -> anyhow::Result<PathBuf> {
        if self.project {
            return Ok(self.root(agent)?.join(own.project));
        }
        Ok(user_file(own, &self.home()?, self.home.is_some()))
    }

    /// Returns the arguments that say where the user's files are, so that no variable of the agent's environment
    /// decides it.
    pub(super) fn arguments(&self) -> anyhow::Result<Vec<String>> {
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

    /// Returns the directory that has the files, in most cases.
    pub(super) fn base(&self, agent: &dyn Agent) -> anyhow::Result<Base> {
        Ok(if self.project { Base::project(self.root(agent)?) } else { Base::home(self.home()?) })
    }

    /// Returns the records of what settings were. They are in the user's state, even for the settings of a project.
    pub(super) fn records(&self) -> Records {
        Records::new(self.host().ok().and_then(|host| host.places().ok()).as_ref().map(UserPlaces::state))
    }

    fn host(&self) -> anyhow::Result<Host> {
        let host = Host::new(std::env::current_dir()?, std::env::vars_os());
        Ok(if self.project { host } else { host.home(self.home()?) })
    }

    fn root(&self, agent: &dyn Agent) -> anyhow::Result<PathBuf> {
        let home = self.home().ok();
        no_home(project_root(&absolute(Path::new(""))?, agent, home.as_deref()), home.as_deref())
    }

    /// Returns the files with entries, where the agent itself looks for them.
    pub(super) fn spots(&self, entries: &Entries, agent: &dyn Agent) -> anyhow::Result<Vec<Spot>> {
        if self.project {
            let root = self.root(agent)?;
            return spots(entries, |entries| root.join(entries.project));
        }
        let (home, named) = (self.home()?, named_home(entries, self.home.is_some()));
        spots(entries, |entries| entries.user_file(&home, named.as_deref()))
    }

    /// Tells the user what else is necessary so that requests are answered.
    pub(super) fn tell_of(&self, server: SocketAddr, agent: &dyn Agent) -> anyhow::Result<()> {
        let token = self.host()?.places()?.state().join(crate::cli::serve::TOKEN_FILE);
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

    /// Reads a file of hookbox's own. Fails if another file, which hookbox did not write, is in its place.
    pub(super) fn own(&self, own: &OwnFile, agent: &dyn Agent) -> anyhow::Result<Before> {
        let path = self.path(own, agent)?;
        let before = Before::read(&path)?;
        if before.exists() && !own::is_own(before.text(), agent) {
            bail!("`{}` is there already, and not hookbox's: move it away first", path.display());
        }
        Ok(before)
    }
}

/// Returns the root of the project around a directory: the root of the repository, unless the agent has settings in the
/// directory itself. The home directory is not a project, and neither is anything above it.
pub(in crate::cli) fn project_root(dir: &Path, agent: &dyn Agent, home: Option<&Path>) -> PathBuf {
    let exists = |path: PathBuf| path.symlink_metadata().is_ok();
    if project_files(agent).iter().any(|file| exists(dir.join(file))) {
        return dir.to_owned();
    }
    repository_root(dir, home).unwrap_or_else(|| dir.to_owned())
}

/// Returns the root of a project, unless it is the home directory: files there are the user's own.
///
/// # Errors
/// Returns an error if it is the home directory.
pub(in crate::cli) fn no_home(root: PathBuf, home: Option<&Path>) -> anyhow::Result<PathBuf> {
    if home.is_some_and(|home| is_same(home, &root)) {
        bail!("`{}` is your home directory, and no project: leave out --project", root.display());
    }
    Ok(root)
}

/// Returns the root of the repository around a directory. The home directory does not count as one, and neither does
/// anything above it.
pub(in crate::cli) fn repository_root(dir: &Path, home: Option<&Path>) -> Option<PathBuf> {
    let mut above = dir.ancestors().take_while(|above| !home.is_some_and(|home| home.starts_with(above)));
    let is_root = |dir: &&Path| ROOT_MARKS.iter().any(|mark| dir.join(mark).symlink_metadata().is_ok());
    above.find(is_root).map(Path::to_owned)
}

fn project_files(agent: &dyn Agent) -> Vec<&'static str> {
    match agent.settings() {
        Some(Settings::Entries(entries)) => {
            [entries.project].into_iter().chain(entries.others.iter().map(|other| other.project)).collect()
        }
        Some(Settings::Files(files)) => files.iter().map(|own| own.project).collect(),
        _ => Vec::new(),
    }
}

/// Whether the user has the directory in which the agent keeps its settings.
pub(in crate::cli) fn is_set_up(agent: &dyn Agent, home: &Path, is_other_home: bool) -> bool {
    let (file, named) = match agent.settings() {
        Some(Settings::Entries(entries)) => (entries.user, named_home(entries, is_other_home)),
        Some(Settings::Files([own, ..])) => {
            let below = Path::new(own.user).strip_prefix(CONFIG).ok().and_then(|rest| rest.iter().next());
            let named = below.and_then(|name| Some(config_home(is_other_home)?.join(name).into_os_string()));
            (own.user, named)
        }
        _ => return false,
    };
    // All programs share `.config`, so the directory in it counts.
    let own = Path::new(file).components().take(if file.starts_with(".config/") { 2 } else { 1 });
    named.is_some_and(|dir| Path::new(&dir).is_dir()) || home.join(own.collect::<PathBuf>()).is_dir()
}

/// Returns the path of one of hookbox's own files of a user. Agents with files in `.config` look in `$XDG_CONFIG_HOME`
/// instead if it is set.
pub(super) fn user_file(own: &OwnFile, home: &Path, is_other_home: bool) -> PathBuf {
    match (config_home(is_other_home), Path::new(own.user).strip_prefix(CONFIG)) {
        (Some(dir), Ok(rest)) => dir.join(rest),
        _ => home.join(own.user),
    }
}

fn config_home(is_other_home: bool) -> Option<PathBuf> {
    let dir = std::env::var_os("XDG_CONFIG_HOME").map(PathBuf::from);
    dir.filter(|dir| dir.is_absolute() && !is_other_home)
}

/// Returns the directory that the environment names in place of the agent's usual one in the home directory. `--home`
/// means another user, whose environment is not known.
pub(in crate::cli) fn named_home(entries: &Entries, is_other_home: bool) -> Option<OsString> {
    entries.home.filter(|_| !is_other_home).and_then(std::env::var_os)
}
