//! Whether files are still what they were when they were read, as far as their metadata tells.

use super::loader::{Loaded, Loader};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// What changes about a file whenever its content does. The time of the last change of status cannot be set back by a program
/// without rights of its own.
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

/// The files that the hooks of a config depend on, and what they were like.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Stamps(BTreeMap<PathBuf, Option<Stamp>>);

impl Stamps {
    /// The files as they are now.
    pub(super) fn take(paths: impl IntoIterator<Item = PathBuf>) -> Self {
        Stamps(paths.into_iter().map(|path| (stamp(&path), path)).map(|(stamp, path)| (path, stamp)).collect())
    }

    /// The files and the directories that have to be watched to see all of them change.
    pub(super) fn directories(&self) -> std::collections::BTreeSet<PathBuf> {
        // Of a file that does not exist, the nearest directory that does.
        let nearest = |path: &Path| path.ancestors().skip(1).find(|dir| dir.is_dir()).map(Path::to_owned);
        let real = self.0.keys().filter_map(|path| path.canonicalize().ok());
        self.0.keys().cloned().chain(real).filter_map(|path| nearest(&path)).collect()
    }

    /// Whether a file was changed at this time or later. File systems count time in steps of some milliseconds.
    pub(super) fn any_changed_since(&self, time: std::time::SystemTime) -> bool {
        const STEP: std::time::Duration = std::time::Duration::from_millis(20);
        let since = time.duration_since(std::time::SystemTime::UNIX_EPOCH).unwrap_or_default().saturating_sub(STEP);
        let since = (i64::try_from(since.as_secs()).unwrap_or(i64::MAX), i64::from(since.subsec_nanos()));
        self.0.values().flatten().any(|stamp| stamp.changed >= since)
    }
}

fn stamp(path: &Path) -> Option<Stamp> {
    let meta = fs::metadata(path).ok()?;
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
    /// The files that decide what the hooks are: the configs of all layers, what they name, and what says whether a project is
    /// trusted.
    pub(super) fn stamps(&self, loaded: &Loaded) -> Stamps {
        let layers: Vec<PathBuf> = self.layers().into_iter().map(|layer| layer.path).collect();
        let trust = layers.iter().filter_map(|config| self.trust_store.as_ref()?.record_of(config));
        let places = self.places();
        let own = places.home.and_then(|home| self.dialect.trusted_projects(home));
        let own = own.map(|record| record.file().to_owned());
        Stamps::take(trust.chain(own).chain(layers.iter().cloned()).chain(loaded.named.iter().cloned()))
    }
}
