//! The places of nodes: what the parser reports, translated to positions in the text.
//!
//! The parser counts characters, and its events have the spans of tokens. These include anchors and tags, blanks, and a
//! comment after a quote, or they start after the `-` of a list or the `|` of a block scalar.

use saphyr_parser::{Marker, ScalarStyle, Span};
use std::ops::Range;

/// The byte offsets of the characters of a text.
pub(super) struct Offsets<'a> {
    text: &'a str,
    bytes: Vec<usize>,
}

impl<'a> Offsets<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Offsets { text, bytes: text.char_indices().map(|(at, _)| at).collect() }
    }

    fn byte(&self, mark: &Marker) -> usize {
        self.bytes.get(mark.index()).copied().unwrap_or(self.text.len())
    }

    pub(super) fn range(&self, span: &Span) -> Range<usize> {
        let start = self.byte(&span.start);
        start..self.byte(&span.end).max(start)
    }

    /// Returns the character at which the parser gave up. At the end of the text, returns the end of the last line with
    /// something on it, which is more useful to show than an empty line.
    pub(super) fn error(&self, mark: &Marker) -> Range<usize> {
        let start = self.byte(mark);
        match self.text.get(start..).and_then(|rest| rest.chars().next()) {
            Some('\r' | '\n') => start..start,
            Some(char) => start..start + char.len_utf8(),
            None => {
                let end = self.text.trim_end().len();
                end..end
            }
        }
    }
}

/// A node's role in its parent.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// An item of a list, or the whole document.
    Item,
    Key,
    Value,
}

/// Facts about where a node starts.
pub(super) struct Start {
    /// The place of the node's first event.
    pub(super) span: Range<usize>,
    /// Where the previous event ended.
    pub(super) before: usize,
    pub(super) role: Role,
    /// How many properties (an anchor, a tag) come before the node itself.
    pub(super) properties: usize,
}

/// The text, for looking around near the place of an event.
#[derive(Clone, Copy)]
pub(super) struct Source<'a>(pub(super) &'a str);

impl Source<'_> {
    pub(super) fn byte(self, at: usize) -> Option<u8> {
        self.0.as_bytes().get(at).copied()
    }

    /// Returns where the first token of a document is, possibly its `---`. Byte order marks, `...` and directives may
    /// come before it.
    pub(super) fn first_token(self) -> usize {
        let mut at = 0;
        loop {
            at = self.skip_blank(at);
            let rest = self.0.get(at..).unwrap_or_default();
            match ["\u{feff}", "...", "%"].into_iter().find(|mark| rest.starts_with(mark)) {
                Some("%") => at = self.skip_line(at),
                Some(mark) => at += mark.len(),
                None => return at,
            }
        }
    }

    pub(super) fn scalar(self, start: &Start, style: ScalarStyle, value: &str) -> Range<usize> {
        let Start { span, properties, .. } = start;
        match style {
            ScalarStyle::Plain if value.is_empty() => {
                let at = self.left_out(start);
                at..at
            }
            ScalarStyle::Plain => self.after_properties(span.start, *properties).min(span.end)..span.end,
            ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => {
                let from = self.after_properties(span.start, *properties);
                from..self.quoted_end(from).unwrap_or(span.end).max(from)
            }
            ScalarStyle::Literal | ScalarStyle::Folded => self.block(start, value),
        }
    }

    /// Returns where a list or mapping starts.
    pub(super) fn collection(self, start: &Start, sequence: bool) -> usize {
        let from = self.after_properties(start.span.start, start.properties);
        if !sequence || start.role != Role::Value {
            return from;
        }
        // A list under a key may be indented as little as the key. Its event then comes after its first `-`.
        let found = self.after_properties(self.skip_indicators(start.before, b":?"), start.properties);
        if matches!(self.byte(found), Some(b'-' | b'[')) { found } else { from }
    }

    /// Returns where a list or mapping that starts at `start` ends: after its bracket if it has one, otherwise after
    /// `last`.
    pub(super) fn collection_end(self, start: usize, end_event: usize, last: usize) -> usize {
        match (self.byte(start), self.byte(end_event)) {
            (Some(b'['), Some(b']')) | (Some(b'{'), Some(b'}')) => end_event + 1,
            _ => last.max(start),
        }
    }

    /// Returns the place of an omitted value. Its event has the place of some nearby token.
    fn left_out(self, start: &Start) -> usize {
        match start.role {
            _ if start.properties > 0 => start.span.end,
            Role::Item | Role::Key => start.span.start,
            Role::Value if self.byte(start.span.start) == Some(b':') => start.span.start + 1,
            Role::Value => start.before,
        }
    }

    /// Returns the place of a block scalar, from its `|` or `>` to the end of its last line. The parser leaves out the
    /// header.
    fn block(self, start: &Start, value: &str) -> Range<usize> {
        let Start { span, before, properties, .. } = start;
        let head = match properties {
            0 => self.skip_indicators(*before, b":?-"),
            _ => self.after_properties(span.start, *properties),
        };
        if !matches!(self.byte(head), Some(b'|' | b'>')) {
            return span.clone();
        }
        let head_end = self.skip_while(head + 1, |byte| matches!(byte, b'+' | b'-' | b'0'..=b'9'));
        let trimmed = self.0.get(..span.end).map_or(0, |text| text.trim_end_matches([' ', '\t', '\r', '\n']).len());
        let empty = value.trim_matches('\n').is_empty();
        head..if empty { head_end } else { trimmed.max(head_end) }
    }

    fn quoted_end(self, start: usize) -> Option<usize> {
        let quote = self.byte(start)?;
        let mut at = start + 1;
        loop {
            match (self.byte(at)?, self.byte(at + 1)) {
                (b'\\', _) if quote == b'"' => at += 2,
                (b'\'', Some(b'\'')) if quote == b'\'' => at += 2,
                (byte, _) if byte == quote => return Some(at + 1),
                _ => at += 1,
            }
        }
    }

    /// Skips `count` anchors and tags, and whatever separates them from the node.
    fn after_properties(self, mut at: usize, count: usize) -> usize {
        for _ in 0..count {
            at = self.skip_blank(at);
            let verbatim = self.0.get(at..).is_some_and(|rest| rest.starts_with("!<"));
            at = if verbatim {
                self.skip_while(at, |byte| byte != b'>') + 1
            } else {
                self.skip_while(at, |byte| !b" \t\r\n,[]{}".contains(&byte))
            };
        }
        if count > 0 { self.skip_blank(at) } else { at }
    }

    /// Skips blanks, comments and the given characters.
    fn skip_indicators(self, mut at: usize, indicators: &[u8]) -> usize {
        loop {
            at = self.skip_blank(at);
            match self.byte(at) {
                Some(byte) if indicators.contains(&byte) => at += 1,
                _ => return at,
            }
        }
    }

    /// Skips blanks, line breaks and comments.
    fn skip_blank(self, mut at: usize) -> usize {
        loop {
            at = self.skip_while(at, |byte| b" \t\r\n".contains(&byte));
            if self.byte(at) != Some(b'#') {
                return at;
            }
            at = self.skip_line(at);
        }
    }

    fn skip_line(self, at: usize) -> usize {
        self.skip_while(at, |byte| !b"\r\n".contains(&byte))
    }

    fn skip_while(self, at: usize, skip: impl Fn(u8) -> bool) -> usize {
        let rest = self.0.as_bytes().get(at..).unwrap_or_default();
        at + rest.iter().take_while(|byte| skip(**byte)).count()
    }
}
