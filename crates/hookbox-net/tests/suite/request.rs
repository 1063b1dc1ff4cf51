//! Tests of what a guest may send.

use crate::support::server::{Server, read_request};
use crate::support::{LONG, Names, SHORT, call, client, client_for, client_with, fetch, get, post, private, run};
use bytes::Bytes;
use hookbox_net::{Error, ErrorKind, Options, Timeouts};
use http::{HeaderMap, Method, Request};
use http_body::Frame;
use http_body_util::{BodyExt, Empty, Full, StreamBody};
use std::convert::Infallible;
use std::io::{Read, Write};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

/// A body of unknown length.
struct Parts(Vec<Frame<Bytes>>);

impl Parts {
    fn of(parts: &[&'static str]) -> Self {
        Parts(parts.iter().rev().map(|part| Frame::data(Bytes::from_static(part.as_bytes()))).collect())
    }
}

impl http_body::Body for Parts {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Poll::Ready(self.0.pop().map(Ok))
    }
}

/// Sends a request, and returns it as the server received it.
fn sent<B>(server: &Server, request: Request<B>) -> Result<String, Error>
where
    B: http_body::Body<Data = Bytes> + Send + 'static,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let client = client_for(&server.url("/"));
    let response = run(fetch(&call(&client, LONG), request))?;
    Ok(String::from_utf8(response.into_body().to_vec()).unwrap())
}

fn refused<B>(request: impl Fn(&str) -> Request<B>) -> ErrorKind
where
    B: http_body::Body<Data = Bytes> + Send + 'static,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let server = Server::echo();
    let error = sent(&server, request(&server.url("/"))).unwrap_err();
    assert_eq!(server.accepted(), 0, "{error}");
    error.kind()
}

#[test]
fn a_request_is_sent_in_its_canonical_form() {
    let server = Server::echo();
    let port = server.address.port();
    let rule = private(&format!("http://good.test:{port}/v1/"));
    let client = client_with(&[rule], Options::default().with_resolver(Names::new(&[&["127.0.0.1"]])));
    let mut request = get(&format!("http://GOOD.test.:{port}/v1/a?b=c"));
    request.headers_mut().insert("x-own", "1".parse().unwrap());
    let response = run(fetch(&call(&client, LONG), request)).unwrap();
    assert_eq!(
        String::from_utf8_lossy(response.body()),
        format!("GET /v1/a?b=c HTTP/1.1\r\nx-own: 1\r\nhost: good.test:{port}\r\n\r\n")
    );
    server.assert_all_closed();
}

#[test]
fn bodies_are_framed_by_the_host() {
    let server = Server::echo();
    let url = server.url("/");
    assert!(sent(&server, post(&url, "abc")).unwrap().ends_with("\r\ncontent-length: 3\r\n\r\nabc"));
    let chunked = sent(&server, Request::post(&url).body(Parts::of(&["a", "", "bc"])).unwrap()).unwrap();
    assert!(chunked.ends_with("\r\ntransfer-encoding: chunked\r\n\r\n1\r\na\r\n2\r\nbc\r\n0\r\n\r\n"), "{chunked}");
    let declared = Request::post(&url).header("content-length", "3").body(Parts::of(&["a", "bc"])).unwrap();
    let declared = sent(&server, declared).unwrap();
    assert!(declared.ends_with("\r\ncontent-length: 3\r\n\r\nabc") && !declared.contains("chunked"), "{declared}");
    for method in [Method::GET, Method::HEAD] {
        let empty = Request::builder().method(method).uri(&url).body(Parts::of(&[])).unwrap();
        assert!(!sent(&server, empty).unwrap_or_default().contains("transfer-encoding"));
    }
    let get = sent(&server, Request::get(&url).body(Parts::of(&["a"])).unwrap()).unwrap();
    assert!(get.ends_with("chunked\r\n\r\n1\r\na\r\n0\r\n\r\n"), "{get}");
    let none = Request::post(&url).header("content-length", "0").body(Parts::of(&[])).unwrap();
    assert!(sent(&server, none).unwrap().contains("content-length: 0\r\n"));
    server.assert_all_closed();
}

#[test]
fn hosts_headers_are_not_the_guests() {
    for name in [
        "host",
        "authorization",
        "connection",
        "keep-alive",
        "proxy-authorization",
        "proxy-connection",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
        "expect",
        "forwarded",
        "x-forwarded-for",
        "X-Forwarded-Host",
        "client-ip",
        "True-Client-IP",
        "http2-settings",
        "x-http-method-override",
        "x-original-url",
        // Servers that follow CGI do not distinguish `_` from `-`.
        "content_length",
        "x_forwarded_for",
        "x_http_method_override",
        "x_original_url",
    ] {
        let kind = refused(|url| Request::get(url).header(name, "x").body(Empty::new()).unwrap());
        assert_eq!(kind, ErrorKind::HttpRequestDenied, "{name}");
    }
}

#[test]
fn added_headers_are_not_the_guests() {
    let server = Server::echo();
    let mut rule = private(&server.url("/"));
    rule.headers.insert("X-Key".into(), "env:KEY".into());
    let variables = |_: &str| Some("hunter2".into());
    let client = crate::support::try_client(&[rule], Options::default(), &variables, "/".as_ref()).unwrap();
    for name in ["x-key", "x_key"] {
        let request = Request::get(server.url("/")).header(name, "mine").body(Empty::new()).unwrap();
        let error = run(fetch(&call(&client, LONG), request)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::HttpRequestDenied, "{name}");
    }
    assert_eq!(server.accepted(), 0);
}

#[test]
fn lengths_that_lie_are_refused() {
    let declaring = |length: &'static str| {
        move |url: &str| Request::post(url).header("content-length", length).body(Full::from("abc")).unwrap()
    };
    for length in ["2", "4", "0"] {
        assert_eq!(refused(declaring(length)), ErrorKind::HttpRequestBodySize, "{length}");
    }
    for length in ["+3", "3,3", "3 ", "", "0x3", "-1", "99999999999999999999999"] {
        assert_eq!(refused(declaring(length)), ErrorKind::HttpRequestDenied, "{length}");
    }
    let two = |url: &str| {
        Request::post(url).header("content-length", "3").header("content-length", "3").body(Full::from("abc")).unwrap()
    };
    assert_eq!(refused(two), ErrorKind::HttpRequestDenied);
    let without_body = |url: &str| Request::post(url).header("content-length", "5").body(Empty::new()).unwrap();
    assert_eq!(refused(without_body), ErrorKind::HttpRequestBodySize);
}

/// The length of these bodies becomes known only when they are sent. The server must see neither a whole request nor a
/// second one.
#[test]
fn streams_that_lie_about_their_length_are_cut_off() {
    for (length, parts) in [
        ("3", Parts::of(&["abc", "GET /evil HTTP/1.1\r\n\r\n"])),
        ("3", Parts::of(&["ab"])),
        ("3", Parts::of(&["ab", "cd"])),
        ("0", Parts::of(&["GET /evil HTTP/1.1\r\n\r\n"])),
        ("3", Parts::of(&[])),
    ] {
        let server = Server::new(|stream| assert!(read_request(stream).is_none(), "a whole request came"));
        let client = client_for(&server.url("/"));
        let request = Request::post(server.url("/")).header("content-length", length).body(parts).unwrap();
        let error = run(fetch(&call(&client, LONG), request)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::HttpRequestBodySize, "{error}");
        server.assert_all_closed();
    }
}

#[test]
fn trailers_of_requests_are_refused() {
    let server = Server::echo();
    let mut trailers = HeaderMap::new();
    trailers.insert("x-evil", "1".parse().unwrap());
    let parts = Parts(vec![Frame::trailers(trailers), Frame::data("a".into())]);
    let error = sent(&server, Request::post(server.url("/")).body(parts).unwrap()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::HttpRequestTrailerSectionSize);
    server.assert_all_closed();
}

#[test]
fn heads_are_bounded() {
    let many = |url: &str| {
        let mut request = get(url);
        for nth in 0..10_000 {
            request.headers_mut().append("x-many", nth.into());
        }
        request
    };
    assert_eq!(refused(many), ErrorKind::HttpRequestHeaderSectionSize);
    let long = |url: &str| Request::get(url).header("x-long", "x".repeat(1 << 20)).body(Empty::new()).unwrap();
    assert_eq!(refused(long), ErrorKind::HttpRequestHeaderSectionSize);
    let path = |url: &str| get(&format!("{url}{}", "x".repeat(10_000)));
    assert_eq!(refused(path), ErrorKind::HttpRequestUriTooLong);
}

#[test]
fn methods_are_exact() {
    let long = "A".repeat(1 << 20);
    for method in ["CONNECT", "TRACE", "get", "DELETE", "PATCH", &long] {
        let kind = refused(|url| Request::builder().method(method).uri(url).body(Empty::new()).unwrap());
        assert_eq!(kind, ErrorKind::HttpRequestMethodInvalid);
    }
}

#[test]
fn urls_outside_of_the_rules_are_refused() {
    let server = Server::echo();
    let client = client(&[private(&server.url("/v1/"))]);
    let port = server.address.port();
    for url in [
        server.url("/v10"),
        server.url("/v1"),
        server.url("/"),
        server.url("/v1/../x"),
        server.url("/v1/%2e%2e/x"),
        format!("http://localhost:{port}/v1/"),
        format!("http://u:p@127.0.0.1:{port}/v1/"),
        format!("http://2130706433:{port}/v1/"),
        format!("https://127.0.0.1:{port}/v1/"),
        format!("ftp://127.0.0.1:{port}/v1/"),
        "/v1/".to_owned(),
        format!("127.0.0.1:{port}"),
        "http://127.0.0.1/v1/".to_owned(),
    ] {
        let error = run(fetch(&call(&client, LONG), get(&url))).unwrap_err();
        assert!(
            matches!(error.kind(), ErrorKind::HttpRequestDenied | ErrorKind::HttpRequestUriInvalid),
            "{url}: {error}"
        );
    }
    assert_eq!(server.accepted(), 0);
}

#[test]
fn bodies_over_the_limit_are_refused() {
    let whole = |url: &str| post(url, &"x".repeat((1 << 20) + 1));
    assert_eq!(refused(whole), ErrorKind::HttpRequestBodySize);
    let declared = |url: &str| Request::post(url).header("content-length", "3000000").body(Parts::of(&[])).unwrap();
    assert_eq!(refused(declared), ErrorKind::HttpRequestBodySize);

    // The body comes in pieces, so that the limit is reached while it is sent.
    let server = Server::echo();
    let piece = Bytes::from(vec![b'x'; 64 << 10]);
    let pieces = Parts((0..48).map(|_| Frame::data(piece.clone())).collect());
    let error = sent(&server, Request::post(server.url("/")).body(pieces).unwrap()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::HttpRequestBodySize);
    server.assert_all_closed();

    let server = Server::new(|stream| {
        let request = read_request(stream).unwrap();
        let body = request.len() - request.windows(4).position(|end| end == b"\r\n\r\n").unwrap() - 4;
        let answer = format!("HTTP/1.1 200 OK\r\ncontent-length: 7\r\n\r\n{body}");
        stream.write_all(answer.as_bytes()).unwrap();
    });
    assert_eq!(sent(&server, post(&server.url("/"), &"x".repeat(1 << 20))).unwrap(), "1048576");
}

#[test]
fn a_server_that_never_reads_ends_at_the_deadline() {
    let server = Server::new(|_| std::thread::sleep(SHORT * 4));
    let options = Options::default().with_body_limit(64 << 20);
    let mut rule = private(&server.url("/"));
    rule.methods = Some(vec!["POST".into()]);
    let client = client_with(&[rule], options);
    let error = run(fetch(&call(&client, SHORT), post(&server.url("/"), &"x".repeat(32 << 20)))).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::HttpResponseTimeout);
    server.assert_all_closed();
}

#[test]
fn a_call_has_eight_requests() {
    let server = Server::answering("HTTP/1.1 204 No Content\r\n\r\n");
    let client = client_for(&server.url("/"));
    run(async {
        let call = call(&client, LONG);
        let mut waiting = Vec::new();
        for _ in 0..64 {
            waiting.push(call.send(get(&server.url("/")), Timeouts::default()));
        }
        let mut served = 0;
        for request in waiting {
            match request.await {
                Ok(_) => served += 1,
                Err(error) => assert_eq!(error.kind(), ErrorKind::ConnectionLimitReached),
            }
        }
        assert_eq!(served, 8);
        for _ in 0..10_000 {
            let error = fetch(&call, get(&server.url("/"))).await.unwrap_err();
            assert_eq!(error.kind(), ErrorKind::ConnectionLimitReached);
        }
        // Another call of the same client is not affected.
        assert!(fetch(&crate::support::call(&client, LONG), get(&server.url("/"))).await.is_ok());
    });
    assert_eq!(server.accepted(), 9);
    server.assert_all_closed();
}

/// A response may begin before the request has ended; the guest then goes on writing without reading.
#[test]
fn a_guest_may_write_after_the_response_began() {
    let server = Server::new(|stream| {
        let mut head = vec![0; 16];
        stream.read_exact(&mut head).unwrap();
        stream.write_all(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n").unwrap();
        let mut rest = String::new();
        while !rest.ends_with("\r\n0\r\n\r\n") {
            let mut byte = [0];
            stream.read_exact(&mut byte).unwrap();
            rest.push(char::from(byte[0]));
        }
        stream.write_all(b"4\r\ndone\r\n0\r\n\r\n").unwrap();
    });
    let client = client_for(&server.url("/"));
    run(async {
        let (sender, mut receiver) = tokio::sync::mpsc::channel::<Bytes>(1);
        let stream = futures_util::stream::poll_fn(move |cx| {
            receiver.poll_recv(cx).map(|data| data.map(|data| Ok::<_, Infallible>(Frame::data(data))))
        });
        let request = Request::post(server.url("/")).body(StreamBody::new(stream)).unwrap();
        let call = call(&client, LONG);
        let response = call.send(request, Timeouts::default()).await.unwrap();
        for _ in 0..5 {
            sender.send("more".into()).await.unwrap();
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        drop(sender);
        assert_eq!(response.into_body().collect().await.unwrap().to_bytes(), "done");
    });
    server.assert_all_closed();
}

#[test]
fn dropping_the_response_of_an_unfinished_request_leaves_nothing() {
    let server = Server::answering("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");
    let server_early = Server::new(|stream| {
        stream.read_exact(&mut [0; 16]).unwrap();
        stream.write_all(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n").unwrap();
    });
    let client = client_for(&server_early.url("/"));
    run(async {
        let stream = futures_util::stream::pending::<Result<Frame<Bytes>, Infallible>>();
        let request = Request::post(server_early.url("/")).body(StreamBody::new(stream)).unwrap();
        let response = call(&client, LONG).send(request, Timeouts::default()).await.unwrap();
        drop(response);
        tokio::task::yield_now().await;
    });
    server_early.assert_all_closed();
    let client = client_for(&server.url("/"));
    run(async {
        // One response is not read, and one request is not awaited.
        let response = call(&client, LONG).send(get(&server.url("/")), Timeouts::default()).await.unwrap();
        drop(call(&client, LONG).send(get(&server.url("/")), Timeouts::default()));
        drop(response);
    });
    server.assert_all_closed();
    assert_eq!(server.accepted(), 1);
}

#[test]
fn a_body_that_breaks_off_ends_the_request() {
    let server = Server::new(|stream| assert!(read_request(stream).is_none()));
    let client = client_for(&server.url("/"));
    let stream = futures_util::stream::iter([Ok(Frame::data(Bytes::from("a"))), Err(std::io::Error::other("gone"))]);
    let request = Request::post(server.url("/")).body(StreamBody::new(stream)).unwrap();
    let error = run(fetch(&call(&client, LONG), request)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::HttpProtocolError);
    assert!(error.warning().contains("broke off: gone"), "{}", error.warning());
    server.assert_all_closed();
}
