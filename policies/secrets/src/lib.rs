//! Finds secrets in texts.
//!
//! Tables define the secrets: tokens of providers by their shape ([`Finder::find`] reports them by kind), private keys,
//! passwords in URLs and headers, and values that look random and whose name says that they are secrets. A text is read
//! once, from beginning to end, and the amount that is examined twice is bounded. Therefore the time depends only on
//! the length of the text, not on its content.

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
    /// The kind of the secret, such as `github-token`.
    pub kind: Cow<'static, str>,
    /// The start of the secret, in bytes.
    pub start: usize,
    /// The end of the secret, in bytes.
    pub end: usize,
    /// Whether the secret is recognized by its own shape, and not only by its name.
    pub is_sure: bool,
    /// The number of the secret that this is a part of, if it has several parts.
    pub group: Option<usize>,
}

/// The patterns that are searched for besides the known secrets, and the values that are ignored.
#[derive(Clone, Debug, Default)]
pub struct Finder {
    patterns: Vec<Pattern>,
    allow: Vec<Vec<u8>>,
}

impl Finder {
    /// Creates a finder with additional patterns, by kind, and with values that are not secrets, in which `*` matches
    /// any characters.
    ///
    /// # Errors
    /// Returns an error if a pattern is invalid.
    pub fn new(patterns: &BTreeMap<String, String>, allow: &[String]) -> Result<Self, String> {
        let patterns = patterns.iter().map(|(kind, text)| Pattern::new(kind, text)).collect::<Result<_, _>>()?;
        Ok(Finder { patterns, allow: allow.iter().map(|value| value.clone().into_bytes()).collect() })
    }

    /// Returns the secrets in a text, ordered by position and without overlaps.
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

    /// Finds tokens and keys that are split across parts of an answer.
    fn across(&self, view: &View<'_>) -> Vec<(Sure, Finding)> {
        let Some(joined) = View::joined(&view.bytes) else {
            return Vec::new();
        };
        let hits = Scan::new(&joined.bytes, false).run();
        let hits = hits.into_iter().filter(|hit| hit.sure == Sure::Shape);
        let split = hits.filter_map(|hit| {
            let place = joined.place(hit.place.clone());
            // Secrets in a single part are found without this.
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

/// Whether a variable with this name contains a secret.
#[must_use]
pub fn is_secret_name(name: &str) -> bool {
    named::is_secret_name(name.as_bytes())
}

/// Merges overlapping findings into one of the surest kind.
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

/// Whether a value matches a pattern in which `*` matches any characters.
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
