//! Observes processes that hooks started, and simulates kernels that lack something.

use std::path::Path;
use std::time::{Duration, Instant};

/// Waits until the file has a whole line, and returns it.
pub fn read_line(path: &Path) -> String {
    let deadline = Instant::now() + Duration::from_secs(10);
    loop {
        match std::fs::read_to_string(path) {
            Ok(text) if text.ends_with('\n') => return text.trim().to_owned(),
            _ if Instant::now() > deadline => panic!("{} was not written", path.display()),
            _ => std::thread::sleep(Duration::from_millis(5)),
        }
    }
}

/// Waits until the process is gone, or only a zombie is left for its parent.
#[track_caller]
pub fn assert_ends(pid: &str) {
    let deadline = Instant::now() + Duration::from_secs(10);
    loop {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let state = stat.rsplit(')').next().unwrap_or_default().trim_start().chars().next();
        if matches!(state, None | Some('Z' | 'X')) {
            return;
        }
        assert!(Instant::now() < deadline, "process {pid} is still there: {stat}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Waits until not even a zombie of the process is left.
pub async fn assert_reaped(pid: &str) {
    let deadline = Instant::now() + Duration::from_secs(10);
    while Path::new("/proc").join(pid).exists() {
        assert!(Instant::now() < deadline, "nobody has waited for process {pid}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Returns the processes that were started with this text in an argument.
pub fn with_argument(text: &str) -> Vec<rustix::process::Pid> {
    with("cmdline", text)
}

/// Returns the processes with this text in their environment.
pub fn with_environment(text: &str) -> Vec<rustix::process::Pid> {
    with("environ", text)
}

fn with(file: &str, text: &str) -> Vec<rustix::process::Pid> {
    let has_it = |pid: &i32| {
        // A zombie has no such text.
        std::fs::read(format!("/proc/{pid}/{file}")).is_ok_and(|bytes| String::from_utf8_lossy(&bytes).contains(text))
    };
    let pids = std::fs::read_dir("/proc").unwrap();
    let pids = pids.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    pids.filter(has_it).filter_map(rustix::process::Pid::from_raw).collect()
}

/// Makes this thread, and every thread and process that it starts, run on a kernel that does not know these system
/// calls.
#[cfg(target_os = "linux")]
pub fn lose_system_calls(calls: impl IntoIterator<Item = i64>) {
    use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, apply_filter};
    let rules = calls.into_iter().map(|call| (call, Vec::new())).collect();
    let (allow, lacks) = (SeccompAction::Allow, SeccompAction::Errno(libc::ENOSYS as u32));
    let filter = SeccompFilter::new(rules, allow, lacks, std::env::consts::ARCH.try_into().unwrap()).unwrap();
    let filter: BpfProgram = filter.try_into().unwrap();
    apply_filter(&filter).unwrap();
}
