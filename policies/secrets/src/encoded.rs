//! Secrets in base64 and hexadecimal.

use crate::set::{ALNUM, ANY64, HEX_ANY};
use std::ops::Range;

/// The maximum length that is decoded of one run. A longer run is a file, whose beginning is enough to decide.
const MAX_DECODED: usize = 64 * 1024;
/// The number of characters of a run that show whether it contains text.
const SAMPLE: usize = 20;

/// Decodes base64 in either alphabet, ignoring line breaks. Returns `None` if the text is not base64.
pub(crate) fn decode(text: &[u8]) -> Option<Vec<u8>> {
    let mut decoded = Vec::with_capacity(text.len() / 4 * 3 + 3);
    let (mut bits, mut count) = (0u32, 0u32);
    for &byte in text {
        let value = match byte {
            b'\n' | b'\r' => continue,
            b'=' => break,
            _ => value(byte)?,
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            decoded.push((bits >> count & 0xff) as u8);
        }
    }
    Some(decoded)
}

const fn value(byte: u8) -> Option<u8> {
    Some(match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' | b'-' => 62,
        b'/' | b'_' => 63,
        _ => return None,
    })
}

/// Returns the run of base64 around a word, which may extend over lines of equal length.
pub(crate) fn run(text: &[u8], word: Range<usize>, from: usize) -> Range<usize> {
    let before = text.get(from..word.start).unwrap_or_default();
    let start = word.start - before.iter().rev().take_while(|byte| ANY64.has(**byte) && **byte != b'=').count();
    let length = |at: usize| text.get(at..).unwrap_or_default().iter().take_while(|byte| ANY64.has(**byte)).count();
    let first = length(start);
    let mut end = start + first;
    if first >= 60 && first % 4 == 0 {
        // All lines of a run except the last have the same length.
        loop {
            let gap = match text.get(end..) {
                Some([b'\n', ..]) => 1,
                Some([b'\r', b'\n', ..]) => 2,
                _ => break,
            };
            let next = length(end + gap);
            if next == 0 || next > first || end - start > MAX_DECODED * 4 {
                break;
            }
            end += gap + next;
            if next < first {
                break;
            }
        }
    }
    start..end
}

/// Decodes a run of base64, if it contains text.
pub(crate) fn text_in(run: &[u8]) -> Option<Vec<u8>> {
    if run.len() < 20 {
        return None;
    }
    if !begins_text(run) {
        return None;
    }
    let whole = decode(run.get(..run.len().min(MAX_DECODED))?)?;
    let printed = whole.iter().filter(|byte| is_printed(**byte)).count();
    (printed * 20 >= whole.len() * 19).then_some(whole)
}

/// Whether the first characters decode to text.
fn begins_text(run: &[u8]) -> bool {
    let (mut bits, mut count, mut letters) = (0u32, 0u32, 0);
    for &byte in run.iter().take(SAMPLE) {
        let Some(value) = value(byte) else {
            return false;
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            let byte = (bits >> count & 0xff) as u8;
            if !is_printed(byte) {
                return false;
            }
            letters += u32::from(ALNUM.has(byte));
        }
    }
    letters * 3 >= 15
}

/// Decodes hexadecimal digits, if they contain text.
pub(crate) fn text_in_hex(run: &[u8]) -> Option<Vec<u8>> {
    if run.len() < 40 || run.len() % 2 == 1 || run.len() > MAX_DECODED || !run.iter().all(|byte| HEX_ANY.has(*byte)) {
        return None;
    }
    let digit = |byte: u8| (byte as char).to_digit(16).unwrap_or_default() as u8;
    let pairs = |run: &[u8]| -> Vec<u8> {
        run.chunks_exact(2).map(|pair| pair.iter().fold(0, |value, byte| value << 4 | digit(*byte))).collect()
    };
    if !is_text(&pairs(run.get(..20)?)) {
        return None;
    }
    let whole = pairs(run);
    is_text(&whole).then_some(whole)
}

pub(crate) fn is_text(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| is_printed(*byte))
        && bytes.iter().filter(|byte| ALNUM.has(**byte)).count() * 3 >= bytes.len()
}

const fn is_printed(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\r' | 0x20..=0x7e)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64() {
        assert_eq!(decode(b"aGVsbG8gd29ybGQ=").as_deref(), Some(&b"hello world"[..]));
        assert_eq!(decode(b"not base64!"), None);
        assert_eq!(text_in(b"aGVsbG8gd29ybGQsIGhlbGxvIHdvcmxk").as_deref(), Some(&b"hello world, hello world"[..]));
        assert_eq!(text_in(b"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"), None);
    }

    #[test]
    fn lines_belong_together() {
        let line = "a".repeat(76);
        let text = format!("x: {line}\n{line}\nabcd==\nmore");
        assert_eq!(run(text.as_bytes(), 3..79, 0), 3..3 + 76 * 2 + 2 + 6);
    }

    #[test]
    fn hexadecimal() {
        let hex: String = "hello hello hello hello".bytes().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(text_in_hex(hex.as_bytes()).as_deref(), Some(&b"hello hello hello hello"[..]));
        assert_eq!(text_in_hex(b"8f4c1d0a9b3e7f2c6d5a4b1e0c9f8a7d8f4c1d0a9b3e"), None);
    }
}
