//! What hookbox takes the place of, and hookbox as a process itself.

use crate::ask::INPUT;
use crate::proc;
use crate::row::{Figure, Goal, Unit, in_turns, print};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

const ROUNDS: usize = 200;

/// The nanoseconds that `sh` takes for the least that a shell hook does: read the Input and answer it.
pub(crate) fn sh() -> f64 {
    spawn(Command::new("sh").args(["-c", "cat >/dev/null; echo {}"]))
}

/// The nanoseconds from the start of a program to its end, with the Input on its stdin and its stdout read.
pub(crate) fn spawn(command: &mut Command) -> f64 {
    let started = Instant::now();
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    // A program that does not read it may have ended by now.
    let _ = child.stdin.take().unwrap().write_all(INPUT.as_bytes());
    let output = child.wait_with_output().unwrap();
    let took = started.elapsed();
    assert!(output.status.success(), "{command:?} ended with {}", output.status);
    took.as_nanos() as f64
}

pub(crate) const RUN_TRUE: &str = "hookbox run, hook cached / sh -c true";
pub(crate) const RUN_SH: &str = "hookbox run, hook cached / sh -c 'cat >/dev/null; echo {}'";
pub(crate) const RUN_FAULTS: &str = "page faults of hookbox run, hook cached / limit";

/// `hookbox run` with one hook, whose code is in the cache.
pub(crate) fn rows(wanted: &dyn Fn(&str) -> bool, hookbox: Option<&Path>) {
    let Some(hookbox) = hookbox else {
        eprintln!("left out: hookbox run, since `--hookbox` does not say where it is");
        return;
    };
    let home = tempfile::tempdir().unwrap();
    let config = home.path().join("hooks.toml");
    let component = Path::new(crate::GUESTS).join("rule.wasm");
    std::fs::write(&config, format!("[hooks.rule]\nevents = [\"pre_tool\"]\ncomponent = {component:?}\n")).unwrap();
    let run = || {
        let mut run = Command::new(hookbox);
        run.args(["run", "--config"]).arg(&config).current_dir(home.path());
        spawn(run.env_clear().env("HOME", home.path()).env("PATH", std::env::var_os("PATH").unwrap_or_default()))
    };
    run();
    let cached = std::fs::read_dir(home.path().join(".cache/hookbox/v1")).map_or(0, Iterator::count);
    assert_eq!(cached, 1, "the first call should have left the code of the hook in the cache");
    if wanted(RUN_TRUE) {
        let mut sh_true = || spawn(Command::new("sh").args(["-c", "true"]));
        print(RUN_TRUE, Unit::Nanoseconds, in_turns(ROUNDS, [&mut || run(), &mut sh_true]), Goal::AtMost(2.0));
    }
    if wanted(RUN_SH) {
        print(RUN_SH, Unit::Nanoseconds, in_turns(ROUNDS, [&mut || run(), &mut sh]), Goal::AtMost(1.0));
    }
    if wanted(RUN_FAULTS) {
        let faults = (0..20).map(|_| {
            let before = proc::faults_of_children();
            run();
            proc::faults_of_children() - before
        });
        let limit = Figure::exactly(150.0);
        print(RUN_FAULTS, Unit::Count, [Figure::of(faults.collect()), limit], Goal::AtMost(1.0));
    }
}
