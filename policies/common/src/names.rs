//! Long lists of names that are searched for each command.

use std::slice;

/// Finds the rows of a table by the names in them, without comparing the name with those of every row.
#[derive(Debug)]
pub struct Index {
    /// The number of a row plus one, at the [`hash`] of each of its names, or in the next free slot. Free slots are zero.
    slots: [u16; SLOTS],
}

/// The number of slots: about twice as many as the longest list has names, so that most searches look at one or two.
const SLOTS: usize = 512;

/// Makes the [`Index`] of a table: `index!(ROWS, |row| row.names)`.
#[macro_export]
macro_rules! index {
    ($rows:expr, |$row:ident| $names:expr) => {{
        let mut index = $crate::Index::EMPTY;
        let (mut rest, mut number) = ($rows, 0);
        while let [$row, others @ ..] = rest {
            index.add($names, number);
            rest = others;
            number += 1;
        }
        index
    }};
}

impl Index {
    /// An index without rows.
    pub const EMPTY: Self = Index { slots: [0; SLOTS] };

    /// Adds the names of a row.
    pub const fn add(&mut self, names: &[&str], row: u16) {
        let mut rest = names;
        while let [name, others @ ..] = rest {
            let mut at = hash(name);
            // In a `const fn`, this takes the place of `get_mut`.
            while let Some((_, [slot, ..])) = self.slots.split_at_mut_checked(at % SLOTS) {
                if *slot == 0 {
                    *slot = row + 1;
                    break;
                }
                at += 1;
            }
            rest = others;
        }
    }

    /// Returns the rows that may have a name, in order: those that have it, and a few others.
    pub fn rows(&self, name: &str) -> impl Iterator<Item = usize> {
        (hash(name)..).map_while(move |at| usize::from(*self.slots.get(at % SLOTS)?).checked_sub(1))
    }
}

/// A set of names.
#[derive(Debug)]
pub struct Names {
    names: &'static [&'static str],
    index: Index,
}

impl Names {
    /// Creates a set of these names.
    #[must_use]
    pub const fn new(names: &'static [&'static str]) -> Self {
        Names { names, index: index!(names, |name| slice::from_ref(name)) }
    }

    /// Whether a name is in the set.
    #[must_use]
    pub fn contains(&self, name: &str) -> bool {
        self.index.rows(name).any(|row| self.names.get(row).is_some_and(|known| *known == name))
    }
}

/// Returns the slot at which the search for a name begins.
const fn hash(name: &str) -> usize {
    let (mut hash, mut rest) = (name.len(), name.as_bytes());
    while let [byte, others @ ..] = rest {
        hash = hash.wrapping_mul(31).wrapping_add(*byte as usize);
        rest = others;
    }
    hash % SLOTS
}

#[cfg(test)]
mod tests {
    use super::{Index, Names};

    const NAMES: [&str; 6] = ["", "a", "rm", "kubectl", "git-lfs", "é"];
    const SET: Names = Names::new(&NAMES);

    #[test]
    fn only_what_is_in_it_is_found() {
        assert!(NAMES.iter().all(|name| SET.contains(name)));
        assert!(["b", "aa", "r", "RM", "kubect", "git-lf", "e"].iter().all(|name| !SET.contains(name)));
        assert!(!Names::new(&[]).contains(""));
    }

    #[test]
    fn rows_are_found_in_order() {
        let mut index = Index::EMPTY;
        index.add(&["npm", "cargo"], 0);
        index.add(&["git"], 1);
        index.add(&["npm"], 2);
        let rows = |name| index.rows(name).collect::<Vec<_>>();
        assert_eq!((rows("npm"), rows("cargo"), rows("git"), rows("make")), (vec![0, 2], vec![0], vec![1], vec![]));
    }
}
