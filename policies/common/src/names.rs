//! Long lists of names that are searched for each command.

/// A set of names. Most names that are not in it are recognized without a comparison.
#[derive(Debug)]
pub struct Names {
    names: &'static [&'static str],
    /// A bit for the [`hash`] of each name.
    hashes: [u64; WORDS],
}

/// The number of words in the bit set. This gives eight bits for each name of the longest list, so that seven of eight
/// other names are rejected by their hash.
const WORDS: usize = 32;

impl Names {
    /// Creates a set of these names.
    #[must_use]
    pub const fn new(names: &'static [&'static str]) -> Self {
        let mut hashes = [0; WORDS];
        let mut rest = names;
        while let [name, others @ ..] = rest {
            let (word, bit) = hash(name);
            // A `const fn` can use neither `get_mut` nor indexing with `usize` operators on slices.
            let mut words: &mut [u64] = &mut hashes;
            let mut at = 0;
            while let [first, following @ ..] = words {
                if at == word {
                    *first |= bit;
                }
                at += 1;
                words = following;
            }
            rest = others;
        }
        Names { names, hashes }
    }

    /// Whether a name is in the set.
    #[must_use]
    pub fn contains(&self, name: &str) -> bool {
        let (word, bit) = hash(name);
        self.hashes.get(word).is_some_and(|hashes| hashes & bit != 0) && self.names.contains(&name)
    }
}

/// Returns the word and the bit of a name in the bit set.
const fn hash(name: &str) -> (usize, u64) {
    let (mut hash, mut rest) = (name.len(), name.as_bytes());
    while let [byte, others @ ..] = rest {
        hash = hash.wrapping_mul(31).wrapping_add(*byte as usize);
        rest = others;
    }
    (hash / 64 % WORDS, 1 << (hash % 64))
}

#[cfg(test)]
mod tests {
    use super::Names;

    const NAMES: [&str; 6] = ["", "a", "rm", "kubectl", "git-lfs", "é"];
    const SET: Names = Names::new(&NAMES);

    #[test]
    fn only_what_is_in_it_is_found() {
        assert!(NAMES.iter().all(|name| SET.contains(name)));
        assert!(["b", "aa", "r", "RM", "kubect", "git-lf", "e"].iter().all(|name| !SET.contains(name)));
        assert!(!Names::new(&[]).contains(""));
    }
}
