//! Paths and queries. Only one spelling is accepted, so that the server understands the same path that the rules match.

use crate::refusal::{Quoted, Refusal};

/// The maximum length of a path with its query, in bytes. Common servers accept as much.
const MAX: usize = 8192;

/// Splits and checks a path with its query.
pub(crate) fn parse(path_and_query: &str) -> Result<(String, Option<String>), Refusal> {
    if path_and_query.len() > MAX {
        return Err(Refusal::TooLong(path_and_query.len()));
    }
    let (path, query) = match path_and_query.split_once('?') {
        Some((path, query)) => (path, Some(query)),
        None => (path_and_query, None),
    };
    check_path(path).map_err(|why| Refusal::bad_path(path, why))?;
    if let Some(query) = query {
        let mut bytes = query.bytes();
        while let Some(byte) = bytes.next() {
            let ok = match byte {
                b'%' => escape(&mut bytes).is_some(),
                // RFC 3986 does not allow braces and the backtick, but browsers send them.
                b'?' | b'{' | b'}' | b'`' => true,
                _ => is_path_byte(byte),
            };
            if !ok {
                return Err(Refusal::Query(Quoted::new(path_and_query)));
            }
        }
    }
    Ok((path.to_owned(), query.map(str::to_owned)))
}

/// Refuses any spelling of a path that some server could read as another path.
pub(crate) fn check_path(path: &str) -> Result<(), &'static str> {
    if !path.starts_with('/') {
        return Err("it must begin with `/`");
    }
    if path.contains("//") {
        return Err("it has an empty segment");
    }
    for segment in path.split('/') {
        // Some servers cut a segment at `;`, some even at an encoded one, which may leave a dot segment.
        let end = [";", "%3b", "%3B"].iter().filter_map(|mark| segment.find(mark)).min();
        let name = end.and_then(|end| segment.get(..end)).unwrap_or(segment);
        if name == "." || name == ".." {
            return Err("it has a dot segment");
        }
    }
    let mut bytes = path.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\\' => return Err("it has a backslash"),
            b'%' => match escape(&mut bytes) {
                None => return Err("`%` is not followed by two hexadecimal digits"),
                Some(b'/' | b'\\') => return Err("it has an encoded slash or backslash"),
                Some(0..0x20 | 0x7f) => return Err("it has an encoded control character"),
                // Above all `%2e`, which some servers read as a part of a dot segment.
                Some(b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~') => {
                    return Err("it has an encoded letter, digit, `-`, `.`, `_` or `~`, which must stand for itself");
                }
                // Some servers decode a path twice.
                Some(b'%') if is_escape(bytes.clone()) => return Err("it is encoded twice"),
                Some(_) => {}
            },
            byte if is_path_byte(byte) => {}
            _ => return Err("percent-encode what is not allowed in a URL"),
        }
    }
    Ok(())
}

/// Reads the byte of an escape, after its `%`.
pub(crate) fn escape(bytes: &mut impl Iterator<Item = u8>) -> Option<u8> {
    let mut digit = || bytes.next().and_then(|byte| char::from(byte).to_digit(16)).and_then(|n| u8::try_from(n).ok());
    Some(digit()? << 4 | digit()?)
}

fn is_escape(mut bytes: impl Iterator<Item = u8>) -> bool {
    escape(&mut bytes).is_some()
}

/// Whether the byte is allowed in a path segment (RFC 3986, `pchar`), is `/`, or is one of four characters that
/// browsers do not encode.
const fn is_path_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'-' | b'.' | b'_' | b'~' | b'!' | b'$' | b'&' | b'\'' | b'(' | b')' | b'*' | b'+' | b',')
        || matches!(byte, b';' | b'=' | b':' | b'@' | b'/' | b'[' | b']' | b'|' | b'^')
}
