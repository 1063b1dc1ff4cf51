//! The agents' names of tools.

use super::{facts, facts_of, paths};
use crate::agent::{agent, before_tool};
use hookbox::agent::Environment;
use hookbox::facts::{Facts, Scene, Tools};
use hookbox::{Tool, ToolKind};
use serde_json::{Value, json};

/// Returns what `hookbox hook` determines about a call that an agent announces.
fn announced(name: &str, tool: &str, input: &Value) -> Tool {
    let payload = before_tool(name, tool, input).to_string();
    let call = agent(name).decode(payload.as_bytes(), &Environment::default()).unwrap();
    let facts = Facts::new(Scene::new("/home/me/app").with_home("/home/me"), Tools::default());
    facts.find(&call.input.unwrap()).unwrap()
}

#[test]
fn a_command_is_the_same_whichever_agent_runs_it() {
    for (agent, tool, input) in [
        ("claude", "Bash", json!({"command": "rm -rf /", "description": "d"})),
        ("codex", "Bash", json!({"command": "rm -rf /"})),
        ("gemini", "run_shell_command", json!({"command": "rm -rf /", "description": "d"})),
        ("copilot", "bash", json!({"command": "rm -rf /", "mode": "sync"})),
        ("copilot", "powershell", json!(r#"{"command": "rm -rf /"}"#)),
        ("cursor", "Shell", json!({"command": "rm -rf /", "timeout": 3})),
        ("cursor", "Shell", json!(r#"{"command": "rm -rf /"}"#)),
        ("qwen", "run_shell_command", json!({"command": "rm -rf /", "is_background": false})),
        ("droid", "Execute", json!({"command": "rm -rf /", "riskLevel": "low"})),
        ("cline", "run_commands", json!({"commands": ["rm -rf /"]})),
        ("opencode", "bash", json!({"command": "rm -rf /", "description": "d"})),
        ("generic-claude", "Shell", json!({"script": "rm -rf /"})),
        ("generic-claude", "run_command", json!({"CommandLine": "rm -rf /"})),
        ("generic-claude", "a_new_tool", json!({"code": "rm -rf /"})),
        ("generic-claude", "a_new_tool", json!({"shell_command": "rm -rf /"})),
    ] {
        let tool = announced(agent, tool, &input);
        let seen = (tool.kind, tool.command.as_deref(), tool.cwd.as_deref(), tool.complete);
        assert_eq!(seen, (ToolKind::Shell, Some("rm -rf /"), Some("/home/me/app"), true), "{agent}: {input}");
    }
}

#[test]
fn a_file_is_the_same_whichever_agent_touches_it() {
    let text = "one\n";
    for (agent, tool, input, kind, path) in [
        ("claude", "Write", json!({"file_path": "/w/a", "content": text}), "write", "write /w/a"),
        ("claude", "Edit", json!({"file_path": "/w/a", "old_string": "x", "new_string": text}), "edit", "write /w/a"),
        ("claude", "NotebookEdit", json!({"notebook_path": "/w/a", "new_source": text}), "edit", "write /w/a"),
        ("gemini", "write_file", json!({"file_path": "/w/a", "content": text}), "write", "write /w/a"),
        ("gemini", "replace", json!({"file_path": "/w/a", "old_string": "", "new_string": text}), "edit", "write /w/a"),
        ("copilot", "create", json!({"path": "/w/a", "file_text": text}), "write", "create /w/a"),
        ("copilot", "edit", json!({"path": "/w/a", "old_str": "x", "new_str": text}), "edit", "write /w/a"),
        ("cursor", "Write", json!({"file_path": "/w/a", "contents": text}), "write", "write /w/a"),
        ("droid", "Create", json!({"file_path": "/w/a", "content": text}), "write", "create /w/a"),
        ("cline", "write_to_file", json!({"path": "/w/a", "content": text}), "write", "write /w/a"),
        ("opencode", "edit", json!({"filePath": "/w/a", "newString": text}), "edit", "write /w/a"),
        (
            "codex",
            "apply_patch",
            json!({"command": "*** Begin Patch\n*** Add File: /w/a\n+one\n*** End Patch"}),
            "edit",
            "create /w/a",
        ),
        (
            "opencode",
            "apply_patch",
            json!({"patchText": "*** Begin Patch\n*** Add File: /w/a\n+one\n*** End Patch"}),
            "edit",
            "create /w/a",
        ),
    ] {
        let tool = announced(agent, tool, &input);
        let seen = (tool.kind.as_str(), paths(&tool), tool.added_text.concat(), tool.complete);
        assert_eq!(seen, (kind, vec![path.to_owned()], text.to_owned(), true), "{agent}: {input}");
    }
}

#[test]
fn reading_deleting_and_searching() {
    for (tool, input, kind, path) in [
        ("Read", json!({"file_path": "a", "offset": 3}), "read", "read /w/a"),
        ("view", json!({"path": "/w/a"}), "read", "read /w/a"),
        ("delete_file", json!({"target_file": "a"}), "delete", "delete /w/a"),
        ("Glob", json!({"pattern": "**/*.rs"}), "search", "list /w"),
        ("Grep", json!({"pattern": "/etc", "path": "/srv"}), "search", "read /srv"),
        ("LS", json!({"directory_path": "/srv"}), "search", "list /srv"),
    ] {
        let tool = facts(tool, &input);
        let seen = (tool.kind.as_str(), paths(&tool), tool.complete);
        assert_eq!(seen, (kind, vec![path.to_owned()], true), "{input}");
    }
    let many = facts("read_many_files", &json!({"paths": ["a", "b/c"]}));
    assert_eq!(paths(&many), ["read /w/a", "read /w/b/c"]);
    let many = facts("read_files", &json!({"files": [{"path": "a", "start_line": 1}, {"path": "/b"}]}));
    assert_eq!(paths(&many), ["read /w/a", "read /b"]);
}

#[test]
fn an_editor_whose_command_says_what_to_do_runs_no_command() {
    for (command, kind, path) in
        [("view", "read", "read /w/a"), ("create", "write", "create /w/a"), ("str_replace", "edit", "write /w/a")]
    {
        let tool = facts("str_replace_editor", &json!({"command": command, "path": "a"}));
        assert_eq!((tool.kind.as_str(), paths(&tool), tool.command), (kind, vec![path.to_owned()], None));
    }
    // Cline's editor has no such member, and writes.
    let tool = announced("cline", "editor", &json!({"command": "view", "path": "a", "new_text": "x"}));
    assert_eq!((tool.kind.as_str(), paths(&tool)), ("edit", vec!["write /home/me/app/a".to_owned()]));
}

#[test]
fn servers_and_their_tools() {
    for (agent, name, server, tool) in [
        ("claude", "mcp__github__create_issue", Some("github"), "create_issue"),
        ("claude", "mcp__plugin_box_git__push", Some("plugin_box_git"), "push"),
        ("codex", "mcp__box__touch", Some("box"), "touch"),
        ("copilot", "box-touch_it", Some("box"), "touch_it"),
        ("copilot", "box/touch_it", Some("box"), "touch_it"),
        ("cline", "box__touch", Some("box"), "touch"),
        ("opencode", "box_touch", Some("box"), "touch"),
        // The boundary between the names is not known.
        ("claude", "mcp__a__b__c", None, "a__b__c"),
        ("gemini", "mcp_box_touch_it", None, "box_touch_it"),
        ("opencode", "box_touch_it", None, "box_touch_it"),
        ("copilot", "github-evil-touch", None, "github-evil-touch"),
        ("copilot", "a/b/c", None, "a/b/c"),
        ("cline", "box__evil__touch", None, "box__evil__touch"),
        ("goose", "box__evil__touch", None, "box__evil__touch"),
        ("cursor", "MCP:touch", None, "touch"),
    ] {
        let found = facts_of(Some(agent), name, &json!({}));
        let seen = (found.kind.as_str(), found.server.as_deref(), found.tool.as_deref(), found.complete);
        assert_eq!(seen, ("mcp", server, Some(tool), server.is_some()), "{agent}: {name}");
    }
    let payload = json!({
        "session_id": "s", "transcript_path": "/t", "cwd": "/w", "hook_event_name": "BeforeTool", "timestamp": "t",
        "tool_name": "mcp_my_box_touch_it", "tool_input": {"a": "b"},
        "mcp_context": {"server_name": "my_box", "tool_name": "touch_it", "command": "python3", "args": []},
    });
    let call = agent("gemini").decode(payload.to_string().as_bytes(), &Environment::default()).unwrap();
    let found = Facts::default().find(&call.input.unwrap()).unwrap();
    assert_eq!((found.server.as_deref(), found.tool.as_deref()), (Some("my_box"), Some("touch_it")));
}

/// Claude Code names the server beside the tool, so a `__` in either name does no harm.
#[test]
fn a_server_that_the_agent_names() {
    let mut payload = before_tool("claude", "mcp__a__b__c__d", &json!({}));
    payload["mcp_server"] = json!({"name": "a__b", "source": "dynamic"});
    let call = agent("claude").decode(payload.to_string().as_bytes(), &Environment::default()).unwrap();
    let found = Facts::default().find(&call.input.unwrap()).unwrap();
    assert_eq!((found.server.as_deref(), found.tool.as_deref()), (Some("a__b"), Some("c__d")));
}

/// The tools of a file server name their paths in keys that others use for languages, people and the like.
#[test]
fn paths_under_keys_that_could_mean_anything() {
    for (value, path) in [
        (".env", Some("write /w/.env")),
        ("notes.txt", Some("write /w/notes.txt")),
        ("../x", Some("write /x")),
        ("en", None),
        ("me@example.com", None),
        ("1.5", None),
        ("https://example.com/x", None),
    ] {
        let found = paths(&facts("mcp__files__move", &json!({"source": "/w/a", "destination": value})));
        let expected: Vec<&str> = path.into_iter().chain(["write /w/a"]).collect();
        assert_eq!(found, expected, "{value}");
    }
}

#[test]
fn what_a_tool_does_that_is_not_known_is_not_complete() {
    for (tool, input) in [
        ("mcp__box__do", json!({"what": "x"})),
        ("mystery", json!({"what": "x"})),
        ("Bash", json!({"what": "x"})),
        ("Bash", json!({"command": ["", 3]})),
        ("Bash", json!({"command": ""})),
        ("Bash", json!("{\"command\":\"ls\",\"command\":\"rm -rf /\"}")),
        ("Write", json!({"content": "x"})),
        ("apply_patch", json!({"command": "rm -rf /"})),
        ("apply_patch", json!({})),
        ("WebFetch", json!({"method": "GET"})),
        ("write_stdin", json!({"chars": "rm -rf /\n", "session_id": 3})),
    ] {
        let found = facts(tool, &input);
        let is_argv = found.argv.is_some();
        assert!(is_argv || !found.complete && !found.unknown.is_empty(), "{tool} {input}: {found:?}");
    }
    let plan = facts("TodoWrite", &json!({"todos": [{"content": "run rm -rf /", "command": "x"}]}));
    assert_eq!((plan.kind, plan.complete, plan.command), (ToolKind::Other, true, None), "only the agent's own plan");
    assert!(facts("mystery", &json!({})).complete, "there is nothing that it could do something with");
    assert_eq!(facts("write_stdin", &json!({"chars": "rm -rf /\n"})).command.as_deref(), Some("rm -rf /\n"));
}

#[test]
fn every_name_means_one_thing() {
    // For a tool in two groups, the first would silently win.
    for agent in hookbox::agent::all() {
        assert!(Tools::AGENTS.contains(&agent.name()), "{}", agent.name());
    }
    assert_eq!(Tools::AGENTS.len(), hookbox::agent::all().len() + 1);
}
