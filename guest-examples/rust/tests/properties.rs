//! Checks what holds for any command at all.
#![allow(clippy::expect_used, clippy::indexing_slicing, reason = "a test may fail this way")]

mod support;

use proptest::prelude::*;
use serde_json::json;
use support::{answer, ask_about as judge};

/// Generates commands made of pieces that mean something to the shell or to the policy.
fn shell_like() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "rm", "-rf", "/", "~", "$HOME", "git", "push", "-f", "-fu", "--force", "+x", "origin", "feature", "main",
        "HEAD:x", "bash", "-c", "eval", "sudo", "find", "-exec", "{}", "\\;", "xargs", "cat", "<<EOF", "EOF", "\n",
        ";", "&&", "||", "|", "&", "(", ")", "{", "}", "$(", "`", "\"", "'", "$'", "${x:-", "$((", "))", "[[", "]]",
        "if", "then", "fi", "for", "do", "done", "case", "in", "esac", ">", "<(", "#", "\\", "*", "{a,b}", "{", ",",
        "é", "🚀", "\u{E000}", "\u{E005}", "=", "x=",
    ]);
    let space = prop::sample::select(vec!["", " ", " ", " "]);
    prop::collection::vec((piece, space), 0..24)
        .prop_map(|pieces| pieces.into_iter().flat_map(|(a, b)| [a, b]).collect())
}

/// Generates a push that is rewritten, among other commands and text of any script.
fn force_push() -> impl Strategy<Value = String> {
    let before = prop::sample::select(vec!["", "ls; ", "echo 'ß 🚀' && ", "if true; then\n  "]);
    let push = prop::sample::select(vec![
        "git push -f origin x",
        "git  push --force\torigin x y",
        "sudo git -C d push origin '+x' -uf z",
        "git push origin +a:b +c",
    ]);
    (before, push, "[ a-zà-ÿ]{0,9}").prop_map(|(before, push, name)| {
        let end = if before.starts_with("if") { "\nfi" } else { "" };
        format!("{before}{push}; echo \"{name}\"; {push}{end}")
    })
}

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 1024,
        // A failure prints its command, which then belongs in `cases.toml`.
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn any_text_gets_an_answer(command in any::<String>()) {
        judge(&command);
    }

    #[test]
    fn any_input_gets_an_answer_or_an_error(input in any::<String>()) {
        drop(answer(&input));
    }

    #[test]
    fn a_modified_command_is_allowed(command in prop_oneof![shell_like(), force_push()]) {
        let action = judge(&command);
        if action["decision"] == "modify" {
            let modified = action["modified_tool_input"]["command"].as_str().expect("a command");
            prop_assert_ne!(modified, &command);
            prop_assert_eq!(judge(modified), json!({ "decision": "allow" }));
        }
    }

    #[test]
    fn a_force_push_is_modified(command in force_push()) {
        prop_assert_eq!(&judge(&command)["decision"], "modify");
    }

    #[test]
    fn a_harmful_command_does_not_hide_among_others(before in shell_like(), after in shell_like()) {
        let allowed = |text: &str| judge(text)["decision"] == "allow";
        // A here-document or a backslash can make the next line part of itself.
        if allowed(&before) && allowed(&after) && !before.contains(['<', '\\']) {
            let action = judge(&format!("{before}\nrm -rf /\n{after}"));
            prop_assert_ne!(&action["decision"], "allow");
        }
    }
}
