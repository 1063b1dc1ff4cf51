//! Reads `$'…'`.

use super::Scanner;
use crate::shell::marks::is_reserved;

impl Scanner<'_, '_> {
    /// Reads `$'…'` after its opening quote.
    pub(super) fn ansi_c(&mut self) {
        let start = self.rest;
        while let Some(c) = self.next() {
            match c {
                '\'' => break,
                '\\' => drop(self.next()),
                _ => {}
            }
        }
        let taken = start.len().saturating_sub(self.rest.len());
        let inside = start.get(..taken).unwrap_or_default();
        match unescaped(inside.strip_suffix('\'').unwrap_or(inside), Dialect::Quotes) {
            Some(text) => self.text.push_str(&text),
            None => self.unknown(&format!("$'{inside}")),
        }
    }
}

/// The context of escapes, which determines their meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::shell) enum Dialect {
    /// `$'…'`
    Quotes,
    /// `echo -e`, or the words of `printf '%b'`.
    Printed,
    /// The format of `printf`.
    Format,
}

/// Resolves backslashes. Returns `None` if the result is not valid text.
pub(in crate::shell) fn unescaped(text: &str, dialect: Dialect) -> Option<String> {
    let mut bytes: Vec<u8> = Vec::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    let push = |bytes: &mut Vec<u8>, c: char| bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
    while let Some(c) = chars.next() {
        if c != '\\' {
            push(&mut bytes, c);
            continue;
        }
        let Some(escape) = chars.next() else {
            bytes.push(b'\\');
            break;
        };
        let mut digits = |radix: u32, most: usize, first: u32| {
            let mut value = first;
            let mut count = 0;
            while let Some(digit) = chars.peek().and_then(|c| c.to_digit(radix)).filter(|_| count < most) {
                chars.next();
                value = value.wrapping_mul(radix).wrapping_add(digit);
                count += 1;
            }
            (value, count)
        };
        match escape {
            'n' => bytes.push(b'\n'),
            't' => bytes.push(b'\t'),
            'r' => bytes.push(b'\r'),
            'a' => bytes.push(7),
            'b' => bytes.push(8),
            'e' | 'E' => bytes.push(27),
            'f' => bytes.push(12),
            'v' => bytes.push(11),
            'x' => match digits(16, 2, 0) {
                (_, 0) => bytes.extend_from_slice(b"\\x"),
                (value, _) => bytes.push((value & 0xFF) as u8),
            },
            'u' | 'U' => {
                let (value, count) = digits(16, if escape == 'u' { 4 } else { 8 }, 0);
                if count == 0 {
                    return None;
                }
                push(&mut bytes, char::from_u32(value)?);
            }
            '0' if dialect == Dialect::Printed => bytes.push((digits(8, 3, 0).0 & 0xFF) as u8),
            '0'..='7' => {
                let first = escape.to_digit(8).unwrap_or_default();
                bytes.push((digits(8, 2, first).0 & 0xFF) as u8);
            }
            'c' if dialect == Dialect::Printed => break,
            // Shells disagree about these in a format.
            'c' | '\'' | '?' if dialect == Dialect::Format => return None,
            'c' => {
                let control = chars.next()?;
                bytes.push(u8::try_from(control).ok()? & 0x1F);
            }
            '\\' => bytes.push(b'\\'),
            '\'' | '"' | '?' if dialect == Dialect::Quotes => push(&mut bytes, escape),
            '"' => bytes.push(b'"'),
            other => {
                bytes.push(b'\\');
                push(&mut bytes, other);
            }
        }
    }
    // For the shell, a text ends at a NUL.
    if dialect == Dialect::Quotes
        && let Some(end) = bytes.iter().position(|byte| *byte == 0)
    {
        bytes.truncate(end);
    }
    let made = String::from_utf8(bytes).ok()?;
    // An escape must not produce a mark; marks in the text itself stay.
    let reserved = |text: &str| text.chars().filter(|c| is_reserved(*c)).count();
    (reserved(&made) <= reserved(text)).then_some(made)
}
