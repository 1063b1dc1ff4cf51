//! `add_prompt_files`: adds files that tell the model how to work in this project.

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

/// The largest file that is added, in bytes.
const MAX_BYTES: u64 = 1 << 20;

/// Returns the contents of the files with these names: for each name, the nearest file on the way from `dir` to the
/// root, and the file in the home directory.
pub(super) fn contents(dir: &str, home: Option<&Path>, names: &[String]) -> Option<String> {
    let found = names.iter().flat_map(|name| paths(Path::new(dir), home, name));
    let texts: Vec<String> = found.filter_map(|(dir, name)| text(&dir, &name)).collect();
    (!texts.is_empty()).then(|| texts.join("\n\n"))
}

/// Returns the directories that have the file, each with the file's name.
fn paths(dir: &Path, home: Option<&Path>, name: &str) -> Vec<(PathBuf, String)> {
    // Only names below a directory are allowed: `../key` would be outside of the directory in which it is looked for.
    let is_below = Path::new(name).components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    if name.is_empty() || !is_below {
        tracing::warn!(file = name, "a prompt file must be a relative path without `..`; it is left out");
        return Vec::new();
    }
    let has = |dir: &&Path| dir.join(name).is_file();
    let nearest = dir.ancestors().find(has);
    let at_home = home.filter(has).filter(|home| nearest != Some(*home));
    nearest.into_iter().chain(at_home).map(|dir| (dir.to_owned(), name.to_owned())).collect()
}

/// Returns the text of a file. A link may only lead to a file in the same directory or below it, so that a project
/// cannot name the user's keys.
fn text(dir: &Path, name: &str) -> Option<String> {
    let read = || {
        let file = Dir::open_ambient_dir(dir, ambient_authority())?.open(name)?;
        let mut bytes = Vec::new();
        file.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
        std::io::Result::Ok(bytes)
    };
    match read() {
        Ok(bytes) if bytes.len() as u64 > MAX_BYTES => {
            tracing::warn!(file = %dir.join(name).display(), "a prompt file is larger than 1 MiB; it is left out");
            None
        }
        Ok(bytes) => Some(String::from_utf8_lossy(&bytes).into_owned()),
        Err(error) => {
            tracing::warn!(file = %dir.join(name).display(), %error, "a prompt file cannot be read; it is left out");
            None
        }
    }
}
