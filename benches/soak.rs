//! Makes a hundred thousand calls from many concurrent tasks, one in ten to a hook that misbehaves. Every answer must
//! be correct, and the process must not use more memory at the end than at the beginning. With `--powers`, makes twenty
//! thousand calls of hooks that have a store, network access and the log.
//!
//! ```sh
//! cargo xtask soak [--quick] [--powers] [--calls N] [--tasks N]
//! ```

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::unwrap_used,
    clippy::panic,
    clippy::string_slice,
    clippy::indexing_slicing,
    missing_docs,
    reason = "it is a program for a terminal, and one that cannot measure has nothing to say"
)]

#[allow(dead_code, unreachable_pub, reason = "the tests use all of it")]
#[path = "../tests/suite/support/component.rs"]
mod component;
#[path = "soak/ears.rs"]
mod ears;
#[path = "soak/expect.rs"]
mod expect;
#[path = "soak/good.rs"]
mod good;
#[path = "soak/heap.rs"]
mod heap;
#[path = "soak/hostile.rs"]
mod hostile;
#[path = "soak/options.rs"]
mod options;
#[path = "soak/powers.rs"]
mod powers;
#[path = "soak/report.rs"]
mod report;
#[path = "soak/resources.rs"]
mod resources;
#[allow(dead_code, reason = "the tests use all of it")]
#[path = "../crates/hookbox-net/tests/suite/support/server.rs"]
mod server;

use expect::{Kind, Scenario};
use hookbox::runtime::component::{Compiler, Sandbox};
use options::Options;
use resources::{Resources, Watchdog};
use std::ops::Range;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::task::JoinSet;

const WORKERS: usize = 2;

/// How long an idle thread for blocking work waits for more work.
const THREADS_WAIT: Duration = Duration::from_millis(200);

/// The maximum number of rounds of the warm-up. The pools and the allocator hold all the memory that they keep after
/// some 150,000 calls, three rounds of a whole run.
const MOST_ROUNDS: u64 = 8;

/// Memory that grows by less than this in a round of the warm-up is steady.
const STEADY_PERCENT: u64 = 2;

/// The maximum number of cells of a sandbox.
const MOST_CELLS: usize = 8;

/// A run and its measurements.
struct Soak {
    scenarios: Vec<Scenario>,
    is_powers: bool,
    judges_resident: bool,
    tasks: usize,
    /// The number of calls that are measured.
    calls: u64,
    next: AtomicU64,
    watchdog: Arc<Watchdog>,
    /// The microseconds that each call took. The list is allocated at the start, so that the measured memory does not
    /// grow.
    took: Vec<AtomicU32>,
    wrong: Vec<AtomicU64>,
    complaints: Mutex<Vec<String>>,
    /// The resident bytes at each percent of the calls.
    rss: Mutex<Vec<u64>>,
}

fn main() -> ExitCode {
    let options = match Options::of_program() {
        Ok(options) => options,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::FAILURE;
        }
    };
    let most_calls = MOST_ROUNDS * options.round() + options.calls;
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    // Threads that wait for work end soon, so that they do not count as left over.
    let runtime = runtime.worker_threads(WORKERS).thread_keep_alive(THREADS_WAIT).enable_all().build().unwrap();
    let sandbox = Sandbox::new(Compiler::in_process_for_trusted_bytes()).unwrap();
    let world = options.powers.then(powers::World::new);
    let scenarios: Vec<Scenario> = match &world {
        Some(world) => world.scenarios(&sandbox),
        None => good::scenarios(&sandbox).into_iter().chain(hostile::scenarios(&sandbox)).collect(),
    };
    let soak = Arc::new(Soak {
        wrong: scenarios.iter().map(|_| AtomicU64::new(0)).collect(),
        scenarios,
        is_powers: options.powers,
        judges_resident: options.judges_resident(),
        tasks: options.tasks,
        calls: options.calls,
        next: AtomicU64::new(0),
        watchdog: Watchdog::start(),
        took: (0..most_calls).map(|_| AtomicU32::new(u32::MAX)).collect(),
        complaints: Mutex::default(),
        // The list is allocated at the start as well.
        rss: Mutex::new(Vec::with_capacity(1_000)),
    });
    soak.begin_all(&hostile::fillers(&sandbox));
    let warm_up = runtime.block_on(warm_up(&soak, &options));
    // Wait until idle connections, which wait for further requests for a while, are closed.
    let idle = || {
        if world.is_some() {
            std::thread::sleep(powers::IDLE)
        }
    };
    idle();
    let before = resources::settled(&soak.watchdog, None);
    let held = heap::held();
    soak.rss.lock().unwrap().clear();
    let started = Instant::now();
    runtime.block_on(phase(&soak, warm_up..warm_up + options.calls));
    let elapsed = started.elapsed();
    idle();
    if let Some(world) = &world {
        soak.complaints.lock().unwrap().extend(world.complaints(&sandbox, &runtime));
    }
    let after = resources::settled(&soak.watchdog, Some(&before));
    let heap = (held, heap::held());
    report::print(&soak, warm_up, elapsed, heap, (&before, &after))
}

/// Makes a round of calls or, if resident memory is judged, rounds until that stops growing. Returns the number of
/// calls. The memory that they leave behind is not counted. A leak that the report would find grows in each round, and
/// so is measured after the last of them.
async fn warm_up(soak: &Arc<Soak>, options: &Options) -> u64 {
    let round = options.round();
    let (mut done, mut held) = (0, 0);
    for _ in 0..if options.judges_resident() { MOST_ROUNDS } else { 1 } {
        phase(soak, done..done + round).await;
        done += round;
        let before = std::mem::replace(&mut held, Resources::resident_bytes());
        if before > 0 && held < before + before * STEADY_PERCENT / 100 {
            break;
        }
    }
    done
}

/// Makes the calls with these numbers, from all tasks concurrently.
async fn phase(soak: &Arc<Soak>, calls: Range<u64>) {
    soak.next.store(calls.start, Ordering::SeqCst);
    let mut tasks = JoinSet::new();
    for _ in 0..soak.tasks {
        let soak = Arc::clone(soak);
        tasks.spawn(async move {
            loop {
                let number = soak.next.fetch_add(1, Ordering::SeqCst);
                if number >= calls.end {
                    break;
                }
                soak.call(number).await;
            }
        });
    }
    while let Some(ended) = tasks.join_next().await {
        if let Err(panicked) = ended {
            soak.complaints.lock().unwrap().push(format!("a task ended early: {panicked}"));
        }
    }
}

impl Soak {
    /// Calls each component while nothing else is running, so that components with short time limits start, too: from
    /// its first call in each cell of the sandbox, a component holds a file open. Threads are assigned to the cells in
    /// turn.
    ///
    /// The fillers come first. They fill the set of memories that a cell keeps, which would otherwise become full at a
    /// random time.
    fn begin_all(&self, fillers: &[Scenario]) {
        let in_process = |scenario: &&Scenario| matches!(scenario.kind, Kind::Good | Kind::Hostile);
        for _ in 0..MOST_CELLS {
            std::thread::scope(|scope| {
                scope.spawn(|| {
                    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
                    for filler in fillers {
                        let (expected, outcome, _) = runtime.block_on(filler.call(0));
                        assert_eq!(expected.complaint(outcome.as_ref()), None, "{}", filler.name);
                    }
                    for _ in 0..5 {
                        for scenario in self.scenarios.iter().filter(in_process) {
                            runtime.block_on(scenario.call(0));
                        }
                    }
                });
            });
        }
    }

    async fn call(&self, number: u64) {
        let kind = self.kind_of(number);
        let scenario = &self.scenarios[kind];
        let (expected, outcome, took) = scenario.call(number).await;
        let micros = u32::try_from(took.as_micros()).unwrap_or(u32::MAX - 1);
        self.took[usize::try_from(number).unwrap()].store(micros, Ordering::Relaxed);
        if let Some(complaint) = expected.complaint(outcome.as_ref()) {
            self.wrong[kind].fetch_add(1, Ordering::Relaxed);
            let mut complaints = self.complaints.lock().unwrap();
            // The first few complaints are informative enough, and more of them would use memory while memory is being
            // measured.
            if complaints.len() < 20 {
                complaints.push(format!("call {number} of `{}` after {took:.1?}: {complaint}", scenario.name));
            }
        }
        let done = self.watchdog.beat();
        if done.is_multiple_of((self.calls / 100).max(1)) {
            self.rss.lock().unwrap().push(Resources::resident_bytes());
        }
    }

    /// Chooses the scenario for a call. The kinds are mixed at every moment: one call in ten goes to a hostile hook,
    /// and one in five hundred to a hostile process.
    fn kind_of(&self, number: u64) -> usize {
        let (round, place) = (number / 10, number % 10);
        let (kind, turn) = match place {
            9 if self.is_powers => (Kind::Hostile, round),
            _ if self.is_powers => (Kind::Good, round * 9 + place),
            9 if round % 50 == 49 => (Kind::HostileProcess, round / 50),
            9 => (Kind::Hostile, round),
            4 if round.is_multiple_of(10) => (Kind::Process, round / 10),
            _ => (Kind::Good, round * 9 + place),
        };
        let of_kind = self.scenarios.iter().enumerate().filter(|(_, scenario)| scenario.kind == kind);
        let of_kind: Vec<usize> = of_kind.map(|(index, _)| index).collect();
        of_kind[usize::try_from(turn).unwrap() % of_kind.len()]
    }
}
