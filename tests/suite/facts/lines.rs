//! The texts of an unknown tool that may be command lines, whatever their keys.

use super::facts;
use serde_json::{Value, json};

/// Returns the command lines that a call may run.
fn possible(tool: &str, input: &Value) -> Vec<String> {
    let found = facts(tool, input);
    found.shells.into_iter().filter(|shell| !shell.certain).map(|shell| shell.command).collect()
}

#[test]
fn any_key_may_hold_a_command() {
    let line = "rm -rf ~";
    for input in [
        json!({"text": line}),
        json!({"body": line}),
        json!({"input": line}),
        json!({"x": {"y": [{"z": line}]}}),
        json!({"content": [{"type": "text", "text": line}]}),
        json!({"steps": [line]}),
        json!({"payload": json!({"text": line}).to_string()}),
        json!({"path": "/tmp", "text": line}),
        json!([line]),
        json!(line),
    ] {
        for tool in ["mcp__box__do", "mystery"] {
            let found = possible(tool, &input);
            assert_eq!(found, [line], "{tool} {input}");
        }
    }
}

#[test]
fn a_command_may_be_spelled_in_many_ways() {
    for line in [
        "sudo rm -r x",
        "/bin/rm -r x",
        r"\rm -r x",
        "r''m -r x",
        "X=1 Y= rm -r x",
        "(rm -r x)",
        "{ rm -r x; }",
        "$(rm -r x)",
        "`rm -r x`",
        "$ rm -r x",
        "! rm -r x",
        "{rm,-r,x}",
        "rm${IFS}-r${IFS}x",
        "if true; then rm -r x; fi",
        "foo && rm -r x",
        "foo | xargs rm",
        "foo\nrm -r x",
        "# A comment\nrm -r x",
        "```sh\nrm -r x\n```",
        "make -j4",
        "cat /etc/passwd",
        "find . -delete",
        ">/dev/null rm -r x",
    ] {
        assert_eq!(possible("mcp__box__do", &json!({"x": line})), [line]);
    }
}

#[test]
fn the_words_of_a_command_may_be_apart() {
    for (input, line) in [
        (json!({"steps": ["rm", "-r", "~"]}), "rm -r '~'"),
        (json!({"steps": ["cd /", "rm -r ."]}), "cd /\nrm -r ."),
        (json!({"command": "rm", "options": "-r", "paths": ["~"]}), "rm -r ~"),
        (json!({"cmd": "rm", "flags": "-r -f", "target": "~"}), "rm -r -f ~"),
        (json!({"action": "rm", "path": "~", "recursive": true}), "rm ~ --recursive"),
        (json!({"command": "git push", "mode": "--force"}), "git push --force"),
    ] {
        let found = possible("mcp__box__do", &input);
        assert!(found.iter().any(|found| found == line), "{input}: {found:?}");
    }
    // Values that are not words of a command do not count towards the limit.
    let mut input = json!({"action": "rm", "z": "-r"});
    (0..100).for_each(|at| input[format!("n{at}")] = json!(at));
    assert_eq!(possible("mcp__box__do", &input), ["rm -r"]);
}

#[test]
fn code_may_be_run_by_an_interpreter() {
    let code = "import os; os.system('rm -r x')";
    for (key, programs) in [
        ("python", &["python3 -c"][..]),
        ("js", &["node -e"]),
        ("code", &["python3 -c", "node -e"]),
        ("cell_source", &["python3 -c", "node -e"]),
    ] {
        let found = possible("mcp__box__do", &json!({ key: code }));
        let begins = programs.iter().all(|program| found.iter().any(|line| line.starts_with(program)));
        assert!(begins && found.len() == programs.len(), "{key}: {found:?}");
    }
    assert_eq!(possible("mcp__box__do", &json!({ "code": "no call" })), [""; 0]);
    let written = json!({ "path": "a.py", "code": "import os\nos.system('rm -r x')\n" });
    assert_eq!(possible("mcp__files__write_file", &written), [""; 0]);
}

#[test]
fn code_of_a_notebook_may_escape_to_a_shell() {
    for (cell, line) in [
        ("!rm -rf ~", "rm -rf ~"),
        ("!!rm -rf ~", "rm -rf ~"),
        ("x = 1\n!rm -rf ~", "rm -rf ~"),
        ("files = !cat .env", "cat .env"),
        ("%sx rm -rf ~", "rm -rf ~"),
        ("%system rm -rf ~", "rm -rf ~"),
        ("%rm -rf ~", "rm -rf ~"),
        ("%load .env", "cat .env"),
        ("%%writefile .git/hooks/pre-commit\nx", "tee .git/hooks/pre-commit"),
        ("!cd x\n!rm -rf y", "cd x\nrm -rf y"),
    ] {
        let found = possible("mcp__ide__executeCode", &json!({"code": cell}));
        assert!(found.iter().any(|found| found == line), "{cell}: {found:?}");
    }
    for cell in ["x != y", "%matplotlib inline", "!important", "a = b % c", "%timeit f(x)"] {
        assert_eq!(possible("mcp__ide__executeCode", &json!({"q": cell})), [""; 0], "{cell}");
    }
}

#[test]
fn a_key_may_be_a_command() {
    assert_eq!(possible("mcp__box__do", &json!({"rm -r x": "y"})), ["rm -r x"]);
}

#[test]
fn what_is_certain_stays_so() {
    let found = facts("mcp__box__do", &json!({"command": "ls", "args": ["-l"], "note": "rm -r x"}));
    let lines: Vec<(&str, bool)> = found.shells.iter().map(|line| (line.command.as_str(), line.certain)).collect();
    assert_eq!(lines, [("ls -l", true), ("rm -r x", false)]);
    assert_eq!(found.command.as_deref(), Some("ls -l"));
    assert_eq!(facts("mcp__box__do", &json!({"text": "rm -r x"})).command, None);
}

#[test]
fn prose_names_and_files_are_no_commands() {
    assert_eq!(possible("mcp__box__do", &json!({"text": "rm"})), [""; 0]);
    for text in [
        "Fix the build",
        "Run `rm -rf node_modules`, then start again.",
        "make it work for everyone",
        "find the file and open it",
        "kill the old process",
        "test whether the cache is used",
        "Fixes: git push fails\n\n- rm -rf is slow\n- it is not tested",
        "a/b.txt",
        "SELECT a FROM b",
        "process.env",
        "",
    ] {
        for input in [json!({"text": text}), json!({"items": [text, "b"]})] {
            assert_eq!(possible("mcp__box__do", &input), [""; 0], "{input}");
        }
    }
    let script = json!({"path": "clean.sh", "content": "#!/bin/sh\nrm -r build\n"});
    assert_eq!(possible("mcp__files__write_file", &script), [""; 0]);
    // The tools of an agent are known.
    assert!(facts("Write", &json!({"file_path": "x", "content": "rm -r x"})).shells.is_empty());
}

#[test]
fn more_than_are_looked_at_are_told() {
    let lines =
        |count: usize| json!({"a": (0..count).map(|at| json!({"t": format!("rm -r x{at}")})).collect::<Vec<_>>()});
    let is_told = |input: &Value| {
        let unknown = facts("mcp__box__do", input).unknown;
        unknown.iter().any(|what| what == "more texts than are looked at, which may be commands")
    };
    assert!(!is_told(&lines(32)));
    assert!(is_told(&lines(33)));
    let padded = format!("rm -r x #{}", "x".repeat(200 << 10));
    assert_eq!(possible("mcp__box__do", &json!({"text": padded})).len(), 1);
    assert!(is_told(&json!({"text": format!("{padded}\nrm -r y")})), "the end is not read");
    let operands = |count: usize| {
        let operands = (0..count).map(|at| (format!("k{at}"), json!("-v")));
        Value::Object(std::iter::once(("a".to_owned(), json!("rm"))).chain(operands).collect())
    };
    assert!(!is_told(&operands(64)));
    assert!(is_told(&operands(65)));
}

/// Each is looked at once. Looking at all others for each of them would take minutes.
#[test]
fn many_texts_with_several_lines_are_told() {
    let texts: Vec<String> = (0..20_000).map(|at| format!("rm -r x{at}\ny")).collect();
    let found = facts("mcp__box__do", &json!({"x": texts}));
    for which in ["commands", "paths"] {
        let expected = format!("more texts than are looked at, which may be {which}");
        assert!(found.unknown.contains(&expected), "{:?}", found.unknown);
    }
    assert_eq!(found.shells.len(), 32);
}
