//! Paths as lists of names, in the form in which file systems compare them.

use hookbox_policy::{GLOB, UNKNOWN};

/// A path as a list of names. Names that some file system treats as equal are equal here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Names {
    /// The names, folded, with [`UNKNOWN`] and [`GLOB`] for unknown parts.
    pub(crate) all: Vec<String>,
    /// Whether the first name is at the root.
    pub(crate) is_absolute: bool,
}

impl Names {
    /// Parses a path. Both kinds of slashes separate names, as on Windows: agents on Windows are more common than file
    /// names with a backslash.
    pub(crate) fn new(path: &str) -> Self {
        let mut names = Names::default();
        names.enter(path);
        names
    }

    /// Parses a path in which a shell expands `*`, `?` and `[…]`.
    pub(crate) fn with_wildcards(path: &str) -> Self {
        Names::new(&wildcards(path))
    }

    /// Returns the path that `path` leads to from here.
    pub(crate) fn join(&self, path: &str) -> Self {
        let mut names = self.clone();
        names.enter(path);
        names
    }

    fn enter(&mut self, path: &str) {
        let path = path.replace('\\', "/");
        // On Windows, there are verbatim paths and drives.
        let path = path.strip_prefix("//?/").map_or(path.as_str(), |rest| rest);
        let (path, has_drive) = match path.as_bytes() {
            [letter, b':', b'/', ..] if letter.is_ascii_alphabetic() => (path.get(2..).unwrap_or_default(), true),
            _ => (path, false),
        };
        if path.starts_with('/') || has_drive {
            *self = Names { all: Vec::new(), is_absolute: true };
        }
        for name in path.split('/') {
            match fold(name).as_str() {
                "" | "." => {}
                ".." => drop(self.all.pop()),
                // This is a drive after the directory that it was joined to.
                name if is_drive(name) => *self = Names { all: Vec::new(), is_absolute: true },
                name => self.all.push(name.to_owned()),
            }
        }
    }

    /// Whether this path equals another one, or is in it.
    pub(crate) fn is_in(&self, other: &Names) -> bool {
        self.is_absolute == other.is_absolute && self.all.starts_with(&other.all)
    }

    /// Returns the last name.
    pub(crate) fn last(&self) -> &str {
        self.all.last().map_or("", String::as_str)
    }

    /// Whether a name is a Windows short name, such as `GIT~1`.
    pub(crate) fn has_short_name(&self) -> bool {
        self.all.iter().any(|name| {
            let Some((before, after)) = name.split_once('~') else {
                return false;
            };
            let digits = after.split('.').next().unwrap_or_default();
            let is_plain = |text: &str| text.chars().all(|c| c.is_ascii_alphanumeric() || "_-$".contains(c));
            (1..=6).contains(&before.len())
                && is_plain(before)
                && (1..=2).contains(&digits.len())
                && digits.bytes().all(|b| b.is_ascii_digit())
        })
    }
}

fn is_drive(name: &str) -> bool {
    matches!(name.as_bytes(), [letter, b':'] if letter.is_ascii_alphabetic())
}

/// Returns a name without the parts that some file systems ignore: case, zero-width characters, streams, trailing dots
/// and spaces.
fn fold(name: &str) -> String {
    if matches!(name, "." | "..") {
        return name.to_owned();
    }
    let mut folded = String::with_capacity(name.len());
    for c in name.chars() {
        match c {
            c if c.is_ascii() => folded.push(c.to_ascii_lowercase()),
            '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' => {}
            UNKNOWN | GLOB => folded.push(c),
            // `ſ` and `s` have the same upper-case letter.
            c => folded.extend(c.to_uppercase().flat_map(char::to_lowercase)),
        }
    }
    if is_drive(&folded) {
        return folded;
    }
    let name = folded.split(':').next().unwrap_or_default();
    match name.trim_end_matches(['.', ' ']) {
        "" => folded,
        name => name.to_owned(),
    }
}

/// Returns a path with a mark in place of each wildcard.
fn wildcards(path: &str) -> String {
    let mut marked = String::with_capacity(path.len());
    let mut rest = path;
    while let Some(c) = rest.chars().next() {
        let after = rest.get(c.len_utf8()..).unwrap_or_default();
        rest = match c {
            '*' | '?' => {
                marked.push(GLOB);
                after
            }
            '[' => match after.find([']', '/']).filter(|at| after.get(*at..).is_some_and(|end| end.starts_with(']'))) {
                Some(end) => {
                    marked.push(GLOB);
                    after.get(end + 1..).unwrap_or_default()
                }
                None => {
                    marked.push(c);
                    after
                }
            },
            c => {
                marked.push(c);
                after
            }
        };
    }
    marked
}

#[cfg(test)]
mod tests {
    use super::Names;

    fn names(path: &str) -> String {
        Names::new(path).all.join("/")
    }

    #[test]
    fn what_a_file_system_may_take_for_the_same_is_the_same() {
        for path in [
            "/p/.git/config",
            "/p//./.GIT/config",
            "/p/x/../.git/config",
            "\\p\\.git\\config",
            "C:\\p\\.git\\config",
            "\\\\?\\C:\\p\\.git\\config",
            "/home/me/C:\\p\\.git\\config",
            "/p/.git./config ",
            "/p/.git::$INDEX_ALLOCATION/config",
            "/p/.g\u{200b}it/config",
        ] {
            assert_eq!(names(path), "p/.git/config", "{path}");
        }
        assert_eq!(names("/p/\u{17f}\u{212a}"), "p/sk");
        assert_eq!(names("..."), "...");
    }

    #[test]
    fn short_names_of_windows() {
        for path in ["GIT~1", "/p/ENV~1.LOC/x", "a_b~12"] {
            assert!(Names::new(path).has_short_name(), "{path}");
        }
        for path in ["~", "~me/x", "a.txt~", "a.txt.~1~", "backups~1x", "a~b", "longer-name~1"] {
            assert!(!Names::new(path).has_short_name(), "{path}");
        }
    }
}
