//! A server that does what a test says, byte by byte.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// A server that counts its connections, and those that the client has closed.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    accepted: Arc<AtomicUsize>,
    closed: Arc<AtomicUsize>,
}

impl Server {
    /// Starts a server that serves each connection on its own thread.
    pub(crate) fn new(serve: impl Fn(&mut TcpStream) + Send + Sync + 'static) -> Self {
        Server::on("127.0.0.1:0", serve)
    }

    pub(crate) fn on(address: &str, serve: impl Fn(&mut TcpStream) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind(address).unwrap();
        let server =
            Server { address: listener.local_addr().unwrap(), accepted: Arc::default(), closed: Arc::default() };
        let (accepted, closed, serve) = (Arc::clone(&server.accepted), Arc::clone(&server.closed), Arc::new(serve));
        thread::spawn(move || {
            for stream in listener.incoming() {
                let Ok(mut stream) = stream else { return };
                stream.set_nodelay(true).unwrap();
                accepted.fetch_add(1, Ordering::SeqCst);
                let (closed, serve) = (Arc::clone(&closed), Arc::clone(&serve));
                thread::spawn(move || {
                    serve(&mut stream);
                    wait_for_end(&mut stream);
                    closed.fetch_add(1, Ordering::SeqCst);
                });
            }
        });
        server
    }

    /// Starts a server that answers each request of each connection with the same bytes.
    pub(crate) fn answering(answer: impl Into<Vec<u8>>) -> Self {
        let answer = answer.into();
        Server::new(move |stream| {
            while read_request(stream).is_some() {
                if stream.write_all(&answer).is_err() {
                    return;
                }
            }
        })
    }

    /// Starts a server that answers with the request itself: its head, followed by its body.
    pub(crate) fn echo() -> Self {
        Server::new(|stream| {
            while let Some(request) = read_request(stream) {
                let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", request.len());
                if stream.write_all(&[head.as_bytes(), &request].concat()).is_err() {
                    return;
                }
            }
        })
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub(crate) fn accepted(&self) -> usize {
        self.accepted.load(Ordering::SeqCst)
    }

    /// Waits until the client has closed every connection.
    pub(crate) fn assert_all_closed(&self) {
        let start = Instant::now();
        while self.closed.load(Ordering::SeqCst) < self.accepted() {
            assert!(start.elapsed() < Duration::from_secs(10), "a socket is still open");
            thread::sleep(Duration::from_millis(1));
        }
    }
}

/// Reads a request as it was sent: its head, and a body by `content-length` or in chunks. Returns `None` at the end of
/// the connection.
pub(crate) fn read_request(stream: &mut impl Read) -> Option<Vec<u8>> {
    let mut request = Vec::new();
    let mut byte = [0];
    while !request.ends_with(b"\r\n\r\n") {
        if stream.read(&mut byte).ok()? == 0 {
            return None;
        }
        request.push(byte[0]);
    }
    let head = String::from_utf8_lossy(&request).to_ascii_lowercase();
    if let Some(length) = head.split("content-length: ").nth(1) {
        let length: usize = length.split("\r\n").next()?.parse().ok()?;
        let mut body = vec![0; length];
        stream.read_exact(&mut body).ok()?;
        request.extend(body);
    } else if head.contains("transfer-encoding: chunked") {
        while !request.ends_with(b"\r\n0\r\n\r\n") {
            if stream.read(&mut byte).ok()? == 0 {
                return None;
            }
            request.push(byte[0]);
        }
    }
    Some(request)
}

pub(crate) fn wait_for_end(stream: &mut TcpStream) {
    let mut buffer = [0; 4096];
    while stream.read(&mut buffer).is_ok_and(|read| read > 0) {}
}
