//! The files that differ from a commit, and the packages that they belong to.

use crate::tools;
use anyhow::{Context, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// References to commits that are known to be good, if they exist: the last commit in this clone that passed `.ci/run`,
/// and the main branch.
const GREEN: [&str; 3] = ["refs/ci/green", "refs/remotes/origin/main", "refs/heads/main"];

/// The folders that belong to a package in another folder.
const ELSEWHERE: [(&str, &str); 2] =
    [("tests/suite", "crates/hookbox-cli"), ("tests/conformance", "crates/hookbox-cli")];

/// The files that differ from a commit.
pub(super) struct Changes {
    pub(super) since: String,
    /// The paths, relative to the root of the project.
    pub(super) files: Vec<PathBuf>,
}

/// The changed packages of a workspace.
pub(super) struct Workspace {
    /// Its folder, relative to the root of the project. It is empty for the project's own workspace.
    pub(super) dir: PathBuf,
    /// The folders of the packages.
    pub(super) packages: BTreeSet<PathBuf>,
}

impl Workspace {
    pub(super) fn is_root(&self) -> bool {
        self.dir.as_os_str().is_empty()
    }
}

impl Changes {
    /// Finds the changes since the newest commit that is known to be good.
    pub(super) fn since_green() -> Result<Self> {
        let mut nearest = None;
        for name in GREEN {
            let is_before = git(&["merge-base", "--is-ancestor", name, "HEAD"]).is_ok();
            if is_before {
                let distance: u32 = git(&["rev-list", "--count", &format!("{name}..HEAD")])?.trim().parse()?;
                nearest = nearest.into_iter().chain([(distance, name)]).min();
            }
        }
        let (_, name) =
            nearest.with_context(|| format!("none of {} is there: use `--since COMMIT`", GREEN.join(", ")))?;
        Changes::since(name)
    }

    pub(super) fn since(commit: &str) -> Result<Self> {
        let changed = git(&["diff", "--name-only", commit])?;
        let new = git(&["ls-files", "--others", "--exclude-standard"])?;
        Ok(Changes { since: commit.to_owned(), files: changed.lines().chain(new.lines()).map(PathBuf::from).collect() })
    }

    /// Returns the workspaces that have changed packages.
    pub(super) fn workspaces(&self) -> Result<Vec<Workspace>> {
        let mut workspaces: BTreeMap<PathBuf, BTreeSet<PathBuf>> = BTreeMap::new();
        for package in self.files.iter().filter_map(|file| package(file)).collect::<BTreeSet<_>>() {
            workspaces.entry(workspace(&package)?).or_default().insert(package);
        }
        Ok(workspaces.into_iter().map(|(dir, packages)| Workspace { dir, packages }).collect())
    }
}

/// Returns the folder of a file's package.
fn package(file: &Path) -> Option<PathBuf> {
    let elsewhere = ELSEWHERE.into_iter().find(|(folder, _)| file.starts_with(folder));
    if let Some((_, package)) = elsewhere {
        return Some(package.into());
    }
    let root = tools::root();
    file.ancestors().skip(1).find(|dir| root.join(dir).join("Cargo.toml").is_file()).map(Path::to_owned)
}

/// Returns the folder of a package's workspace.
fn workspace(package: &Path) -> Result<PathBuf> {
    let root = tools::root();
    let mut locate = tools::cargo(&root.join(package));
    let manifest = tools::output(locate.args(["locate-project", "--workspace", "--message-format", "plain"]))?;
    let dir = Path::new(manifest.trim()).parent().and_then(|dir| dir.strip_prefix(&root).ok());
    Ok(dir.with_context(|| format!("the workspace of `{}` is not in the project", package.display()))?.to_owned())
}

fn git(args: &[&str]) -> Result<String> {
    tools::output(Command::new("git").args(args).current_dir(tools::root()))
}
