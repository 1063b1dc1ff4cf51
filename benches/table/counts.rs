//! What the system does for a warm call, counted: these figures know no noise.

use crate::ask::{Asker, INPUT, hook, rule, sandbox};
use crate::child;
use crate::proc;
use crate::row::{Figure, Goal, Unit, print};
use std::process::Command;

pub(crate) const SYSTEM_CALLS: &str = "system calls of a warm call / limit";
pub(crate) const FAULTS: &str = "page faults of a warm call / limit";

const CALLS: u32 = 10_000;
const WARM_UP: u32 = 1_000;

/// Counted in a process of its own, whose calls are all made by one thread.
pub(crate) fn system_calls() {
    let count = |calls: u32| {
        let log = tempfile::NamedTempFile::new().unwrap();
        let mut strace = Command::new("strace");
        strace.arg("-c").arg("-o").arg(log.path()).arg(std::env::current_exe().unwrap());
        let output = strace.args(["--child", "calls", &calls.to_string()]).output().ok()?;
        let summary = std::fs::read_to_string(log.path()).ok().filter(|_| output.status.success())?;
        // Per cent, seconds, microseconds per call, calls.
        summary.lines().find(|line| line.ends_with(" total"))?.split_whitespace().nth(3)?.parse::<f64>().ok()
    };
    match (count(CALLS), count(0)) {
        (Some(with), Some(without)) => limited(SYSTEM_CALLS, with - without, 1.0),
        _ => eprintln!("left out: {SYSTEM_CALLS}, since strace is missing or may not trace"),
    }
}

pub(crate) fn faults() {
    limited(FAULTS, child::figure(&["calls", &CALLS.to_string()]), 0.0);
}

fn limited(name: &str, of_all_calls: f64, limit: f64) {
    // What happens once in hundreds of calls is not what a call does.
    let each = (of_all_calls / f64::from(CALLS) * 100.0).round() / 100.0;
    let goal = Goal::AtMost(if limit == 0.0 { 0.0 } else { 1.0 });
    print(name, Unit::Count, [each, limit].map(Figure::exactly), goal);
}

/// Makes this many calls when all is in place. Returns the page faults that they met.
pub(crate) fn child(calls: u32) -> f64 {
    let rule = Asker::of([hook(&sandbox(), &rule())]).allowing(INPUT);
    rule.calls(INPUT, WARM_UP);
    let before = proc::faults();
    if calls > 0 {
        rule.calls(INPUT, calls);
    }
    proc::faults() - before
}
