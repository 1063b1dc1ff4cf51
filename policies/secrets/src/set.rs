//! Sets of ASCII characters.

/// A set of ASCII characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Set([u64; 2]);

impl Set {
    /// The empty set.
    pub(crate) const EMPTY: Set = Set([0; 2]);

    /// Creates a set of the characters of a text.
    #[must_use]
    pub(crate) const fn of(text: &str) -> Set {
        let mut set = Set::EMPTY;
        let mut rest = text.as_bytes();
        while let [first, others @ ..] = rest {
            set = set.with(*first, *first);
            rest = others;
        }
        set
    }

    /// Returns the set with the characters from `first` to `last` added. Characters that are not ASCII are left out.
    #[must_use]
    pub(crate) const fn with(self, first: u8, last: u8) -> Set {
        let Set([mut low, mut high]) = self;
        let mut at = first;
        while at <= last && at < 128 {
            if at < 64 {
                low |= 1 << at;
            } else {
                high |= 1 << (at - 64);
            }
            at += 1;
        }
        Set([low, high])
    }

    /// Returns the union of both sets.
    #[must_use]
    pub(crate) const fn and(self, other: Set) -> Set {
        let (Set([low, high]), Set([other_low, other_high])) = (self, other);
        Set([low | other_low, high | other_high])
    }

    /// Returns the ASCII characters that are not in the set.
    #[must_use]
    pub(crate) const fn not(self) -> Set {
        let Set([low, high]) = self;
        Set([!low, !high])
    }

    /// Whether a byte is one of the characters.
    #[must_use]
    pub(crate) const fn has(self, byte: u8) -> bool {
        // This has no branches, because no processor can predict them for a text.
        let Set([low, high]) = self;
        let half = if byte & 64 == 0 { low } else { high };
        (byte < 128) & (half >> (byte & 63) & 1 == 1)
    }
}

/// The characters `0-9`.
pub(crate) const DIGIT: Set = Set::EMPTY.with(b'0', b'9');
/// The characters `A-Za-z`.
pub(crate) const LETTER: Set = Set::EMPTY.with(b'A', b'Z').with(b'a', b'z');
/// The characters `A-Za-z0-9`.
pub(crate) const ALNUM: Set = DIGIT.and(LETTER);
/// The characters `a-z0-9`.
pub(crate) const LOWER: Set = DIGIT.with(b'a', b'z');
/// The characters `A-Z0-9`.
pub(crate) const UPPER: Set = DIGIT.with(b'A', b'Z');
/// The characters `0-9a-f`.
pub(crate) const HEX: Set = DIGIT.with(b'a', b'f');
/// The characters `0-9a-fA-F`.
pub(crate) const HEX_ANY: Set = HEX.with(b'A', b'F');
/// The characters `A-Za-z0-9_`.
pub(crate) const WORD: Set = ALNUM.and(Set::of("_"));
/// The alphabet of base64 without padding.
pub(crate) const BASE64: Set = ALNUM.and(Set::of("+/"));
/// The alphabet of base64 for URLs.
pub(crate) const URL64: Set = ALNUM.and(Set::of("_-"));
/// Both alphabets of base64, and padding.
pub(crate) const ANY64: Set = BASE64.and(URL64).and(Set::of("="));
/// The characters `A-Za-z0-9_.=-`.
pub(crate) const DOTTED: Set = URL64.and(Set::of(".="));
