//! Tests of what a server may answer.

use crate::support::server::{Server, read_request};
use crate::support::{LONG, SHORT, call, client, client_for, failure, fetch, get, private, run};
use bytes::Bytes;
use hookbox_net::{Error, ErrorKind, Timeouts};
use http::{Request, Response, StatusCode};
use http_body_util::{BodyExt, Empty};
use std::io::Write;

fn answer(bytes: impl Into<Vec<u8>>) -> Result<Response<Bytes>, Error> {
    let server = Server::answering(bytes);
    let client = client_for(&server.url("/"));
    let result = run(fetch(&call(&client, LONG), get(&server.url("/"))));
    server.assert_all_closed();
    result
}

fn kind(bytes: impl Into<Vec<u8>>) -> ErrorKind {
    answer(bytes).unwrap_err().kind()
}

/// Starts a server that writes until the client closes the connection.
fn endless(head: &'static str, piece: &'static [u8]) -> Server {
    Server::new(move |stream| {
        read_request(stream);
        if stream.write_all(head.as_bytes()).is_ok() {
            while stream.write_all(piece).is_ok() {}
        }
    })
}

#[test]
fn plain_answers_arrive() {
    let response = answer("HTTP/1.1 200 OK\r\nx-a: b\r\ncontent-length: 5\r\n\r\nhello").unwrap();
    assert_eq!((response.status(), &response.body()[..]), (StatusCode::OK, &b"hello"[..]));
    assert_eq!(response.headers()["x-a"], "b");
    let chunked = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nx-trailer: 1\r\n\r\n";
    assert_eq!(answer(chunked).unwrap().body(), "hello");
    assert_eq!(answer("HTTP/1.1 204 No Content\r\n\r\n").unwrap().body(), "");
    assert_eq!(answer("HTTP/1.1 304 Not Modified\r\ncontent-length: 99999999\r\n\r\n").unwrap().body(), "");
    let early = "HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";
    assert_eq!(answer(early).unwrap().body(), "ok");
}

#[test]
fn a_head_answer_has_no_body() {
    let server = Server::answering("HTTP/1.1 200 OK\r\ncontent-length: 99999999\r\n\r\n");
    let client = client_for(&server.url("/"));
    let request = Request::head(server.url("/")).body(Empty::new()).unwrap();
    assert_eq!(run(fetch(&call(&client, LONG), request)).unwrap().body(), "");
}

#[test]
fn redirects_are_not_followed() {
    let other = Server::echo();
    for status in [301, 302, 303, 307, 308] {
        let location = format!("http://127.0.0.1:{}/latest/meta-data/", other.address.port());
        let response =
            answer(format!("HTTP/1.1 {status} X\r\nlocation: {location}\r\ncontent-length: 0\r\n\r\n")).unwrap();
        assert_eq!(response.status(), status);
        assert_eq!(response.headers()["location"], location);
    }
    assert_eq!(other.accepted(), 0);
}

#[test]
fn protocols_are_not_changed() {
    let switch = "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n";
    assert_eq!(kind(switch), ErrorKind::HttpUpgradeFailed);
}

#[test]
fn large_heads_end_in_an_error() {
    let long = |size: usize| answer(format!("HTTP/1.1 200 OK\r\ncontent-length: 0\r\nx: {}\r\n\r\n", "y".repeat(size)));
    let many =
        |lines: usize| answer(format!("HTTP/1.1 200 OK\r\n{}content-length: 0\r\n\r\n", "x: y\r\n".repeat(lines)));
    assert!(long(30 << 10).is_ok() && many(63).is_ok());
    for result in [long(40 << 10), long(800 << 10), many(64), many(200)] {
        let result = result.map(|response| response.headers().len());
        assert_eq!(result.unwrap_err().kind(), ErrorKind::HttpResponseHeaderSectionSize);
    }
    let server = endless("HTTP/1.1 200 OK\r\nx: ", &[b'y'; 4096]);
    assert_eq!(failure(&client_for(&server.url("/")), &server.url("/")), ErrorKind::HttpResponseHeaderSectionSize);
}

#[test]
fn large_trailers_and_chunk_extensions_end_in_an_error() {
    let trailers = |text: &str| format!("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n{text}\r\n");
    assert!(answer(trailers("x: y\r\n")).is_ok());
    assert!(answer(trailers(&format!("x: {}\r\n", "y".repeat(40 << 10)))).is_err());
    assert!(answer(trailers(&"x: y\r\n".repeat(200))).is_err());
    let server = endless("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5;x=", &[b'y'; 4096]);
    assert_eq!(failure(&client_for(&server.url("/")), &server.url("/")), ErrorKind::HttpProtocolError);
    server.assert_all_closed();
    let server = endless("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\nx: ", &[b'y'; 4096]);
    assert_eq!(failure(&client_for(&server.url("/")), &server.url("/")), ErrorKind::HttpProtocolError);
    server.assert_all_closed();
}

#[test]
fn large_bodies_end_in_an_error() {
    let declared = endless("HTTP/1.1 200 OK\r\ncontent-length: 10737418240\r\n\r\n", &[0; 4096]);
    let chunked = endless("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n", b"8\r\nxxxxxxxx\r\n");
    let to_end = endless("HTTP/1.1 200 OK\r\n\r\n", &[0; 4096]);
    for server in [declared, chunked, to_end] {
        assert_eq!(failure(&client_for(&server.url("/")), &server.url("/")), ErrorKind::HttpResponseBodySize);
        server.assert_all_closed();
    }
    let sized = |size: usize| {
        [format!("HTTP/1.1 200 OK\r\ncontent-length: {size}\r\n\r\n").into_bytes(), vec![b'x'; size]].concat()
    };
    assert_eq!(answer(sized(1 << 20)).unwrap().body().len(), 1 << 20);
    assert_eq!(kind(sized((1 << 20) + 1)), ErrorKind::HttpResponseBodySize);
}

#[test]
fn a_body_that_is_declared_too_long_is_not_begun() {
    let server = endless("HTTP/1.1 200 OK\r\ncontent-length: 1048577\r\n\r\n", &[0; 4096]);
    let client = client_for(&server.url("/"));
    let kind = run(async {
        let result = call(&client, LONG).send(get(&server.url("/")), Timeouts::default()).await;
        result.map(|response| response.status()).unwrap_err().kind()
    });
    assert_eq!(kind, ErrorKind::HttpResponseBodySize);
    server.assert_all_closed();
}

#[test]
fn chunks_of_impossible_size_end_in_an_error() {
    for size in ["ffffffffffffffff", "10000000000000000", "-1", "x", ""] {
        let text = format!("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n{size}\r\nabc\r\n0\r\n\r\n");
        let server = Server::new(move |stream| {
            read_request(stream);
            let _ = stream.write_all(text.as_bytes());
            let _ = stream.shutdown(std::net::Shutdown::Write);
        });
        let error = run(fetch(&call(&client_for(&server.url("/")), LONG), get(&server.url("/"))));
        assert!(error.is_err(), "{size}");
        server.assert_all_closed();
    }
}

#[test]
fn nothing_is_decompressed() {
    let text = b"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 4\r\n\r\n\x1f\x8b\x08\x00";
    let response = answer(*text).unwrap();
    assert_eq!(&response.body()[..], b"\x1f\x8b\x08\x00");
    assert_eq!(response.headers()["content-encoding"], "gzip");
}

/// Returns the result of a request to a server that closes the connection after sending these bytes.
fn closing(bytes: &'static str) -> Result<Response<Bytes>, Error> {
    let server = Server::new(move |stream| {
        read_request(stream);
        stream.write_all(bytes.as_bytes()).unwrap();
        stream.shutdown(std::net::Shutdown::Write).unwrap();
    });
    let result = run(fetch(&call(&client_for(&server.url("/")), LONG), get(&server.url("/"))));
    server.assert_all_closed();
    result
}

#[test]
fn truncated_answers_are_errors() {
    for bytes in [
        "",
        "HTTP/1.1 200 OK\r\n",
        "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhell",
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n",
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhel",
        "HTTP/1.1 103 Early Hints\r\n\r\n",
    ] {
        assert_eq!(closing(bytes).unwrap_err().kind(), ErrorKind::HttpResponseIncomplete, "{bytes:?}");
    }
}

#[test]
fn what_is_not_http_is_an_error() {
    for bytes in [
        "hello, this is HTTP/0.9",
        "SSH-2.0-OpenSSH_9.2p1\r\n",
        "\0\0\0\0\0\0",
        "HTTP/2.0 200 OK\r\n\r\n",
        "HTTP/1.1 2000 OK\r\n\r\n",
        "HTTP/1.1 200 OK\r\na b: c\r\n\r\n",
        "HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\ncontent-length: +5\r\n\r\nhello",
    ] {
        let kind = closing(bytes).unwrap_err().kind();
        assert!(
            matches!(kind, ErrorKind::HttpProtocolError | ErrorKind::HttpResponseIncomplete),
            "{bytes:?}: {kind:?}"
        );
    }
}

#[test]
fn a_server_that_closes_right_after_its_answer_is_heard() {
    let server = Server::new(|stream| {
        read_request(stream);
        stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello").unwrap();
        stream.shutdown(std::net::Shutdown::Both).unwrap();
    });
    let client = client_for(&server.url("/"));
    for _ in 0..200 {
        assert_eq!(run(fetch(&call(&client, LONG), get(&server.url("/")))).unwrap().body(), "hello");
    }
}

/// An answer that arrives before the request could belong to another request.
#[test]
fn a_server_that_speaks_first_is_not_believed() {
    let server = Server::new(|stream| {
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
    });
    let client = client_for(&server.url("/"));
    run(async {
        // The client waits for the first data of the body, which gives the server time to speak first.
        let stream = futures_util::stream::once(async {
            tokio::time::sleep(SHORT).await;
            Ok::<_, std::convert::Infallible>(http_body::Frame::data(Bytes::from("x")))
        });
        let request = Request::get(server.url("/")).body(http_body_util::StreamBody::new(Box::pin(stream))).unwrap();
        let error = fetch(&call(&client, LONG), request).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::HttpProtocolError, "{}", error.warning());
    });
    server.assert_all_closed();
}

#[test]
fn a_good_request_follows_a_bad_one() {
    let bad = Server::answering("nonsense\r\n\r\n");
    let good = Server::answering("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
    let client = client(&[private(&bad.url("/")), private(&good.url("/"))]);
    run(async {
        let call = call(&client, LONG);
        assert!(fetch(&call, get(&bad.url("/"))).await.is_err());
        assert_eq!(fetch(&call, get(&good.url("/"))).await.unwrap().body(), "ok");
    });
}

#[test]
fn reading_stops_after_an_error() {
    let server = endless("HTTP/1.1 200 OK\r\n\r\n", &[0; 4096]);
    let client = client_for(&server.url("/"));
    run(async {
        let call = call(&client, LONG);
        let mut body = call.send(get(&server.url("/")), Timeouts::default()).await.unwrap().into_body();
        let mut read = 0;
        let error = loop {
            match body.frame().await.unwrap() {
                Ok(frame) => read += frame.into_data().unwrap().len(),
                Err(error) => break error,
            }
        };
        assert_eq!(error.kind(), ErrorKind::HttpResponseBodySize);
        assert!(error.warning().contains(&server.url("/")), "{}", error.warning());
        assert!(read <= 1 << 20);
        assert!(body.frame().await.is_none());
        // The socket is closed although the body still exists.
        server.assert_all_closed();
        assert!(
            call.send(get(&server.url("/")), Timeouts { first_byte: Some(SHORT), ..Timeouts::default() }).await.is_ok()
        );
    });
}
