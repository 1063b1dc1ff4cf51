//! A running `hookbox serve`, and the resources that it holds.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// An environment variable of every process that a hook starts. Its value is the ID of this process.
pub(crate) const MARK: &str = "HOOKBOX_SOAK";

/// How long to wait until a server has released what it no longer needs.
const SETTLE: Duration = Duration::from_secs(20);

/// The resources that a server holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Held {
    pub(crate) resident: u64,
    /// The number of open files of each kind: `pipe`, `socket`, or the path of a file.
    pub(crate) files: BTreeMap<String, usize>,
    pub(crate) threads: usize,
    /// The number of its child processes, including zombies, and of the processes that these have left behind.
    pub(crate) processes: usize,
}

impl Held {
    pub(crate) fn open(&self) -> usize {
        self.files.values().sum()
    }

    /// Returns the resources without the memory, which is never the same twice.
    fn counts(&self) -> Self {
        Held { resident: 0, ..self.clone() }
    }
}

pub(crate) struct Server {
    pub(crate) child: Child,
    pub(crate) socket: PathBuf,
}

impl Server {
    /// Starts `hookbox serve` with this config.
    pub(crate) fn start(name: &'static str, hookbox: &Path, home: &Path, config: &Path) -> Self {
        let socket = home.join(format!("{name}.sock"));
        let mut command = Command::new(hookbox);
        command.arg("serve");
        match name {
            "stdio" => command.arg("--stdio").stdin(Stdio::piped()).stdout(Stdio::piped()),
            _ => command.arg("--listen").arg(format!("unix:{}", socket.display())).stdin(Stdio::null()),
        };
        command.arg("--config").arg(config).current_dir(home).env_clear();
        command.env("HOME", home).env("PATH", "/usr/bin:/bin").env(MARK, std::process::id().to_string());
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let mut said = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        while name != "stdio" && !line.contains("serves on") {
            line.clear();
            assert!(said.read_line(&mut line).unwrap() > 0, "hookbox has not started");
        }
        std::thread::spawn(move || said.lines().map_while(Result::ok).for_each(|line| eprintln!("{name}: {line}")));
        Server { child, socket }
    }

    /// Returns the resources that the server holds now.
    pub(crate) fn held(&self) -> Held {
        let proc = PathBuf::from(format!("/proc/{}", self.child.id()));
        let status = fs::read_to_string(proc.join("status")).unwrap();
        let number = |key: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(key)).unwrap_or("0");
            line.split_whitespace().next().and_then(|number| number.parse::<u64>().ok()).unwrap_or(0)
        };
        let mut files = BTreeMap::new();
        for entry in fs::read_dir(proc.join("fd")).unwrap() {
            let Ok(link) = fs::read_link(entry.unwrap().path()) else { continue };
            let mut kind = link.to_string_lossy().into_owned();
            // The number of a pipe is meaningless, and so is the number of an in-memory file.
            kind.truncate(kind.find(":[").unwrap_or(kind.len()));
            *files.entry(kind).or_default() += 1;
        }
        Held {
            resident: number("VmRSS:") << 10,
            files,
            threads: usize::try_from(number("Threads:")).unwrap(),
            processes: self.processes(),
        }
    }

    /// Returns the resources that the server holds when nothing is under way, once they no longer change.
    pub(crate) fn settled(&self, wanted: Option<&Held>) -> Held {
        let started = Instant::now();
        loop {
            let before = self.held();
            std::thread::sleep(Duration::from_millis(500));
            let now = self.held();
            let is_wanted = wanted.is_none_or(|wanted| wanted.counts() == now.counts());
            let is_still = now.counts() == before.counts() && now.processes == 0 && is_wanted;
            if is_still || started.elapsed() > SETTLE {
                return now;
            }
        }
    }

    fn processes(&self) -> usize {
        let all = fs::read_dir("/proc").unwrap().filter_map(|entry| entry.unwrap().file_name().into_string().ok());
        let others = all.filter(|name| name.parse::<u32>().is_ok_and(|pid| pid != self.child.id()));
        others.filter(|pid| self.is_its(pid)).count()
    }

    /// Whether the process is a child of the server, or was started by a hook of either server and outlived its parent.
    fn is_its(&self, pid: &str) -> bool {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let parent = stat.rsplit(')').next().unwrap_or_default().split_whitespace().nth(1).map(str::to_owned);
        let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        let mark = format!("{MARK}={}", std::process::id());
        let is_orphan = || {
            let is_marked = environment.split(|byte| *byte == 0).any(|variable| variable == mark.as_bytes());
            is_marked && parent.as_deref() == Some("1")
        };
        parent.as_deref() == Some(self.child.id().to_string().as_str()) || is_orphan()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
