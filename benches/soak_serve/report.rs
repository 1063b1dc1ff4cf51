//! The report of a run.

use crate::Soak;
use crate::server::Held;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// The amounts by which the use of memory may be larger at the end, because allocators keep some of the freed memory.
const SLACK_PERCENT: u64 = 10;
const SLACK_BYTES: u64 = 8 << 20;

/// The number of samples that is enough to judge memory. In a shorter run, the engine and the allocator do not yet hold
/// all the memory that they keep.
const ENOUGH_SAMPLES: usize = 300;

/// The number of additional threads that a server may have at rest, because the threads of a pool start when they are
/// first needed and end a while after that. If each reload or hook left a thread, there would be tens of them.
const SLACK_THREADS: usize = 2;

/// The number of additional files that may be open at rest, because a component holds one for each cell of the sandbox
/// that it has run in.
const SLACK_FILES: usize = 8;

/// The maximum number of processes that a server may have at once: one for each request under way, each with a child,
/// and compilers.
const MOST_PROCESSES: usize = 2 * 96 + 8;

pub(crate) struct Run<'a> {
    pub(crate) soak: &'a Soak,
    pub(crate) home: &'a Path,
    /// The answers after the warm-up.
    pub(crate) answers: u64,
    pub(crate) elapsed: Duration,
    /// The resources that each server held during the run, and, at rest, before and after it.
    pub(crate) samples: [Vec<Held>; 2],
    pub(crate) before: [Held; 2],
    pub(crate) after: [Held; 2],
}

pub(crate) fn print(run: &Run<'_>) -> ExitCode {
    let soak = run.soak;
    let mut faults = std::mem::take(&mut *soak.complaints.lock().unwrap());
    let count = |counter: &std::sync::atomic::AtomicU64| counter.load(Ordering::SeqCst);
    let (wrong, warned, left) = (count(&soak.wrong), count(&soak.warned), count(&soak.left));
    let per_second = run.answers as f64 / run.elapsed.as_secs_f64();
    println!("{:<24} {} in {:.0?}, {per_second:.0} in a second", "answers", run.answers, run.elapsed);
    println!("{:<24} {wrong}", "wrong");
    println!("{:<24} {}", "edits of the config", soak.config.edits());
    println!("{:<24} {warned}", "warned of a broken one");
    println!("{:<24} {left}", "left by their client");
    let mut took = std::mem::take(&mut *soak.took.lock().unwrap());
    took.sort_unstable();
    let percentile = |percent: usize| {
        let micros = took.get(took.len() * percent / 100).copied().unwrap_or_default();
        Duration::from_micros(micros.into())
    };
    println!("{:<24} {:.1?} p50, {:.1?} p99", "a good hook, over HTTP", percentile(50), percentile(99));
    for (place, name) in ["unix", "stdio"].into_iter().enumerate() {
        server(name, &run.samples[place], &run.before[place], &run.after[place], &mut faults);
    }
    match log(run.home) {
        Ok(lines) => println!("{:<24} {lines} in the files that are kept", "lines of the log"),
        Err(fault) => faults.push(fault),
    }
    if wrong > 0 {
        faults.push(format!("{wrong} answers were wrong"));
    }
    if warned == 0 {
        faults.push("no answer said that the config could not be used".to_owned());
    }
    for fault in &faults {
        eprintln!("wrong: {fault}");
    }
    if faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn server(name: &str, samples: &[Held], before: &Held, after: &Held, faults: &mut Vec<String>) {
    let resident: Vec<u64> = samples.iter().map(|held| held.resident).collect();
    let tenths = resident.chunks(resident.len().div_ceil(10).max(1)).map(|tenth| (mean(tenth) >> 20).to_string());
    println!("{:<24} {} MiB in the tenths of the run", format!("{name}: memory"), tenths.collect::<Vec<_>>().join(" "));
    let quarter = resident.len() / 4;
    let (first, last) = (mean(&resident[..quarter]), mean(&resident[resident.len() - quarter..]));
    if samples.len() < ENOUGH_SAMPLES {
        println!("{:<24} not judged in so short a run", format!("{name}: memory"));
    } else if last > first + first * SLACK_PERCENT / 100 + SLACK_BYTES {
        faults.push(format!("{name}: memory grew from {} MiB to {} MiB", first >> 20, last >> 20));
    }
    for what in ["open files", "threads", "processes"] {
        let of = |held: &Held| match what {
            "open files" => held.open(),
            "threads" => held.threads,
            _ => held.processes,
        };
        let (before, most, after) = (of(before), samples.iter().map(of).max().unwrap_or_default(), of(after));
        println!("{:<24} {before} at rest before, at most {most}, {after} at rest after", format!("{name}: {what}"));
        let slack = match what {
            "open files" => SLACK_FILES,
            "threads" => SLACK_THREADS,
            _ => 0,
        };
        if after > before + slack {
            faults.push(format!("{name}: {before} {what} at rest before, {after} after"));
        }
        if what == "processes" && most > MOST_PROCESSES {
            faults.push(format!("{name}: {most} processes at once"));
        }
    }
    for (file, count) in &after.files {
        let had = before.files.get(file).copied().unwrap_or_default();
        if *count > had + SLACK_FILES {
            faults.push(format!("{name}: {file} was open {had} times before, and {count} times after"));
        }
    }
}

/// Counts the lines of the log. Each must be a whole JSON value.
fn log(home: &Path) -> Result<usize, String> {
    let dir = home.join(".local/state/hookbox");
    let mut lines = 0;
    for entry in std::fs::read_dir(&dir).map_err(|error| format!("{}: {error}", dir.display()))? {
        let path = entry.unwrap().path();
        if !path.to_string_lossy().contains("decisions") || path.extension().is_some_and(|end| end == "lock") {
            continue;
        }
        for line in std::fs::read_to_string(&path).map_err(|error| error.to_string())?.lines() {
            lines += 1;
            if serde_json::from_str::<serde_json::Value>(line).is_err() {
                return Err(format!("{}: not a line of JSON: {line}", path.display()));
            }
        }
    }
    if lines == 0 { Err("nothing was logged".to_owned()) } else { Ok(lines) }
}

fn mean(samples: &[u64]) -> u64 {
    samples.iter().sum::<u64>() / (samples.len() as u64).max(1)
}
