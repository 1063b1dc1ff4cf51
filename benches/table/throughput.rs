//! Measures `hookbox serve` under the load of many connections, and compares it with the same load on `hookbox run`.

use crate::ask::INPUT;
use crate::processes::Prepared;
use crate::row::{Figure, Goal, Unit, in_turns, print, print_missing};
use crate::served::serve;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

const CONNECTIONS: usize = 64;

const ROUNDS: usize = 10;

/// The time for which each side is loaded in a round.
const TIME: Duration = Duration::from_millis(500);

/// The time of a round that measures the slowest call in a hundred, for the side that makes few calls.
const SLOW_TIME: Duration = Duration::from_secs(3);

const CALLS: &str = "calls in a second from 64 connections to hookbox serve / the same to hookbox run";
const P99: &str = "p99 from 64 connections at half of that load / the same of hookbox run";

pub(crate) fn rows(wanted: &dyn Fn(&str) -> bool, hookbox: Option<&Path>) {
    let rows: Vec<&str> = [CALLS, P99].into_iter().filter(|row| wanted(row)).collect();
    if rows.is_empty() {
        return;
    }
    let (prepared, server) = match Prepared::new(hookbox, &["rule.wasm"]).and_then(|prepared| {
        let server = Serving::start(&prepared)?;
        Ok((prepared, server))
    }) {
        Ok(started) => started,
        Err(why) => return rows.into_iter().for_each(|row| print_missing(row, &why)),
    };
    // Each thread has its own connection, which stays open.
    let mut connections: Vec<Connection> = (0..CONNECTIONS).map(|_| Connection::open(&server.socket)).collect();
    let mut spawners: Vec<&Prepared<'_>> = (0..CONNECTIONS).map(|_| &prepared).collect();
    let figures =
        in_turns(ROUNDS, [&mut || calls_in_a_second(&mut connections), &mut || calls_in_a_second(&mut spawners)]);
    if wanted(CALLS) {
        print(CALLS, Unit::Count, figures, Goal::AtLeast(10.0));
    }
    if wanted(P99) {
        let [served, run] = figures.map(|figure| figure.median() / 2.0);
        let served = (0..ROUNDS).map(|_| p99(&mut connections, served, TIME)).collect();
        let run = (0..ROUNDS / 3).map(|_| p99(&mut spawners, run, SLOW_TIME)).collect();
        print(P99, Unit::Nanoseconds, [served, run].map(Figure::of), Goal::AtMost(0.5));
    }
}

/// A caller that makes one call after another.
trait Caller: Send {
    fn call(&mut self);
}

impl Caller for &Prepared<'_> {
    fn call(&mut self) {
        self.run();
    }
}

/// Counts the calls per second if each caller makes its next call as soon as the last one is answered.
fn calls_in_a_second(callers: &mut [impl Caller]) -> f64 {
    let started = Instant::now();
    let end = started + TIME;
    let calls: u32 = thread::scope(|scope| {
        let start = |caller: &mut dyn Caller| {
            let mut calls = 0;
            while Instant::now() < end {
                caller.call();
                calls += 1;
            }
            calls
        };
        let threads: Vec<_> = callers.iter_mut().map(|caller| scope.spawn(move || start(caller))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    f64::from(calls) / started.elapsed().as_secs_f64()
}

/// Returns the time that one call in a hundred exceeds, in nanoseconds, if `rate` calls begin per second. Each call is
/// measured from the time when it should begin, so a call that waits for a slow one before it counts as slow, too.
fn p99(callers: &mut [impl Caller], rate: f64, time: Duration) -> f64 {
    let apart = Duration::from_secs_f64(callers.len() as f64 / rate);
    let started = Instant::now();
    let mut took: Vec<f64> = thread::scope(|scope| {
        let one = |place: u32, caller: &mut dyn Caller| {
            let mut took = Vec::new();
            let mut due = started + apart / u32::try_from(CONNECTIONS).unwrap() * place;
            while due < started + time {
                thread::sleep(due.saturating_duration_since(Instant::now()));
                caller.call();
                took.push(due.elapsed().as_nanos() as f64);
                due += apart;
            }
            took
        };
        let threads: Vec<_> =
            (0..).zip(callers.iter_mut()).map(|(place, caller)| scope.spawn(move || one(place, caller))).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    took.sort_unstable_by(f64::total_cmp);
    took[took.len() * 99 / 100]
}

/// A server on a Unix socket.
struct Serving {
    process: std::process::Child,
    socket: PathBuf,
}

impl Serving {
    fn start(prepared: &Prepared<'_>) -> Result<Self, String> {
        let socket = prepared.home().join("hookbox.sock");
        let (process, _) = serve(prepared, &prepared.config(), &format!("unix:{}", socket.display()))?;
        Ok(Serving { process, socket })
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A connection over HTTP/1.1.
struct Connection {
    stream: BufReader<UnixStream>,
    request: String,
    answer: Vec<u8>,
}

impl Connection {
    fn open(socket: &Path) -> Self {
        let body = format!(r#"{{"input":{INPUT}}}"#);
        let head = format!("POST /v1/decide HTTP/1.1\r\nHost: localhost\r\nContent-Length: {}\r\n\r\n", body.len());
        let stream = BufReader::new(UnixStream::connect(socket).unwrap());
        Connection { stream, request: head + &body, answer: Vec::new() }
    }
}

impl Caller for Connection {
    fn call(&mut self) {
        self.stream.get_mut().write_all(self.request.as_bytes()).unwrap();
        let (mut line, mut length) = (String::new(), 0);
        loop {
            line.clear();
            self.stream.read_line(&mut line).unwrap();
            let line = line.trim_end();
            if line.is_empty() {
                break;
            }
            if let Some(value) = line.strip_prefix("content-length: ") {
                length = value.parse().unwrap();
            }
        }
        self.answer.resize(length, 0);
        self.stream.read_exact(&mut self.answer).unwrap();
        let is_allowed = memchr::memmem::find(&self.answer, br#""decision":"allow""#).is_some();
        assert!(is_allowed, "{}", String::from_utf8_lossy(&self.answer));
    }
}
