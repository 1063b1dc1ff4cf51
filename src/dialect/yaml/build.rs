//! Construction of the tree of a document from its events.

use super::events::{Document, too_many};
use super::place::{Role, Source, Start};
use super::{MAX_DEPTH, MAX_NODES, MAX_REPEATED, Node, Scalar, Value, YamlError};
use saphyr_parser::{Event, ScalarStyle, Tag};
use std::collections::HashSet;
use std::ops::Range;

pub(super) fn tree(text: &str, document: &Document<'_>) -> Result<Node, YamlError> {
    let source = Source(text);
    Builder { source, document, next: 0, nodes: 0, repeated: 0, depth: 0, open: Vec::new(), alias: None }
        .node(Role::Item)
}

struct Builder<'a> {
    source: Source<'a>,
    document: &'a Document<'a>,
    /// The event to read next.
    next: usize,
    nodes: usize,
    /// How many bytes of the text aliases have repeated so far.
    repeated: usize,
    depth: usize,
    /// The anchors of the lists and mappings under construction.
    open: Vec<usize>,
    /// The outermost alias that is being expanded. If a limit is exceeded inside it, the error is reported at the
    /// alias.
    alias: Option<Range<usize>>,
}

impl<'a> Builder<'a> {
    fn node(&mut self, role: Role) -> Result<Node, YamlError> {
        let document = self.document;
        let Some((event, span)) = document.events.get(self.next) else {
            return Err(self.broken());
        };
        let previous = self.next.checked_sub(1).and_then(|index| document.events.get(index));
        let before = previous.map_or(document.body, |(_, at)| at.end);
        let start = |anchor: usize, tag: &Option<_>| {
            let properties = usize::from(anchor > 0) + usize::from(tag.is_some());
            Start { span: span.clone(), before, role, properties }
        };
        self.next += 1;
        if let Event::Alias(anchor) = event {
            return self.alias(*anchor, span, role);
        }
        self.count(span, span.end.saturating_sub(before))?;
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                let at = self.source.scalar(&start(*anchor, tag), *style, text);
                let plain = *style == ScalarStyle::Plain;
                scalar(Scalar { text: text.to_string(), plain, tag: tag.as_deref().map(tag_text) }, at)
            }
            Event::SequenceStart(anchor, tag) => {
                let from = self.source.collection(&start(*anchor, tag), true);
                check_tag(tag.as_deref(), "!!seq", "a list", span)?;
                self.inside(*anchor, span, |builder| builder.sequence(from))
            }
            Event::MappingStart(anchor, tag) => {
                let from = self.source.collection(&start(*anchor, tag), false);
                check_tag(tag.as_deref(), "!!map", "a mapping", span)?;
                self.inside(*anchor, span, |builder| builder.mapping(from))
            }
            _ => Err(self.broken()),
        }
    }

    /// Builds the node of an anchor again.
    fn alias(&mut self, anchor: usize, span: &Range<usize>, role: Role) -> Result<Node, YamlError> {
        if self.open.contains(&anchor) {
            return Err(YamlError::new(span.clone(), "this alias stands in the very value that it stands for"));
        }
        let Some(target) = self.document.anchors.get(&anchor) else {
            return Err(self.broken());
        };
        let outermost = self.alias.is_none();
        if outermost {
            self.alias = Some(span.clone());
        }
        let after = std::mem::replace(&mut self.next, *target);
        let node = self.node(role)?;
        self.next = after;
        if outermost {
            self.alias = None;
        }
        Ok(Node { value: node.value, at: span.clone() })
    }

    /// Counts a node, and the bytes of the text that are read for it.
    fn count(&mut self, span: &Range<usize>, bytes: usize) -> Result<(), YamlError> {
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            return Err(too_many(self.blame(span)));
        }
        if self.alias.is_some() {
            self.repeated = self.repeated.saturating_add(bytes);
            if self.repeated > MAX_REPEATED {
                let message = format!("aliases that repeat more than {MAX_REPEATED} bytes of text");
                return Err(YamlError::new(self.blame(span), message));
            }
        }
        Ok(())
    }

    fn inside(
        &mut self,
        anchor: usize,
        span: &Range<usize>,
        build: impl FnOnce(&mut Self) -> Result<Node, YamlError>,
    ) -> Result<Node, YamlError> {
        if self.depth == MAX_DEPTH {
            let message = format!("more than {MAX_DEPTH} lists and mappings in one another");
            return Err(YamlError::new(self.blame(span), message));
        }
        self.depth += 1;
        self.open.push(anchor);
        let node = build(self)?;
        self.open.pop();
        self.depth -= 1;
        Ok(node)
    }

    fn sequence(&mut self, start: usize) -> Result<Node, YamlError> {
        let mut items: Vec<Node> = Vec::new();
        loop {
            if let Some(end) = self.ended() {
                let last = items.last().map_or(start, |item| item.at.end);
                let at = start..self.source.collection_end(start, end, last);
                return Ok(Node { value: Value::Sequence(items), at });
            }
            items.push(self.node(Role::Item)?);
        }
    }

    fn mapping(&mut self, start: usize) -> Result<Node, YamlError> {
        let mut pairs = Vec::new();
        let mut keys = HashSet::new();
        let mut merge = None;
        let mut last = start;
        loop {
            if let Some(end) = self.ended() {
                let at = start..self.source.collection_end(start, end, last);
                if let Some((index, node)) = merge {
                    let mut merged = merged_pairs(node)?;
                    // A key of the mapping itself wins over a merged one, and an earlier merged key over a later one.
                    merged.retain(|(key, _)| key.scalar().is_some_and(|key| keys.insert(key.text.clone())));
                    pairs.splice(index..index, merged);
                }
                return Ok(Node { value: Value::Mapping(pairs), at });
            }
            let key = self.node(Role::Key)?;
            let Some(name) = key.scalar() else {
                return Err(YamlError::new(key.at.clone(), format!("a key cannot be {}", key.kind_name())));
            };
            if !keys.insert(name.text.clone()) {
                return Err(YamlError::new(key.at.clone(), format!("key `{}` is there twice", name.text)));
            }
            let value = self.node(Role::Value)?;
            last = value.at.end;
            if name.is_merge() {
                merge = Some((pairs.len(), value));
            } else {
                pairs.push((key, value));
            }
        }
    }

    /// Takes the end of a list or mapping if it comes next.
    fn ended(&mut self) -> Option<usize> {
        match self.document.events.get(self.next) {
            Some((Event::SequenceEnd | Event::MappingEnd, at)) => {
                self.next += 1;
                Some(at.start)
            }
            _ => None,
        }
    }

    fn blame(&self, span: &Range<usize>) -> Range<usize> {
        self.alias.clone().unwrap_or_else(|| span.clone())
    }

    /// Returns the error for events that the parser does not send. If it did, an error would be better than a panic.
    fn broken(&self) -> YamlError {
        let end = self.source.0.len();
        YamlError::new(end..end, "the YAML parser stopped in the middle of a value")
    }
}

fn scalar(scalar: Scalar, at: Range<usize>) -> Result<Node, YamlError> {
    if !scalar.fits_tag() {
        let tag = scalar.tag.unwrap_or_default();
        return Err(YamlError::new(at, format!("`{}` is not what the tag `{tag}` is for", scalar.text)));
    }
    Ok(Node { value: Value::Scalar(scalar), at })
}

/// Returns the pairs that the value of a `<<` merges in. Pairs that come first win.
fn merged_pairs(node: Node) -> Result<Vec<(Node, Node)>, YamlError> {
    let refuse = |node: &Node| {
        let message = format!("`<<` takes a mapping or a list of mappings, not {}", node.kind_name());
        YamlError::new(node.at.clone(), message)
    };
    match node.value {
        Value::Mapping(pairs) => Ok(pairs),
        Value::Sequence(items) => {
            let mut all = Vec::new();
            for item in items {
                match item.value {
                    Value::Mapping(pairs) => all.extend(pairs),
                    _ => return Err(refuse(&item)),
                }
            }
            Ok(all)
        }
        Value::Scalar(_) => Err(refuse(&node)),
    }
}

/// Refuses other tags on a list or mapping: they would give it a meaning that readers never see.
fn check_tag(tag: Option<&Tag>, own: &str, name: &str, at: &Range<usize>) -> Result<(), YamlError> {
    match tag.map(tag_text) {
        Some(tag) if *tag != *own && *tag != *"!" => {
            Err(YamlError::new(at.clone(), format!("{name} cannot have the tag `{tag}`")))
        }
        _ => Ok(()),
    }
}

/// Returns a tag as written. The parser expands `!!str`.
fn tag_text(tag: &Tag) -> Box<str> {
    let full = format!("{}{}", tag.handle, tag.suffix);
    match full.strip_prefix("tag:yaml.org,2002:") {
        Some(name) => format!("!!{name}").into(),
        None => full.into(),
    }
}
