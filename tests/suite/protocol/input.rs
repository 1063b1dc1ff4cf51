//! Valid Inputs, and texts that are refused before any hook runs.

use hookbox::{Code, Event, Input, Json, MAX_DEPTH, MAX_INPUT_BYTES};

#[track_caller]
fn refused(text: impl AsRef<[u8]>, code: Code, words: &str) {
    let error = Input::from_slice(text.as_ref()).expect_err("must be refused");
    assert_eq!(error.code, code, "{error}");
    assert!(error.message.contains(words), "{error}");
}

fn with_tool_input(tool_input: &str) -> String {
    format!(r#"{{"event":"pre_tool","tool_name":"bash","tool_input":{tool_input}}}"#)
}

#[test]
fn every_field_is_read() {
    let text = r#"{"event":"post_tool","session_id":"s1","hook_name":"post_tool","pwd":"/w","tool_name":"bash","tool_input":{"command":"ls"},"tool_result":{"is_error":true,"content":"a\n"},"message":"m","mode_name":"Deep","tool_use_id":"t1","turn":7,"now":"2026-01-02T03:04:05Z","vendor":{"x":1}}"#;
    let input = Input::from_slice(text.as_bytes()).unwrap();
    assert_eq!(input.event, Event::PostTool);
    assert_eq!(input.tool_result.as_ref().unwrap().content, "a\n");
    assert_eq!(input.turn, Some(7));
    assert_eq!(input.extra("vendor").map(Json::as_str), Some("{\"x\":1}"));
    assert_eq!(input.to_json(), text);
}

#[test]
fn a_tool_input_keeps_its_bytes() {
    for tool_input in [
        "{}",
        "null",
        "5",
        "[1, 2 ,3]",
        r#"{ "n" : 1E2, "big": 123456789012345678901234567890, "e": "\u0041\/" }"#,
        "{\n  \"command\": \"ls\"\n}",
        "-0",
        "1.0",
    ] {
        let input = Input::from_slice(with_tool_input(tool_input).as_bytes()).unwrap();
        assert_eq!(input.tool_input.as_ref().unwrap().as_str(), tool_input);
        assert!(input.to_hook_json(None).contains(tool_input));
    }
}

#[test]
fn what_is_absent_stays_absent_but_hooks_see_the_four_first_keys() {
    let input = Input::from_slice(br#"{"event":"pre_message","pwd":null}"#).unwrap();
    assert_eq!(input.to_json(), r#"{"event":"pre_message"}"#);
    assert_eq!(
        input.to_hook_json(None),
        r#"{"event":"pre_message","session_id":"","hook_name":"pre_message","pwd":""}"#
    );
}

#[test]
fn settings_come_from_the_config_alone() {
    let input = Input::from_slice(br#"{"event":"pre_tool","settings":{"branches":[]}}"#).unwrap();
    assert!(!input.to_hook_json(None).contains("settings"));
    let own = Json::parse(r#"{"branches":["main"]}"#).unwrap();
    assert!(input.to_hook_json(Some(&own)).contains(r#""settings":{"branches":["main"]}"#));
    assert!(input.to_json().contains(r#""settings":{"branches":[]}"#), "the caller gets back what it sent");
}

#[test]
fn a_key_that_stands_twice_is_refused_at_any_depth() {
    refused(r#"{"event":"pre_tool","event":"post_tool"}"#, Code::InputDuplicate, "duplicate key \"event\"");
    refused(with_tool_input(r#"{"a":1,"a":2}"#), Code::InputDuplicate, "duplicate key \"a\"");
    refused(with_tool_input(r#"{"a":1,"\u0061":2}"#), Code::InputDuplicate, "duplicate key \"a\"");
    refused(with_tool_input(r#"[[{"b":{"c":1,"d":[{"é":1,"\u00e9":2}]}}]]"#), Code::InputDuplicate, "duplicate key");
    refused(r#"{"event":"pre_tool","x":{"k":0,"k":0}}"#, Code::InputDuplicate, "duplicate key \"k\"");
    assert!(Input::from_slice(with_tool_input(r#"[{"a":1},{"a":2}]"#).as_bytes()).is_ok());
}

#[test]
fn deep_nesting_is_refused() {
    let nested = |depth: usize| with_tool_input(&format!("{}{}", "[".repeat(depth), "]".repeat(depth)));
    assert!(Input::from_slice(nested(MAX_DEPTH - 1).as_bytes()).is_ok(), "the Input itself is one level");
    refused(nested(MAX_DEPTH), Code::InputDepth, "nested deeper than 64");
    refused(nested(200_000), Code::InputDepth, "nested deeper than 64");
}

#[test]
fn a_large_input_is_refused() {
    let of_size = |bytes: usize| {
        let empty = with_tool_input("\"\"").len();
        with_tool_input(&format!("\"{}\"", "x".repeat(bytes - empty)))
    };
    assert!(Input::from_slice(of_size(MAX_INPUT_BYTES).as_bytes()).is_ok());
    refused(of_size(MAX_INPUT_BYTES + 1), Code::InputSize, "1048577 bytes are more than the limit of 1048576");
}

#[test]
fn text_that_is_not_unicode_is_refused() {
    refused(b"{\"event\":\"pre_tool\",\"tool_name\":\"\xff\"}", Code::InputEncoding, "invalid UTF-8 at byte 33");
    for lone in [r"\ud800", r"\udc00", r"\ud800\ud800", r"\ud800x"] {
        refused(with_tool_input(&format!("\"{lone}\"")), Code::InputSyntax, "");
        refused(with_tool_input(&format!("{{\"{lone}\":1}}")), Code::InputSyntax, "");
    }
    assert!(Input::from_slice(with_tool_input(r#""\ud83d\ude00""#).as_bytes()).is_ok());
}

#[test]
fn what_is_not_one_json_value_is_refused() {
    let whole = with_tool_input("{}");
    for cut in 0..whole.len() {
        assert!(Input::from_slice(&whole.as_bytes()[..cut]).is_err(), "{cut} bytes");
    }
    refused(format!("{whole}x"), Code::InputSyntax, "trailing characters");
    refused(format!("{whole}{whole}"), Code::InputSyntax, "trailing characters");
    refused(format!("\u{feff}{whole}"), Code::InputSyntax, "byte order mark");
    for text in ["", "  ", "NaN", "{'event':1}", "{\"event\":\"pre_tool\",}", "// x\n{}", "{\"event\":01}"] {
        refused(text, Code::InputSyntax, "");
    }
    refused("[]", Code::InputSyntax, "expected an object");
    assert!(Input::from_slice(format!(" \n{whole}\r\n\t").as_bytes()).is_ok());
}

#[test]
fn a_field_of_the_wrong_type_is_refused_by_name() {
    refused("{}", Code::InputShape, "the Input has no `event`");
    refused(r#"{"Event":"pre_tool"}"#, Code::InputShape, "has no `event`");
    refused(r#"{"event":5}"#, Code::InputShape, "`event` has the wrong type");
    refused(
        r#"{"event":"PreTool"}"#,
        Code::InputShape,
        "`event` is \"PreTool\", which is none of: pre_tool, post_tool, pre_message, post_message",
    );
    for field in ["session_id", "pwd", "tool_name", "message", "mode_name", "tool_use_id", "now", "hook_name"] {
        let expected = format!("`{field}` has the wrong type: invalid type: integer `5`, expected a string");
        refused(format!(r#"{{"event":"pre_tool","{field}":5}}"#), Code::InputShape, &expected);
    }
    refused(
        r#"{"event":"pre_tool","tool_name":"bash\n"}"#,
        Code::InputShape,
        "`tool_name` contains a control character",
    );
    refused(r#"{"event":"pre_tool","turn":"x"}"#, Code::InputShape, "`turn` has the wrong type");
    refused(r#"{"event":"pre_tool","tool_result":[true,"x"]}"#, Code::InputShape, "`tool_result` has the wrong type");
}
