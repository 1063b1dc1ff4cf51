//! What has changed in a text, line by line.

use crate::cli::render::printable;
use similar::{ChangeTag, TextDiff};
use std::time::Duration;

/// How many lines are shown around each change.
const CONTEXT: usize = 3;

/// How long to look for the shortest way to say it.
const PATIENCE: Duration = Duration::from_secs(1);

/// The changed lines with those around them, each with its sign. Nothing if the texts are the same.
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
