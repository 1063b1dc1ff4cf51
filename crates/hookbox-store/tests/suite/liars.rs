//! Tests of servers of the shared store that hang, lie, or do not exist.

use crate::support::{bucket, kind, limited, namespace};
use hookbox_store::{ErrorKind, Limits, Store};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::UnixListener;

/// Returns the kind of error if a server sends this reply after each message.
async fn lied_to(reply: &'static [u8], endless: bool) -> ErrorKind {
    let dir = tempfile::tempdir().unwrap();
    let socket = dir.path().join("socket");
    let listener = UnixListener::bind(&socket).unwrap();
    let liar = tokio::spawn(async move {
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            tokio::spawn(async move {
                let mut heard = [0; 4096];
                while stream.read(&mut heard).await.is_ok_and(|read| read > 0) {
                    let mut went = stream.write_all(reply).await.is_ok();
                    while endless && went {
                        went = stream.write_all(&[b'x'; 4096]).await.is_ok();
                    }
                }
            });
        }
    });
    let store = Store::shared(&format!("unix://{}", socket.display())).unwrap();
    // An endless answer must end at the size limit, however slow the machine is. The others may end at the deadline.
    let time = Duration::from_secs(if endless { 60 } else { 1 });
    let deadline = Instant::now() + time;
    let bucket = store.bucket(&namespace("hook"), Limits::default(), deadline);
    let found = kind(bucket.get("key").await);
    let deadline = Instant::now() + time;
    let bucket = store.bucket(&namespace("hook"), Limits::default(), deadline);
    let increment = kind(bucket.increment("key", 1).await);
    liar.abort();
    assert!(matches!(increment, ErrorKind::Unavailable | ErrorKind::Damaged | ErrorKind::Deadline), "{increment:?}");
    found
}

#[tokio::test]
async fn servers_that_lie_are_errors() {
    // Without a password or a database, a connection needs no answer before the first script.
    for (reply, expected) in [
        (b"HTTP/1.1 400 Bad Request\r\n\r\n".as_slice(), ErrorKind::Unavailable),
        (b"SSH-2.0-OpenSSH_9.2\r\n", ErrorKind::Unavailable),
        (b"+OK\r\n", ErrorKind::Unavailable),
        (b":7\r\n", ErrorKind::Unavailable),
        (b"*0\r\n", ErrorKind::Damaged),
        (b"*2\r\n$1\r\na\r\n$1\r\nb\r\n", ErrorKind::Damaged),
        (b"*1\r\n*2\r\n$1\r\nz\r\n$1\r\nb\r\n", ErrorKind::Damaged),
        (b"*1000000000\r\n", ErrorKind::Deadline),
        (b"$536870912\r\nbegun", ErrorKind::Deadline),
        (b"-LOADING Redis is loading the dataset in memory\r\n", ErrorKind::Unavailable),
        (b"-\xff\xff\r\n", ErrorKind::Unavailable),
    ] {
        assert_eq!(lied_to(reply, false).await, expected, "{}", reply.escape_ascii());
    }
}

#[tokio::test]
async fn endless_answers_are_cut() {
    assert_eq!(lied_to(b"$536870912\r\n", true).await, ErrorKind::Unavailable);
    assert_eq!(lied_to(b"+", true).await, ErrorKind::Unavailable);
}

#[tokio::test]
async fn a_silent_server_is_an_error_in_time() {
    assert_eq!(lied_to(b"", false).await, ErrorKind::Deadline);
}

#[tokio::test]
async fn a_server_that_is_not_there_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    drop(listener);
    for url in [format!("unix://{}/none", dir.path().display()), format!("redis://127.0.0.1:{port}")] {
        let store = Store::shared(&url).unwrap();
        assert_eq!(kind(bucket(&store, "hook").get("key").await), ErrorKind::Unavailable);
        let unlimited = limited(&store, "hook", Limits::default().with_max_value(usize::MAX));
        assert_eq!(kind(unlimited.get_many(&["a", "b"]).await), ErrorKind::Unavailable);
    }
}
