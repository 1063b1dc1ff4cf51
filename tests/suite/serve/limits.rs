//! What one client may use up without others noticing.

use super::client::RULE;
use super::server::{Server, body, head};
use crate::support::project::Project;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::time::{Duration, Instant};

const ALLOWED: &str = r#"{"input":{"event":"pre_tool","tool_name":"bash","tool_input":{"command":"ls"}}}"#;

fn decision(server: &Server) -> Value {
    serde_json::from_str::<Value>(body(&server.post("/v1/decide", ALLOWED))).unwrap()["decision"].clone()
}

/// Reads until the server closes the connection, and returns after how long it did.
fn closed_after(stream: &mut impl Read, started: Instant) -> Duration {
    let mut rest = Vec::new();
    // A reset also ends the connection.
    let _ = stream.read_to_end(&mut rest);
    started.elapsed()
}

#[test]
fn clients_that_leave_in_mid_request_are_forgotten() {
    let project = Project::new().user(RULE);
    let server = Server::tcp(&project);
    let begun = server.text("POST", "/v1/decide", "", &[("Content-Length", "100")]);
    for _ in 0..300 {
        let mut stream = server.connect();
        stream.write_all(begun.as_bytes()).unwrap();
        // The request must have begun when the client leaves.
        std::thread::sleep(Duration::from_millis(2));
    }
    let end = Instant::now() + Duration::from_secs(5);
    while decision(&server) != "allow" {
        assert!(Instant::now() < end, "they still count");
    }
    let metrics = server.request("GET", "/metrics", "", &[]);
    assert!(metrics.contains("\nhookbox_requests_under_way 1\n"), "{metrics}");
}

#[test]
fn the_hook_of_a_client_that_leaves_is_ended() {
    let minute = "[hooks.rule]\nevents = [\"pre_tool\"]\ncommand = \"sh\"\nargs = ['-c', 'echo $$ >\"$HOME/pid\"; exec sleep 60']\ntimeout = \"2m\"\n";
    let project = Project::new().user(minute);
    let server = Server::tcp(&project);
    let mut stream = server.connect();
    stream.write_all(server.text("POST", "/v1/decide", ALLOWED, &[]).as_bytes()).unwrap();
    let hook = crate::support::processes::read_line(&project.home().join("pid"));
    drop(stream);
    crate::support::processes::assert_ends(&hook);
}

#[test]
fn a_head_has_5_seconds_and_a_connection_a_minute() {
    let project = Project::new().user(RULE);
    let server = Server::tcp(&project);
    let mut silent = server.connect();
    let mut half = server.connect();
    half.write_all(b"POST /v1/dec").unwrap();
    let (started, mut dripping) = (Instant::now(), server.connect());
    let mut kept = server.connect();
    let request = server.text("POST", "/v1/decide", ALLOWED, &[("Connection", "keep-alive")]);
    let ask = |stream: &mut super::server::Stream| {
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        while !answer.contains("\"hooks\":") {
            let mut piece = [0; 4096];
            let length = stream.read(&mut piece).unwrap();
            assert!(length > 0, "it is closed: {answer}");
            answer.push_str(&String::from_utf8_lossy(&piece[..length]));
        }
        answer
    };
    assert!(ask(&mut kept).contains("\"decision\":\"allow\""));
    // A byte each 100 ms never ends a head.
    dripping.set_read_timeout(Some(Duration::from_millis(100))).unwrap();
    let dripped = loop {
        let mut piece = [0; 64];
        let is_closed = dripping.write_all(b"x").is_err() || matches!(dripping.read(&mut piece), Ok(0));
        if is_closed || started.elapsed() > Duration::from_secs(20) {
            break started.elapsed();
        }
    };
    assert!((4..9).contains(&dripped.as_secs()), "it dripped for {dripped:?}");
    for stream in [&mut silent, &mut half] {
        let closed = closed_after(stream, started);
        assert!(closed < Duration::from_secs(12), "{closed:?}");
    }
    assert!(ask(&mut kept).contains("\"decision\":\"allow\""), "a connection that is used again stays open");
    // The head of a later request also has a limit.
    kept.write_all(b"GET /hea").unwrap();
    let closed = closed_after(&mut kept, Instant::now());
    assert!((4..9).contains(&closed.as_secs()), "{closed:?}");
}

#[test]
fn a_refused_agent_is_told_about_its_own_event() {
    let project = Project::new().user(RULE);
    let server = Server::tcp(&project);
    let payload = |event: &str, rest: &str| {
        format!(
            r#"{{"session_id":"s","hook_event_name":"{event}","tool_name":"Bash","tool_input":{{"command":"ls"}},"tool_response":"secret"{rest}}}"#
        )
    };
    let told = |agent: &str, payload: &str, headers: &[(&str, &str)]| {
        let answer = server.request("POST", &format!("/v1/agents/{agent}"), payload, headers);
        assert!(head(&answer).starts_with("HTTP/1.1 200 "), "{answer:.300}");
        serde_json::from_str::<Value>(body(&answer)).unwrap_or_else(|error| panic!("{error}: {answer:.300}"))
    };
    let wrong = [("Authorization", "Bearer wrong")];
    let asked = told("claude", &payload("PermissionRequest", ""), &wrong);
    assert_eq!(asked["hookSpecificOutput"]["hookEventName"], "PermissionRequest", "{asked}");
    assert_eq!(asked["hookSpecificOutput"]["decision"]["behavior"], "deny", "{asked}");
    let result = told("claude", &payload("PostToolUse", ""), &wrong);
    let shown = result["hookSpecificOutput"]["updatedToolOutput"].as_str().unwrap();
    assert!(shown.contains("token refused") && !shown.contains("secret"), "{result}");
    assert_eq!(told("qwen", &payload("PostToolUse", ""), &wrong)["continue"], false);
    assert_eq!(told("claude", &payload("UserPromptSubmit", ""), &wrong)["decision"], "block");
    let unknown = told("nobody", &payload("PreToolUse", ""), &[]);
    assert_eq!(unknown["hookSpecificOutput"]["permissionDecision"], "deny", "{unknown}");
    let large = payload("PermissionRequest", &format!(r#","more":"{}""#, "x".repeat(17 << 20)));
    let told = told("claude", &large, &[]);
    assert_eq!(told["hookSpecificOutput"]["decision"]["behavior"], "deny", "{told}");
    assert!(told.to_string().contains("E604"), "{told}");
}

#[test]
fn a_preflight_gets_405() {
    let project = Project::new().user(RULE);
    let server = Server::tcp(&project);
    let headers = [("Origin", "https://evil.example"), ("Authorization", "none"), ("Host", "evil.example")];
    let answer = server.request("OPTIONS", "/v1/decide", "", &headers);
    assert!(head(&answer).starts_with("HTTP/1.1 405 ") && head(&answer).contains("allow: post"), "{answer}");
    assert!(!head(&answer).contains("access-control"), "{answer}");
}

#[test]
fn an_edit_that_cannot_be_used_is_told() {
    let project = Project::new().user(RULE);
    let server = Server::tcp(&project);
    let ready = || head(&server.request("GET", "/readyz", "", &[]))[..12].to_owned();
    let metrics = || server.request("GET", "/metrics", "", &[]);
    assert_eq!(ready(), "HTTP/1.1 200");
    project.write("home/.agents/hooks.toml", "[hooks");
    let end = Instant::now() + Duration::from_secs(10);
    while ready() != "HTTP/1.1 503" {
        assert!(Instant::now() < end, "it does not notice");
        std::thread::sleep(Duration::from_millis(50));
    }
    let rm = ALLOWED.replace("ls", "rm x");
    let answer: Value = serde_json::from_str(body(&server.post("/v1/decide", &rm))).unwrap();
    assert_eq!((&answer["decision"], &answer["reason"]), (&json!("deny"), &json!("no rm")), "the old hook stays");
    let told = metrics();
    assert!(told.contains("hookbox_config_usable 0") && !told.contains("result=\"faulty\"} 0"), "{told}");
    project.write("home/.agents/hooks.toml", RULE);
    let end = Instant::now() + Duration::from_secs(10);
    while ready() != "HTTP/1.1 200" {
        assert!(Instant::now() < end, "it does not notice");
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(metrics().contains("hookbox_reloads_total{result=\"used\"}"), "{}", metrics());
}
