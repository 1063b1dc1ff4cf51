//! An index of the lists of files, which is built when this crate is compiled. A path is compared only with the few
//! patterns that share two characters of a name with it.

use super::table::{ASKED, DENIED, SENT};
use super::{Class, is};

const LISTS: [(&[&str], Class); 3] = [(DENIED, Class::Deny), (ASKED, Class::Ask), (SENT, Class::Send)];

/// The number of patterns.
const COUNT: usize = {
    let (mut count, mut list) = (0, 0);
    while list < LISTS.len() {
        count += at(&LISTS, list).0.len();
        list += 1;
    }
    count
};

/// The number of slots, which is enough for all pairs of letters.
const SLOTS: usize = 1024;

/// The end of a pattern for everything below a directory.
const BELOW: &str = "/**";

/// The key under which a pattern is stored.
enum Key {
    /// The last name begins with these characters.
    Head(u8, u8),
    /// The last name ends with these characters.
    Tail(u8, u8),
    /// The last name may be any name.
    Any,
    /// The path is below a directory whose name begins with these characters.
    Below(u8, u8),
}

/// Linked lists of patterns by key. Each entry is one more than the number of the first pattern with that key, or 0 if
/// there is none. `next` has the entry that follows each pattern.
struct Index {
    heads: [u16; SLOTS],
    tails: [u16; SLOTS],
    below: [u16; SLOTS],
    any: u16,
    next: [u16; COUNT],
}

static INDEX: Index = index();

#[allow(clippy::indexing_slicing, reason = "it runs when the crate is compiled, where a mistake is an error")]
const fn at<T>(list: &[T], at: usize) -> &T {
    &list[at]
}

/// Returns the position of two characters in a table.
const fn slot(first: u8, second: u8) -> usize {
    ((first as usize) << 5 ^ second as usize) % SLOTS
}

#[allow(clippy::indexing_slicing, reason = "it runs when the crate is compiled, where a mistake is an error")]
const fn key(pattern: &str) -> Key {
    let text = pattern.as_bytes();
    let mut end = text.len();
    let is_below = end > 3 && text[end - 1] == b'*' && text[end - 2] == b'*' && text[end - 3] == b'/';
    if is_below {
        end -= 3;
    }
    let mut start = end;
    while start > 0 && text[start - 1] != b'/' {
        start -= 1;
    }
    if end - start < 2 {
        assert!(!is_below, "a directory is found by two characters");
        return Key::Any;
    }
    let (first, second) = (text[start], text[start + 1]);
    if is_below {
        assert!(first != b'*' && second != b'*', "a directory is found by how its name begins");
        return Key::Below(first, second);
    }
    let (before, last) = (text[end - 2], text[end - 1]);
    if first != b'*' && second != b'*' {
        Key::Head(first, second)
    } else if before != b'*' && last != b'*' {
        Key::Tail(before, last)
    } else {
        Key::Any
    }
}

#[allow(
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    reason = "it runs when the crate is compiled, where a mistake is an error"
)]
const fn index() -> Index {
    let mut index = Index { heads: [0; SLOTS], tails: [0; SLOTS], below: [0; SLOTS], any: 0, next: [0; COUNT] };
    let (mut number, mut list) = (0, 0);
    while list < LISTS.len() {
        let patterns = LISTS[list].0;
        let mut row = 0;
        while row < patterns.len() {
            let first = match key(patterns[row]) {
                Key::Head(first, second) => &mut index.heads[slot(first, second)],
                Key::Tail(first, second) => &mut index.tails[slot(first, second)],
                Key::Below(first, second) => &mut index.below[slot(first, second)],
                Key::Any => &mut index.any,
            };
            index.next[number] = *first;
            number += 1;
            *first = number as u16;
            row += 1;
        }
        list += 1;
    }
    index
}

fn by_number(mut number: usize) -> Option<(&'static str, Class)> {
    for (list, class) in LISTS {
        match list.get(number) {
            Some(pattern) => return Some((pattern, class)),
            None => number -= list.len(),
        }
    }
    None
}

/// Iterates over the patterns in the list that begins with this entry.
fn chain(mut number: u16) -> impl Iterator<Item = (&'static str, Class)> {
    std::iter::from_fn(move || {
        let at = usize::from(number).checked_sub(1)?;
        number = INDEX.next.get(at).copied().unwrap_or(0);
        by_number(at)
    })
}

fn first(table: &[u16; SLOTS], pair: Option<(u8, u8)>) -> u16 {
    pair.and_then(|(first, second)| table.get(slot(first, second)).copied()).unwrap_or(0)
}

fn head(name: &str) -> Option<(u8, u8)> {
    match name.as_bytes() {
        [first, second, ..] => Some((*first, *second)),
        _ => None,
    }
}

fn tail(name: &str) -> Option<(u8, u8)> {
    match name.as_bytes() {
        [.., before, last] => Some((*before, *last)),
        _ => None,
    }
}

/// Returns the highest class of the patterns that match the names of a path, which are in lower case.
pub(super) fn class(names: &[&str]) -> Option<Class> {
    let (last, directories) = names.split_last()?;
    let mut class = None;
    for number in [first(&INDEX.heads, head(last)), first(&INDEX.tails, tail(last)), INDEX.any] {
        for (pattern, found) in chain(number) {
            if class < Some(found) && end_in(names, pattern) {
                class = Some(found);
            }
        }
    }
    for (at, name) in directories.iter().enumerate() {
        for (pattern, found) in chain(first(&INDEX.below, head(name))) {
            let directory = pattern.strip_suffix(BELOW).unwrap_or(pattern);
            if class < Some(found) && names.get(..=at).is_some_and(|names| end_in(names, directory)) {
                class = Some(found);
            }
        }
    }
    class
}

/// Whether a pattern matches the names of a path.
pub(super) fn fits(names: &[&str], pattern: &str) -> bool {
    match pattern.strip_suffix(BELOW) {
        // At least one name must be below the directory.
        Some(directory) => (1..names.len()).any(|end| names.get(..end).is_some_and(|names| end_in(names, directory))),
        None => end_in(names, pattern),
    }
}

/// Whether the last names of a path match a pattern.
fn end_in(names: &[&str], pattern: &str) -> bool {
    // The comparison starts at the end, because file names differ more than directory names.
    let mut names = names.iter().rev();
    pattern.rsplit('/').all(|pattern| names.next().is_some_and(|name| is(pattern, name)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::iter::once;

    fn names(path: &str) -> Vec<&str> {
        path.split('/').filter(|name| !name.is_empty()).collect()
    }

    /// Returns the class of a path without the index.
    fn slowly(path: &str) -> Option<Class> {
        let names = names(path);
        let fitting = LISTS.into_iter().filter(|(list, _)| list.iter().any(|pattern| fits(&names, pattern)));
        fitting.map(|(_, class)| class).max()
    }

    #[test]
    fn each_pattern_is_found() {
        for (list, class) in LISTS {
            for pattern in list {
                let path = pattern.replace(BELOW, "/inner/file");
                for path in [path.replace('*', "zz"), format!("home/me/{}", path.replace('*', "z"))] {
                    assert!(super::class(&names(&path)) >= Some(class), "{pattern}: {path}");
                }
            }
        }
    }

    #[test]
    fn the_index_loses_nothing() {
        for (list, _) in LISTS {
            for pattern in list {
                for star in ["", "a", ".", "zz"] {
                    let path = pattern.replace(BELOW, "/x").replace('*', star);
                    let shorter = path.split_once('/').map_or("", |(_, rest)| rest).to_owned();
                    let longer = ["/x", "x", "/.ssh/y"].map(|end| format!("{path}{end}"));
                    for path in longer.into_iter().chain(once(format!("a/{path}"))).chain([path, shorter]) {
                        assert_eq!(super::class(&names(&path)), slowly(&path), "{path}");
                    }
                }
            }
        }
    }

    #[test]
    fn what_no_pattern_fits() {
        for path in ["", "a", "src/main.rs", "ssh", ".ssh", "home/me/.ssh", "x/y", "private/x", "etc/ssl/private"] {
            assert_eq!(super::class(&names(path)), None, "{path}");
        }
    }
}
