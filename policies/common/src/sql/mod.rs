//! Determines whether an SQL text only reads, and whether it destroys something.
//!
//! It is not known which dialect a text is meant for, and dialects disagree about where strings and comments end. So a
//! text is read in every dialect, and what it would do in any of them counts.

mod destructive;
mod dialect;
mod functions;
mod lexer;
mod read_only;
mod rows;
#[cfg(test)]
mod tests;

pub use destructive::{Damage, destructive};
pub use read_only::{Sql, read_only};

/// The longest text that is read, in bytes.
pub const MAX_SQL: usize = 256 * 1024;
