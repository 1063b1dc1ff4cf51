//! The lists of files in one index, which is made when this crate is compiled: a path is compared only with the few
//! patterns that share two characters of a name with it.

use super::table::{ASKED, DENIED, HARMLESS, SENT};
use super::{Class, is};

/// What a pattern says of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Says {
    Secret(Class),
    Harmless,
}

const LISTS: [(&[&str], Says); 4] = [
    (DENIED, Says::Secret(Class::Deny)),
    (ASKED, Says::Secret(Class::Ask)),
    (SENT, Says::Secret(Class::Send)),
    (HARMLESS, Says::Harmless),
];

/// How many patterns there are.
const COUNT: usize = {
    let (mut count, mut list) = (0, 0);
    while list < LISTS.len() {
        count += at(&LISTS, list).0.len();
        list += 1;
    }
    count
};

/// The name of a pattern that is looked for, and what it is looked for by.
enum Key {
    /// The last name begins with these characters.
    Head(u8, u8),
    /// The last name ends in these.
    Tail(u8, u8),
    /// It may be any name.
    Any,
    /// Something is below a directory whose name begins with these.
    Below(u8, u8),
}

/// One more than the number of the first pattern with a key; 0 if there is none. Each pattern in turn has the number of
/// the next one.
struct Index {
    heads: [u16; 256],
    tails: [u16; 256],
    below: [u16; 256],
    any: u16,
    next: [u16; COUNT],
}

static INDEX: Index = index();

#[allow(clippy::indexing_slicing, reason = "it runs when the crate is compiled, where a mistake is an error")]
const fn at<T>(list: &[T], at: usize) -> &T {
    &list[at]
}

/// The place of two characters in a table.
const fn slot(first: u8, second: u8) -> usize {
    (first.wrapping_mul(37) ^ second) as usize
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
    let mut index = Index { heads: [0; 256], tails: [0; 256], below: [0; 256], any: 0, next: [0; COUNT] };
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

fn by_number(mut number: usize) -> Option<(&'static str, Says)> {
    for (list, says) in LISTS {
        match list.get(number) {
            Some(pattern) => return Some((pattern, says)),
            None => number -= list.len(),
        }
    }
    None
}

/// The patterns behind this number.
fn chain(mut number: u16) -> impl Iterator<Item = (&'static str, Says)> {
    std::iter::from_fn(move || {
        let at = usize::from(number).checked_sub(1)?;
        number = INDEX.next.get(at).copied().unwrap_or(0);
        by_number(at)
    })
}

fn first(table: &[u16; 256], first: u8, second: u8) -> u16 {
    table.get(slot(first, second)).copied().unwrap_or(0)
}

/// What the patterns say that fit the names of a path, which are in small letters.
pub(super) fn fitting(names: &[&str]) -> impl Iterator<Item = Says> {
    let last = names.last().map_or(&[][..], |last| last.as_bytes());
    let (head, tail) = match last {
        [first_byte, second, ..] => (first(&INDEX.heads, *first_byte, *second), tail(last)),
        _ => (0, 0),
    };
    let files = [head, tail, INDEX.any].into_iter().flat_map(chain);
    let files = files.filter(|(pattern, _)| end_in(names, pattern));
    // At least one name is below a directory.
    let directories = (1..names.len()).filter_map(|end| names.get(..end)).flat_map(|names| {
        let number = match names.last().map(|name| name.as_bytes()) {
            Some([first_byte, second, ..]) => first(&INDEX.below, *first_byte, *second),
            _ => 0,
        };
        chain(number).filter(move |(pattern, _)| pattern.strip_suffix("/**").is_some_and(|path| end_in(names, path)))
    });
    files.chain(directories).map(|(_, says)| says)
}

fn tail(name: &[u8]) -> u16 {
    match name {
        [.., before, last] => first(&INDEX.tails, *before, *last),
        _ => 0,
    }
}

/// Whether the names at the end of a path are those of a pattern.
fn end_in(names: &[&str], pattern: &str) -> bool {
    // From the end: names of files differ more than those of directories.
    let mut names = names.iter().rev();
    pattern.rsplit('/').all(|pattern| names.next().is_some_and(|name| is(pattern, name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A path that a pattern fits, with something in place of each `*`.
    fn path(pattern: &str) -> String {
        pattern.replace("/**", "/inner/file").replace('*', "zz")
    }

    #[test]
    fn each_pattern_is_found() {
        for (list, says) in LISTS {
            for pattern in list {
                for path in
                    [path(pattern), format!("home/me/{}", path(pattern)), pattern.replace("/**", "/x").replace('*', "")]
                {
                    let names: Vec<&str> = path.split('/').filter(|name| !name.is_empty()).collect();
                    // `.age/*` needs a name.
                    if names.len() >= pattern.replace("/**", "/x").split('/').count() {
                        assert!(fitting(&names).any(|found| found == says), "{pattern}: {path}");
                    }
                }
            }
        }
    }

    #[test]
    fn what_no_pattern_fits() {
        for path in ["", "a", "src/main.rs", "ssh", ".ssh", "home/me/.ssh", "x/y", "private/x", "etc/ssl/private"] {
            let names: Vec<&str> = path.split('/').filter(|name| !name.is_empty()).collect();
            assert_eq!(fitting(&names).count(), 0, "{path}");
        }
    }
}
