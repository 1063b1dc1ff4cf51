//! The tools that a Go program's pattern selects.

use super::regex::compile_whole;
use crate::runtime::Matcher;

pub(crate) use super::regex::PatternError;

/// The longest pattern, in bytes. Such a pattern fits a list of thousands of names and is still read in a moment.
const MAX_PATTERN: usize = 64 << 10;

/// Returns a matcher of tools by their whole name. An empty pattern or `*` matches every tool.
///
/// # Errors
/// Returns an error that says why Go, or hookbox, cannot use the pattern.
pub(crate) fn whole_matcher(pattern: &str) -> Result<Matcher, PatternError> {
    match pattern {
        "" | "*" => Ok(Matcher::default()),
        pattern if pattern.len() > MAX_PATTERN => {
            Err(PatternError::Unsupported(format!("longer than {MAX_PATTERN} bytes")))
        }
        pattern => compile_whole(pattern).map(Matcher::plain),
    }
}
