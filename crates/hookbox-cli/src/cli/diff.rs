//! Line-by-line differences between texts.

use crate::cli::render::printable;
use similar::{ChangeTag, TextDiff};
use std::time::Duration;

/// The number of lines shown around each change.
const CONTEXT: usize = 3;

/// How long to search for the shortest diff.
const PATIENCE: Duration = Duration::from_secs(1);

/// Returns the changed lines and their context, each with its sign. The result is empty if the texts are the same.
pub(super) fn lines(old: &str, new: &str) -> Vec<String> {
    let diff = TextDiff::configure().timeout(PATIENCE).diff_lines(old, new);
    let mut lines = Vec::new();
    for group in diff.grouped_ops(CONTEXT) {
        if !lines.is_empty() {
            lines.push("…".to_owned());
        }
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            let sign = match change.tag() {
                ChangeTag::Delete => '-',
                ChangeTag::Insert => '+',
                ChangeTag::Equal => ' ',
            };
            let text = printable(change.value().trim_end_matches('\n'));
            lines.push(format!("{sign} {text}").trim_end().to_owned());
        }
    }
    lines
}
