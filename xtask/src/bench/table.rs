//! The rows of the table, printed for people or for programs.

use super::machine;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A line of a measuring program's output.
#[derive(Deserialize)]
#[serde(untagged)]
pub(crate) enum Line {
    /// A measured row.
    Row(Row),
    /// A row that could not be measured, and why.
    Missing {
        /// The name of the row.
        name: String,
        /// The reason why it could not be measured.
        missing: String,
    },
}

/// A row as printed by a measuring program.
#[derive(Deserialize)]
pub(crate) struct Row {
    name: String,
    unit: Unit,
    left: f64,
    left_p25: f64,
    right: f64,
    right_p25: f64,
    ratio: f64,
    goal: f64,
    goal_is: Bound,
    met: bool,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Unit {
    Nanoseconds,
    Count,
    Bytes,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Bound {
    AtMost,
    AtLeast,
}

/// A row of `--json`. The unit of a figure that is not a time is given in the row's name.
#[derive(Serialize)]
struct ForPrograms<'a> {
    name: &'a str,
    left_ns: f64,
    right_ns: f64,
    ratio: f64,
    goal: f64,
    met: bool,
}

/// A row of `--json` that could not be measured.
#[derive(Serialize)]
struct MissingForPrograms<'a> {
    name: &'a str,
    missing: &'a str,
    met: bool,
}

pub(crate) struct Table {
    json: bool,
    rows: usize,
    missed: usize,
    /// The rows as Markdown for the docs.
    markdown: String,
}

impl Table {
    pub(crate) fn begin(json: bool) -> Self {
        if !json {
            println!("{}; load {}\n", machine::kind(), machine::load());
            println!(
                "{:<62} {:>22} {:>22} {:>9} {:>9}  met",
                "left / right", "left, median (p25)", "right, median (p25)", "ratio", "goal"
            );
        }
        Table { json, rows: 0, missed: 0, markdown: String::new() }
    }

    pub(crate) fn add(&mut self, line: Line) {
        self.rows += 1;
        match line {
            Line::Row(row) => self.add_row(row),
            Line::Missing { name, missing } => self.add_missing(&name, &missing),
        }
    }

    fn add_missing(&mut self, name: &str, why: &str) {
        self.missed += 1;
        self.markdown.push_str(&format!("| {name} | not measured: {why} | | | | **no** |\n"));
        if self.json {
            let row = MissingForPrograms { name, missing: why, met: false };
            println!("{}", serde_json::to_string(&row).unwrap_or_default());
        } else {
            println!("{name:<62} not measured: {why}  NO");
        }
    }

    fn add_row(&mut self, row: Row) {
        self.missed += usize::from(!row.met);
        let Row { name, unit, left, left_p25, right, right_p25, ratio, goal, goal_is, met } = row;
        let side = |median, p25| match unit.spell(median) {
            same if median == p25 => same,
            median => format!("{median} ({})", unit.spell(p25)),
        };
        let (left_side, right_side) = (side(left, left_p25), side(right, right_p25));
        let (words, bound) = match goal_is {
            Bound::AtMost => ("at most", "<="),
            Bound::AtLeast => ("at least", ">="),
        };
        let (is, wanted) = (spell_ratio(ratio), spell_ratio(goal));
        let told = if met { "yes" } else { "**no**" };
        self.markdown
            .push_str(&format!("| {name} | {left_side} | {right_side} | {is} | {words} {wanted} | {told} |\n"));
        if self.json {
            let row = ForPrograms { name: &name, left_ns: left, right_ns: right, ratio, goal, met };
            println!("{}", serde_json::to_string(&row).unwrap_or_default());
            return;
        }
        let met = if met { "yes" } else { "NO" };
        println!("{name:<62} {left_side:>22} {right_side:>22} {is:>9} {:>9}  {met}", format!("{bound} {wanted}"));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// Ends the table. Returns the number of missed goals, including rows that could not be measured.
    pub(crate) fn end(&self) -> usize {
        if !self.json {
            println!("\n{} of {} goals met; load {}", self.rows - self.missed, self.rows, machine::load());
        }
        self.missed
    }

    /// Returns all rows in Markdown, with the machine that they were measured on.
    pub(crate) fn markdown(&self, versions: &str) -> String {
        format!(
            "Measured on {}: {versions}; {} of {} goals met:\n\n\
             | left / right | left, median (p25) | right, median (p25) | ratio | goal | met |\n|---|---|---|---|---|---|\n{}",
            machine::kind(),
            self.rows - self.missed,
            self.rows,
            self.markdown
        )
    }
}

impl Unit {
    fn spell(self, figure: f64) -> String {
        match self {
            Unit::Nanoseconds if figure < 1e3 => format!("{figure:.1}ns"),
            Unit::Nanoseconds => format!("{:.2?}", Duration::from_nanos(figure as u64)),
            Unit::Count if figure < 1e2 => format!("{figure:.2}"),
            Unit::Count => format!("{figure:.0}"),
            Unit::Bytes => format!("{:.1} MB", figure / 1e6),
        }
    }
}

/// Spells small ratios as fractions of one.
fn spell_ratio(ratio: f64) -> String {
    match ratio {
        0.0 => "0".to_owned(),
        part if part < 0.2 => format!("1/{:.0}", 1.0 / part),
        ratio => format!("{ratio:.2}"),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

    use super::{Line, Table};

    fn row(name: &str, ratio: f64, met: bool) -> Line {
        let row = serde_json::json!({
            "name": name, "unit": "nanoseconds", "left": ratio * 1e6, "left_p25": ratio * 1e6, "right": 1e6,
            "right_p25": 9e5, "ratio": ratio, "goal": 0.5, "goal_is": "at_most", "met": met,
        });
        serde_json::from_value(row).unwrap()
    }

    #[test]
    fn a_row_that_was_not_measured_counts_as_missed() {
        let mut table = Table::begin(true);
        table.add(row("fast / slow", 0.25, true));
        table.add(row("slow / slow", 1.0, false));
        table.add(serde_json::from_str(r#"{"name":"a / b","missing":"`strace` is not installed"}"#).unwrap());
        assert_eq!(table.end(), 2);
        let markdown = table.markdown("Rust 1");
        assert!(markdown.contains(": Rust 1; 1 of 3 goals met:\n"), "{markdown}");
        for line in [
            "| fast / slow | 250.00µs | 1.00ms (900.00µs) | 0.25 | at most 0.50 | yes |\n",
            "| slow / slow | 1.00ms | 1.00ms (900.00µs) | 1.00 | at most 0.50 | **no** |\n",
            "| a / b | not measured: `strace` is not installed | | | | **no** |\n",
        ] {
            assert!(markdown.contains(line), "{line}{markdown}");
        }
    }

    #[test]
    fn what_is_no_row_is_an_error() {
        for text in ["{}", r#"{"name":"a"}"#, r#"{"name":"a","ratio":1}"#] {
            assert!(serde_json::from_str::<Line>(text).is_err(), "{text}");
        }
    }
}
