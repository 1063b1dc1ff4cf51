//! A call with several command lines, each in a shell of its own.

use super::{Bench, strictness};
use crate::agent::{agent, before_tool};
use hookbox::Input;
use hookbox::agent::Environment;
use serde_json::{Value, json};

/// Returns a call of Cline's tool for commands.
fn cline(tool: &str, input: &Value) -> Input {
    let payload = before_tool("cline", tool, input).to_string();
    let mut input = agent("cline").decode(payload.as_bytes(), &Environment::default()).unwrap().input.unwrap();
    input.pwd = Some("/home/user/project".to_owned());
    input
}

/// What one line leaves open does not reach into the next one.
#[tokio::test]
async fn each_line_is_judged_by_itself() {
    let bench = Bench::new("no-destructive-commands", None);
    for commands in [
        json!(["echo '", "rm -rf ~/.ssh #'"]),
        json!(["echo \"", "rm -rf ~/.ssh #\""]),
        json!(["echo a \\", "rm -rf ~/.ssh"]),
        json!(["cat <<EOF", "rm -rf ~/.ssh", "EOF"]),
        json!(["echo $(", "rm -rf ~/.ssh", "#)"]),
        json!(["if false; then", "rm -rf ~/.ssh", "fi"]),
        json!(["f() {", "rm -rf ~/.ssh", "}"]),
        json!(["exit 0", "rm -rf ~/.ssh"]),
        json!(["exec true", "rm -rf ~/.ssh"]),
        json!(["alias rm=echo", "rm -rf ~/.ssh"]),
        json!(["rm() { echo; }", "rm -rf ~/.ssh"]),
        json!(["HOME=/tmp/x", "rm -rf ~"]),
        json!(["cd /tmp/x", "rm -rf ."]),
        json!(["x=/tmp/y", "rm -rf \"$x/\""]),
        json!([": '", {"command": "rm", "args": ["-rf", "/home/user/.ssh"]}, "'"]),
        json!([{"command": "sh", "args": ["-c", "rm -rf ~/.ssh"]}]),
        json!([{"command": "sh", "args": ["-c", "echo 'x", "'; rm -rf ~/.ssh"]}, {"command": "rm", "args": ["-rf", "/home/user"]}]),
        json!([{"command": "echo", "args": ["it's"]}, {"command": "rm", "args": ["-rf", "/home/user/.ssh", "it's"]}]),
        json!({"command": "sh", "args": ["-c", "rm -rf ~/.ssh"]}),
        json!("rm -rf ~/.ssh"),
        json!("[\"echo '\",\"rm -rf ~/.ssh #'\"]"),
        json!([["rm", "-rf", "/home/user/.ssh"]]),
    ] {
        let forms = [json!({"commands": commands}), json!({"commands": commands, "command": "ls"}), commands];
        for input in forms {
            let outcome = bench.ask(cline("run_commands", &input)).await;
            assert!(strictness(&outcome) > 0, "{input} {:?}", outcome.input);
        }
    }
}

#[tokio::test]
async fn words_beside_commands_hide_nothing() {
    let bench = Bench::new("no-destructive-commands", None);
    for input in [
        json!({"command": "rm -rf ~/.ssh", "args": ["--help"]}),
        json!({"commands": ["rm -rf ~/.ssh"], "args": ["--help"]}),
        json!({"command": "ls", "cmd": "sh", "args": ["-c", "rm -rf ~/.ssh"]}),
        json!({"command": "echo", "cmd": "rm -rf ~/.ssh", "args": ["x"]}),
        json!({"commands": ["rm -rf ."], "cwd": "/tmp/scratch"}),
        json!({"commands": [{"what": "rm -rf ~/.ssh"}, "ls"]}),
        json!({"commands": ["ls", {"run": {"it": "rm -rf ~/.ssh"}}]}),
    ] {
        for (agent, input) in [
            ("cline", cline("run_commands", &input)),
            ("none", Input::pre_tool("run_commands", &input.to_string()).unwrap()),
        ] {
            let is_known_there = agent == "none" && input.tool_input.as_ref().unwrap().as_str().contains("scratch");
            let outcome = bench.ask(input).await;
            assert!(strictness(&outcome) > 0 || is_known_there, "{agent} {:?}", outcome.input);
        }
    }
}

/// An unknown tool may run its list in one shell.
#[tokio::test]
async fn other_lists_are_judged_both_ways() {
    let bench = Bench::new("no-destructive-commands", None);
    for commands in
        [json!(["cd ~", "rm -rf .ssh"]), json!(["echo '", "rm -rf ~/.ssh #'"]), json!(["x=rm", "$x -rf ~/.ssh"])]
    {
        for tool in ["shell", "a_new_tool"] {
            let input = Input::pre_tool(tool, &json!({"commands": commands}).to_string()).unwrap();
            assert!(strictness(&bench.ask(input).await) > 0, "{tool} {commands}");
        }
    }
    let input = json!({"command": "echo", "args": ["; rm -rf ~/.ssh"]}).to_string();
    let input = Input::pre_tool("mcp__os__exec", &input).unwrap();
    assert!(strictness(&bench.ask(input).await) > 0, "words that a tool may join");
}

#[tokio::test]
async fn everyday_lists_pass() {
    for policy in ["no-destructive-commands", "protect-paths", "no-secret-leaks", "package-guard"] {
        let bench = Bench::new(policy, None);
        for input in [
            json!({"commands": ["git status", "ls -la", "npm test"]}),
            json!({"commands": ["cd src && ls", "rm -rf node_modules", "git commit -m \"it's (done)\""]}),
            json!({"commands": [{"command": "git", "args": ["commit", "-m", "fix: don't (ever) | do; this"]}, "git log"]}),
            json!({"commands": "ls"}),
            json!({"command": "npm test"}),
            json!({"command": "npm", "args": ["test"]}),
            json!({"cmd": "make"}),
            json!(["make", "make test"]),
            json!([{"command": "ls", "args": ["-l"], "description": "list"}]),
        ] {
            let outcome = bench.ask(cline("run_commands", &input)).await;
            assert_eq!(strictness(&outcome), 0, "{policy} {input} {:?}", outcome.reason);
        }
    }
}

/// Too many lines to read are asked about, and what was read is still judged.
#[tokio::test]
async fn a_long_list_ends_in_a_question() {
    let bench = Bench::new("no-destructive-commands", None);
    let mut lines = vec!["true"; 300];
    lines.push("rm -rf ~/.ssh");
    assert!(strictness(&bench.ask(cline("run_commands", &json!({"commands": lines}))).await) > 0);
    let hidden: Vec<String> = (0..100).map(|at| format!("echo {at}")).collect();
    assert!(strictness(&bench.ask(cline("run_commands", &json!({"commands": hidden}))).await) > 0);
}

#[tokio::test]
async fn each_form_of_read_files_names_its_files() {
    let bench = Bench::new("no-secret-leaks", None);
    let key = "/home/user/.ssh/id_rsa";
    for input in [
        json!([key]),
        json!(["/home/user/project/a", key]),
        json!(key),
        json!([{"path": key}]),
        json!({"path": key}),
        json!({"files": [key]}),
        json!({"files": key}),
        json!({"files": {"path": key}}),
        json!({"files": [{"path": key, "start_line": 1}]}),
        json!({"file_paths": [key]}),
        json!({"file_paths": key}),
        json!({"paths": [key]}),
        json!({"paths": {"path": key}}),
        json!(format!("[\"{key}\"]")),
        json!({"files": format!("[{{\"path\":\"{key}\"}}]")}),
    ] {
        let outcome = bench.ask(cline("read_files", &input)).await;
        assert!(strictness(&outcome) > 0, "{input}");
    }
    let outcome = bench.ask(cline("read_files", &json!(["/home/user/project/src/main.rs"]))).await;
    assert_eq!(strictness(&outcome), 0);
}

/// Returns an Input of a tool of another agent than Cline.
fn call(agent_name: &str, tool: &str, input: &Value) -> Input {
    let payload = before_tool(agent_name, tool, input).to_string();
    let mut input = agent(agent_name).decode(payload.as_bytes(), &Environment::default()).unwrap().input.unwrap();
    input.pwd = Some("/home/user/project".to_owned());
    input
}

#[tokio::test]
async fn json_in_a_text_of_an_unknown_tool_is_read() {
    let bench = Bench::new("no-destructive-commands", None);
    let command = json!({"command": "rm -rf ~/.ssh"});
    let twice = json!({"params": command.to_string()}).to_string();
    for (agent, tool, input) in [
        ("claude", "mcp__x__do", json!({"params": command.to_string()})),
        ("claude", "foo", json!({"zzz": command.to_string()})),
        ("gemini", "mcp_x_do", json!({"arguments": twice})),
        ("copilot", "x-do", json!({"list": [command.to_string()]})),
        ("cline", "use_mcp_tool", json!({"server_name": "sh", "tool_name": "run", "arguments": command.to_string()})),
    ] {
        let outcome = bench.ask(call(agent, tool, &input)).await;
        assert!(strictness(&outcome) > 0, "{agent} {tool} {input}: {:?}", outcome.input);
    }
    let long = format!("[{}{command}]", "1,".repeat(1 << 20));
    for input in [json!({"params": long}), json!(long)] {
        let outcome = bench.ask(call("claude", "mcp__x__do", &input)).await;
        assert!(strictness(&outcome) > 0, "more than is read");
    }
    // A text that is written is not read as arguments.
    let written = json!({"path": "package.json", "content": command.to_string()});
    assert_eq!(strictness(&bench.ask(call("claude", "mcp__fs__write_file", &written)).await), 0);
}

#[tokio::test]
async fn words_in_one_text_are_several() {
    let bench = Bench::new("no-destructive-commands", None);
    for input in [
        json!({"command": "rm", "args": "-rf ~/.ssh"}),
        json!({"command": "bash", "args": "-c 'rm -rf ~/.ssh'"}),
        json!({"command": "rm", "args": "[\"-rf\",\"/home/user/.ssh\"]"}),
        json!({"command": ["rm -rf ~/.ssh"]}),
    ] {
        for (agent, tool) in [("claude", "Bash"), ("claude", "mcp__x__run"), ("gemini", "run_shell_command")] {
            let outcome = bench.ask(call(agent, tool, &input)).await;
            assert!(strictness(&outcome) > 0, "{agent} {tool} {input}: {:?}", outcome.input);
        }
    }
    assert_eq!(
        strictness(&bench.ask(call("claude", "mcp__x__run", &json!({"command": "npm", "args": "run build"}))).await),
        0
    );
}

#[tokio::test]
async fn a_directory_that_is_the_sessions_is_no_question() {
    let bench = Bench::new("no-destructive-commands", None);
    let ls = |dir: &str| call("codex", "shell", &json!({"command": ["bash", "-lc", "ls"], "workdir": dir}));
    assert_eq!(strictness(&bench.ask(ls("/home/user/project")).await), 0);
    assert_eq!(strictness(&bench.ask(ls(".")).await), 0);
}
