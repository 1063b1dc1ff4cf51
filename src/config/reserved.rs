//! Directories that cannot be granted, because they decide which hooks run.

use super::dialect::Places;
use super::walk::{Route, Walker, identity};
use crate::protocol::{Code, Failure};
use crate::runtime::component::{DirAccess, DirGrant};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// The app whose directories are always reserved, whatever the current app.
const OWN_APP: &str = "hookbox";

/// Descriptions of reserved places, for messages.
const STATE: &str = "where hookbox keeps its state";
const CONFIG: &str = "where hooks are configured";

/// The places that decide which hooks run. They are determined only when a directory is granted.
pub(super) struct Reserved<'a> {
    pub(super) places: Places<'a>,
    pub(super) host_env: &'a [(OsString, OsString)],
    /// The directories of the trust store, of the cache and of its key, as the host named them.
    pub(super) stores: Vec<PathBuf>,
    /// The user's directories of other hook systems.
    pub(super) user_dirs: fn(&Places<'_>) -> Vec<PathBuf>,
    /// What a component may read but not change: the configs in use, and the files that they name.
    pub(super) read_only: Vec<PathBuf>,
}

/// A place that a grant must not reach.
struct Place {
    path: PathBuf,
    what: &'static str,
    /// Whether a component may read it.
    is_readable: bool,
}

impl Reserved<'_> {
    /// Resolves a granted directory, relative to the agent's working directory, and checks that it does not reach a
    /// reserved place.
    ///
    /// # Errors
    /// Returns an error if the directory cannot be opened, or reaches a reserved place.
    pub(super) fn check(&self, grant: &DirGrant, walker: &mut Walker) -> Result<DirGrant, Failure> {
        let shown: PathBuf = self.places.cwd.join(&grant.host_path).components().collect();
        let refused = |why: &dyn std::fmt::Display| {
            Failure::new(Code::Grant, format!("cannot be given `{}`: {why}", shown.display()))
        };
        let route = walker.follow(&shown).map_err(|lost| refused(&lost.error))?;
        // The sandbox would notice too, but only at the first call.
        fs::read_dir(&route.end).map_err(|error| refused(&error))?;
        for place in self.list() {
            if grant.access == DirAccess::Read && place.is_readable {
                continue;
            }
            let Some(how) = reaches(&route.end, &place, walker) else { continue };
            let instead = if place.is_readable { "it to read, or another directory" } else { "another directory" };
            let (path, what) = (place.path.display(), place.what);
            return Err(refused(&format_args!("it {how} `{path}`, {what}: grant {instead}")));
        }
        Ok(DirGrant { host_path: route.end, ..grant.clone() })
    }

    /// Returns the directories of hookbox's own config, state and cache.
    pub(super) fn own_dirs(&self) -> Vec<PathBuf> {
        self.own().into_iter().map(|place| place.path).collect()
    }

    fn own(&self) -> Vec<Place> {
        let mut places = Vec::new();
        let mut add = |path: PathBuf, what| places.push(Place { path, what, is_readable: false });
        for home in self.places.home.into_iter().chain(self.variable("HOME")) {
            add(home.join(".agents"), CONFIG);
            add(home.join(".local/state").join(OWN_APP), STATE);
            add(home.join(".cache").join(OWN_APP), STATE);
        }
        for dir in [self.variable("XDG_STATE_HOME"), self.variable("XDG_CACHE_HOME")].into_iter().flatten() {
            add(dir.join(OWN_APP), STATE);
        }
        for config_home in self.config_homes() {
            for app in [self.places.app, OWN_APP] {
                add(config_home.join(app), CONFIG);
            }
        }
        for dir in &self.stores {
            add(dir.clone(), STATE);
        }
        places
    }

    fn list(&self) -> Vec<Place> {
        let mut places = self.own();
        let mut add = |path: PathBuf, what| places.push(Place { path, what, is_readable: false });
        let homes = [self.places.home, self.variable("HOME")];
        let config_homes = [self.places.config_home, self.variable("XDG_CONFIG_HOME")];
        for home in homes {
            for config_home in config_homes {
                let places = Places { home, config_home, ..self.places };
                (self.user_dirs)(&places).into_iter().for_each(|dir| add(dir, CONFIG));
            }
        }
        // `/proc` also exposes the memory of this process.
        add(PathBuf::from("/proc"), "which shows what runs here");
        places.extend(self.read_only.iter().map(|path| Place {
            path: path.clone(),
            what: "which decides what runs as a hook",
            is_readable: true,
        }));
        places
    }

    /// Returns the config directories of apps: the default ones, and those that the host or its environment names.
    fn config_homes(&self) -> impl Iterator<Item = PathBuf> {
        let homes = self.places.home.into_iter().chain(self.variable("HOME")).map(|home| home.join(".config"));
        let named = self.places.config_home.into_iter().chain(self.variable("XDG_CONFIG_HOME"));
        homes.chain(named.map(Path::to_owned))
    }

    fn variable(&self, name: &str) -> Option<&Path> {
        let value = self.host_env.iter().find(|(known, _)| known == name).map(|(_, value)| Path::new(value));
        value.filter(|path| path.is_absolute())
    }
}

/// Returns how a directory reaches a place, whether or not the place exists: by its path, or because both have the same
/// identity, as bind mounts do. `dir` contains no links.
fn reaches(dir: &Path, place: &Place, walker: &mut Walker) -> Option<&'static str> {
    let route = match walker.follow(&place.path) {
        Ok(route) => route,
        Err(lost) => lost.route,
    };
    let Route { end, lookups } = route;
    let mut same = |a: &Path, b: &Path| match (walker.meta(a).map(identity), walker.meta(b).map(identity)) {
        (Ok(a), Ok(b)) => a == b,
        _ => false,
    };
    if end == dir || same(&end, dir) {
        return Some("is");
    }
    // A link on the way could be changed to point elsewhere.
    let has_link = lookups.iter().filter_map(|lookup| lookup.link.as_ref()).any(|(link, _)| link.starts_with(dir));
    if has_link || end.starts_with(dir) || end.ancestors().skip(1).any(|above| same(above, dir)) {
        return Some("contains");
    }
    if dir.starts_with(&end) || dir.ancestors().skip(1).any(|above| same(above, &end)) {
        return Some("lies in");
    }
    None
}
