//! Commands whose stdout cannot be written or read.

use crate::support::project::{Project, run};
use serde_json::json;

/// Returns the exit status of a hook's answer, with stdout redirected in this way.
#[track_caller]
fn status(answer: &str, redirection: &str) -> i32 {
    let args = json!(["-c", format!("printf '%s' '{answer}'")]);
    let hook = format!("[hooks.h]\nevents = [\"pre_tool\"]\ncommand = \"/bin/sh\"\nargs = {args}\n");
    let project = Project::new().user(&hook);
    project.write("home/input", r#"{"event":"pre_tool","tool_name":"bash","tool_input":{}}"#);
    let line = format!("\"$0\" run --home \"$HOME\" <\"$HOME/input\" {redirection}");
    let mut command = std::process::Command::new("sh");
    command.args(["-c", &line]).arg(assert_cmd::cargo::cargo_bin("hookbox"));
    command.env("HOME", project.home()).current_dir(project.dir());
    command.status().unwrap().code().unwrap()
}

const MODIFY: &str = r#"{"decision":"modify","modified_tool_input":{"a":1}}"#;

#[test]
fn what_the_exit_status_cannot_say_is_not_lost_with_an_allow() {
    for answer in [MODIFY, r#"{"stop":true}"#, r#"{"additional_context":"careful"}"#] {
        assert_eq!(status(answer, ">out"), 0, "{answer}: somebody reads it");
        assert_eq!(status(answer, ">&-"), 1, "{answer}: closed");
        assert_eq!(status(answer, ">/dev/full"), 1, "{answer}: full");
        assert_eq!(status(answer, "1<>/dev/null"), 1, "{answer}: how Rust fills in for a closed stdout");
    }
}

#[test]
fn who_discards_the_outcome_gets_the_verdict_by_status() {
    for (answer, expected) in [("", 0), (MODIFY, 0), (r#"{"decision":"deny"}"#, 2), (r#"{"decision":"ask"}"#, 3)] {
        assert_eq!(status(answer, ">/dev/null"), expected, "{answer}");
    }
}

#[test]
fn a_plain_verdict_is_told_by_the_status_alone() {
    for (answer, expected) in [("", 0), (r#"{"decision":"deny"}"#, 2), (r#"{"decision":"ask"}"#, 3)] {
        assert_eq!(status(answer, ">&-"), expected, "{answer}");
    }
}

#[test]
fn stdin_and_stderr_may_be_closed_too() {
    assert_eq!(status(MODIFY, ">&- 2>&-"), 1);
    assert_eq!(status(MODIFY, ">out 2>&-"), 0);
    assert_eq!(status(r#"{"decision":"deny"}"#, "<&- >&- 2>&-"), 1, "there is no Input");
}

/// A file that the output is redirected to would be valid, but lack hooks or cases.
#[test]
fn hooks_and_cases_that_cannot_be_written_are_an_error() {
    let project = Project::new().user("[log]\n[hooks.h]\nevents = [\"pre_tool\"]\ncommand = \"true\"\n");
    project.write("project/settings.json", r#"{"hooks":{"PreToolUse":[{"command":"exit 2"}]}}"#);
    let input = r#"{"event":"pre_tool","session_id":"s","tool_name":"bash","tool_input":{"command":"ls"}}"#;
    assert_eq!(project.run(&["run"], input).status, 0);
    for args in [&["convert", "--from", "ok", "settings.json"][..], &["log", "--as-cases"]] {
        let written = project.run(args, "");
        assert!(written.status == 0 && !written.stdout.is_empty(), "{args:?}: {written:?}");
        let mut command = assert_cmd::Command::new("sh");
        command.args(["-c", r#"exec "$0" "$@" >/dev/full"#]).arg(assert_cmd::cargo::cargo_bin("hookbox")).args(args);
        command.env("HOME", project.home()).current_dir(project.dir());
        for name in ["XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"] {
            command.env_remove(name);
        }
        let ran = run(&mut command);
        assert!(ran.status == 1 && ran.stderr.contains("could not be written to stdout"), "{args:?}: {ran:?}");
    }
}
