//! The memory for a payload is bounded, whatever values it consists of.

use super::effects::{self, Effect};
use crate::support::project::Project;
use hookbox::agent::Reply;
use serde_json::json;
use std::io::Write;
use std::process::{Command, Stdio};

const MIB: usize = 1 << 20;

/// Returns a value of about this many bytes.
fn value(kind: &str, bytes: usize) -> String {
    let list = |item: &str| format!("[{}]", vec![item; bytes / (item.len() + 1)].join(","));
    match kind {
        "keys" => {
            let members: Vec<String> = (0..bytes / 12).map(|n| format!("\"{n:07}\":1")).collect();
            format!("{{{}}}", members.join(","))
        }
        "text" => format!("\"{}\"", "x".repeat(bytes)),
        item => list(item),
    }
}

const KINDS: [&str; 8] =
    ["1", "{}", "\"\"", "{\"a\":1}", "{\"a\":{\"b\":{}}}", "{\"type\":\"text\",\"text\":\"\"}", "keys", "text"];

/// Asks with a limit on the memory for data. In a program for tests, hookbox's own data are the smallest part of it.
fn ask(project: &Project, payload: &str) -> Reply {
    let kib = (payload.len() * 8 + 32 * MIB) / 1024;
    let line = format!("ulimit -d {kib}; exec \"$0\" hook claude --home \"$HOME\"");
    let mut command = Command::new("sh");
    command.args(["-c", &line]).arg(assert_cmd::cargo::cargo_bin("hookbox"));
    command.env("HOME", project.home()).current_dir(project.dir());
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let _ = child.stdin.take().unwrap().write_all(payload.as_bytes());
    let ended = child.wait_with_output().unwrap();
    let mut reply = Reply::silence();
    reply.stdout = String::from_utf8(ended.stdout).unwrap();
    reply.stderr = String::from_utf8(ended.stderr).unwrap();
    reply.status = u8::try_from(ended.status.code().unwrap()).unwrap();
    reply
}

#[test]
fn it_is_at_most_eight_times_the_payload_and_32_mib() {
    let project = Project::new();
    for (bytes, kinds) in [(MIB, &KINDS[..]), (12 * MIB, &KINDS[3..4]), (20 * MIB, &["1", "keys", "text"])] {
        for kind in kinds {
            let value = value(kind, bytes);
            let before = format!(
                r#"{{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"mcp__x__y","tool_input":{{"a":{value}}}}}"#
            );
            let reply = ask(&project, &before);
            let is_own = !format!("{reply:?}").contains("E101");
            assert!(is_own, "{kind} of {bytes}: it ran out of memory: {reply:?}");
            let is_small = *kind == "text" && bytes < 16 * MIB;
            let expected = if is_small { Effect::Runs } else { Effect::Stopped };
            assert_eq!(effects::before_tool("claude", &json!({}), &reply), expected, "{kind} of {bytes}");
            let after = format!(
                r#"{{"hook_event_name":"PostToolUse","session_id":"s","tool_name":"mcp__x__y","tool_response":{value}}}"#
            );
            let reply = ask(&project, &after);
            assert!(!format!("{reply:?}").contains("E101"), "{kind} of {bytes}: it ran out of memory: {reply:?}");
            assert_eq!(reply.stdout.contains("updatedToolOutput"), !is_small, "{kind} of {bytes}: withheld");
            assert!(reply.stdout.len() < 64 << 10, "{kind} of {bytes}");
        }
    }
}

/// What tools really send is far from the limit.
#[test]
fn everyday_results_are_read() {
    let row =
        json!({"id": 12345, "name": "a name", "url": "https://example.com/a/b", "labels": ["a", "b"], "open": true});
    let rows = json!(vec![row; 5_000]);
    let lines: Vec<String> = (0..20_000).map(|n| format!("+ line {n}")).collect();
    for result in [rows, json!({"structuredPatch": [{"lines": lines}]}), json!("x".repeat(4 * MIB))] {
        let payload = json!({"hook_event_name": "PostToolUse", "tool_name": "t", "tool_response": result}).to_string();
        assert_eq!(ask(&Project::new(), &payload).stdout, "");
    }
}
