//! HTTP requests of components: what a grant allows, and what remains after a call.

use crate::support::server::{Server, read_request};
use crate::support::{SANDBOX, guests};
use hookbox::runtime::component::{ComponentHook, Grants, Limits, NetGrant, NetPlace, NetRule};
use hookbox::{Code, Event, HookInfo, Input, Outcome, Registry, Verdict};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Write;
use std::time::{Duration, Instant};

const HELLO: &str = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-Kind: test\r\n\r\nhello";

/// Creates a hook that sends what the tool's input says, as far as these rules allow.
fn hook(rules: Vec<NetRule>, timeout: Duration) -> Registry {
    let variables = BTreeMap::from([("TOKEN".to_owned(), "s3cr3t".into())]);
    let net = NetGrant::new(rules).at(NetPlace::new("/", variables));
    let wasm = guests::read("requests.wasm");
    let prepared = SANDBOX.prepare(&wasm, None, Grants::default().with_net(net), Limits::default()).unwrap();
    let mut info = HookInfo::new("asks", [Event::PreTool]);
    info.timeout = Some(timeout);
    let registry = Registry::new();
    registry.register(ComponentHook::new(info, prepared, None)).unwrap();
    registry
}

/// Creates a hook that may send anything to the server.
fn hook_for(server: &Server) -> Registry {
    hook(vec![rule(server)], Duration::from_secs(5))
}

fn rule(server: &Server) -> NetRule {
    NetRule::new(server.url("/")).with_methods(vec!["GET".into(), "POST".into()]).with_private(true)
}

async fn ask(registry: &Registry, steps: Value) -> Outcome {
    registry.run_pre(Input::pre_tool("bash", &json!({ "do": steps }).to_string()).unwrap()).await
}

/// Returns the result of each step.
async fn done(registry: &Registry, steps: Value) -> Vec<Value> {
    let outcome = ask(registry, steps).await;
    assert_eq!(outcome.verdict, Verdict::Ask, "{outcome:?}");
    serde_json::from_str(&outcome.reason.unwrap()).unwrap()
}

/// Returns the same request through both interfaces.
fn both(method: &str, url: &str) -> Value {
    json!([["fetch", method, url], ["standard", method, url]])
}

#[tokio::test]
async fn both_interfaces_send_requests() {
    let server = Server::answering(HELLO);
    let answers = done(&hook_for(&server), both("GET", &server.url("/v1/x?y=1"))).await;
    let expected = json!({ "status": 200, "headers": [["content-length", "5"], ["x-kind", "test"]], "body": "hello" });
    assert_eq!(answers, [expected.clone(), expected]);
}

#[tokio::test]
async fn bodies_and_headers_arrive() {
    let server = Server::echo();
    let url = server.url("/echo");
    let steps = json!([
        ["fetch", "POST", url, [["x-one", "1"]], "by fetch"],
        ["standard", "POST", url, [["x-two", "2"]], "by wasi"],
    ]);
    let answers = done(&hook_for(&server), steps).await;
    for (answer, (header, body)) in answers.iter().zip([("x-one: 1", "by fetch"), ("x-two: 2", "by wasi")]) {
        let echo = answer["body"].as_str().unwrap();
        assert!(echo.starts_with("POST /echo HTTP/1.1\r\n") && echo.contains(header) && echo.contains(body), "{echo}");
    }
}

#[tokio::test]
async fn the_host_adds_secrets_that_the_guest_cannot_replace() {
    let server = Server::echo();
    let rule = rule(&server).with_bearer("env:TOKEN").with_header("x-key", "env:TOKEN");
    let hooks = hook(vec![rule], Duration::from_secs(5));
    let url = server.url("/");
    let answers = done(&hooks, both("GET", &url)).await;
    for answer in answers {
        let echo = answer["body"].as_str().unwrap().to_lowercase();
        assert!(echo.contains("authorization: bearer s3cr3t") && echo.contains("x-key: s3cr3t"), "{echo}");
    }
    let accepted = server.accepted();
    for header in ["authorization", "x-key", "host", "connection", "transfer-encoding", "x-forwarded-for"] {
        let steps = json!([["fetch", "GET", url, [[header, "mine"]]], ["standard", "GET", url, [[header, "mine"]]]]);
        for answer in done(&hooks, steps).await {
            assert!(answer["error"].is_string(), "{header}: {answer}");
        }
    }
    assert_eq!(server.accepted(), accepted, "a refused request opened a connection");
}

#[tokio::test]
async fn what_no_rule_covers_is_an_error_that_the_component_sees() {
    let server = Server::answering(HELLO);
    let port = server.address.port();
    let covered = NetRule::new(server.url("/v1/")).with_private(true);
    // Without `private`, names of this machine are refused once they are resolved.
    let public = NetRule::new(format!("http://localhost:{port}/"));
    let hooks = hook(vec![covered, public], Duration::from_secs(5));
    for url in [
        server.url("/v2/"),
        server.url("/v1/../v2/"),
        server.url("/v1/%2e%2e/v2/"),
        server.url("/v10"),
        format!("http://user@127.0.0.1:{port}/v1/"),
        format!("http://127.0.0.1:{port}@evil.example/v1/"),
        format!("http://2130706433:{port}/v1/"),
        format!("http://0x7f.1:{port}/v1/"),
        format!("http://[::ffff:127.0.0.1]:{port}/v1/"),
        format!("https://127.0.0.1:{port}/v1/"),
        format!("ftp://127.0.0.1:{port}/v1/"),
        format!("127.0.0.1:{port}/v1/"),
        format!("http://localhost:{port}/v1/"),
        "http://169.254.169.254/latest/meta-data/".to_owned(),
        String::new(),
    ] {
        for answer in done(&hooks, both("GET", &url)).await {
            assert!(answer["error"].is_string(), "{url}: {answer}");
        }
    }
    for method in ["POST", "get", "CONNECT", "TRACE", "GET /v1/ HTTP/1.1\r\nx: "] {
        for answer in done(&hooks, both(method, &server.url("/v1/"))).await {
            assert!(answer["error"].is_string(), "{method}: {answer}");
        }
    }
    assert_eq!(server.accepted(), 0);
    let answers = done(&hooks, both("GET", &server.url("/v1/"))).await;
    assert!(answers.iter().all(|answer| answer["status"] == 200), "{answers:?}");
}

#[tokio::test]
async fn redirects_are_the_component_s_to_judge() {
    let target = Server::answering(HELLO);
    let answer = format!("HTTP/1.1 302 Found\r\nLocation: {}\r\nContent-Length: 0\r\n\r\n", target.url("/"));
    let server = Server::answering(answer);
    for answer in done(&hook_for(&server), both("GET", &server.url("/"))).await {
        assert_eq!(answer["status"], 302, "{answer}");
    }
    assert_eq!(target.accepted(), 0);
}

#[tokio::test]
async fn a_call_sends_eight_requests_and_no_more() {
    let server = Server::answering(HELLO);
    let hooks = hook_for(&server);
    let url = server.url("/");
    let mut steps = vec![json!(["fetch", "GET", url]); 5];
    steps.extend(vec![json!(["standard", "GET", url]); 5]);
    let answers = done(&hooks, steps.clone().into()).await;
    let failed: Vec<bool> = answers.iter().map(|answer| answer["error"].is_string()).collect();
    assert_eq!(failed, [false, false, false, false, false, false, false, false, true, true], "{answers:?}");
    assert!(answers[9]["error"].as_str().unwrap().contains("ConnectionLimitReached"), "{answers:?}");
    // The next call starts over.
    assert_eq!(done(&hooks, json!([["fetch", "GET", url]])).await[0]["status"], 200);
}

#[tokio::test]
async fn bodies_are_bounded_each_way() {
    let sized = |size: usize| format!("HTTP/1.1 200 OK\r\nContent-Length: {size}\r\n\r\n{}", "x".repeat(size));
    let exact = Server::answering(sized(1 << 20));
    for answer in done(&hook_for(&exact), both("GET", &exact.url("/"))).await {
        assert_eq!(answer["body"], 1 << 20, "{answer}");
    }
    let endless = Server::new(|stream| {
        _ = read_request(stream);
        _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 10000000000\r\n\r\n");
        while stream.write_all(&[b'x'; 4096]).is_ok() {}
    });
    let chunked = Server::new(|stream| {
        _ = read_request(stream);
        _ = stream.write_all(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
        while stream.write_all(&[b"1000\r\n", &[b'x'; 4096][..], b"\r\n"].concat()).is_ok() {}
    });
    for server in [&endless, &chunked] {
        for answer in done(&hook_for(server), both("GET", &server.url("/"))).await {
            assert!(answer["error"].is_string(), "{answer}");
        }
        server.assert_all_closed();
    }
    let echo = Server::answering(HELLO);
    let url = echo.url("/");
    let large = (1 << 20) + 1;
    let steps = json!([["fetch", "POST", url, [], large], ["standard", "POST", url, [], large]]);
    for answer in done(&hook_for(&echo), steps).await {
        assert!(answer["error"].is_string(), "{answer}");
    }
}

/// Returns servers that stop at each stage.
fn hanging() -> Vec<(&'static str, Server)> {
    let after = |head: &'static str| {
        Server::new(move |stream| {
            _ = read_request(stream);
            _ = stream.write_all(head.as_bytes());
        })
    };
    vec![
        ("before the head", after("")),
        ("in the head", after("HTTP/1.1 200 OK\r\nX-Slow")),
        ("in the body", after("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf")),
        ("in a chunk", after("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel")),
        ("in the trailers", after("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX-Trailer: ")),
        (
            "one byte at a time",
            Server::new(|stream| {
                _ = read_request(stream);
                _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n");
                while stream.write_all(b"x").is_ok() {
                    std::thread::sleep(Duration::from_millis(20));
                }
            }),
        ),
    ]
}

#[tokio::test]
async fn a_server_that_hangs_ends_with_the_call() {
    for (stage, server) in hanging() {
        let hooks = hook(vec![rule(&server)], Duration::from_millis(300));
        for interface in ["fetch", "standard"] {
            let start = Instant::now();
            let outcome = ask(&hooks, json!([[interface, "GET", server.url("/")]])).await;
            // Either the request fails at the deadline, or the whole call does.
            let request_failed = outcome.reason.as_deref().is_some_and(|reason| reason.to_lowercase().contains("time"));
            let call_failed = outcome.hooks[0].code == Some(Code::Timeout);
            assert!(request_failed || call_failed, "{stage}: {outcome:?}");
            assert!(start.elapsed() < Duration::from_secs(4), "{stage} took {:?}", start.elapsed());
        }
        assert_eq!(server.accepted(), 2, "{stage}");
        server.assert_all_closed();
    }
}

#[tokio::test]
async fn nothing_is_left_of_requests_that_nobody_awaits() {
    let silent = Server::new(|stream| _ = read_request(stream));
    let hooks = hook(vec![rule(&silent)], Duration::from_millis(300));
    let url = silent.url("/");
    let idle = tokio::runtime::Handle::current().metrics().num_alive_tasks();
    let left = done(&hooks, json!([["leave", "GET", url], ["leave", "GET", url]])).await;
    assert_eq!(left, ["left", "left"]);
    for end in ["trap", "loop"] {
        let outcome = ask(&hooks, json!([["leave", "GET", url], [end]])).await;
        assert_eq!(outcome.verdict, Verdict::Deny, "{outcome:?}");
    }
    silent.assert_all_closed();
    assert_eq!(tokio::runtime::Handle::current().metrics().num_alive_tasks(), idle);
    let good = Server::answering(HELLO);
    assert_eq!(done(&hook_for(&good), both("GET", &good.url("/"))).await[1]["status"], 200);
}

#[tokio::test]
async fn a_server_that_closes_at_once_loses_no_answer() {
    let server = Server::new(|stream| {
        _ = read_request(stream);
        _ = stream.write_all(HELLO.as_bytes());
        _ = stream.shutdown(std::net::Shutdown::Both);
    });
    let hooks = hook_for(&server);
    for _ in 0..25 {
        let answers = done(&hooks, both("GET", &server.url("/"))).await;
        assert!(answers.iter().all(|answer| answer["body"] == "hello"), "{answers:?}");
    }
}

#[tokio::test]
async fn an_answer_that_is_not_http_is_an_error() {
    for answer in ["SSH-2.0-OpenSSH_9.2\r\n", "", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n", "hello"] {
        let server = Server::new(move |stream| {
            _ = read_request(stream);
            _ = stream.write_all(answer.as_bytes());
            _ = stream.shutdown(std::net::Shutdown::Both);
        });
        for answer in done(&hook_for(&server), both("GET", &server.url("/"))).await {
            assert!(answer["error"].is_string(), "{answer}");
        }
    }
}

#[tokio::test]
async fn a_host_that_lives_on_keeps_a_connection() {
    let server = Server::answering(HELLO);
    let hooks = hook_for(&server);
    for _ in 0..3 {
        let answers = done(&hooks, both("GET", &server.url("/"))).await;
        assert!(answers.iter().all(|answer| answer["status"] == 200), "{answers:?}");
    }
    assert_eq!(server.accepted(), 1);
}

#[tokio::test]
async fn headers_without_end_end_the_call() {
    let server = Server::answering(HELLO);
    let hooks = hook_for(&server);
    let headers: Vec<Value> = (0..5_000).map(|nth| json!([format!("x-{nth}"), "y".repeat(100)])).collect();
    let outcome = ask(&hooks, json!([["standard", "GET", server.url("/"), headers]])).await;
    assert_eq!((outcome.verdict, outcome.hooks[0].code), (Verdict::Deny, Some(Code::Limit)), "{outcome:?}");
    let some: Vec<Value> = (0..65).map(|nth| json!([format!("x-{nth}"), "y"])).collect();
    for answer in done(&hooks, json!([["fetch", "GET", server.url("/"), some]])).await {
        assert!(answer["error"].as_str().unwrap().contains("65 headers"), "{answer}");
    }
    assert_eq!(server.accepted(), 0);
}

#[test]
fn a_component_without_the_grant_cannot_import_it() {
    let wasm = guests::read("requests.wasm");
    let failure = SANDBOX.prepare(&wasm, None, Grants::default(), Limits::default()).err().unwrap();
    assert_eq!(failure.code, Code::Import);
    assert!(failure.message.contains("grants.net = ["), "{}", failure.message);
}

#[test]
fn a_secret_that_is_not_there_is_an_error_when_hooks_are_loaded() {
    let wasm = guests::read("requests.wasm");
    for source in ["env:UNSET", "file:/no/such/file"] {
        let rule = NetRule::new("https://api.example.com/").with_bearer(source);
        let net = NetGrant::new(vec![rule]).at(NetPlace::new("/", BTreeMap::new()));
        let failure = SANDBOX.prepare(&wasm, None, Grants::default().with_net(net), Limits::default()).err().unwrap();
        assert_eq!(failure.code, Code::Grant);
        assert!(failure.message.contains(source), "{}", failure.message);
    }
}

#[test]
fn secrets_are_not_shown() {
    let variables = BTreeMap::from([("TOKEN".to_owned(), "s3cr3t".into())]);
    let shown = format!("{:?}", NetGrant::default().at(NetPlace::new("/", variables)));
    assert!(shown.contains("TOKEN") && !shown.contains("s3cr3t"), "{shown}");
}
