//! Characters that a terminal or a model would not show.

use hookbox::{Action, Code, Input, Kind, Outcome, Record, Source, Warning, visible, visible_json};
use regex::Regex;
use serde_json::Value;

/// A right-to-left override, a C1 control, a zero-width space and a tag, among harmless text.
const NASTY: &str = "ok\u{202e}\u{9b}31m\u{200b}\u{e0041}é終";

#[test]
fn the_hidden_characters_are_those_of_unicode() {
    let hidden = Regex::new(r"^[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{DI}]--\p{Prepended_Concatenation_Mark}]$").unwrap();
    for c in ('\0'..=char::MAX).filter(|c| !matches!(c, '\n' | '\t')) {
        let text = c.to_string();
        assert_eq!(visible(&text) != text, hidden.is_match(&text), "U+{:04X}", u32::from(c));
    }
}

#[test]
fn text_for_terminals_spells_them_out() {
    assert_eq!(visible(NASTY), "ok\\u{202e}\\u{9b}31m\\u{200b}\\u{e0041}é終");
    assert_eq!(visible("a\tb\nc\u{1b}[2J\r\u{7f}"), "a\tb\nc\\u{1b}[2J\\u{d}\\u{7f}");
    assert_eq!(visible(""), "");
}

#[test]
fn json_keeps_its_value() {
    let json = serde_json::to_string(&[NASTY, "\u{7f}\u{2028}\u{feff}\u{10ffff}"]).unwrap();
    let spelled = visible_json(&json);
    assert_eq!(
        spelled,
        r#"["ok\u202e\u009b31m\u200b\udb40\udc41é終","\u007f\u2028\ufeff"#.to_owned() + "\u{10ffff}\"]"
    );
    assert_eq!(serde_json::from_str::<Value>(&spelled).unwrap(), serde_json::from_str::<Value>(&json).unwrap());
}

/// Everything that comes from hooks, config and the agent is escaped; only the tool's input stays as it came.
#[test]
fn an_outcome_shows_them_as_escapes_but_for_the_input_of_the_tool() {
    let args = format!(r#"{{"command":"{NASTY}"}}"#);
    let mut input = Input::pre_tool(NASTY, &args).unwrap();
    input.message = Some(NASTY.to_owned());
    let mut outcome = Outcome::allow(input);
    outcome.reason = Some(NASTY.to_owned());
    outcome.denied_by = Some(NASTY.to_owned());
    outcome.system_prompt_additions = vec![NASTY.to_owned()];
    outcome.additional_context = vec![NASTY.to_owned()];
    outcome.system_messages = vec![NASTY.to_owned()];
    outcome.stop_reason = Some(NASTY.to_owned());
    outcome.permission_reason = Some(NASTY.to_owned());
    outcome.warnings = vec![Warning::new(NASTY, Code::Trap, NASTY)];
    outcome.hooks = vec![Record::new(NASTY, Kind::Shell, Source::new(NASTY))];
    let line = outcome.to_json_line();
    let value: Value = serde_json::from_str(&line).unwrap();
    for pointer in [
        "/reason",
        "/denied_by",
        "/system_prompt_additions/0",
        "/additional_context/0",
        "/system_messages/0",
        "/stop_reason",
        "/permission_reason",
        "/warnings/0/hook",
        "/warnings/0/message",
        "/hooks/0/name",
        "/hooks/0/source",
        "/input/message",
        "/input/tool_name",
        "/input/tool_input/command",
    ] {
        assert_eq!(value.pointer(pointer).unwrap(), NASTY, "{pointer}");
    }
    assert!(line.contains(&format!(r#""tool_input":{args}"#)), "byte for byte: {line}");
    let rest = line.replace(&args, "");
    assert_eq!(visible(&rest), rest);
}

#[test]
fn what_the_caller_gave_beside_the_input_of_the_tool_is_escaped_too() {
    let text = format!(
        r#"{{"event":"before_llm_call","messages":[{{"role":"user","content":"{NASTY}"}}],"extra":["{NASTY}"]}}"#
    );
    let line = Outcome::allow(Input::from_slice(text.as_bytes()).unwrap()).to_json_line();
    assert_eq!(visible(&line), line);
    let value: Value = serde_json::from_str(&line).unwrap();
    assert_eq!(value["input"], serde_json::from_str::<Value>(&text).unwrap());
}

#[test]
fn a_hook_gets_the_text_as_it_is() {
    let mut input = Input::pre_message(NASTY);
    input.session_id = Some("s".to_owned());
    assert!(input.to_hook_json(None).contains(NASTY));
    assert!(input.to_json().contains(NASTY));
}

#[test]
fn an_action_is_printed_with_escapes() {
    let rewrite = hookbox::Json::string(NASTY);
    let action = Action::modify_tool_input(rewrite.clone()).with_reason(NASTY);
    let text = action.to_json();
    let read = Action::from_slice(text.as_bytes(), hookbox::Event::PreTool).unwrap();
    assert_eq!(read, action);
    assert_eq!(visible(&text.replace(rewrite.as_str(), "")), text.replace(rewrite.as_str(), ""));
    assert!(text.contains(rewrite.as_str()), "a tool's input stays as it is: {text}");
}
