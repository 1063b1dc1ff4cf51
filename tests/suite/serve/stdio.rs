//! Requests and answers over pipes.

use super::client::{Client, RULE, bash, hold, release};
use crate::support::processes;
use crate::support::project::Project;
use serde_json::json;
use std::time::{Duration, Instant};

#[test]
fn an_outcome_is_that_of_run() {
    let project = Project::new().user(RULE);
    let mut client = Client::start(&project);
    for command in ["ls", "rm x"] {
        let line = bash(7, command);
        let input = line.split_once("\"input\":").unwrap().1.strip_suffix('}').unwrap();
        let ran: String = project.run(&["run"], input).stdout;
        client.send(&line);
        let answer = client.line();
        let outcome = answer.strip_prefix("{\"id\":7,\"outcome\":").unwrap().strip_suffix("}\n").unwrap();
        // The time that a hook took is the only difference.
        assert_eq!(timeless(outcome), timeless(ran.trim_end()));
    }
    assert_eq!(client.end(), 0);
}

/// Returns an Outcome without the times that its hooks took.
fn timeless(outcome: &str) -> String {
    let mut parts = outcome.split("\"duration_us\":");
    let mut text = parts.next().unwrap().to_owned();
    for part in parts {
        text.push_str("\"duration_us\":");
        text.push_str(part.trim_start_matches(|c: char| c.is_ascii_digit()));
    }
    text
}

#[test]
fn an_outcome_is_that_of_run_whatever_the_config_is() {
    let broken = "[hooks.other]\nevents = [\"post_tool\"]\ncomponent = \"missing.wasm\"\n";
    let of_tool = "[hooks.read]\nevents = [\"pre_tool\"]\nmatch = \"read\"\ncomponent = \"missing.wasm\"\n";
    let wrong = "[hooks.typo]\nevents = [\"pre_tool\"]\ncomand = \"x\"\n";
    let of_project = "[hooks.mine]\nevents = [\"pre_tool\"]\ncommand = \"true\"\n";
    let large = format!(r#"{{"event":"pre_message","message":"{}"}}"#, "x".repeat(1 << 20));
    let inputs = [
        r#"{"event":"pre_tool","tool_name":"bash","tool_input":{"command":"rm x"}}"#,
        r#"{"event":"pre_tool","tool_name":"read","tool_input":{"path":"x"}}"#,
        r#"{"event":"post_tool","tool_name":"bash","tool_input":{},"tool_result":{"content":"x"}}"#,
        r#"{"event":"pre_message","message":"hello","more":[1,2]}"#,
        r#"{"event":"session_start","session_id":"s"}"#,
        r#"{"event":"pre_tool","event":"pre_tool"}"#,
        r#"{"tool_name":"bash"}"#,
        "[]",
        &large,
    ];
    for user in [String::new(), [RULE, broken].concat(), of_tool.to_owned(), wrong.to_owned(), "[hooks".to_owned()] {
        let project = Project::new().user(&user).project(of_project);
        let mut client = Client::start(&project);
        for input in inputs {
            let ran = project.run(&["run"], input).stdout;
            client.send(format!(r#"{{"id":1,"input":{input}}}"#));
            let answer = client.line();
            let outcome = answer.strip_prefix("{\"id\":1,\"outcome\":").unwrap().strip_suffix("}\n").unwrap();
            assert_eq!(timeless(outcome), timeless(ran.trim_end()), "{user:?} {input:.200}");
        }
    }
}

/// Returns how many projects a server keeps, judging by the threads that follow their configs, if the system tells.
fn projects(server: u32) -> Option<usize> {
    let threads = std::fs::read_dir(format!("/proc/{server}/task")).ok()?;
    // A thread may end in the meantime.
    let names = threads.filter_map(|thread| std::fs::read_to_string(thread.ok()?.path().join("comm")).ok());
    Some(names.filter(|name| name.trim() == "hookbox-reload").count())
}

/// A config with a hook that denies everything, with a name as the reason.
const DENIES: &str = r#"[hooks.own]
events = ["pre_tool"]
command = "sh"
args = ['-c', '''printf '{"decision":"deny","reason":"NAME"}' ''']
"#;

#[test]
fn more_projects_than_are_kept_are_served() {
    let project = Project::new().user(RULE).in_dir("home");
    for index in 0..70 {
        let config = DENIES.replace("NAME", &format!("p{index}"));
        project.write(&format!("p{index}/.agents/hooks.toml"), config);
    }
    let mut client = Client::start_with(&project, &["--trust-all"]);
    let root = project.home().parent().unwrap().to_owned();
    for round in 0..2 {
        for index in 0..70 {
            let dir = root.join(format!("p{index}"));
            let line = bash(index, "ls").replacen("{", &format!("{{\"project\":\"{}\",", dir.display()), 1);
            let answer = client.ask(line);
            assert_eq!(answer["outcome"]["reason"], format!("p{index}"), "round {round}: {answer}");
        }
    }
    assert_eq!(client.bash(1, "rm x")["outcome"]["reason"], "no rm", "its own directory");
    // Projects that are no longer kept end by and by, each with its thread. The server's own directory is kept beside
    // the 64.
    let end = Instant::now() + Duration::from_secs(20);
    while projects(client.child.id()).is_some_and(|count| count > 65) {
        assert!(Instant::now() < end, "{:?} projects are kept", projects(client.child.id()));
        std::thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(client.end(), 0);
}

#[test]
fn a_reply_is_that_of_hook() {
    let project = Project::new().user(RULE);
    let mut client = Client::start(&project);
    let payloads = [
        (
            "claude",
            r#"{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"Bash","tool_input":{"command":"rm x"}}"#,
        ),
        (
            "claude",
            r#"{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"Bash","tool_input":{"command":"ls"}}"#,
        ),
        ("claude", r#"{"hook_event_name":"SomethingNew"}"#),
        ("claude", r#"{"hook_event_name":"PreToolUse","tool_name":7}"#),
        (
            "codex",
            r#"{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"Bash","tool_input":{"command":"rm x"}}"#,
        ),
        (
            "gemini",
            r#"{"hook_event_name":"BeforeTool","session_id":"s","tool_name":"run_shell_command","tool_input":{"command":"rm x"}}"#,
        ),
        ("cursor", r#"{"hook_event_name":"beforeShellExecution","command":"rm x","cwd":"/tmp"}"#),
    ];
    for (agent, payload) in payloads {
        let ran = project.run(&["hook", agent], payload);
        let answer = client.ask(format!(r#"{{"id":"x","agent":"{agent}","payload":{payload}}}"#));
        let expected = json!({"stdout": ran.stdout, "stderr": ran.stderr, "status": ran.status});
        assert_eq!(answer, json!({"id": "x", "reply": expected}), "{agent}: {payload}");
    }
}

#[test]
fn answers_come_as_they_are_ready() {
    let project = Project::new().user(RULE);
    let mut client = Client::start(&project);
    let hold = hold(&project);
    client.send(bash(1, "hold"));
    client.send(bash(2, "ls"));
    client.send(r#"{"id":"p","ping":true}"#);
    let ids = [client.answer()["id"].clone(), client.answer()["id"].clone()];
    assert!(!ids.contains(&json!(1)), "the held one is last: {ids:?}");
    let _released = release(&hold, 1);
    assert_eq!(client.answer()["id"], 1);
}

#[test]
fn a_cancelled_request_is_denied_once_and_at_once() {
    let project = Project::new().user(RULE);
    let mut client = Client::start(&project);
    // Nothing releases the hook.
    hold(&project);
    client.send(bash(1, "hold"));
    processes::read_line(&project.home().join("pid"));
    client.send(r#"{"id":2,"cancel":1}"#);
    let answers = [client.answer(), client.answer()];
    let of = |id: u64| answers.iter().find(|answer| answer["id"] == id).unwrap();
    assert_eq!(of(2)["cancelled"], true);
    assert_eq!(of(1)["outcome"]["decision"], "deny");
    assert_eq!(of(1)["outcome"]["hooks"][0]["code"], "E113");
    assert_eq!(client.ask(r#"{"id":3,"cancel":1}"#), json!({"id": 3, "cancelled": false}), "it is done");
}

#[test]
fn a_deadline_is_a_deny() {
    let project = Project::new().user(RULE);
    let mut client = Client::start(&project);
    // Nothing releases the hook.
    hold(&project);
    let answer = client.ask(bash(1, "hold").replace("{\"id\":1,", "{\"id\":1,\"deadline_ms\":100,"));
    assert_eq!(answer["outcome"]["decision"], "deny", "{answer}");
    assert_eq!(answer["outcome"]["hooks"][0]["code"], "E113", "{answer}");
    let reason = answer["outcome"]["reason"].as_str().unwrap();
    assert!(reason.contains("before its caller's deadline"), "not its own limit, which is longer: {reason}");
    // Whatever a hook would say comes too late.
    let answer = client.ask(bash(2, "ls").replace("{\"id\":2,", "{\"id\":2,\"deadline_ms\":0,"));
    assert_eq!(answer["outcome"]["decision"], "deny", "{answer}");
    assert!(answer["outcome"]["reason"].as_str().unwrap().starts_with("E113"), "{answer}");
}

#[test]
fn hooks_follow_their_config() {
    let project = Project::new().user("");
    let mut client = Client::start(&project);
    assert_eq!(client.bash(1, "rm x")["outcome"]["decision"], "allow");
    let project = project.user(RULE);
    let end = Instant::now() + Duration::from_secs(10);
    while client.bash(2, "rm x")["outcome"]["decision"] != "deny" {
        assert!(Instant::now() < end, "the new hook is not there");
        std::thread::sleep(Duration::from_millis(100));
    }
    drop(project);
}

#[test]
fn each_project_has_its_own_hooks() {
    let project = Project::new().project(RULE);
    let elsewhere = project.home();
    let mut client = Client::start_with(&project, &["--trust-all", "--project", elsewhere.to_str().unwrap()]);
    assert_eq!(client.bash(1, "rm x")["outcome"]["decision"], "allow");
    let dir = project.dir().display().to_string();
    let named = bash(2, "rm x").replace("{\"id\":2,", &format!("{{\"id\":2,\"project\":\"{dir}\","));
    assert_eq!(client.ask(named)["outcome"]["decision"], "deny");
    let of_event = bash(3, "rm x").replace("{\"event\"", &format!("{{\"pwd\":\"{dir}\",\"event\""));
    assert_eq!(client.ask(of_event)["outcome"]["decision"], "deny");
    let wrong = bash(4, "ls").replace("{\"id\":4,", "{\"id\":4,\"project\":\"../x\",");
    let answer = client.ask(wrong);
    assert_eq!(answer["outcome"]["decision"], "deny");
    assert!(answer["outcome"]["reason"].as_str().unwrap().contains("E701"), "{answer}");
}

#[test]
fn decisions_are_logged() {
    let project = Project::new().user(&format!("[log]\n{RULE}"));
    let mut client = Client::start(&project);
    client.bash(1, "rm x");
    client.ask(r#"{"id":2,"agent":"claude","payload":{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"Bash","tool_input":{"command":"ls"}}}"#);
    let lines = project.run(&["log", "--format", "json"], "").stdout;
    let lines: Vec<serde_json::Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&lines[0]["verdict"], &lines[0]["host"]["via"]), (&json!("deny"), &json!("stdio")));
    assert_eq!((&lines[1]["agent"], &lines[1]["verdict"]), (&json!("claude"), &json!("allow")));
}

/// What the hooks decide is recorded; the event goes on as it came, and so does an agent.
#[test]
fn a_server_that_only_monitors_stops_nothing() {
    let project = Project::new().user(&format!("[log]\n{RULE}"));
    let mut client = Client::start_with(&project, &["--monitor"]);
    let outcome = &client.bash(1, "rm x")["outcome"];
    assert_eq!((&outcome["decision"], &outcome["would"]["decision"]), (&json!("allow"), &json!("deny")), "{outcome}");
    assert_eq!(outcome["input"]["tool_input"]["command"], "rm x");
    let payload =
        r#"{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"Bash","tool_input":{"command":"rm x"}}"#;
    let reply = &client.ask(format!(r#"{{"id":2,"agent":"claude","payload":{payload}}}"#))["reply"];
    let ran = project.run(&["hook", "claude", "--monitor"], payload);
    assert_eq!((&reply["stdout"], &reply["status"]), (&json!(ran.stdout), &json!(ran.status)));
    assert!(!ran.stdout.contains("deny"), "{ran:?}");
    let lines = project.run(&["log", "--format", "json", "--decision", "would-deny"], "").stdout;
    let lines: Vec<serde_json::Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 3, "{lines:?}");
    assert!(lines.iter().all(|line| line["verdict"] == "deny" && line["applied"] == false), "{lines:?}");
    // An event that cannot be judged goes on, too.
    let late = bash(5, "rm x").replace("{\"id\"", "{\"deadline_ms\":0,\"id\"");
    assert_eq!(client.ask(late)["outcome"]["decision"], "allow");
    let elsewhere = bash(6, "rm x").replace("{\"id\"", "{\"project\":\"/nowhere\",\"id\"");
    assert_eq!(client.ask(elsewhere)["outcome"]["would"]["decision"], "deny");
    // A request that cannot be read is refused all the same.
    assert_eq!(client.ask(r#"{"id":3,"input":{"event":7}}"#)["outcome"]["decision"], "deny");
    assert_eq!(client.ask(r#"{"id":4}"#)["outcome"]["decision"], "deny");
}

#[test]
fn requests_under_way_are_answered_after_the_end_of_stdin() {
    let project = Project::new().user(RULE);
    let mut client = Client::start(&project);
    client.send(bash(1, "rm x"));
    client.send(bash(2, "slow"));
    drop(client.stdin.take());
    let mut ids = [client.answer()["id"].clone(), client.answer()["id"].clone()];
    ids.sort_by_key(|id| id.as_u64());
    assert_eq!(ids, [json!(1), json!(2)]);
    assert_eq!(client.end(), 0);
}
