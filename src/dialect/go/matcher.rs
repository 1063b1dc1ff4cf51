//! Which tools a Go program's pattern means.

use super::regex::compile_whole;
use crate::runtime::Matcher;

pub(crate) use super::regex::PatternError;

/// The longest pattern, in bytes: a list of thousands of names, and read in a moment.
const MAX_PATTERN: usize = 64 << 10;

/// The tools whose whole name the pattern matches; an empty one or `*` means every tool.
///
/// # Errors
/// Why Go, or we, cannot use the pattern.
pub(crate) fn whole_matcher(pattern: &str) -> Result<Matcher, PatternError> {
    match pattern {
        "" | "*" => Ok(Matcher::default()),
        pattern if pattern.len() > MAX_PATTERN => {
            Err(PatternError::Unsupported(format!("longer than {MAX_PATTERN} bytes")))
        }
        pattern => compile_whole(pattern).map(Matcher::plain),
    }
}
