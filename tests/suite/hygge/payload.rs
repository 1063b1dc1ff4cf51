//! What a command reads on stdin, byte for byte.

use super::fixture::{hygge, loader, result, shell_hook};
use hookbox::dialect::hygge::Hygge;
use hookbox::runtime::shell::Codec;
use hookbox::{Code, Event, Input};

/// A payload that begins as every one of an event does in this session, and goes on like this.
fn expected(event: Event, session_id: &str, pwd: &str, rest: &str) -> String {
    format!(r#"{{"event":"{event}","session_id":"{session_id}","hook_name":"{event}","pwd":"{pwd}"{rest}}}"#)
}

/// The payload for an Input as an agent sends it.
#[track_caller]
fn payload(input: &str) -> String {
    Hygge::default().payload(&Input::from_slice(input.as_bytes()).unwrap(), None)
}

/// What a hook on `pre_tool` reads as the tool's input.
#[track_caller]
fn tool_input(text: &str) -> String {
    last_member(&payload(&format!(r#"{{"event":"pre_tool","tool_input":{text}}}"#)), "tool_input")
}

/// What a hook on `pre_message` reads as the message.
#[track_caller]
fn message(text: &str) -> String {
    last_member(&Hygge::default().payload(&Input::pre_message(text), None), "message")
}

#[track_caller]
fn last_member(payload: &str, key: &str) -> String {
    let (_, value) = payload.split_once(&format!(r#","{key}":"#)).unwrap_or_else(|| panic!("{payload}"));
    value.strip_suffix('}').unwrap().to_owned()
}

fn in_session(mut input: Input) -> Input {
    input.session_id = Some("s1".to_owned());
    input.pwd = Some("/work".to_owned());
    input
}

#[test]
fn the_members_of_each_event_in_their_order() {
    let call = in_session(Input::pre_tool("bash", r#"{"command":"ls"}"#).unwrap());
    let returned = call.clone().into_post_tool(result("a\n"));
    let mut sent = in_session(Input::pre_message("hello"));
    sent.mode_name = Some("Deep".to_owned());
    let answered = in_session(Input::post_message("final answer"));
    let rows = [
        (call, r#","tool_name":"bash","tool_input":{"command":"ls"}"#),
        (
            returned,
            r#","tool_name":"bash","tool_input":{"command":"ls"},"tool_result":{"is_error":false,"content":"a\n"}"#,
        ),
        (sent, r#","message":"hello","mode_name":"Deep""#),
        (answered, r#","message":"final answer""#),
    ];
    for (input, rest) in rows {
        assert_eq!(Hygge::default().payload(&input, None), expected(input.event, "s1", "/work", rest));
    }
}

#[test]
fn four_members_are_never_absent_and_the_others_never_empty() {
    let empty = r#""session_id":"","pwd":"","tool_name":"","message":"","mode_name":"""#;
    for event in [Event::PreTool, Event::PostTool, Event::PreMessage, Event::PostMessage] {
        assert_eq!(Hygge::default().payload(&Input::new(event), None), expected(event, "", "", ""));
        assert_eq!(payload(&format!(r#"{{"event":"{event}",{empty}}}"#)), expected(event, "", "", ""));
    }
    assert_eq!(tool_input("null"), "null", "a tool's input may be null");
    let both_members = r#","tool_result":{"is_error":false,"content":""}"#;
    let result = payload(r#"{"event":"post_tool","tool_result":{}}"#);
    assert_eq!(result, expected(Event::PostTool, "", "", both_members));
}

/// What hookbox adds for its own hooks is not for hygge's.
#[test]
fn no_other_member_is_sent() {
    let further = r#""tool_use_id":"t1","turn":3,"now":"2026-01-01T00:00:00Z","x":1"#;
    let sent = payload(&format!(r#"{{"event":"pre_message",{further},"message":"m"}}"#));
    assert_eq!(sent, expected(Event::PreMessage, "", "", r#","message":"m""#));
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
    let input = in_session(Input::pre_tool("bash", r#"{ "command": "a && b" }"#).unwrap());
    loader(&project).load().registry.run_pre(input).await;
    let rest = r#","tool_name":"bash","tool_input":{"command":"a \u0026\u0026 b"}"#;
    let stdin = std::fs::read_to_string(project.dir().join("stdin")).unwrap();
    assert_eq!(stdin, expected(Event::PreTool, "s1", "/work", rest));
}

/// hygge hands duplicate keys on, and puts U+FFFD for what is not UTF-8. Here no hook runs on either.
#[test]
fn an_input_that_readers_would_not_agree_on_is_refused() {
    let duplicate = br#"{"event":"pre_tool","tool_input":{"a":1,"a":2}}"#;
    assert_eq!(Input::from_slice(duplicate).unwrap_err().code, Code::InputDuplicate);
    let no_text = b"{\"event\":\"pre_message\",\"message\":\"\xff\"}";
    assert_eq!(Input::from_slice(no_text).unwrap_err().code, Code::InputEncoding);
}
