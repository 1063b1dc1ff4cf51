//! Finds secrets in texts.
//!
//! What a secret is, tables say: tokens of providers by their shape ([`Finder::find`] reports them by kind), private keys,
//! passwords in URLs and headers, and values that are secrets by their name and look as if they were drawn by lot. A text
//! is read once, from its beginning to its end, and what is looked at twice is bounded, so the time grows with the length
//! alone, whatever the text.

mod aws;
mod blocks;
mod cut;
mod dump;
mod encoded;
mod flags;
mod infix;
mod lists;
mod measure;
mod named;
mod pattern;
mod pem;
mod redact;
mod rules;
mod scan;
mod set;
mod shape;
mod url;
mod view;

use pattern::Pattern;
pub use redact::Redaction;
use scan::{Scan, Sure};
use std::borrow::Cow;
use std::collections::BTreeMap;
use view::View;

/// A secret in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What it is, such as `github-token`.
    pub kind: Cow<'static, str>,
    /// Where it begins, in bytes.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// Whether it is known by its own shape, and not only by what it is called.
    pub is_sure: bool,
    /// Findings with the same number are parts of one secret.
    pub group: Option<usize>,
}

/// What is looked for besides the known secrets, and what is left alone.
#[derive(Clone, Debug, Default)]
pub struct Finder {
    patterns: Vec<Pattern>,
    allow: Vec<Vec<u8>>,
}

impl Finder {
    /// A finder with patterns of its own, by kind, and values that are no secrets, in which `*` stands for any
    /// characters.
    ///
    /// # Errors
    /// A pattern cannot be read.
    pub fn new(patterns: &BTreeMap<String, String>, allow: &[String]) -> Result<Self, String> {
        let patterns = patterns.iter().map(|(kind, text)| Pattern::new(kind, text)).collect::<Result<_, _>>()?;
        Ok(Finder { patterns, allow: allow.iter().map(|value| value.clone().into_bytes()).collect() })
    }

    /// The secrets of a text, by place, each apart from the others.
    #[must_use]
    pub fn find(&self, text: &str) -> Vec<Finding> {
        let view = View::new(text);
        let mut found: Vec<(Sure, Finding)> = Vec::new();
        for hit in Scan::new(&view.bytes, false).run() {
            let value = view.bytes.get(hit.place.clone()).unwrap_or_default();
            if !self.allows(value) {
                let place = view.place(hit.place);
                let is_sure = hit.sure == Sure::Shape;
                let kind = Cow::Borrowed(hit.kind);
                found.push((hit.sure, Finding { kind, start: place.start, end: place.end, is_sure, group: hit.group }));
            }
        }
        found.extend(self.across(&view));
        found.extend(dump::find(&view.bytes).into_iter().map(|dump| {
            let place = view.place(dump.place);
            let kind = Cow::Borrowed(dump.kind);
            (Sure::Place, Finding { kind, start: place.start, end: place.end, is_sure: false, group: None })
        }));
        for pattern in &self.patterns {
            for place in pattern.find(&view.bytes) {
                if !self.allows(view.bytes.get(place.clone()).unwrap_or_default()) {
                    let place = view.place(place);
                    let kind = Cow::Owned(pattern.kind.clone());
                    found.push((
                        Sure::Shape,
                        Finding { kind, start: place.start, end: place.end, is_sure: true, group: None },
                    ));
                }
            }
        }
        for (_, finding) in &mut found {
            finding.start = text.floor_char_boundary(finding.start);
            finding.end = text.ceil_char_boundary(finding.end);
        }
        apart(found)
    }

    /// The tokens and keys that are split over parts of an answer.
    fn across(&self, view: &View<'_>) -> Vec<(Sure, Finding)> {
        let Some(joined) = View::joined(&view.bytes) else {
            return Vec::new();
        };
        let hits = Scan::new(&joined.bytes, false).run();
        let hits = hits.into_iter().filter(|hit| hit.sure == Sure::Shape);
        let split = hits.filter_map(|hit| {
            let place = joined.place(hit.place.clone());
            // Others are found without this.
            let is_split = place.len() > hit.place.len();
            let is_allowed = || self.allows(joined.bytes.get(hit.place.clone()).unwrap_or_default());
            (is_split && !is_allowed()).then(|| {
                let place = view.place(place);
                let kind = Cow::Borrowed(hit.kind);
                (Sure::Shape, Finding { kind, start: place.start, end: place.end, is_sure: true, group: None })
            })
        });
        split.collect()
    }

    fn allows(&self, value: &[u8]) -> bool {
        self.allow.iter().any(|pattern| matches(pattern, value))
    }
}

/// Whether a variable with this name holds a secret.
#[must_use]
pub fn is_secret_name(name: &str) -> bool {
    named::is_secret_name(name.as_bytes())
}

/// One finding for all that overlap, of the surest kind.
fn apart(mut found: Vec<(Sure, Finding)>) -> Vec<Finding> {
    found.sort_by_key(|(_, finding)| finding.start);
    let mut joined: Vec<(Sure, Finding)> = Vec::with_capacity(found.len());
    for (sure, finding) in found {
        match joined.last_mut() {
            Some((last_sure, last)) if finding.start < last.end => {
                last.end = last.end.max(finding.end);
                if sure < *last_sure {
                    *last_sure = sure;
                    last.kind = finding.kind;
                    last.is_sure = finding.is_sure;
                    last.group = finding.group;
                }
            }
            _ => joined.push((sure, finding)),
        }
    }
    joined.into_iter().map(|(_, finding)| finding).collect()
}

/// Whether a value is what a pattern says, in which `*` stands for any characters.
fn matches(pattern: &[u8], value: &[u8]) -> bool {
    let mut pieces = pattern.split(|byte| *byte == b'*');
    let Some(mut rest) = pieces.next().and_then(|first| value.strip_prefix(first)) else {
        return false;
    };
    let pieces: Vec<&[u8]> = pieces.collect();
    let Some((last, middle)) = pieces.split_last() else {
        return rest.is_empty();
    };
    for piece in middle.iter().filter(|piece| !piece.is_empty()) {
        match rest.windows(piece.len()).position(|part| part == *piece) {
            Some(at) => rest = rest.get(at + piece.len()..).unwrap_or_default(),
            None => return false,
        }
    }
    rest.ends_with(last)
}
