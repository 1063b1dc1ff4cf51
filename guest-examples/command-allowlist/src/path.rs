//! Where a path leads, by its letters alone: links are not followed.

/// Whether a path is one of these files, or in one of these directories.
pub(crate) fn is_in(path: &str, places: &[String], pwd: &str) -> bool {
    let Some(path) = names(path, pwd) else {
        return false;
    };
    places.iter().any(|place| names(place, pwd).is_some_and(|place| path.starts_with(&place)))
}

/// The names on the way from the root, or from a working directory that is not known. `None` if the way leads out of that.
fn names<'a>(path: &'a str, pwd: &'a str) -> Option<Vec<&'a str>> {
    let base = if path.starts_with('/') { "" } else { pwd };
    let root = if path.starts_with('/') || pwd.starts_with('/') { "/" } else { "." };
    let mut names = vec![root];
    for name in base.split('/').chain(path.split('/')) {
        match name {
            "" | "." => {}
            ".." if names.len() > 1 => drop(names.pop()),
            // Above the root is the root.
            ".." if root == "/" => {}
            ".." => return None,
            name => names.push(name),
        }
    }
    Some(names)
}
