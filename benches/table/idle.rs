//! Measures an idle engine.

use crate::ask::{Asker, INPUT, hook, rule};
use crate::child;
use crate::proc;
use crate::row::{Figure, Goal, Unit, print};
use hookbox::runtime::component::Sandbox;
use std::time::Duration;

pub(crate) const NAME: &str = "idle engine, processor time of a minute after a call / 2 ms";

/// The time after which the aftermath of a call is over. The aftermath happens only once in the minute.
const COMING_TO_REST: Duration = Duration::from_millis(200);

/// The time at rest that is measured: a tenth of a minute.
const AT_REST: Duration = Duration::from_secs(6);

pub(crate) fn row(sandbox: &Sandbox) {
    let dir = tempfile::tempdir().unwrap();
    hook(&sandbox.clone().cached_in(child::cache(dir.path())), &rule());
    let used = child::figure(&["idle", dir.path().to_str().unwrap()]);
    print(NAME, Unit::Nanoseconds, [used, 2e6].map(Figure::exactly), Goal::AtMost(1.0));
}

/// Returns the processor time used in the minute after a call, in nanoseconds.
pub(crate) fn child(loading: &Sandbox) -> f64 {
    let rule = Asker::of([hook(loading, &rule())]).allowing(INPUT);
    let during = |time| {
        let before = proc::cpu_nanos_of_others();
        std::thread::sleep(time);
        proc::cpu_nanos_of_others() - before
    };
    let used = during(COMING_TO_REST) + during(AT_REST) * 10.0;
    drop(rule);
    used
}
