//! The program that an agent's settings name.

use anyhow::Context;
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
    /// as Homebrew or Nix, has a link that leads to the current one; if hookbox was called by that, it is the path.
    pub(super) fn this() -> anyhow::Result<Self> {
        let program = std::env::current_exe().context("it is not known where hookbox is")?;
        let called = called().filter(|link| is_same(link, &program));
        let path = match called {
            Some(link) if passes(&program).is_some() && passes(&link).is_none() => link,
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

/// Why the next update would leave nothing at this path.
fn passes(path: &Path) -> Option<&'static str> {
    let dirs = || path.parent().into_iter().flat_map(Path::components).filter_map(|dir| dir.as_os_str().to_str());
    if dirs().any(|dir| dir.contains(env!("CARGO_PKG_VERSION"))) {
        return Some("its path names a version: run `hookbox install` again after an update");
    }
    let is_cache = |dir: &str| matches!(dir, "_npx" | ".cache" | "Caches");
    dirs().any(is_cache).then_some("it is in a cache, which is emptied at times: install hookbox to keep it")
}
