//! Dollar-quoted strings of PostgreSQL, `$tag$ … $tag$`, which other databases read as names.

use super::dialect::POSTGRES;
use super::lexer::{Kind, read};

/// Whether PostgreSQL surely reads all `$tag$ … $tag$` of a text as strings.
///
/// A string that begins elsewhere than is read here also ends elsewhere, and then hides a statement. Therefore nothing
/// else in the text may have dollars, apart from parameters such as `$1`, or characters that may be read otherwise.
pub(super) fn are_strings(text: &str) -> bool {
    if !text.contains('$') || text.contains(['\\', '\u{feff}', '\u{b}']) {
        return false;
    }
    let reading = read(text, &POSTGRES);
    let is_parameter = |text: &str| {
        let digits = text.strip_prefix('$').unwrap_or_default();
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    let has_others = reading.tokens.iter().any(|token| {
        matches!(token.kind, Kind::Word | Kind::Number | Kind::Mark)
            && token.text.contains('$')
            && !is_parameter(token.text)
    });
    reading.fault.is_none() && !has_others
}
