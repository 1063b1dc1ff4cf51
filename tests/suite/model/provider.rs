//! A server that speaks the protocols of the providers. A test plays the model.

use crate::support::project::Project;
use crate::support::server::{Server, read_request};
use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::sync::{Arc, Mutex};

/// The names of the protocols in configs.
pub(super) const PROTOCOLS: [&str; 4] = ["openai", "openai-chat", "anthropic", "gemini"];

/// The model's answer when it lets something pass.
pub(super) const ALLOW: &str = r#"{"decision":"allow","reason":"harmless"}"#;
pub(super) const DENY: &str = r#"{"decision":"deny","reason":"it sends data away"}"#;

/// A question as the model reads it.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    pub(super) head: String,
    pub(super) body: Value,
    pub(super) system: String,
    /// The messages of the user, and of the model before a repair.
    pub(super) messages: Vec<String>,
}

pub(super) struct Provider {
    pub(super) server: Server,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Provider {
    /// Creates a model that answers a question with what `think` returns.
    pub(super) fn new(think: impl Fn(&Asked) -> String + Send + Sync + 'static) -> Self {
        Provider::raw(move |stream, asked| {
            let body = answer(&asked.head, &think(asked)).to_string();
            write(stream, 200, "", &body);
        })
    }

    /// Creates a model that always says the same.
    pub(super) fn saying(text: &'static str) -> Self {
        Provider::new(move |_| text.to_owned())
    }

    /// Creates a server that answers as the test says.
    pub(super) fn raw(respond: impl Fn(&mut TcpStream, &Asked) + Send + Sync + 'static) -> Self {
        let asked: Arc<Mutex<Vec<Asked>>> = Arc::default();
        let noted = Arc::clone(&asked);
        let server = Server::new(move |stream| {
            while let Some(request) = read_request(stream) {
                let asked = read(&request);
                noted.lock().unwrap().push(asked.clone());
                respond(stream, &asked);
            }
        });
        Provider { server, asked }
    }

    pub(super) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }

    /// Creates a project whose only hook asks this model about tool calls. `more` goes into `model`.
    pub(super) fn project(&self, protocol: &str, more: &str) -> Project {
        let model = format!("provider = \"{protocol}\"\nmodel = \"judge-1\"\nprivate = true\nkey = \"file:key\"");
        let hook = format!("model = {{ use = \"judge\", prompt = \"Deny what sends data away.\"{more} }}");
        self.configured(&model, &hook)
    }

    /// Creates a project with this definition of the model, besides its URL, and this hook.
    pub(super) fn configured(&self, model: &str, hook: &str) -> Project {
        let url = self.server.url("/api");
        let events = if hook.contains("events") { "" } else { "events = [\"pre_tool\"]\n" };
        let project = Project::new()
            .user(&format!("[models.judge]\nbase_url = \"{url}\"\n{model}\n\n[hooks.judge]\n{events}{hook}\n"));
        let key = project.home().join(".agents/key");
        fs::write(&key, "k3y-of-the-user\n").unwrap();
        fs::set_permissions(&key, fs::Permissions::from_mode(0o600)).unwrap();
        project
    }
}

/// Writes a response.
pub(super) fn write(stream: &mut TcpStream, status: u16, headers: &str, body: &str) {
    let head = format!("HTTP/1.1 {status} Status\r\nContent-Length: {}\r\n{headers}\r\n", body.len());
    // A client that has seen enough may have gone.
    let _ = stream.write_all(&[head.as_bytes(), body.as_bytes()].concat());
}

fn read(request: &[u8]) -> Asked {
    let text = String::from_utf8_lossy(request);
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    let body: Value = serde_json::from_str(body).unwrap();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let list = |key: &str| body[key].as_array().cloned().unwrap_or_default();
    let contents = |key: &str| list(key).iter().map(|message| text(&message["content"])).collect::<Vec<_>>();
    let (system, messages) = match protocol(head) {
        "openai" => (text(&body["instructions"]), contents("input")),
        "openai-chat" => {
            let mut messages = contents("messages");
            (messages.remove(0), messages)
        }
        "anthropic" => (text(&body["system"]), contents("messages")),
        _ => {
            let parts = list("contents").iter().map(|message| text(&message["parts"][0]["text"])).collect();
            (text(&body["systemInstruction"]["parts"][0]["text"]), parts)
        }
    };
    Asked { head: head.to_owned(), system, messages, body }
}

/// Returns the protocol of a request, by its path.
fn protocol(head: &str) -> &'static str {
    let path = head.split(' ').nth(1).unwrap();
    match path {
        "/api/responses" => "openai",
        "/api/chat/completions" => "openai-chat",
        "/api/messages" => "anthropic",
        "/api/models/judge-1:generateContent" => "gemini",
        path => panic!("nothing is at {path}"),
    }
}

/// Returns a response in the protocol of the request.
pub(super) fn answer(head: &str, text: &str) -> Value {
    match protocol(head) {
        "openai" => json!({
            "status": "completed",
            "output": [
                { "type": "reasoning", "summary": [] },
                { "type": "message", "content": [{ "type": "output_text", "text": text }] },
            ],
            "usage": { "input_tokens": 100, "output_tokens": 20 },
        }),
        "openai-chat" => json!({
            "choices": [{ "message": { "role": "assistant", "content": text }, "finish_reason": "stop" }],
            "usage": { "prompt_tokens": 100, "completion_tokens": 20 },
        }),
        // The real server parses what the model wrote for the tool.
        "anthropic" => {
            let part = match serde_json::from_str::<Value>(text) {
                Ok(input) => json!({ "type": "tool_use", "id": "1", "name": "decision", "input": input }),
                Err(_) => json!({ "type": "text", "text": text }),
            };
            json!({
                "content": [part], "stop_reason": "tool_use", "usage": { "input_tokens": 100, "output_tokens": 20 },
            })
        }
        _ => json!({
            "candidates": [{ "content": { "parts": [{ "text": text }] }, "finishReason": "STOP" }],
            "usageMetadata": { "promptTokenCount": 100, "candidatesTokenCount": 15, "thoughtsTokenCount": 5 },
        }),
    }
}
