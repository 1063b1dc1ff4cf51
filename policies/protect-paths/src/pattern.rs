//! Patterns of names, matched against paths with unknown parts.

use crate::names::Names;
use hookbox_policy::{GLOB, UNKNOWN};

/// The first byte of the marks in UTF-8, which few other characters share.
const FIRST_OF_MARKS: u8 = 0xf3;

/// The result of matching a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fit {
    /// The pattern does not match.
    No,
    /// The pattern may match, as far as is known.
    Maybe,
    /// The pattern matches.
    Yes,
}

/// Returns whether a path, or a directory that contains it, matches a pattern of names separated by slashes. A pattern
/// that begins with a slash matches from the root, any other pattern at any depth. The pattern must be folded.
pub(crate) fn fits(path: &Names, pattern: &str) -> Fit {
    let (pattern, is_anchored) = match pattern.strip_prefix('/') {
        Some(pattern) => (pattern, true),
        None => (pattern, false),
    };
    if is_anchored && !path.is_absolute {
        return Fit::No;
    }
    let lead = pattern.as_bytes().first().copied().unwrap_or_default();
    let mut best = Fit::No;
    for (start, name) in path.all.iter().enumerate() {
        // Most names begin with other characters, and this check runs for every path and pattern.
        let begins = name.as_bytes().first().copied().unwrap_or_default();
        if begins != lead && lead != b'*' && begins != FIRST_OF_MARKS {
            if is_anchored {
                break;
            }
            continue;
        }
        let names = path.all.get(start..).unwrap_or_default();
        let mut fit = Fit::Yes;
        let mut names = names.iter();
        for wanted in pattern.split('/') {
            let name = names.next().map_or(Fit::No, |name| name_fits(name, wanted));
            fit = fit.min(name);
            if fit == Fit::No {
                break;
            }
        }
        best = best.max(fit);
        if is_anchored || best == Fit::Yes {
            break;
        }
    }
    best
}

/// Whether a path is a directory that contains files matching the pattern: its last names are the first ones of the
/// pattern.
pub(crate) fn holds(path: &Names, pattern: &str) -> bool {
    let is_rooted = pattern.starts_with('/');
    let pattern = pattern.strip_prefix('/').unwrap_or(pattern);
    // A wildcard at the beginning says nothing about the directory.
    if pattern.starts_with('*') {
        return false;
    }
    let depth = pattern.matches('/').count();
    (1..=depth).any(|length| {
        let Some(start) = path.all.len().checked_sub(length).filter(|start| !is_rooted || *start == 0) else {
            return false;
        };
        let names = path.all.iter().skip(start);
        names.zip(pattern.split('/')).all(|(name, wanted)| name == wanted)
    })
}

/// Returns whether a name matches a pattern with `*`.
pub(crate) fn name_fits(name: &str, pattern: &str) -> Fit {
    if !name.contains([GLOB, UNKNOWN]) {
        return if whole_fits(name, pattern) { Fit::Yes } else { Fit::No };
    }
    let name: Vec<char> = name.chars().collect();
    // Only a `*` matches a mark, whatever the mark replaces.
    if overlap(&name, pattern, false) {
        return Fit::Yes;
    }
    let known = name.iter().take_while(|c| !is_mark(**c)).count();
    // A name with an unknown beginning could be any name. Shell patterns do not match a leading dot.
    let is_told = known >= 2 || name.first() == Some(&'.');
    let is_partly = known < name.len();
    // Some protected patterns give only the end of a name. A shell pattern matches them only if it spells at least half
    // of that end.
    if !name.contains(&UNKNOWN) && pattern.starts_with('*') {
        let spelled = name.iter().rev().take_while(|c| !is_mark(**c)).count();
        if spelled * 2 < pattern.chars().filter(|c| *c != '*').count() {
            return Fit::No;
        }
    }
    if is_told && is_partly && overlap(&name, pattern, true) { Fit::Maybe } else { Fit::No }
}

/// Whether a known name matches a pattern: the pattern's parts occur in the name, in order.
fn whole_fits(name: &str, pattern: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else {
        return name == pattern;
    };
    let (middle, last) = rest.rsplit_once('*').unwrap_or(("", rest));
    let between = name.strip_prefix(first).and_then(|name| name.strip_suffix(last));
    let Some(mut between) = between else {
        return false;
    };
    middle.split('*').all(|part| match between.split_once(part) {
        Some((_, after)) => {
            between = after;
            true
        }
        None => false,
    })
}

const fn is_mark(c: char) -> bool {
    matches!(c, GLOB | UNKNOWN)
}

/// Whether some text matches both a name and a pattern. With `open`, marks in the name match any characters.
fn overlap(name: &[char], pattern: &str, open: bool) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    // The entry for each length says whether the name so far matches that many characters of the pattern.
    let mut reached: Vec<bool> = Vec::with_capacity(pattern.len() + 1);
    let mut before = true;
    reached.push(true);
    for c in &pattern {
        before &= *c == '*';
        reached.push(before);
    }
    for c in name {
        let is_hole = open && is_mark(*c);
        let mut next = Vec::with_capacity(reached.len());
        let mut last = is_hole && reached.first() == Some(&true);
        next.push(last);
        for (wanted, pair) in pattern.iter().zip(reached.windows(2)) {
            let [above, here] = pair else {
                continue;
            };
            last = match wanted {
                '*' => last || *here || *above,
                _ if is_hole => last || *here || *above,
                wanted => *above && wanted == c,
            };
            next.push(last);
        }
        reached = next;
    }
    reached.last() == Some(&true)
}

#[cfg(test)]
mod tests {
    use super::{Fit, fits, holds, name_fits};
    use crate::names::Names;
    use Fit::{Maybe, No, Yes};

    #[test]
    fn names_fit_patterns() {
        for (name, pattern, fit) in [
            (".git", ".git", Yes),
            (".gitignore", ".git", No),
            ("my.gitbook", ".git", No),
            (".env.local", ".env*", Yes),
            ("env.example", ".env*", No),
            ("a.pem", "*.pem", Yes),
            ("pem", "*.pem", No),
            ("service-account-x.json", "service-account*.json", Yes),
        ] {
            assert_eq!(name_fits(name, pattern), fit, "{name} {pattern}");
        }
    }

    #[test]
    fn wildcards_fit_what_all_their_names_fit() {
        for (name, pattern, fit) in [
            ("*", ".git", No),
            ("*", "*.pem", No),
            ("*.json", "credentials.json", No),
            ("*.pem", "*.pem", Yes),
            (".env*", ".env*", Yes),
            (".g*", ".git", Maybe),
            (".*", ".env*", Maybe),
            (".agent?", ".agents", Maybe),
            ("id_*", "id_rsa*", Maybe),
            ("src*", ".git", No),
            ("out*", "*.pem", No),
            ("tmp-*.json", "*-adminsdk-*.json", No),
            ("ou*.pem", "*.pem", Yes),
        ] {
            let name = Names::with_wildcards(name).last().to_owned();
            assert_eq!(name_fits(&name, pattern), fit, "{name} {pattern}");
        }
    }

    #[test]
    fn paths_fit_at_any_depth_and_below() {
        for (path, pattern, fit) in [
            ("/p/.git", ".git", Yes),
            ("/p/.git/hooks/x", ".git", Yes),
            ("/p/.github/workflows/x.yml", ".github/workflows", Yes),
            ("/p/.github/x", ".github/workflows", No),
            ("/etc/cron.d/x", "/etc/cron*", Yes),
            ("/p/etc/cron.d/x", "/etc/cron*", No),
            ("x", "/x", No),
        ] {
            assert_eq!(fits(&Names::new(path), pattern), fit, "{path} {pattern}");
        }
        assert!(holds(&Names::new("/p/.github"), ".github/workflows"));
        assert!(!holds(&Names::new("/p"), ".github/workflows"));
        assert!(!holds(&Names::new("/p/x.git"), "*.git/hooks"));
    }

    #[test]
    fn no_pattern_costs_more_than_its_length_for_each_character() {
        let long = Names::new(&"a".repeat(20_000));
        assert_eq!(fits(&long, "a*a*a*a*a*a*a*b"), No);
    }
}
