//! One small rule in every language with an SDK: all of them answer alike to any event.

use crate::script::SANDBOX;
use crate::support::guests::{self, is_built, run_scripts};
use hookbox::runtime::component::{ComponentFile, ComponentHook, Grants, Limits, Prepared};
use hookbox::{Code, Event, HookInfo, Input, Json, NativeHook, Outcome, Registry};
use serde_json::Value;
use std::fmt::Debug;
use std::path::Path;
use std::time::Duration;

const EVENTS: &str = include_str!("../../guest-examples/same-rule/events.jsonl");

const WORDS: &str = r#"{"words":["wörd","🐱","漢"],"other":1}"#;

/// The settings of hooks, and whether the rule accepts them.
const SETTINGS: [(Option<&str>, bool); 12] = [
    (None, true),
    (Some("{}"), true),
    (Some(r#"{"words":[]}"#), true),
    (Some(WORDS), true),
    (Some(r#"{"words":["w\u00f6rd","\ud83d\udc31","\u0000","\"","\\"]}"#), true),
    (Some(r#"{"words":[""]}"#), true),
    (Some(r#"{"words":"ls"}"#), false),
    (Some(r#"{"words":null}"#), false),
    (Some(r#"{"words":{}}"#), false),
    (Some(r#"{"words":["ls",1]}"#), false),
    (Some(r#"{"words":["ls",null]}"#), false),
    (Some(r#"{"words":[["ls"]]}"#), false),
];

fn info() -> HookInfo {
    let mut info = HookInfo::new("rule", Event::ALL.iter().copied());
    info.timeout = Some(Duration::from_secs(20));
    info
}

/// Returns the rule as this test understands it.
fn model(settings: Option<&str>) -> Registry {
    let settings: Value = settings.map_or(Value::Null, |text| serde_json::from_str(text).unwrap());
    let mut words = vec!["rm -rf".to_owned()];
    words.extend(settings["words"].as_array().into_iter().flatten().map(|word| word.as_str().unwrap().to_owned()));
    let judge = move |input: &Input| {
        let tool_input: Value = input.tool_input.as_ref().map_or(Value::Null, |json| json.to().unwrap());
        if let Some(command) = tool_input["command"].as_str()
            && let Some(word) = words.iter().find(|word| command.contains(word.as_str()))
        {
            return Ok(hookbox::Action::deny(format!("the command contains \"{word}\"")));
        }
        let tool = input.tool_name.as_deref().unwrap_or_default();
        if tool.ends_with("_admin") {
            return Ok(hookbox::Action::ask(format!("{tool} is for administrators")));
        }
        let mut action = hookbox::Action::allow();
        if input.event == Event::PreMessage {
            let length = input.message.as_deref().unwrap_or_default().chars().count();
            action.additional_context = Some(format!("the message has {length} characters"));
        }
        Ok(action)
    };
    let registry = Registry::new();
    registry.register(NativeHook::new("rule", Event::ALL.iter().copied(), judge)).unwrap();
    registry
}

/// Returns the parts of an Outcome that all languages must agree on. The wording of a failure may differ.
fn essence(outcome: &Outcome) -> impl PartialEq + Debug {
    let codes: Vec<Code> = outcome.hooks.iter().filter_map(|hook| hook.code).collect();
    let reason = outcome.reason.as_deref().filter(|_| codes.is_empty());
    let input = outcome.input.as_ref().map(|input| input.to_json());
    (outcome.verdict, reason, &outcome.additional_context, outcome.modified, input, codes)
}

/// Returns texts that are too long for a file.
fn long_events() -> Vec<String> {
    let long = |unit: &str| unit.repeat((1 << 20) / unit.len() - 30);
    let mut events = Vec::new();
    for unit in ["a", "é", "🐱", r"\u00e9", r"\ud83d\udc31", r"\n"] {
        events.push(format!(r#"{{"event":"pre_message","message":"{}"}}"#, long(unit)));
        events.push(format!(r#"{{"event":"pre_tool","tool_input":{{"command":"{}rm -rf"}}}}"#, long(unit)));
        events.push(format!(r#"{{"event":"pre_tool","tool_input":{{"command":"{}"}}}}"#, long(unit)));
    }
    for unit in ["[],", "{},", "0,", r#""","#] {
        let items = unit.repeat(100_000);
        let items = items.trim_end_matches(',');
        events.push(format!(r#"{{"event":"pre_tool","tool_input":{{"items":[{items}],"command":"rm -rf"}}}}"#));
    }
    let members: Vec<String> = (0..50_000).map(|n| format!(r#""key {n}":{n}"#)).collect();
    events.push(format!(r#"{{"event":"pre_tool","tool_input":{{{},"command":"rm -rf"}}}}"#, members.join(",")));
    events
}

fn component(file: &str) -> Option<Prepared> {
    is_built(file).then(|| SANDBOX.prepare(&guests::read(file), None, Grants::default(), Limits::default()).unwrap())
}

fn script(file: &Path) -> Option<Prepared> {
    run_scripts().then(|| {
        SANDBOX.prepare_script(&ComponentFile::open(file).unwrap(), None, Grants::default(), Limits::default()).unwrap()
    })
}

/// Runs all events through the rule in one language, if it could be built here, and through the model.
async fn agrees(language: &str, prepared: Option<Prepared>) {
    let Some(prepared) = prepared else { return };
    let long = long_events();
    let (mut heard, mut refused) = (0, 0);
    for (settings, is_right) in SETTINGS {
        let registry = Registry::new();
        let json = settings.map(|text| Json::parse(text).unwrap());
        registry.register(ComponentHook::new(info(), prepared.clone(), json)).unwrap();
        let model = is_right.then(|| model(settings));
        // Long texts do not depend on settings.
        let long = if settings.is_none() { long.as_slice() } else { &[] };
        // Two of the settings are tested with every event, the others with enough events to distinguish them.
        let is_thorough = settings.is_none() || settings == Some(WORDS);
        let step = if is_thorough { 1 } else { 7 };
        for event in EVENTS.lines().step_by(step).chain(long.iter().map(String::as_str)) {
            let Ok(input) = Input::from_slice(event.as_bytes()) else {
                refused += 1;
                continue;
            };
            heard += 1;
            let got = registry.run(input.clone()).await;
            let shown: String = event.chars().take(200).collect();
            match &model {
                Some(model) => {
                    let want = model.run(input).await;
                    assert_eq!(essence(&got), essence(&want), "{language} with {settings:?} on {shown}\n{got:?}");
                }
                None => assert_eq!(got.hooks[0].code, Some(Code::Failed), "{language} with {settings:?} on {shown}"),
            }
        }
    }
    assert!(heard > 700 && refused > 100, "{heard} heard, {refused} refused");
}

#[tokio::test]
async fn in_rust() {
    agrees("Rust", component("same_rule_rust.wasm")).await;
}

#[tokio::test]
async fn in_javascript() {
    let hook = crate::support::root().join("guest-examples/same-rule/js/hook.js");
    agrees("JavaScript", script(&hook)).await;
}

#[tokio::test]
async fn in_typescript() {
    let file = "same_rule_ts.js";
    agrees("TypeScript", is_built(file).then(|| guests::path(file)).and_then(|file| script(&file))).await;
}

#[tokio::test]
async fn in_c() {
    agrees("C", component("same_rule_c.wasm")).await;
}

#[tokio::test]
async fn in_go() {
    agrees("Go", component("same_rule_go.wasm")).await;
}

#[tokio::test]
async fn in_python() {
    agrees("Python", component("same_rule_python.wasm")).await;
}
