//! Measures a call of each policy that ships with hookbox, with the facts of the call and its commands.

use crate::ask::runtime;
use crate::row::{Figure, Goal, Unit, print};
use hookbox::runtime::component::Compiler;
use hookbox::{Host, Input, Registry, Verdict};
use std::sync::Arc;
use std::time::Instant;
use tempfile::TempDir;

/// The maximum time that 99 of 100 calls may take, in nanoseconds.
const GOAL: f64 = 150e3;
const GOAL_OF_RESULT: f64 = 10e6;

/// An Input with a command of 200 bytes, as agents write it.
const COMMAND: &str = r#"{"event":"pre_tool","session_id":"s1","pwd":"/home/me/src/project","tool_name":"Bash","tool_input":{"command":"cd crates/engine && cargo test --locked --workspace 2>&1 | grep -E 'FAILED|error' | sort | head -n 20; git add -A src tests && git commit -m 'Fix the parser of nested groups' && git log --oneline -3"}}"#;
const MCP_CALL: &str = r#"{"event":"pre_tool","session_id":"s1","pwd":"/home/me/src/project","tool_name":"mcp__github__create_issue","tool_input":{"owner":"me","repo":"project","title":"The parser accepts a group that is not closed","body":"It should say where the group begins, and what to do."}}"#;
/// The lines of a program's output, which are repeated up to the length below.
const LINE: &str = "   Compiling engine v0.4.12 (/home/me/src/project/crates/engine)\nwarning: unused variable: `token_count` in src/lexer/mod.rs:118:9\n";
const RESULT_BYTES: usize = 1_000_000;

struct Row {
    name: &'static str,
    policy: &'static str,
    settings: &'static str,
}

const CALLS: [Row; 7] = [
    row("no-destructive-commands, a command of 200 bytes, p99 / 150 µs", "no-destructive-commands", ""),
    row("protect-paths, a command of 200 bytes, p99 / 150 µs", "protect-paths", ""),
    row(
        "command-allowlist, a command of 200 bytes, p99 / 150 µs",
        "command-allowlist",
        r#"settings = { allow = ["cd", "cargo", "grep", "sort", "head", "git"] }"#,
    ),
    row("no-secret-leaks, a command of 200 bytes, p99 / 150 µs", "no-secret-leaks", ""),
    row("network-egress, a command of 200 bytes, p99 / 150 µs", "network-egress", ""),
    row("package-guard, a command of 200 bytes, p99 / 150 µs", "package-guard", ""),
    row("mcp-guard, a call of an MCP tool, p99 / 150 µs", "mcp-guard", r#"settings = { allow = ["github/*"] }"#),
];

const RESULTS: [Row; 2] = [
    row("no-secret-leaks, a result of 1 MB / 10 ms", "no-secret-leaks", ""),
    row("injection-scan, a result of 1 MB / 10 ms", "injection-scan", ""),
];

const fn row(name: &'static str, policy: &'static str, settings: &'static str) -> Row {
    Row { name, policy, settings }
}

pub(crate) fn rows(wanted: &dyn Fn(&str) -> bool) {
    for row in CALLS.iter().filter(|row| wanted(row.name)) {
        let (registry, _home) = row.registry();
        let input = if row.policy == "mcp-guard" { MCP_CALL } else { COMMAND };
        let figure = Figure::of((0..15).map(|_| p99(calls(&registry, input, 1_000))).collect());
        print(row.name, Unit::Nanoseconds, [figure, Figure::exactly(GOAL)], Goal::AtMost(1.0));
    }
    for row in RESULTS.iter().filter(|row| wanted(row.name)) {
        let (registry, _home) = row.registry();
        let content = LINE.repeat(RESULT_BYTES / LINE.len());
        let input = serde_json::json!({
            "event": "post_tool", "session_id": "s1", "pwd": "/home/me/src/project", "tool_name": "Bash",
            "tool_input": { "command": "cargo build" }, "tool_result": { "content": content },
        });
        let figure = Figure::of(calls(&registry, &input.to_string(), 60));
        print(row.name, Unit::Nanoseconds, [figure, Figure::exactly(GOAL_OF_RESULT)], Goal::AtMost(1.0));
    }
}

impl Row {
    /// Makes a registry as `hookbox run` does for a config that names this policy.
    fn registry(&self) -> (Arc<Registry>, TempDir) {
        let home = tempfile::tempdir().unwrap();
        let config = home.path().join("hooks.toml");
        let entry = format!("[hooks.policy]\npolicy = \"{}\"\n{}\n", self.policy, self.settings);
        std::fs::write(&config, entry).unwrap();
        let host = Host::new(home.path(), std::env::vars_os())
            .home(home.path())
            .file(&config)
            .compiler(Compiler::in_process_for_trusted_bytes());
        let loaded = host.load().unwrap();
        assert!(loaded.problems.is_empty(), "{:?}", loaded.problems);
        (loaded.registry, home)
    }
}

/// Makes this many calls, which must all be allowed, and returns the nanoseconds of each.
fn calls(registry: &Registry, input: &str, count: usize) -> Vec<f64> {
    let once = |_| async {
        let input = Input::from_slice(input.as_bytes()).unwrap();
        let started = Instant::now();
        let outcome = match input.event.is_gating() {
            true => registry.run_pre(input).await,
            false => registry.run_post(input).await,
        };
        let took = started.elapsed().as_nanos() as f64;
        assert_eq!((outcome.verdict, outcome.hooks.len()), (Verdict::Allow, 1), "{}", outcome.to_json_line());
        took
    };
    let runtime = runtime();
    (0..count).map(|call| runtime.block_on(once(call))).collect()
}

fn p99(mut samples: Vec<f64>) -> f64 {
    samples.sort_unstable_by(f64::total_cmp);
    samples[samples.len() * 99 / 100]
}
