//! The positions of words in a text.

use rable::Node;
use std::ops::Range;

/// A text whose words can be rewritten.
pub(super) struct Source {
    text: String,
    /// The byte offset of each character, because the parser counts characters.
    offsets: Vec<usize>,
}

impl Source {
    pub(super) fn new(text: &str) -> Self {
        let offsets = text.char_indices().map(|(at, _)| at);
        Self { text: text.to_owned(), offsets: offsets.chain(std::iter::once(text.len())).collect() }
    }

    /// The range of `node`, unless the parser changed `value` along the way, as it does with a line continuation.
    pub(super) fn range(&self, node: &Node, value: &str) -> Option<Range<usize>> {
        let start = *self.offsets.get(node.span.start)?;
        let end = *self.offsets.get(node.span.end)?;
        (self.text.get(start..end)? == value).then_some(start..end)
    }
}
