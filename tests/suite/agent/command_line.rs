//! `hookbox hook` as agents start it.

use super::effects::{self, Effect};
use super::{AGENTS, before_tool, prompt};
use crate::support::project::{Project, Ran};
use hookbox::agent::Reply;
use serde_json::{Value, json};
use std::fs::File;
use std::io::Write;
use std::process::{Command, Stdio};

const GUARD: &str = "[hooks.guard]\nevents = [\"pre_tool\", \"pre_message\"]\ncommand = \"sh\"\n";

fn guard(script: &str) -> Project {
    Project::new().user(&format!("{GUARD}args = [\"-c\", '{script}']\n"))
}

fn effect(agent: &str, input: &Value, ran: &Ran) -> Effect {
    effects::before_tool(agent, input, &reply(ran))
}

fn reply(ran: &Ran) -> Reply {
    let mut reply = Reply::silence();
    reply.stdout.clone_from(&ran.stdout);
    reply.stderr.clone_from(&ran.stderr);
    reply.status = u8::try_from(ran.status).unwrap();
    reply
}

#[track_caller]
fn before_tool_of(project: &Project, agent: &str) -> Effect {
    let input = json!({"command": "ls"});
    effect(agent, &input, &project.run(&["hook", agent], &before_tool(agent, "Bash", &input).to_string()))
}

#[test]
fn a_deny_stops_the_tool_and_an_allow_lets_it_run() {
    for agent in AGENTS {
        assert_eq!(
            before_tool_of(&guard(r#"echo "{\"decision\":\"deny\",\"reason\":\"no\"}""#), agent),
            Effect::Stopped,
            "{agent}"
        );
        assert_eq!(before_tool_of(&guard("echo {}"), agent), Effect::Runs, "{agent}");
        assert_eq!(before_tool_of(&Project::new(), agent), Effect::Runs, "{agent}");
    }
}

#[test]
fn a_prompt_is_stopped() {
    let project = guard(r#"echo "{\"decision\":\"deny\",\"reason\":\"no\"}""#);
    for agent in AGENTS {
        let ran = project.run(&["hook", agent], &prompt(agent, "secret").to_string());
        assert_eq!(effects::at_prompt(agent, &reply(&ran)), Effect::Stopped, "{agent}: {ran:?}");
    }
}

#[test]
fn whatever_fails_stops_the_tool() {
    let broken = Project::new().user("[hooks.guard\n");
    let missing = Project::new().user("[hooks.guard]\nevents = [\"pre_tool\"]\ncomponent = \"nothing.wasm\"\n");
    let silent = guard("exit 1");
    for agent in AGENTS {
        for (what, project) in [("config", &broken), ("policy", &missing), ("hook", &silent)] {
            assert_eq!(before_tool_of(project, agent), Effect::Stopped, "{agent}: {what}");
        }
    }
}

#[test]
fn what_is_no_payload_is_a_veto() {
    let project = Project::new();
    for agent in AGENTS {
        for payload in [
            "",
            "{",
            "[]",
            "null",
            "{\"hook_event_name\":1}",
            "{\"hook_event_name\":\"PreToolUse\",\"hook_event_name\":\"x\"}",
        ] {
            let ran = project.run(&["hook", agent], payload);
            assert_eq!(effect(agent, &json!({}), &ran), Effect::Stopped, "{agent} {payload:?}: {ran:?}");
        }
    }
}

#[test]
fn a_wrong_command_line_is_a_veto() {
    let project = Project::new();
    let payload = before_tool("claude", "Bash", &json!({})).to_string();
    for agent in AGENTS {
        for args in
            [&["hook", agent, "--nope"][..], &["hook", agent, "more"], &["hook", agent, "--config", "/nowhere.toml"]]
        {
            let ran = project.run(args, &before_tool(agent, "Bash", &json!({})).to_string());
            assert_eq!(effect(agent, &json!({}), &ran), Effect::Stopped, "{args:?}: {ran:?}");
        }
    }
    for args in [&["hook"][..], &["hook", "cloude"], &["hook", "claude", "codex"]] {
        let ran = project.run(args, &payload);
        assert_eq!((ran.status, ran.stdout.as_str(), ran.stderr.is_empty()), (2, "", false), "{args:?}: {ran:?}");
    }
    let help = project.run(&["hook", "--help"], "");
    assert_eq!((help.status, help.stderr.as_str()), (0, ""), "{help:?}");
}

#[test]
fn an_unknown_option_with_a_value_before_the_command_is_a_veto() {
    let project = Project::new();
    let input = json!({"command": "ls"});
    for agent in AGENTS {
        let payload = before_tool(agent, "Bash", &input).to_string();
        for (option, value) in [("--cofig", "/x/hooks.toml"), ("--bogus", "value")] {
            let ran = project.run(&[option, value, "hook", agent], &payload);
            assert_eq!(effect(agent, &input, &ran), Effect::Stopped, "{option} {agent}: {ran:?}");
        }
    }
    let list = project.run(&["--bogus", "list", "hook", "claude"], "");
    assert_eq!((list.status, list.stdout.as_str()), (1, ""), "a person's mistake: {list:?}");
    assert!(list.stderr.contains("unexpected argument '--bogus'"), "{list:?}");
}

#[test]
fn a_reply_that_cannot_be_written_is_a_veto() {
    let project = guard(r#"echo "{\"decision\":\"deny\",\"reason\":\"no\"}""#);
    let payload = before_tool("claude", "Bash", &json!({})).to_string();
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("hookbox"));
    command
        .args(["hook", "claude", "--home"])
        .arg(project.home())
        .current_dir(project.dir())
        .env("HOME", project.home());
    let full = File::options().write(true).open("/dev/full").unwrap();
    let mut child = command.stdin(Stdio::piped()).stdout(full).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(payload.as_bytes()).unwrap();
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(2));
    assert!(!ended.stderr.is_empty());
}

#[test]
fn the_agent_is_recognized() {
    let project = guard(r#"echo "{\"decision\":\"deny\",\"reason\":\"no\"}""#);
    for agent in AGENTS.into_iter().filter(|agent| *agent != "generic-claude") {
        let input = json!({"command": "ls"});
        let ran = project.run(&["hook", "auto"], &before_tool(agent, "Bash", &input).to_string());
        assert_eq!(effect(agent, &input, &ran), Effect::Stopped, "{agent}: {ran:?}");
    }
}

#[test]
fn what_is_understood_can_be_explained() {
    let project = guard(r#"echo "{\"decision\":\"ask\",\"reason\":\"is it wanted?\"}""#);
    let ran = project.run(&["hook", "codex", "--explain"], &before_tool("codex", "Bash", &json!({})).to_string());
    for words in [
        "agent     Codex CLI",
        "event     PreToolUse (pre_tool)",
        "tool      Bash",
        "hook      guard: ask",
        "lost      a question becomes a deny",
        "status    0",
    ] {
        assert!(ran.stdout.contains(words), "{words:?} in {}", ran.stdout);
    }
    assert_eq!(ran.status, 0);
    let input = json!({"file_path": "/etc/../etc/x", "content": "one\ntwo"});
    let ran = Project::new().run(&["hook", "claude", "--explain"], &before_tool("claude", "Write", &input).to_string());
    for words in ["kind      write", "path      write /etc/x (other)", "adds      one two"] {
        assert!(ran.stdout.contains(words), "{words:?} in {}", ran.stdout);
    }
}

#[test]
fn a_hook_for_a_tool_is_asked_whatever_the_agent_calls_it() {
    let deny = r#"echo "{\"decision\":\"deny\",\"reason\":\"no\"}""#;
    let with_match =
        |pattern: &str| Project::new().user(&format!("{GUARD}args = [\"-c\", '{deny}']\nmatch = \"{pattern}\"\n"));
    let shells = [
        ("claude", "Bash"),
        ("codex", "Bash"),
        ("gemini", "run_shell_command"),
        ("copilot", "bash"),
        ("cursor", "Shell"),
        ("qwen", "run_shell_command"),
        ("droid", "Execute"),
        ("cline", "run_commands"),
        ("opencode", "bash"),
    ];
    let input = json!({"command": "ls"});
    for (agent, tool) in shells {
        let payload = before_tool(agent, tool, &input).to_string();
        for (pattern, expected) in
            [("bash", Effect::Stopped), ("(?i:bash|shell)", Effect::Stopped), ("edit", Effect::Runs)]
        {
            let ran = with_match(pattern).run(&["hook", agent], &payload);
            assert_eq!(effect(agent, &input, &ran), expected, "{agent} {tool} {pattern}: {ran:?}");
        }
        let ran = with_match(tool).run(&["hook", agent], &payload);
        assert_eq!(effect(agent, &input, &ran), Effect::Stopped, "{agent}: its own name");
    }
    // hookbox's own Input only has the name that it states.
    let ran = with_match("bash").run(&["run"], r#"{"event":"pre_tool","tool_name":"Execute","tool_input":{}}"#);
    assert_eq!(ran.status, 0, "{ran:?}");
}

#[test]
fn a_hook_that_was_passed_over_is_told_of() {
    let project = Project::new().user(&format!("{GUARD}args = [\"-c\", 'exit 3']\non_error = \"allow\"\n"));
    let ran = project.run(&["hook", "claude"], &before_tool("claude", "Bash", &json!({})).to_string());
    let reply: Value = serde_json::from_str(&ran.stdout).unwrap();
    let notice = reply["systemMessage"].as_str().unwrap();
    assert!(notice.contains("guard") && notice.contains("went on without it"), "{ran:?}");
    assert!(reply.get("hookSpecificOutput").is_none(), "{ran:?}");
}
