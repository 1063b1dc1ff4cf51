//! Names and strings in which characters are written as numbers: `U&"d\0061ta"`, `U&'d!0061ta' UESCAPE '!'`.

/// The maximum number of bytes from the end of a name or a string to its `UESCAPE`, and from there to the escape.
const MAX_BETWEEN: usize = 64;

/// Returns a text with the characters that are meant in these names and strings, or `None` if it has none.
///
/// It also finds them inside other strings, so that what it returns is judged in addition to the text itself.
pub(super) fn unescaped(text: &str) -> Option<String> {
    let (mut made, mut has_one) = (String::with_capacity(text.len()), false);
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        made.push_str(before);
        let found = quoted(after).filter(|(_, body, _)| is_prefix(before) && !body.is_empty());
        let Some((quote, body, end)) = found else {
            made.push('&');
            rest = after;
            continue;
        };
        // The prefix is left out.
        made.pop();
        made.push(quote);
        let clause = escape_after(end);
        decode(body, quote, clause.map(|(escape, _)| escape), &mut made);
        made.push(quote);
        has_one = true;
        // Without its `UESCAPE`, it is read as any other name.
        rest = clause.and_then(|(_, after)| after).unwrap_or(end);
    }
    made.push_str(rest);
    has_one.then_some(made)
}

/// Whether a text ends in the word `U`.
fn is_prefix(text: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '@' | '$' | '#');
    text.strip_suffix(['u', 'U']).is_some_and(|before| !before.ends_with(is_word))
}

/// Splits a text that begins with a quote into the quote, what is in the quotes, and the rest.
fn quoted(text: &str) -> Option<(char, &str, &str)> {
    let quote = text.chars().next().filter(|quote| matches!(quote, '\'' | '"'))?;
    let body = text.get(1..)?;
    let mut at = 0;
    loop {
        let end = at + body.get(at..)?.find(quote)?;
        let after = body.get(end + 1..)?;
        if !after.starts_with(quote) {
            return Some((quote, body.get(..end)?, after));
        }
        at = end + 2;
    }
}

/// Returns the escape that a `UESCAPE '!'` near the beginning of this text chooses, and what comes after it if nothing
/// but spaces and comments come before it.
fn escape_after(text: &str) -> Option<(char, Option<&str>)> {
    let near = |text: &str| text.char_indices().map(|(at, _)| at).take_while(|at| *at < MAX_BETWEEN).last();
    let word = (0..=near(text)?).find(|at| {
        let rest = text.get(*at..).unwrap_or_default();
        rest.split_at_checked("uescape".len()).is_some_and(|(word, _)| word.eq_ignore_ascii_case("uescape"))
    })?;
    let (before, rest) = text.split_at_checked(word)?;
    let quote = rest.bytes().take(MAX_BETWEEN).position(|byte| byte == b'\'')?;
    let chosen = rest.get(quote + 1..)?;
    let escape = chosen.chars().next()?;
    let after = chosen.get(escape.len_utf8()..)?.strip_prefix('\'');
    Some((escape, after.filter(|_| is_blank(before))))
}

/// Whether a text is only spaces and comments.
fn is_blank(text: &str) -> bool {
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let after = match (rest.strip_prefix("/*"), rest.strip_prefix("--")) {
            (Some(comment), _) => comment.split_once("*/"),
            (_, Some(comment)) => comment.split_once('\n'),
            _ => None,
        };
        let Some((_, after)) = after else { return false };
        rest = after.trim_start();
    }
    true
}

/// Adds what a text stands for. A backslash is always read as an escape: the text is judged without that, too.
fn decode(text: &str, quote: char, escape: Option<char>, to: &mut String) {
    let is_escape = |c: char| c == '\\' || Some(c) == escape;
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        rest = rest.get(c.len_utf8()..).unwrap_or_default();
        if !is_escape(c) {
            to.push(c);
            continue;
        }
        // An escape after another stands for itself.
        if let Some(after) = rest.strip_prefix(c) {
            to.push(c);
            rest = after;
            continue;
        }
        let (digits, width) = match rest.strip_prefix('+') {
            Some(digits) => (digits, 6),
            None => (rest, 4),
        };
        let number = digits.get(..width).and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let Some(meant) = number.and_then(char::from_u32) else {
            to.push(c);
            continue;
        };
        to.push(meant);
        if meant == quote {
            to.push(quote);
        }
        rest = digits.get(width..).unwrap_or_default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_are_written_as_numbers() {
        let is = |text: &str, made: &str| assert_eq!(unescaped(text).as_deref(), Some(made), "{text}");
        is("SELECT U&\"\\0061b\", u&'\\+000061'", "SELECT \"ab\", 'a'");
        is("SELECT U&\"!0061\" /* x */ UESCAPE '!'", "SELECT \"a\"");
        is("SELECT U&\"a\" /**/, U&\"!0061\" UESCAPE '!'", "SELECT \"a\" /**/, \"a\"");
        is("SELECT U&'a\\0027; b\\\\'", "SELECT 'a''; b\\'");
        is("SELECT U&'it''s'", "SELECT 'it''s'");
        for text in ["SELECT a & 'b'", "SELECT menu&'b'", "SELECT u&'b", "SELECT u&''", "SELECT 1"] {
            assert_eq!(unescaped(text), None, "{text}");
        }
    }
}
