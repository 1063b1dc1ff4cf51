//! Lists of words. Lists are long and most words are in no list, so marks rule out most words quickly.

/// The maximum position in a text up to which parts of it are searched for.
pub(crate) const MAX_PART: usize = 400;

/// Words that are compared with a whole text, ignoring case. The words are in lower case.
#[derive(Debug)]
pub(crate) struct Words {
    words: &'static [&'static str],
    marks: Marks,
}

impl Words {
    pub(crate) const fn new(words: &'static [&'static str]) -> Self {
        let mut marks = Marks::NONE;
        let mut rest = words;
        while let [word, others @ ..] = rest {
            let word = word.as_bytes();
            if let ([first, ..], [.., last]) = (word, word) {
                marks = marks.with(mark(*first, *last, word.len()));
            }
            rest = others;
        }
        Words { words, marks }
    }

    /// Whether a word is in the list.
    #[inline]
    pub(crate) fn has(&self, word: &[u8]) -> bool {
        match (word, word) {
            ([first, ..], [.., last]) => {
                self.marks.has(mark(*first, *last, word.len()))
                    && self.words.iter().any(|other| word.eq_ignore_ascii_case(other.as_bytes()))
            }
            _ => false,
        }
    }
}

/// The maximum length of a word that long random texts contain by chance.
const SHORT: usize = 4;

/// Words that are searched for within a text, ignoring case. The words are in lower case and have at least two bytes. A
/// short word is found only where it is not part of a random text.
#[derive(Debug)]
pub(crate) struct Parts {
    words: &'static [&'static str],
    marks: Marks,
}

impl Parts {
    pub(crate) const fn new(words: &'static [&'static str]) -> Self {
        let mut marks = Marks::NONE;
        let mut rest = words;
        while let [word, others @ ..] = rest {
            assert!(word.len() >= 2, "by its first two bytes a word is found");
            if let [first, second, ..] = word.as_bytes() {
                marks = marks.with(mark(*first, *second, 0));
            }
            rest = others;
        }
        Parts { words, marks }
    }

    /// Whether a text contains one of the words. Only the beginning of a long text is searched.
    pub(crate) fn are_in(&self, text: &[u8]) -> bool {
        let text = text.get(..text.len().min(MAX_PART)).unwrap_or_default();
        text.windows(2).enumerate().any(|(at, pair)| match pair {
            [first, second] if self.marks.has(mark(*first, *second, 0)) => {
                let rest = text.get(at..).unwrap_or_default();
                self.words
                    .iter()
                    .any(|word| begins_with(rest, word) && (word.len() > SHORT || is_apart(text, at, word.len())))
            }
            _ => false,
        })
    }
}

/// Whether a short word is written as a word and stands apart from the characters around it: `your` in `YOUR_KEY`,
/// `yourkey` and `aYour1`, but not in `x7yOuR` and `kyourb`.
fn is_apart(text: &[u8], at: usize, length: usize) -> bool {
    let word = text.get(at..at + length).unwrap_or_default();
    let letters = || word.iter().filter(|byte| byte.is_ascii_alphabetic());
    if !letters().skip(1).all(u8::is_ascii_lowercase) && !letters().all(u8::is_ascii_uppercase) {
        return false;
    }
    let (first, last) = (word.first(), word.last());
    let (before, after) = (at.checked_sub(1).and_then(|at| text.get(at)), text.get(at + length));
    let is_open = |byte: Option<&u8>| byte.is_none_or(|byte| !byte.is_ascii_alphanumeric());
    let is_hump = |lower: Option<&u8>, upper: Option<&u8>| {
        lower.is_some_and(u8::is_ascii_lowercase) && upper.is_some_and(u8::is_ascii_uppercase)
    };
    let is_letter = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphabetic);
    is_open(before)
        || is_open(after)
        || is_open(first)
        || (!is_letter(before) || is_hump(before, first)) && (!is_letter(after) || is_hump(last, after))
}

/// Whether a text begins with a word, ignoring case. The word must be in lower case.
pub(crate) fn begins_with(text: &[u8], word: &str) -> bool {
    text.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word.as_bytes()))
}

/// A bit set of numbers below 1024.
#[derive(Clone, Copy, Debug)]
struct Marks([u64; 16]);

impl Marks {
    const NONE: Marks = Marks([0; 16]);

    const fn with(self, number: usize) -> Self {
        let Marks(mut bits) = self;
        if let Some(word) = bits.split_at_mut(number / 64).1.first_mut() {
            *word |= 1 << (number % 64);
        }
        Marks(bits)
    }

    #[inline]
    fn has(&self, number: usize) -> bool {
        self.0.get(number / 64).is_some_and(|word| word >> (number % 64) & 1 == 1)
    }
}

/// Returns a number below 1024 for two letters, ignoring case, and a length.
const fn mark(first: u8, second: u8, length: usize) -> usize {
    (((first & 0x1f) as usize) << 5 ^ (second & 0x1f) as usize ^ length << 3) % 1024
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_words() {
        static WORDS: Words = Words::new(&["key", "a", "x_1"]);
        for word in ["key", "KEY", "a", "X_1"] {
            assert!(WORDS.has(word.as_bytes()), "{word}");
        }
        for word in ["", "ke", "keys", "b", "kay", "x-1"] {
            assert!(!WORDS.has(word.as_bytes()), "{word}");
        }
    }

    #[test]
    fn parts_of_texts() {
        static PARTS: Parts = Parts::new(&["your", "…", "\\x"]);
        for text in ["your", "in YOUR house", "a…", "\\X41"] {
            assert!(PARTS.are_in(text.as_bytes()), "{text}");
        }
        for text in ["your_key", "a2YourKey", "1YOUR2", "yourtoken", "mytoken-your"] {
            assert!(PARTS.are_in(text.as_bytes()), "{text}");
        }
        for text in ["", "y", "you", "yo ur", "x", "x7yOuR9", "kyourb", "aYOURb", "q-yOUR-1"] {
            assert!(!PARTS.are_in(text.as_bytes()), "{text}");
        }
        assert!(!PARTS.are_in(format!("{}your", " ".repeat(400)).as_bytes()));
    }
}
