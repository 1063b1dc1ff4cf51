//! The output of commands has no characters that a terminal or a model would not show.

use crate::support::project::{Project, Ran};
use hookbox::visible;
use serde_json::json;

const NASTY: &str = "n\u{202e}\u{9b}31m\u{200b}\u{e0041}o";

#[track_caller]
fn assert_visible(ran: &Ran, what: &str) {
    for text in [&ran.stdout, &ran.stderr] {
        assert_eq!(visible(text), *text, "{what}: {ran:?}");
    }
}

/// Creates a project with a hook that has such characters in its name and texts.
fn project() -> Project {
    let script = format!("echo '{{\"decision\":\"deny\",\"reason\":\"{NASTY}\"}}'");
    let args = serde_json::to_string(&["-c", &script]).unwrap();
    let entry = |name: &str| {
        format!(
            "[hooks.\"{name}\"]\ndescription = \"{name}\"\nevents = [\"pre_tool\"]\ncommand = \"/bin/sh\"\nargs = {args}\n"
        )
    };
    // TOML accepts these characters except for the C1 control, which must be escaped.
    Project::new().user(&entry(NASTY).replace('\u{9b}', "\\u009b"))
}

#[test]
fn an_outcome() {
    let ran = project().ask_bash("ls");
    assert_eq!(
        (ran.status, ran.json()["reason"].as_str(), ran.json()["denied_by"].as_str()),
        (2, Some(NASTY), Some(NASTY))
    );
    assert_visible(&ran, "run");
    let ran = project().with_args(&["-vv"]).ask_bash("ls");
    assert!(ran.stderr.contains("event decided"), "{}", ran.stderr);
    assert_visible(&ran, "run -vv");
}

#[test]
fn listings() {
    let project = project();
    for (command, args) in [
        ("list", &[][..]),
        ("list", &["--format", "json"]),
        ("show", &[NASTY]),
        ("show", &[NASTY, "--format", "json"]),
        ("check", &[]),
        ("check", &["--format", "json"]),
    ] {
        let ran = project.hookbox(command, args);
        assert!(!ran.stdout.is_empty(), "{command} {args:?}: {ran:?}");
        assert_visible(&ran, command);
    }
    let listed: serde_json::Value = project.hookbox("list", &["--format", "json"]).json();
    assert!(listed.to_string().contains(NASTY), "the value stays: {listed}");
    let broken = Project::new().user(&format!("[hooks.\"{NASTY}\"]\nnope = 1\n").replace('\u{9b}', "\\u009b"));
    let ran = broken.hookbox("check", &[]);
    assert_ne!(ran.status, 0);
    assert_visible(&ran, "check");
}

#[test]
fn answers_in_the_form_of_other_systems() {
    // The text is octal, since each config format has different escapes.
    let octal: String = NASTY.bytes().map(|byte| format!("\\{byte:03o}")).collect();
    let say = |status: u8| format!("printf '{octal}' >&2; exit {status}");
    let docker = format!("hooks:\n  pre_tool_use:\n    - hooks: [{{type: command, command: {}}}]\n", json!(say(2)));
    let ok = json!({ "hooks": { "PreToolUse": [{ "command": say(2) }] } }).to_string();
    let ub = format!(
        "hooks:\n  pre_tool_call:\n    - {{command: {}, on_failure: block}}\n",
        json!(["/bin/sh", "-c", say(1)])
    );
    let hygge =
        format!("[hooks.h]\nevents = [\"pre_tool\"]\ncommand = \"/bin/sh\"\nargs = {}\n", json!(["-c", say(1)]));
    for (dialect, file, config, payload) in [
        ("docker-agent", "d.yaml", &docker, json!({ "hook_event_name": "pre_tool_use", "tool_name": "a" })),
        ("ok", "o.json", &ok, json!({ "event": "PreToolUse", "toolName": "a", "toolArgs": {} })),
        ("ub", "u.yaml", &ub, json!({ "event": "pre_tool_call", "tool": { "name": "a" } })),
        ("hygge", "h.toml", &hygge, json!({ "event": "pre_tool", "tool_name": "a" })),
    ] {
        let project = Project::new();
        project.write(&format!("project/{file}"), config);
        let args = ["run", "--dialect", dialect, "--config", file, "--answer"];
        let ran = project.run(&args, &payload.to_string());
        assert_eq!(ran.status, 2, "{dialect}: {ran:?}");
        assert!(ran.json().to_string().contains(NASTY), "{dialect}: the value stays: {ran:?}");
        assert_visible(&ran, dialect);
    }
}

#[test]
fn a_converted_config() {
    let project = Project::new();
    let config = json!({ "hooks": { "PreToolUse": [{ "command": format!("echo {NASTY}") }] } }).to_string();
    project.write("project/o.json", config);
    let ran = project.run(&["convert", "--from", "ok", "o.json"], "");
    assert_eq!(ran.status, 0, "{ran:?}");
    assert_visible(&ran, "convert");
    let read: toml::Table = toml::from_str(&ran.stdout).unwrap();
    assert!(format!("{read:?}").contains(&format!("{NASTY:?}").trim_matches('"').to_owned()), "{read:?}");
}
