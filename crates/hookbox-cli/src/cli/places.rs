//! Where a user's files are that are not config: what is trusted, and what was compiled.

use super::scope::absolute;
use anyhow::anyhow;
use hookbox::Source;
use hookbox::config::discover;
use hookbox::runtime::component::Cache;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Keeps the cache out of use if it is set to anything.
const NO_CACHE_VAR: &str = "HOOKBOX_NO_CACHE";

/// Where a user's files are.
pub(super) struct Places {
    home: PathBuf,
    /// Whether the home directory was named. Whoever does so means everything in it.
    is_named: bool,
    app: String,
    project: PathBuf,
}

impl Places {
    /// For a user with this home directory, or that of the environment, who works in `project` with `app`.
    pub(super) fn new(home: Option<&Path>, app: &str, project: &Path) -> anyhow::Result<Self> {
        let is_named = home.is_some();
        let home = match home {
            Some(home) => absolute(home)?,
            None => variable("HOME")
                .ok_or_else(|| anyhow!("the home directory is unknown: set HOME, or use --home or --config"))?,
        };
        if !home.is_dir() {
            return Err(anyhow!("the home directory `{}` is not a directory", home.display()));
        }
        Ok(Places { home, is_named, app: app.to_owned(), project: project.to_owned() })
    }

    pub(super) fn home(&self) -> &Path {
        &self.home
    }

    /// The user's state of hookbox.
    pub(super) fn state(&self) -> PathBuf {
        self.base("XDG_STATE_HOME", ".local/state").join("hookbox")
    }

    /// The cache of compiled components. None for root in another user's home, where it would leave files that the user
    /// cannot remove; none where the user wants none.
    pub(super) fn cache(&self) -> Option<Cache> {
        let is_unwanted = std::env::var_os(NO_CACHE_VAR).is_some_and(|value| !value.is_empty());
        let is_own = fs::metadata(&self.home).is_ok_and(|meta| meta.uid() == rustix::process::geteuid().as_raw());
        (is_own && !is_unwanted).then(|| self.any_cache())
    }

    /// The cache, whoever's it is.
    pub(super) fn any_cache(&self) -> Cache {
        Cache::new(&self.base("XDG_CACHE_HOME", ".cache").join("hookbox"), self.state())
    }

    /// The directory that a variable names, unless the project would decide by it what counts.
    fn base(&self, var: &str, default: &str) -> PathBuf {
        let named = variable(var).filter(|dir| !self.is_named && !self.is_in_project(dir));
        named.unwrap_or_else(|| self.home.join(default))
    }

    /// Whether a directory belongs to the project, which may not decide what is trusted or what runs.
    fn is_in_project(&self, dir: &Path) -> bool {
        let layers = discover(&self.app, Some(&self.home), None, Some(&self.project)).into_iter();
        let files = layers.filter(|layer| layer.source == Source::PROJECT).map(|layer| layer.path);
        let roots = files.filter_map(|file| Some(file.parent()?.parent()?.to_owned()));
        let mut roots = roots.chain([self.project.clone()]);
        roots.any(|root| dir.starts_with(&root) || real(dir).starts_with(real(&root)))
    }
}

/// The path without links, as far as it is there.
fn real(path: &Path) -> PathBuf {
    let found = path.ancestors().find_map(|part| Some((part.canonicalize().ok()?, part)));
    found.map_or_else(|| path.to_owned(), |(real, part)| real.join(path.strip_prefix(part).unwrap_or(Path::new(""))))
}

/// A directory that the environment names. A relative one would be another for each project, and so the project's to
/// choose; it counts as none.
pub(super) fn variable(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute())
}
