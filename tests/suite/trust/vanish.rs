//! Hooks that the user trusted do not vanish silently.

use super::{Project, chmod, guarded, kept, trust, trusted};
use crate::support::project::{Ran, run};
use serde_json::json;
use std::fs;
use std::path::Path;

/// Returns what Claude Code sends from this directory.
fn payload(event: &str, dir: &Path) -> String {
    let payload = json!({
        "session_id": "s", "transcript_path": "/t", "cwd": dir, "permission_mode": "default", "prompt_id": "p",
        "hook_event_name": event, "tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "u",
        "prompt": "hello",
    });
    payload.to_string()
}

/// Runs `hookbox hook`, started in one directory and told to be in another.
fn hook(project: &Project, process: &Path, told: &Path, variables: &[(&str, &Path)]) -> Ran {
    let mut command = assert_cmd::Command::cargo_bin("hookbox").unwrap();
    command.args(["hook", "claude", "--home"]).arg(project.home()).current_dir(process).env("HOME", project.home());
    command.envs(variables.iter().copied());
    run(command.write_stdin(payload("PreToolUse", told)))
}

fn ask(project: &Project) -> Ran {
    hook(project, &project.dir(), &project.dir(), &[])
}

#[track_caller]
fn assert_denies(ran: &Ran, with: &str) {
    assert!(ran.stdout.contains(r#""permissionDecision":"deny""#) && ran.stdout.contains(with), "{ran:?}");
}

#[test]
fn wherever_the_agent_says_that_it_is() {
    let project = trusted();
    let sub = project.dir().join("src/deep");
    fs::create_dir_all(&sub).unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    let link = elsewhere.path().join("link");
    std::os::unix::fs::symlink(&sub, &link).unwrap();
    let dir = project.dir();
    assert_denies(&hook(&project, &dir, &sub, &[]), "no");
    assert_denies(&hook(&project, elsewhere.path(), &link, &[]), "no");
    assert_denies(&hook(&project, &dir, elsewhere.path(), &[]), "no");
    assert_denies(&hook(&project, elsewhere.path(), elsewhere.path(), &[("CLAUDE_PROJECT_DIR", &dir)]), "no");
    let ran = hook(&project, elsewhere.path(), elsewhere.path(), &[]);
    assert!(ran.stdout.is_empty(), "another directory is none of this project: {ran:?}");
}

/// The hook runs once, even if it is found in two ways.
#[test]
fn a_config_that_is_found_twice_counts_once() {
    let project = guarded();
    project.script("project/guard.sh", "echo x >> asked; echo '{}'");
    trust(&project);
    let link = project.home().join("link");
    std::os::unix::fs::symlink(project.dir(), &link).unwrap();
    hook(&project, &project.dir(), &link, &[("CLAUDE_PROJECT_DIR", &project.dir())]);
    assert_eq!(fs::read_to_string(project.dir().join("asked")).unwrap(), "x\n");
}

#[test]
fn a_config_that_is_gone_or_emptied_is_missed() {
    type Change = fn(&Path);
    let changes: [(&str, Change); 5] = [
        ("removed", |file| fs::remove_file(file).unwrap()),
        ("its directory removed", |file| fs::remove_dir_all(file.parent().unwrap()).unwrap()),
        ("a directory in its place", |file| {
            fs::remove_file(file).unwrap();
            fs::create_dir(file).unwrap();
        }),
        ("emptied", |file| fs::write(file, "").unwrap()),
        ("broken", |file| fs::write(file, "[hooks.guard\n").unwrap()),
    ];
    for (what, change) in changes {
        let project = trusted();
        let file = project.dir().join(".agents/hooks.toml");
        let before = fs::read_to_string(&file).unwrap();
        change(&file);
        for _ in 0..2 {
            assert_denies(&ask(&project), "hookbox trust --revoke");
        }
        let sub = project.dir().join("sub");
        fs::create_dir(&sub).unwrap();
        assert_denies(&hook(&project, &sub, &sub, &[]), "hookbox trust --revoke");
        // A user who removed it on purpose says so; one who did not puts it back.
        assert_eq!(project.run(&["trust", "--revoke"], "").status, 0, "{what}");
        let ran = ask(&project);
        assert!(!ran.stdout.contains("permissionDecision"), "{what}: {ran:?}");
        let _ = fs::remove_dir_all(file.parent().unwrap());
        project.write("project/.agents/hooks.toml", &before);
        trust(&project);
        assert_denies(&ask(&project), "no");
    }
    // A config that never had hooks is not missed.
    let project = Project::new().project("# none yet\n");
    assert!(ask(&project).stdout.is_empty());
}

/// The search for configs ends at the root of the inner repository, so it does not even find this one.
#[test]
fn a_trusted_config_above_a_repository_that_cannot_be_read_denies() {
    type Change = fn(&Path);
    let changes: [(&str, Change); 3] = [
        ("not UTF-8", |file| fs::write(file, b"# \xff\n").unwrap()),
        ("too large", |file| fs::write(file, "#".repeat(300_000)).unwrap()),
        ("no permission", |file| chmod(file, 0o000)),
    ];
    // Root may read everything.
    let count = if rustix::process::geteuid().is_root() { 2 } else { 3 };
    for (what, change) in changes.into_iter().take(count) {
        let project = trusted();
        project.write("project/sub/.git/HEAD", "");
        let sub = project.dir().join("sub");
        assert_denies(&hook(&project, &sub, &sub, &[]), "no");
        change(&project.dir().join(".agents/hooks.toml"));
        let ran = hook(&project, &sub, &sub, &[]);
        let says = "this config of a project is trusted, and cannot be read";
        assert!(ran.stdout.contains(r#""permissionDecision":"deny""#) && ran.stdout.contains(says), "{what}: {ran:?}");
    }
}

#[test]
fn the_user_of_the_agent_is_told() {
    let start = |project: &Project| project.run(&["hook", "claude"], &payload("UserPromptSubmit", &project.dir()));
    let project = guarded();
    assert!(start(&project).stdout.contains("this project is not trusted"), "{:?}", start(&project));
    trust(&project);
    assert!(start(&project).stdout.is_empty());
    // The record is damaged.
    for record in kept(&project) {
        fs::write(record, "{").unwrap();
    }
    let ran = start(&project);
    assert!(ran.stdout.contains("systemMessage") && ran.stdout.contains("damaged"), "{ran:?}");
    // The script was changed, and each call says so.
    trust(&project);
    project.script("project/guard.sh", "echo '{}'");
    let ran = ask(&project);
    assert!(ran.stdout.contains("systemMessage") && ran.stdout.contains("has changed since it was trusted"), "{ran:?}");
}
