//! Files that must not decide what runs: those that other users can change, and links that lead out of a project.

use super::file::ConfigFile;
use super::problem::Problem;
use crate::protocol::{Code, Failure, Source};
use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path, PathBuf};

/// Whether files are looked at before they count.
#[derive(Clone, Copy, Debug)]
pub(super) struct Safety {
    /// Other systems' configs run as they are, and whoever names a file vouches for it.
    pub(super) applies: bool,
}

/// Why a file does not count, and what to do about it.
struct Unsafe {
    message: String,
    help: String,
}

impl Safety {
    /// Looks at a config file.
    pub(super) fn config(self, file: &ConfigFile) -> Result<(), Box<Problem>> {
        self.look(file, &file.path).map_err(|found| {
            let message = format!("this config {}", found.message);
            let problem = Problem::about_file(&file.path, Code::Permissions, message);
            Box::new(Problem { help: Some(found.help), ..problem })
        })
    }

    /// Looks at a component.
    pub(super) fn component(self, file: &ConfigFile, path: &Path) -> Result<(), Failure> {
        self.look(file, path).map_err(|found| {
            let Unsafe { message, help } = found;
            Failure::new(Code::Permissions, format!("cannot run: `{}` {message}: {help}", path.display()))
        })
    }

    /// Looks at the program of a shell hook. One that is looked up in the `PATH` is the user's.
    pub(super) fn command(self, file: &ConfigFile, base: &Path, command: &str) -> Result<(), Failure> {
        if !command.contains('/') {
            return Ok(());
        }
        self.component(file, &base.join(command).components().collect::<PathBuf>())
    }

    fn look(self, file: &ConfigFile, path: &Path) -> Result<(), Unsafe> {
        if !self.applies {
            return Ok(());
        }
        // What cannot be looked at cannot be read either, which is another complaint.
        let Ok(real) = path.canonicalize() else {
            return Ok(());
        };
        // Where the user's own files are, and where links of theirs lead, is the user's business.
        let is_project = file.source == Source::PROJECT;
        let root = if is_project { file.project_root() } else { file.dir() };
        if is_project {
            stays_inside(path, &real, root)?;
        }
        if let Some(mode) = fs::metadata(&real).ok().filter(others_may_write).map(|meta| meta.mode()) {
            return Err(writable("can be changed by others", mode, &real));
        }
        let (path, root, real_root) = (clean(path), clean(root), root.canonicalize().unwrap_or_default());
        for dir in dirs_of(&path, &root).chain(dirs_of(&real, &real_root)) {
            // In a directory with the sticky bit nobody can take away what belongs to others.
            let is_open = |meta: &Metadata| others_may_write(meta) && meta.mode() & 0o1000 == 0;
            if let Some(mode) = fs::metadata(dir).ok().filter(is_open).map(|meta| meta.mode()) {
                let what = format!("can be replaced by others, who may write to `{}`", dir.display());
                return Err(writable(&what, mode, dir));
            }
        }
        Ok(())
    }
}

/// The directories of the project whose entries lead to a file, or the one that holds a file outside of it.
fn dirs_of<'a>(path: &'a Path, root: &'a Path) -> impl Iterator<Item = &'a Path> {
    let dirs = path.ancestors().skip(1).enumerate();
    dirs.take_while(move |(nth, dir)| *nth == 0 || dir.starts_with(root)).map(|(_, dir)| dir)
}

fn stays_inside(path: &Path, real: &Path, root: &Path) -> Result<(), Unsafe> {
    let is_inside = clean(path).starts_with(clean(root));
    let leads_out = || root.canonicalize().is_ok_and(|root| !real.starts_with(root));
    if is_inside && leads_out() {
        return Err(Unsafe {
            message: format!("leads out of its project, to `{}`", real.display()),
            help: "put the file itself there in place of a link".to_owned(),
        });
    }
    Ok(())
}

fn writable(what: &str, mode: u32, path: &Path) -> Unsafe {
    Unsafe {
        message: format!("{what} (its mode is {:03o})", mode & 0o7777),
        help: format!("run `chmod go-w {}`", shell_word(&path.display().to_string())),
    }
}

/// Whether others than the owner may write. On many systems each user has a group of their own, with their own number,
/// and nobody else in it.
pub(super) fn others_may_write(meta: &Metadata) -> bool {
    let user = rustix::process::geteuid().as_raw();
    let is_own_group = user != 0 && meta.gid() == user;
    meta.mode() & 0o002 != 0 || (meta.mode() & 0o020 != 0 && !is_own_group)
}

/// The path without `.` and `..`, as it reads.
fn clean(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => {
                clean.pop();
            }
            other => clean.push(other),
        }
    }
    clean
}

/// The text as one word of a shell's command line.
fn shell_word(text: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '-' | '_' | '+' | ',' | '@');
    if text.chars().all(is_plain) { text.to_owned() } else { format!("'{}'", text.replace('\'', r"'\''")) }
}
