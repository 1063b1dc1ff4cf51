//! Valid and invalid Actions.

use hookbox::{Action, Decision, Event};

fn read(text: &str, event: Event) -> Result<Action, String> {
    Action::from_slice(text.as_bytes(), event).map_err(|error| error.to_string())
}

#[test]
fn an_absent_decision_allows() {
    for text in ["{}", " {} \n", r#"{"decision":"allow"}"#, r#"{"reason":null}"#, r#"{"reason":"because"}"#] {
        assert_eq!(read(text, Event::PreTool).unwrap().decision, Decision::Allow, "{text}");
    }
}

#[test]
fn every_key_is_read() {
    let text = r#"{"decision":"modify","reason":"r","modified_tool_input":{"a": 1E2},"system_prompt_append":"s","additional_context":"c","system_message":"m","stop":true,"stop_reason":"done"}"#;
    assert_eq!(read(text, Event::PreTool).unwrap().to_json(), text);
    let text = r#"{"decision":"modify","modified_tool_result":{"is_error":true,"content":"c"}}"#;
    assert_eq!(read(text, Event::PostTool).unwrap().to_json(), text);
}

#[test]
fn members_of_a_tool_result_may_be_missing() {
    let action = read(r#"{"decision":"modify","modified_tool_result":{}}"#, Event::PostTool).unwrap();
    assert_eq!(action.modified_tool_result, Some(hookbox::ToolResult::default()));
}

#[test]
fn a_rewrite_must_fit_the_event() {
    let input = r#"{"decision":"modify","modified_tool_input":null}"#;
    let message = r#"{"decision":"modify","modified_message":"hi"}"#;
    let empty = r#"{"decision":"modify","modified_message":""}"#;
    let result = r#"{"decision":"modify","modified_tool_result":{"content":"x"}}"#;
    for event in Event::ALL.iter().copied() {
        let takes_input = matches!(event, Event::PreTool | Event::ToolInputTransform);
        assert_eq!(read(input, event).is_ok(), takes_input, "{event}");
        assert_eq!(
            read(result, event).is_ok(),
            matches!(event, Event::PostTool | Event::ToolResponseTransform),
            "{event}"
        );
        let takes_message = matches!(event, Event::PreMessage | Event::PostMessage);
        assert_eq!(read(message, event).is_ok(), takes_message, "{event}");
        assert!(read(empty, event).is_err(), "{event}");
        assert!(read(r#"{"decision":"modify"}"#, event).is_err(), "{event}");
    }
}

#[test]
fn the_error_says_what_is_wrong() {
    for (text, words) in [
        ("", "it is empty; `{}` allows"),
        ("{}{}", "trailing characters at line 1 column 3"),
        ("nope", "expected ident at line 1 column 2"),
        (r#"{"decison":"deny"}"#, "unknown key \"decison\""),
        (r#"{"decision":"block"}"#, "`decision` is \"block\", which is none of: allow, deny, modify, ask"),
        (r#"{"decision":null}"#, "`decision` is null, which is none of"),
        (r#"{"decision":{"allow":1}}"#, "`decision` has the wrong type: invalid type: map, expected a string"),
        (r#"{"reason":["x"]}"#, "`reason` has the wrong type: an array"),
        (r#"{"reason":"a","reason":"b"}"#, "duplicate key \"reason\" at line 1 column 22"),
        (r#"{"stop":1}"#, "`stop` has the wrong type: invalid type: integer `1`, expected a boolean"),
        (
            r#"{"decision":"modify","modified_tool_result":{"content":"x","extra":1}}"#,
            "`modified_tool_result` has the wrong type: unknown field `extra`, expected `is_error` or `content`",
        ),
        (r#"{"decision":"modify","modified_tool_result":[true,"x"]}"#, "`modified_tool_result` has the wrong type"),
    ] {
        let error = read(text, Event::PostTool).unwrap_err();
        assert!(error.contains(words), "{text}: {error}");
    }
}
