//! `[tools.<agent>]`: tools that hookbox does not know.

use crate::support::project::Project;
use serde_json::{Value, json};

/// A script that writes the Input to a file, and allows.
const SHOW: &str = "cat > \"$OUT\"; echo '{}'";

fn hooks(more: &str, out: &std::path::Path) -> String {
    format!(
        "{more}\n[hooks.show]\nevents = [\"pre_tool\"]\nmatch = \"bash|write\"\ncommand = \"./show.sh\"\nenv = {{ OUT = {:?} }}\n",
        out.to_str().unwrap()
    )
}

/// Returns the facts that a hook of Claude Code sees about a call of the tool `deploy`, or `None` if it is not asked.
fn seen(tools: &str, input: &Value) -> Option<Value> {
    let project = Project::new();
    let out = project.home().join("out.json");
    project.script(project.home().join(".agents/show.sh").to_str().unwrap(), SHOW);
    let project = project.user(&hooks(tools, &out));
    let payload = json!({
        "session_id": "s", "transcript_path": "/t", "cwd": project.dir(), "hook_event_name": "PreToolUse", "tool_name": "deploy",
        "tool_input": input, "permission_mode": "default", "prompt_id": "p",
    });
    let ran = project.run(&["hook", "claude"], &payload.to_string());
    assert_eq!(ran.status, 0, "{ran:?}");
    let seen: Value = serde_json::from_str(&std::fs::read_to_string(out).ok()?).unwrap();
    Some(seen["tool"].clone())
}

#[test]
fn a_tool_that_the_user_describes_is_understood_and_heard_of() {
    let input = json!({"what": "rm -rf /", "into": "/etc/x", "where": "sub"});
    assert_eq!(seen("", &input), None, "hookbox does not know that it runs commands");
    let facts = seen("[tools.claude.deploy]\nkind = \"shell\"\ncommand = \"what\"\ncwd = [\"where\", \"dir\"]", &input)
        .unwrap();
    assert_eq!((&facts["kind"], &facts["command"]), (&json!("shell"), &json!("rm -rf /")));
    assert!(facts["cwd"].as_str().unwrap().ends_with("/sub"));
    let facts = seen("[tools.any.deploy]\nkind = \"write\"\ncreate = \"into\"", &input).unwrap();
    assert_eq!((&facts["paths"][0]["path"], &facts["paths"][0]["access"]), (&json!("/etc/x"), &json!("create")));
    let facts = seen("[tools.claude]\ndeploy = \"shell\"", &json!({"cmd": "ls"})).unwrap();
    assert_eq!((&facts["kind"], &facts["command"], &facts["complete"]), (&json!("shell"), &json!("ls"), &json!(true)));
    assert_eq!(seen("[tools.codex]\ndeploy = \"shell\"", &input), None, "another agent's tool");
}

#[test]
fn mistakes_are_named_and_deny() {
    for (tools, message) in [
        ("[tools.claude]\ndeploy = \"shel\"", "the kind of `deploy` is \"shel\""),
        ("[tools.claude.deploy]\ncommand = \"what\"", "the tool `deploy` has no `kind`"),
        ("[tools.claude.deploy]\nkind = \"shell\"\ncomand = \"what\"", "unknown key `comand`"),
        ("[tools.claude.deploy]\nkind = \"shell\"\ncommand = 1", "`command` must be a string"),
        ("[tools]\nclaude = 1", "`tools.claude` must be a table"),
    ] {
        let project = Project::new().user(tools);
        let ran = project.hookbox("check", &[]);
        assert!(ran.stdout.contains(message) || ran.stderr.contains(message), "{tools}: {ran:?}");
        assert_eq!(ran.status, 1, "{tools}");
        assert_eq!(project.ask_bash("ls").json()["decision"], "deny", "{tools}");
    }
    let project = Project::new().user("[tools.cladue]\ndeploy = \"shell\"");
    let ran = project.hookbox("check", &[]);
    assert!(format!("{ran:?}").contains("did you mean `claude`?"), "{ran:?}");
}

#[test]
fn a_project_cannot_describe_tools() {
    let project = Project::new().project("[tools.claude]\nBash = \"read\"");
    let ran = project.hookbox("check", &[]);
    assert!(format!("{ran:?}").contains("a project cannot say what your agent's tools do"), "{ran:?}");
}
