//! The result of a replay.

use super::super::list::align;
use super::super::log::short_id;
use super::super::print_line;
use super::super::render::{printable_line, span};
use super::compare::{Ending, Replayed};
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::Duration;

/// The counts, and each event that ends otherwise or cannot be judged.
#[derive(Debug, Serialize)]
pub(super) struct Report<'r, 'l> {
    events: usize,
    same: usize,
    looser: usize,
    otherwise: usize,
    unknown: usize,
    failed_then: usize,
    left_out: BTreeMap<&'r str, usize>,
    /// The digest of the config that was asked.
    config: &'r str,
    us: u64,
    differences: Vec<&'r Replayed<'l>>,
    not_judged: Vec<&'r Replayed<'l>>,
}

impl<'r, 'l> Report<'r, 'l> {
    pub(super) fn new(rows: &'r [Replayed<'l>], config: &'r str, took: Duration) -> Self {
        let mut report = Report {
            events: rows.len(),
            same: 0,
            looser: 0,
            otherwise: 0,
            unknown: 0,
            failed_then: 0,
            left_out: BTreeMap::new(),
            config,
            us: u64::try_from(took.as_micros()).unwrap_or(u64::MAX),
            differences: Vec::new(),
            not_judged: Vec::new(),
        };
        for row in rows {
            match &row.ending {
                Ending::Same => report.same += 1,
                Ending::Otherwise { looser, .. } => {
                    report.otherwise += 1;
                    report.looser += usize::from(*looser);
                    report.differences.push(row);
                }
                Ending::Unknown { .. } => {
                    report.unknown += 1;
                    report.not_judged.push(row);
                }
                Ending::FailedThen { .. } => report.failed_then += 1,
                Ending::LeftOut { why } => *report.left_out.entry(why).or_default() += 1,
            }
        }
        report
    }

    /// Returns how many events could be compared.
    pub(super) const fn compared(&self) -> usize {
        self.same + self.otherwise
    }

    /// Whether something that was denied or asked about would pass.
    pub(super) const fn is_looser(&self) -> bool {
        self.looser > 0
    }

    pub(super) const fn has_unknown(&self) -> bool {
        self.unknown > 0
    }

    pub(super) const fn took(&self) -> Duration {
        Duration::from_micros(self.us)
    }

    pub(super) fn print(&self) {
        print_line(&format!("{} events, asked anew in {}", self.events, span(self.took())));
        let mut counts = vec![
            ("same", self.same),
            ("otherwise", self.otherwise),
            ("  of these, less is stopped", self.looser),
            ("cannot be judged", self.unknown),
            ("failed then", self.failed_then),
        ];
        counts.extend(self.left_out.iter().map(|(why, count)| (*why, *count)));
        let rows: Vec<Vec<String>> =
            counts.iter().map(|(what, count)| vec![format!("  {what}"), count.to_string()]).collect();
        print_line(&align(&rows));
        self.print_rows("Decided otherwise:", &self.differences);
        self.print_rows("Cannot be judged:", &self.not_judged);
    }

    fn print_rows(&self, title: &str, rows: &[&Replayed<'_>]) {
        if rows.is_empty() {
            return;
        }
        print_line("");
        print_line(title);
        let head = ["TIME", "ID", "EVENT", "TOOL", "WAS", "NOW", "BY", "WHY"].map(str::to_owned).to_vec();
        let body = rows.iter().map(|row| {
            let (now, by, why) = match &row.ending {
                Ending::Otherwise { now, by, reason, .. } => (now.as_str(), by.as_deref(), reason.as_deref()),
                Ending::Unknown { why } => ("?", None, Some(why.as_str())),
                _ => ("", None, None),
            };
            let cells = [row.time, short_id(row.id), row.event, row.tool.unwrap_or("-"), row.was, now];
            let mut cells: Vec<String> = cells.iter().map(|cell| printable_line(cell)).collect();
            cells.extend([by.unwrap_or("-"), why.unwrap_or_default()].map(printable_line));
            cells
        });
        print_line(&align(&[vec![head], body.collect()].concat()));
    }
}
