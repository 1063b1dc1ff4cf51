//! docker-agent: builtins that send requests, with a server that records the requests.

use super::{Agent, hook, input, input_with, types};
use crate::conformance::by_test::{Named, named, row, rows};
use hookbox::dialect::docker_agent::{Definition, Generation, HookTypes};
use hookbox::{Caller, Event, Field, Json};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

pub(super) const TESTS: &[Named] = named![
    http_post_sends_its_body,
    http_post_swallows_what_goes_wrong,
    http_post_refuses_private_addresses,
    http_post_ends_with_its_caller,
    unload_asks_the_runner,
];

/// A server on this machine that always answers with the same status.
struct Server {
    address: String,
    asked: Arc<Mutex<Vec<Value>>>,
}

impl Server {
    /// Starts a server. Without a status, it never answers.
    fn new(status: Option<u16>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let asked: Arc<Mutex<Vec<Value>>> = Arc::default();
        let log = Arc::clone(&asked);
        std::thread::spawn(move || {
            let mut silent = Vec::new();
            for stream in listener.incoming().map_while(Result::ok) {
                log.lock().unwrap().push(read(&stream));
                match status {
                    Some(status) => {
                        let head = format!("HTTP/1.1 {status} x\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
                        let _ = (&stream).write_all(head.as_bytes());
                    }
                    None => silent.push(stream),
                }
            }
        });
        Server { address, asked }
    }

    fn asked(&self) -> Vec<Value> {
        self.asked.lock().unwrap().clone()
    }
}

/// Reads a request: its method, path, type and body.
fn read(stream: &TcpStream) -> Value {
    let mut reader = BufReader::new(stream);
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        if line.trim().is_empty() {
            break;
        }
        lines.push(line.trim().to_owned());
    }
    let header = |name: &str| {
        let pairs = lines.iter().filter_map(|line| line.split_once(": "));
        pairs.into_iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.to_owned())
    };
    let mut body = vec![0; header("content-length").map_or(0, |length| length.parse().unwrap())];
    reader.read_exact(&mut body).unwrap();
    let mut first = lines[0].split(' ').map(str::to_owned);
    let (method, path) = (first.next(), first.next());
    json!([method, path, header("content-type"), String::from_utf8(body).unwrap()])
}

/// Returns builtins that may send requests to this machine.
fn open_types() -> Arc<HookTypes> {
    let types = types();
    types.allow_private_addresses(true);
    types
}

/// Creates an agent that posts to the server on each turn, and is blocked if that fails.
fn posts(types: &Arc<HookTypes>, args: &[&str]) -> Agent {
    let mut definition: Definition = hook("builtin", "http_post").with_on_error("block");
    definition.args = args.iter().map(|arg| (*arg).to_owned()).collect();
    Agent::empty(Generation::V1_58, types).with(Event::TurnStart, definition)
}

#[tokio::test]
async fn http_post_sends_its_body() {
    for row in rows("docker-agent", "http_post_sends_its_body") {
        let server = Server::new(Some(204));
        let url = format!("{}/hook?x=1", server.address);
        let args: &[&str] = if row.input().is_empty() { &[&url] } else { &[&url, row.input()] };
        let result = posts(&open_types(), args).ask(input(Event::TurnStart)).await;
        assert!(result.allowed && result.additional_context.is_empty(), "{result:?}");
        assert_eq!(server.asked(), [json!(["POST", "/hook?x=1", "application/json", row.expected()])]);
        row.holds();
    }
}

#[tokio::test]
async fn http_post_swallows_what_goes_wrong() {
    let row = row("docker-agent", "http_post_swallows_what_goes_wrong");
    let server = Server::new(Some(row.input().parse().unwrap()));
    assert!(posts(&open_types(), &[&server.address]).ask(input(Event::TurnStart)).await.allowed);
    assert_eq!(server.asked().len(), 1);
    // Nothing listens there any more.
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    assert!(posts(&open_types(), &[&format!("http://{closed}/")]).ask(input(Event::TurnStart)).await.allowed);
    row.holds();
}

#[tokio::test]
async fn http_post_refuses_private_addresses() {
    let row = row("docker-agent", "http_post_refuses_private_addresses");
    let server = Server::new(Some(204));
    let url = server.address.replace("127.0.0.1", row.input());
    assert!(posts(&types(), &[&url]).ask(input(Event::TurnStart)).await.allowed);
    assert_eq!(server.asked(), [] as [Value; 0]);
    // With private addresses allowed, the server is asked.
    posts(&open_types(), &[&url]).ask(input(Event::TurnStart)).await;
    assert_eq!(server.asked().len(), 1);
    row.holds();
}

#[tokio::test]
async fn http_post_ends_with_its_caller() {
    let row = row("docker-agent", "http_post_ends_with_its_caller");
    let server = Server::new(None);
    let (caller, cancel) = Caller::cancellable();
    let wait = Duration::from_millis(row.input().parse().unwrap());
    tokio::spawn(async move {
        tokio::time::sleep(wait).await;
        cancel.cancel();
    });
    // The server never answers, so only the caller can end this in time for the test.
    let ended = posts(&open_types(), &[&server.address]).ask_for(input(Event::TurnStart), &caller).await;
    assert!(ended.allowed, "{ended:?}");
    row.holds();
}

#[tokio::test]
async fn unload_asks_the_runner() {
    for row in rows("docker-agent", "unload_asks_the_runner") {
        let given: Value = serde_json::from_str(row.input()).unwrap();
        let server = Server::new(Some(given["status"].as_u64().map_or(204, |status| status.try_into().unwrap())));
        let models = given["models"].to_string().replace("{SERVER}", &server.address);
        let switch = input_with(Event::AgentSwitch, |input| {
            for (field, key) in [(Field::FromAgent, "from"), (Field::ToAgent, "to")] {
                input.set_field(field, Some(Json::string(given[key].as_str().unwrap_or_default()))).unwrap();
            }
            input.set_field(Field::FromAgentModels, Some(Json::parse(&models).unwrap())).unwrap();
        });
        let definition = hook("builtin", "unload").with_on_error("block");
        let agent = Agent::empty(Generation::V1_58, &types()).with(Event::AgentSwitch, definition);
        let result = agent.ask(switch).await;
        assert!(result.allowed && result.system_message.is_empty(), "{}: {result:?}", row.name());
        let asked: Vec<Value> = server.asked().iter().map(|asked| json!([asked[1], asked[3]])).collect();
        assert_eq!(Value::from(asked), serde_json::from_str::<Value>(row.expected()).unwrap(), "{}", row.name());
        row.holds();
    }
}
