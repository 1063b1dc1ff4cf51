//! Models in the configs of other systems.

use super::provider::DENY;
use crate::support::project::Project;
use crate::support::server::{Server, read_request};
use std::io::Write;
use std::sync::{LazyLock, Mutex, MutexGuard};

/// The address of Ollama, the only provider without a key that is on this machine.
const OLLAMA: &str = "127.0.0.1:11434";

/// A lock, because two tests cannot listen at this address at once. A test cannot listen there beside a real Ollama,
/// either.
static TURN: LazyLock<Mutex<()>> = LazyLock::new(Mutex::default);

fn ollama() -> Option<(MutexGuard<'static, ()>, Server)> {
    let turn = TURN.lock().unwrap();
    if std::net::TcpListener::bind(OLLAMA).is_err() {
        crate::support::skip("something listens where Ollama does");
        return None;
    }
    let server = Server::on(OLLAMA, |stream| {
        while let Some(request) = read_request(stream) {
            let head = String::from_utf8_lossy(&request).into_owned();
            assert!(head.starts_with("POST /v1/chat/completions"), "{head}");
            let body = serde_json::json!({
                "choices": [{ "message": { "content": DENY }, "finish_reason": "stop" }],
            });
            let body = body.to_string();
            let _ = write!(stream, "HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{body}", body.len());
        }
    });
    Some((turn, server))
}

#[test]
fn every_dialect_asks_a_model() {
    let Some((_turn, server)) = ollama() else { return };
    let configs = [
        (
            "hygge",
            "hooks.toml",
            "[hooks.judge]\nevents = [\"pre_tool\"]\nmodel = { use = \"ollama/judge\", prompt = \"Deny.\" }\n",
            r#"{"event":"pre_tool","tool_name":"bash","tool_input":{"command":"ls"}}"#,
        ),
        (
            "ok",
            "settings.json",
            r#"{"hooks":{"PreToolUse":[{"match":"bash","model":{"use":"ollama/judge","prompt":"Deny."}}]}}"#,
            r#"{"event":"PreToolUse","toolName":"bash","toolArgs":{"command":"ls"}}"#,
        ),
        (
            "ub",
            "config.yaml",
            "hooks:\n  pre_tool_call:\n    - {model: {use: ollama/judge, prompt: Deny.}}\n",
            r#"{"event":"pre_tool_call","tool":{"name":"bash","args":{"cmd":"ls"}}}"#,
        ),
    ];
    for (index, (dialect, name, config, payload)) in configs.into_iter().enumerate() {
        let project = Project::new();
        let file = project.write(&format!("home/{name}"), config);
        let args = ["--dialect", dialect, "--config", file.to_str().unwrap()];
        let project = project.with_args(&args);
        let answer = project.ask(payload);
        assert!(answer.stdout.contains("it sends data away"), "{dialect}: {answer:?}");
        assert_eq!(server.accepted(), index + 1, "{dialect}");
    }
}
