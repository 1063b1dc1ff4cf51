//! A rewrite keeps the kind of what it replaces.

use crate::support::component::Guest;
use crate::support::plain;
use crate::support::project::Project;
use hookbox::runtime::shell::{Command, HookboxCodec, ShellHook};
use hookbox::{Action, Code, Decision, Event, Hook, HookInfo, Input, Json, NativeHook, Outcome, Registry, Verdict};
use serde_json::json;
use std::sync::Arc;

/// The tool's input, a rewrite, and whether it is valid.
const REWRITES: [(Option<&str>, &str, bool); 20] = [
    (Some(r#"{"a":1}"#), r#""modified_tool_input":{"b":2}"#, true),
    (Some(r#"{"a":1}"#), r#""modified_tool_input":{}"#, true),
    (Some(r#"{"a":1}"#), r#""modified_tool_input":[]"#, false),
    (Some(r#"{"a":1}"#), r#""modified_tool_input":null"#, false),
    (Some(r#"{"a":1}"#), r#""modified_tool_input":"x""#, false),
    (Some(r#"{"a":1}"#), r#""modified_tool_input":5"#, false),
    (Some(r#"{"a":1}"#), r#""modified_tool_input":true"#, false),
    (Some(r#"{"a":1}"#), r#""updated_input":{"b":2}"#, true),
    (Some(r#"["x"]"#), r#""modified_tool_input":[1]"#, true),
    (Some(r#"["x"]"#), r#""modified_tool_input":{"0":"x"}"#, false),
    (Some(r#"["x"]"#), r#""updated_input":{"b":2}"#, false),
    (Some(r#""x""#), r#""modified_tool_input":"y""#, true),
    (Some(r#""x""#), r#""modified_tool_input":1"#, false),
    (Some("1"), r#""modified_tool_input":-2.5"#, true),
    (Some("true"), r#""modified_tool_input":false"#, true),
    (Some("true"), r#""modified_tool_input":0"#, false),
    (Some("null"), r#""modified_tool_input":{"a":1}"#, true),
    (Some("null"), r#""modified_tool_input":[1]"#, true),
    (None, r#""modified_tool_input":{"a":1}"#, true),
    (None, r#""updated_input":{"a":1}"#, true),
];

fn call(args: Option<&str>) -> Input {
    let mut input = Input::new(Event::PreTool);
    input.tool_input = args.map(|args| Json::parse(args).unwrap());
    input
}

async fn ask(hook: impl Hook + 'static, input: Input) -> Outcome {
    let registry = Registry::new();
    registry.register(hook).unwrap();
    registry.run_pre(input).await
}

#[track_caller]
fn assert_kept(outcome: &Outcome, row: (Option<&str>, &str, bool), how: &str) {
    let (args, rewrite, is_one) = row;
    if is_one {
        assert_eq!((outcome.verdict, outcome.modified), (Verdict::Allow, true), "{how} {row:?}: {outcome:?}");
        return;
    }
    assert_eq!(
        (outcome.verdict, outcome.hooks[0].code),
        (Verdict::Deny, Some(Code::Action)),
        "{how} {row:?}: {outcome:?}"
    );
    assert_eq!(outcome.input.as_ref().unwrap().tool_input.as_ref().map(Json::as_str), args);
    let key = rewrite.split('"').nth(1).unwrap();
    let reason = outcome.reason.as_deref().unwrap();
    assert!(reason.contains(&format!("`{key}` is ")) && reason.contains("must keep its kind"), "{reason}");
}

#[tokio::test]
async fn of_a_component() {
    for row in REWRITES {
        let answer = format!(r#"{{"decision":"modify",{}}}"#, row.1);
        let outcome = ask(plain("guard", &Guest::answering(&answer).build()), call(row.0)).await;
        assert_kept(&outcome, row, "component");
    }
}

#[tokio::test]
async fn of_a_shell_hook() {
    for row in REWRITES {
        let command = Command::new("/bin/echo", "/").with_args([format!(r#"{{"decision":"modify",{}}}"#, row.1)]);
        let info = HookInfo::new("guard", [Event::PreTool]);
        let outcome = ask(ShellHook::new(info, command, None, Arc::new(HookboxCodec)), call(row.0)).await;
        assert_kept(&outcome, row, "shell");
    }
}

#[tokio::test]
async fn of_a_native_hook() {
    for row in REWRITES {
        let answer = format!(r#"{{"decision":"modify",{}}}"#, row.1);
        let action = Action::from_slice(answer.as_bytes(), Event::PreTool).unwrap();
        let hook = NativeHook::new("guard", [Event::PreTool], move |_| Ok(action.clone()));
        assert_kept(&ask(hook, call(row.0)).await, row, "native");
    }
}

/// An answer that is a text is checked when it is read, but that of a native hook is not read.
#[tokio::test]
async fn messages_of_a_native_hook_that_are_no_list_are_a_failure() {
    for (messages, code) in
        [("[]", None), ("{}", Some(Code::Action)), (r#""[]""#, Some(Code::Action)), ("null", Some(Code::Action))]
    {
        let messages = Json::parse(messages).unwrap();
        let action = set!(Action::allow(), decision: Decision::Modify, updated_messages: Some(messages.clone()));
        let hook = NativeHook::new("guard", [Event::BeforeLlmCall], move |_| Ok(action.clone()));
        let outcome = ask(hook, Input::new(Event::BeforeLlmCall)).await;
        let verdict = if code.is_some() { Verdict::Deny } else { Verdict::Allow };
        assert_eq!((outcome.verdict, outcome.hooks[0].code), (verdict, code), "{messages:?}: {outcome:?}");
    }
}

#[test]
fn a_rewrite_that_does_not_count_is_not_looked_at() {
    let read = |text: &str| Action::answer_to(&call(Some("{}")), text.as_bytes());
    assert!(read(r#"{"decision":"allow","modified_tool_input":[]}"#).is_ok());
    assert!(read(r#"{"decision":"deny","modified_tool_input":[]}"#).is_ok());
    let error = read(r#"{"decision":"modify","modified_tool_input":[]}"#).unwrap_err().to_string();
    assert_eq!(
        error,
        "`modified_tool_input` is a list where the tool's input is an object; a rewrite must keep its kind"
    );
}

/// hygge passes on any rewrite of its hooks.
#[test]
fn hygge_is_as_lenient_as_it_was() {
    let project = Project::new();
    let script = r#"echo '{"decision":"modify","modified_tool_input":[1]}'"#;
    let config =
        format!("[hooks.h]\nevents = [\"pre_tool\"]\ncommand = \"/bin/sh\"\nargs = {}\n", json!(["-c", script]));
    project.write("project/h.toml", config);
    let args = ["run", "--dialect", "hygge", "--config", "h.toml"];
    let ran = project.run(&args, r#"{"event":"pre_tool","tool_name":"bash","tool_input":{"a":1}}"#);
    assert_eq!((ran.status, &ran.json()["input"]["tool_input"]), (0, &json!([1])), "{ran:?}");
}
