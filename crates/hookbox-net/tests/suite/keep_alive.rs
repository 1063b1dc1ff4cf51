//! Tests of connections that wait for another request: only for the same rule and the same host, and only when nothing
//! is in doubt.

use crate::support::server::{Server, read_request};
use crate::support::tls::Authority;
use crate::support::{LONG, Names, call, client_with, fetch, get, post, private};
use hookbox_net::{Client, ErrorKind, Options, RuleText, Timeouts};
use std::future::Future;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::runtime::{Builder, Handle};

const OK: &str = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";

fn keeping(rules: &[RuleText]) -> Client {
    client_with(rules, Options::default().with_keep_alive(LONG))
}

fn rule(url: &str) -> RuleText {
    let mut rule = private(url);
    rule.methods = Some(vec!["GET".into(), "HEAD".into(), "POST".into()]);
    rule
}

/// Runs a test without the check for remaining tasks, because a task closes the idle connections.
fn run<T>(test: impl Future<Output = T>) -> T {
    Builder::new_current_thread().enable_all().build().unwrap().block_on(test)
}

/// Returns the number of connections that three requests take.
fn connections(answer: &str) -> usize {
    let server = Server::answering(answer);
    let client = keeping(&[rule(&server.url("/"))]);
    run(async {
        for _ in 0..3 {
            fetch(&call(&client, LONG), get(&server.url("/"))).await.unwrap();
        }
    });
    drop(client);
    server.assert_all_closed();
    server.accepted()
}

#[test]
fn a_connection_serves_several_calls() {
    assert_eq!(connections(OK), 1);
    assert_eq!(connections("HTTP/1.1 204 No Content\r\n\r\n"), 1);
    assert_eq!(connections("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"), 1);
    assert_eq!(connections("HTTP/1.1 200 OK\r\nkeep-alive: timeout=5, max=9\r\ncontent-length: 0\r\n\r\n"), 1);
}

#[test]
fn a_connection_in_doubt_is_not_used_again() {
    let chunked = "\r\n\r\n2\r\nok\r\n0\r\n\r\n";
    for head in ["content-length: 2\r\ntransfer-encoding: chunked", "transfer-encoding: chunked\r\ncontent-length: 17"]
    {
        assert_eq!(connections(&format!("HTTP/1.1 200 OK\r\n{head}{chunked}")), 3, "{head}");
    }
    assert_eq!(connections("HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 2\r\n\r\nok"), 3);
    assert_eq!(connections("HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\nok"), 3);
    assert_eq!(connections("HTTP/1.1 200 OK\r\nkeep-alive: timeout=1\r\ncontent-length: 2\r\n\r\nok"), 3);
    assert_eq!(connections("HTTP/1.0 200 OK\r\ncontent-length: 2\r\n\r\nok"), 3);
    // The server sends a second, unsolicited answer.
    assert_eq!(
        connections("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nokHTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nevil"),
        3
    );
}

#[test]
fn a_body_that_was_not_read_ends_its_connection() {
    let server = Server::answering(OK);
    let client = keeping(&[rule(&server.url("/"))]);
    run(async {
        for _ in 0..2 {
            drop(call(&client, LONG).send(get(&server.url("/")), Timeouts::default()).await.unwrap());
            server.assert_all_closed();
        }
    });
    assert_eq!(server.accepted(), 2);
}

#[test]
fn without_keep_alive_nothing_waits() {
    let server = Server::answering(OK);
    let client = client_with(&[rule(&server.url("/"))], Options::default());
    crate::support::run(async {
        for _ in 0..3 {
            fetch(&call(&client, LONG), get(&server.url("/"))).await.unwrap();
            server.assert_all_closed();
        }
    });
    assert_eq!(server.accepted(), 3);
}

#[test]
fn rules_do_not_share_connections() {
    let server = Server::answering(OK);
    let client = keeping(&[rule(&server.url("/a/")), rule(&server.url("/b/"))]);
    run(async {
        for path in ["/a/", "/b/", "/a/x", "/b/x"] {
            fetch(&call(&client, LONG), get(&server.url(path))).await.unwrap();
        }
    });
    assert_eq!(server.accepted(), 2);
}

#[test]
fn hosts_do_not_share_connections() {
    let server = Server::answering(OK);
    let port = server.address.port();
    let rules = [rule(&format!("http://*.x.test:{port}/"))];
    let client =
        client_with(&rules, Options::default().with_keep_alive(LONG).with_resolver(Names::new(&[&["127.0.0.1"]])));
    run(async {
        for host in ["a", "b", "a", "b"] {
            fetch(&call(&client, LONG), get(&format!("http://{host}.x.test:{port}/"))).await.unwrap();
        }
    });
    assert_eq!(server.accepted(), 2);
}

/// A name whose address has changed or is no longer allowed does not reach the old address.
#[test]
fn a_name_is_checked_each_time() {
    let server = Server::answering(OK);
    let url = format!("http://x.test:{}/", server.address.port());
    let names = Names::new(&[&["127.0.0.1"], &["169.254.169.254"], &["127.0.0.2"], &["127.0.0.1"]]);
    let client = client_with(&[rule(&url)], Options::default().with_keep_alive(LONG).with_resolver(names));
    run(async {
        let fetch = || async { fetch(&call(&client, LONG), get(&url)).await };
        assert!(fetch().await.is_ok());
        assert_eq!(fetch().await.unwrap_err().kind(), ErrorKind::DestinationIpProhibited);
        assert_eq!(fetch().await.unwrap_err().kind(), ErrorKind::ConnectionRefused);
        assert!(fetch().await.is_ok());
    });
    assert_eq!(server.accepted(), 1);
}

#[test]
fn idle_connections_are_closed_in_time() {
    let server = Server::answering(OK);
    let options = Options::default().with_keep_alive(Duration::from_millis(50));
    let client = client_with(&[rule(&server.url("/"))], options);
    run(async {
        fetch(&call(&client, LONG), get(&server.url("/"))).await.unwrap();
        assert_eq!(Handle::current().metrics().num_alive_tasks(), 1);
        while Handle::current().metrics().num_alive_tasks() > 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        server.assert_all_closed();
    });
}

#[test]
fn dropping_the_client_closes_its_connections() {
    let server = Server::answering(OK);
    let client = keeping(&[rule(&server.url("/"))]);
    run(async {
        fetch(&call(&client, LONG), get(&server.url("/"))).await.unwrap();
        drop(client);
        server.assert_all_closed();
        tokio::task::yield_now().await;
        assert_eq!(Handle::current().metrics().num_alive_tasks(), 0);
    });
}

#[test]
fn another_runtime_has_connections_of_its_own() {
    let server = Server::answering(OK);
    let client = keeping(&[rule(&server.url("/"))]);
    // Both runtimes exist, but only one of them runs at a time.
    let runtimes = [(); 2].map(|()| Builder::new_current_thread().enable_all().build().unwrap());
    for runtime in &runtimes {
        let response = runtime.block_on(async { fetch(&call(&client, LONG), get(&server.url("/"))).await });
        assert_eq!(response.unwrap().body(), "ok");
    }
    assert_eq!(server.accepted(), 2);
}

/// The server closes the connection when the second request arrives. A harmless request is sent once more, others are
/// not.
#[test]
fn a_connection_that_closes_under_a_request() {
    let requests = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&requests);
    let server = Server::new(move |stream| {
        read_request(stream);
        counted.fetch_add(1, Ordering::SeqCst);
        stream.write_all(OK.as_bytes()).unwrap();
        if read_request(stream).is_some() {
            counted.fetch_add(1, Ordering::SeqCst);
            stream.shutdown(std::net::Shutdown::Both).unwrap();
        }
    });
    let client = keeping(&[rule(&server.url("/"))]);
    run(async {
        let url = server.url("/");
        assert!(fetch(&call(&client, LONG), get(&url)).await.is_ok());
        assert!(fetch(&call(&client, LONG), get(&url)).await.is_ok());
        assert_eq!(requests.load(Ordering::SeqCst), 3);
        let error = fetch(&call(&client, LONG), post(&url, "pay")).await.unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::HttpResponseIncomplete | ErrorKind::ConnectionTerminated), "{error}");
        assert_eq!(requests.load(Ordering::SeqCst), 4);
    });
}

#[test]
fn a_connection_that_closed_while_it_waited_is_replaced() {
    let server = Server::new(|stream| {
        read_request(stream);
        stream.write_all(OK.as_bytes()).unwrap();
        stream.shutdown(std::net::Shutdown::Both).unwrap();
    });
    let client = keeping(&[rule(&server.url("/"))]);
    run(async {
        for _ in 0..20 {
            fetch(&call(&client, LONG), post(&server.url("/"), "x")).await.unwrap();
            server.assert_all_closed();
        }
    });
    assert_eq!(server.accepted(), 20);
}

#[test]
fn tls_connections_wait_too() {
    let authority = Authority::new();
    let server = authority.server("127.0.0.1", 1);
    let url = format!("https://{}/", server.address);
    let mut rule = private(&url);
    rule.ca = Some(authority.file());
    let client = keeping(&[rule]);
    run(async {
        for _ in 0..3 {
            assert_eq!(fetch(&call(&client, LONG), get(&url)).await.unwrap().body(), "hello");
        }
    });
    assert_eq!(server.accepted(), 1);
}

/// Calls on several threads share a client. Each gets the answer to its own request.
#[test]
fn calls_at_once_do_not_mix() {
    let server = Server::echo();
    let client = keeping(&[rule(&server.url("/"))]);
    let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        let calls: Vec<_> = (0..64)
            .map(|caller| {
                let (client, url) = (client.clone(), server.url("/"));
                tokio::spawn(async move {
                    for nth in 0..8 {
                        let mark = format!("{caller}-{nth}");
                        let response = fetch(&call(&client, LONG), post(&url, &mark)).await.unwrap();
                        assert!(response.body().ends_with(format!("\r\n\r\n{mark}").as_bytes()));
                    }
                })
            })
            .collect();
        for call in calls {
            call.await.unwrap();
        }
    });
    drop(client);
    runtime.shutdown_background();
    server.assert_all_closed();
    assert!(server.accepted() < 64 * 8);
}
