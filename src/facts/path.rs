//! Paths, as text and with their links followed.

use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

/// The maximum length of a path, in bytes, after `..` is removed from it. Linux does not accept longer paths.
pub(super) const MAX_BYTES: usize = 4096;

/// The maximum number of links that are followed, which is Linux's own limit.
const MAX_LINKS: usize = 40;

/// The maximum number of steps in resolving one path. Nested links can take minutes to resolve.
const MAX_STEPS: usize = 1000;

/// Returns the path as an absolute path; `None` for a relative path without a base.
pub(super) fn absolute(base: Option<&Path>, path: &str) -> Option<PathBuf> {
    let path = Path::new(path);
    match base {
        _ if path.is_absolute() => Some(path.to_owned()),
        Some(base) => Some(base.join(path)),
        None => None,
    }
}

/// Returns the path without `.`, `..` and repeated slashes, judged by its text alone.
pub(super) fn clean(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if clean.file_name().is_some() => {
                clean.pop();
            }
            Component::ParentDir if clean.has_root() => {}
            component => clean.push(component),
        }
    }
    clean
}

/// Follows the links of an absolute path. Parts that do not exist yet are kept as written. Returns `None` if a link
/// cannot be followed.
pub(super) fn resolve(path: &Path) -> Option<PathBuf> {
    let mut real = PathBuf::from("/");
    let mut rest: Vec<PathBuf> = parts(path);
    let (mut links, mut steps) = (0, 0);
    let mut exists = true;
    while let Some(part) = rest.pop() {
        steps += 1;
        if steps > MAX_STEPS {
            return None;
        }
        match part.components().next() {
            None | Some(Component::CurDir | Component::Prefix(_)) => continue,
            Some(Component::RootDir) => {
                real = PathBuf::from("/");
                exists = true;
                continue;
            }
            Some(Component::ParentDir) => {
                real.pop();
                exists = true;
                continue;
            }
            Some(Component::Normal(name)) => real.push(name),
        }
        if !exists {
            continue;
        }
        match std::fs::read_link(&real) {
            Ok(target) => {
                links += 1;
                if links > MAX_LINKS {
                    return None;
                }
                real.pop();
                rest.extend(parts(&target));
            }
            Err(error) => match error.kind() {
                // The path exists and is not a link.
                ErrorKind::InvalidInput => {}
                ErrorKind::NotFound | ErrorKind::NotADirectory => exists = false,
                _ => return None,
            },
        }
    }
    Some(real)
}

/// Returns whether a path leads through a directory that this user may not look into.
pub(super) fn is_barred(path: &Path) -> bool {
    path.symlink_metadata().is_err_and(|error| error.kind() == ErrorKind::PermissionDenied)
}

/// Returns the components of a path, last one first.
fn parts(path: &Path) -> Vec<PathBuf> {
    let mut parts: Vec<PathBuf> = path.components().map(|component| PathBuf::from(component.as_os_str())).collect();
    parts.reverse();
    parts
}

/// Returns the directory that a pattern's matches lie in; `None` if it is the one that the tool starts from anyway.
pub(super) fn start_of_pattern(pattern: &str) -> Option<&str> {
    let wild = pattern.find(['*', '?', '[', '{']).unwrap_or(pattern.len());
    let (plain, _) = pattern.split_at_checked(wild)?;
    let start = match plain.rfind('/') {
        Some(0) => "/",
        Some(slash) => plain.get(..slash)?,
        None => return plain.starts_with('~').then_some("~"),
    };
    let leads_out = start.starts_with(['/', '~']) || start.split('/').any(|part| part == "..");
    leads_out.then_some(start)
}
