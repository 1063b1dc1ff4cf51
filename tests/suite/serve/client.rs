//! A client of `hookbox serve --stdio`.

use crate::support::project::Project;
use serde_json::Value;
use std::fs::File;
use std::io::{BufRead, BufReader, PipeReader, PipeWriter, Write, pipe};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

pub struct Client {
    pub child: Child,
    pub stdin: Option<ChildStdin>,
    pub stdout: BufReader<ChildStdout>,
}

impl Client {
    pub fn start(project: &Project) -> Self {
        Client::start_with(project, &[])
    }

    pub fn start_with(project: &Project, args: &[&str]) -> Self {
        Client::start_on(project, args, pipe().unwrap(), pipe().unwrap())
    }

    /// Starts the server with these pipes as its stdin and stdout.
    pub fn start_on(
        project: &Project,
        args: &[&str],
        stdin: (PipeReader, PipeWriter),
        stdout: (PipeReader, PipeWriter),
    ) -> Self {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin("hookbox"));
        command.args(["serve", "--stdio"]).args(args).current_dir(project.dir()).env("HOME", project.home());
        for name in ["XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"] {
            command.env_remove(name);
        }
        let child = command.stdin(stdin.0).stdout(stdout.1).stderr(Stdio::null()).spawn().unwrap();
        let (stdin, stdout) = (ChildStdin::from(OwnedFd::from(stdin.1)), ChildStdout::from(OwnedFd::from(stdout.0)));
        Client { child, stdin: Some(stdin), stdout: BufReader::new(stdout) }
    }

    pub fn send(&mut self, line: impl AsRef<[u8]>) {
        let stdin = self.stdin.as_mut().unwrap();
        stdin.write_all(line.as_ref()).unwrap();
        stdin.write_all(b"\n").unwrap();
    }

    pub fn line(&mut self) -> String {
        let mut line = String::new();
        self.stdout.read_line(&mut line).unwrap();
        assert!(line.ends_with('\n'), "a whole line: {line:?}");
        line
    }

    pub fn answer(&mut self) -> Value {
        let line = self.line();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    }

    pub fn ask(&mut self, line: impl AsRef<[u8]>) -> Value {
        self.send(line);
        self.answer()
    }

    /// Asks for a decision about a command of `bash`.
    pub fn bash(&mut self, id: u64, command: &str) -> Value {
        self.ask(bash(id, command))
    }

    /// Closes stdin, and returns the exit status, which comes soon.
    pub fn end(mut self) -> i32 {
        drop(self.stdin.take());
        let end = Instant::now() + Duration::from_secs(20);
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code().unwrap_or(-1);
            }
            assert!(Instant::now() < end, "it does not end");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns the line that asks about a command of `bash`.
pub fn bash(id: u64, command: &str) -> String {
    format!(r#"{{"id":{id},"input":{{"event":"pre_tool","tool_name":"bash","tool_input":{{"command":"{command}"}}}}}}"#)
}

/// Makes the hooks that [`RULE`] holds wait for a line in this pipe.
pub fn hold(project: &Project) -> PathBuf {
    let hold = project.home().join("hold");
    rustix::fs::mknodat(rustix::fs::CWD, &hold, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
    hold
}

/// Releases this many held hooks, including hooks that come later, until the file is closed.
#[must_use]
pub fn release(hold: &Path, hooks: usize) -> File {
    let mut writer = File::options().read(true).write(true).open(hold).unwrap();
    writer.write_all("\n".repeat(hooks).as_bytes()).unwrap();
    writer
}

/// A config whose hook denies commands that begin with `rm`, and takes two seconds for those with `slow`. For a command
/// with `hold`, it leaves its process id in a file and waits for a line in a pipe. The quotes are part of the patterns,
/// because the names of temporary directories, which are also in the input, are random letters.
pub const RULE: &str = r#"[hooks.rule]
events = ["pre_tool"]
command = "sh"
args = ['-c', '''case "$(cat)" in *'"rm'*) printf '{"decision":"deny","reason":"no rm"}';; *'"slow'*) sleep 2;; *'"hold'*) echo $$ >"$HOME/pid"; read -r line <"$HOME/hold";; esac''']
"#;
