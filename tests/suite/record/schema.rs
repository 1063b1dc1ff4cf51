//! The JSON Schema of a line says what lines look like.

use serde_json::{Value, json};
use std::collections::BTreeSet;

fn schema() -> Value {
    let file = crate::support::root().join("docs/reference/decision-log.schema.json");
    serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap()
}

/// Collects what is wrong with a value, by the parts of JSON Schema that are used.
fn faults(schema: &Value, value: &Value, at: &str, found: &mut Vec<String>) {
    if let Some(words) = schema["enum"].as_array()
        && !words.contains(value)
    {
        found.push(format!("{at}: {value} is not one of {words:?}"));
    }
    let fits = match schema["type"].as_str() {
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("integer") => value.as_u64().is_some_and(|number| number >= schema["minimum"].as_u64().unwrap_or(0)),
        Some("boolean") => value.is_boolean(),
        _ => true,
    };
    if !fits {
        found.push(format!("{at}: {value} is not {}", schema["type"]));
    }
    if let (Some(properties), Some(members)) = (schema["properties"].as_object(), value.as_object()) {
        let required = schema["required"].as_array().cloned().unwrap_or_default();
        let missing = required.iter().filter(|key| !members.contains_key(key.as_str().unwrap()));
        found.extend(missing.map(|key| format!("{at}: {key} is missing")));
        for (key, member) in members {
            match properties.get(key) {
                Some(schema) => faults(schema, member, &format!("{at}/{key}"), found),
                None => found.push(format!("{at}: `{key}` is not in the schema")),
            }
        }
    }
    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
        faults(&schema["items"], item, &format!("{at}/{index}"), found);
    }
}

fn keys(schema: &Value) -> BTreeSet<String> {
    schema["properties"].as_object().unwrap().keys().cloned().collect()
}

/// Returns a line with every key, read and written by the library.
fn full() -> Value {
    let line = json!({
        "schema": 1, "id": "i", "time": "t", "us": 1, "host": {"version": "1", "pid": 1, "via": "run"},
        "agent": "a", "session": "s", "turn": 1, "tool_use_id": "t", "cwd": "/", "event": "pre_tool",
        "unknown_event": "BeforeTools", "mode": "plan",
        "tool": {"name": "n", "kind": "shell", "server": "s", "command": "c", "paths": ["read /"], "urls": ["u"], "complete": true},
        "verdict": "deny", "applied": false, "off": true, "by": "b", "reason": "r", "codes": ["E101"],
        "hooks": [{"name": "n", "kind": "component", "source": "user", "decision": "deny", "us": 1, "fuel": 1, "digest": "d",
            "entry": "e", "version": "1", "enforce": false, "async": true, "code": "E101", "reason": "r", "rewrites": ["tool_input"]}],
        "told": {"status": 2, "stdout": "o", "stderr": "e", "degraded": ["ask"]}, "config": "c",
        "input": {}, "input_sha256": "0", "final": {}, "masked": ["/x"], "cut": ["/y"], "lost": 1,
    });
    let typed: hookbox::record::Line = serde_json::from_value(line).unwrap();
    serde_json::to_value(typed).unwrap()
}

#[test]
fn it_has_the_keys_of_a_line_and_no_others() {
    let (schema, line) = (schema(), full());
    let members = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<BTreeSet<_>>();
    assert_eq!(keys(&schema), members(&line));
    let of = |key: &str| &schema["properties"][key];
    assert_eq!(keys(of("host")), members(&line["host"]));
    assert_eq!(keys(of("tool")), members(&line["tool"]));
    assert_eq!(keys(of("told")), members(&line["told"]));
    assert_eq!(keys(&of("hooks")["items"]), members(&line["hooks"][0]));
}

#[test]
fn lines_are_valid() {
    let project = crate::support::project::Project::new().user(
        "[log]\n[hooks.no]\nevents = [\"pre_tool\"]\ncommand = \"sh\"\nargs = ['-c', '''printf '{\"decision\":\"deny\",\"reason\":\"no\"}' ''']\n",
    );
    project.run(&["run"], r#"{"event":"pre_tool","tool_name":"bash","tool_input":{"command":"ls"}}"#);
    project.run(&["run", "--monitor"], r#"{"event":"pre_tool","tool_name":"bash","tool_input":{"command":"ls"}}"#);
    project.run(
        &["hook", "claude"],
        r#"{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"Read","tool_input":{"file_path":"/x"}}"#,
    );
    let lines = project.run(&["log", "--format", "json"], "").stdout;
    assert_eq!(lines.lines().count(), 3);
    for line in lines.lines() {
        let mut found = Vec::new();
        faults(&schema(), &serde_json::from_str(line).unwrap(), "", &mut found);
        assert!(found.is_empty(), "{found:?}: {line}");
    }
    let printed = project.run(&["log", "--schema"], "");
    assert_eq!(serde_json::from_str::<Value>(&printed.stdout).unwrap(), schema());
}
