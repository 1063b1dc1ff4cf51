//! Locates and explains errors in files that are not valid TOML.

use crate::config::file::ConfigFile;
use crate::config::problem::Problem;
use crate::protocol::Code;
use std::ops::Range;
use toml::de::Error;
use toml_parser::Source;
use toml_parser::lexer::TokenKind;

/// Reports the first error of a file, at the place that must be changed.
pub(super) fn problem(file: &ConfigFile, error: &Error) -> Problem {
    let at = error.span().unwrap_or(0..0);
    // A parser notices an unclosed string only where the text no longer fits, which may be lines further down.
    if let Some(string) = unclosed_string(&file.text).filter(|string| string.start <= at.start) {
        let help = "close it on the line on which it begins; a string over several lines stands between `\"\"\"`";
        let message = "this string is not closed";
        return file.problem(Code::ConfigSyntax, None, &string, message, Some(help.to_owned()));
    }
    let is_toml = file.path.extension().is_none_or(|extension| extension == "toml");
    let help = (!is_toml).then(|| "the config of another system needs `--dialect`".to_owned());
    file.problem(Code::ConfigSyntax, None, &at, error.message(), help)
}

/// Finds the first unclosed string.
fn unclosed_string(text: &str) -> Option<Range<usize>> {
    Source::new(text).lex().find_map(|token| {
        let quotes = match token.kind() {
            TokenKind::BasicString => "\"",
            TokenKind::LiteralString => "'",
            TokenKind::MlBasicString => "\"\"\"",
            TokenKind::MlLiteralString => "'''",
            _ => return None,
        };
        let span = token.span().start()..token.span().end();
        let string = text.get(span.clone())?;
        let inside = string.strip_prefix(quotes)?;
        // An escaped quote does not close the string.
        let is_escaped = quotes.starts_with('"') && {
            let before = inside.strip_suffix(quotes).unwrap_or_default();
            before.bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 1
        };
        (!inside.ends_with(quotes) || is_escaped).then_some(span)
    })
}
