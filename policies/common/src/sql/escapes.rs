//! Backslashes in strings, which MySQL reads as escapes unless a mode forbids it.

use super::destructive::{Damage, Statements, doubt};
use super::lexer::Kind;

/// The mode of MySQL that switches off backslash escapes, and the number that stands for it.
const NO_ESCAPES: &str = "no_backslash_escapes";
const NO_ESCAPES_NUMBER: u64 = 1 << 20;

/// The maximum number of tokens of the value of the mode that are read.
const MAX_VALUE: usize = 32;

/// Whether MySQL surely reads all backslashes of a text as escapes in strings.
///
/// A string that begins elsewhere than is read here also ends elsewhere, and then hides a statement. Therefore the text
/// must be a single statement, which cannot change the mode for itself, without comments. In a character set such as
/// GBK, a backslash after a character of several bytes may be a part of it.
pub(super) fn are_escapes(text: &str) -> bool {
    let mut quote = None;
    let (mut before, mut has_escape, mut has_ended) = (' ', false, false);
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        match quote {
            // In another mode, this is a name, in which a backslash stands for itself.
            Some('"') if c == '\\' => return false,
            Some('\'') if c == '\\' => {
                if !before.is_ascii() {
                    return false;
                }
                has_escape = true;
                before = rest.next().unwrap_or(c);
                continue;
            }
            Some(end) if c == end => quote = None,
            Some(_) => {}
            None if c == ';' => has_ended = true,
            None if c.is_ascii_whitespace() => {}
            // Another statement, a character that may be read otherwise, or a comment.
            None if has_ended || !c.is_ascii() || c.is_ascii_control() || matches!(c, '\\' | '#') => return false,
            None if matches!((before, c), ('-', '-') | ('/', '*')) => return false,
            None if matches!(c, '\'' | '"' | '`') => quote = Some(c),
            None => {}
        }
        before = c;
    }
    has_escape && quote.is_none()
}

impl Statements<'_, '_> {
    /// Judges `SET sql_mode = 'NO_BACKSLASH_ESCAPES'` of MySQL, after which a string may end elsewhere than is read.
    pub(super) fn escapes(&self, at: usize, first: usize) -> Option<Damage> {
        let token = self.get(at)?;
        let has_name = |text: &str| text.to_ascii_lowercase().contains(NO_ESCAPES);
        let is_mode = token.text.trim_start_matches('@').eq_ignore_ascii_case("sql_mode");
        let sets = is_mode && (self.is_mark(at + 1, "=") || self.is_mark(at + 1, ":"));
        let value = if self.is_mark(at + 1, ":") { at + 3 } else { at + 2 };
        let is_number = self.get(value).is_some_and(|value| {
            value.kind == Kind::Number && value.text.parse::<u64>().is_ok_and(|number| number & NO_ESCAPES_NUMBER != 0)
        });
        // The name may be joined from parts, and a number may be written in other ways.
        let is_part = |at: usize| {
            self.get(at).is_some_and(|token| {
                let text = token.text.to_ascii_lowercase();
                ["backsl", "escap", "0x"].iter().any(|part| text.contains(*part))
            })
        };
        let has_part = || (value..value + MAX_VALUE).take_while(|at| !self.is_mark(*at, ";")).any(is_part);
        if self.is(first, &["set"]) && has_name(token.text) || sets && (is_number || has_part()) {
            return doubt("switches off backslash escapes".to_owned());
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backslashes_that_are_escapes() {
        for text in ["SELECT 'it\\'s; x -- '", "SELECT \"a; b\", '\\\\' ;\n;", "SELECT 'a\\'b''c', `d`"] {
            assert!(are_escapes(text), "{text}");
        }
        for text in [
            "SELECT 1",
            "SELECT 'a\\'",
            "SELECT \"a\\\"; b\", '\\\\'",
            "SELECT 'a\\'b'; SELECT 1",
            "SELECT 'a\\'b' -- x",
            "SELECT 'a\\'b' # x",
            "SELECT 'a\\'b' /* x */",
            "SELECT `a\\`, 'b'",
            "SELECT '\u{e9}\\'b'",
            "SELECT\u{a0}'a\\'b'",
            "SELECT \\'a\\'b'",
        ] {
            assert!(!are_escapes(text), "{text}");
        }
    }
}
