//! Requests over TCP and over a Unix socket.

use super::client::{RULE, hold, release};
use super::server::{Server, body, head};
use crate::support::project::Project;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::time::{Duration, Instant};

const DECIDE: &str = r#"{"input":{"event":"pre_tool","tool_name":"bash","tool_input":{"command":"rm x"}}}"#;
const ALLOWED: &str = r#"{"input":{"event":"pre_tool","tool_name":"bash","tool_input":{"command":"ls"}}}"#;
const PAYLOAD: &str =
    r#"{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"Bash","tool_input":{"command":"rm x"}}"#;

fn outcome(answer: &str) -> Value {
    serde_json::from_str(body(answer)).unwrap_or_else(|error| panic!("{error}: {answer}"))
}

#[track_caller]
fn assert_denied(answer: &str, status: u16) {
    assert!(head(answer).starts_with(&format!("HTTP/1.1 {status} ")), "{answer}");
    assert_eq!(outcome(answer)["decision"], "deny", "{answer}");
}

#[test]
fn it_decides_over_tcp_and_over_a_unix_socket() {
    let project = Project::new().user(RULE);
    for server in [Server::tcp(&project), Server::unix(&project)] {
        let denied = server.post("/v1/decide", DECIDE);
        assert!(head(&denied).starts_with("HTTP/1.1 200 "), "{denied}");
        assert_eq!((&outcome(&denied)["decision"], &outcome(&denied)["reason"]), (&json!("deny"), &json!("no rm")));
        let allowed = server.post("/v1/decide", ALLOWED);
        assert_eq!(outcome(&allowed)["decision"], "allow");
        assert!(head(&allowed).contains("content-type: application/json"), "{allowed}");
    }
}

#[test]
fn an_agent_always_gets_200_and_a_whole_decision() {
    let project = Project::new().user(RULE);
    let server = Server::tcp(&project);
    let deny = |answer: &str| {
        assert!(head(answer).starts_with("HTTP/1.1 200 "), "{answer}");
        assert!(head(answer).contains("content-type: application/json"), "{answer}");
        let answer = outcome(answer);
        assert_eq!(answer["hookSpecificOutput"]["permissionDecision"], "deny", "{answer}");
        assert_eq!(answer["hookSpecificOutput"]["hookEventName"], "PreToolUse", "{answer}");
        answer["hookSpecificOutput"]["permissionDecisionReason"].as_str().unwrap().to_owned()
    };
    assert!(deny(&server.post("/v1/agents/claude", PAYLOAD)).contains("no rm"));
    let harmless = PAYLOAD.replace("rm x", "ls");
    assert!(!server.post("/v1/agents/claude", &harmless).contains("deny"));
    let wrong_token = server.request("POST", "/v1/agents/claude", PAYLOAD, &[("Authorization", "Bearer wrong")]);
    assert!(deny(&wrong_token).contains("token refused"));
    let no_token = server.raw(&format!("POST /v1/agents/claude HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{PAYLOAD}", server.port, PAYLOAD.len()));
    assert!(deny(&no_token).contains("token refused"));
    assert!(
        deny(&server.request("POST", "/v1/agents/claude", PAYLOAD, &[("Origin", "https://evil.example")]))
            .contains("browser")
    );
    assert!(deny(&server.request("GET", "/v1/agents/claude", "", &[])).contains("POST"));
    assert!(deny(&server.post("/v1/agents/nobody", PAYLOAD)).contains("no agent"));
    assert!(deny(&server.post("/v1/agents/claude", "{\"hook_event_name\":")).contains("E60"));
    assert!(
        deny(&server.request("POST", "/v1/agents/claude", "", &[("Content-Length", "99999999999")])).contains("E604")
    );
    let fetch = server.request("POST", "/v1/agents/qwen", PAYLOAD, &[("Sec-Fetch-Mode", "cors")]);
    assert!(deny(&fetch).contains("no rm"), "Qwen Code sends it");
    let copilot = outcome(&server.post("/v1/agents/copilot", "half"));
    assert_eq!(copilot["permissionDecision"], "deny");
}

#[test]
fn who_may_not_ask_is_refused_with_a_deny() {
    let project = Project::new().user(RULE);
    let server = Server::tcp(&project);
    let port = server.port;
    let token = &server.token;
    assert_denied(&server.request("POST", "/v1/decide", ALLOWED, &[("Authorization", "Bearer wrong")]), 401);
    assert_denied(&server.request("POST", "/v1/decide", ALLOWED, &[("Authorization", token)]), 401);
    assert_denied(&server.request("POST", "/v1/decide", ALLOWED, &[("Origin", "null")]), 403);
    assert_denied(&server.request("POST", "/v1/decide", ALLOWED, &[("Host", "evil.example")]), 403);
    assert_denied(&server.request("POST", "/v1/decide", ALLOWED, &[("Host", "127.0.0.1")]), 403);
    let request = |headers: &str| {
        server.raw(&format!(
            "POST /v1/decide HTTP/1.1\r\n{headers}Authorization: Bearer {token}\r\nConnection: close\r\n\r\n{ALLOWED}"
        ))
    };
    let length = format!("Content-Length: {}\r\n", ALLOWED.len());
    assert_denied(&request(&length), 400);
    assert_denied(&request(&format!("Host: 127.0.0.1:{port}\r\nHost: evil.example\r\n{length}")), 400);
    let localhost = request(&format!("Host: localhost:{port}\r\n{length}"));
    assert_eq!(outcome(&localhost)["decision"], "allow");
    let preflight = server.request("OPTIONS", "/v1/decide", "", &[]);
    assert_denied(&preflight, 405);
    assert!(!head(&preflight).contains("access-control"), "{preflight}");
    assert_denied(&server.request("GET", "/v1/decide", "", &[]), 405);
    assert_denied(&server.request("GET", "/nothing", "", &[]), 404);
    for path in ["/metrics", "/readyz", "/v1/openapi.json"] {
        let refused = server.request("GET", path, "", &[("Authorization", "Bearer wrong")]);
        assert!(head(&refused).starts_with("HTTP/1.1 401 "), "{refused}");
    }
}

#[test]
fn a_request_that_can_be_read_in_two_ways_is_refused() {
    let project = Project::new().user(RULE);
    let server = Server::tcp(&project);
    let host = format!("Host: 127.0.0.1:{}\r\nAuthorization: Bearer {}\r\n", server.port, server.token);
    let length = ALLOWED.len();
    for (name, request) in [
        (
            "both lengths",
            format!(
                "POST /v1/decide HTTP/1.1\r\n{host}Content-Length: {length}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n{length:x}\r\n{ALLOWED}\r\n0\r\n\r\n"
            ),
        ),
        (
            "two lengths",
            format!("POST /v1/decide HTTP/1.1\r\n{host}Content-Length: {length}\r\nContent-Length: 1\r\n\r\n{ALLOWED}"),
        ),
        (
            "two names",
            format!(
                "POST http://evil.example/v1/decide HTTP/1.1\r\n{host}Content-Length: {length}\r\nConnection: close\r\n\r\n{ALLOWED}"
            ),
        ),
        (
            "a space before the colon",
            format!("POST /v1/decide HTTP/1.1\r\n{host}Content-Length : {length}\r\n\r\n{ALLOWED}"),
        ),
        ("garbage", "\u{16}\u{3}\u{1} not http at all\r\n\r\n".to_owned()),
        ("a large head", format!("POST /v1/decide HTTP/1.1\r\n{host}X: {}\r\n\r\n", "x".repeat(64 << 10))),
        ("many headers", format!("POST /v1/decide HTTP/1.1\r\n{host}{}\r\n", "X: y\r\n".repeat(200))),
    ] {
        let answer = server.raw(&request);
        assert!(!answer.starts_with("HTTP/1.1 200"), "{name}: {answer}");
        assert_eq!(outcome(&answer)["decision"], "deny", "{name}: {answer}");
    }
    assert_eq!(outcome(&server.post("/v1/decide", ALLOWED))["decision"], "allow", "others are served");
}

/// To an agent, a bare 431 is an allow.
#[test]
fn a_head_that_is_too_large_is_refused_in_the_words_of_its_path() {
    let project = Project::new().user(RULE);
    let server = Server::tcp(&project);
    let large = "x".repeat(20 << 10);
    let names: Vec<String> = (0..100).map(|number| format!("X-{number}")).collect();
    let many: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "y")).collect();
    for headers in [&[("X", large.as_str())][..], &many] {
        let told = server.request("POST", "/v1/agents/claude", PAYLOAD, headers);
        assert!(head(&told).starts_with("HTTP/1.1 200 "), "{told}");
        let specific = &outcome(&told)["hookSpecificOutput"];
        assert_eq!(specific["permissionDecision"], "deny", "{told}");
        assert!(specific["permissionDecisionReason"].as_str().unwrap().contains("16 KiB"), "{told}");
        assert_denied(&server.request("POST", "/v1/decide", ALLOWED, headers), 431);
    }
}

/// hyper's own answers to these requests have no body, and another status.
#[test]
fn an_agent_whose_request_cannot_be_parsed_gets_a_deny() {
    let project = Project::new().user(RULE);
    for server in [Server::tcp(&project), Server::unix(&project)] {
        let length = PAYLOAD.len();
        let start = "POST /v1/agents/claude HTTP/1.1\r\nHost: localhost\r\n";
        for (name, request) in [
            ("two lengths", format!("{start}Content-Length: {length}\r\nContent-Length: 1\r\n\r\n{PAYLOAD}")),
            ("a space before the colon", format!("{start}Content-Length : {length}\r\n\r\n{PAYLOAD}")),
            ("a length that is none", format!("{start}Content-Length: x\r\n\r\n{PAYLOAD}")),
            ("a large head", format!("{start}X: {}\r\n\r\n", "x".repeat(100 << 10))),
            ("a very large head", format!("{start}X: {}\r\n\r\n", "x".repeat(4 << 20))),
            ("many headers", format!("{start}{}\r\n", "X: y\r\n".repeat(400))),
            ("another version", "POST /v1/agents/claude HTTP/7.9\r\n\r\n".to_owned()),
            ("a whole URL", "POST http://x/v1/agents/claude HTTP/1.1\r\nContent-Length: x\r\n\r\n".to_owned()),
            ("a tab", "POST\t/v1/agents/claude HTTP/1.1\r\n\r\n".to_owned()),
            ("no version", "POST /v1/agents/claude\r\n\r\n".to_owned()),
        ] {
            let answer = server.raw(&request);
            assert!(head(&answer).starts_with("HTTP/1.1 200 "), "{name}: {answer}");
            let told = &outcome(&answer)["hookSpecificOutput"];
            assert_eq!(
                (&told["hookEventName"], &told["permissionDecision"]),
                (&json!("PreToolUse"), &json!("deny")),
                "{name}"
            );
        }
        let whole = server.raw("POST /v1/agents/copilot HTTP/1.1\r\nContent-Length: x\r\n\r\n");
        assert_eq!(outcome(&whole)["permissionDecision"], "deny", "{whole}");
        assert_eq!(outcome(&server.post("/v1/decide", ALLOWED))["decision"], "allow", "others are served");
    }
}

#[test]
fn pipelined_requests_are_answered_in_order() {
    let project = Project::new().user(RULE);
    let server = Server::tcp(&project);
    let one = |body: &str| {
        format!(
            "POST /v1/decide HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nAuthorization: Bearer {}\r\nContent-Length: {}\r\n",
            server.port,
            server.token,
            body.len()
        )
    };
    let answer = server.raw(&format!("{}\r\n{DECIDE}{}Connection: close\r\n\r\n{ALLOWED}", one(DECIDE), one(ALLOWED)));
    let (first, second) = (answer.find("no rm").unwrap(), answer.find("\"decision\":\"allow\"").unwrap());
    assert!(first < second && answer.matches("HTTP/1.1 200").count() == 2, "{answer}");
}

#[test]
fn bad_bodies_are_denied() {
    let project = Project::new().user(RULE);
    let server = Server::tcp(&project);
    let listed = format!("[{},null,null]", &ALLOWED["{\"input\":".len()..ALLOWED.len() - 1]);
    for body in [
        "",
        "[]",
        &listed,
        "{",
        "{\"input\":{},\"extra\":1}",
        "{}",
        "{\"input\":{\"event\":\"pre_tool\"},\"deadline_ms\":-1}",
    ] {
        assert_denied(&server.post("/v1/decide", body), 400);
    }
    let unreadable = outcome(&server.post("/v1/decide", "{\"input\":{\"event\":\"x\"}}"));
    assert_eq!(unreadable["decision"], "deny");
    let large = format!("{{\"input\":{{\"event\":\"pre_message\",\"message\":\"{}\"}}}}", "x".repeat(2 << 20));
    assert_denied(&server.post("/v1/decide", &large), 413);
    let announced = server.request("POST", "/v1/decide", "", &[("Content-Length", "3000000")]);
    assert_denied(&announced, 413);
}

#[test]
fn a_refusal_reaches_a_client_that_writes_all_of_its_request_first() {
    let project = Project::new().user(RULE);
    let server = Server::tcp(&project);
    let large = PAYLOAD.replace("rm x", &"x".repeat(17 << 20));
    for path in ["/v1/agents/claude", "/v1/decide"] {
        let request = server.text("POST", path, &large, &[]);
        let ask = || {
            let mut stream = server.connect();
            stream.write_all(request.as_bytes())?;
            let mut answer = String::new();
            stream.read_to_string(&mut answer).map(|_| answer)
        };
        // The server does not wait for long, so on a busy machine the client may be too slow.
        let answer = (0..20).find_map(|_| ask().ok()).expect("a request is read to its end");
        assert!(answer.contains("\"deny\"") && answer.contains("E604"), "{answer}");
    }
}

#[test]
fn a_slow_client_slows_nobody_and_is_cut_off() {
    let project = Project::new().user(RULE);
    let server = Server::tcp(&project);
    // One client says nothing, one sends half a head, one promises a body, one drips.
    let host = format!("Host: 127.0.0.1:{}\r\nAuthorization: Bearer {}\r\n", server.port, server.token);
    let begins = ["", "POST /v1/dec", &format!("POST /v1/decide HTTP/1.1\r\n{host}Content-Length: 100\r\n\r\n{{")];
    let mut slow: Vec<_> = begins
        .iter()
        .map(|begin| {
            let mut stream = server.connect();
            stream.write_all(begin.as_bytes()).unwrap();
            stream
        })
        .collect();
    let started = Instant::now();
    assert_eq!(outcome(&server.post("/v1/decide", ALLOWED))["decision"], "allow");
    assert!(started.elapsed() < Duration::from_secs(5));
    for stream in &mut slow {
        stream.set_read_timeout(Some(Duration::from_secs(25))).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("it is cut off");
        assert!(!answer.contains("\"decision\":\"allow\""), "{answer}");
    }
}

#[test]
fn more_connections_than_it_takes_are_refused_at_once() {
    let project = Project::new().user(RULE);
    let server = Server::tcp(&project);
    let idle: Vec<_> = (0..256).map(|_| server.connect()).collect();
    // The connections are taken in order, so this one comes after all of those.
    assert_denied(&server.post("/v1/decide", ALLOWED), 503);
    let agent = server.post("/v1/agents/claude", PAYLOAD);
    assert!(
        head(&agent).starts_with("HTTP/1.1 200 ") && agent.contains("overloaded") && agent.contains("deny"),
        "{agent}"
    );
    drop(idle);
    let end = Instant::now() + Duration::from_secs(10);
    while outcome(&server.post("/v1/decide", ALLOWED))["decision"] != "allow" {
        assert!(Instant::now() < end, "it serves again");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn it_tells_how_it_is() {
    let project = Project::new().user(RULE);
    let server = Server::tcp(&project);
    assert!(head(&server.request("GET", "/healthz", "", &[("Authorization", "none")])).starts_with("HTTP/1.1 200 "));
    assert!(head(&server.request("GET", "/readyz", "", &[])).starts_with("HTTP/1.1 200 "));
    server.post("/v1/decide", DECIDE);
    server.post("/v1/decide", ALLOWED);
    server.post("/v1/agents/claude", PAYLOAD);
    server.post("/v1/decide", r#"{"input":{"event":"nothing"}}"#);
    server.request("POST", "/v1/decide", "", &[("Authorization", "Bearer wrong")]);
    let metrics = server.request("GET", "/metrics", "", &[]);
    assert!(head(&metrics).contains("application/openmetrics-text"), "{metrics}");
    for line in [
        "hookbox_decisions_total{decision=\"deny\"} 3",
        "hookbox_decisions_total{decision=\"allow\"} 1",
        "hookbox_decisions_total{decision=\"ask\"} 0",
        "hookbox_failures_total{code=\"E606\"} 1",
        "hookbox_failures_total{code=\"E101\"} 0",
        "hookbox_reloads_total{result=\"faulty\"} 0",
        "hookbox_config_usable 1",
        "hookbox_requests_under_way 1",
        "hookbox_refused_total{status=\"401\"} 1",
        "hookbox_decision_seconds_count 4",
        "# EOF",
    ] {
        assert!(metrics.contains(line), "{line}: {metrics}");
    }
    let served = server.request("GET", "/v1/openapi.json", "", &[]);
    let committed = std::fs::read_to_string(crate::support::root().join("docs/reference/openapi.json")).unwrap();
    assert_eq!(outcome(&served), serde_json::from_str::<Value>(&committed).unwrap());
    let keys = &outcome(&served)["components"]["schemas"]["Outcome"]["properties"];
    for key in outcome(&server.post("/v1/decide", DECIDE)).as_object().unwrap().keys() {
        assert!(keys.get(key).is_some(), "`{key}` is in the document");
    }
}

#[test]
fn a_broken_config_is_not_ready_and_denies() {
    let project = Project::new().user("[hooks");
    let server = Server::tcp(&project);
    let ready = server.request("GET", "/readyz", "", &[]);
    assert!(head(&ready).starts_with("HTTP/1.1 503 ") && ready.contains("hooks.toml"), "{ready}");
    assert_eq!(outcome(&server.post("/v1/decide", ALLOWED))["decision"], "deny");
}

#[test]
fn a_signal_ends_it_when_requests_are_answered() {
    let project = Project::new().user(RULE);
    let server = Server::unix(&project);
    let slow = ALLOWED.replace("ls", "hold");
    let hold = hold(&project);
    let mut stream = server.connect();
    stream.write_all(server.text("POST", "/v1/decide", &slow, &[]).as_bytes()).unwrap();
    crate::support::processes::read_line(&project.home().join("pid"));
    server.signal(rustix::process::Signal::TERM);
    let _released = release(&hold, 1);
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert_eq!(outcome(&answer)["decision"], "allow", "{answer}");
    let socket = server.socket();
    assert_eq!(server.end(), 0);
    assert!(!socket.exists(), "its socket is removed");
}

#[test]
fn an_address_that_others_could_use_is_refused() {
    let project = Project::new().user(RULE);
    for (address, message) in [
        ("0.0.0.0:0", "can be reached from other machines"),
        ("example.com:80", "unix:PATH"),
        ("unix:", "needs the path"),
    ] {
        let ran = project.run(&["serve", "--listen", address], "");
        assert!(ran.status == 1 && ran.stderr.contains(message), "{address}: {ran:?}");
    }
    let file = project.write("home/file", "x");
    let ran = project.run(&["serve", "--listen", &format!("unix:{}", file.display())], "");
    assert!(ran.stderr.contains("not a socket of yours"), "{ran:?}");
    let token = project.write("home/token", "0123456789abcdef0123");
    let ran = project.run(&["serve", "--listen", "127.0.0.1:0", "--token-file", token.to_str().unwrap()], "");
    assert!(ran.stderr.contains("chmod 600"), "{ran:?}");
    // Opening a pipe waits until somebody writes into it.
    let pipe = hold(&project);
    let args = ["--listen", "127.0.0.1:0", "--token-file", pipe.to_str().unwrap()];
    let ran = crate::support::project::run(project.command("serve", &args).timeout(Duration::from_secs(20)));
    assert!(ran.status == 1 && ran.stderr.contains("the token in"), "{ran:?}");
    let server = Server::unix(&project);
    let ran = project.run(&["serve", "--listen", &format!("unix:{}", server.socket().display())], "");
    assert!(ran.stderr.contains("another process listens"), "{ran:?}");
    let nothing = project.run(&["serve"], "");
    assert!(nothing.status == 1 && nothing.stderr.contains("--stdio"), "{nothing:?}");
}
