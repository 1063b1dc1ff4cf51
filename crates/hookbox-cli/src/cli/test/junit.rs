//! The results as JUnit XML, which CI systems read.

use super::report::Report;
use super::{Row, Status};
use crate::author::cases::Mismatch;
use std::fmt::Write;
use std::time::Duration;

pub(super) fn xml(report: &Report<'_>) -> String {
    let (tests, failures, time) = (report.rows.len(), report.failed(), seconds(report.took));
    let hook = escape(report.hook);
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <testsuites tests=\"{tests}\" failures=\"{failures}\" time=\"{time}\">\n\
         <testsuite name=\"{hook}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" time=\"{time}\">\n"
    );
    for row in report.rows {
        // Writing to a string never fails.
        let _ = writeln!(
            out,
            "<testcase classname=\"{hook}\" name=\"{}\" file=\"{}\" line=\"{}\" time=\"{}\">{}</testcase>",
            escape(&row.case.name),
            escape(&report.file),
            row.case.line,
            seconds(row.took),
            inside(row)
        );
    }
    out.push_str("</testsuite>\n</testsuites>\n");
    out
}

fn inside(row: &Row<'_>) -> String {
    let mut out = String::new();
    if row.status == Status::Failed {
        let lines: Vec<String> = row
            .mismatches
            .iter()
            .map(|Mismatch { what, expected, given }| format!("{what}: expected {expected}, got {given}"))
            .chain(row.why_otherwise().map(|why| format!("reason: {why}")))
            .chain(row.given.notes.iter().cloned())
            .collect();
        let first = lines.first().map(String::as_str).unwrap_or_default();
        let _ = write!(out, "<failure message=\"{}\">{}</failure>", escape(first), escape(&lines.join("\n")));
    }
    // A script's console output is not an error.
    for (element, is_error) in [("system-out", false), ("system-err", true)] {
        let wanted = row.wrote.iter().filter(|wrote| (wrote.stream == "stderr") == is_error);
        let wrote: String = wanted.map(|wrote| wrote.text.as_str()).collect();
        if !wrote.is_empty() {
            let _ = write!(out, "<{element}>{}</{element}>", escape(&wrote));
        }
    }
    out
}

fn seconds(time: Duration) -> String {
    format!("{:.6}", time.as_secs_f64())
}

/// Escapes a text for XML, including attribute values. Characters that XML 1.0 cannot represent become U+FFFD.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // Unescaped, they would become blanks inside an attribute.
            '\t' => out.push_str("&#9;"),
            '\n' => out.push_str("&#10;"),
            '\r' => out.push_str("&#13;"),
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}
