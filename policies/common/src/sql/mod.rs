//! Determines whether an SQL text only reads, and whether it destroys something.
//!
//! The dialect of a text is not known, and dialects disagree about where strings and comments end. Therefore a text is
//! read in every dialect, and its effects in each of them count.

mod clients;
mod computed;
mod conditions;
mod delimiters;
mod destructive;
mod dialect;
mod dollars;
mod dropped;
mod escapes;
mod expressions;
mod functions;
mod judge;
mod lexer;
mod loops;
mod native;
mod nodes;
mod programs;
mod quotes;
mod read_only;
mod rows;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_of_dialects;
mod unescaped;
mod whole;
mod words;

pub use clients::destructive_in_client;
pub use destructive::Damage;
pub use judge::{destructive, destructive_in_mysql, destructive_in_oracle, destructive_in_postgres};
pub use read_only::{Sql, read_only};

/// The longest text that is read, in bytes.
pub const MAX_SQL: usize = 256 * 1024;

/// Whether a text is SQL, judging by its first word.
#[must_use]
pub fn is_statement(text: &str) -> bool {
    let first = text.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '(' | ';' | '\u{feff}'));
    // A comment may come before the first word.
    let is_comment = first.starts_with("--") || first.starts_with("/*");
    let end = first.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(first.len());
    let word = first.get(..end).unwrap_or_default();
    is_comment || words::HEADS.iter().chain(words::OPENING).any(|head| word.eq_ignore_ascii_case(head))
}
