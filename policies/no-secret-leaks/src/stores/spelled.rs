//! Credential files that a pattern spells in part.

use super::is;
use super::table::DENIED;

/// Names of keys, where any file of a directory is one.
const KEYS: [&str; 2] = ["id_ed25519", "id_rsa"];

/// The credential files, as paths below a home, that a path in small letters with `*` may stand for.
pub(crate) fn stored(path: &str) -> Vec<String> {
    let Some((above, last)) = path.trim_start_matches('/').rsplit_once('/') else { return Vec::new() };
    // The files of the directory that many programs have in common are too many.
    if above == ".config" {
        return Vec::new();
    }
    // Most begin with other characters.
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

/// Whether the name of a directory is spelled, for the most part.
fn is_spelled(pattern: &str, name: &str) -> bool {
    pattern == name || pattern.replace('*', "").len() * 2 >= name.len() && stands_for(pattern, name)
}

/// No wildcard stands for the dot of a hidden file.
fn stands_for(pattern: &str, name: &str) -> bool {
    (pattern.starts_with('.') || !name.starts_with('.')) && is(pattern, name)
}
