//! Finds the words of the lexicon in a text, in one pass.

use crate::fold::{disguised, fold, is_of_pieces, is_of_word, look_alike};
use crate::invisible::{Invisible, invisible, run};
use crate::lexicon::{Class, PIECES, WORDS};

/// The number of slots in the table of words, a power of two.
const SLOTS: usize = 2048;
/// The longest word of the lexicon, in characters.
const MAX_WORD: usize = 24;

const SEED: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0100_0000_01b3;

const fn step(hash: u64, byte: u8) -> u64 {
    (hash ^ byte as u64).wrapping_mul(PRIME)
}

fn hash_char(hash: u64, c: char) -> u64 {
    if c.is_ascii() {
        return u8::try_from(c).map_or(hash, |byte| step(hash, byte));
    }
    c.encode_utf8(&mut [0; 4]).bytes().fold(hash, step)
}

/// The lexicon, prepared for searching.
pub(crate) struct Lexicon {
    /// A bit set of the words. It rules out most words of a text and is small enough to stay in the cache.
    filter: [u64; 128],
    slots: Vec<(u64, Class)>,
    /// The pieces, sorted by their first characters.
    pieces: Vec<(&'static str, Class)>,
    /// A bit set of the pieces' first characters, by their lowest bits.
    firsts: [u64; 16],
}

impl Lexicon {
    pub(crate) fn new() -> Self {
        let mut lexicon = Lexicon { filter: [0; 128], slots: vec![(0, 0); SLOTS], pieces: Vec::new(), firsts: [0; 16] };
        for (class, words) in WORDS {
            for word in words.split_ascii_whitespace() {
                lexicon.add(word.chars().fold(SEED, hash_char), *class);
            }
        }
        for (class, pieces) in PIECES {
            lexicon.pieces.extend(pieces.split_ascii_whitespace().map(|piece| (piece, *class)));
        }
        lexicon.pieces.sort_unstable();
        for (piece, _) in &lexicon.pieces {
            let (slot, bit) = first_bit(piece.chars().next().unwrap_or_default());
            if let Some(firsts) = lexicon.firsts.get_mut(slot) {
                *firsts |= bit;
            }
        }
        lexicon
    }

    fn add(&mut self, hash: u64, class: Class) {
        let (filter, bit) = filter_bit(hash);
        if let Some(bits) = self.filter.get_mut(filter) {
            *bits |= bit;
        }
        let mut at = slot(hash);
        while let Some(slot) = self.slots.get_mut(at) {
            if slot.1 == 0 || slot.0 == hash {
                *slot = (hash, slot.1 | class);
                return;
            }
            at = (at + 1) % SLOTS;
        }
    }

    fn class(&self, hash: u64) -> Class {
        let (filter, bit) = filter_bit(hash);
        if self.filter.get(filter).is_none_or(|bits| bits & bit == 0) {
            return 0;
        }
        let mut at = slot(hash);
        while let Some(&(known, class)) = self.slots.get(at) {
            if class == 0 || known == hash {
                return class;
            }
            at = (at + 1) % SLOTS;
        }
        0
    }

    /// Returns the class and the length of the piece that a text begins with.
    fn piece(&self, rest: &str, first: char) -> Option<(Class, usize)> {
        let (slot, bit) = first_bit(first);
        if self.firsts.get(slot).is_none_or(|firsts| firsts & bit == 0) {
            return None;
        }
        let of_first = |piece: &str| piece.chars().next().unwrap_or_default();
        let start = self.pieces.partition_point(|(piece, _)| of_first(piece) < first);
        let pieces = self.pieces.get(start..)?.iter().take_while(|(piece, _)| of_first(piece) == first);
        pieces.filter(|(piece, _)| rest.starts_with(piece)).map(|(piece, class)| (*class, piece.len())).last()
    }
}

/// Returns the position of a character in a bit set.
const fn first_bit(c: char) -> (usize, u64) {
    let code = c as usize;
    (code >> 6 & 15, 1 << (code & 63))
}

/// Returns the position of a word in a bit set.
const fn filter_bit(hash: u64) -> (usize, u64) {
    let mixed = hash ^ (hash >> 32);
    ((mixed >> 6 & 127) as usize, 1 << (mixed & 63))
}

fn slot(hash: u64) -> usize {
    usize::try_from((hash ^ (hash >> 29)) % (SLOTS as u64)).unwrap_or_default()
}

/// A word that was found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Word {
    /// The classes of the word, or 0 if it is not in the lexicon.
    pub(crate) class: Class,
    /// The start of the word, in bytes.
    pub(crate) start: usize,
    /// The end of the word, in bytes.
    pub(crate) end: usize,
    /// The hash that identifies the word.
    pub(crate) hash: u64,
    /// Whether the word contains invisible characters or lookalikes.
    pub(crate) is_disguised: bool,
    /// Whether the word contains invisible characters.
    pub(crate) is_split: bool,
    /// The length of the longest run of invisible characters inside or after the word.
    pub(crate) hidden: usize,
}

/// Returns the word that begins at `start` with a letter or a digit.
pub(crate) fn word(text: &str, start: usize, lexicon: &Lexicon) -> Word {
    let bytes = text.as_bytes();
    let (mut at, mut hash, mut ascii, mut digits, mut others) = (start, SEED, 0_usize, 0_usize, 0_usize);
    let (mut is_disguised, mut hides, mut is_split, mut longest) = (false, false, false, 0);
    loop {
        let first = at;
        while let Some(&byte) = bytes.get(at)
            && byte.is_ascii_alphanumeric()
        {
            hash = step(hash, byte | 0x20);
            digits += usize::from(byte <= b'9');
            at += 1;
        }
        ascii += at - first;
        is_split |= hides && at > first;
        let Some(&byte) = bytes.get(at) else { break };
        let rest = || text.get(at..).unwrap_or_default();
        if byte == b'&' && bytes.get(at + 1) == Some(&b'#') {
            let Some((c, len)) = entity(rest()).filter(|(c, _)| is_of_word(*c) && !is_of_pieces(*c)) else { break };
            hash = fold(c).map_or(hash, |c| hash_char(hash, c));
            is_disguised |= c.is_ascii_alphabetic();
            ascii += 1;
            at += len;
            continue;
        }
        if byte == b'\\' {
            let Some(letter) = escape(rest()) else { break };
            hash = step(hash, letter | 0x20);
            is_disguised = true;
            ascii += 1;
            at += ESCAPE;
            continue;
        }
        if byte == b'\'' || byte == 0xE2 {
            // These are words such as `don't` and `you're`.
            let quote = if byte == b'\'' { 1 } else { 3 };
            let is_quote = byte == b'\'' || rest().starts_with('\u{2019}');
            let after = bytes.get(at + quote).map(|byte| byte | 0x20);
            if is_quote {
                if ascii > 0 && (after == Some(b't') || after == Some(b'r')) {
                    at += quote;
                    continue;
                }
                break;
            }
        }
        if byte < 0x80 {
            break;
        }
        let Some(c) = rest().chars().next() else { break };
        if invisible(c).is_some() {
            let run = run(rest(), text.get(..at).and_then(|before| before.chars().next_back()));
            // After other runs, a new word begins.
            if !run.tags.is_empty() || run.directions > 0 {
                break;
            }
            hides |= run.odd > 0 && invisible(c) != Some(Invisible::Hyphen) && ascii > 0;
            longest = longest.max(run.odd);
            at += run.len;
            continue;
        }
        if !is_of_word(c) && disguised(c).is_none() || is_of_pieces(c) {
            break;
        }
        is_disguised |= disguised(c).is_some();
        if let Some(c) = fold(c) {
            if c.is_ascii() {
                ascii += 1
            } else {
                others += 1
            }
            hash = hash_char(hash, c);
        }
        at += c.len_utf8();
    }
    let end = at.max(start + 1);
    let mut word = Word {
        class: lexicon.class(hash),
        start,
        end,
        hash,
        is_disguised: is_disguised || is_split,
        hidden: longest,
        is_split,
    };
    // The word is written like `1gn0re`, or with letters of another alphabet.
    let is_mixed = ascii > digits + 1 && (digits > 0 || others > 0) && ascii + others <= MAX_WORD;
    if word.class == 0 && is_mixed {
        let whole = text.get(start..end).unwrap_or_default();
        word.hash = if others == 0 && whole.is_ascii() {
            whole.bytes().fold(SEED, |hash, byte| step(hash, plain_digit(byte | 0x20)))
        } else {
            let plain = whole.chars().filter(|c| invisible(*c).is_none()).filter_map(fold);
            plain.map(|c| look_alike(c).unwrap_or(c)).fold(SEED, hash_char)
        };
        word.class = lexicon.class(word.hash);
        word.is_disguised = true;
    }
    word
}

/// Returns the letter that a digit looks like.
const fn plain_digit(byte: u8) -> u8 {
    match byte {
        b'0' => b'o',
        b'1' => b'i',
        b'3' => b'e',
        b'4' => b'a',
        b'5' => b's',
        b'7' => b't',
        b'9' => b'g',
        byte => byte,
    }
}

/// Returns the piece of the lexicon that begins at `start`, if there is one.
pub(crate) fn piece(text: &str, start: usize, first: char, lexicon: &Lexicon) -> Option<Word> {
    let rest = text.get(start..)?;
    let (class, len) = lexicon.piece(rest, first)?;
    let hash = rest.get(..len)?.chars().fold(SEED, hash_char);
    Some(Word { class, start, end: start + len, hash, ..Word::default() })
}

/// The length of an escape such as `\u0069`.
const ESCAPE: usize = 6;

/// Returns the letter of an escape such as `\u0069`, which no program writes for it.
pub(crate) fn escape(rest: &str) -> Option<u8> {
    let code = u8::from_str_radix(rest.strip_prefix("\\u00")?.get(..2)?, 16).ok()?;
    code.is_ascii_alphabetic().then_some(code)
}

/// Returns the character of an entity such as `&#105;`, and the entity's length.
pub(crate) fn entity(rest: &str) -> Option<(char, usize)> {
    let head = rest.get(2..12.min(rest.len())).or_else(|| rest.get(2..))?;
    let (digits, radix, prefix) = match head.strip_prefix(['x', 'X']) {
        Some(digits) => (digits, 16, 3),
        None => (head, 10, 2),
    };
    let len = digits.find(|c: char| !c.is_digit(radix)).unwrap_or(digits.len()).min(7);
    let code = u32::from_str_radix(digits.get(..len)?, radix).ok()?;
    let semicolon = usize::from(digits.get(len..)?.starts_with(';'));
    Some((char::from_u32(code)?, prefix + len + semicolon))
}
