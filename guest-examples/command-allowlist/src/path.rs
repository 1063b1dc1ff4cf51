//! Where a path leads, judging by its text alone: links are not followed.

/// Whether a path is one of these files, or in one of these directories.
pub(crate) fn is_in(path: &str, places: &[String], pwd: &str) -> bool {
    let Some(path) = names(path, pwd) else {
        return false;
    };
    places.iter().any(|place| names(place, pwd).is_some_and(|place| path.starts_with(&place)))
}

/// Returns the names on the way from the root, or from an unknown working directory. Returns `None` if the path leads
/// out of that directory.
fn names<'a>(path: &'a str, pwd: &'a str) -> Option<Vec<&'a str>> {
    let base = if path.starts_with('/') { "" } else { pwd };
    let root = if path.starts_with('/') || pwd.starts_with('/') { "/" } else { "." };
    let mut names = vec![root];
    for name in base.split('/').chain(path.split('/')) {
        match name {
            "" | "." => {}
            ".." if names.len() > 1 => drop(names.pop()),
            // The parent of the root is the root.
            ".." if root == "/" => {}
            ".." => return None,
            name => names.push(name),
        }
    }
    Some(names)
}
