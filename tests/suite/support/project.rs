//! A home directory and a project in a temporary directory, and the `hookbox` commands that run on them.

use super::terminal::Terminal;
use assert_cmd::Command;
use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;

/// A home directory and a project with an empty `.git`, side by side.
pub struct Project {
    root: TempDir,
    /// The directory where commands run, below the root.
    dir: String,
    /// Further arguments for each command.
    args: Vec<String>,
}

/// What `hookbox` printed and how it ended.
#[derive(Debug, PartialEq, Eq)]
pub struct Ran {
    pub status: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Ran {
    /// Parses stdout as one line of JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        assert_eq!(self.stdout.matches('\n').count(), 1, "one line: {:?}", self.stdout);
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {}", self.stdout))
    }
}

impl Project {
    pub fn new() -> Self {
        // Group-writable files are refused.
        rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o022));
        let root = TempDir::with_prefix("hookbox-").unwrap();
        for dir in ["home", "project/.git"] {
            fs::create_dir_all(root.path().join(dir)).unwrap();
        }
        Project { root, dir: "project".to_owned(), args: Vec::new() }
    }

    /// Adds these arguments to every command.
    pub fn with_args(mut self, args: &[&str]) -> Self {
        self.args.extend(args.iter().map(|arg| (*arg).to_owned()));
        self
    }

    /// Uses another working directory below the root.
    pub fn in_dir(mut self, dir: &str) -> Self {
        dir.clone_into(&mut self.dir);
        self
    }

    pub fn home(&self) -> PathBuf {
        self.root.path().join("home")
    }

    pub fn dir(&self) -> PathBuf {
        self.root.path().join(&self.dir)
    }

    /// Writes a file below the root; `home/` and `project/` exist.
    pub fn write(&self, path: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.root.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }

    /// Writes the user's `~/.agents/hooks.toml`.
    pub fn user(self, toml: &str) -> Self {
        self.write("home/.agents/hooks.toml", toml);
        self
    }

    /// Writes the project's `.agents/hooks.toml`.
    pub fn project(self, toml: &str) -> Self {
        self.write("project/.agents/hooks.toml", toml);
        self
    }

    /// Writes an executable shell script.
    pub fn script(&self, path: &str, body: &str) -> PathBuf {
        self.executable(path, &format!("#!/bin/sh\n{body}\n"))
    }

    /// Writes an executable file.
    ///
    /// A separate process writes the file: a child that another test starts in the meantime would briefly hold a file
    /// of this process open, and a file that is open for writing cannot be executed.
    pub fn executable(&self, path: &str, content: &str) -> PathBuf {
        let path = self.root.path().join(path);
        let script = r#"mkdir -p "${1%/*}" && cat >"$1" && chmod 755 "$1""#;
        Command::new("sh").args(["-c", script, "sh"]).arg(&path).write_stdin(content).assert().success();
        path
    }

    /// Returns a command with the home directory and the project of this value.
    pub fn command(&self, subcommand: &str, args: &[&str]) -> Command {
        let mut command = Command::cargo_bin("hookbox").unwrap();
        command
            .arg(subcommand)
            .args(args)
            .args(&self.args)
            .arg("--home")
            .arg(self.home())
            .arg("--project")
            .arg(self.dir())
            .current_dir(self.dir());
        command
    }

    /// Runs the command with exactly these arguments, in the project, with this home directory and no XDG variables.
    /// `hookbox hook` gets the home directory as an argument, as `hookbox install` would write it.
    pub fn run(&self, args: &[&str], stdin: &str) -> Ran {
        let mut command = Command::cargo_bin("hookbox").unwrap();
        command.args(args).current_dir(self.dir()).env("HOME", self.home());
        if args.first() == Some(&"hook") && !args.contains(&"--home") {
            command.arg("--home").arg(self.home());
        }
        for name in ["XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"] {
            command.env_remove(name);
        }
        run(command.write_stdin(stdin))
    }

    /// Like [`run`](Self::run), but on a terminal.
    pub fn terminal(&self, args: &[&str]) -> Terminal {
        let script: Vec<&str> = std::iter::once("exec hookbox").chain(args.iter().copied()).collect();
        self.shell_terminal(&script.join(" "))
    }

    /// Runs a shell script on a terminal, which finds `hookbox` in its `PATH`.
    pub fn shell_terminal(&self, script: &str) -> Terminal {
        let hookbox = assert_cmd::cargo::cargo_bin("hookbox");
        let path = format!("{}:{}", hookbox.parent().unwrap().display(), std::env::var("PATH").unwrap());
        let mut command = std::process::Command::new("sh");
        command.args(["-c", script]).current_dir(self.dir()).env("HOME", self.home()).env("PATH", path);
        for name in ["XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"] {
            command.env_remove(name);
        }
        Terminal::start(command)
    }

    pub fn hookbox(&self, subcommand: &str, args: &[&str]) -> Ran {
        run(&mut self.command(subcommand, args))
    }

    /// Runs `hookbox run` with this Input.
    pub fn ask(&self, input: &str) -> Ran {
        run(self.command("run", &[]).write_stdin(input))
    }

    /// Runs `hookbox run` with a tool call of `bash`.
    pub fn ask_bash(&self, command: &str) -> Ran {
        let input = serde_json::json!({
            "event": "pre_tool", "session_id": "s1", "pwd": self.dir(), "tool_name": "bash",
            "tool_input": { "command": command },
        });
        self.ask(&input.to_string())
    }

    /// Returns the text with the test's directory replaced by `<root>`.
    pub fn stable(&self, text: &str) -> String {
        text.replace(&self.root.path().display().to_string(), "<root>")
    }
}

/// Runs a command of any kind.
pub fn run(command: &mut Command) -> Ran {
    let output = command.output().unwrap();
    Ran {
        status: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}
