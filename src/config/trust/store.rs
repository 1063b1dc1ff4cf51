//! Where the user's word is kept: a directory with one file for each config.

use super::record::TrustRecord;
use crate::config::problem::{Problem, Severity};
use crate::config::safety::others_may_write;
use crate::protocol::{Code, os_words};
use crate::runtime::component::digest;
use rustix::fs::OFlags;
use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io::{self, Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The largest record, in bytes. A config has at most 256 KiB, which escapes can make six times as long.
const MAX_RECORD_BYTES: u64 = 8 << 20;

/// How old a half-written file must be before it is taken for one that a crash left behind.
const STALE: Duration = Duration::from_secs(60 * 60);

/// The projects' configs that a user trusts, in a directory of the user's own.
///
/// Nothing that is found there can be trusted more than the user said: a record counts only if it belongs to the user,
/// nobody else may write it, and it is about the config that is asked for.
#[derive(Clone, Debug)]
pub struct TrustStore {
    dir: PathBuf,
}

impl TrustStore {
    /// The store in this directory, which is made when something is trusted. It must not belong to a project.
    #[must_use]
    pub fn new(dir: impl Into<PathBuf>) -> Self {
        TrustStore { dir: dir.into() }
    }

    /// What was trusted of this config; `None` if it never was.
    ///
    /// # Errors
    /// There is a record that does not count.
    pub fn look_up(&self, config: &Path) -> Result<Option<TrustRecord>, Box<Problem>> {
        let Ok(config) = config.canonicalize() else {
            return Ok(None);
        };
        let file = self.file_of(&config);
        let record = self.read(&file)?;
        match record {
            Some(record) if !record.is_of(&config) => Err(damaged(&file, "is about another config")),
            record => Ok(record),
        }
    }

    /// Trusts a config as the record has it. Whoever reads the store meanwhile, or after a crash at any moment, finds
    /// the record that was there before or this one.
    ///
    /// # Errors
    /// The record cannot be written. The one from before is still there.
    pub fn trust(&self, record: &TrustRecord) -> io::Result<()> {
        let text = serde_json::to_vec(record)?;
        self.make_dir()?;
        self.sweep();
        let target = self.file_of(record.config());
        let (new, mut file) = self.temporary(&target)?;
        let written = file.write_all(&text).and_then(|()| file.sync_all());
        written.and_then(|()| fs::rename(&new, &target)).inspect_err(|_| {
            let _ = fs::remove_file(&new);
        })?;
        File::open(&self.dir)?.sync_all()
    }

    /// Takes back the trust in a config, which need not be there any more; false if there was none.
    ///
    /// # Errors
    /// The record cannot be removed.
    pub fn revoke(&self, config: &Path) -> io::Result<bool> {
        let config = config.canonicalize().unwrap_or_else(|_| config.to_owned());
        match fs::remove_file(self.file_of(&config)) {
            Ok(()) => File::open(&self.dir)?.sync_all().map(|()| true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Every record that counts, by the path of its config, and what is wrong with the others.
    #[must_use]
    pub fn list(&self) -> (Vec<TrustRecord>, Vec<Problem>) {
        let (mut records, mut problems) = (Vec::new(), Vec::new());
        for entry in fs::read_dir(&self.dir).into_iter().flatten().flatten() {
            let file = entry.path();
            if file.extension().is_none_or(|extension| extension != "json") {
                continue;
            }
            match self.read(&file) {
                Ok(Some(record)) if record.is_of(record.config()) && self.file_of(record.config()) == file => {
                    records.push(record);
                }
                Ok(Some(_)) => problems.push(*damaged(&file, "is about another config")),
                Ok(None) => {}
                Err(problem) => problems.push(*problem),
            }
        }
        records.sort_by(|a, b| a.config().cmp(b.config()));
        (records, problems)
    }

    /// The file that holds, or would hold, the record of this config.
    pub(in crate::config) fn record_of(&self, config: &Path) -> Option<PathBuf> {
        Some(self.file_of(&config.canonicalize().ok()?))
    }

    fn file_of(&self, config: &Path) -> PathBuf {
        self.dir.join(format!("{}.json", digest(config.as_os_str().as_bytes())))
    }

    fn read(&self, path: &Path) -> Result<Option<TrustRecord>, Box<Problem>> {
        let nofollow = i32::try_from((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits()).unwrap_or_default();
        let file = match OpenOptions::new().read(true).custom_flags(nofollow).open(path) {
            Ok(file) => file,
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                return Ok(None);
            }
            Err(error) => return Err(damaged(path, &format!("cannot be read: {}", os_words(&error)))),
        };
        let metas = [("", file.metadata()), ("stands in a directory that ", fs::metadata(&self.dir))];
        for (whose, meta) in metas {
            let meta = meta.map_err(|error| damaged(path, &format!("cannot be read: {}", os_words(&error))))?;
            if meta.uid() != rustix::process::geteuid().as_raw() {
                return Err(damaged(path, &format!("{whose}belongs to another user")));
            }
            if others_may_write(&meta) {
                return Err(damaged(path, &format!("{whose}can be changed by others")));
            }
        }
        let mut text = Vec::new();
        let read = file.take(MAX_RECORD_BYTES + 1).read_to_end(&mut text);
        read.map_err(|error| damaged(path, &format!("cannot be read: {}", os_words(&error))))?;
        if text.len() as u64 > MAX_RECORD_BYTES {
            return Err(damaged(path, "is too large"));
        }
        serde_json::from_slice(&text).map(Some).map_err(|error| damaged(path, &format!("is damaged: {error}")))
    }

    fn make_dir(&self) -> io::Result<()> {
        DirBuilder::new().recursive(true).mode(0o700).create(&self.dir)?;
        let meta = fs::metadata(&self.dir)?;
        if meta.mode() & 0o777 == 0o700 {
            Ok(())
        } else {
            fs::set_permissions(&self.dir, Permissions::from_mode(0o700))
        }
    }

    /// A new file beside the one that it is to become.
    fn temporary(&self, target: &Path) -> io::Result<(PathBuf, File)> {
        for attempt in 0..100 {
            let path = target.with_extension(format!("{}-{attempt}.tmp", std::process::id()));
            match OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path) {
                Ok(file) => return Ok((path, file)),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::Error::new(io::ErrorKind::AlreadyExists, "too many half-written records are in the way"))
    }

    /// Removes what crashes left behind.
    fn sweep(&self) {
        for entry in fs::read_dir(&self.dir).into_iter().flatten().flatten() {
            let is_stale = |meta: fs::Metadata| meta.modified().ok()?.elapsed().ok().map(|age| age > STALE);
            let path = entry.path();
            if path.extension().is_some_and(|extension| extension == "tmp")
                && entry.metadata().ok().and_then(is_stale).unwrap_or_default()
            {
                let _ = fs::remove_file(path);
            }
        }
    }
}

/// A record that trusts nothing.
fn damaged(file: &Path, what: &str) -> Box<Problem> {
    let message = format!("this record of trust {what}, so it counts for nothing");
    Box::new(Problem {
        severity: Severity::Warning,
        help: Some("look at the project, then trust it again".to_owned()),
        ..Problem::about_file(file, Code::Untrusted, message)
    })
}
