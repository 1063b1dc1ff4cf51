//! The system's counters for this process.

use std::fs;

/// The indices of fields in `/proc/self/stat`, after the program's name.
const MINOR_FAULTS: usize = 7;
const MINOR_FAULTS_OF_CHILDREN: usize = 8;

/// Returns the number of page faults of this process that needed no disk access.
pub(crate) fn faults() -> f64 {
    stat(MINOR_FAULTS)
}

/// Returns the number of such page faults of the child processes that have ended and been waited for.
pub(crate) fn faults_of_children() -> f64 {
    stat(MINOR_FAULTS_OF_CHILDREN)
}

fn stat(field: usize) -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap();
    let (_, fields) = stat.rsplit_once(')').unwrap();
    fields.split_whitespace().nth(field).unwrap().parse().unwrap()
}

/// Returns the resident memory, in bytes.
pub(crate) fn resident_bytes() -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().strip_suffix(" kB").unwrap().parse::<f64>().unwrap() * 1024.0
}

/// Returns the processor time of all threads except the first, which does the measuring, in nanoseconds. `schedstat` is
/// more precise than `stat`, which counts hundredths of a second.
pub(crate) fn cpu_nanos_of_others() -> f64 {
    let first = std::process::id().to_string();
    let tasks = fs::read_dir("/proc/self/task").unwrap().map(|task| task.unwrap());
    let others = tasks.filter(|task| task.file_name() != first.as_str());
    let of_task = |task: fs::DirEntry| {
        let text = fs::read_to_string(task.path().join("schedstat")).ok()?;
        text.split_whitespace().next()?.parse::<f64>().ok()
    };
    others.filter_map(of_task).sum()
}
