//! `hookbox add`: adds a policy to the config.

use super::entry::{self, Added};
use crate::cli::install::{Base, Before, Change, make, no_home, repository_root};
use crate::cli::scope::absolute;
use crate::cli::{Exit, print_line};
use anyhow::{Context, bail};
use clap::Args;
use hookbox::Source;
use hookbox::config::discover;
use hookbox::internal::{IGNORE, Owner, owner};
use hookbox::policy::Policy;
use std::path::{Path, PathBuf};

/// Set up a policy that ships inside hookbox
///
/// Writes an entry with all settings as comments to the user's `hooks.toml`, and changes nothing else in that file.
#[derive(Args)]
#[command(after_help = "Example:\n  hookbox add no-destructive-commands\n\n`hookbox policies` lists them.")]
pub(crate) struct Add {
    /// The policies
    #[arg(required = true, value_name = "NAME")]
    names: Vec<String>,
    #[command(flatten)]
    place: Place,
}

/// Which config gets the entries.
#[derive(Args)]
pub(super) struct Place {
    /// In the config of the project around the current directory, for all who work on it and trust it
    #[arg(long)]
    pub(super) project: bool,

    /// Only tell what would be stopped
    #[arg(long)]
    pub(super) audit: bool,

    /// The user's home directory, in place of $HOME
    #[arg(long, value_name = "DIR")]
    pub(super) home: Option<PathBuf>,
}

impl Add {
    pub(crate) fn exec(self) -> anyhow::Result<Exit> {
        let policies = self.names.iter().map(|name| super::find(name)).collect::<anyhow::Result<Vec<_>>>()?;
        self.place.add(&policies, true)?;
        Ok(Exit::Success)
    }
}

impl Place {
    /// Adds entries to the config, after a question unless `yes` is set. Returns the path of the config, or `None` if the
    /// user does not want the entries.
    pub(super) fn add(&self, policies: &[&'static Policy], yes: bool) -> anyhow::Result<Option<PathBuf>> {
        if let Some(policy) = policies.iter().find(|policy| policy.component().is_none()) {
            bail!(
                "this hookbox was built without the policy `{}`: build it again after `cargo xtask guests`",
                policy.name
            );
        }
        let file = self.file()?;
        let base = self.base()?;
        // No other hookbox may add something between reading and writing. A question may take long, so a change in the
        // meantime is then found before anything is written.
        let lock = if yes { base.lock() } else { None };
        let before = Before::read(&file)?;
        let Added { text, names, partial } = entry::add(before.text(), policies, self.audit)
            .with_context(|| format!("`{}` was not changed", file.display()))?;
        let change = Change::new(before, Some(text), false);
        if !make(&[change], &base, lock, yes, &format!("{} has all of this already", file.display()))? {
            return Ok(None);
        }
        for name in partial {
            print_line(&format!("note: the hook with `{name}` has a `match`, and is asked only about what that fits"));
        }
        if self.project && !names.is_empty() {
            print_line("A project's hooks may only deny or ask until you trust them: `hookbox trust`.");
        }
        Ok(Some(file))
    }

    /// Returns the path of the config: the first file, in the order in which hookbox reads them, that exists and is not
    /// another tool's; without one, the first that does not exist.
    ///
    /// # Errors
    /// Returns an error if a file is most likely another tool's and does not say so, or if both files are another
    /// tool's.
    fn file(&self) -> anyhow::Result<PathBuf> {
        let files = if self.project {
            let (here, home) = (absolute(Path::new(""))?, self.home().ok());
            let layers = discover("hookbox", home.as_deref(), None, Some(&here));
            let read: Vec<PathBuf> =
                layers.into_iter().filter(|layer| layer.source == Source::PROJECT).map(|layer| layer.path).collect();
            let root = self.root()?;
            // The config that hookbox reads here may be in a directory between the current one and the root.
            [".agents/hooks.toml", ".hookbox/hooks.toml"]
                .map(|name| read.iter().find(|file| file.ends_with(name)).cloned().unwrap_or_else(|| root.join(name)))
        } else {
            let home = self.home()?;
            let config = std::env::var_os("XDG_CONFIG_HOME").map(PathBuf::from).filter(|dir| dir.is_absolute());
            let config = config.filter(|_| self.home.is_none()).unwrap_or_else(|| home.join(".config"));
            [home.join(".agents"), config.join("hookbox")].map(|dir| dir.join("hooks.toml"))
        };
        let mut free = None;
        for file in &files {
            // A file that cannot be read is reported when it is about to be changed.
            let owner = Before::read(file).map_or(Owner::Hookbox, |before| owner(before.text()));
            match owner {
                Owner::Hookbox if file.exists() => return Ok(file.clone()),
                Owner::Hookbox => _ = free.get_or_insert(file),
                Owner::Ignored => {}
                Owner::Other => {
                    let other = files.iter().find(|other| *other != file).unwrap_or(file);
                    bail!(
                        "`{}` is probably another tool's file: it has no key of hookbox's. It was not changed. If it is, put \
                         the line `{IGNORE}` at its top, and run this again: the hooks then go into `{}`",
                        file.display(),
                        other.display()
                    );
                }
            }
        }
        free.cloned().context("both `hooks.toml` files are another tool's, so there is nowhere to write")
    }

    fn base(&self) -> anyhow::Result<Base> {
        Ok(if self.project { Base::project(self.root()?) } else { Base::home(self.home()?) })
    }

    /// Returns the root of the project around the current directory.
    fn root(&self) -> anyhow::Result<PathBuf> {
        let here = absolute(Path::new(""))?;
        let home = self.home().ok();
        no_home(repository_root(&here, home.as_deref()).unwrap_or(here), home.as_deref())
    }

    pub(super) fn home(&self) -> anyhow::Result<PathBuf> {
        match &self.home {
            Some(home) => absolute(home),
            None => std::env::var_os("HOME")
                .map(PathBuf::from)
                .filter(|home| home.is_absolute())
                .context("the home directory is unknown: set HOME, or use --home, or --project"),
        }
    }
}
