//! The report of a run.

use crate::Soak;
use crate::resources::Resources;
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// The amounts by which the use of memory may be larger at the end, because allocators keep some of the freed memory.
const RSS_SLACK_PERCENT: u64 = 10;
const RSS_SLACK_BYTES: u64 = 8 << 20;
/// The number of bytes per call by which the heap may be larger at the end: less than a short string that is lost in one
/// call of ten.
const HEAP_SLACK_PER_CALL: u64 = 2;
/// The number of bytes by which the heap may be larger at the end in any case, because caches and threads differ.
const HEAP_SLACK: u64 = 64 << 10;

/// Prints what a run measured after so many calls of warm-up: the bytes on the heap and the resources, each before and
/// after the calls. The exit status says whether all was well.
pub(crate) fn print(
    soak: &Soak,
    warm_up: u64,
    elapsed: Duration,
    heap: (u64, u64),
    (before, after): (&Resources, &Resources),
) -> ExitCode {
    let mut faults = std::mem::take(&mut *soak.complaints.lock().unwrap());
    println!("{:<40} {:>8} {:>6} {:>10} {:>10}", "hook", "calls", "wrong", "p50", "p99");
    let mut took = vec![Vec::new(); soak.scenarios.len()];
    for (number, micros) in (0..warm_up + soak.calls).zip(&soak.took) {
        took[soak.kind_of(number)].push(micros.load(Ordering::Relaxed));
    }
    for ((scenario, took), wrong) in soak.scenarios.iter().zip(&mut took).zip(&soak.wrong) {
        took.sort_unstable();
        let wrong = wrong.load(Ordering::Relaxed);
        let (p50, p99) = (percentile(took, 50), percentile(took, 99));
        println!("{:<40} {:>8} {wrong:>6} {p50:>10} {p99:>10}", scenario.name, took.len());
        if took.contains(&u32::MAX) {
            faults.push(format!("a call of `{}` was never answered", scenario.name));
        }
    }
    let wrong: u64 = soak.wrong.iter().map(|wrong| wrong.load(Ordering::Relaxed)).sum();
    if wrong > 0 {
        faults.push(format!("{wrong} of {} answers were wrong", warm_up + soak.calls));
    }

    let rss = soak.rss.lock().unwrap();
    let quarter = rss.len() / 4;
    let (first, last) = (mean(&rss[..quarter]), mean(&rss[rss.len() - quarter..]));
    let calls = soak.calls;
    println!("{:<40} {:>8} KiB before, {} KiB after", "heap", heap.0 >> 10, heap.1 >> 10);
    if heap.1 > heap.0 + HEAP_SLACK + calls * HEAP_SLACK_PER_CALL {
        faults.push(format!("the heap grew from {} to {} bytes", heap.0, heap.1));
    }
    if !soak.judges_resident {
        println!("{:<40} {:>8} in so few calls", "resident memory", "not judged");
    } else if last > first + first * RSS_SLACK_PERCENT / 100 + RSS_SLACK_BYTES {
        faults.push(format!("resident memory grew from {} MiB to {} MiB", first >> 20, last >> 20));
    }
    for (what, before, after) in [
        ("open files", before.files.len(), after.files.len()),
        ("threads", before.threads, after.threads),
        ("processes", 0, after.processes),
    ] {
        println!("{what:<40} {before:>8} before, {after} after");
        if before != after {
            faults.push(format!("{what}: {before} after the warm-up, {after} at the end"));
        }
    }
    let mut more = after.files.clone();
    for file in &before.files {
        if let Some(place) = more.iter().position(|open| open == file) {
            more.swap_remove(place);
        }
    }
    if !more.is_empty() {
        faults.push(format!("not open before: {}", more.join(", ")));
    }
    let tenths: Vec<String> =
        rss.chunks(rss.len().div_ceil(10).max(1)).map(|tenth| (mean(tenth) >> 20).to_string()).collect();
    println!("{:<40} {:>8} in the tenths of the run", "MiB", tenths.join(" "));
    let per_second = calls as f64 / elapsed.as_secs_f64();
    println!("{:<40} {:>8} MiB in the first quarter, {} MiB in the last", "resident memory", first >> 20, last >> 20);
    println!("{:<40} {warm_up:>8} in the warm-up", "calls");
    println!("{:<40} {calls:>8} in {elapsed:.1?} after the warm-up, {per_second:.0} in a second", "calls");
    for fault in &faults {
        eprintln!("wrong: {fault}");
    }
    if faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn percentile(sorted: &[u32], percent: usize) -> String {
    let micros = sorted.get(sorted.len() * percent / 100).copied().unwrap_or_default();
    format!("{:.1?}", Duration::from_micros(u64::from(micros)))
}

fn mean(samples: &[u64]) -> u64 {
    samples.iter().sum::<u64>() / (samples.len() as u64).max(1)
}
