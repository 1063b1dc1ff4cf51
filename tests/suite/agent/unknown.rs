//! Events that hookbox does not know, with and without a tool call in them, and keys that it does not know.

use super::{AGENTS, agent, before_tool, decode};
use crate::support::project::Project;
use hookbox::Event;
use serde_json::{Value, json};

const CONFIG: &str = r#"
[hooks.rule]
events = ["pre_tool"]
command = "sh"
args = ["-c", '''
case "$(cat)" in
  *"rm -rf"*) echo '{"decision":"deny","reason":"no rm"}' ;;
  *chmod*) echo '{"decision":"ask","reason":"sure?"}' ;;
  *) echo '{"decision":"allow"}' ;;
esac
''']
"#;

/// Returns the same payload under another event's name.
fn renamed(agent: &str, mut payload: Value, event: &str) -> Value {
    let key = match agent {
        "copilot" | "cline" => "hookName",
        "opencode" => "event",
        _ => "hook_event_name",
    };
    payload[key] = json!(event);
    payload
}

#[test]
fn a_tool_call_in_one_is_judged_as_before_a_tool() {
    let project = Project::new().user(CONFIG);
    for name in AGENTS {
        let ask = |command: &str| {
            let payload = renamed(name, before_tool(name, "shell", &json!({"command": command})), "BeforeToolCall");
            project.run(&["hook", name], &payload.to_string())
        };
        for (command, reason) in [("rm -rf ~", "no rm"), ("chmod 777 /", "sure?")] {
            let stopped = ask(command);
            let veto = agent(name).veto("REASON");
            assert_eq!(stopped.status, i32::from(veto.status), "{name}: {stopped:?}");
            let told = format!("{}{}", stopped.stdout, stopped.stderr);
            assert!(told.contains(reason), "{name}: {told}");
            assert_eq!(stopped.stdout.is_empty(), veto.stdout.is_empty(), "{name}: {stopped:?}");
        }
        let allowed = ask("ls");
        assert_eq!(allowed.status, 0, "{name}: {allowed:?}");
        let silent = agent(name).encode(&hookbox::agent::Call::unjudged("BeforeToolCall"), &Default::default());
        assert_eq!(allowed.stdout.trim(), silent.stdout.trim(), "{name}");
    }
}

#[test]
fn its_keys_may_be_new_as_well() {
    let call = |agent: &str, payload: Value| {
        let input = decode(agent, &payload).input.unwrap_or_else(|| panic!("{agent}: {payload}"));
        assert_eq!(input.event, Event::PreTool);
        (input.tool_name.unwrap(), input.tool_input.unwrap().as_str().to_owned())
    };
    let expected = ("bash".to_owned(), r#"{"command":"rm"}"#.to_owned());
    let input = json!({"command": "rm"});
    for (agent, payload) in [
        ("copilot", json!({"tool_name": "bash", "tool_input": input})),
        ("copilot", json!({"hookName": "beforeTool", "tool": "bash", "arguments": input.to_string()})),
        ("claude", json!({"hook_event_name": "ToolRequested", "toolName": "bash", "toolArguments": input})),
        ("gemini", json!({"hook_event_name": "BeforeTools", "call": {"name": "bash", "args": input}})),
        ("cursor", json!({"hook_event_name": "beforeTool", "tool_name": "bash", "tool_params": input, "error": null})),
        ("cline", json!({"hookName": "tool_request", "request": {"tool": "bash", "parameters": input}})),
        ("opencode", json!({"event": "tool.call", "input": {"tool": "bash"}, "output": {"args": input}})),
        // Other members of the payload have similar keys.
        (
            "cursor",
            json!({"hook_event_name": "a", "model_params": [{"id": "x"}], "tool_name": "bash", "tool_input": input}),
        ),
        ("claude", json!({"hook_event_name": "a", "tool_id": "call_1", "tool_name": "bash", "tool_input": input})),
    ] {
        assert_eq!(call(agent, payload), expected, "{agent}");
    }
}

#[test]
fn so_may_the_keys_of_a_known_event() {
    let input = json!({"command": "rm -rf ~"});
    let project = Project::new().user(CONFIG);
    for (agent, payload) in [
        ("claude", json!({"hook_event_name": "PreToolUse", "toolName": "bash", "toolInput": input})),
        ("codex", json!({"hook_event_name": "PreToolUse", "tool_name": "bash", "arguments": input})),
        (
            "gemini",
            json!({"hook_event_name": "BeforeTool", "tool_name": "bash", "args": input,
            "mcp_context": {"tool_name": "other", "args": ["x"]}}),
        ),
        ("copilot", json!({"sessionId": "s1", "toolName": "bash", "tool_args": input.to_string()})),
        ("cursor", json!({"hook_event_name": "preToolUse", "toolName": "bash", "tool_input": input})),
        ("cline", json!({"hookName": "tool_call", "toolCall": {"name": "bash", "input": input}})),
        (
            "opencode",
            json!({"event": "tool.execute.before", "input": {"tool": "bash"}, "output": {"arguments": input}}),
        ),
    ] {
        let call = decode(agent, &payload);
        assert!(!call.is_unknown_event, "{agent}");
        let judged = call.input.unwrap();
        assert_eq!((judged.event, judged.tool_name.as_deref()), (Event::PreTool, Some("bash")), "{agent}");
        assert!(judged.tool_input.unwrap().as_str().contains("rm -rf ~"), "{agent}");
        let stopped = project.run(&["hook", agent], &payload.to_string());
        assert!(stopped.stdout.contains("no rm"), "{agent}: {stopped:?}");
    }
    let nameless = json!({"hook_event_name": "PreToolUse", "tool_input": input});
    let stopped = project.run(&["hook", "claude"], &nameless.to_string());
    assert_eq!(stopped.status, 2, "which tool it is, nobody knows: {stopped:?}");
}

/// How a server is started, or how a model is set, is not the input of a tool that takes none.
#[test]
fn what_stands_beside_a_call_is_not_its_input() {
    let server = json!({"tool_name": "mcp_a_list", "command": "npx", "args": ["-y", "x"]});
    for (agent, payload) in [
        ("gemini", json!({"hook_event_name": "BeforeTool", "tool_name": "mcp_a_list", "mcp_context": server})),
        ("cursor", json!({"hook_event_name": "preToolUse", "tool_name": "a", "model_params": [{"id": "x"}]})),
    ] {
        let input = decode(agent, &payload).input.unwrap();
        assert!(input.tool_name.is_some() && input.tool_input.is_none(), "{agent}: {:?}", input.tool_input);
    }
}

#[test]
fn vs_code_is_told_in_its_own_form() {
    let payload = json!({"sessionId": "s1", "hookEventName": "PreToolUse", "tool_name": "run_in_terminal",
        "tool_input": {"command": "rm -rf ~"}, "tool_use_id": "t1", "cwd": "/"});
    let stopped = Project::new().user(CONFIG).run(&["hook", "copilot"], &payload.to_string());
    let reply: Value = serde_json::from_str(&stopped.stdout).unwrap();
    let told = &reply["hookSpecificOutput"];
    assert_eq!(
        (&told["hookEventName"], &told["permissionDecision"]),
        (&json!("PreToolUse"), &json!("deny")),
        "{reply}"
    );
    assert_eq!(reply["permissionDecision"], "deny", "for Copilot CLI: {reply}");
}

#[test]
fn one_without_a_call_or_with_a_result_goes_on() {
    for name in AGENTS {
        let call = before_tool(name, "shell", &json!({"command": "ls"}));
        let mut with_result = renamed(name, call, "AfterToolCall");
        with_result["tool_response"] = json!("a\nb");
        assert!(decode(name, &with_result).input.is_none(), "{name}");
        let other = renamed(name, json!({"session_id": "s1", "message": "hello", "input_tokens": 4}), "Greeting");
        assert!(decode(name, &other).input.is_none(), "{name}");
    }
}

/// The model chooses them, so they say nothing about whether the tool has run.
#[test]
fn keys_in_a_tools_input_are_no_result() {
    let project = Project::new().user(CONFIG);
    for name in AGENTS {
        for key in ["error", "result", "response", "my_output", "tool"] {
            let input = json!({"command": "rm -rf ~", key: "x"});
            let mut payload = renamed(name, before_tool(name, "shell", &input), "BeforeToolCall");
            let call = decode(name, &payload).input.unwrap_or_else(|| panic!("{name} {key}: it is not judged"));
            assert_eq!(call.event, Event::PreTool, "{name} {key}");
            assert_eq!(call.tool_input.unwrap().as_str(), input.to_string(), "{name} {key}");
            payload["tool_response"] = json!("a\nb");
            assert!(decode(name, &payload).input.is_none(), "{name} {key}: there is a result beside the input");
        }
        let input = json!({"command": "rm -rf ~", "error": "x"});
        let payload = renamed(name, before_tool(name, "shell", &input), "BeforeToolCall");
        let stopped = project.run(&["hook", name], &payload.to_string());
        assert_eq!(stopped.status, i32::from(agent(name).veto("REASON").status), "{name}: {stopped:?}");
        assert!(format!("{}{}", stopped.stdout, stopped.stderr).contains("no rm"), "{name}: {stopped:?}");
    }
}

#[test]
fn a_call_that_cannot_be_read_is_stopped() {
    let payload = json!({"hook_event_name": "BeforeToolCall", "tool_name": "bash", "tool_input": "{\"command\": "});
    let stopped = Project::new().user(CONFIG).run(&["hook", "claude"], &payload.to_string());
    assert_eq!(stopped.status, 2, "{stopped:?}");
}

#[test]
fn several_calls_or_a_call_without_a_name_are_stopped() {
    let item = json!({"tool_name": "Bash", "tool_input": {"command": "ls"}});
    let project = Project::new();
    for (agent, more) in [
        ("claude", json!({"tool_calls": [item]})),
        ("gemini", json!({"tool_calls": [{"name": "run_shell_command", "args": {"command": "ls"}}]})),
        ("qwen", json!({"toolCalls": [{"function": {"name": "bash", "arguments": "{}"}}]})),
        ("cursor", json!({"tool_input": {"command": "ls"}})),
    ] {
        let mut payload = json!({"hook_event_name": "PreToolBatch", "cwd": "/"});
        payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let stopped = project.run(&["hook", agent], &payload.to_string());
        assert_eq!(stopped.status, 2, "{agent}: {stopped:?}");
    }
    let done = json!({"hook_event_name": "PostToolBatch", "tool_calls": [
        {"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_response": "a"}]});
    assert!(decode("claude", &done).input.is_none(), "they have run");
}

#[test]
fn a_result_under_a_new_key_is_judged() {
    for key in ["tool_output", "toolResponse", "result"] {
        let payload = json!({"hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_input": {}, key: "a secret"});
        assert_eq!(decode("claude", &payload).input.unwrap().tool_result.unwrap().content, "a secret", "{key}");
    }
    let both = json!({"hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_response": "a", "tool_result": "b"});
    assert_eq!(decode("claude", &both).input.unwrap().tool_result.unwrap().content, "a\nb");
}

#[test]
fn doctor_and_the_log_name_it() {
    let project = Project::new().user(&format!("[log]\nwhat = \"all\"\n{CONFIG}"));
    let payload =
        renamed("gemini", before_tool("gemini", "run_shell_command", &json!({"command": "ls"})), "BeforeTools");
    for _ in 0..2 {
        assert_eq!(project.run(&["hook", "gemini"], &payload.to_string()).status, 0);
    }
    let log = std::fs::read_to_string(project.home().join(".local/state/hookbox/decisions.jsonl")).unwrap();
    let line: Value = serde_json::from_str(log.lines().next().unwrap()).unwrap();
    assert_eq!((&line["event"], &line["unknown_event"]), (&json!("pre_tool"), &json!("BeforeTools")));
    let report = project.run(&["doctor", "gemini", "--format", "json"], "");
    let report: Value = serde_json::from_str(&report.stdout).unwrap();
    assert_eq!(report["agents"][0]["unknown"], json!(["BeforeTools"]));
    let text = project.run(&["doctor", "gemini"], "").stdout;
    assert!(text.contains("unknown   \"BeforeTools\" is not an event that hookbox knows"), "{text}");
}
