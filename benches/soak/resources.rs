//! The resources that the process holds, as the system reports them.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// An environment variable of every process that a hook of this program starts. Its value is the ID of this process.
pub(crate) const MARK: &str = "HOOKBOX_SOAK";

/// The time without a finished call that counts as a deadlock.
const STUCK: Duration = Duration::from_secs(30);

/// The time limit for the whole run, which normally takes a minute or two. Calls that merely become slower are not a
/// deadlock.
const MOST: Duration = Duration::from_secs(600);

/// How long to wait for resources that are being released.
const SETTLE: Duration = Duration::from_secs(15);

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Resources {
    /// The kind of each open file, sorted: `pipe`, `socket`, or the path of a file.
    pub(crate) files: Vec<String>,
    pub(crate) threads: usize,
    /// The number of child processes, including zombies, and of other processes with this program's mark.
    pub(crate) processes: usize,
}

impl Resources {
    fn now() -> Self {
        let links =
            fs::read_dir("/proc/self/fd").unwrap().filter_map(|entry| fs::read_link(entry.unwrap().path()).ok());
        let mut files: Vec<String> = links.map(|link| link.to_string_lossy().into_owned()).collect();
        // One of the files is the directory itself. The number of a pipe is meaningless.
        files.retain(|file| !file.ends_with("/fd"));
        files.iter_mut().for_each(|file| file.truncate(file.find(":[").unwrap_or(file.len())));
        files.sort_unstable();
        let threads = fs::read_dir("/proc/self/task").unwrap().count();
        let all = fs::read_dir("/proc").unwrap().filter_map(|entry| entry.unwrap().file_name().into_string().ok());
        let processes = all.filter(|name| name.parse::<u32>().is_ok()).filter(|pid| is_ours(pid)).count();
        Resources { files, threads, processes }
    }

    /// Returns the resident memory, in bytes.
    pub(crate) fn resident_bytes() -> u64 {
        let status = fs::read_to_string("/proc/self/status").unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.trim().strip_suffix(" kB").unwrap().parse::<u64>().unwrap() << 10
    }
}

/// Whether the process is a child of this one, or was started by a hook and outlived its parent.
fn is_ours(pid: &str) -> bool {
    let own = std::process::id().to_string();
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let parent = stat.rsplit(')').next().unwrap_or_default().split_whitespace().nth(1);
    let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
    let mark = format!("{MARK}={own}");
    parent == Some(own.as_str()) || environment.split(|byte| *byte == 0).any(|variable| variable == mark.as_bytes())
}

/// Returns the resources that are held while nothing is running. Waits until they are as expected and no longer change,
/// or until the time is up.
pub(crate) fn settled(watchdog: &Watchdog, wanted: Option<&Resources>) -> Resources {
    let started = Instant::now();
    loop {
        let before = Resources::now();
        std::thread::sleep(Duration::from_millis(500));
        watchdog.wake();
        let now = Resources::now();
        let as_wanted = now.processes == 0 && wanted.is_none_or(|wanted| now == *wanted);
        if (now == before && as_wanted) || started.elapsed() > SETTLE {
            return now;
        }
    }
}

/// A watchdog that ends the program when there is no progress.
pub(crate) struct Watchdog {
    done: AtomicU64,
    awake: AtomicU64,
}

impl Watchdog {
    pub(crate) fn start() -> Arc<Self> {
        let watchdog = Arc::new(Watchdog { done: AtomicU64::new(0), awake: AtomicU64::new(0) });
        let watched = Arc::clone(&watchdog);
        std::thread::spawn(move || {
            let started = Instant::now();
            let mut last = (0, started);
            loop {
                std::thread::sleep(Duration::from_secs(1));
                let done = watched.done.load(Ordering::SeqCst);
                let moves = done + watched.awake.load(Ordering::SeqCst);
                if started.elapsed() > MOST {
                    eprintln!("wrong: not done after {MOST:?}, in which {done} calls came to their end");
                    std::process::exit(1);
                }
                if moves != last.0 {
                    last = (moves, Instant::now());
                } else if last.1.elapsed() > STUCK {
                    eprintln!("wrong: deadlock: no call came to its end for {STUCK:?}, after {done} calls");
                    std::process::exit(1);
                }
            }
        });
        watchdog
    }

    /// Records a finished call. Returns the total number of finished calls.
    pub(crate) fn beat(&self) -> u64 {
        self.done.fetch_add(1, Ordering::SeqCst) + 1
    }

    /// Resets the timer: no call is running, and all is well.
    fn wake(&self) {
        self.awake.fetch_add(1, Ordering::SeqCst);
    }
}
