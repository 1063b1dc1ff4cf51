//! Escaped characters, and characters in the syntax of the `regex` crate.

use super::{refused, split_first};
use std::fmt::Write as _;

/// Returns the character that an escape means, and the rest of the text.
pub(super) fn character(text: &str) -> Result<(char, &str), String> {
    let (code, after) = code(text)?;
    match char::from_u32(code) {
        Some(c) => Ok((c, after)),
        // Go lets some surrogates match U+FFFD, depending on how the rest of the pattern happens to be optimized.
        None => Err(refused("unsupported surrogate", text, after)),
    }
}

fn code(text: &str) -> Result<(u32, &str), String> {
    let escaped = text.strip_prefix('\\').unwrap_or_default();
    let Some((first, after)) = split_first(escaped) else {
        return Err("trailing backslash at end of expression".to_owned());
    };
    let invalid = |after| Err(refused("invalid escape sequence", text, after));
    let code = match first {
        'a' => 0x07,
        'f' => 0x0C,
        'n' => 0x0A,
        'r' => 0x0D,
        't' => 0x09,
        'v' => 0x0B,
        'x' => return hexadecimal(after).or_else(invalid),
        '0' => return Ok(octal(escaped)),
        // A lone digit would be a back-reference.
        '1'..='7' if after.starts_with(is_octal) => return Ok(octal(escaped)),
        _ if first.is_ascii() && !first.is_ascii_alphanumeric() => first.into(),
        _ => return invalid(after),
    };
    Ok((code, after))
}

fn is_octal(c: char) -> bool {
    c.is_digit(8)
}

/// Reads up to three octal digits.
fn octal(text: &str) -> (u32, &str) {
    let mut code = 0;
    let mut rest = text;
    for _ in 0..3 {
        let Some((digit, after)) = split_first(rest).and_then(|(c, after)| Some((c.to_digit(8)?, after))) else {
            break;
        };
        code = code * 8 + digit;
        rest = after;
    }
    (code, rest)
}

/// Reads two hexadecimal digits, or any number of them in braces. The error is the text after the first wrong
/// character.
fn hexadecimal(text: &str) -> Result<(u32, &str), &str> {
    let (first, after_first) = split_first(text).ok_or("")?;
    if first != '{' {
        let (second, after) = split_first(after_first).ok_or("")?;
        let code = first.to_digit(16).zip(second.to_digit(16)).map(|(high, low)| high * 16 + low);
        return code.map(|code| (code, after)).ok_or(after);
    }
    let mut code = None;
    let mut rest = after_first;
    while let Some((c, after)) = split_first(rest) {
        if c == '}' {
            return code.map(|code| (code, after)).ok_or(after);
        }
        let digit = c.to_digit(16).ok_or(after)?;
        let longer = code.unwrap_or(0) * 16 + digit;
        if longer > u32::from(char::MAX) {
            return Err(after);
        }
        code = Some(longer);
        rest = after;
    }
    Err("")
}

/// Writes a character for the `regex` crate. Anything that could be syntax there is escaped.
pub(super) fn push_char(pattern: &mut String, c: char) {
    if c.is_ascii_alphanumeric() {
        pattern.push(c);
    } else {
        // Writing to a string cannot fail.
        let _ = write!(pattern, r"\x{{{:X}}}", u32::from(c));
    }
}
