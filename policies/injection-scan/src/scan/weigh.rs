//! Weighs what was found in a text.

use super::Scanner;
use crate::lexicon::class::{ADDRESSEE, BRAND, USER};
use crate::report::{HIGH, Report};
use crate::turns::{has_call, has_messages};
use crate::urls::is_sensitive;

impl Scanner<'_, '_> {
    /// Returns the report, after the last character.
    pub(super) fn report(self) -> Report {
        let mut report = Report {
            is_article: self.articles.0.count_ones() >= 3,
            has_gaps: self.has_gaps,
            is_encoded: self.is_encoded,
            ..Report::default()
        };
        self.hits.weigh(&mut report);
        match self.marks.count_ones() {
            0 => {}
            1 => report.visible(2, "marks of a chat template or a tool call"),
            _ => report.visible(3, "marks of a chat template or a tool call"),
        }
        if self.turns.are_both() || has_messages(self.text) {
            report.visible(2, "lines that look like the turns of a conversation");
        }
        if has_call(self.text) {
            report.visible(2, "marks of a chat template or a tool call");
        }
        // The place of a key is filled in by the reader of a documentation, unless the text tells whose key it wants.
        let wants_key = report.instructs || report.support > 0 || self.classes & (USER | ADDRESSEE | BRAND) != 0;
        // A chart's URL has places for times and sizes, unless the text tells to put something else there.
        let wants_more = self.measures + self.fields > 0 && (report.instructs || is_sensitive(self.text));
        let images = self.images + if wants_key { self.keys } else { 0 };
        let images = images + if wants_more { self.measures } else { 0 };
        let images = images + if wants_more || wants_key { self.fields } else { 0 };
        if images > 0 || self.has_reference && self.definitions > 0 {
            report.visible(4, "an image whose URL would take data along");
        }
        if self.links > 0 {
            report.visible(3, "a link whose URL would take data along");
        }
        if self.tags.chars().count() >= 3 {
            report.concealed(HIGH, "invisible characters that spell a text");
        }
        if self.longest_run >= 8 {
            report.concealed(HIGH, "a long run of invisible characters");
        }
        if self.splits >= 12 {
            report.concealed(3, "invisible characters inside of words");
        }
        // A text that is written from right to left needs some of these, but hardly ever an override.
        if self.overrides > 0 || self.directions > 4 * self.right_to_left {
            report.concealed(3, "characters that turn the direction of the text");
        }
        let [_, conceals, overwrites, other] = self.effects;
        if conceals > 0 {
            report.concealed(4, "terminal escapes that hide text");
        }
        if overwrites + other > 0 {
            report.concealed(2, "terminal escapes");
        }
        report
    }
}
