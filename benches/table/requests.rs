//! Compares a hook that sends a request to this machine with the same request by plain hyper.

use crate::ask::{Asker, INPUT, runtime};
use crate::powers::{NO_STEPS, asker};
use crate::row::{Goal, Unit, in_turns, print};
use hookbox::runtime::component::{Grants, NetGrant, NetPlace, NetRule, Sandbox};
use http_body_util::{BodyExt, Empty};
use hyper::Request;
use hyper::body::Bytes;
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper_util::rt::TokioIo;
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::thread;
use std::time::Instant;
use tokio::net::TcpStream;
use tokio::runtime::Runtime;

const FRESH: &str = "hook that sends a request / the request by plain hyper";
const KEPT: &str = "hook that sends a request, connection kept / the request by plain hyper";
const BOTH_KEPT: &str = "hook that sends a request, connection kept / the same by plain hyper, and the call without it";

const ROUNDS: usize = 100;
const CALLS: u32 = 50;

/// The component that does what its settings say. `cargo xtask guests` builds it.
const GUEST: &str = "requests.wasm";

const KEEP: &str = "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello";
const CLOSE: &str = "HTTP/1.1 200 OK\r\ncontent-length: 5\r\nconnection: close\r\n\r\nhello";

pub(crate) fn rows(sandbox: &Sandbox, wanted: &dyn Fn(&str) -> bool) {
    for (row, answer, most) in [(FRESH, CLOSE, 2.5), (KEPT, KEEP, 1.5), (BOTH_KEPT, KEEP, 1.5)] {
        if !wanted(row) {
            continue;
        }
        let address = serve(answer);
        let (hook, idle) = (hook(sandbox, address, true), hook(sandbox, address, false));
        let mut plain = Plain { runtime: runtime(), address, kept: None };
        let mut right = || match row {
            BOTH_KEPT => plain.requests(true) + idle.calls(INPUT, CALLS),
            _ => plain.requests(false),
        };
        let figures = in_turns(ROUNDS, [&mut || hook.calls(INPUT, CALLS), &mut right]);
        print(row, Unit::Nanoseconds, figures, Goal::AtMost(most));
        assert!(has_sent(&hook));
    }
}

/// Makes a hook that may send a request to this server, and does so if `sends` is true.
fn hook(sandbox: &Sandbox, address: SocketAddr, sends: bool) -> Asker {
    let url = format!("http://{address}/");
    let rule = NetRule::new(&url).with_private(true);
    let net = NetGrant::new(vec![rule]).at(NetPlace::new("/", BTreeMap::new()));
    let settings = if sends { format!(r#"{{ "do": [["fetch", "GET", "{url}"]] }}"#) } else { NO_STEPS.to_owned() };
    let asker = asker(sandbox, GUEST, Grants::default().with_net(net), &settings);
    assert_eq!(has_sent(&asker), sends);
    asker
}

fn has_sent(asker: &Asker) -> bool {
    asker.ask(INPUT).reason.unwrap().contains("hello")
}

/// A client that sends requests by plain hyper, without hookbox.
struct Plain {
    runtime: Runtime,
    address: SocketAddr,
    kept: Option<SendRequest<Empty<Bytes>>>,
}

impl Plain {
    /// Sends requests, and returns the nanoseconds per request.
    fn requests(&mut self, keep: bool) -> f64 {
        let Plain { runtime, address, kept } = self;
        runtime.block_on(async {
            let started = Instant::now();
            for _ in 0..CALLS {
                let mut sender = match kept.take() {
                    Some(sender) => sender,
                    None => connect(*address).await,
                };
                sender.ready().await.unwrap();
                let request = Request::get("/").header("host", address.to_string()).body(Empty::new()).unwrap();
                let answer = sender.send_request(request).await.unwrap().into_body().collect().await.unwrap();
                assert_eq!(answer.to_bytes(), "hello");
                *kept = keep.then_some(sender);
            }
            started.elapsed().as_nanos() as f64 / f64::from(CALLS)
        })
    }
}

async fn connect(address: SocketAddr) -> SendRequest<Empty<Bytes>> {
    let stream = TcpStream::connect(address).await.unwrap();
    stream.set_nodelay(true).unwrap();
    let (sender, connection) = handshake(TokioIo::new(stream)).await.unwrap();
    tokio::spawn(connection);
    sender
}

/// Starts a server with a thread for each connection. The requests have no body, and arrive as a whole.
fn serve(answer: &'static str) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            thread::spawn(move || {
                let mut buffer = [0; 4096];
                let _ = stream.set_nodelay(true);
                while stream.read(&mut buffer).is_ok_and(|read| read > 0) {
                    if stream.write_all(answer.as_bytes()).is_err() || answer == CLOSE {
                        return;
                    }
                }
            });
        }
    });
    address
}
