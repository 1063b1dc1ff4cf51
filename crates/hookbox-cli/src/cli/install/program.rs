//! The program that an agent's settings name.

use super::target::repository_root;
use anyhow::Context;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The hookbox program, by the path that agents use.
pub(super) struct Program {
    pub(super) path: String,
    /// Why the path may not exist for long.
    pub(super) caution: Option<&'static str>,
}

impl Program {
    /// Returns the first `hookbox` in the `PATH`, which agents look up by its name.
    pub(super) fn by_name() -> Self {
        Program { path: "hookbox".to_owned(), caution: None }
    }

    /// Returns the program of this process, never a script that starts it, because each call would wait for the script.
    ///
    /// Settings stay the same when hookbox is updated. A package manager that keeps each version at its own path, such
    /// as Homebrew, Nix or `cargo binstall`, has a link to the current version. If hookbox was called by that link, the
    /// path is that of the link. A link in a project is not used, because anyone who can change the project could make
    /// it lead to another program.
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

/// Returns the path by which this program was called, as an absolute path.
fn called() -> Option<PathBuf> {
    let name = PathBuf::from(std::env::args_os().next()?);
    if name.components().count() > 1 {
        return std::path::absolute(name).ok();
    }
    let dirs = std::env::var_os("PATH")?;
    std::env::split_paths(&dirs).map(|dir| dir.join(&name)).find(|path| path.is_absolute() && path.is_file())
}

/// Whether two paths lead to the same file or directory.
pub(in crate::cli) fn is_same(one: &Path, other: &Path) -> bool {
    one.canonicalize().ok().is_some_and(|one| other.canonicalize().is_ok_and(|other| one == other))
}

/// Whether a link is where anyone may write, or is part of a project or of the working directory while the program is
/// elsewhere. Homebrew keeps both the link and the program in a repository of its own.
fn is_a_projects(link: &Path, program: &Path) -> bool {
    let Some(dir) = link.parent() else { return true };
    let home = std::env::home_dir();
    let here = std::env::current_dir().ok().filter(|here| !home.as_ref().is_some_and(|home| home.starts_with(here)));
    let around = [here, repository_root(dir, home.as_deref())];
    let leads_out = |root: &PathBuf| dir.starts_with(root) && !program.starts_with(root);
    // If the mode cannot be read, anyone may be able to write there.
    let is_anyones = dir.metadata().map_or(true, |meta| meta.mode() & 0o002 != 0);
    is_anyones || around.iter().flatten().any(leads_out)
}

/// Returns why this path may not exist for long: the next update leaves nothing there, or it is in a cache.
fn passes(path: &Path) -> Option<&'static str> {
    let names = || path.iter().filter_map(|name| name.to_str());
    if names().any(|name| name.contains(env!("CARGO_PKG_VERSION"))) {
        return Some("its path names a version: run `hookbox install` again after an update");
    }
    let is_cache = |name: &str| matches!(name, "_npx" | ".cache" | "Caches");
    names().any(is_cache).then_some("it is in a cache, which is emptied at times: install hookbox to keep it")
}
