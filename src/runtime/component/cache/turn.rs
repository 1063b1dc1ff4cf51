//! Turns to compile a component: one process compiles it, and the others wait for the result.
//!
//! A turn is a locked file next to the entries. The system releases the lock when its process ends, so a crash does not
//! leave a lock that others would wait for.

use super::{Cache, CodeKey};
use crate::private_dir::PrivateDir;
use std::fs::{File, TryLockError};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::time::{Duration, SystemTime};

/// The suffix of the files of turns.
const SUFFIX: &str = ".lock";

/// The file of the turn for components that no one has vouched for. Such components are compiled one at a time.
const UNTRUSTED: &str = "untrusted.lock";

/// The age from which the files of turns are removed. No compilation takes that long.
const STALE: Duration = Duration::from_secs(60 * 60);

/// The holder of the turn to compile a component.
pub(in super::super) enum Turn {
    /// This process, for as long as the file is open here or in a process that inherited it.
    Ours(File),
    /// Another process has had it for this long.
    Theirs(Duration),
}

impl Cache {
    /// Takes the turn to compile this component if it is free.
    ///
    /// # Errors
    /// Returns an error if the cache cannot be used.
    pub(in super::super) fn take_turn(&self, key: &CodeKey) -> io::Result<Turn> {
        self.take(&name(key))
    }

    /// Takes the turn for components that no one has vouched for.
    ///
    /// # Errors
    /// Returns an error if the cache cannot be used.
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
                // The file was removed after this process opened it, so others would not see this lock. Try again.
                Ok(()) if file.metadata()?.nlink() == 0 => {}
                Ok(()) => {
                    // The modification time tells other processes when this turn began.
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

    /// Removes the file of this process's own turn, which is about to end.
    pub(in super::super) fn end_turn(&self, key: &CodeKey) {
        if let Ok(Some(dir)) = PrivateDir::open(&self.dir) {
            // If this fails, an empty file remains, which a later compilation sweeps away.
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
/// Returns an error if the directory cannot be read.
pub(super) fn sweep(dir: &PrivateDir) -> io::Result<()> {
    let is_old = |modified: SystemTime| modified.elapsed().is_ok_and(|age| age > STALE);
    for file in dir.list()?.into_iter().filter(|file| is_turn(&file.name) && is_old(file.modified)) {
        dir.remove(&file.name)?;
    }
    Ok(())
}
