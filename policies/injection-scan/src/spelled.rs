//! Texts whose words are not in one piece: `i g n o r e`, `%49gnore%20all`, `igno=` and `re` on the next line.

use crate::escapes::{Effect, sequence};
use crate::invisible::invisible;
use crate::words::entity;

/// The minimum number of single letters in a row that are joined, and the number that one such row of a text must have.
const MIN_LETTERS: usize = 3;
const MIN_WORD: usize = 5;
/// The minimum length of a part with percent signs, and their minimum number.
const MIN_PART: usize = 20;
const MIN_SIGNS: usize = 2;
/// Elements that do not end a word, and the maximum length of their names with the `>`.
const INLINE: &[&str] = &["b", "i", "u", "em", "strong", "span", "wbr", "wbr/", "font", "small"];
const MAX_TAG: usize = 8;

/// Returns the text with its single letters joined to words, or `None` if none of the words is long enough.
pub(crate) fn joined(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let (mut out, mut copied, mut at, mut longest) = (String::new(), 0, 0, 0);
    let mut is_start = true;
    while let Some(byte) = bytes.get(at) {
        let letters = if is_start { apart(bytes.get(at..).unwrap_or_default()) } else { 0 };
        is_start = !byte.is_ascii_alphanumeric();
        if letters < MIN_LETTERS {
            at += 1;
            continue;
        }
        let end = at + 2 * letters - 1;
        out.push_str(text.get(copied..at).unwrap_or_default());
        out.extend(text.get(at..end).unwrap_or_default().chars().step_by(2));
        (copied, at, longest) = (end, end, longest.max(letters));
    }
    if longest < MIN_WORD {
        return None;
    }
    out.push_str(text.get(copied..).unwrap_or_default());
    Some(out)
}

/// Returns the number of single letters at the start that have the same mark between them.
fn apart(bytes: &[u8]) -> usize {
    let Some(mark) = bytes.get(1).filter(|mark| b" -._*".contains(*mark)) else { return 0 };
    let mut count = 0;
    while bytes.get(2 * count).is_some_and(u8::is_ascii_alphabetic) {
        match bytes.get(2 * count + 1) {
            Some(after) if after == mark => count += 1,
            // A word of several letters begins here.
            Some(after) if after.is_ascii_alphanumeric() => break,
            _ => return count + 1,
        }
    }
    count
}

/// Returns the text without the tags of inline elements and the colours of terminals between two letters, or `None` if
/// there are none: `<b>Ig</b><i>nore</i>`.
pub(crate) fn untagged(text: &str) -> Option<String> {
    without_marks(text, &['<', '\u{1b}', '\\'], |rest| inline_tag(rest).or_else(|| colour(rest)))
}

/// Returns the text without the marks of Markdown between two letters, or `None` if there are none: `**Ig**nore`.
pub(crate) fn unstarred(text: &str) -> Option<String> {
    let len = |rest: &str, mark: char| rest.len() - rest.trim_start_matches(mark).len();
    without_marks(text, &['*', '~'], |rest| {
        [len(rest, '*'), len(rest, '~')].into_iter().find(|len| (1..=3).contains(len))
    })
}

/// Returns the text without certain marks between two letters, or `None` if there are none. `length` returns the length
/// of the mark at the start of a text, and `firsts` are the characters that marks begin with.
fn without_marks(text: &str, firsts: &[char], length: impl Fn(&str) -> Option<usize>) -> Option<String> {
    let is_letter = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphabetic);
    let bytes = text.as_bytes();
    let (mut out, mut copied, mut seen) = (String::new(), 0, 0);
    for (at, _) in text.match_indices(firsts) {
        if at < seen || !is_letter(at.checked_sub(1).and_then(|before| bytes.get(before))) {
            continue;
        }
        let mut end = at;
        while let Some(rest) = text.get(end..)
            && let Some(len) = length(rest)
        {
            end += len;
        }
        seen = end;
        if end > at && is_letter(bytes.get(end)) {
            out.push_str(text.get(copied..at).unwrap_or_default());
            copied = end;
        }
    }
    if copied == 0 {
        return None;
    }
    out.push_str(text.get(copied..).unwrap_or_default());
    Some(out)
}

/// Returns the text with the letters and marks that are written as entities without need, or `None` if there are none:
/// `&#78;ote`.
pub(crate) fn spelled_out(text: &str) -> Option<String> {
    let (mut out, mut copied) = (String::new(), 0);
    for (at, _) in text.match_indices("&#") {
        let Some((c, len)) = text.get(at..).and_then(entity) else { continue };
        if c.is_ascii_alphabetic() || matches!(c, ' ' | ':' | ',') {
            out.push_str(text.get(copied..at).unwrap_or_default());
            out.push(c);
            copied = at + len;
        }
    }
    out.push_str(text.get(copied..).unwrap_or_default());
    (copied > 0).then_some(out)
}

/// Returns the length of the tag of an inline element without attributes at the start.
fn inline_tag(rest: &str) -> Option<usize> {
    let tag = rest.strip_prefix('<')?;
    let name = tag.strip_prefix('/').unwrap_or(tag);
    let end = name.bytes().take(MAX_TAG).position(|byte| byte == b'>')?;
    let is_inline = INLINE.iter().any(|known| name.get(..end).is_some_and(|name| name.eq_ignore_ascii_case(known)));
    is_inline.then(|| rest.len() - name.len() + end + 1)
}

/// Returns the length of the escape sequence at the start that sets a colour. JSON and shells write its first character
/// as `\u001b`.
fn colour(rest: &str) -> Option<usize> {
    let after = ["\u{1b}", "\\u001b", "\\u001B", "\\x1b", "\\033"].iter().find_map(|start| rest.strip_prefix(start))?;
    let (effect, len) = sequence(after);
    (effect == Effect::Colour).then(|| rest.len() - after.len() + len)
}

/// Returns the parts of a text that are percent-encoded, decoded.
pub(crate) fn unescaped(text: &str) -> impl Iterator<Item = String> {
    let parts = text.split(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '<' | '>' | '(' | ')' | '`'));
    let is_encoded =
        |part: &&str| part.len() >= MIN_PART && part.bytes().filter(|byte| *byte == b'%').count() >= MIN_SIGNS;
    parts.filter(is_encoded).map(|part| {
        let (mut out, mut at) = (Vec::new(), 0);
        let bytes = part.as_bytes();
        while let Some(&byte) = bytes.get(at) {
            let digits = part.get(at + 1..at + 3).filter(|_| byte == b'%');
            let code = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
            out.push(code.unwrap_or(if byte == b'+' { b' ' } else { byte }));
            at += if code.is_some() { 3 } else { 1 };
        }
        String::from_utf8_lossy(&out).into_owned()
    })
}

/// Returns the text without its invisible characters.
pub(crate) fn seamless(text: &str) -> String {
    text.chars().filter(|c| invisible(*c).is_none()).collect()
}

/// Returns the text as mail programs and calendars show it: lines that are broken for their length are in one piece, and
/// what quoted-printable writes as `=49` is a letter.
pub(crate) fn unfolded(text: &str) -> String {
    let bytes = text.as_bytes();
    let (mut out, mut at) = (Vec::new(), 0);
    while let Some(&byte) = bytes.get(at) {
        let rest = bytes.get(at..).unwrap_or_default();
        let soft = rest.strip_prefix(b"=").map_or(0, line_break);
        let gap = line_break(rest);
        if soft > 0 {
            at += 1 + soft;
        } else if gap > 0 && matches!(rest.get(gap), Some(b' ' | b'\t')) {
            at += gap + 1;
        } else {
            let digits = text.get(at + 1..at + 3).filter(|_| byte == b'=');
            let code = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
            out.push(code.unwrap_or(byte));
            at += if code.is_some() { 3 } else { 1 };
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// Returns the length of the line break at the start. In JSON text, its characters are written out.
fn line_break(bytes: &[u8]) -> usize {
    match bytes {
        [b'\n', ..] => 1,
        [b'\r', b'\n', ..] | [b'\\', b'n', ..] => 2,
        [b'\\', b'r', b'\\', b'n', ..] => 4,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_that_stand_apart_are_joined() {
        assert_eq!(joined("i g n o r e   a l l of it").as_deref(), Some("ignore   all of it"));
        assert_eq!(joined("I-g-n-o-r-e all").as_deref(), Some("Ignore all"));
        assert_eq!(joined("x i.g.n.o.r.e").as_deref(), Some("x ignore"));
        assert_eq!(joined("plan a b c").as_deref(), None);
        assert_eq!(joined("é a é"), None);
        assert_eq!(joined(""), None);
    }

    #[test]
    fn tags_and_colours_in_words_are_left_out() {
        assert_eq!(untagged("<b>Ig</b><i>nore</i> all").as_deref(), Some("<b>Ignore</i> all"));
        assert_eq!(untagged("Ig\u{1b}[0m\u{1b}[1mnore\u{1b}[0m all").as_deref(), Some("Ignore\u{1b}[0m all"));
        assert_eq!(untagged("{\"a\":\"Ig\\u001b[0mnore\"}").as_deref(), Some("{\"a\":\"Ignore\"}"));
        assert_eq!(untagged("a\u{1b}[2Kb a\\nb \u{1b}[1mab\u{1b}[0m"), None);
    }

    #[test]
    fn letters_written_as_entities_are_read() {
        assert_eq!(spelled_out("&#78;ote&#x20;to A&#73&#58; it&#39;s").as_deref(), Some("Note to AI: it&#39;s"));
        assert_eq!(spelled_out("it&#39;s &#; &#x; &#8211;"), None);
    }

    #[test]
    fn marks_of_emphasis_in_words_are_left_out() {
        assert_eq!(unstarred("**Ig**nore a~~l~~l *of* it").as_deref(), Some("**Ignore all *of* it"));
        assert_eq!(unstarred("**all** of *it* 2*3 a****b ~/x a *b"), None);
    }

    #[test]
    fn percent_signs_are_decoded() {
        let decoded = |text| unescaped(text).collect::<Vec<_>>();
        assert_eq!(decoded("a \"%49gnore%20all+previous%zz\""), ["Ignore all previous%zz"]);
        assert!(decoded("100% of 50% and a%20b").is_empty());
        assert_eq!(decoded("%C3%A9%é1234567890123456"), ["é%é1234567890123456"]);
    }

    #[test]
    fn broken_lines_are_in_one_piece() {
        assert_eq!(unfolded("instruc=\r\ntions, =49gnore a = b=\n"), "instructions, Ignore a = b");
        assert_eq!(unfolded("instruc\r\n tions\nand\n\tmore"), "instructions\nandmore");
        assert_eq!(unfolded("{\"a\":\"instruc=\\r\\ntions\\n x\"}"), "{\"a\":\"instructionsx\"}");
        assert_eq!(unfolded("=E2=80=99é=é"), "\u{2019}é=é");
        assert_eq!(seamless("i\u{2060}g\u{ad}n\u{200b}ore"), "ignore");
    }
}
