//! What functions of SQL make of texts. A part that is not known is `UNKNOWN`.

use super::MAX_SQL;
use crate::UNKNOWN;

/// The minimum number of hexadecimal digits of a text. Fewer are a number.
const LEAST_HEX: usize = 8;

/// Returns a text that is too long to be read, in place of one that would take long to make.
fn too_long() -> String {
    " ".repeat(MAX_SQL + 1)
}

/// Decodes hexadecimal digits.
pub(super) fn hexadecimal(text: &str) -> Option<String> {
    let digits = text.strip_prefix("\\x").unwrap_or(text);
    let pairs = digits.as_bytes().chunks_exact(2);
    let is_hex = digits.len() >= LEAST_HEX && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    if !is_hex || !pairs.remainder().is_empty() {
        return None;
    }
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    decoded(pairs.map(byte).collect::<Option<Vec<u8>>>()?)
}

/// Decodes base64.
pub(super) fn base64(text: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let (mut bits, mut count) = (0_u32, 0_u32);
    for byte in text.bytes().filter(|byte| !byte.is_ascii_whitespace() && *byte != b'=') {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        bits = (bits << 6 | u32::from(value)) & 0xffff;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count & 0xff) as u8);
        }
    }
    decoded(bytes)
}

fn decoded(bytes: Vec<u8>) -> Option<String> {
    // The `nvarchar` of SQL Server has two bytes for each character.
    let is_wide = bytes.len() > 1 && bytes.iter().skip(1).step_by(2).all(|byte| *byte == 0);
    let bytes = if is_wide { bytes.into_iter().step_by(2).collect() } else { bytes };
    String::from_utf8(bytes).ok()
}

/// Returns the character with this number.
pub(super) fn character(number: &str) -> Option<char> {
    number.trim().parse().ok().and_then(char::from_u32)
}

/// Returns what `U&'…'` stands for, where `\0044` is a character.
pub(super) fn unicode(text: &str) -> String {
    let mut parts = text.split('\\');
    let mut value = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (digits, width) = match part.strip_prefix('+') {
            Some(digits) => (digits, 6),
            None => (part, 4),
        };
        let number = digits.get(..width).and_then(|digits| u32::from_str_radix(digits, 16).ok());
        match number.and_then(char::from_u32) {
            Some(c) => {
                value.push(c);
                value.push_str(digits.get(width..).unwrap_or_default());
            }
            None => value.push_str(part),
        }
    }
    value
}

/// Replaces a part of a text.
pub(super) fn replaced(text: &str, from: &str, to: &str) -> Option<String> {
    if from.is_empty() {
        return None;
    }
    let length = text.matches(from).count().saturating_mul(to.len());
    Some(if length > MAX_SQL { too_long() } else { text.replace(from, to) })
}

/// Joins texts with a separator between them.
pub(super) fn separated(texts: &[String]) -> Option<String> {
    let (separator, texts) = texts.split_first()?;
    let length = texts.len().saturating_mul(separator.len());
    Some(if length > MAX_SQL { too_long() } else { texts.join(separator) })
}

/// Puts texts in place of `%s`, `%I`, `%1$s` or `{}` in the first of them.
pub(super) fn formatted(texts: &[String]) -> String {
    let mut made = String::new();
    let Some((template, values)) = texts.split_first() else { return made };
    let add = |made: &mut String, at: usize| match values.get(at) {
        Some(value) => made.push_str(value),
        None => made.push(UNKNOWN),
    };
    let mut next = 0;
    let mut rest = template.as_str();
    let mark = if rest.contains('%') { "%" } else { "{}" };
    while let Some((before, after)) = rest.split_once(mark) {
        made.push_str(before);
        if made.len() > MAX_SQL {
            break;
        }
        if mark == "{}" {
            add(&mut made, next);
            next += 1;
            rest = after;
            continue;
        }
        let end = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
        let number = after.get(..end).filter(|_| after.get(end..).is_some_and(|rest| rest.starts_with('$')));
        let number = number.and_then(|number| number.parse::<usize>().ok()?.checked_sub(1));
        let kind = after.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '$' | '-' | '.' | '*'));
        let first = kind.chars().next();
        rest = kind.get(first.map_or(0, char::len_utf8)..).unwrap_or_default();
        match first {
            Some('%') => made.push('%'),
            Some('L') => {
                made.push('\'');
                add(&mut made, number.unwrap_or(next));
                made.push('\'');
            }
            _ => add(&mut made, number.unwrap_or(next)),
        }
        if number.is_none() && first != Some('%') {
            next += 1;
        }
    }
    made.push_str(rest);
    made
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_decoded() {
        let drop = Some("DROP TABLE t".to_owned());
        assert_eq!(hexadecimal("44524F50205441424C452074"), drop);
        assert_eq!(hexadecimal("\\x44524f50205441424c452074"), drop);
        assert_eq!(hexadecimal("440052004F0050002000"), Some("DROP ".to_owned()));
        assert_eq!(hexadecimal("44524F5"), None);
        assert_eq!(hexadecimal("44524F50205441424C45207"), None);
        assert_eq!(base64("RFJPUCBUQUJMRSB0"), drop);
        assert_eq!(base64("RFJPUA=="), Some("DROP".to_owned()));
        assert_eq!(base64("a b!"), None);
        assert_eq!(unicode("\\0044ROP \\+000054ABLE t"), "DROP TABLE t");
        assert_eq!(character("68"), Some('D'));
    }

    #[test]
    fn texts_are_formatted() {
        let format = |texts: &[&str]| formatted(&texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>());
        assert_eq!(format(&["%s TABLE %I", "DROP", "t"]), "DROP TABLE t");
        assert_eq!(format(&["%2$s TABLE %1$I", "t", "DROP"]), "DROP TABLE t");
        assert_eq!(format(&["{} TABLE {}", "DROP", "t"]), "DROP TABLE t");
        assert_eq!(format(&["a = %L, 5%%", "b"]), "a = 'b', 5%");
        assert_eq!(format(&["DROP TABLE %I.%I", "s"]), format!("DROP TABLE s.{UNKNOWN}"));
        assert_eq!(format(&["%"]), UNKNOWN.to_string());
        assert_eq!(format(&[]), "");
    }
}
