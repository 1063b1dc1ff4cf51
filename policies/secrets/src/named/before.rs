//! Finds what comes before an operator: the name of the value.

use super::Style;
use super::name::{MAX_NAME, Says, says};
use super::trios::Trios;
use super::words::{NAMES, TYPES, VALUES};
use crate::lists::{Words, begins_with};
use crate::set::{ALNUM, Set};
use std::ops::Range;

const NAME: Set = ALNUM.and(Set::of("_-.$:/"));

/// A name before an operator.
#[derive(Debug)]
pub(super) struct Name<'t> {
    pub(super) text: &'t [u8],
    pub(super) start: usize,
    is_quoted: bool,
}

impl Name<'_> {
    /// Whether only white space or a word such as `export` comes before the name on its line.
    pub(super) fn begins_line(&self, text: &[u8]) -> bool {
        !self.is_quoted && begins_line(text, self.start)
    }
}

/// Returns the name before this position.
pub(super) fn name(text: &[u8], end: usize) -> Option<Name<'_>> {
    let name = plain(text, end)?;
    if !TYPES.has(name.text) {
        return Some(name);
    }
    // A type comes between the name and the operator: `var t string = `, `t: &'static str = `.
    let front = text.get(..name.start)?;
    let skipped = front
        .iter()
        .rev()
        .take(20)
        .take_while(|byte| matches!(byte, b' ' | b':' | b'*' | b'&' | b'<' | b'[' | b'?' | b'|'))
        .count();
    let at = name.start - skipped;
    let at = match text.get(..at) {
        Some(front) if front.ends_with(b"'static") => at - 7,
        _ => at,
    };
    let found = plain(text, at)?;
    if TYPES.has(found.text) && found.start > 0 { plain(text, found.start) } else { Some(found) }
}

fn plain(text: &[u8], end: usize) -> Option<Name<'_>> {
    let front = text.get(..end)?;
    let spaces = front.iter().rev().take(60).take_while(|byte| matches!(byte, b' ' | b'\t' | b'*' | b'&')).count();
    let mut end = end - spaces;
    match text.get(end.checked_sub(1)?)? {
        quote @ (b'"' | b'\'' | b'`') => return quoted(text, end - 1, *quote),
        // The name has an index: `config['t'] = `, `t[] = `, `t[64] = `.
        b']' => {
            let inside = text.get(..end - 1)?;
            let length = inside.iter().rev().take(MAX_NAME).position(|byte| *byte == b'[')?;
            let open = end - 1 - length;
            if let Some(quote @ (b'"' | b'\'')) = text.get(end.checked_sub(2)?) {
                return quoted(text, end - 2, *quote);
            }
            end = open.checked_sub(1)?;
        }
        _ => {}
    }
    let front = text.get(..end)?;
    // The name in `a/b:c` is only its last part, whose length is `part`.
    let (mut length, mut part) = (0, None);
    for &byte in front.iter().rev().take_while(|byte| NAME.has(**byte) | (**byte >= 0x80)) {
        if part.is_none() && matches!(byte, b'/' | b':') {
            part = Some(length);
        }
        length += 1;
        if length > MAX_NAME {
            return None;
        }
    }
    if length == 0 {
        return None;
    }
    let mut start = end - length;
    let name = text.get(start..end)?;
    // In `api key: …`, the words before `key` belong to the name. In prose, only `key`, `id` and `code` have such
    // words.
    if name.len() <= 4 && is_one_of(name, &["key", "id", "code"]) && text.get(start.checked_sub(1)?) == Some(&b' ') {
        let more = text
            .get(..start - 1)?
            .iter()
            .rev()
            .take(40)
            .take_while(|byte| ALNUM.has(**byte) || matches!(byte, b' ' | b'-' | b'_'))
            .count();
        start -= 1 + more;
    }
    if let Some(length) = part {
        // `arn:aws:secretsmanager:…:secret:db` is only the name of a secret.
        if begins_with(name, "arn:") {
            return None;
        }
        start = end - length;
    }
    Some(Name { text: text.get(start..end)?, start, is_quoted: false })
}

/// Returns the name inside quotes that end at this position.
fn quoted(text: &[u8], end: usize, quote: u8) -> Option<Name<'_>> {
    let inside = text.get(..end)?;
    let length = inside.iter().rev().take(MAX_NAME).position(|byte| *byte == quote || *byte == b'\n')?;
    let start = end - length;
    Some(Name { text: text.get(start..end)?, start, is_quoted: true })
}

/// Returns the name of the symbol that ends at this position: `:session_secret`.
pub(super) fn symbol(text: &[u8], end: usize) -> Option<&[u8]> {
    let front = text.get(..end)?;
    let length = front.iter().rev().take(MAX_NAME).take_while(|byte| ALNUM.has(**byte) || **byte == b'_').count();
    let (before, name) = front.split_at_checked(front.len() - length)?;
    let before = before.strip_suffix(b":")?;
    let is_alone = before.last().is_none_or(|byte| byte.is_ascii_whitespace() || *byte == b'(');
    (is_alone && !name.is_empty()).then_some(name)
}

fn begins_line(text: &[u8], start: usize) -> bool {
    let front = text.get(..start).unwrap_or_default();
    let line = front.iter().rev().take(24).position(|byte| *byte == b'\n').map(|length| start - length);
    let line = line.or((start <= 24).then_some(0));
    let lead = line.and_then(|line| text.get(line..start)).map(<[u8]>::trim_ascii);
    lead.is_some_and(|lead| {
        lead.iter().all(|byte| matches!(byte, b'-' | b'#' | b';' | b'+' | b'>' | b' '))
            || is_one_of(lead, &["export", "set", "setx", "env", "arg"])
    })
}

/// Returns the name next to a name that only says that a value follows: `name: T`, `value: …`.
pub(super) fn beside<'t>(text: &'t [u8], value: &Name<'t>) -> Option<&'t [u8]> {
    if !VALUES.has(value.text) {
        return None;
    }
    let front = text.get(value.start.saturating_sub(160)..value.start)?;
    let offset = value.start - front.len();
    // This is the last pair before the value.
    let at = front.iter().rposition(|byte| matches!(byte, b':' | b'='))?;
    let name = plain(text, offset + at)?;
    // In `<add key="…" value="…">`, the text before the attribute does not belong to its name.
    let name = name.text.rsplit(|byte| *byte == b' ').next()?;
    if !NAMES.has(name) {
        return None;
    }
    let after = front.get(at + 1..)?.trim_ascii_start();
    let after = after.strip_prefix(b"\"").or_else(|| after.strip_prefix(b"'")).unwrap_or(after);
    let length = after.iter().take_while(|byte| NAME.has(**byte)).count();
    after.get(..length)
}

/// Returns the names that a tag with its `>` at this position may mean: its own name, that of an attribute, and the
/// text of the element before it.
pub(super) fn tag(text: &[u8], at: usize) -> [Option<&[u8]>; 3] {
    const NONE: [Option<&[u8]>; 3] = [None; 3];
    let front = text.get(at.saturating_sub(240)..at).unwrap_or_default();
    let Some(open) = front.iter().rposition(|byte| matches!(byte, b'<' | b'>')) else {
        return NONE;
    };
    if front.get(open) != Some(&b'<') {
        return NONE;
    }
    let inside = front.get(open + 1..).unwrap_or_default();
    if inside.ends_with(b"/") || inside.starts_with(b"/") || inside.starts_with(b"!") || inside.starts_with(b"?") {
        return NONE;
    }
    let length = inside.iter().take_while(|byte| NAME.has(**byte)).count();
    let element = inside.get(..length);
    // The attribute is `name="…"` or `key="…"`.
    let attribute = inside.iter().position(|byte| *byte == b'"').and_then(|quote| {
        let name = inside.get(..quote)?.strip_suffix(b"=")?;
        let name = name.rsplit(|byte| *byte == b' ').next()?;
        let rest = inside.get(quote + 1..)?;
        let length = rest.iter().position(|byte| *byte == b'"')?;
        rest.get(..length).filter(|_| NAMES.has(name))
    });
    // This is `<key>T</key><string>…`.
    let is_value = element.is_some_and(|element| VALUES.has(element) || is_one_of(element, &["string"]));
    let before = front.get(..open).map(<[u8]>::trim_ascii_end).filter(|_| is_value).and_then(|before| {
        let before = before.strip_suffix(b">")?;
        let close = before.iter().rposition(|byte| *byte == b'<')?;
        let text = before.get(..close)?;
        let start = text.iter().rposition(|byte| *byte == b'>')?;
        text.get(start + 1..).map(<[u8]>::trim_ascii)
    });
    [element, attribute, before]
}

/// What comes between the name and the value in a sentence: `password is …`, `password is: …`, `token was …`. Longer
/// forms come first.
#[rustfmt::skip] // Many words to a line.
const VERBS: &[&str] = &[
    "is:", "was:", "are:", "is now:", "is now ", "is set to ", "was set to ", "was changed to ", "is ", "was ", "are ",
];

/// Returns the meaning of a word whose value follows after a space, where that value begins, and how it is written.
pub(super) fn spoken(text: &[u8], word: Range<usize>) -> Option<(Says, usize, Style)> {
    let line = Style { is_line: true, needs_quotes: false, least: 0 };
    let last = text.get(word.clone())?;
    let front = text.get(..word.start)?;
    // This is `Bearer …`.
    if last.eq_ignore_ascii_case(b"bearer") {
        return Some((Says::Secret, word.end + 1, Style { is_line: false, needs_quotes: false, least: 0 }));
    }
    if last.eq_ignore_ascii_case(b"identified") {
        return identified(text, word.end);
    }
    if !ends_like_a_name(last) {
        return None;
    }
    if last.eq_ignore_ascii_case(b"password")
        && let Some(at) = set_for(text, &word)
    {
        return Some((Says::Password, at, Style { is_line: false, needs_quotes: true, least: 0 }));
    }
    let length =
        front.iter().rev().take(MAX_NAME).take_while(|byte| ALNUM.has(**byte) || matches!(byte, b'_' | b'-')).count();
    let start = word.start - length;
    let name = text.get(start..word.end)?;
    // This is `api key is …`.
    let is_key = name.eq_ignore_ascii_case(b"key") && is_prefixed(text, start);
    let said = says(name).or_else(|| is_key.then_some(Says::Perhaps))?;
    let after = text.get(word.end..)?;
    // This is an option: `--client-secret …`.
    if name.starts_with(b"-") {
        return (said != Says::Perhaps || begins_with(name, "--")).then_some((
            said,
            word.end,
            Style { is_line: false, needs_quotes: false, least: 0 },
        ));
    }
    let rest = after.trim_ascii_start();
    if let Some(verb) = VERBS.iter().find(|verb| begins_with(rest, verb)) {
        let at = word.end + (after.len() - rest.len()) + verb.len();
        let said = if said == Says::Perhaps && !is_prefixed(text, start) { return None } else { said };
        return Some((said, at, Style { is_line: false, needs_quotes: false, least: 0 }));
    }
    let front = text.get(..start)?;
    // These are `login x password …`, `IDENTIFIED BY PASSWORD '…'`, `requirepass …` and `ENV T …`.
    let line_start = front
        .iter()
        .rev()
        .take(200)
        .position(|byte| *byte == b'\n')
        .map_or(start.saturating_sub(200), |length| start - length);
    let lead = text.get(line_start..start)?;
    let lead = lead.trim_ascii();
    // In `login -method=userpass username=x`, the word says only how the user logs in.
    let is_method = front.ends_with(b"=") || ["username=", "user="].iter().any(|next| begins_with(rest, next));
    let is_login = lead.windows(6).any(|part| part.eq_ignore_ascii_case(b"login ")) && !is_method;
    let is_setting =
        SETTERS.has(lead) || lead.is_empty() && is_one_of(name, &["requirepass", "masterauth", "password"]);
    let is_quoted = matches!(rest.first(), Some(b'"' | b'\'')) && is_one_of(name, &["password", "passphrase"]);
    if is_login && said == Says::Password || is_setting {
        return Some((said, word.end, line));
    }
    is_quoted.then_some((said, word.end, Style { is_line: false, needs_quotes: true, least: 0 }))
}

/// Reads the SQL `IDENTIFIED BY '…'` or `IDENTIFIED WITH x BY '…'`. `end` is the position after `IDENTIFIED`.
fn identified(text: &[u8], end: usize) -> Option<(Says, usize, Style)> {
    let rest = text.get(end..)?;
    let rest = rest.get(..rest.len().min(80))?;
    let by = rest.windows(4).position(|part| part.eq_ignore_ascii_case(b" by "))?;
    let between = rest.get(..by)?.trim_ascii();
    let is_plain = between.is_empty() || begins_with(between, "with ") && !between.contains(&b'\n');
    is_plain.then_some((Says::Password, end + by + 4, Style { is_line: false, needs_quotes: true, least: 0 }))
}

/// Returns where the value begins in the SQL `SET PASSWORD FOR … = '…'`.
fn set_for(text: &[u8], word: &Range<usize>) -> Option<usize> {
    let front = text.get(..word.start)?.trim_ascii_end();
    let is_set = front.len() >= 3 && front.get(front.len() - 3..)?.eq_ignore_ascii_case(b"set");
    let rest = text.get(word.end..)?;
    let rest = rest.get(..rest.len().min(120))?;
    let is_for = begins_with(rest.trim_ascii_start(), "for ");
    let line = rest.iter().position(|byte| *byte == b'\n').map_or(rest, |end| rest.get(..end).unwrap_or(rest));
    let at = line.iter().position(|byte| *byte == b'=').filter(|_| is_set && is_for)?;
    Some(word.end + at + 1)
}

/// Words before a name whose value follows after a space.
static SETTERS: Words = Words::new(&[
    "env",
    "arg",
    "setenv",
    "export",
    "set",
    "set -x",
    "set -gx",
    "set -ux",
    "setx",
    "setx /m",
    "launchctl setenv",
    "proxy_set_header",
    "fastcgi_param",
]);

/// The endings of words that name a secret, and of `Bearer`.
#[rustfmt::skip] // A table reads better with several in a line.
static ENDS: Trios = Trios::new(&[
    ["o", "r", "d"], ["sp", "w", "d"], ["a", "s", "se"], ["o", "d", "e"], ["k", "e", "ny"], ["r", "e", "t"],
    ["i", "e", "d"], ["i", "a", "l"], ["a", "l", "s"], ["e", "d", "s"], ["u", "t", "h"], ["r", "t", "h"], ["r", "e", "r"],
    ["*", "*", "0123456789"],
]);

/// Whether a word with these last characters may be a word whose value follows after a space.
#[inline]
pub(crate) fn may_be_spoken(first: u8, second: u8, third: u8) -> bool {
    ENDS.has(first, second, third)
}

/// Whether the word ends like a word that names a secret.
fn ends_like_a_name(word: &[u8]) -> bool {
    // `Bearer` does not name a secret itself.
    matches!(word, [.., first, second, third] if third | 0x20 != b'r' && ENDS.has(*first, *second, *third))
}

/// Whether a word that makes the next one a secret comes before this position: `api key is …`.
fn is_prefixed(text: &[u8], start: usize) -> bool {
    let front = text.get(start.saturating_sub(12)..start).unwrap_or_default();
    ["api ", "access ", "secret ", "private ", "auth ", "license ", "encryption "].iter().any(|word| {
        front.len() >= word.len()
            && front.get(front.len() - word.len()..).is_some_and(|end| end.eq_ignore_ascii_case(word.as_bytes()))
    })
}

fn is_one_of(name: &[u8], words: &[&str]) -> bool {
    words.iter().any(|word| name.eq_ignore_ascii_case(word.as_bytes()))
}
