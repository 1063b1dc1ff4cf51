//! Finds secrets in text by their shape, and replaces each with [`MARKER`].
//!
//! The shapes are known ones (a vendor's prefix and length, a connection string, a private key block), so a secret
//! without a known shape is not found. A token is found anywhere, even glued to other text.

mod rules;
#[cfg(test)]
mod secrets_cases;
#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
mod secrets_rules;
#[cfg(test)]
mod secrets_samples;

use std::{
    ops::Range,
    sync::{LazyLock, OnceLock},
};

use aho_corasick::{AhoCorasick, AhoCorasickKind};
use regex::Regex;

use rules::Rule;

/// The replacement for a secret.
pub(crate) const MARKER: &str = "[REDACTED]";

/// The most passes over a text. A replacement can create another match: text with a token in it may fit within another
/// rule's length limit only once the token is gone. So the rules run until none finds anything, which makes a second
/// call a no-op. The bound guards against two rules that feed each other.
const MAX_PASSES: usize = 8;

/// Replaces each secret in the text with [`MARKER`]. `None` if the text holds no secret.
pub(crate) fn redact(text: &str) -> Option<String> {
    let candidates = CATALOGUE.candidates(text);
    let mut redacted: Option<String> = None;
    for _ in 0..MAX_PASSES {
        let mut changed = false;
        for finder in &candidates {
            if let Some(next) = finder.apply(redacted.as_deref().unwrap_or(text)) {
                redacted = Some(next);
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    redacted
}

/// A rule of the catalogue, ready for use.
struct Finder {
    rule: &'static Rule,
    /// The pattern, compiled when a keyword first occurs. The inner `None` means that it does not compile.
    regex: OnceLock<Option<Regex>>,
}

impl Finder {
    /// Returns the text without this rule's secrets, or `None` if it holds none of them.
    fn apply(&self, text: &str) -> Option<String> {
        let regex = self.regex()?;
        let mut clean = String::new();
        let mut copied = 0;
        for found in regex.captures_iter(text) {
            let Some(secret) = found.name("secret").or_else(|| found.get(0)) else { continue };
            let word = self.rule.needs_digit && !secret.as_str().contains(|c: char| c.is_ascii_digit());
            if word || secret.is_empty() || in_marker(text, secret.range()) {
                continue;
            }
            clean.push_str(text.get(copied..secret.start()).unwrap_or_default());
            clean.push_str(MARKER);
            copied = secret.end();
        }
        if copied == 0 {
            return None;
        }
        clean.push_str(text.get(copied..).unwrap_or_default());
        tracing::debug!(rule = self.rule.name, "secret redacted");
        Some(clean)
    }

    fn regex(&self) -> Option<&Regex> {
        let compile = || match Regex::new(self.rule.pattern) {
            Ok(regex) => Some(regex),
            Err(error) => {
                tracing::error!(rule = self.rule.name, %error, "a secret rule does not compile and is skipped");
                None
            }
        };
        self.regex.get_or_init(compile).as_ref()
    }
}

/// Whether the span is all or part of a marker. Password rules accept nearly any character, so they match markers too.
fn in_marker(text: &str, span: Range<usize>) -> bool {
    let earliest = (span.start + 1).saturating_sub(MARKER.len());
    (earliest..=span.start).any(|start| {
        let end = start + MARKER.len();
        span.end <= end && text.as_bytes().get(start..end) == Some(MARKER.as_bytes())
    })
}

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(Catalogue::new);

/// All rules, and one automaton that finds the keywords of all of them in a single pass.
struct Catalogue {
    finders: Vec<Finder>,
    /// For each keyword of the automaton: the index of its finder, and the keyword itself if its case matters.
    keywords: Vec<(usize, Option<&'static str>)>,
    /// `None` if it could not be built. Then every rule runs on every text.
    automaton: Option<AhoCorasick>,
}

impl Catalogue {
    fn new() -> Self {
        let finders: Vec<Finder> = rules::all().map(|rule| Finder { rule, regex: OnceLock::new() }).collect();
        let mut keywords = Vec::new();
        let mut words = Vec::new();
        for (place, finder) in finders.iter().enumerate() {
            for &word in finder.rule.keywords {
                keywords.push((place, word.contains(|c: char| c.is_ascii_uppercase()).then_some(word)));
                words.push(word);
            }
        }
        // Every text goes through the automaton, so the fastest kind is worth its memory.
        let automaton =
            AhoCorasick::builder().ascii_case_insensitive(true).kind(Some(AhoCorasickKind::DFA)).build(words).ok();
        Self { finders, keywords, automaton }
    }

    /// Returns the rules with a keyword in the text, in catalogue order.
    fn candidates(&self, text: &str) -> Vec<&Finder> {
        let Some(hits) = self.automaton.as_ref().and_then(|words| words.try_find_overlapping_iter(text).ok()) else {
            return self.finders.iter().collect();
        };
        let mut wanted = vec![false; self.finders.len()];
        for hit in hits {
            let Some(&(place, exact)) = self.keywords.get(hit.pattern().as_usize()) else { continue };
            if exact.is_none_or(|word| text.get(hit.range()) == Some(word))
                && let Some(wanted) = wanted.get_mut(place)
            {
                *wanted = true;
            }
        }
        self.finders.iter().zip(wanted).filter_map(|(finder, wanted)| wanted.then_some(finder)).collect()
    }
}
