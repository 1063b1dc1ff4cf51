//! Facts in the Input of hooks.

use super::json;
use crate::support::{bash, project::Project};
use hookbox::{Action, Code, Event, Input, NativeHook, Registry, Tool, ToolKind, Verdict};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};

/// Returns a hook that records the facts that it sees and answers with `action`.
fn watcher(seen: &Arc<Mutex<Vec<Option<Tool>>>>, events: &[Event], action: Action) -> impl hookbox::Hook + use<> {
    let seen = Arc::clone(seen);
    NativeHook::new("watcher", events.iter().copied(), move |input| {
        seen.lock().unwrap().push(input.facts().cloned());
        Ok(action.clone())
    })
}

fn command(facts: &Option<Tool>) -> Option<&str> {
    facts.as_ref()?.command.as_deref()
}

#[tokio::test]
async fn every_event_about_a_tool_has_facts_and_no_other() {
    let seen = Arc::default();
    let registry = Registry::new();
    registry.register(watcher(&seen, Event::ALL, Action::allow())).unwrap();
    for event in Event::ALL {
        let mut input = bash("ls");
        input.event = *event;
        registry.run(input).await;
        let facts = seen.lock().unwrap().pop().unwrap();
        assert_eq!(facts.is_some(), event.has_tool(), "{event}");
    }
}

#[tokio::test]
async fn after_a_rewrite_the_facts_are_those_of_the_new_input() {
    let seen = Arc::default();
    let registry = Registry::new();
    let rewrite = Action::modify_tool_input(json(&json!({"command": "rm -rf /"})));
    registry.register(watcher(&seen, &[Event::PreTool], Action::allow())).unwrap();
    registry.register(NativeHook::new("rewriter", [Event::PreTool], move |_| Ok(rewrite.clone()))).unwrap();
    registry.register(watcher(&seen, &[Event::PreTool], Action::allow())).unwrap();
    let outcome = registry.run(bash("ls")).await;
    assert!(outcome.modified);
    let seen = seen.lock().unwrap();
    assert_eq!(seen.iter().map(command).collect::<Vec<_>>(), [Some("ls"), Some("rm -rf /")]);
    assert_eq!(outcome.input.unwrap().facts().unwrap().command.as_deref(), Some("rm -rf /"));
}

#[tokio::test]
async fn an_input_that_comes_back_is_looked_at_again() {
    let seen = Arc::default();
    let registry = Registry::new();
    registry.register(watcher(&seen, &[Event::PreTool], Action::allow())).unwrap();
    let mut input = registry.run(bash("ls")).await.input.unwrap();
    input.tool_input = Some(json(&json!({"command": "rm -rf /"})));
    registry.run(input).await;
    assert_eq!(seen.lock().unwrap().iter().map(command).collect::<Vec<_>>(), [Some("ls"), Some("rm -rf /")]);
}

#[tokio::test]
async fn a_host_may_send_the_facts_itself() {
    let sent = json!({
        "event": "pre_tool", "tool_name": "launch", "tool_input": {"pad": 3},
        "tool": {"kind": "shell", "command": "ignite --pad 3", "paths": [{"path": "/pad", "access": "write"}], "complete": true},
    });
    let seen = Arc::default();
    let registry = Registry::new();
    registry.register(watcher(&seen, &[Event::PreTool], Action::allow())).unwrap();
    let rewrite = Action::modify_tool_input(json(&json!({"pad": 4})));
    registry.register(NativeHook::new("rewriter", [Event::PreTool], move |_| Ok(rewrite.clone()))).unwrap();
    registry.register(watcher(&seen, &[Event::PreTool], Action::allow())).unwrap();
    let input = Input::from_slice(sent.to_string().as_bytes()).unwrap();
    assert_eq!(input.tool.as_ref().unwrap().paths[0].path, "/pad");
    registry.run(input).await;
    let seen = seen.lock().unwrap();
    let [Some(before), Some(after)] = seen.as_slice() else { panic!("{seen:?}") };
    assert_eq!((before.command.as_deref(), before.complete), (Some("ignite --pad 3"), true));
    assert_eq!((after.kind, after.complete), (ToolKind::Shell, false), "nobody told of the new input: {after:?}");
}

#[test]
fn facts_of_a_wrong_form_are_refused() {
    for tool in [
        json!("shell"),
        json!([]),
        json!({}),
        json!({"kind": "telepathy"}),
        json!({"kind": "shell", "complete": "yes"}),
        json!({"kind": "shell", "paths": [{"path": "/"}]}),
        json!({"kind": "shell", "paths": [{"path": "/", "access": "eat"}]}),
        json!({"kind": "shell", "commands": {}}),
    ] {
        let input = json!({"event": "pre_tool", "tool_name": "x", "tool": tool});
        let error = Input::from_slice(input.to_string().as_bytes()).unwrap_err();
        assert_eq!(error.code, Code::InputShape, "{tool}");
    }
    let input = json!({"event": "pre_tool", "tool_name": "x", "tool": {"kind": "shell"}});
    let input = Input::from_slice(input.to_string().as_bytes()).unwrap();
    assert!(!input.tool.unwrap().complete, "who does not say that it is complete");
}

#[tokio::test]
async fn who_wants_commands_that_nothing_reads_is_told_so() {
    let seen = Arc::default();
    let registry = Registry::new();
    let mut info = hookbox::HookInfo::new("watcher", [Event::PreTool]).with_commands();
    info.timeout = None;
    let kept: Arc<Mutex<Vec<Option<Tool>>>> = Arc::clone(&seen);
    registry
        .register(NativeHook::with_info(info, move |input| {
            kept.lock().unwrap().push(input.facts().cloned());
            Ok(Action::deny("no"))
        }))
        .unwrap();
    assert_eq!(registry.run(bash("ls")).await.verdict, Verdict::Deny);
    let seen = seen.lock().unwrap();
    let facts = seen[0].as_ref().unwrap();
    assert_eq!((facts.complete, facts.commands.is_none(), facts.unknown.len()), (false, true, 1));
}

#[test]
fn hooks_see_facts_that_the_outcome_does_not_repeat() {
    let project = Project::new();
    let out = project.home().join("out.json");
    project.script(project.home().join(".agents/show.sh").to_str().unwrap(), "cat > \"$OUT\"; echo '{}'");
    let project = project.user(&format!(
        "[hooks.show]\nevents = [\"pre_tool\"]\ncommand = \"./show.sh\"\nenv = {{ OUT = {:?} }}\n",
        out.to_str().unwrap()
    ));
    let ran =
        project.ask(r#"{"event":"pre_tool","tool_name":"Write","tool_input":{"file_path":"a.txt","content":"x"}}"#);
    assert_eq!(ran.json()["input"]["tool"], Value::Null);
    let seen: Value = serde_json::from_str(&std::fs::read_to_string(out).unwrap()).unwrap();
    let path = project.dir().join("a.txt");
    assert_eq!(seen["tool"]["kind"], "write");
    assert_eq!(seen["tool"]["paths"][0]["path"], json!(path));
    assert_eq!(seen["tool"]["paths"][0]["place"], "project");
    assert_eq!(seen["tool"]["added_text"], json!(["x"]));
    assert_eq!(seen["tool"]["complete"], true);
}
