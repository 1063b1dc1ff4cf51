//! The arguments of tools: commands, words, URLs.

use super::facts;
use hookbox::Tool;
use proptest::prelude::*;
use serde_json::{Value, json};

#[test]
fn a_list_of_words_is_a_command_that_a_shell_reads_back() {
    let tool = facts("shell", &json!({"command": ["bash", "-lc", "rm -rf ~"], "workdir": "/x/../y"}));
    assert_eq!(tool.argv.as_deref(), Some(["bash", "-lc", "rm -rf ~"].map(str::to_owned).as_slice()));
    assert_eq!(tool.command.as_deref(), Some("bash -lc 'rm -rf ~'"));
    assert_eq!(tool.cwd.as_deref(), Some("/y"));
    let tool = facts("mcp__os__exec", &json!({"command": "npm", "args": ["run", "it's"]}));
    assert_eq!(tool.command.as_deref(), Some(r"npm run 'it'\''s'"));
    assert_eq!(tool.argv.map(|argv| argv.len()), Some(3));
    let tool = facts("mcp__os__exec", &json!({"command": "cd /x && npm", "args": ["run"]}));
    assert_eq!((tool.command.as_deref(), tool.argv), (Some("cd /x && npm run"), None));
}

#[test]
fn several_commands_are_lines_and_none_is_lost() {
    let command = |input: Value| facts("shell", &input).command.unwrap();
    assert_eq!(command(json!({"commands": ["ls", "rm -rf /"]})), "ls\nrm -rf /");
    assert_eq!(command(json!({"cmd": "ls", "command": "rm -rf /"})), "ls\nrm -rf /");
    assert_eq!(command(json!({"command": "ls\nrm -rf /", "commands": ["ls", "rm -rf /"]})), "ls\nrm -rf /");
    assert_eq!(command(json!({"command": "ls", "script": ["rm", "-rf", "/"]})), "ls\nrm -rf /");
    assert_eq!(command(json!("rm -rf /")), "rm -rf /");
    assert_eq!(command(json!({"steps": [{"command": "ls"}, {"command": "rm -rf /"}]})), "ls\nrm -rf /");
}

/// Each line that a tool may run is listed by itself, and a call that is not understood is not complete.
#[test]
fn several_command_lines_are_a_list() {
    let lines = |tool: &str, input: Value| -> Vec<String> {
        facts(tool, &input).shells.into_iter().map(|shell| shell.command).collect()
    };
    assert_eq!(lines("shell", json!({"commands": ["a", "b"]})), ["a", "b", "a\nb"]);
    assert_eq!(lines("shell", json!({"commands": ["a"]})), [""; 0]);
    assert_eq!(lines("shell", json!({"cmd": "a", "command": "b"})), ["a", "b", "a\nb"]);
    assert_eq!(lines("Bash", json!({"command": "reboot", "args": ["--help"]})), ["reboot", "reboot --help"]);
    assert_eq!(lines("shell", json!({"commands": [["a", "b c"], ["d"]]})), ["a 'b c'", "d", "a 'b c'\nd"]);
    assert_eq!(lines("x", json!({"command": "echo", "args": ["; rm x"]})), ["echo '; rm x'", "echo ; rm x"]);
    let steps = json!({"commands": [{"command": "a", "args": ["b"]}, {"command": "c"}]});
    assert_eq!(lines("shell", steps), ["a b", "c", "a b\nc"]);
    for odd in [json!({"commands": ["a", {"run": "b"}]}), json!({"command": "a", "steps": [{"do": "b"}]})] {
        assert!(!facts("shell", &odd).complete, "{odd}");
    }
    for many in [json!({"commands": vec!["a"; 10_000]}), json!({"command": "a", "args": vec!["b"; 10_000]})] {
        assert!(!facts("shell", &many).complete);
    }
    let two = json!({"command": "a", "cwd": "/x", "workdir": "/y"});
    assert!(!facts("shell", &two).complete, "which directory it runs in");
}

#[test]
fn urls() {
    let urls = |tool: &str, input: Value| facts(tool, &input).urls;
    assert_eq!(urls("WebFetch", json!({"url": "https://a.b/c?d#e"})), ["https://a.b/c?d#e"]);
    assert_eq!(
        urls("web_fetch", json!({"prompt": "sum up https://a.b/c and (http://d.e)."})),
        ["https://a.b/c", "http://d.e"]
    );
    assert_eq!(urls("fetch", json!({"url": "a.b/c"})), ["a.b/c"]);
    assert_eq!(
        urls("Bash", json!({"command": "curl 'https://a.b/c' ftp://d.e; git clone git+ssh://u@h/p"})),
        ["https://a.b/c", "ftp://d.e", "git+ssh://u@h/p"]
    );
    assert_eq!(urls("mcp__web__get", json!({"target": "https://a.b"})), ["https://a.b"]);
    assert!(urls("Write", json!({"file_path": "/w/a", "content": "see https://a.b"})).is_empty(), "nothing goes there");
    assert!(facts("WebSearch", &json!({"query": "x"})).complete);
}

fn says(tool: &Tool, what: &str) -> bool {
    tool.unknown.iter().any(|unknown| unknown == what)
}

/// A URL may contain others, so a short text may name megabytes of them.
#[test]
fn more_urls_than_are_read_are_told() {
    let many = |count: usize| (0..count).map(|at| format!("https://a.b/{at} ")).collect::<String>();
    for text in ["a://".repeat(5000), many(1025)] {
        for found in [facts("Bash", &json!({"command": text})), facts("mcp__box__do", &json!({"x": text}))] {
            let bytes: usize = found.urls.iter().map(String::len).sum();
            let is_told = says(&found, "more URLs than are read") && !found.complete;
            assert!(bytes <= 1 << 20 && is_told, "{bytes} {:?}", found.unknown);
        }
    }
    assert!(!says(&facts("Bash", &json!({"command": many(1024)})), "more URLs than are read"));
}

/// Each of the commands may get all of the words.
#[test]
fn many_commands_beside_a_long_word_have_small_facts() {
    let mut input = json!({"args": "b".repeat(100 << 10)});
    for at in 0..200 {
        input[format!("k{at}_cmd")] = json!(format!("run{at}"));
    }
    for tool in ["Bash", "x", "mcp__box__do"] {
        let found = facts(tool, &input);
        assert!(says(&found, "more command lines than are read"), "{tool}: {:?}", found.unknown);
        let size = found.to_json().len();
        assert!(size < 1 << 20, "{tool}: {size}");
    }
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "[ -~]{0,12}|~|/|\\.\\./x|file:///a%2fb|\u{0}".prop_map(Value::from),
    ];
    let key = "command|cmd|path|file_path|content|patch|url|cwd|args|files|[a-z]{1,6}";
    leaf.prop_recursive(3, 16, 4, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::hash_map(key, inner, 0..4).prop_map(Value::from_iter),
        ]
    })
}

proptest! {
    /// For any arguments of a tool, its facts are determined, and are the same the next time.
    #[test]
    fn facts_are_found_for_every_input(
        tool in "Bash|Write|apply_patch|Grep|WebFetch|mcp__a__b|write_stdin|editor|x",
        input in value(),
    ) {
        let found = facts(&tool, &input);
        prop_assert_eq!(&found, &facts(&tool, &input));
        let text = found.to_json();
        let sent = format!(r#"{{"event":"pre_tool","tool":{text}}}"#);
        let read = hookbox::Input::from_slice(sent.as_bytes()).unwrap().tool.unwrap();
        prop_assert_eq!(&*read, &found, "what hookbox writes, a host can send");
        let command = input.get("command").and_then(Value::as_str).filter(|command| !command.trim().is_empty());
        if let (Some(command), "Bash") = (command, tool.as_str()) {
            prop_assert!(found.command.is_some_and(|found| found.contains(command)), "no command is lost");
        }
    }
}
