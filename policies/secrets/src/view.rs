//! A text as its reader sees it: without escapes, colours and invisible characters, which may be inside a secret.

use crate::blocks::{Class, Members};
use std::borrow::Cow;
use std::ops::Range;

/// The maximum length of a terminal escape sequence that is removed. Without it, a text of beginnings of sequences
/// would take too long.
const MAX_SEQUENCE: usize = 256;
/// The byte in place of a character that is not ASCII.
const OTHER: u8 = 0x80;

/// A text as its reader sees it, with the position in the original text of each byte.
#[derive(Debug)]
pub(crate) struct View<'t> {
    pub(crate) bytes: Cow<'t, [u8]>,
    /// The pieces of the view. From byte `from` of the view on, each byte stands for `unit` bytes of the text, which
    /// begin at `at`.
    pieces: Vec<Piece>,
}

#[derive(Clone, Copy, Debug)]
struct Piece {
    from: usize,
    at: usize,
    unit: usize,
}

impl<'t> View<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        let text = text.as_bytes();
        let mut specials = Members::<Special>::new(text);
        if specials.next(0).is_none() {
            return View { bytes: Cow::Borrowed(text), pieces: Vec::new() };
        }
        let mut writer = Writer { bytes: Vec::with_capacity(text.len()), pieces: Vec::new() };
        let (mut at, mut plain) = (0, 0);
        while let Some(special) = specials.next(at) {
            at = special;
            let rest = text.get(at..).unwrap_or_default();
            match unit(rest) {
                Some((length, byte)) => {
                    writer.plain(text.get(plain..at).unwrap_or_default(), plain);
                    if let Some(byte) = byte {
                        writer.unit(byte, at, length);
                    }
                    at += length;
                    plain = at;
                }
                // All backslashes that escape nothing stay.
                None => at += rest.iter().take_while(|byte| **byte == b'\\').count().max(1),
            }
        }
        writer.plain(text.get(plain..).unwrap_or_default(), plain);
        View { bytes: Cow::Owned(writer.bytes), pieces: writer.pieces }
    }

    /// Returns the place in the text of a part of the view.
    pub(crate) fn place(&self, part: Range<usize>) -> Range<usize> {
        let start =
            self.piece(part.start).map_or(part.start, |piece| piece.at + (part.start - piece.from) * piece.unit);
        let last = part.end.saturating_sub(1);
        let end = self.piece(last).map_or(part.end, |piece| piece.at + (last - piece.from + 1) * piece.unit);
        start..end.max(start)
    }

    /// Returns what a reader sees of the parts of an answer that are shown one after another: their texts without the
    /// syntax between them. Returns `None` if there are no such parts.
    pub(crate) fn joined(bytes: &[u8]) -> Option<View<'static>> {
        let mut writer = Writer { bytes: Vec::new(), pieces: Vec::new() };
        let (mut at, mut plain) = (0, 0);
        while let Some(quote) = bytes.get(at..).and_then(|rest| rest.iter().position(|byte| *byte == b'"')) {
            at += quote;
            match bytes.get(at..).and_then(between) {
                Some(length) => {
                    writer.plain(bytes.get(plain..at).unwrap_or_default(), plain);
                    at += length;
                    plain = at;
                }
                None => at += 1,
            }
        }
        if plain == 0 {
            return None;
        }
        writer.plain(bytes.get(plain..).unwrap_or_default(), plain);
        Some(View { bytes: Cow::Owned(writer.bytes), pieces: writer.pieces })
    }

    fn piece(&self, position: usize) -> Option<Piece> {
        let after = self.pieces.partition_point(|piece| piece.from <= position);
        self.pieces.get(after.checked_sub(1)?).copied()
    }
}

/// Returns the length of the syntax between the texts of two parts: `"}, {"type": "text", "text": "`.
fn between(rest: &[u8]) -> Option<usize> {
    /// The maximum amount of white space between two tokens.
    const SPACE: usize = 64;
    let mut left = rest;
    let mut take = |token: &[u8]| {
        let space = left.iter().take(SPACE).take_while(|byte| byte.is_ascii_whitespace()).count();
        let behind = left.get(space..).and_then(|left| left.strip_prefix(token));
        if let Some(behind) = behind {
            left = behind;
        }
        behind.is_some()
    };
    let mut all = |tokens: &[&[u8]]| tokens.iter().all(|token| take(token));
    const TYPE: &[&[u8]] = &[b"\"type\"", b":", b"\"text\""];
    // The type may come before or after the text.
    let is_end = all(&[b"\""]) && (!all(&[b","]) || all(TYPE)) && all(&[b"}", b",", b"{"]);
    let is_between = is_end && (!all(TYPE) || all(&[b","])) && all(&[b"\"text\"", b":", b"\""]);
    is_between.then(|| rest.len() - left.len())
}

struct Writer {
    bytes: Vec<u8>,
    pieces: Vec<Piece>,
}

impl Writer {
    fn plain(&mut self, text: &[u8], at: usize) {
        if text.is_empty() {
            return;
        }
        let from = self.bytes.len();
        let continues = self.pieces.last().is_some_and(|piece| piece.unit == 1 && piece.at + (from - piece.from) == at);
        if !continues {
            self.pieces.push(Piece { from, at, unit: 1 });
        }
        self.bytes.extend_from_slice(text);
    }

    fn unit(&mut self, byte: u8, at: usize, unit: usize) {
        self.pieces.push(Piece { from: self.bytes.len(), at, unit });
        self.bytes.push(byte);
    }
}

/// Bytes that begin an escape or an invisible character.
#[derive(Debug)]
struct Special;

impl Class for Special {
    const RANGES: &'static [(u8, u8)] =
        &[(b'\\', b'\\'), (0x1b, 0x1b), (0xe2, 0xe2), (0xef, 0xef), (0xc2, 0xc2), (b'%', b'&')];
}

/// Returns the length of an escape that begins here, and the byte that it stands for, if any.
fn unit(rest: &[u8]) -> Option<(usize, Option<u8>)> {
    match rest {
        [0x1b, ..] => Some((sequence(rest, 1), None)),
        // These are zero-width joiners and spaces, the byte order mark and the soft hyphen.
        [0xe2, 0x80, 0x8b..=0x8f, ..] | [0xe2, 0x81, 0xa0..=0xa4, ..] | [0xef, 0xbb, 0xbf, ..] => Some((3, None)),
        [0xc2, 0xad, ..] => Some((2, None)),
        [b'&', b'#', ..] => numbered(rest).or_else(|| entity(rest)),
        [b'&', ..] => entity(rest),
        [b'%', ..] => percent(rest),
        [b'\\', ..] => escape(rest),
        _ => None,
    }
}

/// Reads `%5F`, however often it was encoded. Only characters that mean the same in a URL without encoding are decoded.
fn percent(rest: &[u8]) -> Option<(usize, Option<u8>)> {
    let mut digits = rest.get(1..)?;
    while digits.starts_with(b"25") && digits.len() > 3 {
        digits = digits.get(2..)?;
    }
    let byte = u8::try_from(hex(digits.get(..2)?)?).ok()?;
    let is_plain = byte.is_ascii_alphanumeric() || b"_-.~".contains(&byte);
    is_plain.then_some((rest.len() - digits.len() + 2, Some(byte)))
}

/// Reads `&#95;` or `&#x5f;`.
fn numbered(rest: &[u8]) -> Option<(usize, Option<u8>)> {
    let end = rest.iter().take(12).position(|byte| *byte == b';')?;
    let digits = std::str::from_utf8(rest.get(2..end)?).ok()?;
    let code = match digits.strip_prefix(['x', 'X']) {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => digits.parse(),
    };
    let byte = u8::try_from(code.ok()?).ok().filter(|byte| matches!(byte, b'\n' | 0x20..=0x7e))?;
    Some((end + 1, Some(byte)))
}

fn entity(rest: &[u8]) -> Option<(usize, Option<u8>)> {
    const ENTITIES: &[(&[u8], u8)] = &[
        (b"&quot;", b'"'),
        (b"&#34;", b'"'),
        (b"&apos;", b'\''),
        (b"&#39;", b'\''),
        (b"&#x27;", b'\''),
        (b"&amp;", b'&'),
        (b"&lt;", b'<'),
        (b"&gt;", b'>'),
        (b"&#10;", b'\n'),
        (b"&lowbar;", b'_'),
        (b"&hyphen;", b'-'),
        (b"&dash;", b'-'),
        (b"&period;", b'.'),
        (b"&equals;", b'='),
        (b"&colon;", b':'),
    ];
    ENTITIES.iter().find(|(name, _)| rest.starts_with(name)).map(|(name, byte)| (name.len(), Some(*byte)))
}

/// Reads backslashes and what they escape, however often it was escaped: `\"`, `\\\"`.
fn escape(rest: &[u8]) -> Option<(usize, Option<u8>)> {
    let slashes = rest.iter().take_while(|byte| **byte == b'\\').count();
    let after = rest.get(slashes..).unwrap_or_default();
    match after {
        [b'n' | b'r', ..] => Some((slashes + 1, Some(b'\n'))),
        [b't', ..] => Some((slashes + 1, Some(b'\t'))),
        [quote @ (b'"' | b'\'' | b'`' | b'/'), ..] => Some((slashes + 1, Some(*quote))),
        [b'u', digits @ ..] => {
            let code = hex(digits.get(..4)?)?;
            Some(match code {
                0x1b => (sequence(rest, slashes + 5), None),
                0x200b..=0x200f | 0x2060..=0x2064 | 0xfeff | 0xad => (slashes + 5, None),
                _ => (slashes + 5, Some(u8::try_from(code).ok().filter(u8::is_ascii).unwrap_or(OTHER))),
            })
        }
        [b'x', b'1', b'b' | b'B', b'[', ..] => Some((sequence(rest, slashes + 3), None)),
        [b'x', digits @ ..] => {
            let byte = u8::try_from(hex(digits.get(..2)?)?).ok().filter(|byte| matches!(byte, 0x20..=0x7e))?;
            Some((slashes + 3, Some(byte)))
        }
        [b'0', b'3', b'3', b'[', ..] => Some((sequence(rest, slashes + 3), None)),
        [b'e' | b'E', b'[', ..] => Some((sequence(rest, slashes + 1), None)),
        // This is a line that continues on the next one.
        [b'\n', ..] if slashes == 1 => None,
        _ => None,
    }
}

fn hex(digits: &[u8]) -> Option<u32> {
    let text = std::str::from_utf8(digits).ok()?;
    u32::from_str_radix(text, 16).ok()
}

/// Returns the length of a terminal escape sequence, including the `start` bytes that begin it.
fn sequence(rest: &[u8], start: usize) -> usize {
    let after = rest.get(start..).unwrap_or_default();
    let after = after.get(..after.len().min(MAX_SEQUENCE)).unwrap_or_default();
    start
        + match after {
            [b'[', parameters @ ..] => {
                let length = parameters.iter().take_while(|byte| matches!(byte, 0x20..=0x3f)).count();
                // A sequence without an end is text.
                parameters.get(length).map_or(0, |last| if matches!(last, 0x40..=0x7e) { length + 2 } else { 0 })
            }
            // This is a title or a link, which ends at a bell or `ESC \`.
            [b']', title @ ..] => title
                .iter()
                .position(|byte| matches!(byte, 0x07 | 0x1b))
                .map_or(0, |at| at + if title.get(at) == Some(&0x1b) { 3 } else { 2 }),
            [b'(' | b')', _, ..] => 2,
            [b'=' | b'>' | b'7' | b'8' | b'\\', ..] => 1,
            _ => 0,
        }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn seen(text: &str) -> String {
        String::from_utf8_lossy(&View::new(text).bytes).into_owned()
    }

    #[test]
    fn escapes_are_what_they_stand_for() {
        assert_eq!(seen(r#"{\"a\": \"b\"}"#), r#"{"a": "b"}"#);
        assert_eq!(seen(r#"{\\\"a\\\": 1}"#), r#"{"a": 1}"#);
        assert_eq!(seen(r"one\ntwo\\nthree"), "one\ntwo\nthree");
        assert_eq!(seen(r"a\u002db\/c"), "a-b/c");
        assert_eq!(seen("a\u{1b}[32mb\u{1b}[0mc"), "abc");
        assert_eq!(seen(r"a\u001b[1;32mb\x1b[0mc\033[mD\e[0me"), "abcDe");
        assert_eq!(seen("a\u{200b}b\u{ad}c"), "abc");
        assert_eq!(seen("a\u{1b}]8;;http://x\u{7}b\u{1b}]8;;\u{1b}\\c"), "abc");
        assert_eq!(seen("&quot;a&quot;"), "\"a\"");
        assert_eq!(seen("a%5Fb%255fc%20d%2Fe"), "a_b_c%20d%2Fe");
        assert_eq!(seen("a&#95;b&#x5F;c&lowbar;d&#999;"), "a_b_c_d&#999;");
        assert_eq!(seen(r"a\x5fb"), "a_b");
        assert_eq!(seen(r"C:\Users\x"), r"C:\Users\x");
    }

    #[test]
    fn places_are_those_of_the_text() {
        let text = "x\u{1b}[32mab\u{1b}[0mcd\u{1b}[0m y";
        let view = View::new(text);
        let place = view.place(1..5);
        assert_eq!(text.get(place), Some("ab\u{1b}[0mcd"));
        let text = r#"{\"k\": \"v\u002dw\"}"#;
        let view = View::new(text);
        let at = view.bytes.windows(3).position(|part| part == b"v-w").unwrap_or_default();
        assert_eq!(text.get(view.place(at..at + 3)), Some(r"v\u002dw"));
    }

    #[test]
    fn parts_are_read_one_after_the_other() {
        for between in [
            r#""},{"type":"text","text":""#,
            "\"},\n  {\"type\": \"text\",\n   \"text\": \"",
            r#"","type":"text"},{"text":""#,
            r#"" }, { "text" : ""#,
        ] {
            let text = format!(r#"[{{"type":"text","text":"one{between}two"}}]"#);
            let joined = View::joined(text.as_bytes()).map(|view| {
                let at = view.bytes.windows(6).position(|part| part == b"onetwo").unwrap_or_default();
                view.place(at..at + 6)
            });
            let whole = joined.and_then(|place| text.get(place));
            assert_eq!(whole, Some(format!("one{between}two").as_str()), "{text}");
        }
        for text in ["", "plain", r#"{"a":"b"},{"text":"c"}"#, r#""},{"type":"image","text":""#] {
            let joined = View::joined(text.as_bytes()).map(|view| view.bytes.into_owned());
            assert!(joined.is_none() || text.contains(r#""b"},{"text""#), "{text}");
        }
    }

    proptest! {
        #[test]
        fn each_place_is_in_the_text(text in "[a-z\\\\\"nu0-9\u{1b}\\[m&;\u{200b}é]{0,60}") {
            let view = View::new(&text);
            for at in 0..view.bytes.len() {
                let place = view.place(at..at + 1);
                prop_assert!(place.end <= text.len() && place.start < place.end);
            }
            prop_assert_eq!(view.place(0..view.bytes.len()).end <= text.len(), true);
        }
    }
}
