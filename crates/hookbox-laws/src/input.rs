//! The law for the payload of an agent. An accepted Input means the same to `serde_json`, and survives a round trip
//! through hookbox's output. No dialect accepts text that is not JSON, or loses the tool's name.

use hookbox::dialect::{NAMES, Options, by_name};
use hookbox::{Event, Input, Json, Verdict};
use serde_json::Value;

/// Checks the law for this payload of an agent.
pub fn holds(bytes: &[u8]) {
    if let Ok(input) = Input::from_slice(bytes) {
        is_what_it_says(&input, bytes);
        is_read_back(&input);
    }
    for name in NAMES {
        let dialect = by_name(name, &Options::default()).unwrap();
        if let Ok(input) = dialect.decode_payload(bytes) {
            assert!(serde_json::from_slice::<Value>(bytes).unwrap().is_object());
            let payload = dialect.payload(&input, None);
            let again = dialect.decode_payload(payload.as_bytes());
            let again = again.unwrap_or_else(|error| panic!("{name} wrote {payload}, which it does not read: {error}"));
            // Some systems omit an empty name, and hooks must not see a difference.
            let tool = |input: &Input| input.tool_name.clone().unwrap_or_default();
            assert_eq!((again.event, tool(&again)), (input.event, tool(&input)), "{name}: {payload}");
            assert_eq!(value(&again.tool_input), value(&input.tool_input), "{name}: {payload}");
        }
    }
}

fn is_what_it_says(input: &Input, bytes: &[u8]) {
    let said: Value = serde_json::from_slice(bytes).unwrap();
    let text = |key: &str| said.get(key).and_then(Value::as_str);
    assert_eq!(Some(input.event.as_str()), text("event"));
    assert_eq!(input.session_id.as_deref(), text("session_id"));
    assert_eq!(input.tool_name.as_deref(), text("tool_name"));
    assert_eq!(input.message.as_deref(), text("message"));
    assert_eq!(value(&input.tool_input).as_ref(), said.get("tool_input"));
    if let Some(tool_input) = &input.tool_input {
        let text = std::str::from_utf8(bytes).unwrap();
        assert!(text.contains(tool_input.as_str()), "the tool's input is not what came: {tool_input:?}");
    }
}

fn is_read_back(input: &Input) {
    let text = input.to_json();
    assert_eq!(Input::from_slice(text.as_bytes()).as_ref(), Ok(input), "{text}");
    // Settings come only from the config.
    let settings = Json::parse(r#"{"limit":1}"#).unwrap();
    for settings in [None, Some(&settings)] {
        let seen = input.to_hook_json(settings);
        let hook = Input::from_slice(seen.as_bytes()).unwrap_or_else(|error| panic!("{error}: {seen}"));
        assert_eq!((hook.event, &hook.tool_name), (input.event, &input.tool_name));
        assert_eq!((&hook.tool_input, &hook.message), (&input.tool_input, &input.message));
        assert_eq!(hook.extra("settings"), settings, "{seen}");
        let every = [&hook.session_id, &hook.hook_name, &hook.pwd];
        assert!(every.iter().all(|text| text.is_some()), "{seen}");
    }
    let line = hookbox::Outcome::allow(input.clone()).to_json_line();
    assert!(!line.contains(['\n', '\r']), "{line:?}");
    let line: Value = serde_json::from_str(&line).unwrap();
    assert_eq!(line["decision"], Verdict::Allow.to_string());
    let unchanged = &line["input"];
    assert_eq!(unchanged.get("tool_input"), value(&input.tool_input).as_ref());
    let event: Event = unchanged["event"].as_str().unwrap().parse().unwrap();
    assert_eq!(event, input.event);
}

fn value(json: &Option<Json>) -> Option<Value> {
    json.as_ref().map(|json| json.to().unwrap())
}
