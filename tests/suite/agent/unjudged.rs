//! Results that a hook could not judge.

use super::{after_tool, before_tool};
use crate::support::project::{Project, Ran};
use serde_json::{Value, json};

/// The agents whose results can be replaced.
const REPLACING: [&str; 7] = ["claude", "codex", "gemini", "copilot", "qwen", "opencode", "cursor"];

/// Returns the payload after a tool with this output.
fn payload(agent: &str, output: &str) -> String {
    let mut payload = after_tool(agent, &json!({"command": "cat x"}), output);
    if agent == "cursor" {
        payload["tool_name"] = json!("MCP:files");
    }
    payload.to_string()
}

/// Returns the new result, in each agent's format.
fn result_of(agent: &str, ran: &Ran) -> Option<String> {
    assert_eq!(ran.status, 0, "{agent}: {ran:?}");
    let document: Value = serde_json::from_str(if ran.stdout.is_empty() { "{}" } else { &ran.stdout }).unwrap();
    let place = match agent {
        "claude" => "/hookSpecificOutput/updatedToolOutput/stdout",
        "codex" | "gemini" => "/reason",
        "copilot" => "/modifiedResult/textResultForLlm",
        "qwen" => "/stopReason",
        "opencode" => "/output",
        "cursor" => "/updated_mcp_tool_output/content",
        other => panic!("{other} cannot replace a result"),
    };
    document.pointer(place).and_then(Value::as_str).map(str::to_owned)
}

fn hook(what: &str) -> String {
    format!("[hooks.guard]\nevents = [\"post_tool\"]\n{what}\n")
}

fn sh(script: &str) -> String {
    format!("command = \"sh\"\nargs = [\"-c\", '{script}']\n")
}

/// Returns configs whose hook cannot judge a result, each with what is wrong.
fn faults() -> Vec<(&'static str, String)> {
    vec![
        ("it fails", hook(&sh("exit 1"))),
        ("it denies by its exit status", hook(&sh("echo no >&2; exit 2"))),
        ("it is killed", hook(&sh("kill -9 $$"))),
        ("it does not end", hook(&format!("timeout = \"100ms\"\n{}", sh("sleep 20")))),
        ("its answer is none", hook(&sh("echo nonsense"))),
        ("its answer is too large", hook(&sh("head -c 3000000 /dev/zero"))),
        ("it rewrites something else", hook(&sh(r#"echo "{\"decision\":\"modify\"}""#))),
        ("its program is missing", hook("command = \"./nowhere\"")),
        ("its component is missing", hook("component = \"nowhere.wasm\"")),
        ("its script is missing", hook("script = \"nowhere.js\"")),
        ("its policy is unknown", hook("policy = \"no-such-policy\"")),
        ("its pin is wrong", hook(&format!("policy = \"injection-scan\"\nsha256 = \"{}\"", "0".repeat(64)))),
        ("its fuel is out", hook("policy = \"injection-scan\"\nlimits = { fuel = 1 }")),
        ("its settings are wrong", hook("policy = \"injection-scan\"\nsettings = { nonsense = 1 }")),
        ("it says so", hook(&format!("on_error = \"deny\"\n{}", sh("exit 1")))),
        ("it would ask", hook(&format!("on_error = \"ask\"\n{}", sh("exit 1")))),
        ("a key of it is unknown", hook(&format!("nonsense = 1\n{}", sh("echo {}")))),
        ("its event is unknown", format!("[hooks.guard]\nevents = [\"post_tol\"]\n{}", sh("echo {}"))),
        ("the config is broken", "[hooks.guard\n".to_owned()),
        (
            "an allow of another",
            format!("{}[hooks.other]\nevents = [\"post_tool\"]\n{}", hook(&sh("exit 1")), sh("echo {}")),
        ),
    ]
}

#[test]
fn it_is_withheld_from_the_model() {
    for (what, config) in faults() {
        let project = Project::new().user(&config);
        for agent in REPLACING {
            let ran = project.run(&["hook", agent], &payload(agent, "TOKEN=abc123"));
            let text = result_of(agent, &ran).unwrap_or_else(|| panic!("{agent}: {what}: {ran:?}"));
            assert!(text.contains("withheld") || text.contains("is not usable"), "{agent}: {what}: {ran:?}");
            assert!(!ran.stdout.contains("abc123"), "{agent}: {what}: {ran:?}");
        }
    }
}

#[test]
fn the_reason_of_a_failure_is_not_for_the_model() {
    let project = Project::new().user(&hook(&sh("cat >&2; exit 1")));
    for agent in REPLACING {
        let ran = project.run(&["hook", agent], &payload(agent, "TOKEN=abc123"));
        let text = result_of(agent, &ran).unwrap();
        assert!(text.contains("guard") && !text.contains("abc123"), "{agent}: {ran:?}");
    }
}

#[test]
fn a_hook_may_be_passed_over_where_its_config_says_so() {
    let allowed = hook(&format!("on_error = \"allow\"\n{}", sh("exit 1")));
    let monitor = hook(&format!("enforce = false\n{}", sh("exit 1")));
    let background = hook(&format!("mode = \"async\"\n{}", sh("exit 1")));
    let other_tool = hook(&format!("match = \"Nothing\"\n{}", sh("exit 1")));
    let other_event = format!("[hooks.guard]\nevents = [\"stop\"]\n{}", sh("exit 1"));
    for config in [allowed, monitor, background, other_tool, other_event] {
        let project = Project::new().user(&config);
        for agent in REPLACING {
            let ran = project.run(&["hook", agent], &payload(agent, "fine"));
            assert_eq!(result_of(agent, &ran), None, "{agent}: {config}: {ran:?}");
        }
    }
    let project = Project::new().user(&hook(&sh("exit 1")));
    let ran = project.run(&["hook", "claude", "--monitor"], &payload("claude", "fine"));
    assert_eq!(result_of("claude", &ran), None, "{ran:?}");
}

#[test]
fn an_agent_that_cannot_withhold_it_warns_the_model() {
    let project = Project::new().user(&hook(&sh("exit 1")));
    for agent in ["droid", "cline", "cursor"] {
        let payload = after_tool(agent, &json!({"command": "cat x"}), "TOKEN=abc123").to_string();
        let ran = project.run(&["hook", agent], &payload);
        assert!(ran.stdout.contains("failed on this one"), "{agent}: {ran:?}");
    }
    let mut failed = before_tool("claude", "Bash", &json!({"command": "cat x"}));
    failed["hook_event_name"] = json!("PostToolUseFailure");
    failed["error"] = json!("TOKEN=abc123");
    let ran = project.run(&["hook", "claude"], &failed.to_string());
    assert!(ran.stdout.contains("failed on this one"), "{ran:?}");
}

#[test]
fn the_error_beside_a_result_is_judged() {
    let script = r#"if grep -q abc123; then echo "{\"decision\":\"modify\",\"modified_tool_result\":{\"content\":\"gone\"}}"; fi"#;
    let project = Project::new().user(&hook(&sh(script)));
    for agent in ["codex", "gemini", "qwen"] {
        for error in [json!("TOKEN=abc123"), json!({"message": "TOKEN=abc123"})] {
            let mut payload = after_tool(agent, &json!({"command": "x"}), "ok");
            payload["error"] = error;
            let ran = project.run(&["hook", agent], &payload.to_string());
            assert_eq!(result_of(agent, &ran).as_deref(), Some("gone"), "{agent}: {ran:?}");
        }
    }
}

#[test]
fn a_secret_in_a_result_of_any_size_is_withheld_from_the_model() {
    const SECRET: &str = "DB_PASSWORD=hunter2secretXK92";
    let config = "[hooks.guard]\npolicy = \"no-secret-leaks\"\nevents = [\"post_tool\"]\ntimeout = \"60s\"\n";
    let project = Project::new().user(config);
    let line = "drwxr-xr-x 2 user user 4096 Jan  1 12:00 some_file_name.txt\n";
    for megabytes in [1, 3, 9] {
        let rest = line.repeat((megabytes << 20) / line.len());
        let payload = |output: &str| payload("claude", output);
        for output in [format!("{SECRET}\n{rest}"), format!("{rest}{SECRET}\n"), format!("{rest}{SECRET}\n{rest}")] {
            // Larger payloads are withheld without being examined.
            if output.len() < 15 << 20 {
                let ran = project.run(&["hook", "claude"], &payload(&output));
                let text = result_of("claude", &ran).unwrap_or_else(|| panic!("{megabytes} MiB: it was shown"));
                assert!(!text.contains("hunter2"), "{megabytes} MiB");
                assert!(
                    text.contains("[redacted:password#1]") || text.contains("[withheld: the other"),
                    "{megabytes} MiB"
                );
            }
        }
        let ran = project.run(&["hook", "claude"], &payload(&rest));
        assert_eq!(result_of("claude", &ran), None, "{megabytes} MiB without a secret");
    }
}
