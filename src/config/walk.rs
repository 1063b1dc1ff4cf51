//! Follows paths link by link as the system does, so that everything on the way can be checked.

use rustix::io::Errno;
use std::collections::HashMap;
use std::ffi::OsString;
use std::fs::{self, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path, PathBuf};

/// The maximum number of links on the way to a file. Linux has the same limit.
const MAX_LINKS: usize = 40;

/// A walker along paths that looks at each directory and link only once.
#[derive(Debug, Default)]
pub(super) struct Walker {
    /// What was found at each path. The paths contain no links.
    seen: HashMap<PathBuf, Entry>,
}

/// What is at a path. A link is not followed.
#[derive(Clone, Debug)]
struct Entry {
    meta: Metadata,
    target: Option<PathBuf>,
}

/// The route to a file.
#[derive(Debug, Default)]
pub(super) struct Route {
    /// The end of the route, without links.
    pub(super) end: PathBuf,
    /// The names that were looked up on the way.
    pub(super) lookups: Vec<Lookup>,
}

/// A name that was looked up in a directory.
#[derive(Debug)]
pub(super) struct Lookup {
    /// The directory, without links.
    pub(super) dir: PathBuf,
    /// The link with this name, if it is a link.
    pub(super) link: Option<(PathBuf, Metadata)>,
}

/// A path that leads nowhere.
#[derive(Debug)]
pub(super) struct Lost {
    pub(super) error: io::Error,
    /// Whether the cause is a link whose target does not exist.
    pub(super) dangling: bool,
    /// The route as far as it exists. Its end is where the file would be.
    pub(super) route: Route,
}

/// A part of a path that is still to be followed.
enum Part {
    Root,
    Up,
    /// A name, and whether it comes from a link's target.
    Name(OsString, bool),
}

impl Walker {
    /// Follows a path to its end.
    ///
    /// # Errors
    /// Returns an error if the path leads nowhere.
    pub(super) fn follow(&mut self, path: &Path) -> Result<Route, Lost> {
        let looked_at = self.walk(Path::new("/"), path, &mut |_| Ok(None::<()>));
        looked_at.map(|(_, route)| route)
    }

    /// Follows a path from `from`, a directory without links, and opens what is at its end. `open` must not follow a
    /// link; it returns `None` for a link.
    ///
    /// # Errors
    /// Returns an error if the path leads nowhere, or if `open` failed.
    pub(super) fn open<T>(
        &mut self,
        from: &Path,
        path: &Path,
        mut open: impl FnMut(&Path) -> io::Result<Option<T>>,
    ) -> Result<(T, Route), Lost> {
        let (opened, route) = self.walk(from, path, &mut open)?;
        match opened {
            Some(opened) => Ok((opened, route)),
            // The path ends in `..`, so it is a directory.
            None => Err(Lost { error: Errno::ISDIR.into(), dangling: false, route }),
        }
    }

    /// Returns the metadata of a path without links.
    pub(super) fn meta(&mut self, path: &Path) -> io::Result<&Metadata> {
        self.entry(path).map(|entry| &entry.meta)
    }

    fn walk<T>(
        &mut self,
        from: &Path,
        path: &Path,
        open: &mut dyn FnMut(&Path) -> io::Result<Option<T>>,
    ) -> Result<(Option<T>, Route), Lost> {
        let mut route = Route { end: from.to_owned(), lookups: Vec::new() };
        let mut todo = Vec::new();
        push(&mut todo, path, false);
        let mut links = 0;
        while let Some(part) = todo.pop() {
            let (name, of_link) = match part {
                Part::Root => {
                    route.end = PathBuf::from("/");
                    continue;
                }
                Part::Up => {
                    route.end.pop();
                    continue;
                }
                Part::Name(name, of_link) => (name, of_link),
            };
            let dir = route.end.clone();
            route.end.push(&name);
            let opened = if todo.is_empty() { open(&route.end) } else { Ok(None) };
            let looked_up = opened.and_then(|opened| match opened {
                Some(opened) => Ok((Some(opened), None)),
                None => self.entry(&route.end).map(|entry| (None, Some(entry.clone()))),
            });
            let (opened, entry) = match looked_up {
                Ok(looked_up) => looked_up,
                Err(error) => {
                    route.lookups.push(Lookup { dir, link: None });
                    todo.into_iter().rev().for_each(|part| append(&mut route.end, part));
                    let dangling = of_link && error.kind() == io::ErrorKind::NotFound;
                    return Err(Lost { error, dangling, route });
                }
            };
            let Some(Entry { meta, target: Some(target) }) = entry else {
                route.lookups.push(Lookup { dir, link: None });
                if opened.is_some() {
                    return Ok((opened, route));
                }
                continue;
            };
            links += 1;
            if links > MAX_LINKS {
                return Err(Lost { error: Errno::LOOP.into(), dangling: false, route });
            }
            let link = std::mem::replace(&mut route.end, dir.clone());
            route.lookups.push(Lookup { dir, link: Some((link, meta)) });
            push(&mut todo, &target, true);
        }
        Ok((None, route))
    }

    fn entry(&mut self, path: &Path) -> io::Result<&Entry> {
        if !self.seen.contains_key(path) {
            let meta = fs::symlink_metadata(path)?;
            let target = if meta.is_symlink() { Some(fs::read_link(path)?) } else { None };
            self.seen.insert(path.to_owned(), Entry { meta, target });
        }
        self.seen.get(path).ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

/// Puts the parts of a path before those that are still to be followed.
fn push(todo: &mut Vec<Part>, path: &Path, of_link: bool) {
    todo.extend(path.components().rev().filter_map(|component| match component {
        Component::RootDir => Some(Part::Root),
        Component::ParentDir => Some(Part::Up),
        Component::Normal(name) => Some(Part::Name(name.to_owned(), of_link)),
        Component::CurDir | Component::Prefix(_) => None,
    }));
}

/// Appends a part to a path that does not exist.
fn append(path: &mut PathBuf, part: Part) {
    match part {
        Part::Root => *path = PathBuf::from("/"),
        Part::Up => {
            path.pop();
        }
        Part::Name(name, _) => path.push(name),
    }
}

/// Returns the identity of a directory, which is the same under any path. Hard links and bind mounts share it.
pub(super) fn identity(meta: &Metadata) -> (u64, u64) {
    (meta.dev(), meta.ino())
}
