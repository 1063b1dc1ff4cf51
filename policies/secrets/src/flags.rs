//! Options of programs whose value is a login.

use crate::scan::{Scan, Sure};
use crate::url;
use std::ops::Range;

/// `-u user:password`, `--user user:password`, `--proxy-user …`: a word behind a dash.
pub(crate) fn look(scan: &mut Scan, word: Range<usize>) {
    let text = scan.text;
    let name = text.get(word.clone()).unwrap_or_default();
    let front = text.get(..word.start).unwrap_or_default();
    let is_option = match name {
        b"u" | b"U" => front.ends_with(b" -"),
        b"user" => front.ends_with(b" --") || front.ends_with(b"--proxy-"),
        _ => false,
    };
    if !is_option {
        return;
    }
    let rest = text.get(word.end..).unwrap_or_default();
    let gap = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let start = word.end + gap;
    let rest = text.get(start..).unwrap_or_default();
    let (from, length) = match rest.first() {
        Some(quote @ (b'"' | b'\'')) => {
            let inside = rest.get(1..).unwrap_or_default();
            (start + 1, inside.iter().take(400).position(|byte| byte == quote || *byte == b'\n').unwrap_or(0))
        }
        _ => (start, rest.iter().take(400).take_while(|byte| !byte.is_ascii_whitespace()).count()),
    };
    let Some(login) = text.get(from..from + length) else {
        return;
    };
    // `1000:1000` is a user of a container, `user:group` another one.
    if login.iter().all(|byte| byte.is_ascii_digit() || *byte == b':')
        || login.contains(&b' ')
        || login.starts_with(b"<")
    {
        return;
    }
    if let Some(place) = url::of_login(login, from) {
        scan.add("password", place, Sure::Place);
    }
}
