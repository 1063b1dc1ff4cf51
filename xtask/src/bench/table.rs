//! The rows as people and as programs read them.

use super::machine;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A row as what measures prints it.
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
    Exactly,
}

/// A row of `--json`. What is no time says so in its name.
#[derive(Serialize)]
struct ForPrograms<'a> {
    name: &'a str,
    left_ns: f64,
    right_ns: f64,
    ratio: f64,
    goal: f64,
    met: bool,
}

pub(crate) struct Table {
    json: bool,
    rows: usize,
    missed: usize,
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
        Table { json, rows: 0, missed: 0 }
    }

    pub(crate) fn add(&mut self, row: Row) {
        self.rows += 1;
        self.missed += usize::from(!row.met);
        let Row { name, unit, left, left_p25, right, right_p25, ratio, goal, goal_is, met } = row;
        if self.json {
            let row = ForPrograms { name: &name, left_ns: left, right_ns: right, ratio, goal, met };
            println!("{}", serde_json::to_string(&row).unwrap_or_default());
            return;
        }
        let side = |median, p25| match unit.spell(median) {
            same if median == p25 => same,
            median => format!("{median} ({})", unit.spell(p25)),
        };
        let bound = match goal_is {
            Bound::AtMost => "<=",
            Bound::AtLeast => ">=",
            Bound::Exactly => "=",
        };
        println!(
            "{name:<62} {:>22} {:>22} {:>9} {:>9}  {}",
            side(left, left_p25),
            side(right, right_p25),
            spell_ratio(ratio),
            format!("{bound} {}", spell_ratio(goal)),
            if met { "yes" } else { "NO" }
        );
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rows == 0
    }

    pub(crate) fn end(&self) {
        if !self.json {
            println!("\n{} of {} goals met; load {}", self.rows - self.missed, self.rows, machine::load());
        }
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

/// Small ones as a part of one.
fn spell_ratio(ratio: f64) -> String {
    match ratio {
        0.0 => "0".to_owned(),
        part if part < 0.2 => format!("1/{:.0}", 1.0 / part),
        ratio => format!("{ratio:.2}"),
    }
}
