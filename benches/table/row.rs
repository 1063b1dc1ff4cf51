//! One row of the table, and how the figures of its two sides are measured.

use serde::Serialize;

/// The number of rounds that are not counted, because the first calls do work that later calls reuse.
const WARM_UP: usize = 5;

/// The summary of many measurements.
#[derive(Clone, Copy)]
pub(crate) struct Figure {
    median: f64,
    p25: f64,
}

impl Figure {
    pub(crate) fn of(mut samples: Vec<f64>) -> Self {
        samples.sort_unstable_by(f64::total_cmp);
        Figure { median: samples[samples.len() / 2], p25: samples[samples.len() / 4] }
    }

    #[allow(dead_code, reason = "not every program that measures needs it")]
    pub(crate) const fn median(&self) -> f64 {
        self.median
    }

    /// Makes a figure that is always the same.
    #[allow(dead_code, reason = "not every program that measures needs it")]
    pub(crate) const fn exactly(figure: f64) -> Self {
        Figure { median: figure, p25: figure }
    }
}

/// Measures both sides alternately, so that they are exposed to the same noise.
pub(crate) fn in_turns(rounds: usize, mut sides: [&mut dyn FnMut() -> f64; 2]) -> [Figure; 2] {
    let mut samples = [Vec::new(), Vec::new()];
    for round in 0..WARM_UP + rounds {
        for (side, samples) in sides.iter_mut().zip(&mut samples) {
            let sample = side();
            if round >= WARM_UP {
                samples.push(sample);
            }
        }
    }
    samples.map(Figure::of)
}

/// The unit of a row's figures.
#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Unit {
    Nanoseconds,
    #[allow(dead_code, reason = "not every program that measures needs it")]
    Count,
    #[allow(dead_code, reason = "not every program that measures needs it")]
    Bytes,
}

/// The goal for the ratio.
#[derive(Clone, Copy)]
pub(crate) enum Goal {
    AtMost(f64),
    #[allow(dead_code, reason = "not every program that measures needs it")]
    AtLeast(f64),
}

/// A row as it is sent to `cargo xtask bench`, which prints it.
#[derive(Serialize)]
struct Row<'a> {
    name: &'a str,
    unit: Unit,
    left: f64,
    left_p25: f64,
    right: f64,
    right_p25: f64,
    ratio: f64,
    goal: f64,
    goal_is: &'static str,
    met: bool,
}

/// A row that could not be measured, and why. It counts as a missed goal.
#[derive(Serialize)]
struct Missing<'a> {
    name: &'a str,
    missing: &'a str,
}

/// Prints that a row could not be measured.
#[allow(dead_code, reason = "not every program that measures needs it")]
pub(crate) fn print_missing(name: &str, why: &str) {
    println!("{}", serde_json::to_string(&Missing { name, missing: why }).unwrap());
}

/// Prints a row. If the right side is zero, the ratio is the left figure itself.
pub(crate) fn print(name: &str, unit: Unit, [left, right]: [Figure; 2], goal: Goal) {
    let ratio = if right.median == 0.0 { left.median } else { left.median / right.median };
    let (goal, goal_is, met) = match goal {
        Goal::AtMost(goal) => (goal, "at_most", ratio <= goal),
        Goal::AtLeast(goal) => (goal, "at_least", ratio >= goal),
    };
    let row = Row {
        name,
        unit,
        left: left.median,
        left_p25: left.p25,
        right: right.median,
        right_p25: right.p25,
        ratio,
        goal,
        goal_is,
        met,
    };
    println!("{}", serde_json::to_string(&row).unwrap());
}
