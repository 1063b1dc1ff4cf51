//! Undoes an edit in a text that was edited again.

use similar::{DiffTag, TextDiff};
use std::ops::Range;

/// A change of lines: the lines that are replaced, and the lines in their place.
struct Hunk<'t> {
    old: Range<usize>,
    new: Vec<&'t str>,
}

/// Undoes the edit from `before` to `after` in the text `now`, which was made from `after`. Returns `None` if both
/// edits concern the same lines or adjacent lines.
pub(super) fn undo(before: &str, after: &str, now: &str) -> Option<String> {
    let mut hunks = hunks(after, before);
    hunks.extend(self::hunks(after, now));
    hunks.sort_by_key(|hunk| (hunk.old.start, hunk.old.end));
    let pairs = hunks.iter().zip(hunks.iter().skip(1));
    if pairs.into_iter().any(|(one, next)| next.old.start <= one.old.end) {
        return None;
    }
    let mut hunks = hunks.into_iter().peekable();
    let mut text = String::with_capacity(now.len());
    let mut skipped = 0..0;
    for (number, line) in after.split_inclusive('\n').enumerate() {
        if let Some(hunk) = hunks.next_if(|hunk| hunk.old.start == number) {
            text.extend(hunk.new);
            skipped = hunk.old;
        }
        if !skipped.contains(&number) {
            text.push_str(line);
        }
    }
    text.extend(hunks.flat_map(|hunk| hunk.new));
    Some(text)
}

fn hunks<'t>(old: &str, new: &'t str) -> Vec<Hunk<'t>> {
    let lines: Vec<&str> = new.split_inclusive('\n').collect();
    let diff = TextDiff::from_slices(&old.split_inclusive('\n').collect::<Vec<_>>(), &lines).ops().to_vec();
    let changes = diff.into_iter().filter(|op| op.tag() != DiffTag::Equal);
    changes
        .map(|op| Hunk { old: op.old_range(), new: lines.get(op.new_range()).unwrap_or_default().to_vec() })
        .collect()
}
