//! Detects whether files have changed since they were read, by their metadata.

use super::loaded::Loaded;
use super::loader::Loader;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Metadata that changes whenever a file's content does. An unprivileged program cannot set the time of the last status
/// change back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    device: u64,
    inode: u64,
    size: u64,
    modified: (i64, i64),
    changed: (i64, i64),
    owner: u32,
    mode: u32,
}

/// The files that the hooks of a config depend on, and their metadata.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Stamps(BTreeMap<PathBuf, Option<Stamp>>);

impl Stamps {
    /// Records the current state of the files.
    pub(super) fn take(paths: impl IntoIterator<Item = PathBuf>) -> Self {
        Stamps(paths.into_iter().map(|path| (stamp(&path), path)).map(|(stamp, path)| (path, stamp)).collect())
    }

    /// Returns the directories that must be watched to see all of the files change.
    pub(super) fn directories(&self) -> std::collections::BTreeSet<PathBuf> {
        // For a file whose directory does not exist, this is the nearest directory that does.
        let nearest = |path: &Path| path.ancestors().skip(1).find(|dir| dir.is_dir()).map(Path::to_owned);
        let real = self.0.keys().filter_map(|path| path.canonicalize().ok());
        self.0.keys().cloned().chain(real).filter_map(|path| nearest(&path)).collect()
    }

    /// Returns whether a file changed at this time or later. File systems count time in steps of a few milliseconds.
    pub(super) fn any_changed_since(&self, time: std::time::SystemTime) -> bool {
        const STEP: std::time::Duration = std::time::Duration::from_millis(20);
        let since = time.duration_since(std::time::SystemTime::UNIX_EPOCH).unwrap_or_default().saturating_sub(STEP);
        let since = (i64::try_from(since.as_secs()).unwrap_or(i64::MAX), i64::from(since.subsec_nanos()));
        self.0.values().flatten().any(|stamp| stamp.changed >= since)
    }
}

fn stamp(path: &Path) -> Option<Stamp> {
    // An argument of a command may name a directory, which changes with every file in it.
    let meta = fs::metadata(path).ok().filter(|meta| !meta.is_dir())?;
    Some(Stamp {
        device: meta.dev(),
        inode: meta.ino(),
        size: meta.size(),
        modified: (meta.mtime(), meta.mtime_nsec()),
        changed: (meta.ctime(), meta.ctime_nsec()),
        owner: meta.uid(),
        mode: meta.mode(),
    })
}

impl Loader {
    /// Records the state of the files that decide what the hooks are: the configs of all layers, the files that they
    /// name, and the records of trust.
    pub(super) fn stamps(&self, loaded: &Loaded) -> Stamps {
        let layers: Vec<PathBuf> = self.layers().into_iter().map(|layer| layer.path).collect();
        // An outer config is a layer only once it is trusted.
        let outer = self.store_of_files().map(|_| self.places_of_projects()).unwrap_or_default();
        let trust = layers.iter().chain(&outer).filter_map(|config| self.trust_store.as_ref()?.record_of(config));
        let places = self.places();
        let own = places.home.and_then(|home| self.dialect.trusted_projects(home));
        let own = own.map(|record| record.file().to_owned());
        Stamps::take(trust.chain(own).chain(layers.iter().cloned()).chain(loaded.named.iter().cloned()))
    }
}
