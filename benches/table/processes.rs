//! Measures the processes that hookbox replaces, and hookbox itself as a process.

use crate::ask::INPUT;
use crate::counts::{FOLLOW, NO_STRACE, system_calls_of};
use crate::row::{Figure, Goal, Unit, in_turns, print, print_missing};
use crate::{powers, proc};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;
use tempfile::TempDir;

const ROUNDS: usize = 200;

/// Returns the nanoseconds that `sh` needs for the minimum that a shell hook does: read the Input and answer it.
pub(crate) fn sh() -> f64 {
    spawn(Command::new("sh").args(["-c", "cat >/dev/null; echo {}"]))
}

/// Returns the nanoseconds from a program's start to its end, including writing the Input to its stdin and reading its
/// stdout.
pub(crate) fn spawn(command: &mut Command) -> f64 {
    spawn_with(command, INPUT)
}

/// Does the same as [`spawn`] with another Input.
pub(crate) fn spawn_with(command: &mut Command, input: &str) -> f64 {
    let started = Instant::now();
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    // A program that does not read its stdin may have ended by now.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    let took = started.elapsed();
    assert!(output.status.success(), "{command:?} ended with {}", output.status);
    took.as_nanos() as f64
}

const RUN_TRUE: &str = "hookbox run, hook cached / sh -c true";
const RUN_SH: &str = "hookbox run, hook cached / sh -c 'cat >/dev/null; echo {}'";
const RUN_FAULTS: &str = "page faults of hookbox run, hook cached / limit";
const POLICY_TRUE: &str = "hookbox run, the README's policy / sh -c true";
const POLICY_SYSTEM_CALLS: &str = "system calls of hookbox run, the README's policy / limit";
const POLICY_FAULTS: &str = "page faults of hookbox run, the README's policy / limit";
const THREE_TRUE: &str = "hookbox run, three policies / sh -c true";
const GO: &str = "hookbox run, a Go component / 10 ms";
const PYTHON: &str = "hookbox run, a Python component / 25 ms";

/// The policy of the README, and all policies that `hookbox init` sets up.
const POLICY: &str = "no-destructive-commands";
const THREE: [&str; 3] = [POLICY, "protect-paths", "no-secret-leaks"];

/// Measures `hookbox run` with hooks whose code is in the cache.
pub(crate) fn rows(wanted: &dyn Fn(&str) -> bool, hookbox: Option<&Path>) {
    let one = |row: &str, components: &[&str], measure: &dyn Fn(&str, &Prepared)| {
        if !wanted(row) {
            return;
        }
        match Prepared::new(hookbox, components) {
            Ok(prepared) => measure(row, &prepared),
            Err(why) => print_missing(row, &why),
        }
    };
    let beside_true = |most: f64| move |row: &str, prepared: &Prepared| prepared.beside(row, &mut sh_true, most);
    one(RUN_TRUE, &["rule.wasm"], &beside_true(2.0));
    one(RUN_SH, &["rule.wasm"], &|row, prepared| prepared.beside(row, &mut sh, 1.0));
    one(RUN_FAULTS, &["rule.wasm"], &|row, prepared| prepared.faults(row, 140.0));
    one(POLICY_TRUE, &[POLICY], &beside_true(1.9));
    one(POLICY_SYSTEM_CALLS, &[POLICY], &|row, prepared| prepared.system_calls(row, 170.0));
    one(POLICY_FAULTS, &[POLICY], &|row, prepared| prepared.faults(row, 180.0));
    one(THREE_TRUE, &THREE, &beside_true(2.5));
    one(GO, &["same_rule_go.wasm"], &|row, prepared| prepared.within(row, 10e6));
    one(PYTHON, &["same_rule_python.wasm"], &|row, prepared| prepared.within(row, 25e6));
}

fn sh_true() -> f64 {
    spawn(Command::new("sh").args(["-c", "true"]))
}

/// A home directory with hooks, each of which has answered once.
pub(crate) struct Prepared<'a> {
    hookbox: &'a Path,
    home: TempDir,
}

impl<'a> Prepared<'a> {
    /// Prepares a home directory. `hooks` are components or the names of policies. Returns a message if the program or
    /// a component does not exist.
    pub(crate) fn new(hookbox: Option<&'a Path>, hooks: &[&str]) -> Result<Self, String> {
        let hookbox = hookbox.ok_or("`--hookbox` does not say where the program is")?;
        let home = tempfile::tempdir().unwrap();
        let mut config = String::new();
        for name in hooks {
            if !name.ends_with(".wasm") {
                config.push_str(&format!("[hooks.{name}]\npolicy = \"{name}\"\n"));
                continue;
            }
            let component = Path::new(crate::GUESTS).join(name);
            if !component.is_file() {
                return Err(format!("`cargo xtask guests` has not built {name}"));
            }
            config.push_str(&format!("[hooks.\"{name}\"]\nevents = [\"pre_tool\"]\ncomponent = {component:?}\n"));
            if *name == powers::GUEST {
                // This hook is a monitor, since it always asks.
                config.push_str(
                    "enforce = false\nsettings = { do = [[\"increment\", \"calls\", 1]] }\ngrants = { store = { scope = \"session\" } }\n",
                );
            }
        }
        std::fs::write(home.path().join("hooks.toml"), config).unwrap();
        let prepared = Prepared { hookbox, home };
        prepared.see_that_all_answer(hooks).map(|()| prepared)
    }

    /// Checks that all hooks answer. `hookbox check` compiles them, however long that takes, and leaves the code in the
    /// cache.
    fn see_that_all_answer(&self, hooks: &[&str]) -> Result<(), String> {
        let checked = self.with_config("check").output().unwrap();
        if !checked.status.success() {
            return Err(format!("`hookbox check` failed: {}", String::from_utf8_lossy(&checked.stderr).trim()));
        }
        let mut child = self.with_config("run").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(INPUT.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        let outcome: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let records = outcome["hooks"].as_array().unwrap();
        let has_failed = records.iter().any(|record| record.get("code").is_some());
        if !output.status.success() || records.len() != hooks.len() || has_failed {
            return Err(format!("the hooks do not answer: {outcome}"));
        }
        let listed = self.command("cache").args(["list", "--format", "json"]).output().unwrap();
        let listed: serde_json::Value = serde_json::from_slice(&listed.stdout).unwrap();
        let cached = listed["entries"].as_array().map_or(0, Vec::len);
        // The code of policies is beside the program, not in the cache.
        let components = hooks.iter().filter(|name| name.ends_with(".wasm")).count();
        if cached != components {
            return Err(format!("the cache has the code of {cached} components, not of {components}"));
        }
        Ok(())
    }

    /// Returns the line that starts `hookbox hook` in a shell.
    pub(crate) fn hook_line(&self, agent: &str) -> String {
        let config = self.home.path().join("hooks.toml");
        format!("{} hook {agent} --config {}", self.hookbox.display(), config.display())
    }

    /// Gives a program the environment of a user whose home this is.
    pub(crate) fn with_home(&self, mut program: Command) -> Command {
        program.current_dir(self.home.path());
        program.env_clear().env("HOME", self.home.path()).env("PATH", std::env::var_os("PATH").unwrap_or_default());
        program
    }

    fn with_config(&self, subcommand: &str) -> Command {
        let mut command = self.command(subcommand);
        command.arg("--config").arg(self.home.path().join("hooks.toml"));
        command
    }

    fn command(&self, subcommand: &str) -> Command {
        let mut run = self.with_home(Command::new(self.hookbox));
        run.arg(subcommand);
        run
    }

    pub(crate) fn hookbox(&self) -> &Path {
        self.hookbox
    }

    pub(crate) fn home(&self) -> &Path {
        self.home.path()
    }

    /// Returns the path of the config with the hooks.
    pub(crate) fn config(&self) -> PathBuf {
        self.home.path().join("hooks.toml")
    }

    pub(crate) fn run(&self) -> f64 {
        spawn(&mut self.with_config("run"))
    }

    fn beside(&self, row: &str, other: &mut dyn FnMut() -> f64, most: f64) {
        print(row, Unit::Nanoseconds, in_turns(ROUNDS, [&mut || self.run(), other]), Goal::AtMost(most));
    }

    fn within(&self, row: &str, most: f64) {
        let took = Figure::of((0..ROUNDS / 2).map(|_| self.run()).collect());
        print(row, Unit::Nanoseconds, [took, Figure::exactly(most)], Goal::AtMost(1.0));
    }

    fn faults(&self, row: &str, most: f64) {
        let once = |_| {
            let before = proc::faults_of_children();
            self.run();
            proc::faults_of_children() - before
        };
        let faults = Figure::of((0..20).map(once).collect());
        print(row, Unit::Count, [faults, Figure::exactly(most)], Goal::AtMost(1.0));
    }

    fn system_calls(&self, row: &str, most: f64) {
        // The smallest of five counts is used, because hookbox needs a runtime, and so more system calls, if a busy
        // machine delays a call for long.
        let counts = (0..5).filter_map(|_| system_calls_of(&self.with_config("run"), INPUT, &[FOLLOW]));
        match counts.min_by(f64::total_cmp) {
            Some(calls) => print(row, Unit::Count, [calls, most].map(Figure::exactly), Goal::AtMost(1.0)),
            None => print_missing(row, NO_STRACE),
        }
    }
}
