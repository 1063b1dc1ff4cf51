//! The files that a config names and that its hooks run.

use super::super::entry::{Entry, HookTarget, Sandboxed, ShellEntry};
use super::super::file::ConfigFile;
use crate::runtime::component::{Digest, open_nonblocking};
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The largest file that can be trusted, in bytes. The whole file is read whenever hooks are loaded.
const MAX_FILE_BYTES: u64 = 256 << 20;

/// The content of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// The file did not exist.
    Missing,
    /// The digest and length of its bytes.
    Bytes { sha256: String, size: u64 },
}

/// Finds the files that run as hooks of a config: each component, each command that is a path, whether or not it
/// exists, and the existing files among the commands' arguments. Commands are relative to `base`; the agent works in
/// `cwd`.
pub(in super::super) fn named_by(file: &ConfigFile, entries: &[Entry], base: &Path, cwd: &Path) -> BTreeSet<PathBuf> {
    let mut named = BTreeSet::new();
    for entry in entries {
        match &entry.target {
            HookTarget::Component(component) if matches!(component.kind, Sandboxed::Policy(_)) => {}
            HookTarget::Component(component) => {
                named.insert(settle(&file.dir().join(&component.path)));
            }
            HookTarget::Shell(shell) => {
                if shell.command.contains('/') {
                    named.insert(settle(&base.join(&shell.command)));
                }
                named.extend(in_arguments(shell, cwd).filter(|path| path.is_file()).map(|path| settle(&path)));
            }
            HookTarget::Native(_) | HookTarget::Builtin(_) | HookTarget::Model(_) | HookTarget::Broken(..) => {}
        }
    }
    named
}

/// Collects the paths in the arguments of a config's commands, including those that do not exist. A file that later
/// appears at one of these paths is another file that the config names.
pub(in super::super) fn possible_arguments(entries: &[Entry], cwd: &Path) -> BTreeSet<PathBuf> {
    let shells = entries.iter().filter_map(|entry| match &entry.target {
        HookTarget::Shell(shell) => Some(shell),
        _ => None,
    });
    shells.flat_map(|shell| in_arguments(shell, cwd)).collect()
}

/// Collects the paths that the arguments of a command may mean: an argument as a whole, or a word in a longer one, such
/// as a shell's command line.
fn in_arguments(shell: &ShellEntry, cwd: &Path) -> impl Iterator<Item = PathBuf> {
    let cwd = shell.cwd.as_ref().map_or_else(|| cwd.to_owned(), |dir| cwd.join(dir));
    let ends_word =
        |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | ';' | '|' | '&' | '(' | ')' | '<' | '>' | '=');
    let words = shell
        .args
        .iter()
        .flat_map(move |arg| std::iter::once(arg.as_str()).chain(arg.split(ends_word)).filter(|word| !word.is_empty()));
    words.map(move |word| cwd.join(word))
}

/// Returns the unique name of a file, whatever links led to its directory. The file itself may be a link: only its
/// content counts.
pub(super) fn settle(path: &Path) -> PathBuf {
    let real_dir = path.ancestors().skip(1).find_map(|dir| Some((dir.canonicalize().ok()?, dir)));
    match real_dir {
        Some((real, dir)) => real.join(path.strip_prefix(dir).unwrap_or(path)).components().collect(),
        None => path.to_owned(),
    }
}

/// Reads the state of a file.
///
/// # Errors
/// Returns an error if the file cannot be read, is not a regular file, or is too large.
pub(super) fn state_of(path: &Path) -> io::Result<State> {
    let mut file = match open_nonblocking(path, true) {
        Ok(file) => file,
        Err(error) if is_missing(&error) => return Ok(State::Missing),
        Err(error) => return Err(error),
    };
    let meta = file.metadata()?;
    if !meta.is_file() {
        return Err(io::Error::other("it is not a file"));
    }
    let too_large = || io::Error::other(format!("it is larger than {} MiB", MAX_FILE_BYTES >> 20));
    if meta.len() > MAX_FILE_BYTES {
        return Err(too_large());
    }
    let (digest, size) = Digest::of_file(&mut file, MAX_FILE_BYTES)?.ok_or_else(too_large)?;
    Ok(State::Bytes { sha256: digest.to_string(), size })
}

/// Returns whether a file's content is unchanged. Comparing the size first saves reading a file that has grown.
pub(super) fn still_holds(path: &Path, before: &State) -> bool {
    match before {
        State::Missing => fs::metadata(path).is_err_and(|error| is_missing(&error)),
        State::Bytes { size, .. } => {
            fs::metadata(path).is_ok_and(|meta| meta.len() == *size) && state_of(path).is_ok_and(|now| now == *before)
        }
    }
}

pub(super) fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}
