//! The JSON on both sides of a hook.
#![allow(clippy::unwrap_used, reason = "a test may fail this way")]

use hookbox_sdk::{
    Access, Action, CommandLine, Error, Event, Input, Json, NoSettings, Place, ShellWord, Tool, ToolKind, ToolResult,
    answer, json,
};
use proptest::prelude::*;
use serde::Deserialize;

#[derive(Debug, PartialEq, Deserialize)]
struct Settings {
    #[serde(default)]
    words: Vec<String>,
    level: u8,
}

fn allow<S>(_: &Input<S>) -> Action {
    Action::allow()
}

#[test]
fn an_input_is_read_whole() {
    let text = r#"{"event":"post_tool","session_id":"s","hook_name":"post_tool","pwd":"/w","tool_name":"t",
        "tool_input":{"a": 1.10},"tool_result":{"is_error":true,"content":"c"},"tool_use_id":"u","turn":3,"now":"n",
        "settings":{"level":2},"messages":[1],"input_tokens":5,"later":{}}"#;
    let input: Input<Settings> = Input::from_json(text).unwrap();
    assert_eq!(input.event, Event::PostTool);
    assert_eq!((input.session_id.as_str(), input.pwd.as_str(), input.turn), ("s", "/w", Some(3)));
    assert_eq!(input.tool_input.as_ref().unwrap().as_str(), r#"{"a": 1.10}"#);
    assert_eq!(input.tool_result, Some(ToolResult::error("c")));
    assert_eq!((input.messages.unwrap().as_str(), input.input_tokens, input.message), ("[1]", Some(5), None));
    assert_eq!(input.settings, Settings { words: Vec::new(), level: 2 });
}

#[test]
fn a_text_of_the_tools_input_is_what_serde_reads() {
    let long = "a line of a file\n".repeat(100);
    for text in ["", "plain", "\"", "\\", "\\\\\"", "a\nb\tc\rd/e", "\u{8}\u{c}\u{1f}\0", "é\u{1f600}\u{202e}", &long]
    {
        let spelled = serde_json::to_string(text).unwrap();
        let spelled = [spelled.clone(), spelled.replace('/', "\\/"), spelled.replace('a', "\\u0061")];
        for spelled in spelled {
            let input = format!(r#"{{"event":"pre_tool","tool_input":{{"x": {spelled} }}}}"#);
            let read = Input::<NoSettings>::from_json(&input).unwrap().text("x").unwrap();
            assert_eq!(read.as_deref(), Some(text), "{input}");
        }
    }
    for bad in [r#""\ud800""#, "1", "null", "[]", r#"{"y":"z"}"#] {
        let input = format!(r#"{{"event":"pre_tool","tool_input":{{"x":{bad}}}}}"#);
        let input = Input::<NoSettings>::from_json(&input).unwrap();
        assert!(input.text("x").is_err(), "{bad}");
    }
}

#[test]
fn a_component_reads_the_same_input_without_a_copy() {
    fn tell(input: &Input<Settings>) -> Result<Action, Error> {
        let parts = [&input.tool_input, &input.tool, &input.messages].map(|part| part.as_ref().map(Json::to_string));
        Ok(Action::deny(format!("{parts:?} {:?} {:?}", input.text("command")?, input.settings)))
    }
    for text in [
        r#"{"event":"pre_tool","tool_input":{"command":"a\nb"},"tool":{"kind":"shell"},"settings":{"level":2}}"#,
        r#"{"event":"pre_tool","tool_input":null,"messages":[1, 2],"settings":{"level":2}}"#,
        r#"{"event":"pre_tool","tool_input":{},"tool_input":{},"settings":{"level":2}}"#,
        r#"{"event":"pre_tool","tool_input":{"command":1},"settings":{"level":2}}"#,
        r#"{"event":"pre_tool"}"#,
        "[]",
    ] {
        assert_eq!(hookbox_sdk::answer_kept(tell, text), answer(tell, text), "{text}");
    }
}

#[test]
fn several_command_lines_are_the_commands() {
    let commands = |facts: &str| {
        let text = format!(r#"{{"event":"pre_tool","tool_input":{{"command":"a; b"}},"tool":{facts}}}"#);
        Input::<NoSettings>::from_json(&text).unwrap().commands()
    };
    let lines = |facts: &str| commands(facts).unwrap().into_iter().map(|command| command.line).collect::<Vec<_>>();
    assert_eq!(lines(r#"{"kind":"shell"}"#), [CommandLine::Text("a; b".to_owned())]);
    let several = r#"{"kind":"shell","shells":[{"command":"a"},{"command":"b c","argv":["b","c"]}],"complete":true}"#;
    let arguments = CommandLine::Arguments(vec!["b".to_owned(), "c".to_owned()]);
    assert_eq!(lines(several), [CommandLine::Text("a".to_owned()), arguments]);
    for bad in [
        "[]",
        "1",
        r#"{"shells":1}"#,
        r#"{"shells":null}"#,
        r#"{"shells":[],"shells":[]}"#,
        r#"{"shells":[{"command":1}]}"#,
    ] {
        assert!(commands(bad).is_err(), "{bad}");
    }
}

#[test]
fn several_certain_command_lines_are_no_single_command() {
    let input = |shells: &str| {
        let facts = format!(r#"{{"kind":"shell","shells":{shells}}}"#);
        let text = format!(r#"{{"event":"pre_tool","tool_input":{{"command":"a"}},"tool":{facts}}}"#);
        Input::<NoSettings>::from_json(&text).unwrap()
    };
    let error = input(r#"[{"command":"a"},{"command":"b"}]"#).command().unwrap_err().to_string();
    assert!(error.contains("`commands`"), "{error}");
    let one = input(r#"[{"command":"a"},{"command":"b","certain":false}]"#);
    assert_eq!(one.command().unwrap().as_deref(), Some("a"));
    let keys: Vec<_> = one.commands().unwrap().into_iter().map(|command| command.key).collect();
    assert_eq!(keys, ["command"], "where a changed command can be put back");
}

#[test]
fn a_command_under_another_key_is_a_command() {
    let command = |tool_input: &str, facts: &str| {
        let facts = format!(r#"{{"kind":"shell",{facts},"paths":[],"complete":true}}"#);
        let text = format!(r#"{{"event":"pre_tool","tool_input":{tool_input},"tool":{facts}}}"#);
        Input::<NoSettings>::from_json(&text).unwrap().commands().unwrap().pop().unwrap()
    };
    let rm = || CommandLine::Arguments(vec!["rm".to_owned(), "-r".to_owned(), "a b".to_owned()]);
    let facts = r#""command":"rm -r 'a b'","argv":["rm","-r","a b"]"#;
    for (tool_input, facts, key, line) in [
        (r#"{"CommandLine":"ls"}"#, r#""command":"ls""#, "commands", CommandLine::Text("ls".to_owned())),
        (r#"{"command":"rm","args":["-r","a b"]}"#, facts, "commands", rm()),
        (r#"{"command":["rm","-r","a b"]}"#, facts, "command", rm()),
    ] {
        let found = command(tool_input, facts);
        assert_eq!((found.key, found.line), (key, line), "{tool_input}");
    }
}

#[test]
fn the_facts_of_a_tool_call() {
    let facts = |json: &str| {
        Input::<NoSettings>::from_json(&format!(r#"{{"event":"pre_tool","tool":{json}}}"#)).unwrap().facts()
    };
    let tool = facts(
        r#"{"kind":"shell","command":"cat $F","paths":[{"path":"/w/a","as_written":"a","access":"write","place":"later"}],
            "added_text":[],"urls":[],"commands":[{"name":"cat","argv":["cat",{"raw":"$F","parts":[{"unknown":"$F"}]}],
            "text":"cat $F","later":1}],"unknown":["$F"],"complete":false}"#,
    )
    .unwrap();
    assert_eq!((tool.kind, tool.complete, tool.unknown.len()), (ToolKind::Shell, false, 1));
    let path = tool.paths.first().unwrap();
    assert_eq!((path.access, path.place, &path.real), (Access::Write, Place::Other, &None));
    assert!(path.certain, "unless it says otherwise");
    let possible = facts(r#"{"kind":"mcp","paths":[{"path":"/w/a","access":"write","certain":false}]}"#).unwrap();
    assert!(!possible.paths.first().unwrap().certain);
    let command = tool.commands.unwrap().remove(0);
    assert_eq!(command.name.as_deref(), Some("cat"));
    assert_eq!(command.argv.iter().map(ShellWord::known).collect::<Vec<_>>(), [Some("cat"), None]);
    assert_eq!(facts(r#"{"kind":"telepathy"}"#).unwrap(), Tool::default(), "and not complete");
    let partly =
        facts(r#"{"commands":[{"argv":[{"later":1,"raw":"*"},"\u0061\n"]}]}"#).unwrap().commands.unwrap().remove(0);
    assert_eq!(partly.argv.iter().map(ShellWord::written).collect::<Vec<_>>(), ["*", "a\n"]);
    for bad in [
        "1",
        "[]",
        r#"{"complete":1}"#,
        r#"{"paths":[{"path":"/"}]}"#,
        r#"{"paths":[{"path":"/","access":"x"}]}"#,
        r#"{"commands":[{"argv":[1]}]}"#,
        r#"{"commands":[{"argv":[{"parts":[]}]}]}"#,
        r#"{"commands":[{"argv":[{"raw":"a","raw":"b"}]}]}"#,
    ] {
        assert!(facts(bad).is_err(), "{bad}");
    }
    assert!(Input::new(Event::PreTool).facts().is_err());
}

#[test]
fn what_is_no_input_is_an_error() {
    for text in [
        "",
        "{",
        "null",
        "[]",
        r#"["pre_tool"]"#,
        "{}",
        r#"{"event":"no_such_event"}"#,
        r#"{"event":1}"#,
        r#"{"event":"pre_tool"} x"#,
        r#"{"event":"pre_tool","event":"pre_tool"}"#,
        r#"{"event":"pre_tool","turn":-1}"#,
        r#"{"event":"pre_tool","tool_name":1}"#,
        r#"{"event":"pre_tool","tool_result":"x"}"#,
    ] {
        assert!(answer(allow::<NoSettings>, text).is_err(), "{text}");
    }
}

#[test]
fn settings_that_do_not_fit_are_an_error_in_words() {
    let error = |settings: &str| {
        let text = format!(r#"{{"event":"pre_tool"{settings}}}"#);
        answer(allow::<Settings>, &text).unwrap_err()
    };
    let cannot = "the hook's `settings` cannot be used";
    assert_eq!(error(""), format!("{cannot}: missing field `level`"));
    assert_eq!(error(r#","settings":{"level":"x"}"#), format!("{cannot}: invalid type: string \"x\", expected u8"));
    assert_eq!(error(r#","settings":[["a"],1]"#), format!("{cannot}: it is no JSON object"));
    let none = answer(allow::<NoSettings>, r#"{"event":"pre_tool","settings":{"x":1}}"#);
    assert_eq!(none.unwrap_err(), format!("{cannot}: unknown field `x`, there are no fields"));
    assert_eq!(
        answer(allow::<NoSettings>, r#"{"event":"pre_tool","settings":{}}"#).unwrap(),
        r#"{"decision":"allow"}"#
    );
}

#[test]
fn what_the_function_returns_is_the_answer() {
    let text = r#"{"event":"pre_tool"}"#;
    assert_eq!(answer(|_: &Input| Action::deny("no"), text).unwrap(), r#"{"decision":"deny","reason":"no"}"#);
    assert_eq!(answer(|_: &Input| Err::<Action, _>("broken"), text), Err("broken".to_owned()));
    let failing = |_: &Input| -> Result<Action, Error> { Ok(Action::deny("x".parse::<u8>()?.to_string())) };
    assert_eq!(answer(failing, text), Err("invalid digit found in string".to_owned()));
}

#[test]
fn a_member_is_never_taken_for_absent() {
    let input = |tool_input: &str| {
        let mut input = Input::new(Event::PreTool);
        input.tool_input = Some(Json::parse(tool_input).unwrap());
        input
    };
    assert_eq!(Input::new(Event::PreTool).text("a").unwrap(), None);
    assert_eq!(input("{}").text("a").unwrap(), None);
    assert_eq!(input(r#"{"\u0061":"x"}"#).text("a").unwrap().as_deref(), Some("x"));
    for tool_input in
        [r#"{"a":1}"#, r#"{"a":null}"#, r#"{"a":"x","a":"y"}"#, r#"{"a":"x","\u0061":"y"}"#, "[]", "1", "\"a\""]
    {
        assert!(input(tool_input).text("a").is_err(), "{tool_input}");
    }
    let error = input(r#"{"command":7}"#).command().unwrap_err().to_string();
    assert_eq!(error, "the tool's input: `command`: invalid type: integer `7`, expected a string or a list of strings");
}

#[test]
fn a_command_is_a_text_or_a_list() {
    let command = |tool_input: serde_json::Value| Input::pre_tool("bash", tool_input).command();
    assert_eq!(command(json!({ "command": "ls -l" })).unwrap().as_deref(), Some("ls -l"));
    assert_eq!(
        command(json!({ "cmd": ["echo", "a b", "it's", ""] })).unwrap().as_deref(),
        Some(r"echo 'a b' 'it'\''s' ''")
    );
    assert_eq!(command(json!({ "path": "x" })).unwrap(), None);
    assert!(command(json!({ "command": "a", "cmd": "b" })).is_err());
    let both = Input::pre_tool("bash", json!({ "cmd": "b", "command": "a" })).commands().unwrap();
    let lines: Vec<_> = both.into_iter().map(|command| (command.key, command.line)).collect();
    let text = |text: &str| CommandLine::Text(text.to_owned());
    assert_eq!(lines, [("command", text("a")), ("cmd", text("b"))]);
}

#[test]
fn an_action_says_only_what_it_says() {
    let json = |action: Action| action.to_json().unwrap();
    assert_eq!(json(Action::allow()), r#"{"decision":"allow"}"#);
    assert_eq!(
        json(Action::update_input("b", "x").and_input("a", true).with_reason("r")),
        r#"{"decision":"modify","reason":"r","updated_input":{"a":true,"b":"x"}}"#
    );
    assert_eq!(
        json(Action::modify_tool_input(Json::parse(r#"{"n": 1.10}"#).unwrap())),
        r#"{"decision":"modify","modified_tool_input":{"n": 1.10}}"#
    );
    assert_eq!(
        json(Action::permit("known").with_context("c").and_stop("s")),
        r#"{"decision":"allow","permission":"allow","permission_reason":"known","additional_context":"c","stop":true,"stop_reason":"s"}"#
    );
}

/// Generates any JSON value, including numbers that do not fit a machine type.
fn value() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec![
        "null",
        "true",
        "1.10",
        "-0.0e5",
        "123456789012345678901234567890",
        "\"é\\u00e9\"",
        "\"\"",
    ]);
    leaf.prop_map(str::to_owned).prop_recursive(4, 32, 5, |inner| {
        let members = prop::collection::btree_map("[a-d]{1,3}", inner.clone(), 0..5);
        prop_oneof![
            prop::collection::vec(inner, 0..5).prop_map(|items| format!("[{}]", items.join(" , "))),
            members.prop_map(|members| object(&members)),
        ]
    })
}

fn object(members: &std::collections::BTreeMap<String, String>) -> String {
    let members: Vec<String> = members.iter().map(|(key, value)| format!("\"{key}\" : {value}")).collect();
    format!("{{ {} }}", members.join(",\n"))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_value_keeps_its_text(text in value()) {
        prop_assert_eq!(Json::parse(&text).unwrap().to_string(), text);
    }

    /// One member changes, and every other byte stays.
    #[test]
    fn to_set_a_member_changes_nothing_else(members in prop::collection::btree_map("[a-d]{1,3}", value(), 0..6), key in "[a-d]{1,3}", new in value()) {
        let before = object(&members);
        let mut json = Json::parse(&before).unwrap();
        json.set(&key, Json::parse(&new).unwrap()).unwrap();
        let mut expected = members.clone();
        if expected.insert(key.clone(), new.clone()).is_some() {
            prop_assert_eq!(json.as_str(), object(&expected));
        } else {
            let comma = if members.is_empty() { "" } else { "," };
            let expected = format!("{}{comma}\"{key}\":{new}}}", before.strip_suffix('}').unwrap());
            prop_assert_eq!(json.as_str(), expected);
        }
        prop_assert_eq!(json.get::<Json>(&key).unwrap().unwrap().to_string(), new);
    }

    #[test]
    fn any_text_gets_an_answer_or_an_error(text in any::<String>()) {
        if let Ok(action) = answer(allow::<NoSettings>, &text) {
            prop_assert_eq!(action, r#"{"decision":"allow"}"#);
        }
    }
}
