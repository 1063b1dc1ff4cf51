//! `builtin = "…"` in `hooks.toml`.

use crate::support::project::{Project, run};
use serde_json::json;
use std::process::Command;

/// Asks the hooks of this config.
#[track_caller]
fn ask(config: &str, input: &str) -> crate::support::project::Ran {
    let project = Project::new();
    let file = project.write("hooks.toml", config);
    run(project.command("run", &[]).arg("--config").arg(file).write_stdin(input))
}

#[test]
fn a_builtin_rewrites_what_a_tool_is_given() {
    let secret = format!("ghp_{}", "A1b2".repeat(9));
    let input = format!(r#"{{"event":"pre_tool","tool_name":"bash","tool_input":{{"command":"echo {secret}"}}}}"#);
    let ran = ask("[hooks.redact]\nevents = [\"pre_tool\"]\nbuiltin = \"redact_secrets\"\n", &input);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert_eq!(ran.json()["input"]["tool_input"]["command"], "echo [REDACTED]");
}

#[test]
fn secrets_are_found_in_an_input_that_is_no_object() {
    let secret = format!("ghp_{}", "A1b2".repeat(9));
    for (given, redacted) in [
        (json!(format!("echo {secret}")), json!("echo [REDACTED]")),
        (json!([{ "text": secret }, 1]), json!([{ "text": "[REDACTED]" }, 1])),
    ] {
        let input = json!({ "event": "pre_tool", "tool_name": "run", "tool_input": given }).to_string();
        let ran = ask("[hooks.redact]\nevents = [\"pre_tool\"]\nbuiltin = \"redact_secrets\"\n", &input);
        assert_eq!((ran.status, &ran.json()["input"]["tool_input"]), (0, &redacted), "{ran:?}");
    }
}

#[test]
fn a_large_result_is_shortened() {
    let config = "[hooks.limit]\nevents = [\"tool_response_transform\", \"session_end\"]\n\
                  builtin = \"limit_large_tool_results\"\n";
    let session = format!("large {}", std::process::id());
    let result = json!({ "content": "line\n".repeat(3000), "is_error": false });
    let input = json!({
        "event": "tool_response_transform", "session_id": session, "tool_name": "bash", "tool_category": "shell",
        "tool_result": result,
    });
    let outcome = ask(config, &input.to_string()).json();
    let content = outcome["input"]["tool_result"]["content"].as_str().unwrap();
    assert!(content.starts_with("The result of the tool has 15000 bytes in 3000 lines"), "{outcome}");
    assert_eq!(ask(config, &json!({ "event": "session_end", "session_id": session }).to_string()).status, 0);
}

#[test]
fn a_builtin_has_arguments() {
    let config = "[hooks.limit]\nevents = [\"before_llm_call\"]\nbuiltin = \"max_iterations\"\nargs = [\"3\"]\n";
    let status =
        |iteration: u32| ask(config, &format!(r#"{{"event":"before_llm_call","iteration":{iteration}}}"#)).status;
    assert_eq!([status(3), status(4)], [0, 2]);
}

#[test]
fn a_builtin_that_would_do_nothing_denies() {
    for (events, builtin, why) in [
        ("pre_message", "redact_secrets", "does nothing on pre_message"),
        ("pre_message", "redact_secret", "which this hookbox does not have"),
    ] {
        let config = format!("[hooks.redact]\nevents = [\"{events}\"]\nbuiltin = \"{builtin}\"\n");
        let ran = ask(&config, r#"{"event":"pre_message","message":"hello"}"#);
        assert_ne!(ran.status, 0, "{builtin}");
        assert!(ran.stdout.contains(why), "{}", ran.stdout);
    }
}

#[test]
fn a_builtin_tells_the_model_what_it_does_in_docker_agent() {
    let project = Project::new();
    let dir = project.dir();
    project.write("project/NOTES.md", "be careful\n");
    let who = ["-c", "user.name=n", "-c", "user.email=n@example.com"];
    for args in [["init", "--quiet", "."].as_slice(), &["add", "--all"], &["commit", "--quiet", "--message", "begin"]] {
        let ran = Command::new("git").arg("-C").arg(&dir).args(who).args(args).output().unwrap();
        assert!(ran.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&ran.stderr));
    }
    project.write("project/NOTES.md", "be careful\nand quick\n");
    let events = ["session_start", "turn_start", "pre_message", "pre_compact"];
    for (index, (builtin, args, says)) in [
        ("add_date", "[]", "Today's date: "),
        ("add_environment_info", "[]", "Is directory a git repo: Yes"),
        ("add_prompt_files", r#"["NOTES.md"]"#, "be careful\nand quick"),
        ("add_directory_listing", "[]", "- NOTES.md"),
        ("add_user_info", "[]", "Current user:"),
        ("add_git_status", "[]", "M NOTES.md"),
        ("add_git_diff", r#"["full"]"#, "+and quick"),
        ("add_recent_commits", r#"["1"]"#, "begin"),
        ("add_context", r#"["in {{ .Cwd }}"]"#, "in /"),
    ]
    .into_iter()
    .enumerate()
    {
        let event = events[index % events.len()];
        let config = format!("[hooks.tell]\nevents = [\"{event}\"]\nbuiltin = \"{builtin}\"\nargs = {args}\n");
        let file = project.write("hooks.toml", config);
        let input = json!({ "event": event, "pwd": dir, "message": "hi" }).to_string();
        let ran = run(project.command("run", &[]).arg("--config").arg(file).write_stdin(input));
        let told = ran.json()["additional_context"].to_string();
        assert!(told.contains(&says.replace('\n', "\\n")), "{builtin} on {event}: {told} {}", ran.stderr);
    }
}

#[test]
fn answers_are_kept() {
    let project = Project::new();
    let config =
        "[hooks.keep]\nevents = [\"post_message\"]\nbuiltin = \"cache_response\"\nargs = [\"path=cache.json\"]\n";
    let file = project.write("hooks.toml", config);
    let input = json!({
        "event": "post_message", "pwd": project.dir(), "message": "Done.", "agent_name": "root",
        "last_user_message": "Do It",
    });
    run(project.command("run", &[]).arg("--config").arg(file).write_stdin(input.to_string()));
    let kept = std::fs::read_to_string(project.dir().join("cache.json")).unwrap();
    assert_eq!(kept, r#"{"do it":"Done."}"#);
}

#[test]
fn safer_shell_asks_about_the_commands_of_any_agent() {
    for (policy, command, status) in [
        ("strict", "ls", 3),
        ("safe-auto", "ls -la", 0),
        ("safe-auto", "uniq x", 0),
        // The lone dash is the input, and the file is overwritten.
        ("safe-auto", "uniq - x", 3),
        ("safe-auto", "make", 3),
        ("safer", "make", 0),
        ("safer", "sudo rm -r x", 3),
        ("safer", "eval \"$(cat x)\"", 3),
        ("unsafe", "rm -r x", 0),
    ] {
        let config = format!("[hooks.s]\nevents = [\"pre_tool\"]\nbuiltin = \"safer_shell\"\nargs = [\"{policy}\"]\n");
        let call = |name: &str| {
            json!({ "event": "pre_tool", "tool_name": name, "tool_input": { "command": command } }).to_string()
        };
        // It is not known what a server's tool does besides its command.
        let by_server = if policy == "unsafe" { 0 } else { 3 };
        for (tool, status) in [("bash", status), ("run_shell_command", status), ("mcp__box__exec", by_server)] {
            let ran = ask(&config, &call(tool));
            assert_eq!(ran.status, status, "{policy}, {tool}, {command}: {}{}", ran.stdout, ran.stderr);
        }
    }
    let config = "[hooks.s]\nevents = [\"pre_tool\"]\nbuiltin = \"safer_shell\"\n";
    let read = r#"{"event":"pre_tool","tool_name":"read_file","tool_input":{"path":"x"}}"#;
    assert_eq!(ask(config, read).status, 0);
}

#[test]
fn what_a_later_hook_changes_is_judged_too() {
    let becomes = |command: &str| {
        let action = json!({ "decision": "modify", "modified_tool_input": { "command": command } }).to_string();
        format!(
            "[hooks.judge]\nevents = [\"pre_tool\"]\nbuiltin = \"safer_shell\"\nargs = [\"safe-auto\"]\n\
             [hooks.redact]\nevents = [\"pre_tool\"]\nbuiltin = \"redact_secrets\"\n\
             [hooks.rewrite]\nevents = [\"pre_tool\"]\ncommand = \"echo\"\nargs = [{}]\n",
            serde_json::to_string(&action).unwrap()
        )
    };
    let call = r#"{"event":"pre_tool","tool_name":"bash","tool_input":{"command":"ls"}}"#;
    let ran = ask(&becomes("ls -la"), call);
    assert_eq!((ran.status, &ran.json()["input"]["tool_input"]["command"]), (0, &json!("ls -la")), "{ran:?}");
    assert_eq!(ask(&becomes("rm -rf x"), call).status, 3);
    let secret = format!("ghp_{}", "A1b2".repeat(9));
    let ran = ask(&becomes(&format!("ls {secret}")), call);
    assert_eq!(ran.json()["input"]["tool_input"]["command"], "ls [REDACTED]", "{ran:?}");
}

#[test]
fn a_builtin_without_what_it_needs_denies() {
    for (builtin, event, args, why) in [
        ("max_iterations", "before_llm_call", "[]", "a whole number above zero"),
        ("max_iterations", "before_llm_call", r#"["many"]"#, "a whole number above zero"),
        ("add_prompt_files", "pre_message", "[]", "the names of files"),
        ("add_context", "pre_message", "[]", "a template"),
        ("add_context", "pre_message", r#"["{{ .Nope }}"]"#, "can't evaluate field Nope"),
        ("add_context", "pre_message", r#"["{{"]"#, "add_context: parse arg 1"),
        ("safer_shell", "pre_tool", r#"["save"]"#, "`safe-auto`"),
        ("http_post", "pre_message", "[]", "a URL"),
        ("cache_response", "post_message", r#"["trim_spaces"]"#, "`path=FILE`"),
    ] {
        let project = Project::new();
        let config = format!("[hooks.b]\nevents = [\"{event}\"]\nbuiltin = \"{builtin}\"\nargs = {args}\n");
        let file = project.write("hooks.toml", config);
        let check = run(project.command("check", &[]).arg(&file));
        assert_ne!(check.status, 0, "{builtin} {args}");
        let said = format!("{}{}", check.stdout, check.stderr);
        assert!(said.contains(why), "{builtin} {args}: {said}");
        let input = json!({ "event": event, "tool_name": "bash", "tool_input": {}, "message": "hi" });
        let ran = run(project.command("run", &[]).arg("--config").arg(&file).write_stdin(input.to_string()));
        assert_eq!(ran.status == 0, event == "post_message", "{builtin} {args}: {}", ran.stdout);
    }
}

#[test]
fn a_builtin_of_a_project_without_trust_is_not_asked() {
    let project = Project::new();
    project.write(
        "project/.hookbox/hooks.toml",
        "[hooks.limit]\nevents = [\"before_llm_call\"]\nbuiltin = \"max_iterations\"\nargs = [\"3\"]\n",
    );
    let input = r#"{"event":"before_llm_call","iteration":4}"#;
    let ask = |args: &[&str]| run(project.command("run", args).write_stdin(input)).status;
    assert_eq!(ask(&[]), 0);
    assert_eq!(ask(&["--trust-all"]), 2);
}
