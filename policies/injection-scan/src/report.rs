//! Scores the evidence for an attack.

use std::collections::BTreeSet;

/// The minimum score for notifying the agent.
pub(crate) const LOW: u32 = 2;
/// The minimum score for a text that is surely an attack.
pub(crate) const HIGH: u32 = 6;

/// The danger of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Danger {
    None,
    Low,
    High,
}

/// The findings in a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Report {
    /// The score of the text that a reader sees.
    pub(crate) visible: u32,
    /// The score of the text that only a program sees.
    pub(crate) concealed: u32,
    /// The score of signs that count only together with others.
    pub(crate) support: u32,
    /// The signs, as text.
    pub(crate) signs: BTreeSet<&'static str>,
    /// Whether the text contains instructions.
    pub(crate) instructs: bool,
    /// Whether the text is about attacks.
    pub(crate) is_article: bool,
    /// Whether invisible characters are between others.
    pub(crate) has_gaps: bool,
    /// Whether the text is encoded as in mails and calendars, which break long lines.
    pub(crate) is_encoded: bool,
}

impl Report {
    /// Returns the danger of the text. A text about attacks quotes them, so its visible part alone never makes it an
    /// attack.
    pub(crate) fn danger(&self) -> Danger {
        let primary = self.visible + self.concealed;
        let visible = if primary > 0 { self.visible + self.support } else { 0 };
        let visible = if self.is_article { visible.min(HIGH - 1) } else { visible };
        match visible + self.concealed {
            score if score >= HIGH && (self.concealed > 0 || !self.is_article) => Danger::High,
            score if score >= LOW => Danger::Low,
            _ => Danger::None,
        }
    }

    pub(crate) fn visible(&mut self, weight: u32, sign: &'static str) {
        self.visible += weight;
        self.signs.insert(sign);
    }

    pub(crate) fn concealed(&mut self, weight: u32, sign: &'static str) {
        self.concealed += weight;
        self.signs.insert(sign);
    }
}
