//! Globs and prefixes for texts.

/// Whether a text matches a pattern in which `*` matches any characters and `?` matches one.
pub(crate) fn is_glob(pattern: &str, text: &str) -> bool {
    matches_glob(pattern, text, None)
}

/// Whether a value matches a pattern in which `*` matches any characters except `/`, `**` matches any characters, and
/// `?` matches one. A path with `..` does not match any pattern that has a `/`.
pub(crate) fn is_path_glob(pattern: &str, value: &str) -> bool {
    !(pattern.contains('/') && leads_upward(value)) && matches_glob(pattern, value, Some('/'))
}

/// Whether a text matches a pattern. Tracks all positions in the pattern at once, so that each character takes at most
/// time proportional to the length of the pattern. `stop` is the character that a single star does not match.
fn matches_glob(pattern: &str, text: &str, stop: Option<char>) -> bool {
    enum Part {
        One,
        /// A star, with the character that it does not match.
        Star(Option<char>),
        Char(char),
    }
    let mut parts = Vec::new();
    let mut rest = pattern.chars().peekable();
    while let Some(c) = rest.next() {
        parts.push(match c {
            '*' if rest.peek() == Some(&'*') => {
                while rest.next_if_eq(&'*').is_some() {}
                Part::Star(None)
            }
            '*' => Part::Star(stop),
            '?' => Part::One,
            c => Part::Char(c),
        });
    }
    let open = |at: &mut Vec<bool>| {
        for (position, part) in parts.iter().enumerate() {
            let is_open = matches!(part, Part::Star(_)) && at.get(position).copied().unwrap_or_default();
            if is_open && let Some(next) = at.get_mut(position + 1) {
                *next = true;
            }
        }
    };
    let mut at = vec![false; parts.len() + 1];
    if let Some(first) = at.first_mut() {
        *first = true;
    }
    open(&mut at);
    let mut next = at.clone();
    for c in text.chars() {
        next.fill(false);
        for (position, part) in parts.iter().enumerate().filter(|(position, _)| at.get(*position) == Some(&true)) {
            let to = match part {
                Part::Star(stop) if *stop != Some(c) => position,
                Part::One => position + 1,
                Part::Char(known) if *known == c => position + 1,
                _ => continue,
            };
            if let Some(next) = next.get_mut(to) {
                *next = true;
            }
        }
        open(&mut next);
        std::mem::swap(&mut at, &mut next);
    }
    at.last() == Some(&true)
}

/// Whether a value has this prefix. In a path or URL, the prefix must end at a segment: `/data` is not a prefix of
/// `/database`, nor `https://example.com` of `https://example.com.net`.
pub(crate) fn has_prefix(prefix: &str, value: &str) -> bool {
    let Some(rest) = value.strip_prefix(prefix) else {
        return false;
    };
    let is_place = prefix.starts_with(['/', '~']) || prefix.contains("://");
    if !prefix.contains('/') {
        return true;
    }
    if leads_upward(value) {
        return false;
    }
    !is_place || prefix.ends_with('/') || rest.is_empty() || rest.starts_with(['/', '?', '#'])
}

/// Whether a path or URL has a `..`, however it is spelled.
fn leads_upward(value: &str) -> bool {
    let plain =
        value.to_ascii_lowercase().replace("%25", "%").replace("%2e", ".").replace("%2f", "/").replace("%5c", "/");
    plain.split(['/', '\\', '?', '#']).any(|name| name.trim() == "..")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs() {
        assert!(is_glob("get_*", "get_a/b"));
        assert!(is_glob("*", ""));
        assert!(!is_glob("get_?", "get_"));
        assert!(is_glob("a*b*c", "aXbYbZc"));
        assert!(is_path_glob("src/*.rs", "src/a.rs"));
        assert!(!is_path_glob("src/*.rs", "src/a/b.rs"));
        assert!(is_path_glob("src/**", "src/a/b.rs"));
        assert!(!is_path_glob("src/**", "src/../x"));
        assert!(!is_path_glob("src/**", "src/%2e%2E/x"));
        assert!(is_path_glob("#team-*", "#team-a"));
    }

    #[test]
    fn prefixes() {
        assert!(has_prefix("/srv/data", "/srv/data/a"));
        assert!(has_prefix("/srv/data", "/srv/data"));
        assert!(!has_prefix("/srv/data", "/srv/database"));
        assert!(!has_prefix("/srv/data/", "/srv/data/../x"));
        assert!(!has_prefix("/srv/data/", "/srv/data/%2e%2e/x"));
        assert!(!has_prefix("/srv/data/", "/srv/data/..\\x"));
        assert!(has_prefix("https://example.com", "https://example.com/a"));
        assert!(!has_prefix("https://example.com", "https://example.com.net/a"));
        assert!(!has_prefix("https://example.com", "https://example.com@evil.net/a"));
        assert!(!has_prefix("https://example.com", "https://example.com:x@evil.net/a"));
        assert!(has_prefix("team-", "team-a"));
    }

    /// A pattern with many stars takes no longer than any other.
    #[test]
    fn many_stars() {
        assert!(!is_glob(&"*a".repeat(50), &"a".repeat(49)));
        assert!(is_glob(&"*a".repeat(50), &"a".repeat(5000)));
    }
}
