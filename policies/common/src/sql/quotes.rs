//! Strings of Oracle with quotes of their own choice, `q'[ … ]'`, which other databases read as a name and a string.

use super::dialect::ORACLE;
use super::lexer::{Kind, read};

/// Words of SQL*Plus that begin a line of prose, in which a quote begins no string.
const PROSE: &[&str] = &["prompt", "rem", "remark"];

/// Whether Oracle surely reads all `q'[ … ]'` of a text as strings.
///
/// A string that begins elsewhere than is read here also ends elsewhere, and then hides a statement. Therefore nothing
/// may come before a `q` that may be a part of a name or number with it.
pub(super) fn are_strings(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let mut strings = lower.split("q'").skip(1).peekable();
    // Oracle refuses a space as a quote.
    if strings.peek().is_none() || strings.any(|rest| rest.starts_with(char::is_whitespace)) {
        return false;
    }
    if text.contains(['\u{feff}', '\u{b}']) {
        return false;
    }
    let reading = read(text, &ORACLE);
    let is_doubtful = reading.tokens.iter().any(|token| match token.kind {
        Kind::Word => token.text.starts_with('$') || token.text.contains('@') || token.is_any(PROSE),
        Kind::Number => token.text.ends_with(['q', 'Q']),
        Kind::Mark => token.text.contains(['#', '$', '@']),
        Kind::Quoted | Kind::Text => false,
    });
    reading.fault.is_none() && !is_doubtful
}
