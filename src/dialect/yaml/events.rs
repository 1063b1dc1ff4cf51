//! The events of a text's only document, with places in bytes.

use super::place::{Offsets, Source};
use super::{MAX_NODES, YamlError};
use saphyr_parser::{Event, Parser, ScalarStyle};
use std::collections::HashMap;
use std::ops::Range;

/// The nodes of a document in the order of the text, and where lists and mappings end.
pub(super) struct Document<'a> {
    pub(super) events: Vec<(Event<'a>, Range<usize>)>,
    /// The event that starts the node of an anchor. The parser numbers anchors, so a reused name is a different anchor.
    pub(super) anchors: HashMap<usize, usize>,
    /// Where the text of the document starts, after a `---` if it has one.
    pub(super) body: usize,
}

impl Document<'_> {
    /// Whether there is no node except for the empty one after a bare `---`.
    pub(super) fn is_empty(&self) -> bool {
        match self.events.as_slice() {
            [] => true,
            [(Event::Scalar(text, ScalarStyle::Plain, 0, None), _)] => text.is_empty(),
            _ => false,
        }
    }
}

/// Collects the events, before the tree is built. An alias can then be built again from the events of its anchor, and
/// no part of the tree is copied for an alias that may never come.
pub(super) fn read(text: &str) -> Result<Document<'_>, YamlError> {
    let offsets = Offsets::new(text);
    let mut document = Document { events: Vec::new(), anchors: HashMap::new(), body: 0 };
    let (mut documents, mut nodes) = (0_usize, 0_usize);
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| YamlError::new(offsets.error(error.marker()), error.info()))?;
        let at = offsets.range(&span);
        match &event {
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => continue,
            Event::DocumentStart(_) if documents > 0 => {
                return Err(YamlError::new(at, "a second document starts here, and only one can be read"));
            }
            Event::DocumentStart(explicit) => {
                documents = 1;
                document.body = body(text, &at, *explicit)?;
                continue;
            }
            Event::SequenceEnd | Event::MappingEnd => {}
            Event::Alias(_) => nodes += 1,
            Event::Scalar(_, _, anchor, _) | Event::SequenceStart(anchor, _) | Event::MappingStart(anchor, _) => {
                nodes += 1;
                // Zero means no anchor, and is never the target of an alias.
                document.anchors.insert(*anchor, document.events.len());
            }
        }
        if nodes > MAX_NODES {
            return Err(too_many(at));
        }
        document.events.push((event, at));
    }
    Ok(document)
}

pub(super) fn too_many(at: Range<usize>) -> YamlError {
    YamlError::new(at, format!("more than {MAX_NODES} values, with each alias written out"))
}

/// Returns where the text of the document starts, given the place of its start event.
fn body(text: &str, start: &Range<usize>, explicit: bool) -> Result<usize, YamlError> {
    let found = Source(text).first_token();
    if !explicit {
        return Ok(found);
    }
    if found == start.start {
        return Ok(start.end);
    }
    // The parser counts bytes instead of characters in a directive that it does not know, so every place after it would
    // be wrong.
    let directive = text.split_inclusive('\n').take_while(|line| !line.starts_with('%')).map(str::len).sum();
    Err(YamlError::new(directive..directive, "a directive that is not in ASCII cannot be read"))
}
