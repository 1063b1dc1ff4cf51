//! Values that are secrets because of their names: `X_TOKEN = "…"`, YAML, JSON, XML, parameters.

mod before;
mod name;
mod trios;
mod value;
mod words;

pub(crate) use before::may_be_spoken;

use crate::scan::Scan;
use crate::set::{ALNUM, Set};
use name::Says;
use std::ops::Range;

/// The maximum distance of a value from its operator, in bytes.
const MAX_GAP: usize = 40;
/// The lengths of the names of schemes, such as `JWT` and `AWS4-HMAC-SHA256`.
const MIN_SCHEME: usize = 3;
const MAX_SCHEME: usize = 20;
const OPERATOR: Set = Set::of("=:?>!~+|");
const UNQUOTED_END: Set = Set::of(" \t\r\n\"'`,;<>&");

/// Whether a name certainly means a secret.
pub(crate) fn is_secret_name(name: &[u8]) -> bool {
    matches!(name::says(name), Some(Says::Password | Says::Secret))
}

/// Whether a part of a URL path means that the next part is a token: `/token/…`, `/api_key/…`.
pub(crate) fn names_token(part: &[u8]) -> bool {
    // In `/api_keys/…`, the id of a key follows.
    let is_list = part.len() >= 4 && part.get(part.len() - 4..).is_some_and(|end| end.eq_ignore_ascii_case(b"keys"));
    !is_list && (is_secret_name(part) || name::says(part).is_some() && !part.eq_ignore_ascii_case(b"key"))
}

/// Judges an operator that begins at this position, and returns where it ends.
pub(crate) fn operator(scan: &mut Scan, at: usize) -> usize {
    let text = scan.text;
    let is_operator = |at: Option<usize>| at.and_then(|at| text.get(at)).is_some_and(|byte| OPERATOR.has(*byte));
    let mut end = at + 1;
    while is_operator(Some(end)) {
        end += 1;
    }
    // The operators `?=`, `||=` and `+=` begin before this position.
    let mut start = at;
    while at - start < 3 && is_operator(start.checked_sub(1)) {
        start -= 1;
    }
    match text.get(start..end) {
        Some(
            b"=" | b":" | b":=" | b"::=" | b"?=" | b"=>" | b"==" | b"===" | b"!=" | b"!==" | b"||=" | b"+=" | b":::=",
        ) => {}
        _ => return end,
    }
    let is_comparison = matches!(text.get(start..end), Some(b"==" | b"===" | b"!=" | b"!=="));
    let Some(first) =
        text.get(end..).and_then(|rest| rest.iter().take(MAX_GAP).find(|byte| !matches!(byte, b' ' | b'\t')))
    else {
        return end;
    };
    if matches!(first, b'{' | b'}' | b']' | b')') || !has_value(text, end) {
        return end;
    }
    let Some(name) = before::name(text, start) else {
        return end;
    };
    // In a URL, short tokens belong to badges, and `sig` has a meaning of its own.
    let is_query = matches!(name.start.checked_sub(1).and_then(|at| text.get(at)), Some(b'?' | b'&'));
    let says = name::says(name.text).or_else(|| before::beside(text, &name).and_then(name::says));
    let says = says.or_else(|| {
        (is_query && matches!(name.text, b"sig" | b"Signature" | b"X-Amz-Signature")).then_some(Says::Perhaps)
    });
    // The keys for searches and maps in the scripts of web pages are public.
    let is_minified = name.text == b"apiKey"
        && matches!(text.get(name.start.wrapping_sub(1)), Some(b',' | b'{'))
        && text.get(end) == Some(&b'"');
    if let Some(says) = says.filter(|_| !is_minified) {
        let least = if is_query && says != Says::Password { 16 } else { 0 };
        assign(scan, says, end, Style { is_line: name.begins_line(text), needs_quotes: is_comparison, least });
    }
    end
}

/// Whether the text after an operator may be long enough for a secret.
fn has_value(text: &[u8], end: usize) -> bool {
    let rest = text.get(end..).unwrap_or_default();
    let gap = rest.iter().take(MAX_GAP).take_while(|byte| matches!(byte, b' ' | b'\t' | b'*')).count();
    let value = rest.get(gap..).unwrap_or_default();
    match value {
        // The value is a text on lines of its own, or in quotes, possibly inside a call.
        [b'|' | b'>', ..] => true,
        [b'"' | b'\'' | b'`', b'"' | b'\'' | b'`', ..] => true,
        [b'"' | b'\'' | b'`', rest @ ..] => {
            rest.iter().take(6).all(|byte| !matches!(byte, b'"' | b'\'' | b'`' | b'\n'))
        }
        _ if has_scheme(value) => true,
        _ => value.len() >= 6 && value.iter().take(6).all(|byte| !matches!(byte, b' ' | b'\n' | b'\r' | b'\t')),
    }
}

/// Whether a value begins with the name of a scheme that is shorter than a secret, as in `Authorization: SSWS …`.
fn has_scheme(value: &[u8]) -> bool {
    let word = value.iter().take(MAX_SCHEME).take_while(|byte| ALNUM.has(**byte)).count();
    let rest = value.get(word..).unwrap_or_default();
    let gap = rest.iter().take(MAX_SCHEME).take_while(|byte| **byte == b' ').count();
    let secret = rest.get(gap..gap + 6);
    word >= MIN_SCHEME && gap > 0 && secret.is_some_and(|secret| secret.iter().all(u8::is_ascii_graphic))
}

/// Judges a name and a quoted value after the comma at this position: `("X_TOKEN", "…")`, `:x_token, "…"`.
pub(crate) fn comma(scan: &mut Scan, at: usize) {
    let text = scan.text;
    if let Some(symbol) = before::symbol(text, at) {
        let says = match name::says(symbol) {
            // The text after `:password` is mostly a label of a form.
            Some(Says::Password) => Says::Perhaps,
            Some(says) => says,
            None => return,
        };
        assign(scan, says, at + 1, Style { is_line: false, needs_quotes: true, least: 0 });
        return;
    }
    let quote = match text.get(..at) {
        Some([.., quote @ (b'"' | b'\'')]) => *quote,
        _ => return,
    };
    let rest = text.get(at + 1..).unwrap_or_default();
    let gap = rest.iter().take(MAX_GAP).take_while(|byte| **byte == b' ').count();
    let Some(name) = before::name(text, at) else {
        return;
    };
    // This is PHP's `define('X_PASSWORD', "…")`.
    let front = text.get(..name.start.saturating_sub(1)).unwrap_or_default().trim_ascii_end();
    let is_definition = front.ends_with(b"define(");
    if !matches!(rest.get(gap), Some(b'"' | b'\'')) || rest.get(gap) != Some(&quote) && !is_definition {
        return;
    }
    let says = match name::says(name.text) {
        // In a list of words, the word after `password` is not a password.
        Some(Says::Password) if !is_definition => Says::Perhaps,
        Some(says) => says,
        None => return,
    };
    assign(scan, says, at + 1, Style { is_line: false, needs_quotes: true, least: 0 });
}

/// Judges the value after the end of a tag at this position: `<t>…</t>`, `<entry key="t">…`.
pub(crate) fn tag(scan: &mut Scan, at: usize) {
    let text = scan.text;
    let Some(says) = before::tag(text, at).into_iter().flatten().find_map(name::says) else {
        return;
    };
    let rest = text.get(at + 1..).unwrap_or_default();
    let gap = rest.iter().take(200).take_while(|byte| byte.is_ascii_whitespace()).count();
    let mut start = at + 1 + gap;
    if text.get(start..).is_some_and(|rest| rest.starts_with(b"<![CDATA[")) {
        start += 9;
    }
    let body = text.get(start..).unwrap_or_default();
    let length =
        body.iter().take(value::MAX_VALUE).take_while(|byte| !matches!(byte, b'<' | b'\n' | b'\r' | b']')).count();
    scan.spend(gap + length);
    let rest = body.get(length..).unwrap_or_default().trim_ascii_start();
    // Without an end tag, the text is a `<placeholder>`.
    if rest.starts_with(b"</") || rest.starts_with(b"]]>") || rest.is_empty() {
        let end = start + body.get(..length).unwrap_or_default().trim_ascii_end().len();
        judge(scan, says, start..end, true);
    }
}

/// Judges the password of an option, which begins at this position.
pub(crate) fn password(scan: &mut Scan, at: usize) {
    assign(scan, Says::Password, at, Style { is_line: false, needs_quotes: false, least: 0 });
}

/// Judges the value that follows a name after a space: `password …`, `--token …`, `Bearer …`.
pub(crate) fn word(scan: &mut Scan, word: Range<usize>) {
    let text = scan.text;
    let Some((says, start, style)) = before::spoken(text, word) else {
        return;
    };
    assign(scan, says, start, style);
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Style {
    /// Whether the name begins its line, as in settings files, where a value extends to the end of the line.
    pub(crate) is_line: bool,
    /// Whether only a quoted text counts as a value.
    pub(crate) needs_quotes: bool,
    /// The minimum length of a value.
    pub(crate) least: usize,
}

/// Judges the value that begins after this position.
fn assign(scan: &mut Scan, says: Says, at: usize, style: Style) {
    let Some((mut value, is_quoted)) = extract(scan.text, at, style) else {
        return;
    };
    scan.spend(value.len());
    let mut says = says;
    if says == Says::Authorization {
        let is_basic;
        (value, is_basic) = behind_scheme(scan.text, value);
        if is_basic {
            says = Says::Login;
        }
    }
    if value.len() >= style.least {
        judge(scan, says, value, is_quoted);
    }
}

fn judge(scan: &mut Scan, says: Says, value: Range<usize>, is_quoted: bool) {
    let Some(bytes) = scan.text.get(value.clone()) else {
        return;
    };
    if value::is_secret(says, bytes, is_quoted) {
        let kind = match says {
            Says::Password => "password",
            Says::Authorization => "authorization",
            Says::Login => "login",
            Says::Secret | Says::Perhaps => "secret",
        };
        scan.add_named(kind, value);
    }
}

/// Returns the value after an operator, and whether it is quoted.
fn extract(text: &[u8], at: usize, style: Style) -> Option<(Range<usize>, bool)> {
    let rest = text.get(at..)?;
    let mut start = at + rest.iter().take(MAX_GAP).take_while(|byte| matches!(byte, b' ' | b'\t' | b'*')).count();
    // This is a text on lines of its own: `key: |`, `key: >-`.
    if let Some(mark) = block_mark(text.get(start..)?) {
        let below = text.get(start + mark..)?;
        start += mark + below.iter().take(MAX_GAP).take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let length =
            text.get(start..)?.iter().take(value::MAX_VALUE).take_while(|byte| !byte.is_ascii_whitespace()).count();
        return Some((start..start + length, true));
    }
    start += opening(text.get(start..)?);
    let quote = *text.get(start)?;
    if matches!(quote, b'"' | b'\'' | b'`') {
        let quotes = text.get(start..)?.iter().take(3).take_while(|byte| **byte == quote).count();
        // This is an empty text.
        if quotes == 2 {
            return None;
        }
        let from = start + quotes;
        let length = text.get(from..)?.iter().take(value::MAX_VALUE).position(|byte| *byte == quote || *byte == b'\n');
        return match length {
            Some(length) if text.get(from + length) == Some(&quote) => Some((from..from + length, true)),
            // The text is cut off, or the quote is an apostrophe.
            _ => {
                let length = text
                    .get(from..)?
                    .iter()
                    .take(value::MAX_VALUE)
                    .take_while(|byte| !byte.is_ascii_whitespace())
                    .count();
                Some((from..from + length, true))
            }
        };
    }
    if style.needs_quotes {
        return None;
    }
    let body = text.get(start..)?;
    let mut length = 0;
    for &byte in body.iter().take(value::MAX_VALUE) {
        let ends = UNQUOTED_END.has(byte) || (!style.is_line && matches!(byte, b')' | b']' | b'}'));
        // In a settings file, only white space ends a value.
        let goes_on = style.is_line && !byte.is_ascii_whitespace() && (length > 0 || !matches!(byte, b',' | b';'));
        if ends && !goes_on {
            break;
        }
        length += 1;
    }
    let mut value = body.get(..length)?;
    while let [head @ .., b',' | b';' | b'.' | b':' | b'"' | b'\'' | b'`' | b'!' | b'?'] = value {
        // In a settings file, a punctuation mark at the end belongs to the password.
        if style.is_line && matches!(value.last(), Some(b'!' | b'?' | b'.' | b':')) {
            break;
        }
        value = head;
    }
    (!value.is_empty()).then(|| (start..start + value.len(), false))
}

/// Returns the length of `|` or `>-` together with the end of the line.
fn block_mark(rest: &[u8]) -> Option<usize> {
    let mark = rest.iter().take(3).take_while(|byte| matches!(byte, b'|' | b'>' | b'-' | b'+')).count();
    let end = rest.get(mark).filter(|byte| mark > 0 && **byte == b'\n');
    end.map(|_| mark + 1)
}

/// Returns the length of what may come before a quote: `@"…"`, `b'…'`, `String::from("…")`.
fn opening(rest: &[u8]) -> usize {
    let is_quote = |at: usize| matches!(rest.get(at), Some(b'"' | b'\'' | b'`'));
    let letters = rest
        .iter()
        .take(2)
        .take_while(|byte| matches!(byte, b'@' | b'b' | b'B' | b'r' | b'R' | b'f' | b'u' | b'U' | b'L'))
        .count();
    if letters > 0 && is_quote(letters) {
        return letters;
    }
    const WRAPPERS: &[&[u8]] = &[
        b"String::from(",
        b"String.from(",
        b"new String(",
        b"SecretString::new(",
        b"SecretString::from(",
        b"SecretStr(",
        b"Some(",
        b"Secret::new(",
        b"str(",
        b"Buffer.from(",
        b"Secret(",
        b"Password(",
        b"PASSWORD(",
        b"password(",
        b"[]byte(",
        b"ConvertTo-SecureString ",
        b"std::string(",
        b"(",
        b"[",
        b"to_string(",
        b"Some(String::from(",
    ];
    let wrapper = WRAPPERS.iter().find(|wrapper| rest.starts_with(wrapper) && is_quote(wrapper.len()));
    wrapper.map_or(0, |wrapper| wrapper.len())
}

/// Returns the part of an `Authorization` header after the name of its scheme, and whether the scheme is `Basic`.
fn behind_scheme(text: &[u8], value: Range<usize>) -> (Range<usize>, bool) {
    let whole = value.start..text.get(value.start..).map_or(value.end, |rest| {
        value.start
            + rest
                .iter()
                .take(value::MAX_VALUE)
                .take_while(|byte| !matches!(byte, b'"' | b'\'' | b'`' | b'\n' | b'\r'))
                .count()
    });
    let bytes = text.get(whole.clone()).unwrap_or_default();
    let word = bytes.iter().take_while(|byte| ALNUM.has(**byte) || **byte == b'-').count();
    let spaces = bytes.iter().skip(word).take(MAX_GAP).take_while(|byte| **byte == b' ').count();
    let is_scheme = spaces > 0 && (MIN_SCHEME..=MAX_SCHEME).contains(&word);
    let start = if is_scheme { whole.start + word + spaces } else { whole.start };
    let rest = text.get(start..whole.end).unwrap_or_default();
    // These are `Token token=…` and `AWS4-HMAC-SHA256 Credential=…, Signature=…`.
    let skip =
        [&b"token="[..], b"Token=", b"apikey="].iter().find(|name| rest.starts_with(name)).map_or(0, |name| name.len());
    let start = start + skip;
    let length = text
        .get(start..whole.end)
        .unwrap_or_default()
        .iter()
        .take_while(|byte| !byte.is_ascii_whitespace() && !matches!(byte, b',' | b';' | b')'))
        .count();
    let is_basic = is_scheme && bytes.get(..word).is_some_and(|scheme| scheme.eq_ignore_ascii_case(b"basic"));
    (start..start + length, is_basic)
}
