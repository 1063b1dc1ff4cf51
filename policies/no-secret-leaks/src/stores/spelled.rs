//! Credential files that a pattern partly spells.

use super::is;
use super::table::DENIED;

/// Names of keys, to be tried for directories in which any file is a credential.
const KEYS: [&str; 2] = ["id_ed25519", "id_rsa"];

/// Returns the credential files, as paths below a home directory, that a path may stand for. The path is in lower case,
/// and `*` matches any characters.
pub(crate) fn stored(path: &str) -> Vec<String> {
    let Some((above, last)) = path.trim_start_matches('/').rsplit_once('/') else { return Vec::new() };
    // A pattern in the directory that many programs share would stand for too many files.
    if above == ".config" {
        return Vec::new();
    }
    // Most files begin with other characters.
    let head = above.get(..2).filter(|head| !head.contains('*')).unwrap_or(".");
    let files = DENIED.iter().filter(|file| file.starts_with(head)).filter_map(|file| {
        let (directory, name) =
            file.strip_suffix("/**").map_or_else(|| file.rsplit_once('/'), |store| Some((store, "")))?;
        let mut spelled = directory.split('/');
        let is_there = above.split('/').all(|name| spelled.next().is_some_and(|known| is_spelled(name, known)));
        (is_there && spelled.next().is_none()).then_some((directory, name))
    });
    let files = files.flat_map(|(directory, name)| {
        let keys = KEYS.iter().filter(move |_| name.is_empty()).map(|key| (*key).to_owned());
        let one = (!name.is_empty()).then(|| name.replace('*', "x"));
        keys.chain(one).filter(|name| stands_for(last, name)).map(move |name| format!("{directory}/{name}"))
    });
    files.collect()
}

/// Whether a pattern spells at least half of the name of a directory.
fn is_spelled(pattern: &str, name: &str) -> bool {
    pattern == name || pattern.replace('*', "").len() * 2 >= name.len() && stands_for(pattern, name)
}

/// Whether a pattern matches a name. A wildcard does not match the dot of a hidden file.
fn stands_for(pattern: &str, name: &str) -> bool {
    (pattern.starts_with('.') || !name.starts_with('.')) && is(pattern, name)
}
