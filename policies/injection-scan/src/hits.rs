//! The phrases that were found, and what hides them from readers.

use crate::markup::{self, Hidden};
use crate::phrases::{Hit, Phrase};
use crate::report::Report;
use std::collections::BTreeSet;

/// The maximum number of phrases that readers do not see and that are kept per context. Far fewer decide.
const MAX_HITS: usize = 64;
/// The distance, in bytes, within which two texts that no tag separates are inside the same elements.
const SAME: usize = 400;

/// The context of a phrase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Where {
    Plain,
    /// A block or span of code, which people use for quotes.
    Code,
    Comment,
}

#[derive(Debug)]
struct Found {
    hit: Hit,
    place: Where,
    hidden: Option<Hidden>,
}

/// The phrases that were found in a text.
#[derive(Debug, Default)]
pub(crate) struct Hits {
    found: Vec<Found>,
    /// Whether a phrase asks to send secrets, which is a sign only together with others.
    asks_for_secrets: bool,
    /// The last position for which the elements around it were examined, and the result.
    look: Option<(usize, Option<Hidden>)>,
}

impl Hits {
    /// Adds a phrase. A weak phrase counts only where readers do not see it.
    pub(crate) fn add(&mut self, text: &str, hit: Hit, place: Where, is_weak: impl FnOnce() -> bool) {
        if hit.phrase == Phrase::Exfiltrate {
            self.asks_for_secrets = true;
            return;
        }
        let hidden = self.hidden(text, hit.start);
        let is_unseen = place == Where::Comment || hidden.is_some();
        // Of the visible phrases, only the first of each kind is kept, so that they cannot crowd out the others.
        let counts = if is_unseen || hit.is_disguised {
            self.found.iter().filter(|found| found.place == place).count() < MAX_HITS
        } else {
            self.found.iter().all(|found| found.hit.phrase != hit.phrase) && !is_weak()
        };
        if counts {
            self.found.push(Found { hit, place, hidden });
        }
    }

    /// Returns how the elements around a position hide it.
    fn hidden(&mut self, text: &str, at: usize) -> Option<Hidden> {
        if let Some((from, known)) = self.look
            && (from..from + SAME).contains(&at)
            && text.get(from..at).is_some_and(|between| !between.contains(['<', '>']))
        {
            return known;
        }
        let hidden = markup::hidden(text, at);
        self.look = Some((at, hidden));
        hidden
    }

    /// Adds the phrases to a report.
    pub(crate) fn weigh(&self, report: &mut Report) {
        report.support += u32::from(self.asks_for_secrets);
        report.instructs = !self.found.is_empty();
        let mut seen = BTreeSet::new();
        for found in &self.found {
            let (weight, sign) = match found.hit.phrase {
                Phrase::Override | Phrase::Disregard => (4, "the demand to ignore other instructions"),
                Phrase::Secrecy => (3, "the demand to keep something from the user"),
                Phrase::Address => (3, "instructions addressed to an assistant"),
                Phrase::Role => (3, "another role for the assistant"),
                Phrase::Exfiltrate => continue,
            };
            report.visible(if seen.insert(sign) { weight } else { 0 }, sign);
            // Explanations of attacks quote them as code.
            if found.place == Where::Code && report.is_article {
                continue;
            }
            if found.hit.is_disguised {
                report.concealed(5, "disguised letters");
            }
            if found.place == Where::Comment {
                report.concealed(4, "text in a comment");
            }
            match found.hidden {
                Some(Hidden::Style) => report.concealed(5, "text in a hidden element"),
                Some(Hidden::Attribute) => report.concealed(2, "text in an attribute"),
                None => {}
            }
        }
    }
}
