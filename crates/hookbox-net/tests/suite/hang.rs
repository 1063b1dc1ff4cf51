//! Tests of servers that hang or trickle: each request ends at its time limit, without leaving a task or a socket.

use crate::support::server::{Server, read_request, wait_for_end};
use crate::support::{LONG, SHORT, call, client, client_for, fetch, get, private, run};
use hookbox_net::{Error, ErrorKind, Timeouts};
use http_body_util::BodyExt;
use std::io::Write;
use std::net::TcpListener;
use std::thread;
use std::time::{Duration, Instant};

const CHUNKED: &str = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";

/// Asks a server within a short deadline, and returns the error.
fn ask(server: &Server, url: &str) -> Error {
    let start = Instant::now();
    let error = run(fetch(&call(&client_for(url), SHORT), get(url))).unwrap_err();
    assert!(start.elapsed() >= SHORT, "{error} came too early");
    server.assert_all_closed();
    error
}

/// Starts a server that sends a first text, and then a second text again and again, slowly, or never if that is empty.
fn server(first: &'static str, again: &'static str) -> Server {
    Server::new(move |stream| {
        read_request(stream);
        let _ = stream.write_all(first.as_bytes());
        while !again.is_empty() && stream.write_all(again.as_bytes()).is_ok() {
            thread::sleep(Duration::from_millis(5));
        }
    })
}

#[test]
fn hangs_end_at_the_deadline() {
    for (first, again) in [
        ("", ""),
        ("HTTP/1.1 200", ""),
        ("HTTP/1.1 200 OK\r\nx: ", "y"),
        ("", "HTTP/1.1 103 Early Hints\r\n\r\n"),
        (CHUNKED, ""),
        (CHUNKED, "1\r\nx\r\n"),
        ("HTTP/1.1 200 OK\r\ncontent-length: 999\r\n\r\n", "x"),
        ("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n", ""),
        ("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nx\r\n0\r\ny: ", "z"),
        ("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;y=", "z"),
    ] {
        let server = server(first, again);
        assert_eq!(ask(&server, &server.url("/")).kind(), ErrorKind::HttpResponseTimeout, "{first:?} {again:?}");
    }
}

#[test]
fn hangs_in_tls_end_at_the_deadline() {
    // The server is silent, or sends a handshake record byte by byte.
    for again in [&b""[..], &[0x16, 0x03, 0x03, 0x40, 0x00][..]] {
        let server = Server::new(move |stream| {
            for byte in again.iter().chain(std::iter::repeat(&2)).take_while(|_| !again.is_empty()) {
                if stream.write_all(&[*byte]).is_err() {
                    return;
                }
                thread::sleep(Duration::from_millis(5));
            }
        });
        let url = format!("https://{}/", server.address);
        assert_eq!(ask(&server, &url).kind(), ErrorKind::ConnectionTimeout);
    }
}

/// The socket listens without accepting, and its queue is full.
#[test]
fn a_hang_in_connect_ends_at_the_deadline() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    rustix::net::listen(&listener, 0).unwrap();
    let address = listener.local_addr().unwrap();
    let _queued: Vec<_> =
        (0..8).map(|_| std::net::TcpStream::connect_timeout(&address, Duration::from_millis(20))).collect();
    let url = format!("http://{address}/");
    let error = run(fetch(&call(&client_for(&url), SHORT), get(&url))).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ConnectionTimeout, "{error}");
}

#[test]
fn guests_may_set_shorter_limits() {
    let silent = server("", "");
    let paused = server(CHUNKED, "");
    let client = client(&[private(&silent.url("/")), private(&paused.url("/"))]);
    run(async {
        let call = call(&client, LONG);
        let first_byte = Timeouts { first_byte: Some(SHORT), ..Timeouts::default() };
        let error = call.send(get(&silent.url("/")), first_byte).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::HttpResponseTimeout);
        let between_bytes = Timeouts { between_bytes: Some(SHORT), ..Timeouts::default() };
        let response = call.send(get(&paused.url("/")), between_bytes).await.unwrap();
        let error = response.into_body().collect().await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::ConnectionReadTimeout);
    });
    silent.assert_all_closed();
    paused.assert_all_closed();
}

#[test]
fn guests_cannot_set_longer_limits() {
    let server = server("", "");
    let client = client_for(&server.url("/"));
    let start = Instant::now();
    run(async {
        let long = Some(Duration::MAX);
        let timeouts = Timeouts { connect: long, first_byte: long, between_bytes: long };
        let error = call(&client, SHORT).send(get(&server.url("/")), timeouts).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::HttpResponseTimeout);
    });
    assert!(start.elapsed() < LONG);
}

/// The limit is for each pause, not for all of them together.
#[test]
fn a_body_in_many_pieces_may_take_its_time() {
    let server = Server::new(|stream| {
        read_request(stream);
        stream.write_all(CHUNKED.as_bytes()).unwrap();
        for piece in ["1\r\na\r\n", "1\r\nb\r\n", "1\r\nc\r\n", "1\r\nd\r\n", "1\r\ne\r\n", "0\r\n\r\n"] {
            thread::sleep(SHORT / 4);
            stream.write_all(piece.as_bytes()).unwrap();
        }
    });
    let client = client_for(&server.url("/"));
    run(async {
        let timeouts = Timeouts { between_bytes: Some(SHORT), ..Timeouts::default() };
        let response = call(&client, LONG).send(get(&server.url("/")), timeouts).await.unwrap();
        assert_eq!(response.into_body().collect().await.unwrap().to_bytes(), "abcde");
    });
}

/// The reader's own pauses do not count as the server's.
#[test]
fn a_slow_reader_does_not_run_into_the_time_between_bytes() {
    let server = Server::answering("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n".to_owned() + &"x".repeat(100));
    let client = client_for(&server.url("/"));
    run(async {
        let timeouts = Timeouts { between_bytes: Some(Duration::from_millis(50)), ..Timeouts::default() };
        let response = call(&client, LONG).send(get(&server.url("/")), timeouts).await.unwrap();
        tokio::time::sleep(Duration::from_millis(150)).await;
        assert_eq!(response.into_body().collect().await.unwrap().to_bytes().len(), 100);
    });
}

#[test]
fn a_deadline_in_the_past_sends_nothing() {
    let server = Server::new(wait_for_end);
    let client = client_for(&server.url("/"));
    let error = run(fetch(&client.call(Instant::now()), get(&server.url("/")))).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::ConnectionTimeout | ErrorKind::HttpResponseTimeout), "{error}");
}

#[test]
fn a_dropped_request_closes_its_socket_wherever_it_hangs() {
    for (first, again) in [("", ""), ("HTTP/1.1 200", ""), (CHUNKED, ""), (CHUNKED, "1\r\nx\r\n")] {
        let server = server(first, again);
        let client = client_for(&server.url("/"));
        run(async {
            let call = call(&client, LONG);
            assert!(
                tokio::time::timeout(Duration::from_millis(100), fetch(&call, get(&server.url("/")))).await.is_err()
            );
        });
        assert_eq!(server.accepted(), 1);
        server.assert_all_closed();
    }
}
