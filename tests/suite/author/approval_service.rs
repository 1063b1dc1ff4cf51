//! The example `approval-service` with a real service: what the service is asked, and each way in which it can fail.

use crate::script::SANDBOX;
use crate::support::guests;
use crate::support::server::{Server, read_request};
use hookbox::runtime::component::{
    ComponentHook, Grants, Limits, NetGrant, NetPlace, NetRule, StoreGrant, StorePlace, StoreScope,
};
use hookbox::{Code, Event, HookInfo, Input, Json, Outcome, Registry, Verdict};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tempfile::TempDir;

const BUILT: &str = "approval_service.wasm";

/// Returns the hook, which asks this URL with a token and remembers in this directory.
fn hook(url: &str, dir: &TempDir) -> Registry {
    fs::set_permissions(dir.path(), Permissions::from_mode(0o700)).unwrap();
    let variables = BTreeMap::from([("TOKEN".to_owned(), "s3cr3t".into())]);
    let rule = NetRule::new(url).with_methods(vec!["POST".into()]).with_private(true).with_bearer("env:TOKEN");
    let store = StoreGrant::new(StoreScope::Session).at(StorePlace::new(dir.path(), "user", "approval-service"));
    let grants =
        Grants::default().with_store(store).with_net(NetGrant::new(vec![rule]).at(NetPlace::new("/", variables)));
    let prepared = SANDBOX.prepare(&guests::read(BUILT), None, grants, Limits::default()).unwrap();
    let mut info = HookInfo::new("approval-service", [Event::PreTool]);
    info.timeout = Some(Duration::from_secs(3));
    let settings = Json::parse(&json!({ "service": url }).to_string()).unwrap();
    let registry = Registry::new();
    registry.register(ComponentHook::new(info, prepared, Some(settings))).unwrap();
    registry
}

async fn ask(hooks: &Registry, session: &str, command: &str) -> Outcome {
    let mut input = Input::pre_tool("bash", &json!({ "command": command }).to_string()).unwrap();
    input.session_id = Some(session.to_owned());
    hooks.run_pre(input).await
}

fn answer(status: &str, body: &str) -> String {
    format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\n\r\n{body}", body.len())
}

#[tokio::test]
async fn an_approval_is_asked_for_once_in_a_session() {
    if !guests::is_built(BUILT) {
        return;
    }
    let asked: Arc<Mutex<Vec<(String, Value)>>> = Arc::default();
    let heard = Arc::clone(&asked);
    let service = Server::new(move |stream| {
        while let Some(request) = read_request(stream) {
            let request = String::from_utf8(request).unwrap();
            let (head, body) = request.split_once("\r\n\r\n").unwrap();
            let question: Value = serde_json::from_str(body).unwrap();
            let allow = question["input"]["command"] == "make deploy";
            heard.lock().unwrap().push((head.to_owned(), question));
            let body = json!({ "allow": allow, "reason": "not on a Friday" }).to_string();
            stream.write_all(answer("200 OK", &body).as_bytes()).unwrap();
        }
    });
    let dir = tempfile::tempdir().unwrap();
    let hooks = hook(&service.url("/v1/decisions"), &dir);
    for (session, command, verdict, times) in [
        ("one", "make deploy", Verdict::Allow, 1),
        ("one", "make deploy", Verdict::Allow, 1),
        ("two", "make deploy", Verdict::Allow, 2),
        ("one", "make release", Verdict::Deny, 3),
        ("one", "make release", Verdict::Deny, 4),
        ("one", "make deploy", Verdict::Allow, 4),
    ] {
        let outcome = ask(&hooks, session, command).await;
        assert_eq!((outcome.verdict, outcome.hooks[0].code), (verdict, None), "{command}: {outcome:?}");
        assert_eq!(asked.lock().unwrap().len(), times, "{command}");
        if verdict == Verdict::Deny {
            let reason = "the approval service does not allow this: not on a Friday";
            assert_eq!(outcome.reason.as_deref(), Some(reason));
        }
    }
    let (head, question) = asked.lock().unwrap()[1].clone();
    let head = head.to_ascii_lowercase();
    assert!(head.starts_with("post /v1/decisions http/1.1\r\n"), "{head}");
    assert!(head.contains("authorization: bearer s3cr3t") && head.contains("content-type: application/json"), "{head}");
    assert_eq!((&question["session"], &question["tool"]), (&json!("two"), &json!("bash")), "{question}");
    assert_eq!(question["input"], json!({ "command": "make deploy" }));
}

#[tokio::test]
async fn a_service_that_does_not_answer_denies() {
    if !guests::is_built(BUILT) {
        return;
    }
    let yes = r#"{"allow":true}"#;
    let services = [
        ("500", Server::answering(answer("500 Internal Server Error", yes))),
        ("403", Server::answering(answer("403 Forbidden", yes))),
        ("302", Server::answering(format!("HTTP/1.1 302 Found\r\nLocation: /yes\r\nContent-Length: 14\r\n\r\n{yes}"))),
        ("garbage", Server::answering(answer("200 OK", "allow: true"))),
        ("not HTTP", Server::answering("yes, of course\r\n\r\n")),
        (
            "cut off",
            Server::new(|stream| {
                _ = read_request(stream);
                _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 14\r\n\r\n{\"allow\":tr");
                _ = stream.shutdown(std::net::Shutdown::Both);
            }),
        ),
        ("closed", Server::new(|stream| _ = stream.shutdown(std::net::Shutdown::Both))),
    ];
    let dir = tempfile::tempdir().unwrap();
    for (how, service) in &services {
        let outcome = ask(&hook(&service.url("/v1/decisions"), &dir), "s", "make deploy").await;
        assert_eq!((outcome.verdict, outcome.hooks[0].code), (Verdict::Deny, Some(Code::Failed)), "{how}: {outcome:?}");
    }
    // Nothing listens there.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let outcome = ask(&hook(&format!("http://127.0.0.1:{port}/"), &dir), "s", "make deploy").await;
    assert_eq!((outcome.verdict, outcome.hooks[0].code), (Verdict::Deny, Some(Code::Failed)), "{outcome:?}");

    // None of that was remembered.
    let no = Server::answering(answer("200 OK", r#"{"allow":false}"#));
    let outcome = ask(&hook(&no.url("/v1/decisions"), &dir), "s", "make deploy").await;
    assert_eq!((outcome.verdict, no.accepted()), (Verdict::Deny, 1), "{outcome:?}");
}

#[tokio::test]
async fn a_slow_service_denies_in_time() {
    if !guests::is_built(BUILT) {
        return;
    }
    let silent = Server::new(|stream| _ = read_request(stream));
    let dir = tempfile::tempdir().unwrap();
    let hooks = hook(&silent.url("/v1/decisions"), &dir);
    let start = Instant::now();
    let outcome = ask(&hooks, "s", "make deploy").await;
    assert_eq!(outcome.verdict, Verdict::Deny, "{outcome:?}");
    assert!(matches!(outcome.hooks[0].code, Some(Code::Timeout | Code::Failed)), "{outcome:?}");
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    silent.assert_all_closed();
}
