//! Tests of the shared store with a real server, which may also fail.

use crate::contract::contract;
use crate::support::{bucket, kind, limited, namespace, skip, soon};
use hookbox_store::{Error, ErrorKind, Limits, Store, Swapped};
use rustix::process::{Pid, Signal, kill_process};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

contract!(Server::start(&[]));

/// The variable that names a directory with a `valkey-server` or `redis-server` that is not in `PATH`.
const PLACE: &str = "HOOKBOX_REDIS_SERVER";

/// A server that ends with the test.
pub struct Server {
    pub store: Store,
    process: Child,
    args: Vec<String>,
    dir: TempDir,
}

/// Finds the server's program, if this machine has one.
pub fn program() -> Option<PathBuf> {
    let dirs = [std::env::var_os(PLACE), std::env::var_os("PATH")].into_iter().flatten();
    let dirs: Vec<PathBuf> =
        dirs.flat_map(|paths: OsString| std::env::split_paths(&paths).collect::<Vec<_>>()).collect();
    let found = dirs.iter().flat_map(|dir| ["valkey-server", "redis-server"].map(|name| dir.join(name)));
    let program = { found }.find(|path| path.is_file());
    if program.is_none() {
        skip("there is no `valkey-server` or `redis-server`, in `PATH` or in `HOOKBOX_REDIS_SERVER`");
    }
    program
}

impl Server {
    /// Starts a server with these additional settings. Returns `None` if this machine has no server.
    fn start(args: &[&str]) -> Option<Self> {
        Server::start_as("", args)
    }

    /// Starts a server whose URL has a user and a password in its query.
    fn start_as(login: &str, args: &[&str]) -> Option<Self> {
        let program = program()?;
        let dir = tempfile::tempdir().unwrap();
        let socket = dir.path().join("socket").display().to_string();
        let fixed = ["--port", "0", "--unixsocket", &socket, "--unixsocketperm", "700", "--save", "", "--appendonly"];
        let defaults = ["no", "--maxmemory", "64mb", "--maxmemory-policy", "noeviction"];
        let args: Vec<String> = fixed.iter().chain(&defaults).chain(args).map(|&arg| arg.to_owned()).collect();
        let store = Store::shared(&format!("unix://{socket}{login}")).unwrap();
        let process = spawn(&program, &args, dir.path());
        Some(Server { store, process, args, dir })
    }

    fn socket(&self) -> PathBuf {
        self.dir.path().join("socket")
    }

    /// Runs a command on the server, bypassing the store.
    fn command(&self, words: &[&str]) -> redis::Value {
        let client = redis::Client::open(format!("unix://{}", self.socket().display())).unwrap();
        let mut command = redis::cmd(words[0]);
        command.arg(&words[1..]);
        command.query(&mut client.get_connection().unwrap()).unwrap()
    }

    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.process), signal).unwrap();
    }

    fn kill(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
        let _ = std::fs::remove_file(self.socket());
    }

    fn restart(&mut self) {
        self.process = spawn(&program().unwrap(), &self.args, self.dir.path());
    }

    /// Returns the key in which the server keeps the only namespace.
    fn only_key(&self) -> String {
        let keys: Vec<String> = redis::from_redis_value(self.command(&["KEYS", "hb:1:*"])).unwrap();
        assert_eq!(keys.len(), 1);
        keys[0].clone()
    }
}

fn spawn(program: &Path, args: &[String], dir: &Path) -> Child {
    let mut command = Command::new(program);
    command.args(args).current_dir(dir).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut process = command.spawn().unwrap();
    for _ in 0..500 {
        if std::os::unix::net::UnixStream::connect(dir.join("socket")).is_ok() {
            return process;
        }
        assert!(process.try_wait().unwrap().is_none(), "the server ended");
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("the server does not answer");
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[tokio::test]
async fn a_stopped_server_is_an_error_in_time() {
    let Some(server) = Server::start(&[]) else { return };
    let warm = bucket(&server.store, "hook");
    warm.increment("counter", 1).await.unwrap();
    server.signal(Signal::STOP);
    let brief = || {
        let deadline = Instant::now() + Duration::from_millis(200);
        server.store.bucket(&namespace("hook"), Limits::default(), deadline)
    };
    // The first call has an open connection, and each further call makes a new one.
    for _ in 0..3 {
        assert_eq!(kind(brief().increment("counter", 1).await), ErrorKind::Deadline);
    }
    assert_eq!(kind(warm.get("counter").await), ErrorKind::Unavailable, "patience ends before a far deadline");
    server.signal(Signal::CONT);
    let value = warm.increment("counter", 0).await.unwrap();
    assert!((1..=4).contains(&value), "each may have been carried out once: {value}");
}

#[tokio::test]
async fn a_server_that_ends_is_an_error_and_good_again_after_its_restart() {
    let Some(mut server) = Server::start(&[]) else { return };
    let bucket = bucket(&server.store, "hook");
    bucket.increment("counter", 1).await.unwrap();
    server.kill();
    for _ in 0..3 {
        assert_eq!(kind(bucket.increment("counter", 1).await), ErrorKind::Unavailable);
    }
    server.restart();
    assert_eq!(bucket.increment("counter", 1).await.unwrap(), 1, "this server keeps nothing");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_counted_twice_when_connections_break() {
    let Some(server) = Server::start(&["--save", "3600 1"]) else { return };
    let tasks: Vec<_> = (0..8)
        .map(|_| {
            let bucket = bucket(&server.store, "hook");
            tokio::spawn(async move {
                let (mut sent, mut done) = (0, 0);
                for _ in 0..200 {
                    sent += 1;
                    match bucket.increment("counter", 1).await {
                        Ok(_) => done += 1,
                        Err(error) => assert_eq!(error.kind(), ErrorKind::Unavailable, "{error}"),
                    }
                }
                (sent, done)
            })
        })
        .collect();
    for _ in 0..10 {
        server.command(&["CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"]);
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let (mut sent, mut done) = (0, 0);
    for task in tasks {
        let (task_sent, task_done) = task.await.unwrap();
        sent += task_sent;
        done += task_done;
    }
    let value = bucket(&server.store, "hook").increment("counter", 0).await.unwrap();
    assert!(value >= done && value <= sent, "{done} <= {value} <= {sent}");
}

#[tokio::test]
async fn forgotten_scripts_are_sent_again() {
    let Some(server) = Server::start(&[]) else { return };
    let bucket = bucket(&server.store, "hook");
    for round in 1..4 {
        assert_eq!(bucket.increment("counter", 1).await.unwrap(), round);
        server.command(&["SCRIPT", "FLUSH"]);
    }
}

#[tokio::test]
async fn foreign_and_damaged_data_are_refused_and_kept() {
    let Some(server) = Server::start(&[]) else { return };
    let bucket = bucket(&server.store, "hook");
    bucket.increment("counter", 1).await.unwrap();
    let key = server.only_key();
    server.command(&["HSET", &key, "kcounter", "short"]);
    assert_eq!(kind(bucket.get("counter").await), ErrorKind::Damaged);
    assert_eq!(kind(bucket.increment("counter", 1).await), ErrorKind::Damaged);
    server.command(&["DEL", &key]);
    server.command(&["SET", &key, "foreign"]);
    assert_eq!(kind(bucket.get("counter").await), ErrorKind::Damaged);
    assert_eq!(kind(bucket.increment("counter", 1).await), ErrorKind::Damaged);
    assert_eq!(kind(bucket.list_keys(None).await), ErrorKind::Damaged);
    assert_eq!(kind(server.store.usage(soon()).await), ErrorKind::Damaged);
    assert_eq!(server.command(&["GET", &key]), redis::Value::BulkString(b"foreign".to_vec()));
    server.command(&["DEL", &key]);
    assert_eq!(bucket.increment("counter", 1).await.unwrap(), 1);
}

#[tokio::test]
async fn other_data_on_the_server_is_left_alone() {
    let Some(server) = Server::start(&[]) else { return };
    for number in 0..100 {
        server.command(&["SET", &format!("hb:2:{number}"), "other"]);
    }
    bucket(&server.store, "hook").increment("counter", 1).await.unwrap();
    assert_eq!(server.store.usage(soon()).await.unwrap().len(), 1);
    server.store.clear(&namespace("hook"), soon()).await.unwrap();
    assert_eq!(server.command(&["DBSIZE"]), redis::Value::Int(100));
}

#[tokio::test]
async fn passwords_are_needed_and_not_shown() {
    let Some(right) = Server::start_as("?pass=open-sesame", &["--requirepass", "open-sesame"]) else { return };
    bucket(&right.store, "hook").increment("counter", 1).await.unwrap();
    let url = |login: &str| format!("unix://{}{login}", right.socket().display());
    for login in ["", "?pass=wrong-sesame", "?user=nobody&pass=wrong-sesame"] {
        let store = Store::shared(&url(login)).unwrap();
        let error = bucket(&store, "hook").get("counter").await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Denied, "{error}");
        assert_no_secret(&[format!("{error} {error:?} {}", error.for_guest()), format!("{store:?}")]);
    }
    assert_no_secret(&[format!("{:?} {:?}", right.store, bucket(&right.store, "hook"))]);
}

pub fn assert_no_secret(texts: &[String]) {
    for text in texts {
        assert!(!text.contains("sesame"), "{text}");
    }
}

#[tokio::test]
async fn wrong_urls_are_refused_without_repeating_them() {
    for url in [
        "",
        "redis",
        "http://u:sesame@host",
        "redis://u:sesame@host:port",
        "redis://:sesame@",
        "redis://:sesame@host/x",
        "rediss://:sesame@host/#insecure",
        "redis://:sesame@0.0.0.0",
        "unix:sesame",
        "/run/sesame",
    ] {
        let error: Error = Store::shared(url).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Invalid, "{url}");
        assert_no_secret(&[error.to_string(), format!("{error:?}"), error.for_guest().to_owned()]);
    }
    for url in ["redis://h", "rediss://h:1/2", "valkey://u:p@h", "valkeys://h", "unix:///s", "redis+unix:///s?db=1"] {
        let store = Store::shared(url).unwrap();
        assert!(!format!("{store:?}").contains("p@"), "{store:?}");
    }
}

#[tokio::test]
async fn a_server_without_memory_is_full() {
    let Some(server) = Server::start(&["--maxmemory", "3mb"]) else { return };
    let bucket = limited(&server.store, "hook", Limits::default().with_quota(1 << 30));
    bucket.increment("counter", 1).await.unwrap();
    let mut written = 0;
    let error = loop {
        match bucket.set(&written.to_string(), &[7; 60_000]).await {
            Ok(()) => written += 1,
            Err(error) => break error,
        }
        assert!(written < 100);
    };
    assert_eq!(error.kind(), ErrorKind::Full, "{error}");
    // The server's memory use fluctuates, so small writes may still pass.
    let mut counter = 1;
    match bucket.increment("counter", 1).await {
        Ok(_) => counter += 1,
        Err(error) => assert_eq!(error.kind(), ErrorKind::Full, "{error}"),
    }
    assert_eq!(bucket.get("counter").await.unwrap(), Some(counter.to_string().into_bytes()));
    assert_eq!(bucket.get("0").await.unwrap(), Some(vec![7; 60_000]));
    server.command(&["CONFIG", "SET", "maxmemory", "1mb"]);
    assert!(bucket.delete("0").await.unwrap(), "deleting still works");
    server.command(&["CONFIG", "SET", "maxmemory", "64mb"]);
    assert_eq!(bucket.increment("counter", 1).await.unwrap(), counter + 1);
    assert_eq!(server.store.usage(soon()).await.unwrap()[0].keys, written);
}

#[tokio::test]
async fn a_replica_takes_no_writes() {
    let Some(server) = Server::start(&[]) else { return };
    let bucket = bucket(&server.store, "hook");
    bucket.increment("counter", 1).await.unwrap();
    server.command(&["REPLICAOF", "127.0.0.1", "1"]);
    assert_eq!(kind(bucket.increment("counter", 1).await), ErrorKind::Unavailable);
    server.command(&["REPLICAOF", "NO", "ONE"]);
    assert_eq!(bucket.increment("counter", 1).await.unwrap(), 2);
}

#[tokio::test]
async fn namespaces_end_with_their_entries() {
    let Some(server) = Server::start(&[]) else { return };
    let hour = limited(&server.store, "hook", Limits::default().with_ttl(Some(Duration::from_secs(3600))));
    let ttl = |server: &Server| match server.command(&["PTTL", &server.only_key()]) {
        redis::Value::Int(ms) => ms,
        other => panic!("{other:?}"),
    };
    hour.set("a", b"1").await.unwrap();
    assert!((3_500_000..=3_600_000).contains(&ttl(&server)));
    let minute = limited(&server.store, "hook", Limits::default().with_ttl(Some(Duration::from_secs(60))));
    minute.set("b", b"1").await.unwrap();
    assert!(ttl(&server) > 3_500_000, "the longest life counts");
    bucket(&server.store, "hook").set("c", b"1").await.unwrap();
    assert_eq!(ttl(&server), -1);
    hour.set("a", b"2").await.unwrap();
    assert_eq!(ttl(&server), -1);
    hour.delete_many(&["a", "b", "c"]).await.unwrap();
    assert_eq!(server.command(&["DBSIZE"]), redis::Value::Int(0));
}

#[tokio::test]
async fn a_store_outlives_the_runtime_that_connected_it() {
    let Some(server) = Server::start(&[]) else { return };
    for round in 1..4 {
        let store = server.store.clone();
        let work = async move { bucket(&store, "hook").increment("counter", 1).await.unwrap() };
        let run = || tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work);
        assert_eq!(std::thread::spawn(run).join().unwrap(), round);
    }
}

#[tokio::test]
async fn connections_are_few_and_end_with_the_store() {
    let Some(server) = Server::start(&[]) else { return };
    let store = Store::shared(&format!("unix://{}", server.socket().display())).unwrap();
    let tasks: Vec<_> = (0..64)
        .map(|_| {
            let bucket = bucket(&store, "hook");
            tokio::spawn(async move { bucket.increment("counter", 1).await.unwrap() })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    let clients = || {
        let list: String = redis::from_redis_value(server.command(&["CLIENT", "LIST"])).unwrap();
        list.lines().count() - 1
    };
    assert!((1..=8).contains(&clients()));
    drop(store);
    for _ in 0..500 {
        if clients() == 0 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("connections are left");
}

#[tokio::test]
async fn a_dropped_call_does_no_harm() {
    let Some(server) = Server::start(&[]) else { return };
    for _ in 0..50 {
        let bucket = bucket(&server.store, "hook");
        let call = tokio::spawn(async move { bucket.increment("counter", 1).await });
        tokio::task::yield_now().await;
        call.abort();
    }
    let bucket = bucket(&server.store, "hook");
    let value = bucket.increment("counter", 0).await.unwrap();
    let read = bucket.read("counter").await.unwrap();
    assert_eq!(read.value, Some(value.to_string().into_bytes()));
    assert_eq!(bucket.swap("counter", &read.version, b"x").await.unwrap(), Swapped::Done);
}
