//! Several processes at once, and kills at any moment.

use super::{CALL, ask, cached, denying, dir, files, only_file};
use crate::support::processes;
use std::fs;
use std::io::Write;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, SystemTime};

fn start(project: &crate::support::project::Project) -> Child {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("hookbox"));
    command.args(["run"]).current_dir(project.dir()).env("HOME", project.home());
    for name in ["XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"] {
        command.env_remove(name);
    }
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(CALL.as_bytes()).unwrap();
    child
}

#[test]
fn processes_at_once_do_not_disturb_each_other() {
    let project = denying("no");
    let children: Vec<Child> = (0..8).map(|_| start(&project)).collect();
    for child in children {
        let output = child.wait_with_output().unwrap();
        let outcome: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((output.status.code(), &outcome["warnings"]), (Some(2), &serde_json::json!([])));
    }
    only_file(&project);
    assert_eq!(ask(&project), (false, vec![]));
}

/// Ends the compiling process, which would go on. It has the cache as an argument. Until it has been executed, it is a
/// copy of the killed process, with the environment of that process.
fn end_compiling(project: &crate::support::project::Project) {
    let cache = dir(project).display().to_string();
    let home = format!("HOME={}", project.home().display());
    loop {
        let found = [processes::with_argument(&cache), processes::with_environment(&home)].concat();
        if found.is_empty() {
            return;
        }
        for pid in found {
            let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
            processes::assert_ends(&pid.as_raw_nonzero().to_string());
        }
    }
}

#[test]
fn a_kill_leaves_nothing_half_written() {
    let project = denying("no");
    let started = SystemTime::now();
    ask(&project);
    let whole = started.elapsed().unwrap() * 2;
    let (mut before, mut behind) = (0, 0);
    // The kills range from before the first file is opened to long after the last one is closed, however long that
    // takes by now.
    let mut round = 0;
    while round < 40 || (round < 400 && (before == 0 || behind == 0)) {
        let _ = fs::remove_dir_all(project.home().join(".cache"));
        if round % 2 == 0 {
            let _ = fs::remove_dir_all(project.home().join(".local"));
        }
        let mut child = start(&project);
        std::thread::sleep(whole * (round % 40) / 40 * (round / 40 + 1));
        child.kill().unwrap();
        child.wait().unwrap();
        end_compiling(&project);
        // An unfinished file has a UUID as its name, which is shorter than a digest.
        let is_finished = |file: &&std::path::PathBuf| file.file_name().is_some_and(|name| name.len() == 64);
        let entries = files(&project);
        let finished = entries.iter().filter(is_finished).count();
        let (compiled, warnings) = ask(&project);
        assert_eq!(
            (compiled, warnings),
            (finished == 0, vec![]),
            "round {round}: {entries:?}, then {:?}",
            files(&project)
        );
        *(if compiled { &mut before } else { &mut behind }) += 1;
        round += 1;
    }
    assert!(before > 0 && behind > 0, "{before} before it was written, {behind} behind");
}

#[test]
fn what_a_crash_left_behind_goes_in_time() {
    let project = cached();
    let left = ["old", "new"].map(|age| dir(&project).join(format!("{}.1-{age}.tmp", "0".repeat(64))));
    for path in &left {
        fs::write(path, "half").unwrap();
    }
    let two_hours = Duration::from_secs(2 * 60 * 60);
    let old = fs::File::options().write(true).open(&left[0]).unwrap();
    old.set_modified(SystemTime::now() - two_hours).unwrap();
    fs::remove_file(files(&project).into_iter().find(|file| file.extension().is_none()).unwrap()).unwrap();
    assert_eq!(ask(&project), (true, vec![]));
    assert!(!left[0].exists() && left[1].exists(), "the new one may be at work");
}
