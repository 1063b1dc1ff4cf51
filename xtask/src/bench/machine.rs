//! The description of the machine, without which the figures mean nothing.

use std::fs;
use std::thread::available_parallelism;

/// Describes the processor, the number of cores, and the operating system.
pub(crate) fn kind() -> String {
    let cpus = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpus.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    let model = model.map_or(std::env::consts::ARCH, |(_, model)| model.trim());
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let cores = available_parallelism().map_or(1, usize::from);
    format!("{model}, cores: {cores}, {} {}", std::env::consts::OS, kernel.trim())
}

/// Returns the load averages of the last one, five and fifteen minutes.
pub(crate) fn load() -> String {
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    load.split_whitespace().take(3).collect::<Vec<_>>().join(" ")
}
