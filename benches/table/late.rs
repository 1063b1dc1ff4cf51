//! Measures how long after its time limit an endless hook is stopped.

use crate::ask::{Asker, INPUT, info};
use crate::component::{Guest, sleeper};
use crate::row::{Figure, Goal, Unit, print};
use hookbox::runtime::component::{ComponentHook, Grants, Limits, Sandbox};
use hookbox::{Code, Input};
use std::time::{Duration, Instant};

const ROUNDS: usize = 30;
const BUDGETS: [u64; 3] = [10, 50, 100];
/// How late a hook may be stopped. If a tenth of its time limit is more, that counts.
const LEAST: Duration = Duration::from_millis(2);
/// The additional delay allowed for a hook that must be dropped from outside.
const ASLEEP: Duration = Duration::from_millis(5);

pub(crate) fn rows(sandbox: &Sandbox, wanted: &dyn Fn(&str) -> bool) {
    let endless = Guest::running("(loop $l (br $l)) (unreachable)").build();
    let asleep = sleeper();
    for budget in BUDGETS.map(Duration::from_millis) {
        let limit = LEAST.max(budget / 10);
        for (what, component, clocks, limit) in
            [("endless loop", &endless, false, limit), ("asleep in the host", &asleep, true, limit + ASLEEP)]
        {
            let name = format!("{what}, lateness at {budget:?} / {limit:?}");
            if wanted(&name) {
                let grants = Grants::default().with_clocks(clocks);
                let prepared = sandbox.prepare(component, None, grants, Limits::default()).unwrap();
                let hook = ComponentHook::new(info(budget), prepared, None);
                let late = Figure::of(lateness(&Asker::of([hook]), budget));
                let figures = [late, Figure::exactly(limit.as_nanos() as f64)];
                print(&name, Unit::Nanoseconds, figures, Goal::AtMost(1.0));
            }
        }
    }
}

fn lateness(asker: &Asker, budget: Duration) -> Vec<f64> {
    let one = || {
        let input = Input::from_slice(INPUT.as_bytes()).unwrap();
        let started = Instant::now();
        let outcome = asker.runtime.block_on(asker.registry.run_pre(input));
        let took = started.elapsed();
        assert_eq!(outcome.hooks.first().and_then(|hook| hook.code), Some(Code::Timeout));
        took.saturating_sub(budget).as_nanos() as f64
    };
    (0..ROUNDS).map(|_| one()).collect()
}
