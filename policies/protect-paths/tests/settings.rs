//! The effect of the settings, and laws that hold for any call.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests fail by panics")]

use hookbox_sdk::{Access, Action, Event, Input, Json, Place, Tool, ToolKind, ToolPath};
use proptest::prelude::*;
use protect_paths::{Settings, judge};

fn settings(text: serde_json::Value) -> Settings {
    serde_json::from_value(text).unwrap()
}

fn write(path: &str, place: Place) -> Tool {
    let mut tool = Tool::new(ToolKind::Write);
    tool.paths = vec![ToolPath::new(path, Access::Write, place)];
    tool
}

fn decide(tool: &Tool, given: serde_json::Value) -> Action {
    let mut input = Input::new(Event::PreTool).with_facts(tool);
    input.pwd = "/home/me/app".to_owned();
    judge(&input.with_settings(settings(given))).unwrap()
}

/// Checks the decisions about writes. Each case has settings, a path, its place, and the expected decision.
fn have(cases: &[(serde_json::Value, &str, Place, &str)]) {
    for (given, path, place, expected) in cases {
        let action = decide(&write(path, *place), given.clone());
        let found = serde_json::to_value(action.decision).unwrap();
        assert_eq!(found, *expected, "{given} {path}: {:?}", action.reason);
    }
}

use serde_json::json;

#[test]
fn patterns_of_the_settings() {
    let more =
        json!({ "deny": ["prices.csv", "db/migrations/", "*.secret", "/srv/x", "~/notes"], "ask": ["src/**/gen?.rs"] });
    have(&[
        (more.clone(), "/home/me/app/prices.csv", Place::Project, "deny"),
        (more.clone(), "/home/me/app/a/prices.csv", Place::Project, "deny"),
        (more.clone(), "/home/me/app/db/migrations/1.sql", Place::Project, "deny"),
        (more.clone(), "/home/me/app/db/seeds/1.sql", Place::Project, "allow"),
        (more.clone(), "/home/me/app/A.SECRET", Place::Project, "deny"),
        (more.clone(), "/srv/x/y", Place::Other, "deny"),
        (more.clone(), "/home/me/app/srv/x", Place::Project, "allow"),
        (more.clone(), "/home/me/notes/a.md", Place::Home, "deny"),
        (more.clone(), "/home/me/app/src/a/gen1.rs", Place::Project, "ask"),
        (more, "/home/me/app/src/a/gen.rs", Place::Project, "allow"),
    ]);
}

#[test]
fn exceptions_outweigh_the_rest() {
    let allow = json!({ "allow": [".env.test", ".github/workflows", "Cargo.lock", "~/notes", "fixtures"], "deny": ["fixtures"] });
    have(&[
        (allow.clone(), "/home/me/app/.env.test", Place::Project, "allow"),
        (allow.clone(), "/home/me/app/.env", Place::Project, "deny"),
        (allow.clone(), "/home/me/app/.github/workflows/ci.yml", Place::Project, "allow"),
        (allow.clone(), "/home/me/app/Cargo.lock", Place::Project, "allow"),
        (allow.clone(), "/home/me/notes/a.md", Place::Home, "allow"),
        (allow.clone(), "/home/me/other/a.md", Place::Home, "ask"),
        (allow, "/home/me/app/fixtures/x.pem", Place::Project, "allow"),
    ]);
}

#[test]
fn outside_scratch_and_defaults() {
    have(&[
        (json!({}), "/srv/x", Place::Other, "ask"),
        (json!({ "outside": "deny" }), "/srv/x", Place::Other, "deny"),
        (json!({ "outside": "allow" }), "/srv/x", Place::Other, "allow"),
        (json!({ "outside": "allow" }), "/etc/sudoers", Place::Other, "deny"),
        (json!({ "scratch": ["/srv/x"] }), "/srv/x/y", Place::Other, "allow"),
        (json!({ "defaults": false }), "/home/me/app/.env", Place::Project, "allow"),
        (json!({ "defaults": false }), "/home/me/app/.agents/hooks.toml", Place::Hookbox, "deny"),
        (json!({ "mode": "audit" }), "/home/me/app/.env", Place::Project, "allow"),
    ]);
}

#[test]
fn reads_pass_unless_the_settings_say_otherwise() {
    let mut tool = Tool::new(ToolKind::Read);
    tool.paths = vec![ToolPath::new("/home/me/app/.env", Access::Read, Place::Project)];
    assert!(decide(&tool, json!({})).is_allow());
    assert!(decide(&tool, json!({ "reads": "ask" })).is_ask());
    assert!(decide(&tool, json!({ "reads": "deny" })).is_deny());
    tool.paths = vec![ToolPath::new("/home/me/app/src/a.rs", Access::Read, Place::Project)];
    assert!(decide(&tool, json!({ "reads": "deny" })).is_allow());
}

#[test]
fn a_path_counts_in_both_of_its_readings() {
    let mut tool = write("/home/me/app/notes", Place::Project);
    tool.paths.iter_mut().for_each(|path| path.real = Some("/home/me/app/.git/config".to_owned()));
    assert!(decide(&tool, json!({})).is_deny());
    tool.paths.iter_mut().for_each(|path| path.real = None);
    assert!(decide(&tool, json!({})).is_ask());
    assert!(decide(&tool, json!({ "unknown": "deny" })).is_deny());
    assert!(decide(&tool, json!({ "unknown": "allow" })).is_allow());
}

#[test]
fn settings_that_are_none_are_errors() {
    for given in [json!({ "deny": [""] }), json!({ "allow": ["../x"] }), json!({ "ask": ["~"] })] {
        let input = Input::new(Event::PreTool).with_facts(&Tool::new(ToolKind::Write));
        assert!(judge(&input.with_settings(settings(given.clone()))).is_err(), "{given}");
    }
    assert!(serde_json::from_value::<Settings>(json!({ "protect": [] })).is_err());
}

#[test]
fn an_input_without_facts_is_an_error() {
    assert!(judge(&Input::new(Event::PreTool).with_settings(Settings::default())).is_err());
}

fn names() -> impl Strategy<Value = String> {
    proptest::collection::vec(
        prop_oneof!["[a-zA-Z.*~:_-]{1,8}", Just("..".to_owned()), Just(".git".to_owned()), "\\PC{1,4}"],
        1..6,
    )
    .prop_map(|names| names.join("/"))
}

proptest! {
    /// A further path never makes a call more harmless.
    #[test]
    fn another_path_weakens_nothing(path in names(), other in names()) {
        let weight = |action: &Action| u8::from(action.is_ask()) + 2 * u8::from(action.is_deny());
        let alone = write(&format!("/home/me/app/{path}"), Place::Project);
        let mut both = alone.clone();
        both.paths.push(ToolPath::new(format!("/home/me/app/{other}"), Access::Write, Place::Project));
        let (both, alone) = (weight(&decide(&both, json!({}))), weight(&decide(&alone, json!({}))));
        prop_assert!(both >= alone);
    }

    /// The location of git's data, or the spelling of its name, changes nothing.
    #[test]
    fn the_data_of_git_is_protected_wherever_it_lies(above in "(/[a-z]{1,5}){0,4}", below in "(/[a-z*]{1,5}){0,3}", upper in any::<bool>()) {
        let git = if upper { ".GIT" } else { ".git" };
        let path = format!("/home/me/app{above}/{git}{below}");
        let action = decide(&write(&path, Place::Project), json!({}));
        prop_assert!(action.is_deny());
    }

    /// Facts of any form are either judged or refused without a panic.
    #[test]
    fn facts_of_any_form_never_panic(word in "\\PC{0,40}", name in "[a-z]{1,8}", access in 0..3_usize) {
        let access = ["read", "write", "delete"].get(access).copied().unwrap_or("list");
        let facts = json!({
            "kind": "shell", "complete": true, "command": word, "cwd": "/home/me/app",
            "paths": [{ "path": word, "as_written": word, "access": access }],
            "commands": [{
                "name": name, "text": word, "parent": 0, "reads_from": [0, 7],
                "argv": [name, "-e", word, { "raw": word, "parts": [{ "unknown": word }, word, { "glob": "*" }] }],
                "files": [{ "path": { "raw": word, "parts": [{ "unknown": word }] }, "access": access }],
            }],
        });
        let mut input = Input::new(Event::PreTool);
        input.tool = Json::from_value(&facts).ok();
        let _ = judge(&input.with_settings(Settings::default()));
    }
}
