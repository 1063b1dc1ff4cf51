//! Who compiles a component: one process at a time, so that the others wait for it rather than do the same.
//!
//! A turn is a locked file beside the entries. The lock goes with the process that holds it, so a crash leaves nothing that
//! others would wait for.

use super::{Cache, CodeKey};
use crate::private_dir::PrivateDir;
use std::fs::{File, TryLockError};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::time::{Duration, SystemTime};

/// What the names of these files end with.
const SUFFIX: &str = ".lock";

/// The turn of the components that nobody has vouched for, of which one is compiled at a time.
const UNTRUSTED: &str = "untrusted.lock";

/// How old a file must be before it is removed: older than any compilation takes.
const STALE: Duration = Duration::from_secs(60 * 60);

/// Whose turn it is to compile a component.
pub(in super::super) enum Turn {
    /// Ours, as long as the file is open here or in a process that it was handed to.
    Ours(File),
    /// That of another process, which has been at it for so long.
    Theirs(Duration),
}

impl Cache {
    /// Takes the turn to compile this component, if nobody has it.
    ///
    /// # Errors
    /// The cache cannot be used.
    pub(in super::super) fn take_turn(&self, key: &CodeKey) -> io::Result<Turn> {
        self.take(&name(key))
    }

    /// Takes the turn of components that nobody has vouched for.
    ///
    /// # Errors
    /// The cache cannot be used.
    pub(in super::super) fn take_untrusted_turn(&self) -> io::Result<Turn> {
        self.take(UNTRUSTED)
    }

    fn take(&self, name: &str) -> io::Result<Turn> {
        let dir = PrivateDir::open_or_make(&self.dir)?;
        loop {
            let file = match dir.file(name)? {
                Some(file) => file,
                None => {
                    dir.create(name, |_| Ok(()))?;
                    continue;
                }
            };
            match file.try_lock() {
                // It was removed after it was opened: others would not see this lock.
                Ok(()) if file.metadata()?.nlink() == 0 => {}
                Ok(()) => {
                    // Its time is when this turn began, which others are told.
                    let _ = file.set_modified(SystemTime::now());
                    return Ok(Turn::Ours(file));
                }
                Err(TryLockError::WouldBlock) => {
                    let since = file.metadata()?.modified()?;
                    return Ok(Turn::Theirs(since.elapsed().unwrap_or_default()));
                }
                Err(TryLockError::Error(error)) => return Err(error),
            }
        }
    }

    /// Removes the file of a turn that is ours and about to end.
    pub(in super::super) fn end_turn(&self, key: &CodeKey) {
        if let Ok(Some(dir)) = PrivateDir::open(&self.dir) {
            // A file that stays is empty, and goes with the next that is compiled.
            let _ = dir.remove(&name(key));
        }
    }
}

fn name(key: &CodeKey) -> String {
    format!("{key}{SUFFIX}")
}

pub(super) fn is_turn(file: &str) -> bool {
    file.ends_with(SUFFIX)
}

/// Removes the files of turns that ended long ago.
///
/// # Errors
/// The directory cannot be read.
pub(super) fn sweep(dir: &PrivateDir) -> io::Result<()> {
    let is_old = |modified: SystemTime| modified.elapsed().is_ok_and(|age| age > STALE);
    for file in dir.list()?.into_iter().filter(|file| is_turn(&file.name) && is_old(file.modified)) {
        dir.remove(&file.name)?;
    }
    Ok(())
}
