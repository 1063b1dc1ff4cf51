//! The results as JUnit XML, which CI systems read.

use super::report::Report;
use super::{Row, Status};
use crate::author::cases::Mismatch;
use hookbox::visible;
use quick_junit::{NonSuccessKind, TestCase, TestCaseStatus, TestSuite};

/// Returns the results as JUnit XML.
///
/// # Errors
/// Returns an error if a text cannot be written as XML.
pub(super) fn xml(report: &Report<'_>) -> Result<String, quick_junit::SerializeError> {
    let mut suite = TestSuite::new(report.hook);
    suite.set_time(report.took).add_test_cases(report.rows.iter().map(|row| case(report, row)));
    let mut junit = quick_junit::Report::unnamed();
    junit.set_time(report.took).add_test_suite(suite);
    junit.to_string()
}

fn case(report: &Report<'_>, row: &Row<'_>) -> TestCase {
    // XML cannot represent all control characters.
    let mut case = TestCase::new(visible(&row.case.name), status(row));
    case.set_classname(report.hook).set_time(row.took);
    let line = row.case.line.to_string();
    case.extra.extend([("file".into(), report.file.as_str().into()), ("line".into(), line.into())]);
    let wrote = |is_error: bool| -> String {
        // Only stderr counts as an error: a script's console output does not.
        let wanted = row.wrote.iter().filter(|wrote| (wrote.stream == "stderr") == is_error);
        wanted.map(|wrote| visible(&wrote.text)).collect()
    };
    let (out, err) = (wrote(false), wrote(true));
    if !out.is_empty() {
        case.set_system_out(out);
    }
    if !err.is_empty() {
        case.set_system_err(err);
    }
    case
}

fn status(row: &Row<'_>) -> TestCaseStatus {
    if row.status != Status::Failed {
        return TestCaseStatus::success();
    }
    let lines: Vec<String> = row
        .mismatches
        .iter()
        .map(|Mismatch { what, expected, given }| format!("{what}: expected {expected}, got {given}"))
        .chain(row.why_otherwise().map(|why| format!("reason: {why}")))
        .chain(row.given.notes.iter().cloned())
        .collect();
    let mut failed = TestCaseStatus::non_success(NonSuccessKind::Failure);
    failed.set_message(lines.first().map(String::as_str).unwrap_or_default()).set_description(lines.join("\n"));
    failed
}
