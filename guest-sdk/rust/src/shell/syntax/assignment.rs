//! Reads assignments.

use super::scan;
use crate::shell::command::Assignment;
use crate::shell::word::Word;

/// Reads `name=value`, `name+=value` or `name[index]=value`.
pub(super) fn read(raw: &str) -> Option<Assignment> {
    let (left, value) = raw.split_once('=')?;
    let name = left.strip_suffix('+').unwrap_or(left);
    let name = name.split('[').next().unwrap_or(name).to_owned();
    let mut texts = scan::word(value).texts;
    // For `+=`, the previous value is unknown; a list is not a single text.
    let is_plain = left == name && !value.starts_with('(') && texts.len() == 1;
    let value = match texts.pop() {
        Some(text) if is_plain => Word::of_pattern(raw, text),
        _ => Word::unknown(raw),
    };
    Some(Assignment { name, value })
}
