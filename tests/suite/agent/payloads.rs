//! The payloads of agents, as Inputs.

use super::{agent, before_tool, decode, prompt};
use hookbox::agent::{Environment, detect, plan};
use hookbox::{Code, Event, Json, Outcome};
use proptest::prelude::*;
use serde_json::{Value, json};

fn agents() -> impl Iterator<Item = &'static str> {
    hookbox::agent::all().iter().map(|agent| agent.name())
}

#[test]
fn a_tool_call_is_read_alike_whoever_sends_it() {
    let command = json!({"command": "rm -r build", "description": "clean up"});
    for name in agents() {
        let call = decode(name, &before_tool(name, "shell", &command));
        let input = call.input.unwrap();
        assert_eq!((input.event, input.tool_name.as_deref()), (Event::PreTool, Some("shell")), "{name}");
        assert_eq!(input.tool_input.as_ref().unwrap().to::<Value>().unwrap(), command, "{name}");
        assert_eq!((input.session_id.as_deref(), input.pwd.as_deref()), (Some("s1"), Some("/home/me/app")), "{name}");
        assert_eq!(input.extra("agent").unwrap().as_str(), format!("{name:?}"));
    }
}

#[test]
fn the_input_of_a_tool_keeps_its_bytes() {
    let odd = r#"{"n":1.50,"big":12345678901234567890123, "b" : "é"}"#;
    let payload = format!(r#"{{"hook_event_name":"PreToolUse","tool_name":"mcp__a__b","tool_input":{odd}}}"#);
    let call = agent("claude").decode(payload.as_bytes(), &Environment::default()).unwrap();
    assert_eq!(call.input.unwrap().tool_input.unwrap().as_str(), odd);
}

#[test]
fn json_in_a_string_is_unwrapped() {
    let call = decode("copilot", &before_tool("copilot", "bash", &json!("{\"command\":\"ls\"}")));
    assert_eq!(call.input.unwrap().tool_input.unwrap().as_str(), r#"{"command":"ls"}"#);
    let call = decode("copilot", &before_tool("copilot", "apply_patch", &json!("*** Begin Patch")));
    assert_eq!(call.input.unwrap().tool_input.unwrap().as_str(), r#""*** Begin Patch""#);
    let twice = before_tool("copilot", "bash", &json!("{\"command\":\"ls\",\"command\":\"rm\"}")).to_string();
    let error = agent("copilot").decode(twice.as_bytes(), &Environment::default()).unwrap_err();
    assert_eq!(error.code, Code::InputDuplicate, "which of them runs is not known");
}

#[test]
fn a_prompt_is_a_message() {
    for name in agents() {
        let input = decode(name, &prompt(name, "do it")).input.unwrap();
        assert_eq!((input.event, input.message.as_deref()), (Event::PreMessage, Some("do it")), "{name}");
    }
}

#[test]
fn an_unknown_event_goes_on_unjudged() {
    for name in agents().filter(|name| *name != "copilot") {
        let event = json!({"hook_event_name": "SomethingNew", "hookName": "SomethingNew", "event": "SomethingNew"});
        let call = decode(name, &event);
        assert_eq!((call.event.as_str(), call.input.is_none()), ("SomethingNew", true), "{name}");
        let reply = agent(name).encode(&call, &hookbox::agent::Plan::default());
        assert!(
            ["", "{}", "{\"cancel\":false}"].contains(&reply.stdout.as_str()) && reply.status == 0,
            "{name}: {reply:?}"
        );
    }
}

#[test]
fn a_failed_tool_is_a_result_that_is_an_error() {
    let mut payload = before_tool("claude", "Bash", &json!({"command": "false"}));
    payload["hook_event_name"] = json!("PostToolUseFailure");
    payload["error"] = json!("Exit code 1");
    let result = decode("claude", &payload).input.unwrap().tool_result.unwrap();
    assert_eq!((result.is_error, result.content.as_str()), (true, "Exit code 1"));
    let mut payload = before_tool("codex", "mcp__box__touch", &json!({}));
    payload["hook_event_name"] = json!("PostToolUse");
    payload["tool_response"] = json!({"content": [{"type": "text", "text": "no"}], "isError": true});
    let result = decode("codex", &payload).input.unwrap().tool_result.unwrap();
    assert_eq!((result.is_error, result.content.as_str()), (true, "no"));
}

#[test]
fn it_is_known_whether_someone_can_be_asked() {
    let payload = |mode: &str| {
        let mut payload = before_tool("claude", "Bash", &json!({}));
        payload["permission_mode"] = json!(mode);
        payload.to_string()
    };
    let unattended = Environment::new([("CLAUDE_CODE_SESSION_ATTENDED".to_owned(), "0".to_owned())]);
    for (mode, environment, attended) in [
        ("default", Environment::default(), true),
        ("acceptEdits", Environment::default(), true),
        ("bypassPermissions", Environment::default(), false),
        ("default", unattended, false),
    ] {
        let call = agent("claude").decode(payload(mode).as_bytes(), &environment).unwrap();
        assert_eq!(call.is_attended, attended, "{mode}");
    }
}

#[test]
fn payloads_tell_their_agents() {
    for name in ["claude", "codex", "gemini", "copilot", "cursor", "qwen", "droid", "cline"] {
        let payload = before_tool(name, "Bash", &json!({"command": "ls"})).to_string();
        // Variables that a parent agent has set do not count.
        let other = Environment::new([("CLAUDECODE".to_owned(), "1".to_owned())]);
        assert_eq!(detect(payload.as_bytes(), &other).name(), name);
    }
    let start = json!({"session_id": "s", "transcript_path": "/t", "cwd": "/", "hook_event_name": "SessionStart", "source": "startup"});
    let start = start.to_string();
    for (variable, name) in [("CLAUDECODE", "claude"), ("GEMINI_SESSION_ID", "gemini"), ("NOTHING", "generic-claude")] {
        let environment = Environment::new([(variable.to_owned(), "1".to_owned())]);
        assert_eq!(detect(start.as_bytes(), &environment).name(), name);
    }
}

/// Payloads of other versions lack the keys that tell most, and no variable says which agent sends them.
#[test]
fn transcripts_modes_and_tools_tell_an_agent_too() {
    let payload = |event: &str, more: Value| {
        let mut payload = json!({"session_id": "s", "cwd": "/home/me/app", "hook_event_name": event});
        payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        detect(payload.to_string().as_bytes(), &Environment::default()).name()
    };
    for event in ["PreToolUse", "PostToolUse", "UserPromptSubmit", "SessionStart", "Stop"] {
        for (home, name) in [
            ("/home/me/.claude/projects/-home-me-app/s.jsonl", "claude"),
            ("/home/me/.codex/sessions/s.jsonl", "codex"),
            ("/home/me/.qwen/projects/-home-me-app/chats/s.jsonl", "qwen"),
            ("/home/me/.factory/sessions/s.jsonl", "droid"),
            ("/home/me/.qwen/projects/.claude/s.jsonl", "qwen"),
            ("/tmp/s.jsonl", "generic-claude"),
        ] {
            let told = payload(event, json!({"transcript_path": home, "permission_mode": "default"}));
            assert_eq!(told, name, "{event} {home}");
        }
        for (mode, name) in [("auto-low", "droid"), ("yolo", "qwen"), ("auto-edit", "qwen"), ("plan", "generic-claude")]
        {
            let told = payload(event, json!({"transcript_path": "/t", "permission_mode": mode}));
            assert_eq!(told, name, "{event} {mode}");
        }
    }
    let start =
        json!({"transcript_path": "/home/me/.claude/projects/a/s.jsonl", "permission_mode": "plan", "model": "m"});
    assert_eq!(payload("SessionStart", start), "claude");
    for (tool, name) in [("Execute", "droid"), ("run_shell_command", "qwen"), ("Bash", "generic-claude")] {
        assert_eq!(payload("PreToolUse", json!({"tool_name": tool, "tool_input": {}})), name, "{tool}");
    }
}

/// Generates any JSON, most of it with keys that agents use.
fn members() -> impl Strategy<Value = Value> {
    let value = prop_oneof![
        Just(json!(null)),
        Just(json!(1)),
        Just(json!([])),
        Just(json!({"command": "ls"})),
        Just(json!("PreToolUse")),
        Just(json!("BeforeTool")),
        Just(json!("text")),
        Just(json!(true)),
    ];
    let key = prop::sample::select(vec![
        "hook_event_name",
        "tool_name",
        "tool_input",
        "session_id",
        "cwd",
        "prompt",
        "sessionId",
        "toolName",
        "toolArgs",
        "toolResult",
        "permission_mode",
        "tool_response",
        "error",
        "hookName",
        "source",
        "other",
    ]);
    prop::collection::btree_map(key, value, 0..8).prop_map(|members| json!(members))
}

proptest! {
    /// There is always an answer, and for an unreadable payload it is a veto.
    #[test]
    fn every_payload_has_an_answer(payload in members()) {
        for agent in hookbox::agent::all() {
            if let Err(error) = agent.decode(payload.to_string().as_bytes(), &Environment::default()) {
                let reply = agent.veto(&error.message);
                match agent.name() {
                    "copilot" => prop_assert!(reply.stdout.contains("\"permissionDecision\":\"deny\""), "{}", reply.stdout),
                    "cline" => prop_assert!(reply.stdout.contains("true"), "{}", reply.stdout),
                    _ => prop_assert!(reply.status == 2 && reply.stdout.is_empty() && !reply.stderr.is_empty()),
                }
            }
        }
    }

    #[test]
    fn no_bytes_crash_it(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
        for agent in hookbox::agent::all() {
            prop_assert!(agent.decode(&bytes, &Environment::default()).is_err());
        }
    }
}

/// A hook that looks for a command finds the list that Cline's tool runs.
#[test]
fn a_list_of_commands_is_one_command_to_hooks() {
    let input = json!({"commands": ["cd /tmp", "rm -rf ~"], "requires_approval": false});
    let call = decode("cline", &before_tool("cline", "run_commands", &input));
    let seen: Value = call.input.as_ref().unwrap().tool_input.as_ref().unwrap().to().unwrap();
    assert_eq!((&seen["command"], &seen["commands"]), (&json!("cd /tmp\nrm -rf ~"), &input["commands"]));
    let rewritten = |new: Value| {
        let mut outcome = Outcome::allow(call.input.clone().unwrap());
        outcome.input.as_mut().unwrap().tool_input = Some(Json::from_value(&new).unwrap());
        outcome.modified = true;
        let agent = agent("cline");
        let reply = agent.encode(&call, &plan(&outcome, &call, &agent.capabilities(&call)));
        serde_json::from_str::<Value>(&reply.stdout).unwrap()
    };
    let mut new = seen.clone();
    new["command"] = json!("ls \"a b\"");
    let own = json!({"commands": ["ls \"a b\""], "requires_approval": false});
    assert_eq!(rewritten(new)["overrideInput"], own);
    // This is like a hook that replaces a text in the whole input.
    let mut new = seen.clone();
    (new["command"], new["commands"]) = (json!("cd /tmp\nls"), json!(["cd /tmp", "ls"]));
    assert_eq!(rewritten(new)["overrideInput"], json!({"commands": ["cd /tmp", "ls"], "requires_approval": false}));
    for (key, value) in [("commands", json!(["ls"])), ("requires_approval", json!(true))] {
        let mut new = seen.clone();
        new[key] = value;
        assert_eq!(rewritten(new)["cancel"], true, "what else was changed cannot be told");
    }
}

/// However the model writes it, hooks see everything that may run.
#[test]
fn no_form_of_a_command_is_hidden() {
    for (input, words) in [
        (json!({"commands": ["rm -rf /"], "command": "ls"}), "rm -rf /\nls"),
        (json!({"commands": [{"command": "rm", "args": ["-rf", "/"]}]}), "rm -rf /"),
        (json!({"commands": [{"command": "rm -rf /"}]}), "rm -rf /"),
        (json!({"commands": "rm -rf /"}), "rm -rf /"),
        (json!({"cmd": "rm -rf /"}), "rm -rf /"),
        (json!({"script": "rm -rf /"}), "rm -rf /"),
        (json!(["rm -rf /", "ls"]), "rm -rf /\nls"),
        (json!("rm -rf /"), "rm -rf /"),
        (json!({"commands": [{"what": "rm -rf /"}]}), r#"{"what":"rm -rf /"}"#),
    ] {
        let call = decode("cline", &before_tool("cline", "run_commands", &input));
        let seen: Value = call.input.unwrap().tool_input.unwrap().to().unwrap();
        assert_eq!(seen["command"], words, "{input}");
    }
}

/// In a project, Copilot runs the hooks in the settings of Claude Code.
#[test]
fn a_payload_of_copilot_s_is_copilot_s() {
    let claude = agent("claude");
    let payload = before_tool("copilot", "bash", &json!({"command": "ls"})).to_string();
    let sender = claude.sender(payload.as_bytes(), &Environment::default());
    assert_eq!(sender.map(|agent| agent.name()), Some("copilot"));
    let payload = before_tool("claude", "Bash", &json!({"command": "ls"})).to_string();
    assert!(claude.sender(payload.as_bytes(), &Environment::default()).is_none());
}

#[test]
fn errors_and_calls_of_the_model_are_events_like_others() {
    let of = |whose: &str, payload: Value| {
        let call = decode(whose, &payload);
        (call.input.map(|input| input.event), call.event)
    };
    let named = |name: &str| json!({"hook_event_name": name, "session_id": "s1", "cwd": "/home/me/app"});
    for (whose, payload, name, event) in [
        ("claude", named("StopFailure"), "StopFailure", Event::Error),
        ("codex", named("StopFailure"), "StopFailure", Event::Error),
        (
            "copilot",
            json!({"sessionId": "s1", "timestamp": 1, "cwd": "/", "error": {"message": "m"}, "errorContext": "c", "recoverable": true}),
            "errorOccurred",
            Event::Error,
        ),
        ("cline", json!({"clineVersion": "", "taskId": "s1", "hookName": "TaskError"}), "TaskError", Event::Error),
        ("opencode", json!({"event": "session.error", "input": {"sessionID": "s1"}}), "session.error", Event::Error),
        ("codex", named("PreModelRequest"), "PreModelRequest", Event::BeforeLlmCall),
        ("codex", named("PostModelRequest"), "PostModelRequest", Event::AfterLlmCall),
        ("gemini", named("BeforeModel"), "BeforeModel", Event::BeforeLlmCall),
        ("gemini", named("AfterModel"), "AfterModel", Event::AfterLlmCall),
    ] {
        assert_eq!(of(whose, payload), (Some(event), name.to_owned()), "{whose}");
        assert_eq!(agent(whose).event(name), Some(event), "{whose}");
    }
}

#[test]
fn what_a_model_is_sent_reaches_hooks() {
    let request = json!({"model": "m", "messages": [{"role": "user", "content": "hello"}]});
    let payload = json!({"hook_event_name": "BeforeModel", "session_id": "s1", "llm_request": request});
    let input = decode("gemini", &payload).input.unwrap();
    let seen: Value = serde_json::from_str(&input.to_json()).unwrap();
    assert_eq!(seen["llm_request"], request);
}
