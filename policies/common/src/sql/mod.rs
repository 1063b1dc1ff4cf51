//! Whether a text of SQL only reads, and whether it destroys something.
//!
//! Nobody tells which dialect a text is meant for, and the dialects disagree about where strings and comments end. So a
//! text is read as each of them would, and what any of them would do counts.

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
