//! Flags that a pattern can set within itself: `(?i)`, `(?s-m:..)`.

use super::{refused, split_first};

/// The flags in force. `U` is read but not kept: whether a match is short or long does not affect whether there is one.
#[derive(Clone, Copy, Default)]
pub(super) struct Flags {
    fold_case: bool,
    pub(super) multi_line: bool,
    pub(super) dot_newline: bool,
}

/// The head of a group that begins with `(?`.
pub(super) struct Head<'t> {
    pub(super) flags: Flags,
    /// Whether the head ends with `:`. If it ends with `)`, the flags apply to the rest of the enclosing group.
    pub(super) opens_group: bool,
    pub(super) after: &'t str,
}

impl Flags {
    /// Applies the flag changes of a text that starts with `(?`.
    pub(super) fn change(mut self, text: &str) -> Result<Head<'_>, String> {
        let mut rest = text.strip_prefix("(?").unwrap_or_default();
        let mut value = true;
        // A flag must follow `-`.
        let mut is_complete = true;
        while let Some((first, after)) = split_first(rest) {
            rest = after;
            match first {
                'i' => self.fold_case = value,
                'm' => self.multi_line = value,
                's' => self.dot_newline = value,
                'U' => {}
                '-' if value => value = false,
                ':' | ')' if is_complete => return Ok(Head { flags: self, opens_group: first == ':', after }),
                _ => break,
            }
            is_complete = first != '-';
        }
        Err(refused("invalid or unsupported Perl syntax", text, rest))
    }

    /// Makes a character or set match in either case if `i` is set.
    pub(super) fn fold(self, text: String) -> String {
        if self.fold_case { format!("(?i:{text})") } else { text }
    }
}
