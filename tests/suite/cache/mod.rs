//! The cache, which saves time. Whatever is wrong with it, verdicts are correct.

mod crashes;
mod digests;
mod faults;
mod places;

use crate::support::component::Guest;
use crate::support::project::{Project, Ran};
use serde_json::Value;
use std::fs;
use std::path::PathBuf;

const HOOK: &str = "[hooks.guard]\nevents = [\"pre_tool\"]\ncomponent = \"guard.wasm\"\n";

/// Creates a user with one component that denies with this reason.
fn denying(reason: &str) -> Project {
    let project = Project::new().user(HOOK);
    let answer = format!(r#"{{"decision":"deny","reason":"{reason}"}}"#);
    project.write("home/.agents/guard.wasm", Guest::answering(&answer).build());
    project
}

/// Creates the same user, after a first call that filled the cache.
fn cached() -> Project {
    let project = denying("no");
    assert_eq!(ask(&project), (true, vec![]));
    project
}

/// Asks, and returns whether the component was compiled for it, and the codes of the warnings. The verdict is always
/// the same.
#[track_caller]
fn ask(project: &Project) -> (bool, Vec<String>) {
    verdict(&project.run(&["run", "-v"], CALL))
}

const CALL: &str = r#"{"event":"pre_tool","tool_name":"bash","tool_input":{"command":"ls"}}"#;

#[track_caller]
fn verdict(ran: &Ran) -> (bool, Vec<String>) {
    let outcome = ran.json();
    assert_eq!((ran.status, &outcome["denied_by"]), (2, &Value::from("guard")), "{ran:?}");
    assert_eq!(outcome["reason"], "no", "{ran:?}");
    let warnings = outcome["warnings"].as_array().unwrap();
    let codes = warnings.iter().map(|warning| warning["code"].as_str().unwrap().to_owned()).collect();
    (ran.stderr.contains("component compiled"), codes)
}

fn dir(project: &Project) -> PathBuf {
    project.home().join(".cache/hookbox/v1")
}

fn key(project: &Project) -> PathBuf {
    project.home().join(".local/state/hookbox/cache.key")
}

/// Returns the files in the cache, whatever their names.
fn files(project: &Project) -> Vec<PathBuf> {
    let entries = fs::read_dir(dir(project)).into_iter().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[track_caller]
fn only_file(project: &Project) -> PathBuf {
    let files = files(project);
    assert_eq!(files.len(), 1, "{files:?}");
    files[0].clone()
}

#[test]
fn a_component_is_compiled_once() {
    let project = cached();
    assert_eq!(ask(&project), (false, vec![]));
    let other = Guest::answering(r#"{"decision":"deny","reason":"no"} "#).build();
    project.write("home/.agents/guard.wasm", other);
    assert_eq!(ask(&project), (true, vec![]), "other bytes are another component");
    assert_eq!(ask(&project), (false, vec![]));
    assert_eq!(files(&project).len(), 2);
}

#[test]
fn check_fills_it() {
    let project = denying("no");
    assert_eq!(project.run(&["check"], "").status, 0);
    assert_eq!(ask(&project), (false, vec![]));
}

#[test]
fn commands_list_and_empty_it() {
    let project = cached();
    let entry = only_file(&project);
    let listing = project.run(&["cache", "list", "--format", "json"], "").json();
    assert_eq!(listing["path"], dir(&project).to_str().unwrap());
    assert_eq!(listing["size"], fs::metadata(&entry).unwrap().len());
    let listed = &listing["entries"][0];
    assert_eq!(listed["sha256"], entry.file_name().unwrap().to_str().unwrap());
    assert_eq!(listed["kind"], "code");
    let text = project.run(&["cache", "list"], "").stdout;
    assert!(text.contains("code") && text.contains("1 entry"), "{text}");
    let path = project.run(&["cache", "path"], "").stdout;
    assert_eq!(path.trim_end(), dir(&project).to_str().unwrap());
    let cleaned = project.run(&["cache", "clean", "--format", "json"], "").json();
    assert_eq!((&cleaned["removed"], &cleaned["size"]), (&Value::from(1), &listing["size"]));
    assert_eq!(files(&project), Vec::<PathBuf>::new());
    assert_eq!(ask(&project), (true, vec![]));
    let empty = Project::new().run(&["cache", "list", "--format", "json"], "").json();
    assert_eq!((&empty["size"], &empty["entries"]), (&Value::from(0), &Value::Array(vec![])));
}

#[test]
fn machine_code_from_elsewhere_is_never_loaded() {
    let project = cached();
    let entry = fs::read(only_file(&project)).unwrap();
    let code = entry.windows(4).position(|bytes| bytes == b"\x7fELF").unwrap();
    for bytes in [&entry[code..], &entry[..]] {
        project.write("home/.agents/guard.wasm", bytes);
        let ran = project.run(&["run"], CALL);
        assert_eq!((ran.status, &ran.json()["hooks"][0]["code"]), (2, &Value::from("E202")), "{ran:?}");
    }
}

#[test]
fn code_that_counts_fuel_is_another() {
    let project = cached();
    project.write("home/.agents/hooks.toml", format!("{HOOK}limits = {{ fuel = 1_000_000 }}\n"));
    assert_eq!(ask(&project), (true, vec![]));
    assert_eq!(ask(&project), (false, vec![]));
    project.write("home/.agents/hooks.toml", HOOK);
    assert_eq!(ask(&project), (false, vec![]));
    let listing = project.run(&["cache", "list", "--format", "json"], "").json();
    let kinds: Vec<&Value> = listing["entries"].as_array().unwrap().iter().map(|entry| &entry["kind"]).collect();
    assert_eq!(kinds, ["code", "metered"]);
    assert_eq!(listing["entries"][0]["sha256"], listing["entries"][1]["sha256"]);
}
