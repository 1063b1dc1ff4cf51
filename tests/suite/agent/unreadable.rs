//! Payloads that cannot be judged: not strict JSON, too large, or never complete.

use super::effects::{self, Effect};
use super::{AGENTS, after_tool, before_tool, prompt};
use crate::support::project::{Project, Ran};
use hookbox::agent::{self, Reply};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Texts that make a payload unreadable, put in place of `MARK` in one of its strings.
const FAULTS: [(&str, &str); 4] = [
    ("half a character", "\\ud83d"),
    ("its other half", "\\udca9"),
    ("both, exchanged", "\\udca9\\ud83d"),
    ("no escape", "\\ud800\\u0041"),
];

fn reply(ran: &Ran) -> Reply {
    let mut reply = Reply::silence();
    reply.stdout.clone_from(&ran.stdout);
    reply.stderr.clone_from(&ran.stderr);
    reply.status = u8::try_from(ran.status).unwrap();
    reply
}

/// Asks without any config, so that only the payload itself is a reason to stop.
fn ask(agent: &str, payload: &str) -> Ran {
    Project::new().run(&["hook", agent], payload)
}

#[test]
fn before_a_tool_and_at_a_prompt_it_is_stopped() {
    for agent in AGENTS {
        let input = json!({"command": "echo MARK"});
        let [tool, message] =
            [before_tool(agent, "Bash", &input), prompt(agent, "MARK")].map(|payload| payload.to_string());
        assert_eq!(effects::before_tool(agent, &input, &reply(&ask(agent, &tool))), Effect::Runs, "{agent}");
        for (what, fault) in FAULTS {
            let ran = ask(agent, &tool.replace("MARK", fault));
            assert_eq!(effects::before_tool(agent, &input, &reply(&ran)), Effect::Stopped, "{agent}: {what}: {ran:?}");
            let ran = ask(agent, &message.replace("MARK", fault));
            assert_eq!(effects::at_prompt(agent, &reply(&ran)), Effect::Stopped, "{agent}: {what}: {ran:?}");
        }
    }
}

/// Returns the text that replaces a result, in each agent's format.
fn replaced(agent: &str, ran: &Ran) -> String {
    let document: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{agent}: {error}: {ran:?}"));
    let place = match agent {
        "claude" => "/hookSpecificOutput/updatedToolOutput/stdout",
        "codex" | "gemini" => "/reason",
        "copilot" => "/modifiedResult/textResultForLlm",
        "qwen" => "/stopReason",
        "opencode" => "/output",
        other => panic!("{other} cannot replace a result"),
    };
    let text = document.pointer(place).and_then(Value::as_str);
    text.unwrap_or_else(|| panic!("{agent}: {document:#}")).to_owned()
}

const REPLACING: [&str; 6] = ["claude", "codex", "gemini", "copilot", "qwen", "opencode"];

#[test]
fn after_a_tool_the_result_is_withheld() {
    for agent in REPLACING {
        let payload = after_tool(agent, &json!({"command": "cat x"}), "TOKEN=abc123 MARK").to_string();
        for (what, fault) in FAULTS {
            let ran = ask(agent, &payload.replace("MARK", fault));
            assert!(replaced(agent, &ran).contains("E601"), "{agent}: {what}: {ran:?}");
            assert!(!ran.stdout.contains("abc123") && ran.status == 0, "{agent}: {what}: {ran:?}");
        }
    }
}

/// The task of the agent's user goes on.
#[test]
fn where_it_cannot_be_withheld_the_model_is_told() {
    for agent in ["droid", "cline", "cursor"] {
        let payload = after_tool(agent, &json!({"command": "cat x"}), "TOKEN=abc123 MARK").to_string();
        for (what, fault) in FAULTS {
            let ran = ask(agent, &payload.replace("MARK", fault));
            assert!(ran.stdout.contains("could not be withheld") && ran.status == 0, "{agent}: {what}: {ran:?}");
            assert!(!ran.stdout.contains("\"cancel\":true"), "{agent}: {what}: {ran:?}");
        }
    }
}

#[test]
fn an_error_quotes_nothing_of_a_result() {
    for (agent, payload) in [
        ("cline", r#"{"clineVersion":"","hookName":"tool_result","tool_result":"TOKEN=abc123"}"#),
        ("cline", r#"{"clineVersion":"","hookName":"tool_result","tool_result":{"output":{"abc123":1,"abc123":2}}}"#),
        ("copilot", r#"{"sessionId":"s","toolName":"bash","toolArgs":{},"toolResult":"TOKEN=abc123"}"#),
        ("claude", r#"{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_response":{"abc123":1,"abc123":2}}"#),
        (
            "claude",
            r#"{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_use_id":{"abc123":1},"tool_response":"x"}"#,
        ),
        ("opencode", r#"{"event":"tool.execute.after","input":"TOKEN=abc123","output":"TOKEN=abc123"}"#),
    ] {
        let ran = ask(agent, payload);
        assert!(!format!("{ran:?}").contains("abc123"), "{agent}: {payload}: {ran:?}");
    }
}

#[test]
fn an_agent_that_is_not_known_is_denied_whichever_it_is() {
    let project = Project::new();
    let variables = ["COPILOT_CLI", "QWEN_PROJECT_DIR", "GEMINI_SESSION_ID", "FACTORY_PROJECT_DIR", "CLAUDECODE"];
    let input = json!({"command": "ls"});
    let mut payloads = vec![String::new(), "{".to_owned(), "[]".to_owned(), "null".to_owned(), "\u{0}".to_owned()];
    payloads.push(r#"{"hook_event_name":"PreToolUse","hook_event_name":"x"}"#.to_owned());
    payloads.push(format!("{{\"x\":{}", "[".repeat(5000)));
    // Another agent may have set the variable.
    for variable in variables.into_iter().map(Some).chain([None]) {
        for payload in &payloads {
            let mut command = assert_cmd::Command::cargo_bin("hookbox").unwrap();
            command.args(["hook", "auto"]).current_dir(project.dir()).env("HOME", project.home());
            for name in variables {
                command.env_remove(name);
            }
            command.envs(variable.map(|name| (name, "1")));
            let ran = crate::support::project::run(command.write_stdin(payload.as_str()));
            for agent in AGENTS {
                let effect = effects::before_tool(agent, &input, &reply(&ran));
                assert_eq!(effect, Effect::Stopped, "{agent}, {variable:?}: {payload:?}: {ran:?}");
            }
        }
    }
}

#[test]
fn a_wrong_command_line_without_an_agent_is_a_deny_for_all() {
    let ran = Project::new().run(&["hook", "auto", "--nope"], "{}");
    for agent in AGENTS {
        assert_eq!(effects::before_tool(agent, &json!({}), &reply(&ran)), Effect::Stopped, "{agent}: {ran:?}");
    }
}

#[test]
fn the_shape_of_a_withheld_result_stays() {
    let payload = after_tool("claude", &json!({}), "MARK").to_string().replace("MARK", "\\ud800");
    let document: Value = serde_json::from_str(&ask("claude", &payload).stdout).unwrap();
    let output = &document["hookSpecificOutput"]["updatedToolOutput"];
    assert_eq!(
        (&output["stderr"], &output["interrupted"], &output["isImage"]),
        (&json!(""), &json!(false), &json!(false))
    );
}

#[test]
fn whatever_makes_a_result_unreadable_withholds_it() {
    let payload = |content: &str| {
        let result =
            json!({"stdout": "TOKEN=abc123", "stderr": "", "interrupted": false, "isImage": false}).to_string();
        let more = format!("{{\"more\":{content},{}", &result[1..]);
        format!(
            "{{\"hook_event_name\":\"PostToolUse\",\"tool_name\":\"Bash\",\"tool_input\":{{}},\"tool_response\":{more}}}"
        )
    };
    let readable = ask("claude", &payload("1"));
    assert_eq!((readable.status, readable.stdout.as_str()), (0, ""), "it would go through");
    let deep = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
    for (what, content, code) in [
        ("a key that is there twice", "{\"a\":1,\"a\":2}".to_owned(), "E602"),
        ("too deep", deep(80), "E603"),
        ("far too deep", deep(5000), "E603"),
        ("too large", format!("\"{}\"", "x".repeat(17 << 20)), "E604"),
    ] {
        let ran = ask("claude", &payload(&content));
        assert!(replaced("claude", &ran).contains(code), "{what}: {ran:?}");
        assert!(!ran.stdout.contains("abc123"), "{what}");
    }
    // The agent of this event cannot be known.
    let twice = payload("1").replacen('{', "{\"hook_event_name\":\"Stop\",", 1);
    assert_eq!(ask("claude", &twice).status, 2);
}

#[test]
fn bytes_that_are_no_text_withhold_it_too() {
    let payload = after_tool("claude", &json!({}), "TOKEN=abc123 MARK").to_string().into_bytes();
    let at = payload.windows(4).position(|bytes| bytes == b"MARK").unwrap();
    let mut broken = payload;
    broken[at] = 0xff;
    assert!(hookbox::agent::by_name("claude").unwrap().decode(&broken, &agent::Environment::default()).is_err());
    let repaired = agent::repaired(&broken).unwrap();
    let call = agent::by_name("claude").unwrap().decode(&repaired, &agent::Environment::default()).unwrap();
    assert_eq!(call.event, "PostToolUse");
}

#[test]
fn a_permission_is_not_left_to_chance() {
    // Claude Code does not treat exit statuses as an answer here.
    let mut payload = before_tool("claude", "Bash", &json!({"command": "MARK"}));
    payload["hook_event_name"] = json!("PermissionRequest");
    let ran = ask("claude", &payload.to_string().replace("MARK", "\\ud800"));
    let document: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(document["hookSpecificOutput"]["decision"]["behavior"], "deny");
}

#[test]
fn a_byte_order_mark_means_nothing() {
    for agent in AGENTS {
        let input = json!({"command": "ls"});
        let payload = before_tool(agent, "Bash", &input).to_string();
        let ran = ask(agent, &format!("\u{feff}{payload}"));
        assert_eq!(effects::before_tool(agent, &input, &reply(&ran)), Effect::Runs, "{agent}: {ran:?}");
        let ran = ask("auto", &format!("\u{feff}{payload}"));
        assert_eq!(effects::before_tool(agent, &input, &reply(&ran)), Effect::Runs, "{agent}: {ran:?}");
        let ran = ask(agent, &format!("\u{feff}\u{feff}{payload}"));
        assert_eq!(effects::before_tool(agent, &input, &reply(&ran)), Effect::Stopped, "{agent}: only one");
    }
}

/// Starts hookbox with an agent that never closes its stdin.
fn kept_waiting(agent: &str, written: &str) -> Child {
    let project = Project::new();
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("hookbox"));
    command.args(["hook", agent]).env("HOME", project.home()).env("HOOKBOX_TEST_DEADLINE", "1");
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.as_mut().unwrap().write_all(written.as_bytes()).unwrap();
    child
}

/// The hook would take longer than the agent gets.
#[test]
fn an_event_that_does_not_come_to_its_end_is_denied_and_logged() {
    let hook = "[hooks.slow]\nevents = [\"pre_tool\"]\ncommand = \"sleep\"\nargs = [\"20\"]\ntimeout = \"20s\"\n";
    let project = Project::new().user(&format!("[log]\n{hook}"));
    let payload =
        r#"{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"Bash","tool_input":{"command":"ls"}}"#;
    let mut command = project.command("hook", &["claude"]);
    let ran = crate::support::project::run(command.env("HOOKBOX_TEST_DEADLINE", "1").write_stdin(payload));
    assert_eq!(effects::before_tool("claude", &json!({}), &reply(&ran)), Effect::Stopped, "{ran:?}");
    let line: serde_json::Value = serde_json::from_str(&project.run(&["log", "--format", "json"], "").stdout).unwrap();
    assert_eq!((&line["verdict"], &line["agent"], &line["session"]), (&json!("deny"), &json!("claude"), &json!("s")));
    assert!(line["reason"].as_str().unwrap().starts_with("E101"), "{line}");
    assert_eq!(line["told"]["stdout"], ran.stdout.as_str(), "{line}");
}

#[test]
fn an_agent_that_keeps_stdin_open_gets_its_veto() {
    let started = Instant::now();
    let waiting: Vec<(&str, &str, Child)> = AGENTS
        .into_iter()
        .flat_map(|agent| ["", "{\"hook_event_name\":"].map(|written| (agent, written, kept_waiting(agent, written))))
        .collect();
    for (agent, written, mut child) in waiting {
        // Waiting for a child closes its stdin, if it still has it.
        let stdin = child.stdin.take();
        let status = child.wait().unwrap();
        let [mut stdout, mut stderr] = [String::new(), String::new()];
        child.stdout.take().unwrap().read_to_string(&mut stdout).unwrap();
        child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
        let ran = Ran { status: status.code().unwrap(), stdout, stderr };
        drop(stdin);
        assert_eq!(
            effects::before_tool(agent, &json!({}), &reply(&ran)),
            Effect::Stopped,
            "{agent}: {written:?}: {ran:?}"
        );
        assert!(format!("{ran:?}").contains("E101"), "{agent}: {ran:?}");
    }
    assert!(started.elapsed() >= Duration::from_secs(1), "it waited");
}

proptest! {
    /// A repaired payload can always be read, and says which event it is.
    #[test]
    fn what_is_repaired_is_strict(texts in prop::collection::vec("(\\\\ud[89a-f][0-9a-f]{2}|\\\\u00e9|\\\\n|[a-z\u{e9}]){0,8}", 1..5), depth in 0_usize..300) {
        let list: Vec<String> = texts.iter().map(|text| format!("\"{text}\"")).collect();
        let deep = "[{\"a\":".repeat(depth) + "1" + &"}]".repeat(depth);
        let payload = format!(
            "{{\"hook_event_name\":\"PostToolUse\",\"tool_name\":\"Bash\",\"tool_response\":[{}],\"more\":{deep}}}", list.join(",")
        );
        let repaired = agent::repaired(payload.as_bytes()).unwrap();
        let call = agent::by_name("claude").unwrap().decode(&repaired, &agent::Environment::default()).unwrap();
        prop_assert_eq!(call.event.as_str(), "PostToolUse");
        let result: Vec<String> = serde_json::from_str(call.result.unwrap().as_str()).unwrap();
        prop_assert_eq!(result.len(), texts.len());
    }
}
