//! What a command reads on stdin, byte for byte.

use super::fixture::{hygge, loader, shell_hook};
use hookbox::dialect::Hygge;
use hookbox::runtime::shell::Codec;
use hookbox::{Event, Input};
use serde_json::json;

#[track_caller]
fn check(row: &str, input: &Input, expected: &str) {
    assert_eq!(Hygge.payload(input, None), expected, "{row}");
}

/// The payload for an Input as an agent sends it.
#[track_caller]
fn payload(input: &str) -> String {
    Hygge.payload(&Input::from_slice(input.as_bytes()).unwrap(), None)
}

/// The payload of a `pre_tool` with this tool input.
#[track_caller]
fn tool_input(text: &str) -> String {
    let whole = payload(&format!(r#"{{"event":"pre_tool","tool_input":{text}}}"#));
    let rest =
        whole.strip_prefix(r#"{"event":"pre_tool","session_id":"","hook_name":"pre_tool","pwd":"","tool_input":"#);
    rest.and_then(|rest| rest.strip_suffix('}')).unwrap_or_else(|| panic!("{whole}")).to_owned()
}

/// The payload of a `pre_message` with this message.
fn message(text: &str) -> String {
    let whole = Hygge.payload(&Input::pre_message(text), None);
    let (_, message) = whole.split_once(r#""message":"#).unwrap_or_else(|| panic!("{whole}"));
    message.strip_suffix('}').unwrap().to_owned()
}

fn in_session(mut input: Input) -> Input {
    input.session_id = Some("s1".to_owned());
    input.pwd = Some("/work".to_owned());
    input
}

#[test]
fn the_members_of_each_event_in_their_order() {
    let call = in_session(Input::pre_tool("bash", r#"{"command":"ls"}"#).unwrap());
    check(
        "pre_tool",
        &call,
        r#"{"event":"pre_tool","session_id":"s1","hook_name":"pre_tool","pwd":"/work","tool_name":"bash","tool_input":{"command":"ls"}}"#,
    );
    check(
        "post_tool",
        &call.into_post_tool(super::fixture::result("a\n")),
        r#"{"event":"post_tool","session_id":"s1","hook_name":"post_tool","pwd":"/work","tool_name":"bash","tool_input":{"command":"ls"},"tool_result":{"is_error":false,"content":"a\n"}}"#,
    );
    let mut sent = in_session(Input::pre_message("hello"));
    sent.mode_name = Some("Deep".to_owned());
    check(
        "pre_message",
        &sent,
        r#"{"event":"pre_message","session_id":"s1","hook_name":"pre_message","pwd":"/work","message":"hello","mode_name":"Deep"}"#,
    );
    check(
        "post_message",
        &in_session(Input::post_message("final answer")),
        r#"{"event":"post_message","session_id":"s1","hook_name":"post_message","pwd":"/work","message":"final answer"}"#,
    );
}

#[test]
fn four_members_are_never_absent_and_the_others_never_empty() {
    for event in Event::ALL {
        let expected = format!(r#"{{"event":"{event}","session_id":"","hook_name":"{event}","pwd":""}}"#);
        check("an Input with nothing but its event", &Input::new(event), &expected);
        let empty =
            json!({ "event": event, "session_id": "", "pwd": "", "tool_name": "", "message": "", "mode_name": "" });
        assert_eq!(payload(&empty.to_string()), expected);
    }
    assert_eq!(tool_input("null"), "null", "a tool's input may be null");
    let result = r#"{"event":"post_tool","tool_result":{}}"#;
    let expected = r#"{"event":"post_tool","session_id":"","hook_name":"post_tool","pwd":"","tool_result":{"is_error":false,"content":""}}"#;
    assert_eq!(payload(result), expected, "a result has both its members");
}

/// What hookbox adds for its own hooks is not for hygge's.
#[test]
fn no_other_member_is_sent() {
    let input =
        r#"{"event":"pre_message","tool_use_id":"t1","turn":3,"now":"2026-01-01T00:00:00Z","x":1,"message":"m"}"#;
    let expected = r#"{"event":"pre_message","session_id":"","hook_name":"pre_message","pwd":"","message":"m"}"#;
    assert_eq!(payload(input), expected);
}

#[test]
fn a_tools_input_loses_its_white_space_and_nothing_else() {
    let rows = [
        ("{ \"a\" :\t1 ,\r\n \"b\" : [ 1 , 2 ] }", r#"{"a":1,"b":[1,2]}"#),
        (r#"{"z":1,"a":2}"#, r#"{"z":1,"a":2}"#),
        (r#"[1.0, 1e5, 1E+05, -0, 0.10]"#, r#"[1.0,1e5,1E+05,-0,0.10]"#),
        ("123456789012345678901234567890", "123456789012345678901234567890"),
        (r#"" a  b ""#, r#"" a  b ""#),
        (r#"{"a \" b" : "c \\" , "d":"\\\" "}"#, r#"{"a \" b":"c \\","d":"\\\" "}"#),
        (r#""\u003C \/ \u00e9 é""#, r#""\u003C \/ \u00e9 é""#),
    ];
    for (text, expected) in rows {
        assert_eq!(tool_input(text), expected);
    }
}

#[test]
fn characters_that_html_and_javascript_would_misread_are_escaped() {
    let escaped = r#""\u003cb\u003e \u0026 \u2028\u2029""#;
    assert_eq!(message("<b> & \u{2028}\u{2029}"), escaped);
    assert_eq!(tool_input("\"<b> & \u{2028}\u{2029}\""), escaped);
    assert_eq!(tool_input(r#"{"<":1}"#), r#"{"\u003c":1}"#);
}

#[test]
fn other_characters_are_spelled_as_go_spells_them() {
    assert_eq!(message("a\"b\\c/d"), r#""a\"b\\c/d""#);
    assert_eq!(message("\n\r\t"), r#""\n\r\t""#);
    assert_eq!(message("\u{1}\u{1f}\u{7f}é😀"), "\"\\u0001\\u001f\u{7f}é😀\"");
}

#[tokio::test]
async fn a_command_reads_the_payload_and_not_a_byte_more() {
    let project = hygge().project(&shell_hook("t", &["pre_tool"], "cat >stdin"));
    let loaded = loader(&project).load();
    let input = in_session(Input::pre_tool("bash", r#"{ "command": "a && b" }"#).unwrap());
    loaded.registry.run_pre(input).await;
    let expected = r#"{"event":"pre_tool","session_id":"s1","hook_name":"pre_tool","pwd":"/work","tool_name":"bash","tool_input":{"command":"a \u0026\u0026 b"}}"#;
    assert_eq!(std::fs::read_to_string(project.dir().join("stdin")).unwrap(), expected);
}

/// hygge hands duplicate keys on, and puts U+FFFD for what is not UTF-8. Here no hook runs on either.
#[test]
fn an_input_that_readers_would_not_agree_on_is_refused() {
    for input in [
        &br#"{"event":"pre_tool","tool_input":{"a":1,"a":2}}"#[..],
        b"{\"event\":\"pre_message\",\"message\":\"\xff\"}",
    ] {
        assert!(Input::from_slice(input).is_err());
    }
}
