//! The program that an agent's settings name.

use super::target::repository_root;
use anyhow::Context;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// hookbox, where agents look for it.
pub(super) struct Program {
    pub(super) path: String,
    /// Why it may not be there for long.
    pub(super) caution: Option<&'static str>,
}

impl Program {
    /// The one that is found first in the `PATH`.
    pub(super) fn by_name() -> Self {
        Program { path: "hookbox".to_owned(), caution: None }
    }

    /// The program of this process: never a script that starts it, for which each call would wait.
    ///
    /// Settings stay when hookbox is updated. A package manager that keeps each version in a directory of its own, such
    /// as Homebrew, Nix or `cargo binstall`, has a link that leads to the current one; if hookbox was called by that, it is the path. A link
    /// in a project is not: who changes the project could lead it to another program.
    pub(super) fn this() -> anyhow::Result<Self> {
        let program = std::env::current_exe().context("it is not known where hookbox is")?;
        let called = called().filter(|link| is_same(link, &program));
        let path = match called {
            Some(link) if passes(&program).is_some() && passes(&link).is_none() && !is_a_projects(&link, &program) => {
                link
            }
            _ => program,
        };
        let caution = passes(&path);
        let path = path.into_os_string().into_string();
        Ok(Program { path: path.map_err(|path| anyhow::anyhow!("the path {} is not UTF-8", path.display()))?, caution })
    }
}

/// How this program was called, as an absolute path.
fn called() -> Option<PathBuf> {
    let name = PathBuf::from(std::env::args_os().next()?);
    if name.components().count() > 1 {
        return std::path::absolute(name).ok();
    }
    let dirs = std::env::var_os("PATH")?;
    std::env::split_paths(&dirs).map(|dir| dir.join(&name)).find(|path| path.is_absolute() && path.is_file())
}

fn is_same(one: &Path, other: &Path) -> bool {
    one.canonicalize().ok().is_some_and(|one| other.canonicalize().is_ok_and(|other| one == other))
}

/// Whether a link is part of a project, of the working directory, or where anyone may write, and the program is elsewhere.
/// Homebrew keeps both in a repository of its own.
fn is_a_projects(link: &Path, program: &Path) -> bool {
    let Some(dir) = link.parent() else { return true };
    let home = std::env::home_dir();
    let here = std::env::current_dir().ok().filter(|here| !home.as_ref().is_some_and(|home| home.starts_with(here)));
    let around = [here, repository_root(dir, home.as_deref())];
    let leads_out = |root: &PathBuf| dir.starts_with(root) && !program.starts_with(root);
    // What cannot be asked may be anyone's.
    let is_anyones = dir.metadata().map_or(true, |meta| meta.mode() & 0o002 != 0);
    is_anyones || around.iter().flatten().any(leads_out)
}

/// Why the next update would leave nothing at this path.
fn passes(path: &Path) -> Option<&'static str> {
    let names = || path.iter().filter_map(|name| name.to_str());
    if names().any(|name| name.contains(env!("CARGO_PKG_VERSION"))) {
        return Some("its path names a version: run `hookbox install` again after an update");
    }
    let is_cache = |name: &str| matches!(name, "_npx" | ".cache" | "Caches");
    names().any(is_cache).then_some("it is in a cache, which is emptied at times: install hookbox to keep it")
}
