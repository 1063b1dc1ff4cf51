//! Where the words of a text stand in it.

use rable::Node;
use std::ops::Range;

/// A text whose words can be rewritten.
pub(super) struct Source {
    text: String,
    /// The byte offset of each character, since the parser counts those.
    offsets: Vec<usize>,
}

impl Source {
    pub(super) fn new(text: &str) -> Self {
        let offsets = text.char_indices().map(|(at, _)| at);
        Self { text: text.to_owned(), offsets: offsets.chain(std::iter::once(text.len())).collect() }
    }

    /// Where `node` stands, unless the parser changed `value` on the way, as
    /// it does with a line continuation.
    pub(super) fn range(&self, node: &Node, value: &str) -> Option<Range<usize>> {
        let start = *self.offsets.get(node.span.start)?;
        let end = *self.offsets.get(node.span.end)?;
        (self.text.get(start..end)? == value).then_some(start..end)
    }
}
