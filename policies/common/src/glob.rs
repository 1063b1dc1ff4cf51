//! Globs for paths in settings.

/// A pattern for absolute paths: `*` and `?` match within a name, `**` any number of names. A pattern that begins with
/// neither `/` nor `~/` matches at the end of a path, after any directories; one that names a directory matches
/// everything in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Glob {
    names: Vec<String>,
}

impl Glob {
    /// Parses a pattern. `home` replaces a leading `~`.
    #[must_use]
    pub fn new(pattern: &str, home: Option<&str>) -> Self {
        let (anchored, rest) = match (pattern.strip_prefix("~/"), home) {
            (Some(rest), Some(home)) => (true, format!("{home}/{rest}")),
            // Matches in any user's home directory.
            (Some(rest), None) => (false, rest.to_owned()),
            (None, _) => (pattern.starts_with('/'), pattern.to_owned()),
        };
        let names = rest.split('/').filter(|name| !name.is_empty() && *name != ".").map(str::to_owned);
        let first = (!anchored).then(|| "**".to_owned());
        Glob { names: first.into_iter().chain(names).collect() }
    }

    /// Whether a path matches this pattern, or is inside a directory that does. `ignore_case` compares as macOS and
    /// Windows do.
    #[must_use]
    pub fn matches(&self, path: &str, ignore_case: bool) -> bool {
        let path = if ignore_case { path.to_lowercase() } else { path.to_owned() };
        let path: Vec<&str> = path.split('/').filter(|name| !name.is_empty()).collect();
        let lower: Vec<String>;
        let names = if ignore_case {
            lower = self.names.iter().map(|name| name.to_lowercase()).collect();
            &lower
        } else {
            &self.names
        };
        // These are the positions in the pattern that the names so far can reach. This needs a single pass for any
        // pattern.
        let mut at = open(&[0], names);
        for name in path {
            if at.contains(&names.len()) {
                return true;
            }
            let mut next = Vec::new();
            for position in at {
                match names.get(position) {
                    Some(pattern) if pattern == "**" => next.push(position),
                    Some(pattern) if is_name(pattern, name) => next.push(position + 1),
                    _ => {}
                }
            }
            next.dedup();
            at = open(&next, names);
        }
        at.contains(&names.len())
    }
}

/// Returns these positions, and those after each `**` at them.
fn open(positions: &[usize], names: &[String]) -> Vec<usize> {
    let mut all = Vec::new();
    for &position in positions {
        let mut position = position;
        all.push(position);
        while names.get(position).is_some_and(|name| name == "**") {
            position += 1;
            all.push(position);
        }
    }
    all.sort_unstable();
    all.dedup();
    all
}

/// Whether a name matches a pattern of `*`, `?` and characters.
fn is_name(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    let (mut p, mut n) = (0, 0);
    // The position of the last `*`, and how far it reaches.
    let mut star: Option<(usize, usize)> = None;
    while n < name.len() {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p, n));
                p += 1;
            }
            Some(c) if *c == '?' || Some(c) == name.get(n) => {
                p += 1;
                n += 1;
            }
            _ => match star {
                Some((at, reach)) => {
                    star = Some((at, reach + 1));
                    p = at + 1;
                    n = reach + 1;
                }
                None => return false,
            },
        }
    }
    pattern.iter().skip(p).all(|c| *c == '*')
}
