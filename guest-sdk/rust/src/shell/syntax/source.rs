//! The positions of words in a text.

use rable::Node;
use std::ops::Range;

/// A text that has been parsed.
pub(in crate::shell) struct Source {
    text: String,
    /// The byte offset of each character, because the parser counts characters; empty for pure ASCII.
    offsets: Vec<usize>,
    /// Whether this is the text of the tool call, whose words can be rewritten.
    editable: bool,
}

impl Source {
    pub(in crate::shell) fn new(text: &str, editable: bool) -> Self {
        let mut offsets = Vec::new();
        if !text.is_ascii() {
            offsets = text.char_indices().map(|(at, _)| at).chain(std::iter::once(text.len())).collect();
        }
        Self { text: text.to_owned(), offsets, editable }
    }

    fn offset(&self, at: usize) -> Option<usize> {
        if self.offsets.is_empty() { (at <= self.text.len()).then_some(at) } else { self.offsets.get(at).copied() }
    }

    /// Returns the range of `node`, unless the parser changed `value` along the way, as it does with a line
    /// continuation.
    pub(in crate::shell) fn range(&self, node: &Node, value: &str) -> Option<Range<usize>> {
        let start = self.offset(node.span.start)?;
        let end = self.offset(node.span.end)?;
        (self.editable && self.text.get(start..end)? == value).then_some(start..end)
    }

    /// Returns the text of `node` as it was typed.
    pub(in crate::shell) fn text_of(&self, node: &Node) -> &str {
        let at = self.offset(node.span.start).zip(self.offset(node.span.end));
        at.and_then(|(start, end)| self.text.get(start..end)).unwrap_or_default().trim()
    }
}
