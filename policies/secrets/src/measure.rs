//! Measures whether a text looks random, and whether it is only a placeholder for a secret.

use crate::lists::Parts;
use crate::set::{HEX_ANY, WORD};

/// Returns the entropy in hundredths of a bit per character. Words have about 300, keys have more. Only the beginning
/// of a long text counts.
pub(crate) fn entropy(text: &[u8]) -> u32 {
    let mut counts = [0u8; 256];
    let text = text.get(..text.len().min(200)).unwrap_or_default();
    for byte in text {
        if let Some(count) = counts.get_mut(usize::from(*byte)) {
            *count += 1;
        }
    }
    let total = f32::from(u8::try_from(text.len()).unwrap_or(200));
    let bits: f32 = counts.iter().filter(|count| **count > 0).map(|count| bits_of(f32::from(*count), total)).sum();
    (bits * 100.0) as u32
}

fn bits_of(count: f32, total: f32) -> f32 {
    let part = count / total;
    -part * part.log2()
}

/// Returns the number of different characters.
pub(crate) fn variety(text: &[u8]) -> u32 {
    let mut seen = [0u64; 4];
    for byte in text {
        if let Some(word) = seen.get_mut(usize::from(byte >> 6)) {
            *word |= 1 << (byte & 63);
        }
    }
    seen.iter().map(|word| word.count_ones()).sum()
}

/// The numbers of characters by kind.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Kinds {
    pub(crate) lower: usize,
    pub(crate) upper: usize,
    pub(crate) digits: usize,
    pub(crate) others: usize,
    /// The number of times that digits and letters alternate.
    pub(crate) switches: usize,
    /// The number of times that a word seems to begin inside the text: a capital letter after a lower-case letter.
    pub(crate) humps: usize,
    /// The longest run of letters of one case.
    pub(crate) longest: usize,
}

impl Kinds {
    pub(crate) fn of(text: &[u8]) -> Self {
        let mut kinds = Kinds::default();
        let (mut last, mut run) = (b' ', 0);
        for &byte in text {
            match byte {
                b'a'..=b'z' => kinds.lower += 1,
                b'A'..=b'Z' => kinds.upper += 1,
                b'0'..=b'9' => kinds.digits += 1,
                _ => kinds.others += 1,
            }
            let continues = (last.is_ascii_lowercase() && byte.is_ascii_lowercase())
                || (last.is_ascii_uppercase() && byte.is_ascii_alphabetic() && (run > 1 || byte.is_ascii_lowercase()))
                || (last.is_ascii_uppercase() && byte.is_ascii_uppercase());
            run = if !byte.is_ascii_alphabetic() {
                0
            } else if continues {
                run + 1
            } else {
                1
            };
            kinds.longest = kinds.longest.max(run);
            let is_switch = (last.is_ascii_digit() && byte.is_ascii_alphabetic())
                || (last.is_ascii_alphabetic() && byte.is_ascii_digit());
            kinds.switches += usize::from(is_switch);
            kinds.humps += usize::from(last.is_ascii_lowercase() && byte.is_ascii_uppercase());
            last = byte;
        }
        kinds
    }

    pub(crate) const fn letters(self) -> usize {
        self.lower + self.upper
    }

    /// Returns how many of these kinds occur: lower-case letters, capital letters, digits, others.
    pub(crate) fn count(self) -> usize {
        [self.lower, self.upper, self.digits, self.others].into_iter().filter(|count| *count > 0).count()
    }
}

/// Whether a text looks random, unlike words, versions or names. `least` is its minimum entropy.
pub(crate) fn is_random(text: &[u8], least: u32) -> bool {
    let kinds = Kinds::of(text);
    if entropy(text) < least || kinds.digits == 0 && kinds.others == 0 {
        return false;
    }
    if text.iter().all(|byte| HEX_ANY.has(*byte)) {
        return kinds.letters() > 0 && kinds.digits > 0;
    }
    let length = kinds.letters() + kinds.digits;
    // Digits occur between letters, not only at the end.
    if kinds.switches >= 4 || kinds.switches >= 3 && length <= 24 {
        return kinds.longest < 12.max(length / 5);
    }
    // Capital letters are spread over the text, as in base64.
    kinds.digits > 0 && kinds.upper >= 3 && kinds.lower >= 3 && kinds.humps * 5 >= length && kinds.longest < 7
}

/// Whether a text of letters only looks random: its capital and lower-case letters alternate as in no words.
pub(crate) fn is_mixed(text: &[u8]) -> bool {
    let kinds = Kinds::of(text);
    text.len() >= 14
        && kinds.letters() == text.len()
        && kinds.humps * 6 >= text.len()
        && kinds.upper * 3 >= text.len()
        && kinds.lower * 3 >= text.len()
        && kinds.longest < 9
        && entropy(text) >= 320
}

/// Whether a text is a UUID.
pub(crate) fn is_uuid(text: &[u8]) -> bool {
    text.len() == 36
        && text.iter().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => *byte == b'-',
            _ => HEX_ANY.has(*byte),
        })
}

/// Words in texts that only show what a secret looks like, or that mark a place where a policy has removed something.
/// They are in lower case.
static PLACEHOLDERS: Parts = Parts::new(&[
    "example",
    "your",
    "yourapi",
    "yourkey",
    "yoursecret",
    "yourtoken",
    "xxxx",
    "xxxxx",
    "****",
    "placeholder",
    "changeme",
    "change_me",
    "change-me",
    "redacted",
    "dummy",
    "sample",
    "insert",
    "<token",
    "token>",
    "_here",
    "-here",
    "todo",
    "....",
    "…",
    "####",
    "tokenhere",
    "keyhere",
    "masked",
    "goeshere",
    "randomstring",
    "notreal",
    "not_a_real",
    "not-a-real",
]);

/// Whether a provider's token is only an example.
pub(crate) fn is_placeholder(text: &[u8]) -> bool {
    is_monotonous(text) || PLACEHOLDERS.are_in(text)
}

/// Whether most characters repeat the previous one.
pub(crate) fn is_monotonous(text: &[u8]) -> bool {
    let repeats = text.windows(2).filter(|pair| pair.first() == pair.last()).count();
    text.is_empty() || repeats * 2 >= text.len() || (text.len() >= 8 && variety(text) < 3)
}

/// Whether a text is a name as in programs: words separated by `_`, `-`, `.` or capital letters, some with a few digits
/// at the end.
pub(crate) fn is_name(text: &[u8]) -> bool {
    text.split(|byte| !WORD.has(*byte) || *byte == b'_').all(|part| {
        let kinds = Kinds::of(part);
        kinds.switches <= 2 && !(kinds.digits > 0 && kinds.letters() > 0 && kinds.humps * 3 > part.len())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entropies() {
        assert_eq!(entropy(b"aaaa"), 0);
        assert_eq!(entropy(b"abcd"), 200);
        assert!(entropy(b"") == 0);
    }

    #[test]
    fn what_looks_drawn_by_lot() {
        for text in ["q7fk2m9x1c8v4b6z", "aG7xQ2mZ9pLw4RtY8bNc", "8f4c1d0a9b3e7f2c6d5a4b1e0c9f8a7d"] {
            assert!(is_random(text.as_bytes(), 300), "{text}");
        }
        for text in
            ["SalesResults-1.2", "ultraPictureBox1", "rc0.13.0_20230412-SNAPSHOT", "hello-world", "getTokenFromCache2"]
        {
            assert!(!is_random(text.as_bytes(), 300), "{text}");
        }
    }

    #[test]
    fn letters_in_no_order() {
        for text in ["lpJLwRoOgpxwRTqKhOaXqvOB", "nCvrfzscOSFXqbJK"] {
            assert!(is_mixed(text.as_bytes()), "{text}");
        }
        for text in ["getUserByIdAndNameOrId", "RefreshTokenCredential", "HTTPServerURLHandler", "aBcDeF"] {
            assert!(!is_mixed(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn placeholders() {
        for text in [
            "xxxxxxxxxxxx",
            "YOUR_TOKEN",
            "enteryourtoken",
            "16C7exxxxx42F2",
            "000000000000",
            "AKIAIOSFODNN7EXAMPLE",
            "ababababab",
        ] {
            assert!(is_placeholder(text.as_bytes()), "{text}");
        }
        for text in
            ["q7fk2m9x1c8v4b6z", "16C7e42F292c69yOuR10c838347Ae178B4a", "q7tODo2m9x1c8v4b6z", "q7xXXx2m9x1c8v4b6z"]
        {
            assert!(!is_placeholder(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn uuids() {
        assert!(is_uuid(b"0736f5ef-7e88-499a-80cc-90c85d2a5180"));
        assert!(!is_uuid(b"0736f5ef-7e88-499a-80cc-90c85d2a518"));
    }
}
