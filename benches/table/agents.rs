//! Compares `hookbox hook` with hooks in Python and Node.js, all started as Claude Code starts them: by `sh -c`.

use crate::languages::{NODE, PYTHON, interpreter};
use crate::processes::{Prepared, spawn_with};
use crate::row::{Goal, Unit, in_turns, print, print_missing};
use std::path::Path;
use std::process::Command;

const TRUE: &str = "hookbox hook claude, one policy / sh -c true";
const OF_PYTHON: &str = "hookbox hook claude, one policy / the same in python3";
const OF_NODE: &str = "hookbox hook claude, one policy / the same in node";

const PAYLOAD: &str = r#"{"session_id":"0d3f5c1e-8a7b-4c39-9f61-2b7a1c0e5d44","transcript_path":"/home/me/.claude/projects/app/0d3f5c1e.jsonl","cwd":"/home/me/app","prompt_id":"e9b5e42e-ab10-4513-b65d-6078255a69fa","permission_mode":"default","effort":{"level":"high"},"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"cargo test --workspace --locked -- --nocapture 2>&1 | tail -50","description":"Run the tests","timeout":120000},"tool_use_id":"toolu_01"}"#;

pub(crate) fn rows(wanted: &dyn Fn(&str) -> bool, hookbox: Option<&Path>) {
    let rows: Vec<&str> = [TRUE, OF_PYTHON, OF_NODE].into_iter().filter(|row| wanted(row)).collect();
    if rows.is_empty() {
        return;
    }
    let prepared = match Prepared::new(hookbox, &["same_rule_rust.wasm"]) {
        Ok(prepared) => prepared,
        Err(why) => return rows.into_iter().for_each(|row| print_missing(row, &why)),
    };
    let line = prepared.hook_line("claude");
    let mut left = || in_shell(prepared.with_home(Command::new("sh")), &line);
    let scripts = tempfile::tempdir().unwrap();
    let mut beside = |row: &str, rounds: usize, line: Option<String>, most: f64| match line {
        _ if !wanted(row) => {}
        None => print_missing(row, "the interpreter is not installed"),
        Some(line) => {
            let mut right = || in_shell(prepared.with_home(Command::new("sh")), &line);
            print(row, Unit::Nanoseconds, in_turns(rounds, [&mut left, &mut right]), Goal::AtMost(most));
        }
    };
    beside(TRUE, 200, Some("true".to_owned()), 3.0);
    let script = |file: &str, program: Option<String>, text: &str| {
        let path = scripts.path().join(file);
        std::fs::write(&path, text).unwrap();
        program.map(|program| format!("{program} {}", path.display()))
    };
    let python = interpreter("python3", &["-S", "-c", "import sys; print(sys.executable)"]);
    beside(OF_PYTHON, 40, script("hook.py", python, PYTHON), 1.0 / 8.6);
    let node = interpreter("node", &["-p", "process.execPath"]);
    beside(OF_NODE, 25, script("hook.js", node, NODE), 1.0 / 20.0);
}

fn in_shell(mut shell: Command, line: &str) -> f64 {
    spawn_with(shell.args(["-c", line]), PAYLOAD)
}
