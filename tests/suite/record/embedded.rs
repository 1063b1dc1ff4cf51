//! The log of a program that embeds the engine.

use crate::support::bash;
use hookbox::record::{Inputs, Line, Log, Recorder, Settings, What, read};
use hookbox::{Action, Event, Input, Json, NativeHook, Registry};
use std::path::Path;
use std::sync::Arc;
use tempfile::TempDir;

fn lines(file: &Path) -> Vec<Line> {
    read(file).unwrap().map(Result::unwrap).collect()
}

#[tokio::test]
async fn each_decided_event_is_a_line() {
    let dir = TempDir::new().unwrap();
    let file = dir.path().join("log.jsonl");
    let log = Arc::new(Log::new(set!(Settings::new(&file), inputs: Inputs::Full, what: What::All), None));
    let registry = Registry::new();
    let guard = |input: &Input| match input.tool_input.as_ref().map(Json::as_str) {
        Some(text) if text.contains("never") => Ok(Action::deny("no")),
        _ => Ok(Action::modify_tool_input(Json::parse(r#"{"command":"other"}"#).unwrap())),
    };
    registry.register(NativeHook::new("guard", [Event::PreTool], guard)).unwrap();
    registry.observe(Recorder::new(Arc::clone(&log)).with_agent("mine"));
    registry.run(bash("never")).await;
    registry.run(bash("ls")).await;
    registry.run(Input::new(Event::PostTool)).await;
    let lines = lines(&file);
    let verdicts: Vec<&str> = lines.iter().map(|line| line.verdict.as_str()).collect();
    assert_eq!(verdicts, ["deny", "modify", "allow"]);
    assert!(lines.iter().all(|line| line.agent.as_deref() == Some("mine") && line.has_recorded_input()));
    assert_eq!((lines[0].by.as_deref(), lines[0].reason.as_deref()), (Some("guard"), Some("no")));
    let texts = [&lines[1].input, &lines[1].final_input].map(|input| input.as_ref().unwrap().get().to_owned());
    assert!(
        texts[0].contains(r#""ls""#) && texts[1].contains(r#""other""#),
        "as it came, and as it was left: {texts:?}"
    );
    assert_eq!(log.lost(), 0);
}

/// The config says what its hooks are.
#[tokio::test]
async fn the_hooks_of_a_config_are_known() {
    let project = crate::support::project::Project::new()
        .user("[log]\nfile = \"log.jsonl\"\n[hooks.guard]\nevents = [\"pre_tool\"]\ncomponent = \"guard.wasm\"\n");
    let wasm = crate::support::component::allowing();
    project.write("home/.agents/guard.wasm", &wasm);
    let loaded = Arc::new(crate::support::loader(project.dir()).home(project.home()).env(std::env::vars_os()).load());
    let settings = loaded.log.clone().unwrap();
    let file = settings.file.clone();
    let of = Arc::clone(&loaded);
    loaded.registry.observe(Recorder::new(Log::new(settings, None)).with_hooks(move || Arc::clone(&of)));
    loaded.run(bash("ls")).await;
    let lines = lines(&file);
    assert_eq!(lines[0].hooks[0].digest.as_deref(), Some(&*hookbox::runtime::component::digest(&wasm).to_string()));
    assert_eq!(lines[0].config.as_deref(), Some(&*loaded.digest));
}

/// A log that cannot be written changes no verdict.
#[tokio::test]
async fn a_log_that_cannot_be_written_costs_no_verdict() {
    let dir = TempDir::new().unwrap();
    let log = Arc::new(Log::new(Settings::new(dir.path()), None));
    let registry = Registry::new();
    registry.register(NativeHook::new("guard", [Event::PreTool], |_: &Input| Ok(Action::deny("no")))).unwrap();
    registry.observe(Recorder::new(Arc::clone(&log)));
    assert_eq!(registry.run(bash("ls")).await.reason.as_deref(), Some("no"));
    assert_eq!(log.lost(), 1);
}
