//! Secrets in base64 and hexadecimal.

use crate::set::{ANY64, HEX_ANY};
use std::ops::Range;

/// The number of digits that are decoded at once.
const WINDOW: usize = 64 * 1024;
/// The number of digits that two windows have in common, which is more than the longest token.
const SHARED: usize = 8 * 1024;
/// The minimum length of a text inside other bytes. A shorter text contains no secret.
const LEAST: usize = 15;
/// The minimum number of hexadecimal digits. Fewer are a number or a short hash.
const LEAST_HEX: usize = 40;

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
            if next == 0 || next > first {
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

/// Passes on the texts in a run of base64 or hexadecimal digits. A text may begin anywhere in the run: after a prefix
/// that has the same characters, or after bytes that are not text.
pub(crate) fn texts(run: &[u8], mut to: impl FnMut(&[u8])) {
    let digits: Vec<u8> = run.iter().copied().filter(|byte| !matches!(byte, b'\n' | b'\r')).collect();
    let mut start = 0;
    loop {
        let end = digits.len().min(start + WINDOW);
        in_window(digits.get(start..end).unwrap_or_default(), &mut to);
        if end == digits.len() {
            return;
        }
        start = end - SHARED;
    }
}

fn in_window(window: &[u8], to: &mut impl FnMut(&[u8])) {
    for digits in window.split(|byte| *byte == b'=') {
        let values: Vec<u8> = digits.iter().map(|byte| value(*byte).unwrap_or_default()).collect();
        // The text begins at one of four positions, depending on what comes before it.
        for shift in 0..4 {
            let decoded = bytes(values.get(shift..).unwrap_or_default());
            printed(&decoded).for_each(&mut *to);
        }
    }
    for digits in window.split(|byte| !HEX_ANY.has(*byte)).filter(|digits| digits.len() >= LEAST_HEX) {
        let digit = |byte: u8| (byte as char).to_digit(16).unwrap_or_default() as u8;
        for shift in 0..2 {
            let (pairs, _) = digits.get(shift..).unwrap_or_default().as_chunks::<2>();
            let decoded: Vec<u8> = pairs.iter().map(|[high, low]| digit(*high) << 4 | digit(*low)).collect();
            printed(&decoded).for_each(&mut *to);
        }
    }
}

/// Returns the bytes that values of base64 stand for.
fn bytes(values: &[u8]) -> Vec<u8> {
    let quad = |[a, b, c, d]: [u8; 4]| [a << 2 | b >> 4, b << 4 | c >> 2, c << 6 | d];
    let (quads, rest) = values.as_chunks::<4>();
    let mut bytes = Vec::with_capacity(quads.len() * 3 + 2);
    for values in quads {
        bytes.extend(quad(*values));
    }
    let mut last = [0; 4];
    last.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
    bytes.extend(quad(last).into_iter().take(rest.len().saturating_sub(1)));
    bytes
}

/// Returns the texts in bytes that are long enough for a secret.
pub(crate) fn printed(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes.split(|byte| !is_printed(*byte)).filter(|text| text.len() >= LEAST)
}

const fn is_printed(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\r' | 0x20..=0x7e)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(run: &[u8]) -> Vec<String> {
        let mut found = Vec::new();
        texts(run, |text| found.push(String::from_utf8_lossy(text).into_owned()));
        found
    }

    #[test]
    fn base64() {
        assert_eq!(decode(b"aGVsbG8gd29ybGQ=").as_deref(), Some(&b"hello world"[..]));
        assert_eq!(decode(b"not base64!"), None);
        for run in [
            "aGVsbG8gd29ybGQsIGhlbGxvIHdvcmxk",
            "x/aGVsbG8gd29ybGQsIGhlbGxvIHdvcmxk",
            "a==aGVsbG8gd29ybGQsIGhlbGxvIHdvcmxk",
        ] {
            assert_eq!(all(run.as_bytes()), ["hello world, hello world"], "{run}");
        }
        assert_eq!(
            all(b"w7xoZWxsbyB3b3JsZCwgaGVsbG8gd29ybGQ="),
            ["hello world, hello world"],
            "after another character"
        );
        assert_eq!(all(b"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"), [""; 0]);
    }

    #[test]
    fn texts_are_found_anywhere() {
        for before in [0, 3, WINDOW - 20, WINDOW * 5 - SHARED * 4 - 30] {
            let run = ["A".repeat(before), "aGVsbG8gd29ybGQsIGhlbGxvIHdvcmxk".to_owned(), "A".repeat(99)].concat();
            assert!(all(run.as_bytes()).contains(&"hello world, hello world".to_owned()), "{before}");
        }
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
        for run in [hex.clone(), format!("0x{hex}"), format!("0{hex}"), format!("c3bc{hex}")] {
            assert_eq!(all(run.as_bytes()), ["hello hello hello hello"], "{run}");
        }
        assert_eq!(all(b"8f4c1d0a9b3e7f2c6d5a4b1e0c9f8a7d8f4c1d0a9b3e"), [""; 0]);
    }
}
