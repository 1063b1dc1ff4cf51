//! Groups of three letters, as a quick check that rules out most words. It needs no branch for each group, since no
//! processor could predict these branches.

/// A set of groups of three letters, ignoring case.
pub(super) struct Trios {
    /// The groups that have each byte in their first, second and third position, as bits.
    places: [[u32; 3]; 256],
}

impl Trios {
    /// Creates a set of these groups, given the lower-case letters that may be in each position. `*` means any byte.
    #[allow(clippy::indexing_slicing, reason = "it runs when the crate is compiled, where a mistake is an error")]
    pub(super) const fn new(groups: &[[&str; 3]]) -> Self {
        assert!(groups.len() <= 32, "there is a bit for each group");
        let mut places = [[0; 3]; 256];
        let mut group = 0;
        while group < groups.len() {
            let mut place = 0;
            while place < 3 {
                let letters = groups[group][place].as_bytes();
                let mut byte = 0;
                while byte < 256 {
                    let mut letter = 0;
                    while letter < letters.len() {
                        if letters[letter] == b'*' || letters[letter] as usize == byte {
                            places[byte][place] |= 1 << group;
                        }
                        letter += 1;
                    }
                    byte += 1;
                }
                place += 1;
            }
            group += 1;
        }
        Trios { places }
    }

    /// Whether these three letters are one of the groups.
    #[inline]
    pub(super) fn has(&self, first: u8, second: u8, third: u8) -> bool {
        self.at(first, 0) & self.at(second, 1) & self.at(third, 2) != 0
    }

    /// Whether a text contains one of the groups.
    #[inline]
    pub(super) fn are_in(&self, text: &[u8]) -> bool {
        let (mut one, mut two, mut found) = (0, 0, 0);
        for byte in text {
            found |= two & self.at(*byte, 2);
            two = one & self.at(*byte, 1);
            one = self.at(*byte, 0);
        }
        found != 0
    }

    #[inline]
    fn at(&self, byte: u8, place: usize) -> u32 {
        self.places.get(usize::from(byte | 0x20)).and_then(|places| places.get(place)).copied().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_in_texts() {
        static TRIOS: Trios = Trios::new(&[["k", "e", "yn"], ["*", "p", "w"]]);
        for text in ["key", "aKEYb", "ken", "xpw", "_PW", "kekey"] {
            assert!(TRIOS.are_in(text.as_bytes()), "{text}");
        }
        for text in ["", "ke", "kep", "pw", "kex", "k-ey"] {
            assert!(!TRIOS.are_in(text.as_bytes()), "{text}");
        }
        assert!(TRIOS.has(b'K', b'e', b'y') && !TRIOS.has(b'k', b'e', b'x'));
    }
}
