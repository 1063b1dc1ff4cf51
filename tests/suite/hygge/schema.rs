//! What an entry of `hooks.toml` may say, and what is made of it.

use super::fixture::{hygge, loader, program_hook};
use hookbox::config::{Loaded, Severity};
use hookbox::{Event, Input, Mode, Verdict};
use std::time::Duration;

fn load(toml: &str) -> Loaded {
    loader(&hygge().project(toml)).load()
}

/// An entry with nothing but what it needs.
fn minimal() -> String {
    program_hook("t", &["pre_tool"], "true")
}

fn problems(loaded: &Loaded) -> Vec<&str> {
    loaded.problems.iter().map(|problem| problem.message.as_str()).collect()
}

/// The events of the only hook, each with its mode.
fn events(loaded: &Loaded) -> Vec<(Event, Mode)> {
    let hooks = loaded.registry.all();
    assert_eq!(hooks.len(), 1);
    hooks[0].info().events.clone()
}

#[test]
fn timeouts() {
    const DEFAULT: Option<Duration> = Some(Duration::from_secs(5));
    let millis = |millis| Some(Duration::from_millis(millis));
    let rows = [
        ("", DEFAULT, 0),
        ("  \t", DEFAULT, 0),
        ("500ms", millis(500), 0),
        ("3s", millis(3_000), 0),
        ("1m30s", millis(90_000), 0),
        (" 2s ", millis(2_000), 0),
        ("1.5s", millis(1_500), 0),
        (".5s", millis(500), 0),
        ("24h", millis(86_400_000), 0),
        ("0s", None, 0),
        ("0", None, 0),
        ("-1s", None, 0),
        ("10", DEFAULT, 1),
        ("abc", DEFAULT, 1),
        ("1d", DEFAULT, 1),
        ("1s 2s", DEFAULT, 1),
    ];
    for (text, expected, warnings) in rows {
        let loaded = load(&format!("{}timeout = {text:?}\n", minimal()));
        assert_eq!(loaded.registry.all()[0].info().timeout, expected, "{text:?}");
        assert_eq!(loaded.problems.len(), warnings, "{text:?}: {:?}", problems(&loaded));
        for problem in &loaded.problems {
            assert_eq!(problem.severity, Severity::Warning);
            assert!(problem.message.contains("invalid timeout"), "{problem}");
        }
    }
}

#[test]
fn an_absent_timeout_is_five_seconds() {
    assert_eq!(load(&minimal()).registry.all()[0].info().timeout, Some(Duration::from_secs(5)));
}

#[tokio::test]
async fn a_timeout_of_zero_or_below_lets_a_hook_take_its_time() {
    for timeout in ["0s", "-1s"] {
        let entry = program_hook("t", &["pre_tool"], "/bin/sh");
        let toml = format!("{entry}args = [\"-c\", \"sleep 0.1; echo late >&2; exit 1\"]\ntimeout = {timeout:?}\n");
        let project = hygge().project(&toml);
        let outcome = loader(&project).load().registry.run_pre(Input::pre_tool("bash", "{}").unwrap()).await;
        assert_eq!(outcome.reason.as_deref(), Some("late"), "{timeout}");
    }
}

#[test]
fn a_wrong_type_costs_the_whole_file() {
    let rows = [
        "timeout = 5",
        "description = 1",
        "events = \"pre_tool\"",
        "events = [1]",
        "command = [\"true\"]",
        "args = \"x\"",
        "mode = true",
        "fail_closed = \"yes\"",
        "env = [\"A=b\"]",
        "env = { A = 1 }",
    ];
    for row in rows {
        let loaded = load(&format!("{}[hooks.bad]\n{row}\n", minimal()));
        assert!(loaded.registry.all().is_empty(), "{row}");
        assert_eq!(loaded.problems.len(), 1, "{row}: {:?}", problems(&loaded));
    }
}

#[test]
fn events_are_filtered_one_by_one() {
    let loaded = load("[hooks.t]\nevents = [\"x\", \" post_tool \", \"PRE_TOOL\", \"pre_tool\"]\ncommand = \"true\"\n");
    assert_eq!(events(&loaded), [(Event::PostTool, Mode::Sync), (Event::PreTool, Mode::Sync)]);
    let problems = problems(&loaded);
    assert_eq!(problems.len(), 2, "{problems:?}");
    assert!(problems.iter().all(|problem| problem.contains("unknown event")), "{problems:?}");
}

#[test]
fn an_entry_that_cannot_be_used_is_skipped_alone() {
    let rows = [
        ("", "events = [\"pre_tool\"]\ncommand = \"true\"", "hook name must not be empty"),
        (" ", "events = [\"pre_tool\"]\ncommand = \"true\"", "hook name must not be empty"),
        ("bad", "command = \"true\"", "events must be non-empty"),
        ("bad", "events = []\ncommand = \"true\"", "events must be non-empty"),
        ("bad", "events = [\"pre_tool\"]", "command is required"),
        ("bad", "events = [\"pre_tool\"]\ncommand = \"\"", "command is required"),
        ("bad", "events = [\"nope\"]\ncommand = \"true\"", "no valid events remain after filtering"),
        (
            "bad",
            "events = [\"post_tool\", \"pre_message\"]\ncommand = \"true\"\nmode = \"async\"",
            "async mode is not valid for pre_* events",
        ),
    ];
    for (name, body, words) in rows {
        let loaded = load(&format!("[hooks.{name:?}]\n{body}\n{}", minimal()));
        let hooks = loaded.registry.all();
        assert_eq!(hooks.len(), 1, "{body}");
        assert_eq!(hooks[0].info().name, "t");
        assert!(problems(&loaded).iter().any(|problem| problem.contains(words)), "{:?}", problems(&loaded));
    }
}

#[test]
fn only_the_word_async_is_async() {
    for (mode, expected) in [
        ("async", Mode::Async),
        (" ASync ", Mode::Async),
        ("sync", Mode::Sync),
        ("", Mode::Sync),
        ("asynchronous", Mode::Sync),
    ] {
        let loaded = load(&format!("{}mode = {mode:?}\n", program_hook("t", &["post_tool"], "true")));
        assert_eq!(events(&loaded), [(Event::PostTool, expected)], "{mode:?}");
        assert!(loaded.problems.is_empty(), "{mode:?}: {:?}", problems(&loaded));
    }
}

/// hygge makes every event of such a hook async and then never asks it on `pre_tool`: a guard that is silently
/// inert. Here it keeps gating, and only its `post_message` is async.
#[tokio::test]
async fn post_message_does_not_take_a_guard_away_from_pre_tool() {
    let project =
        hygge().project("[hooks.t]\nevents = [\"pre_tool\", \"post_message\"]\ncommand = \"/usr/bin/false\"\n");
    let loaded = loader(&project).load();
    assert_eq!(events(&loaded), [(Event::PreTool, Mode::Sync), (Event::PostMessage, Mode::Async)]);
    assert!(problems(&loaded)[0].contains("post_message hooks are always async"), "{:?}", problems(&loaded));
    let outcome = loaded.registry.run_pre(Input::pre_tool("bash", "{}").unwrap()).await;
    assert_eq!(outcome.verdict, Verdict::Deny);
}

#[test]
fn names_and_descriptions_are_trimmed_and_other_keys_are_overlooked() {
    let loaded = load(
        "title = 1\n[hooks.\" guard \"]\ndescription = \" Policy check\\n\"\nevents = [\"pre_tool\"]\n\
         command = \"true\"\nfail_closed = true\nmatch = 7\n",
    );
    let hooks = loaded.registry.all();
    assert_eq!(hooks[0].info().name, "guard");
    assert_eq!(hooks[0].info().description, "Policy check");
    assert!(loaded.problems.is_empty(), "{:?}", problems(&loaded));
}

#[test]
fn keys_are_known_in_any_case_of_their_letters() {
    let loaded = load(
        "[Hooks.a]\nEVENTS = [\"pre_tool\"]\nCommand = \"true\"\nTimeOut = \"1s\"\n\
         [hooks.b]\nevents = [\"pre_tool\"]\ncommand = \"true\"\n",
    );
    let hooks = loaded.registry.for_event(Event::PreTool);
    let found: Vec<_> = hooks.iter().map(|hook| (hook.info().name.as_str(), hook.info().timeout)).collect();
    assert_eq!(found, [("a", Some(Duration::from_secs(1))), ("b", Some(Duration::from_secs(5)))]);
}

#[tokio::test]
async fn a_blank_command_is_taken_and_then_cannot_be_started() {
    let project = hygge().project(&program_hook("t", &["pre_tool"], "  "));
    let outcome = loader(&project).load().registry.run_pre(Input::pre_tool("bash", "{}").unwrap()).await;
    let reason = r#"hook t exited with error: exec: "  ": executable file not found in $PATH"#;
    assert_eq!(outcome.reason.as_deref(), Some(reason));
}
