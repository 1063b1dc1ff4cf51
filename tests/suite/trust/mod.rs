//! `hookbox trust`: the user's permission for a project's hooks to run, and what ends it.

mod asking;
mod changes;
mod crashes;
mod listing;
mod owners;
mod permissions;
mod state;
mod vanish;

use crate::support::project::{Project, Ran};
use serde_json::{Value, json};
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

const INPUT: &str = r#"{"event":"pre_tool","tool_name":"bash","tool_input":{"command":"ls"}}"#;

/// A hook with a script of the project.
const GUARD: &str = "[hooks.guard]\nevents = [\"pre_tool\"]\ncommand = \"./guard.sh\"\n";

/// Creates a project whose only hook denies.
fn guarded() -> Project {
    let project = Project::new().project(GUARD);
    project.script("project/guard.sh", r#"echo '{"decision":"deny","reason":"no"}'"#);
    project
}

/// Like [`guarded`], but trusted.
fn trusted() -> Project {
    let project = guarded();
    trust(&project);
    project
}

/// Trusts the project as a user does, and returns what was shown.
#[track_caller]
pub fn trust(project: &Project) -> String {
    let (status, shown) = answer(project, &["trust"], "y");
    assert_eq!(status, 0, "{shown}");
    shown
}

/// Answers the question that a command asks, and returns the exit status and what was shown.
#[track_caller]
fn answer(project: &Project, args: &[&str], line: &str) -> (i32, String) {
    let mut terminal = project.terminal(args);
    terminal.wait_for("[y/N] ");
    terminal.type_line(line);
    terminal.end()
}

/// Runs `hookbox run` with a tool call.
fn ask(project: &Project) -> Ran {
    project.run(&["run"], INPUT)
}

/// Returns the result of `hookbox run` for a tool call, and the codes of its warnings.
fn verdict(project: &Project) -> (i32, Vec<String>) {
    let ran = ask(project);
    let outcome = ran.json();
    let codes = outcome["warnings"].as_array().unwrap().iter().map(|one| one["code"].as_str().unwrap().to_owned());
    (ran.status, codes.collect())
}

#[track_caller]
fn assert_trusted(project: &Project) {
    assert_eq!(verdict(project), (2, vec![]));
}

/// Checks that nothing of the project ran, and that this is reported with this code.
#[track_caller]
fn assert_untrusted(project: &Project, code: &str) {
    assert_eq!(verdict(project), (0, vec![code.to_owned()]));
}

fn store(project: &Project) -> PathBuf {
    project.home().join(".local/state/hookbox/trust")
}

/// Returns the files of the store.
fn kept(project: &Project) -> Vec<PathBuf> {
    let files = fs::read_dir(store(project)).into_iter().flatten();
    files.map(|entry| entry.unwrap().path()).collect()
}

/// Returns the output of `hookbox trust --list`.
fn listed(project: &Project) -> Value {
    let ran = project.run(&["trust", "--list", "--format", "json"], "");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    ran.json()["trusted"].clone()
}

/// Returns the states of the listed items.
fn states(project: &Project) -> Vec<Value> {
    listed(project).as_array().unwrap().iter().map(|one| one["state"].clone()).collect()
}

fn chmod(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

/// Returns the text without what differs from run to run.
fn stable(project: &Project, text: &str) -> String {
    let mut stable = project.stable(text);
    for (at, _) in text.match_indices("20") {
        if let Some(time) = text.get(at..at + 20).filter(|time| time.ends_with('Z') && time.contains('T')) {
            stable = stable.replace(time, "<time>");
        }
    }
    let is_digest = |word: &&str| word.len() == 64 && word.chars().all(|c| c.is_ascii_hexdigit());
    for digest in text.split_whitespace().filter(is_digest) {
        stable = stable.replace(digest, "<sha256>");
    }
    stable
}

#[test]
fn a_trusted_project_runs_like_the_users_own() {
    let project = guarded();
    assert_untrusted(&project, "E301");
    assert_eq!(listed(&project), json!([]));
    let shown = trust(&project);
    assert!(shown.ends_with(&format!("trusted {}/.agents/hooks.toml\n", project.dir().display())), "{shown}");
    assert_trusted(&project);
    assert_eq!(states(&project), ["trusted"]);

    let again = project.run(&["trust"], "");
    assert_eq!((again.status, again.stderr.as_str()), (0, ""));
    assert!(again.stdout.ends_with("hooks.toml is trusted as it is\n"), "{}", again.stdout);
    let check = project.run(&["check"], "");
    assert_eq!((check.status, check.stdout.as_str()), (0, "1 hook in 1 file: no problems\n"));
}

#[test]
fn trust_is_for_the_place_as_well() {
    let project = trusted();
    let copy = Project::new().project(GUARD);
    fs::copy(project.dir().join("guard.sh"), copy.dir().join("guard.sh")).unwrap();
    fs::create_dir_all(store(&copy)).unwrap();
    for file in kept(&project) {
        fs::copy(&file, store(&copy).join(file.file_name().unwrap())).unwrap();
    }
    chmod(&store(&copy), 0o700);
    assert_untrusted(&copy, "E301");
}

#[test]
fn commands_say_what_an_untrusted_project_does_not_run() {
    let project = guarded();
    let list = project.run(&["list"], "");
    assert_eq!((list.status, list.stdout.as_str()), (0, "(no configured hook runs)\n"));
    insta::assert_snapshot!(project.stable(&list.stderr), @"
    warning[E301]: this project is not trusted: 1 of its hooks did not run
     --> <root>/project/.agents/hooks.toml
      = help: look at the file, then run `hookbox trust`
    ");
    let show = project.run(&["show", "guard"], "");
    assert!(show.stdout.contains("problem:     does not run, since its project is not trusted"), "{}", show.stdout);
    assert_eq!(show.stderr, list.stderr);
    let check = project.run(&["check"], "");
    assert_eq!((check.status, check.stdout.as_str()), (0, "1 hook in 1 file: no problems\n"));
    assert_eq!(check.stderr, list.stderr);
}
