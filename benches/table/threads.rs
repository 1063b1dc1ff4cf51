//! Measures whether a second core brings the expected gain.

use crate::ask::{Asker, INPUT, hook, rule, runtime};
use crate::row::{Goal, Unit, in_turns, print};
use hookbox::runtime::component::Sandbox;
use hookbox::{Input, Registry};
use std::hint::black_box;
use std::sync::Barrier;
use std::time::{Duration, Instant};

pub(crate) const NAME: &str = "calls in a second, two threads / one thread";

const ROUND: Duration = Duration::from_millis(200);

pub(crate) fn row(sandbox: &Sandbox) {
    let Asker { registry, .. } = Asker::of([hook(sandbox, &rule())]).allowing(INPUT);
    let figures = in_turns(20, [&mut || per_second(&registry, 2), &mut || per_second(&registry, 1)]);
    print(NAME, Unit::Count, figures, Goal::AtLeast(1.6));
}

/// Returns the total number of calls per second with this many threads.
fn per_second(registry: &Registry, threads: usize) -> f64 {
    let start = Barrier::new(threads);
    let one = || {
        let runtime = runtime();
        start.wait();
        let started = Instant::now();
        let mut calls = 0.0;
        while started.elapsed() < ROUND {
            runtime.block_on(async {
                for _ in 0..100 {
                    let input = Input::from_slice(INPUT.as_bytes()).unwrap();
                    black_box(registry.run_pre(input).await);
                }
            });
            calls += 100.0;
        }
        calls / started.elapsed().as_secs_f64()
    };
    std::thread::scope(|scope| {
        let running: Vec<_> = (0..threads).map(|_| scope.spawn(one)).collect();
        running.into_iter().map(|thread| thread.join().unwrap()).sum()
    })
}
