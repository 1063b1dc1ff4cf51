//! Requests over HTTP/2, frame by frame.

use super::client::RULE;
use super::server::{Server, Stream};
use crate::support::project::Project;
use serde_json::Value;
use std::io::{Read, Write};
use std::time::Duration;

const ALLOWED: &str = r#"{"input":{"event":"pre_tool","tool_name":"bash","tool_input":{"command":"ls"}}}"#;

const DATA: u8 = 0;
const HEADERS: u8 = 1;
const RST_STREAM: u8 = 3;
const SETTINGS: u8 = 4;
const END_STREAM: u8 = 1;
const END_HEADERS: u8 = 4;
const REFUSED_STREAM: [u8; 4] = [0, 0, 0, 7];

struct Frame {
    kind: u8,
    flags: u8,
    stream: u32,
    body: Vec<u8>,
}

struct Connection(Stream);

impl Connection {
    fn open(server: &Server) -> Self {
        let mut stream = server.connect();
        stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        stream.write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").unwrap();
        let mut connection = Connection(stream);
        connection.send(SETTINGS, 0, 0, &[]);
        connection
    }

    fn send(&mut self, kind: u8, flags: u8, stream: u32, body: &[u8]) {
        let length = u32::try_from(body.len()).unwrap().to_be_bytes();
        let mut frame = length[1..].to_vec();
        frame.extend([kind, flags]);
        frame.extend(stream.to_be_bytes());
        frame.extend(body);
        self.0.write_all(&frame).unwrap();
    }

    /// Sends the head of a request, with each header as a literal.
    fn head(&mut self, stream: u32, headers: &[(&str, &str)]) {
        let mut block = Vec::new();
        for (name, value) in headers {
            block.push(0);
            for text in [name, value] {
                block.push(u8::try_from(text.len()).unwrap());
                block.extend(text.as_bytes());
            }
        }
        self.send(HEADERS, END_HEADERS, stream, &block);
    }

    fn frame(&mut self) -> Frame {
        let mut head = [0; 9];
        self.0.read_exact(&mut head).unwrap();
        let mut body = vec![0; u32::from_be_bytes([0, head[0], head[1], head[2]]) as usize];
        self.0.read_exact(&mut body).unwrap();
        Frame { kind: head[3], flags: head[4], stream: u32::from_be_bytes([head[5], head[6], head[7], head[8]]), body }
    }

    /// Returns the body of the answer.
    fn answer(&mut self, stream: u32) -> Value {
        let mut body = Vec::new();
        loop {
            let frame = self.frame();
            // A stream that was answered without its body being read is reset after its answer.
            assert!(frame.kind != RST_STREAM || frame.stream != stream, "it is refused: {:?}", frame.body);
            if frame.kind == DATA && frame.stream == stream {
                body.extend(frame.body);
                if frame.flags & END_STREAM != 0 {
                    return serde_json::from_slice(&body).unwrap();
                }
            }
        }
    }
}

fn decide<'a>(authority: &'a str, token: &'a str) -> Vec<(&'a str, &'a str)> {
    vec![
        (":method", "POST"),
        (":scheme", "http"),
        (":path", "/v1/decide"),
        (":authority", authority),
        ("authorization", token),
    ]
}

#[test]
fn it_decides_and_refuses_as_over_http_1() {
    let project = Project::new().user(RULE);
    let server = Server::tcp(&project);
    let (authority, token) = (format!("127.0.0.1:{}", server.port), format!("Bearer {}", server.token));
    let mut connection = Connection::open(&server);
    let good = decide(&authority, &token);
    let mut with_origin = good.clone();
    with_origin.push(("origin", "null"));
    let mut with_two_names = decide("evil.example", &token);
    with_two_names.push(("host", &authority));
    let cases = [
        (good, ""),
        (decide("evil.example", &token), "the Host"),
        (decide(&authority, "Bearer wrong"), "token refused"),
        (with_origin, "browser"),
        (with_two_names, "exactly one Host"),
    ];
    for (number, (headers, reason)) in (0_u32..).zip(cases) {
        let stream = 2 * number + 1;
        connection.head(stream, &headers);
        connection.send(DATA, END_STREAM, stream, ALLOWED.as_bytes());
        let answer = connection.answer(stream);
        let expected = if reason.is_empty() { "allow" } else { "deny" };
        assert_eq!(answer["decision"], expected, "{answer}");
        assert!(answer["reason"].as_str().unwrap_or_default().contains(reason), "{answer}");
    }
}

#[test]
fn a_connection_has_64_requests_under_way() {
    let project = Project::new().user(RULE);
    let server = Server::tcp(&project);
    let (authority, token) = (format!("127.0.0.1:{}", server.port), format!("Bearer {}", server.token));
    let mut connection = Connection::open(&server);
    for number in 0..70 {
        connection.head(2 * number + 1, &decide(&authority, &token));
    }
    let mut refused = 0;
    while refused < 6 {
        let frame = connection.frame();
        if frame.kind == RST_STREAM {
            assert_eq!(frame.body, REFUSED_STREAM);
            refused += 1;
        }
    }
    connection.send(DATA, END_STREAM, 1, ALLOWED.as_bytes());
    assert_eq!(connection.answer(1)["decision"], "allow", "the others go on");
}
