//! Future payloads of agents are not refused: new events, new keys, keys that are missing or have other types.

use super::goldens;
use super::{AGENTS, agent};
use hookbox::agent::{Call, Environment};
use hookbox::{Event, Input};
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use std::sync::LazyLock;

/// The keys without which the event's subject is not known, so that the event is refused.
const NEEDED: [&str; 13] = [
    "hook_event_name",
    "hookName",
    "event",
    "tool_name",
    "toolName",
    "prompt",
    "tool_call",
    "tool_result",
    "preToolUse",
    "postToolUse",
    "userPromptSubmit",
    "input",
    "output",
];

/// The keys by which agents are recognized. Each agent has one of them.
const NAMES: [&str; 3] = ["hook_event_name", "hookName", "event"];

static PAYLOADS: LazyLock<Vec<(&str, Map<String, Value>)>> = LazyLock::new(|| {
    let of = |name: &'static str| {
        let payloads = goldens::of(name).into_values();
        payloads.map(move |golden| (name, serde_json::from_str(&golden.payload).unwrap()))
    };
    AGENTS.into_iter().flat_map(of).collect()
});

/// Generates any value, but no text that begins like JSON, because some agents put their own JSON into texts.
fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<f64>().prop_filter_map("a number", |number| serde_json::Number::from_f64(number).map(Value::from)),
        any::<i64>().prop_map(Value::from),
        "[a-zé\u{1f600}\"\\\\ \n]{0,12}".prop_map(Value::from),
    ];
    let nested = leaf.clone().prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[a-z]{1,6}", inner, 0..4).prop_map(|members| json!(members)),
        ]
    });
    // The payload itself counts as a level, and the limit is 64.
    let deep = (leaf, 0_usize..62).prop_map(|(leaf, levels)| (0..levels).fold(leaf, |inner, _| json!([inner])));
    prop_oneof![3 => nested, 1 => deep]
}

#[derive(Clone, Debug)]
enum Change {
    Gone,
    Other(Value),
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![Just(Change::Gone), value().prop_map(Change::Other)]
}

fn decode(name: &str, payload: &Map<String, Value>) -> Result<Call, TestCaseError> {
    let text = serde_json::to_string(payload).unwrap();
    let call = agent(name).decode(text.as_bytes(), &Environment::default());
    call.map_err(|error| TestCaseError::fail(format!("{name}: {error}: {text}")))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]

    #[test]
    fn what_is_optional_may_be_anything(
        which in any::<prop::sample::Index>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), change()), 0..4),
        more in prop::collection::btree_map("x_[a-z]{1,8}", value(), 0..4),
    ) {
        let (name, payload) = which.get(&PAYLOADS);
        let before = decode(name, payload)?;
        let mut changed = payload.clone();
        let optional: Vec<&String> = payload.keys().filter(|key| !NEEDED.contains(&key.as_str())).collect();
        for (key, change) in &changes {
            let Some(key) = (!optional.is_empty()).then(|| key.get(&optional)) else { continue };
            match change {
                Change::Gone => _ = changed.remove(*key),
                Change::Other(value) => _ = changed.insert((*key).clone(), value.clone()),
            }
        }
        changed.extend(more);
        let after = decode(name, &changed)?;
        // Copilot CLI's own payloads are recognized by their keys.
        let has_form = |payload: &Map<String, Value>| *name != "copilot" || payload.contains_key("sessionId");
        if NAMES.iter().any(|key| payload.contains_key(*key)) && has_form(&changed) == has_form(payload) {
            prop_assert_eq!(&after.event, &before.event);
            let [before, after] = [before, after].map(|call| {
                let input = call.input?;
                let message = input.message.filter(|_| input.event == Event::PreMessage);
                Some((input.event, input.tool_name, message))
            });
            prop_assert!(after.is_some());
            prop_assert_eq!(after, before);
        }
    }

    #[test]
    fn a_new_event_goes_on_unless_there_is_a_tool_call_in_it(
        which in any::<prop::sample::Index>(),
        event in "New[A-Za-z]{0,8}",
        more in prop::collection::btree_map("x_[a-z]{1,8}", value(), 0..4),
    ) {
        let (name, payload) = which.get(&PAYLOADS);
        let mut changed = payload.clone();
        let Some(key) = NAMES.into_iter().find(|key| payload.contains_key(*key)) else { return Ok(()) };
        changed.insert(key.to_owned(), json!(event));
        changed.extend(more);
        let before = decode(name, payload)?;
        // The payload of a file that is read names neither a tool nor a command.
        let names_call = !["beforeReadFile", "beforeTabFileRead"].contains(&before.event.as_str());
        let is_call = |input: &Input| input.event.has_tool() && input.tool_result.is_none() && names_call;
        let expected = before.input.filter(is_call).map(|input| (Event::PreTool, input.tool_name));
        let call = decode(name, &changed)?;
        prop_assert_eq!(call.is_unknown_event, expected.is_some());
        let judged = call.input.map(|input| (input.event, input.tool_name));
        prop_assert_eq!((call.event, judged), (event, expected));
    }
}

#[test]
fn a_new_event_of_copilot_without_a_name_goes_on_unless_it_is_about_a_tool() {
    let of = |more: Value| {
        let mut payload = json!({"sessionId": "s1", "timestamp": 1, "cwd": "/home/me/shop"});
        payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        agent("copilot").decode(payload.to_string().as_bytes(), &Environment::default())
    };
    let call = of(json!({"weather": "fine"})).unwrap();
    assert_eq!((call.event.as_str(), call.input.is_none()), ("", true));
    assert!(of(json!({"toolArgs": {"command": "ls"}})).is_err(), "which tool it is, nobody knows");
}
