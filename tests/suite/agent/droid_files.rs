//! Droid reads its hooks from several files, and one can hide another: none of the user's hooks may be lost.

use super::install::{done, files, install, uninstall};
use crate::support::project::Project;
use serde_json::{Value, json};
use std::fs;

const MAIN: &str = ".factory/hooks.json";
const OLDER: &str = ".factory/hooks/hooks.json";
const SETTINGS: &str = ".factory/settings.json";

fn hooks(event: &str) -> Value {
    json!({event: [{"hooks": [{"type": "command", "command": "mine.sh"}]}]})
}

fn document(project: &Project, file: &str) -> Value {
    let text = fs::read_to_string(project.home().join(file)).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default()
}

/// Returns the commands that Droid runs for an event: those of the main file, or of the older one in its place, and
/// those of the settings unless that file names the event.
fn commands(project: &Project, event: &str) -> Vec<String> {
    let main = document(project, if project.home().join(MAIN).exists() { MAIN } else { OLDER });
    let settings = document(project, SETTINGS);
    let list = main.get(event).unwrap_or(&settings["hooks"][event]).clone();
    let hooks = list.as_array().cloned().unwrap_or_default().into_iter();
    let hooks = hooks.flat_map(|group| group["hooks"].as_array().cloned().unwrap_or_default());
    hooks.map(|hook| hook["command"].as_str().unwrap().to_owned()).collect()
}

const EVENTS: [&str; 5] = ["PreToolUse", "PostToolUse", "UserPromptSubmit", "SessionStart", "Stop"];

/// Files, each with the events that it has hooks for.
type Case = &'static [(&'static str, &'static [&'static str])];

const CASES: [Case; 8] = [
    &[(SETTINGS, &["SessionStart"])],
    &[(SETTINGS, &["SessionStart", "PreToolUse", "Notification"])],
    &[(SETTINGS, &["Notification"])],
    &[(OLDER, &["SessionStart"])],
    &[(OLDER, &["SessionStart", "Notification"]), (SETTINGS, &["SessionStart", "PreToolUse"])],
    &[(MAIN, &["PreToolUse"]), (SETTINGS, &["SessionStart", "PreToolUse"])],
    &[(MAIN, &["Stop"]), (OLDER, &["SessionStart"]), (SETTINGS, &["SessionStart"])],
    &[(SETTINGS, &[])],
];

fn project(case: Case) -> Project {
    let project = Project::new().user("[hooks.guard]\nevents = [\"pre_tool\"]\ncommand = \"true\"\n");
    for (file, events) in case {
        let mut all = json!({});
        for event in *events {
            all[event] = hooks(event)[event].clone();
        }
        let text = if *file == SETTINGS { json!({"model": "m", "hooks": all}) } else { all };
        project.write(&format!("home/{file}"), text.to_string());
    }
    project
}

#[test]
fn installing_hides_no_hook_of_the_users() {
    for case in CASES {
        let project = project(case);
        let before: Vec<(std::path::PathBuf, String)> =
            files(&project).into_iter().map(|file| (file.clone(), fs::read_to_string(file).unwrap())).collect();
        let was: Vec<Vec<String>> =
            EVENTS.iter().chain(&["Notification"]).map(|event| commands(&project, event)).collect();
        install(&project, "droid");
        for (event, was) in EVENTS.iter().chain(&["Notification"]).zip(&was) {
            let is = commands(&project, event);
            let (ours, others): (Vec<_>, Vec<_>) = is.into_iter().partition(|command| command.contains("hook droid"));
            assert_eq!(&others, was, "{case:?}: {event}");
            assert_eq!(ours.len(), usize::from(*event != "Notification"), "{case:?}: {event}");
        }
        let report = project.run(&["doctor", "droid", "--format", "json"], "").json();
        assert_eq!(report["agents"][0]["problems"], json!([]), "{case:?}");
        assert!(install(&project, "droid").stdout.contains("asks hookbox already"), "{case:?}");
        uninstall(&project, "droid");
        let after: Vec<(std::path::PathBuf, String)> =
            files(&project).into_iter().map(|file| (file.clone(), fs::read_to_string(file).unwrap())).collect();
        assert_eq!(after, before, "{case:?}");
    }
}

#[test]
fn what_was_installed_over_the_users_hooks_is_found_and_moved() {
    for file in [SETTINGS, OLDER] {
        let project = project(&[]);
        install(&project, "droid");
        assert!(project.home().join(MAIN).exists());
        let text = hooks("SessionStart");
        let text = if file == SETTINGS { json!({"hooks": text}) } else { text };
        project.write(&format!("home/{file}"), text.to_string());
        assert_eq!(commands(&project, "SessionStart").len(), 1, "only hookbox's");
        let report = project.run(&["doctor", "droid", "--format", "json"], "").json();
        let problems = report["agents"][0]["problems"].to_string();
        assert!(problems.contains("hides the hooks that") && problems.contains(file), "{problems}");
        assert!(problems.contains("run `hookbox install droid`"), "{problems}");
        install(&project, "droid");
        assert_eq!(commands(&project, "SessionStart")[0], "mine.sh");
        assert!(EVENTS.iter().all(|event| commands(&project, event).iter().any(|line| line.contains("hook droid"))));
        let report = project.run(&["doctor", "droid", "--format", "json"], "").json();
        assert_eq!(report["agents"][0]["problems"], json!([]));
        uninstall(&project, "droid");
        assert_eq!(files(&project), [project.home().join(file)]);
        assert_eq!(document(&project, file), text);
    }
}

#[test]
fn an_entry_that_droid_does_not_read_is_no_entry() {
    let project = project(&[(SETTINGS, &["PreToolUse"])]);
    install(&project, "droid");
    project.write(&format!("home/{MAIN}"), hooks("PreToolUse").to_string());
    let report = project.run(&["doctor", "droid", "--format", "json"], "").json();
    let problems = report["agents"][0]["problems"].to_string();
    assert!(problems.contains("reads `PreToolUse` from") && problems.contains(MAIN), "{problems}");
    install(&project, "droid");
    assert!(commands(&project, "PreToolUse").iter().any(|line| line.contains("hook droid")));
}

#[test]
fn a_projects_files_are_treated_alike() {
    let project = Project::new();
    let path = project.write("project/.factory/settings.json", json!({"hooks": hooks("Stop")}).to_string());
    done(project.run(&["install", "droid", "--project", "--yes"], ""));
    assert!(!project.dir().join(MAIN).exists());
    assert!(fs::read_to_string(path).unwrap().contains("hook droid"));
}

/// As seen with the real program: the switch is beside the events, and works for all of the files.
#[test]
fn the_switch_among_the_hooks_is_seen_and_nothing_else_is_taken_for_it() {
    let switch = json!({"hooksDisabled": true});
    for (file, text, by) in [
        (SETTINGS, json!({"hooks": switch}), Some("`hooks.hooksDisabled`")),
        (MAIN, switch.clone(), Some("`hooksDisabled`")),
        (SETTINGS, switch, None),
    ] {
        let project = project(&[]);
        install(&project, "droid");
        let path = project.home().join(file);
        let mut settings: Value =
            fs::read_to_string(&path).map_or(json!({}), |text| serde_json::from_str(&text).unwrap());
        settings.as_object_mut().unwrap().extend(text.as_object().unwrap().clone());
        fs::write(&path, settings.to_string()).unwrap();
        let report = project.run(&["doctor", "droid", "--format", "json"], "").json();
        let problems = report["agents"][0]["problems"].to_string();
        let expected = by.map(|by| format!("switches hooks off, by {by}"));
        assert_eq!(problems.contains("switches hooks off"), expected.is_some(), "{file}: {problems}");
        assert!(expected.is_none_or(|expected| problems.contains(&expected)), "{file}: {problems}");
    }
}
