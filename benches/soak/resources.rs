//! What the process holds, as the system tells it.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A variable that every process has that a hook of this program starts.
pub(crate) const MARK: &str = "HOOKBOX_SOAK=1";

/// How long no call may come to its end before that counts as a deadlock.
const STUCK: Duration = Duration::from_secs(30);

/// How long what is on its way out may take.
const SETTLE: Duration = Duration::from_secs(15);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Resources {
    pub(crate) fds: usize,
    pub(crate) threads: usize,
    /// Our children, corpses included, and whatever else bears our mark.
    pub(crate) processes: usize,
}

impl Resources {
    fn now() -> Self {
        // One is the directory itself.
        let fds = fs::read_dir("/proc/self/fd").unwrap().count() - 1;
        let threads = fs::read_dir("/proc/self/task").unwrap().count();
        let all = fs::read_dir("/proc").unwrap().filter_map(|entry| entry.unwrap().file_name().into_string().ok());
        let processes = all.filter(|name| name.parse::<u32>().is_ok()).filter(|pid| is_ours(pid)).count();
        Resources { fds, threads, processes }
    }

    /// The memory that is in use.
    pub(crate) fn resident_bytes() -> u64 {
        let status = fs::read_to_string("/proc/self/status").unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.trim().strip_suffix(" kB").unwrap().parse::<u64>().unwrap() << 10
    }
}

/// Whether it is a child of this process, or one that outlived its parent.
fn is_ours(pid: &str) -> bool {
    let own = std::process::id().to_string();
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let parent = stat.rsplit(')').next().unwrap_or_default().split_whitespace().nth(1);
    let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
    parent == Some(own.as_str()) || environment.split(|byte| *byte == 0).any(|variable| variable == MARK.as_bytes())
}

/// What is held when nothing is under way. Waits until it is what it should be, or else does not change any more.
pub(crate) fn settled(watchdog: &Watchdog, wanted: Option<Resources>) -> Resources {
    let started = Instant::now();
    loop {
        let before = Resources::now();
        std::thread::sleep(Duration::from_millis(500));
        watchdog.wake();
        let now = Resources::now();
        let as_wanted = wanted.is_none_or(|wanted| now == wanted);
        if (now == before && as_wanted) || started.elapsed() > SETTLE {
            return now;
        }
    }
}

/// Ends the program when nothing moves any more.
pub(crate) struct Watchdog {
    done: AtomicU64,
    awake: AtomicU64,
}

impl Watchdog {
    pub(crate) fn start() -> Arc<Self> {
        let watchdog = Arc::new(Watchdog { done: AtomicU64::new(0), awake: AtomicU64::new(0) });
        let watched = Arc::clone(&watchdog);
        std::thread::spawn(move || {
            let mut last = (0, Instant::now());
            loop {
                std::thread::sleep(Duration::from_secs(1));
                let moves = watched.done.load(Ordering::SeqCst) + watched.awake.load(Ordering::SeqCst);
                if moves != last.0 {
                    last = (moves, Instant::now());
                } else if last.1.elapsed() > STUCK {
                    let done = watched.done.load(Ordering::SeqCst);
                    eprintln!("deadlock: no call came to its end for {STUCK:?}, after {done} calls");
                    std::process::exit(1);
                }
            }
        });
        watchdog
    }

    /// A call has come to its end. Returns how many have.
    pub(crate) fn beat(&self) -> u64 {
        self.done.fetch_add(1, Ordering::SeqCst) + 1
    }

    /// No call is under way, and all is well.
    fn wake(&self) {
        self.awake.fetch_add(1, Ordering::SeqCst);
    }
}
