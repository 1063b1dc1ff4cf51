//! The search for config files, by the rules of hygge.

use crate::protocol::Source;
use std::path::{Path, PathBuf};

const FILE: &str = "hooks.toml";

/// A location for a config file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Layer {
    /// The file. It need not exist if the layer is the user's.
    pub path: PathBuf,
    /// Where the config comes from.
    pub source: Source,
}

impl Layer {
    /// Creates a layer.
    pub fn new(path: impl Into<PathBuf>, source: Source) -> Self {
        Layer { path: path.into(), source }
    }
}

/// Finds the layers, in the order in which their hooks run in the chain: the user's `~/.agents` and config directory,
/// then the nearest `.agents` and `.<app>` at or above the working directory.
///
/// If `config_home` is `None`, it is `.config` in the home directory. Without `home` there are no user layers. `cwd`
/// must be absolute; `None` means that there is no project.
#[must_use]
pub fn discover(app: &str, home: Option<&Path>, config_home: Option<&Path>, cwd: Option<&Path>) -> Vec<Layer> {
    let mut layers = Vec::new();
    if let Some(home) = home {
        let default = home.join(".config");
        let dirs = [home.join(".agents"), config_home.unwrap_or(&default).join(app)];
        layers.extend(dirs.map(|dir| Layer { path: dir.join(FILE), source: Source::USER }));
    }
    let mut project = Vec::new();
    if let Some(cwd) = cwd {
        project.extend(project_files(app).iter().filter_map(|file| walk_up(cwd, home, file)));
    }
    layers.extend(project.into_iter().map(|path| Layer { path, source: Source::PROJECT }));
    layers
}

/// Returns the paths at which projects may have configs, at or above these directories, with the nearest first. The
/// home directory and everything above it belong to no project.
pub(super) fn places_above(app: &str, home: Option<&Path>, dirs: &[PathBuf]) -> Vec<PathBuf> {
    let mut places = Vec::new();
    for dir in dirs.iter().flat_map(|dir| dir.ancestors().take_while(|dir| home != Some(dir))) {
        for file in project_files(app).into_iter().map(|file| dir.join(file)) {
            if !places.contains(&file) {
                places.push(file);
            }
        }
    }
    places
}

/// Finds the config files among `places` that are not among `found`: those that a nearer file or the root of a
/// repository hides, and those of other directories.
pub(super) fn outer(places: &[PathBuf], found: &[Layer]) -> Vec<Layer> {
    let real = |path: &Path| path.canonicalize().ok();
    let mut known: Vec<PathBuf> = found.iter().filter_map(|layer| real(&layer.path)).collect();
    let mut outer = Vec::new();
    for place in places.iter().filter(|place| place.is_file()) {
        let Some(file) = real(place).filter(|file| !known.contains(file)) else { continue };
        known.push(file);
        outer.push(Layer { path: place.clone(), source: Source::PROJECT });
    }
    outer
}

/// Returns the config files of a project, relative to the directory that holds them.
pub(crate) fn project_files(app: &str) -> Vec<PathBuf> {
    let mut files = [".agents".to_owned(), format!(".{app}")].map(|dir| Path::new(&dir).join(FILE)).to_vec();
    // For an app called `agents`, both are the same file.
    files.dedup();
    files
}

/// Finds the nearest `candidate` at or above `cwd`. The home directory and everything above it, and everything above
/// the root of a repository, do not belong to the project.
fn walk_up(cwd: &Path, home: Option<&Path>, candidate: &Path) -> Option<PathBuf> {
    for dir in cwd.ancestors() {
        if home == Some(dir) {
            return None;
        }
        let file = dir.join(candidate);
        if file.metadata().is_ok_and(|meta| !meta.is_dir()) {
            return Some(file);
        }
        // In a worktree, `.git` is a file.
        if dir.join(".git").metadata().is_ok_and(|meta| meta.is_dir() || meta.is_file()) {
            return None;
        }
    }
    None
}
