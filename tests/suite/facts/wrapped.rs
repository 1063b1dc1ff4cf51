//! Commands of tools that hookbox does not know, under other names than `command`.

use super::facts;
use hookbox::Tool;
use serde_json::json;

const LINE: &str = "echo a; ls b";

/// Returns the command lines of a call.
fn lines(tool: &Tool) -> Vec<String> {
    let lines = tool.shells.iter().map(|shell| shell.command.clone());
    lines.chain(tool.command.clone()).collect()
}

fn quoted() -> String {
    format!("'{LINE}'")
}

#[test]
fn keys_of_commands() {
    for key in [
        "command",
        "cmd",
        "cmdline",
        "cmd_line",
        "commandLine",
        "bash_command",
        "shell_command",
        "terminal_command",
        "commandText",
        "command-string",
        "setup_command",
        "run",
        "execute",
        "bash",
        "sh",
        "program",
    ] {
        for tool in ["mcp__box__do", "mystery"] {
            let found = facts(tool, &json!({ key: LINE }));
            assert!(lines(&found).contains(&LINE.to_owned()), "{tool} {key}: {found:?}");
        }
    }
}

#[test]
fn words_that_are_no_commands() {
    for input in [
        json!({"shell": "bash"}),
        json!({"run": "nightly"}),
        json!({"program": "math"}),
        json!({"subcommand": "git status now"}),
        json!({"language": "en", "text": "two words"}),
        json!({"language": "bash", "text": "two words"}),
        json!({"args": ["a"], "name": "b"}),
        json!({"input": "two words"}),
    ] {
        let found = facts("mcp__box__do", &input);
        assert_eq!(found.command, None, "{input}");
    }
    for tool in ["mcp__playwright__evaluate", "mcp__chrome__run", "mcp__node__run"] {
        assert_eq!(facts(tool, &json!({"script": "return await x"})).command, None, "{tool}");
    }
}

#[test]
fn a_program_beside_its_words() {
    for input in [
        json!({"program": "rm", "args": ["-r", "a b"]}),
        json!({"executable": "rm", "arguments": ["-r", "a b"]}),
        json!({"command": "rm", "argv": ["-r", "a b"]}),
        json!({"command": "rm", "params": ["-r", "a b"]}),
        json!({"cmd": "rm", "options": ["-r", "a b"]}),
        json!({"command": {"program": "rm", "args": ["-r", "a b"]}}),
        json!({"request": "{\"program\": \"rm\", \"args\": [\"-r\", \"a b\"]}"}),
        json!({"argv": ["rm", "-r", "a b"]}),
        json!({"process": ["rm", "-r", "a b"]}),
        json!({"program": "/bin/rm", "argv": ["rm", "-r", "a b"]}),
    ] {
        for tool in ["mcp__box__do", "mystery"] {
            let found = facts(tool, &input);
            assert!(lines(&found).iter().any(|line| line.ends_with("rm -r 'a b'")), "{tool} {input}: {found:?}");
        }
    }
}

#[test]
fn a_script_in_its_language() {
    for (input, line) in [
        (json!({"code": LINE, "language": "bash"}), LINE.to_owned()),
        (json!({"script": LINE, "lang": "sh"}), LINE.to_owned()),
        (json!({"source": LINE, "language": "Shell"}), LINE.to_owned()),
        (json!({"text": LINE, "interpreter": "/bin/bash"}), LINE.to_owned()),
        (json!({"content": LINE, "shell": "zsh"}), LINE.to_owned()),
        (json!({"code": LINE, "language": "python"}), format!("python3 -c {}", quoted())),
        (json!({"code": LINE, "runtime": "node18"}), format!("node -e {}", quoted())),
        (json!({"code": LINE, "language": "PowerShell"}), format!("pwsh -Command {}", quoted())),
    ] {
        for tool in ["mcp__box__do", "mystery"] {
            let found = facts(tool, &input);
            assert!(lines(&found).contains(&line), "{tool} {input}: {found:?}");
        }
    }
}

#[test]
fn what_a_command_reads_is_a_part_of_it() {
    for key in ["stdin", "input", "standard_input"] {
        let found = facts("mcp__box__do", &json!({"command": "bash", key: LINE}));
        assert!(lines(&found).contains(&format!("bash <<< {}", quoted())), "{key}: {found:?}");
        let found = facts("mystery", &json!({"command": ["bash", "-s"], key: LINE}));
        assert!(lines(&found).contains(&format!("bash -s <<< {}", quoted())), "{key}: {found:?}");
    }
}

#[test]
fn what_is_typed_into_a_terminal() {
    for (tool, input) in [
        ("mcp__tmux__send_keys", json!({"keys": LINE})),
        ("mcp__terminal__write", json!({"input": LINE})),
        ("mcp__ssh__exec", json!({"stdin": LINE})),
        ("mcp__my_shell__do", json!({"text": LINE})),
        ("powershell_session", json!({"script": LINE})),
        ("bash_tool", json!(LINE)),
        ("mcp__sh__run", json!({"input": LINE})),
        ("mcp__box__do", json!({"stdin": LINE})),
        ("mcp__box__do", json!({"script": LINE})),
    ] {
        let found = facts(tool, &input);
        assert!(lines(&found).contains(&LINE.to_owned()), "{tool} {input}: {found:?}");
    }
}

#[test]
fn json_that_was_put_into_a_string_more_than_once() {
    let once = json!({ "command": LINE }).to_string();
    let twice = json!(once).to_string();
    for input in [
        json!(once),
        json!(twice),
        json!({"input": once}),
        json!({"input": twice}),
        json!({"x": json!(twice).to_string()}),
    ] {
        for tool in ["mcp__box__do", "mystery"] {
            let found = facts(tool, &input);
            assert!(lines(&found).contains(&LINE.to_owned()), "{tool} {input}: {found:?}");
        }
    }
    let quoted = facts("mystery", &json!("\"a\" and \"b\""));
    assert_eq!(quoted.command, None);
}
