//! Laws that hold for any text.

use crate::{commands, facts, words};
use hookbox_sdk::{CommandLine, ShellCommand};
use proptest::prelude::*;
use serde_json::{Value, json};

/// Generates texts from pieces of commands, so most texts are valid and do something.
fn script() -> impl Strategy<Value = String> {
    let simple = prop::sample::select(vec![
        "rm -rf /x",
        "sudo rm $A",
        "A=1",
        "A='b c' B=$A",
        "export A=/",
        "$A x",
        "\"$@\"",
        "set -- ls -l",
        "cd /y",
        "cd $(pwd)/z",
        "echo 'ls a' | sh",
        "printf %s ls | bash",
        "x=`echo ls`",
        "$x a",
        "cat <<E | sh\nls $A\nE\n",
        "bash -c 'rm $1' x y",
        "find . -exec rm {} +",
        "find / | xargs ls",
        "eval \"$A\"",
        "f() { rm \"$1\"; }",
        "f /",
        "alias ls='rm -r'\n",
        "ls *",
        "trap 'rm $A' EXIT",
        "env -i A=1 ls",
        "read A <<< b",
        "git -c alias.x='!ls' x",
        "diff <(ls a) <(ls b)",
        "echo {a,b}$A > /out",
        "exit",
        "local A=2",
        "unset A",
        "IFS=,",
        "true ${A:-b} ${A:+c} ${A%x}",
        "[[ -n $A ]]",
        "((A++))",
        "wait &",
    ]);
    let leaf = simple.prop_map(str::to_owned);
    leaf.prop_recursive(4, 24, 4, |inner| {
        let two = (inner.clone(), inner.clone());
        prop_oneof![
            two.clone().prop_map(|(a, b)| format!("{a}\n{b}")),
            two.clone().prop_map(|(a, b)| format!("{a} && {b}")),
            two.clone().prop_map(|(a, b)| format!("{{ {a}\n}} | {{ {b}\n}}")),
            two.clone().prop_map(|(a, b)| format!("if {a}\nthen {b}\nfi")),
            two.clone().prop_map(|(a, b)| format!("case $A in a) {a}\n;; *) {b}\n;; esac")),
            two.prop_map(|(a, b)| format!("f() {{ {a}\n}}\n{b}")),
            inner.clone().prop_map(|a| format!("for A in 1 2; do {a}\ndone")),
            inner.clone().prop_map(|a| format!("while read A; do {a}\ndone")),
            inner.clone().prop_map(|a| format!("( {a}\n)")),
            inner.clone().prop_map(|a| format!("echo $( {a}\n)")),
            inner.prop_map(|a| format!("{a} &")),
        ]
    })
}

/// Returns the list of commands as the SDK reads it.
fn read(answer: &Value) -> Result<Vec<ShellCommand>, serde_json::Error> {
    serde_json::from_value(answer["commands"].clone())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    /// Quoting arguments for a shell and parsing the text returns the arguments.
    #[test]
    fn quoted_arguments_come_back(mut arguments in prop::collection::vec("[^\0\u{F0000}-\u{10FFFF}]{0,12}", 0..6)) {
        arguments.insert(0, "prog".to_owned());
        let text = CommandLine::Arguments(arguments.clone()).as_text().into_owned();
        let answer = facts(&text);
        prop_assert_eq!(&answer["complete"], &json!(true));
        prop_assert_eq!(&answer["commands"][0]["argv"], &json!(arguments));
        prop_assert_eq!(commands(&answer).len(), 1);
    }

    /// Escaping arguments with backslashes, or using double quotes, returns the arguments, too.
    #[test]
    fn escaped_arguments_come_back(argument in "[ -~]{1,12}") {
        let backslashed: String = argument.chars().flat_map(|c| ['\\', c]).collect();
        let mut quoted = String::new();
        for c in argument.chars() {
            if "\\\"$`".contains(c) {
                quoted.push('\\');
            }
            quoted.push(c);
        }
        let answer = facts(&format!("prog {backslashed} \"{quoted}\""));
        prop_assert_eq!(&answer["complete"], &json!(true));
        prop_assert_eq!(&answer["commands"][0]["argv"], &json!(["prog", argument, argument]));
    }

    /// If nothing is unknown, each plain word of the text is a word of a command.
    #[test]
    fn no_command_word_gets_lost(text in script()) {
        let answer = facts(&text);
        let all: Vec<String> = commands(&answer).iter().map(words).collect();
        if answer["complete"] == true {
            for name in ["rm", "find", "sudo", "eval", "bash"] {
                let is_there = text.split_whitespace().any(|word| word == name);
                // Nothing runs after an `exit`, and what an alias hides is listed as the alias.
                let is_listed = all.iter().any(|line| line.split(' ').any(|word| word == name));
                prop_assert!(!is_there || is_listed, "{name} of {text}\nin {all:?}");
            }
        }
    }

    #[test]
    fn answers_are_the_same_each_time(text in script()) {
        prop_assert_eq!(facts(&text), facts(&text));
    }

    /// The SDK's types accept whatever the parser writes, and its references lead to commands.
    #[test]
    fn every_answer_can_be_read(text in prop_oneof![script(), "[a-z$(){}<>|&;'\"` =*~\n]{0,60}", any::<String>()]) {
        let answer = facts(&text);
        let list = read(&answer);
        prop_assert!(list.is_ok(), "{list:?} {answer}");
        let list = list.unwrap_or_default();
        for (at, command) in list.iter().enumerate() {
            let mut parents = std::iter::successors(command.parent, |parent| list.get(*parent)?.parent);
            prop_assert!(parents.by_ref().take(list.len()).all(|parent| parent < list.len()), "{text}\n{answer}");
            prop_assert!(parents.next().is_none(), "a command runs itself: {text}\n{answer}");
            prop_assert!(command.reads_from.iter().all(|from| *from < list.len() && *from != at), "{text}\n{answer}");
        }
        prop_assert_eq!(answer["complete"] == false, answer["unknown"].is_array());
    }
}
