//! The report of the results of the cases, for people and for programs.

use super::super::render::{printable, printable_line, span};
use super::{Row, Status};
use crate::author::Wrote;
use crate::author::cases::Mismatch;
use anstyle::{AnsiColor, Style};
use anyhow::Context;
use hookbox::Code;
use serde::Serialize;
use std::io::Write;
use std::time::Duration;

const BAD: Style = AnsiColor::Red.on_default().bold();
const GOOD: Style = AnsiColor::Green.on_default().bold();
const CHANGED: Style = AnsiColor::Yellow.on_default().bold();
const EXPECTED: Style = AnsiColor::Red.on_default();
const GIVEN: Style = AnsiColor::Green.on_default();
const FRAME: Style = AnsiColor::Blue.on_default().bold();
const BOLD: Style = Style::new().bold();

/// Values up to this length, in characters, are shown whole.
const SHORT: usize = 160;

/// How many characters of a long value are shown before the first difference.
const AROUND: usize = 40;

/// The maximum number of lines shown of a hook's output.
const MAX_WROTE_LINES: usize = 20;

pub(super) struct Report<'r> {
    pub(super) hook: &'r str,
    /// The file of cases, for display.
    pub(super) file: String,
    pub(super) rows: &'r [Row<'r>],
    /// The number of cases that were filtered out.
    pub(super) left_out: usize,
    pub(super) took: Duration,
}

/// One case in the form for programs.
#[derive(Serialize)]
pub(super) struct Line<'r> {
    name: &'r str,
    file: &'r str,
    line: usize,
    status: &'r Status,
    decision: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Code>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'r str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    modified: Option<&'r hookbox::Json>,
    mismatches: Vec<Difference<'r>>,
    notes: &'r [String],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    wrote: Vec<Said<'r>>,
    duration_us: u64,
}

#[derive(Serialize)]
struct Difference<'r> {
    what: &'r str,
    expected: &'r str,
    given: &'r str,
}

#[derive(Serialize)]
struct Said<'r> {
    stream: &'r str,
    text: &'r str,
}

impl Report<'_> {
    pub(super) fn failed(&self) -> usize {
        self.rows.iter().filter(|row| row.status == Status::Failed).count()
    }

    fn updated(&self) -> usize {
        self.rows.iter().filter(|row| matches!(row.status, Status::Updated(_))).count()
    }

    /// Returns one object per case.
    pub(super) fn lines(&self) -> Vec<Line<'_>> {
        self.rows.iter().map(|row| self.line(row)).collect()
    }

    fn line<'r>(&'r self, row: &'r Row<'_>) -> Line<'r> {
        let Row { case, given, mismatches, wrote, took, status } = row;
        let differences =
            mismatches.iter().map(|Mismatch { what, expected, given }| Difference { what, expected, given });
        Line {
            name: &case.name,
            file: &self.file,
            line: case.line,
            status,
            decision: given.decision.as_str(),
            error: given.failure.as_ref().map(|failure| failure.code),
            reason: given.why(),
            modified: given.modified.as_ref(),
            mismatches: differences.collect(),
            notes: &given.notes,
            wrote: wrote.iter().map(|Wrote { stream, text }| Said { stream, text }).collect(),
            duration_us: u64::try_from(took.as_micros()).unwrap_or(u64::MAX),
        }
    }

    /// Prints the cases that failed or were changed, or all of them, with a count of each kind.
    pub(super) fn print(&self, lists_all: bool) -> anyhow::Result<()> {
        let mut text = String::new();
        for row in self.rows {
            let place = format!("{}:{}", self.file, row.case.line);
            let name = printable_line(&row.case.name);
            match &row.status {
                Status::Passed if !lists_all => {}
                Status::Passed => text.push_str(&format!("{GOOD}ok{GOOD:#}      {name}\n")),
                Status::Updated(keys) => {
                    let keys = keys.join(", ");
                    text.push_str(&format!("{CHANGED}updated{CHANGED:#} {name}: {keys} ({place})\n"));
                    text.push_str(&differences(row));
                }
                Status::Failed => {
                    text.push_str(&format!(
                        "{BAD}FAILED{BAD:#}  {BOLD}{name}{BOLD:#}\n  {FRAME}-->{FRAME:#} {place}\n"
                    ));
                    text.push_str(&differences(row));
                    text.push_str(&around(row));
                }
            }
        }
        text.push_str(&self.summary());
        let mut out = anstream::stdout().lock();
        writeln!(out, "{text}").and_then(|()| out.flush()).context("the results could not be printed")
    }

    fn summary(&self) -> String {
        let (failed, updated) = (self.failed(), self.updated());
        let mut parts = vec![format!("{} passed", self.rows.len() - failed - updated)];
        if updated > 0 {
            parts.push(format!("{CHANGED}{updated} updated{CHANGED:#}"));
        }
        let style = if failed > 0 { BAD } else { Style::new() };
        parts.push(format!("{style}{failed} failed{style:#}"));
        if self.left_out > 0 {
            parts.push(format!("{} left out", self.left_out));
        }
        format!("{} in {}", parts.join(", "), span(self.took))
    }
}

/// Returns the expected and actual values, as two lines for each difference.
fn differences(row: &Row<'_>) -> String {
    let mut text = String::new();
    for Mismatch { what, expected, given } in &row.mismatches {
        let what = printable_line(what);
        let (expected, given) = shorten(&printable_line(expected), &printable_line(given));
        text.push_str(&format!("  {EXPECTED}- {what}: {expected}{EXPECTED:#}\n  {GIVEN}+ {what}: {given}{GIVEN:#}\n"));
    }
    if let Some(why) = row.why_otherwise() {
        let (why, _) = shorten(&printable_line(&why), "");
        text.push_str(&format!("  {GIVEN}+ reason: {why}{GIVEN:#}\n"));
    }
    text
}

/// Returns further details of the case: notes, and the hook's output.
fn around(row: &Row<'_>) -> String {
    let mut text = String::new();
    for note in &row.given.notes {
        text.push_str(&format!("  {FRAME}={FRAME:#} {}\n", printable_line(note)));
    }
    for Wrote { stream, text: wrote } in &row.wrote {
        text.push_str(&format!("  {FRAME}={FRAME:#} the hook wrote to {stream}:\n"));
        let lines: Vec<&str> = wrote.trim_end().lines().collect();
        for line in lines.iter().take(MAX_WROTE_LINES) {
            text.push_str(&format!("    {FRAME}|{FRAME:#} {}\n", printable(line)));
        }
        if lines.len() > MAX_WROTE_LINES {
            text.push_str(&format!("    {FRAME}|{FRAME:#} … {} lines more\n", lines.len() - MAX_WROTE_LINES));
        }
    }
    text
}

/// Shortens two values for comparison: most of the beginning that long values share is cut off.
fn shorten(a: &str, b: &str) -> (String, String) {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().max(b.len()) <= SHORT {
        return (a.into_iter().collect(), b.into_iter().collect());
    }
    let same_before = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    let start = same_before.saturating_sub(AROUND);
    let cut = |text: &[char]| {
        let end = text.len().min(start + SHORT);
        let shown: String = text.iter().skip(start).take(SHORT).collect();
        let before = if start > 0 { "…" } else { "" };
        match text.len() - end {
            0 => format!("{before}{shown}"),
            more => format!("{before}{shown}… ({more} characters more)"),
        }
    };
    (cut(&a), cut(&b))
}
