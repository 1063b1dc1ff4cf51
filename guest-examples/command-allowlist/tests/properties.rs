//! Checks what holds for any command at all.
#![allow(clippy::expect_used, clippy::indexing_slicing, reason = "a test may fail this way")]

use proptest::prelude::*;
use serde_json::{Value, json};

fn decision(command: &str, allow: &Value) -> Value {
    let input = json!({
        "event": "pre_tool", "tool_input": { "command": command }, "settings": { "allow": allow, "write_to": ["/"] },
    });
    let action = hookbox_sdk::answer(command_allowlist::judge, &input.to_string()).expect("an Action");
    let action: Value = serde_json::from_str(&action).expect("JSON");
    action["decision"].clone()
}

fn shell_like() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "ls",
        "echo",
        "bash -c",
        "sh",
        "eval",
        "sudo",
        "xargs",
        "find",
        "-exec",
        ";",
        "&&",
        "|",
        "&",
        "(",
        ")",
        "{",
        "}",
        "$(",
        "`",
        "\"",
        "'",
        "${x:-",
        "$((",
        "))",
        "if",
        "then",
        "fi",
        "for x in",
        "do",
        "done",
        "case x in",
        "esac",
        ">",
        "<(",
        "<<E",
        "E",
        "#",
        "\\",
        "\n",
        "x=1",
        "é",
    ]);
    let space = prop::sample::select(vec!["", " ", " "]);
    prop::collection::vec((piece, space), 0..20)
        .prop_map(|pieces| pieces.into_iter().flat_map(|(piece, space)| [piece, space]).collect())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1024, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_gets_an_answer(command in any::<String>()) {
        decision(&command, &json!(["ls"]));
    }

    /// Whatever surrounds it, a command that is not listed does not pass beside others.
    #[test]
    fn an_unlisted_command_does_not_hide(before in shell_like(), after in shell_like()) {
        let list = json!(["ls", "echo", "bash", "sh", "eval", "sudo", "xargs", "find", "for", "do", "done", "in", "x"]);
        let passes = |text: &str| decision(text, &list) == "allow";
        // A here-document or a backslash can make the next line a part of itself.
        if passes(&before) && passes(&after) && !before.contains(['<', '\\']) {
            let command = format!("{before}\nunlisted\n{after}");
            prop_assert!(!passes(&command), "{}", command);
        }
    }

    #[test]
    fn an_empty_list_lets_no_command_pass(name in "[a-z]{1,8}", rest in "[ a-z|&;]{0,20}") {
        prop_assert_eq!(decision(&format!("{name}{rest}"), &json!([])), "ask");
    }
}
