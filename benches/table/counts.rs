//! Counts the system calls and page faults of a warm call. These figures have no noise.

use crate::ask::{Asker, INPUT, hook, rule, sandbox};
use crate::child;
use crate::proc;
use crate::row::{Figure, Goal, Unit, print, print_missing};
use std::io::Write;
use std::process::{Command, Stdio};

pub(crate) const SYSTEM_CALLS: &str = "system calls of a warm call / limit";
pub(crate) const FAULTS: &str = "page faults of a warm call / limit";

const CALLS: u32 = 10_000;
const WARM_UP: u32 = 1_000;

/// Counts the system calls in a separate process that makes all calls from one thread. Only that thread counts, because
/// the clock's thread wakes up once in a millisecond, however many calls there are.
pub(crate) fn system_calls() {
    let count = |calls: u32| {
        let mut child = Command::new(std::env::current_exe().unwrap());
        system_calls_of(child.args(["--child", "calls", &calls.to_string()]), "", &[])
    };
    match (count(CALLS), count(0)) {
        (Some(with), Some(without)) => limited(SYSTEM_CALLS, with - without, 1.0),
        _ => print_missing(SYSTEM_CALLS, NO_STRACE),
    }
}

pub(crate) const NO_STRACE: &str = "`strace` is not installed or may not trace";

/// The option of `strace` that includes the threads and children of a program.
pub(crate) const FOLLOW: &str = "-f";

/// Returns the number of system calls that a program's first thread makes with this stdin, or `None` if `strace` cannot
/// count them.
pub(crate) fn system_calls_of(program: &Command, stdin: &str, options: &[&str]) -> Option<f64> {
    let log = tempfile::NamedTempFile::new().unwrap();
    let mut strace = Command::new("strace");
    strace.args(options).args(["-c", "-o"]).arg(log.path()).arg(program.get_program()).args(program.get_args());
    if let Some(dir) = program.get_current_dir() {
        strace.current_dir(dir);
    }
    strace.env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default());
    for (name, value) in program.get_envs() {
        match value {
            Some(value) => strace.env(name, value),
            None => strace.env_remove(name),
        };
    }
    let mut child = strace.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().ok()?;
    let _ = child.stdin.take()?.write_all(stdin.as_bytes());
    child.wait().ok()?.success().then_some(())?;
    let summary = std::fs::read_to_string(log.path()).ok()?;
    // The columns are: percent, seconds, microseconds per call, calls.
    summary.lines().find(|line| line.ends_with(" total"))?.split_whitespace().nth(3)?.parse().ok()
}

pub(crate) fn faults() {
    limited(FAULTS, child::figure(&["calls", &CALLS.to_string()]), 0.0);
}

fn limited(name: &str, of_all_calls: f64, limit: f64) {
    // Anything that happens once in hundreds of calls is not part of a call.
    let each = (of_all_calls / f64::from(CALLS) * 100.0).round() / 100.0;
    let goal = Goal::AtMost(if limit == 0.0 { 0.0 } else { 1.0 });
    print(name, Unit::Count, [each, limit].map(Figure::exactly), goal);
}

/// Makes this many calls after setup. Returns the number of page faults.
pub(crate) fn child(calls: u32) -> f64 {
    let rule = Asker::of([hook(&sandbox(), &rule())]).allowing(INPUT);
    rule.calls(INPUT, WARM_UP);
    let before = proc::faults();
    if calls > 0 {
        rule.calls(INPUT, calls);
    }
    proc::faults() - before
}
