//! What an answer changes: the rewrites of each event and the additions to the system prompt.

use super::fixture::{hygge, shell_hook};
use serde_json::{Value, json};

/// A row: what the hook prints, and where in the Outcome what is to be seen.
type Row<'a> = (&'a str, &'a str, &'a str, Value);

/// Asks a hook that prints this on an event. The event goes on in every row.
#[track_caller]
fn check(input: &Value, (row, stdout, place, expected): Row<'_>) {
    let event = input["event"].as_str().unwrap();
    let project = hygge().project(&shell_hook("t", &[event], &format!("printf %s '{stdout}'")));
    let ran = project.ask(&input.to_string());
    let outcome = ran.json();
    assert_eq!((ran.status, &outcome["decision"]), (0, &json!("allow")), "{row}: {outcome}");
    assert_eq!(outcome.pointer(place), Some(&expected), "{row}: {outcome}");
    assert_eq!(outcome["warnings"], json!([]), "{row}");
}

#[test]
fn on_pre_tool() {
    let input = json!({ "event": "pre_tool", "tool_name": "bash", "tool_input": { "cmd": "old" } });
    let (place, old) = ("/input/tool_input", json!({ "cmd": "old" }));
    let rows: [Row<'_>; 7] = [
        ("an object", r#"{"decision":"modify","modified_tool_input":{"cmd":"new"}}"#, place, json!({ "cmd": "new" })),
        ("any value", r#"{"decision":"modify","modified_tool_input":[1]}"#, place, json!([1])),
        ("null", r#"{"decision":"modify","modified_tool_input":null}"#, place, Value::Null),
        ("nothing", r#"{"decision":"modify"}"#, place, old.clone()),
        ("that of another event", r#"{"decision":"modify","modified_message":"new"}"#, place, old.clone()),
        ("beside allow", r#"{"decision":"allow","modified_tool_input":{"cmd":"new"}}"#, place, old.clone()),
        ("beside no decision", r#"{"modified_tool_input":{"cmd":"new"}}"#, place, old),
    ];
    for row in rows {
        check(&input, row);
    }
}

#[test]
fn on_post_tool() {
    let old = json!({ "is_error": true, "content": "old" });
    let input = json!({ "event": "post_tool", "tool_name": "bash", "tool_input": {}, "tool_result": &old });
    let place = "/input/tool_result";
    let result = |is_error: bool, content: &str| json!({ "is_error": is_error, "content": content });
    let rows = [
        ("both members", r#"{"is_error":true,"content":"new"}"#, result(true, "new")),
        ("keys in capitals and unknown ones", r#"{"Is_Error":true,"CONTENT":"new","x":1}"#, result(true, "new")),
        ("content alone", r#"{"content":"new"}"#, result(false, "new")),
        ("the flag alone", r#"{"is_error":true}"#, result(true, "")),
        ("members that are null", r#"{"is_error":null,"content":null}"#, result(false, "")),
        ("no member", "{}", result(false, "")),
        ("null", "null", old.clone()),
    ];
    for (row, rewrite, expected) in rows {
        let answer = format!(r#"{{"decision":"modify","modified_tool_result":{rewrite}}}"#);
        check(&input, (row, &answer, place, expected));
    }
    for (row, answer) in [
        ("that of another event", r#"{"decision":"modify","modified_tool_input":{"cmd":"new"}}"#),
        ("beside deny", r#"{"decision":"deny","modified_tool_result":{"content":"new"}}"#),
    ] {
        check(&input, (row, answer, place, old.clone()));
    }
}

#[test]
fn on_pre_message() {
    let input = json!({ "event": "pre_message", "message": "old" });
    let (place, additions) = ("/input/message", "/system_prompt_additions");
    let rows: [Row<'_>; 8] = [
        ("a message", r#"{"decision":"modify","modified_message":"new"}"#, place, json!("new")),
        ("an empty message", r#"{"decision":"modify","modified_message":""}"#, place, json!("old")),
        ("a blank message", r#"{"decision":"modify","modified_message":" "}"#, place, json!(" ")),
        ("text beside allow", r#"{"decision":"allow","system_prompt_append":" ctx"}"#, additions, json!([" ctx"])),
        ("text beside modify", r#"{"decision":"modify","system_prompt_append":"ctx"}"#, additions, json!(["ctx"])),
        (
            "text beside an unknown decision",
            r#"{"decision":"block","system_prompt_append":"ctx"}"#,
            additions,
            json!(["ctx"]),
        ),
        ("blank text", r#"{"system_prompt_append":" \n"}"#, additions, json!([])),
        ("text by itself", r#"{"SYSTEM_PROMPT_APPEND":"ctx"}"#, additions, json!(["ctx"])),
    ];
    for row in rows {
        check(&input, row);
    }
}

#[test]
fn text_for_the_system_prompt_has_no_place_on_other_events() {
    for event in ["pre_tool", "post_tool"] {
        let input = json!({ "event": event, "tool_input": {} });
        let row = ("text", r#"{"system_prompt_append":"ctx"}"#, "/system_prompt_additions", json!([]));
        check(&input, row);
    }
}

/// hygge hands such text on as it is. Whoever reads it next might read something else than the hook meant.
#[test]
fn a_rewrite_that_readers_would_not_agree_on_denies() {
    for rewrite in [r#"{"a":1,"a":2}"#, r#"{"a":"\ud83d"}"#] {
        let answer = format!(r#"{{"decision":"modify","modified_tool_input":{rewrite}}}"#);
        let project = hygge().project(&shell_hook("t", &["pre_tool"], &format!("printf %s '{answer}'")));
        let ran = project.ask(r#"{"event":"pre_tool","tool_name":"bash","tool_input":{}}"#);
        assert_eq!((ran.status, &ran.json()["denied_by"]), (2, &json!("t")), "{rewrite}: {ran:?}");
    }
}
