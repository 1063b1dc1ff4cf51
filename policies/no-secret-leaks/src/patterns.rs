//! The files that a pattern may stand for.

use crate::files::marked;
use crate::stores::{is, stored};
use hookbox_policy::{GLOB, UNKNOWN};

/// Well-known names that a pattern may stand for.
pub(crate) const NAMES: &[&str] =
    &[".env", ".env.local", ".envrc", ".netrc", ".pgpass", "id_rsa", "id_ed25519", "credentials"];

/// Returns the well-known names of which a pattern for files spells at least half: `.en*`, `id_*`. A pattern for all
/// hidden files, such as `.*`, stands for `.env`.
pub(crate) fn names_of(pattern: &str) -> Vec<String> {
    let Some((directory, name)) =
        pattern.rsplit_once('/').or(Some(("", pattern))).filter(|(_, name)| name.contains(GLOB))
    else {
        return Vec::new();
    };
    let spelled = name.chars().filter(|char| !matches!(*char, GLOB | UNKNOWN)).count();
    // A wildcard does not match the dot of a hidden file.
    let is_found = |known: &&&str| {
        (spelled * 2 >= known.len() || **known == ".env")
            && name.chars().next() == known.chars().next()
            && is(&name.replace(GLOB, "*"), known)
    };
    NAMES.iter().filter(is_found).map(|known| format!("{directory}/{known}")).collect()
}

/// Whether a path is a pattern of git for files to leave out: `:!.env`, `:(exclude).env`.
pub(crate) fn is_excluded(path: &str) -> bool {
    let is_mark = |name: &str| {
        name.starts_with(":!") || name.starts_with(":^") || name.starts_with(":(") && name.contains("exclude")
    };
    !path.contains("/..") && path.split('/').any(is_mark)
}

/// Returns the files that a pattern of `curl` matches, if the shell does not expand it: `{a,.env}`, `.[e-e]nv`.
pub(crate) fn globbed(pattern: &str) -> Vec<String> {
    let braces = pattern.split_once('{').and_then(|(head, rest)| Some((head, rest.split_once('}')?)));
    match braces {
        Some((head, (names, tail))) => names.split(',').map(|name| marked(&format!("{head}{name}{tail}"))).collect(),
        None => vec![marked(pattern)],
    }
}

/// Returns the credential files that a pattern may stand for, if it spells their directory in a home directory:
/// `~/.aws/*`, `~/.s*/id*`, `~/.kube/$FILE`.
pub(crate) fn stores_of(pattern: &str, home: Option<&str>) -> Vec<String> {
    let (home_of, rest) = match home.and_then(|home| Some((home, pattern.strip_prefix(home)?))) {
        Some((home, rest)) if rest.starts_with('/') => (home, rest),
        _ => match a_home(pattern) {
            Some(split) => split,
            None => return Vec::new(),
        },
    };
    // All of these files are in hidden directories.
    if !rest.starts_with("/.") {
        return Vec::new();
    }
    let starred = rest.to_lowercase().replace([GLOB, UNKNOWN], "*");
    stored(&starred).into_iter().map(|path| format!("{home_of}/{path}")).collect()
}

/// Splits a path into a home directory of an unknown user and the rest: `/home/me/…`, or an unexpanded `~/…`.
fn a_home(path: &str) -> Option<(&str, &str)> {
    if let Some((home, _)) = path.split_once('/').filter(|(home, _)| matches!(home.chars().next(), Some('~' | UNKNOWN)))
    {
        return path.split_at_checked(home.len());
    }
    let above = ["/root", "/home/", "/Users/"].into_iter().find(|above| path.starts_with(above))?;
    let end = path.get(above.len()..)?.find('/')?;
    path.split_at_checked(above.len() + end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_that_spell_a_name_for_the_most_part() {
        for (pattern, is_one) in [
            (".en*", true),
            (".e*v", true),
            ("a/.en*", true),
            ("id_*", true),
            (".*", true),
            (".e*", true),
            ("src/.*", true),
            (".*rc", true),
            ("*", false),
            ("*.md", false),
            ("*env", false),
            (".git*", false),
            (".*.js", false),
            (".env", false),
        ] {
            let pattern = pattern.replace('*', &GLOB.to_string());
            assert_eq!(!names_of(&pattern).is_empty(), is_one, "{pattern}");
        }
    }

    #[test]
    fn patterns_for_stores() {
        for (pattern, is_one) in [
            ("/home/me/.aws/*", true),
            ("/home/me/.aws/c*", true),
            ("/home/me/.a*/credentials", true),
            ("/h/.kube/*", true),
            ("/root/.docker/*.json", true),
            ("/home/me/.config/gh/*", true),
            ("/home/me/.s*/id*", true),
            ("/home/me/.aws/con*", false),
            ("/home/me/.config/*", false),
            ("/home/me/.claude/*", false),
            ("/home/me/*", false),
            ("/home/me/.*/config", false),
            ("/home/me/.kube/*.md", false),
            ("/p/.docker/*", false),
            (".circleci/*", false),
        ] {
            let pattern = pattern.replace('*', &GLOB.to_string());
            assert_eq!(!stores_of(&pattern, Some("/h")).is_empty(), is_one, "{pattern}");
        }
    }
}
