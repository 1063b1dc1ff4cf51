//! The store of the user's trust: a directory with one file for each config.

use super::record::TrustRecord;
use crate::config::problem::{Problem, Severity};
use crate::private_dir::PrivateDir;
use crate::protocol::{Code, os_words};
use crate::runtime::component::digest;
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// The largest record, in bytes. A config has at most 256 KiB, and escaping can make it six times as long.
const MAX_RECORD_BYTES: u64 = 8 << 20;

/// The suffix of a record's file.
const SUFFIX: &str = ".json";

/// The project configs that a user trusts, in a directory private to the user.
///
/// A record counts only if it belongs to the user, no one else can read or write it or its directory, and it is about
/// the requested config.
#[derive(Clone, Debug)]
pub struct TrustStore {
    dir: PathBuf,
}

impl TrustStore {
    /// Creates a store in this directory, which is created when something is first trusted. It must not belong to a
    /// project.
    #[must_use]
    pub fn new(dir: impl Into<PathBuf>) -> Self {
        TrustStore { dir: dir.into() }
    }

    /// Returns the directory that holds the records.
    pub(in crate::config) fn dir(&self) -> &Path {
        &self.dir
    }

    /// Returns the record of trust in this config; `None` if it was never trusted.
    ///
    /// # Errors
    /// Returns an error if a record exists but does not count.
    pub fn look_up(&self, config: &Path) -> Result<Option<TrustRecord>, Box<Problem>> {
        let Ok(config) = config.canonicalize() else {
            return Ok(None);
        };
        let Some(dir) = self.open()? else {
            return Ok(None);
        };
        let name = name_of(&config);
        match read(&dir, &name)? {
            Some(record) if !record.is_of(&config) => Err(damaged(&dir.path().join(name), "is about another config")),
            record => Ok(record),
        }
    }

    /// Returns those of these missing configs that were trusted while they existed. A record that does not count is
    /// ignored.
    pub(in crate::config) fn trusted_once(&self, configs: impl Iterator<Item = PathBuf>) -> Vec<PathBuf> {
        let Some(dir) = self.open().ok().flatten() else { return Vec::new() };
        let is_trusted = |config: &PathBuf| {
            let Some(config) = without_links(config) else { return false };
            let record = read(&dir, &name_of(&config)).ok().flatten();
            record.is_some_and(|record| record.is_of(&config))
        };
        configs.filter(is_trusted).collect()
    }

    /// Trusts a config as recorded. A reader finds either the previous record or this one, even after a crash at any
    /// moment.
    ///
    /// # Errors
    /// Returns an error if the record cannot be written. The previous one is still there.
    pub fn trust(&self, record: &TrustRecord) -> io::Result<()> {
        let text = serde_json::to_vec(record)?;
        let dir = PrivateDir::claim(&self.dir)?;
        dir.sweep()?;
        dir.replace(&name_of(record.config()), |file| file.write_all(&text))
    }

    /// Revokes the trust in a config, which need not exist any more; returns false if it was not trusted.
    ///
    /// # Errors
    /// Returns an error if the record cannot be removed.
    pub fn revoke(&self, config: &Path) -> io::Result<bool> {
        let config = without_links(config).unwrap_or_else(|| config.to_owned());
        if !self.dir.exists() {
            return Ok(false);
        }
        let dir = PrivateDir::claim(&self.dir)?;
        let was_trusted = dir.remove(&name_of(&config))?;
        dir.sync().map(|()| was_trusted)
    }

    /// Returns every record that counts, sorted by the path of its config, and what is wrong with the others.
    #[must_use]
    pub fn list(&self) -> (Vec<TrustRecord>, Vec<Problem>) {
        let (mut records, mut problems) = (Vec::new(), Vec::new());
        let dir = self.open().unwrap_or_else(|problem| {
            problems.push(*problem);
            None
        });
        let files = dir.as_ref().map(|dir| dir.list().unwrap_or_default()).unwrap_or_default();
        for (dir, name) in dir.iter().flat_map(|dir| files.iter().map(move |file| (dir, &file.name))) {
            if !name.ends_with(SUFFIX) {
                continue;
            }
            match read(dir, name) {
                Ok(Some(record)) if record.is_of(record.config()) && name_of(record.config()) == *name => {
                    records.push(record);
                }
                Ok(Some(_)) => problems.push(*damaged(&dir.path().join(name), "is about another config")),
                Ok(None) => {}
                Err(problem) => problems.push(*problem),
            }
        }
        records.sort_by(|a, b| a.config().cmp(b.config()));
        (records, problems)
    }

    /// Returns the file that holds, or would hold, the record of this config.
    pub(in crate::config) fn record_of(&self, config: &Path) -> Option<PathBuf> {
        Some(self.dir.join(name_of(&without_links(config)?)))
    }

    /// Opens the directory; returns `None` if it does not exist.
    fn open(&self) -> Result<Option<PrivateDir>, Box<Problem>> {
        match PrivateDir::open(&self.dir) {
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => Ok(None),
            opened => opened.map_err(|error| does_not_count(&self.dir, &error)),
        }
    }
}

/// Returns the canonical path of a config. If the config does not exist, only the directories above it are resolved.
fn without_links(config: &Path) -> Option<PathBuf> {
    let mut above = config.ancestors();
    above.find_map(|above| {
        let rest = config.strip_prefix(above).ok()?;
        let real = above.canonicalize().ok()?;
        // `join` with an empty path would add a slash.
        Some(if rest.as_os_str().is_empty() { real } else { real.join(rest) })
    })
}

fn name_of(config: &Path) -> String {
    format!("{}{SUFFIX}", digest(config.as_os_str().as_bytes()))
}

fn read(dir: &PrivateDir, name: &str) -> Result<Option<TrustRecord>, Box<Problem>> {
    let path = dir.path().join(name);
    let Some(file) = dir.file(name).map_err(|error| does_not_count(&path, &error))? else {
        return Ok(None);
    };
    let mut text = Vec::new();
    let read = file.take(MAX_RECORD_BYTES + 1).read_to_end(&mut text);
    read.map_err(|error| does_not_count(&path, &error))?;
    if text.len() as u64 > MAX_RECORD_BYTES {
        return Err(damaged(&path, "is too large"));
    }
    serde_json::from_slice(&text).map(Some).map_err(|error| damaged(&path, &format!("is damaged: {error}")))
}

/// Creates a warning about a record that cannot be read, or that others could have written.
fn does_not_count(path: &Path, error: &io::Error) -> Box<Problem> {
    let why = if error.raw_os_error().is_some() { os_words(error) } else { error.to_string() };
    let message = format!("what is trusted does not count: {why}");
    Box::new(Problem { severity: Severity::Warning, ..Problem::about_file(path, Code::Untrusted, message) })
}

/// Creates a warning about a record that does not count.
fn damaged(file: &Path, what: &str) -> Box<Problem> {
    let message = format!("this record of trust {what}, so it does not count");
    Box::new(Problem {
        severity: Severity::Warning,
        help: Some("look at the project, then trust it again".to_owned()),
        ..Problem::about_file(file, Code::Untrusted, message)
    })
}
