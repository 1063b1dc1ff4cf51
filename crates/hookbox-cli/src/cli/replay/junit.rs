//! The results as JUnit XML, which CI systems read.

use super::compare::{Ending, Replayed};
use super::report::Report;
use hookbox::visible;
use quick_junit::{NonSuccessKind, TestCase, TestCaseStatus, TestSuite};

/// Returns the results as JUnit XML.
///
/// # Errors
/// Returns an error if a text cannot be written as XML.
pub(super) fn xml(report: &Report<'_, '_>, rows: &[Replayed<'_>]) -> Result<String, quick_junit::SerializeError> {
    let mut suite = TestSuite::new("hookbox replay");
    suite.set_time(report.took()).add_test_cases(rows.iter().map(case));
    let mut junit = quick_junit::Report::unnamed();
    junit.set_time(report.took()).add_test_suite(suite);
    junit.to_string()
}

fn case(row: &Replayed<'_>) -> TestCase {
    let name = format!("{} {} {}", row.time, row.tool.unwrap_or(row.event), row.id);
    let mut case = TestCase::new(visible(&name), status(row));
    case.set_classname(visible(row.event).into_owned());
    case
}

fn status(row: &Replayed<'_>) -> TestCaseStatus {
    match &row.ending {
        Ending::Same => TestCaseStatus::success(),
        Ending::Otherwise { looser: false, .. } => TestCaseStatus::success(),
        Ending::Otherwise { now, reason, .. } => {
            let mut failed = TestCaseStatus::non_success(NonSuccessKind::Failure);
            let why = reason.as_deref().map(visible).unwrap_or_default();
            failed.set_message(format!("was {}, would be {now}", row.was)).set_description(why);
            failed
        }
        Ending::Unknown { why } => skipped(why),
        Ending::FailedThen { code } => skipped(&format!("failed then: {code}")),
        Ending::LeftOut { why } => skipped(why),
    }
}

fn skipped(why: &str) -> TestCaseStatus {
    let mut skipped = TestCaseStatus::skipped();
    skipped.set_message(visible(why));
    skipped
}
