//! An engine that has nothing to do.

use crate::ask::{Asker, INPUT, hook, rule};
use crate::child;
use crate::proc;
use crate::row::{Figure, Goal, Unit, print};
use hookbox::runtime::component::Sandbox;
use std::time::Duration;

pub(crate) const NAME: &str = "idle engine, processor time of a minute / 2 ms";

/// A tenth of the time that the figure is about.
const WATCHED: Duration = Duration::from_secs(6);

pub(crate) fn row(sandbox: &Sandbox) {
    let dir = tempfile::tempdir().unwrap();
    hook(&sandbox.clone().cached_in(child::cache(dir.path())), &rule());
    let used = child::figure(&["idle", dir.path().to_str().unwrap()]);
    let figures = [used * 10.0, 2e6].map(Figure::exactly);
    print(NAME, Unit::Nanoseconds, figures, Goal::AtMost(1.0));
}

/// The nanoseconds of processor time after a call, until the end of the watch.
pub(crate) fn child(loading: &Sandbox) -> f64 {
    let rule = Asker::of([hook(loading, &rule())]).allowing(INPUT);
    let before = proc::cpu_nanos();
    std::thread::sleep(WATCHED);
    let used = proc::cpu_nanos() - before;
    drop(rule);
    used
}
