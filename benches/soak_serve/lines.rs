//! The client of the server on pipes. Many requests are under way at once, and some of them are cancelled.

use crate::client::PATIENCE;
use crate::hooks::Question;
use serde_json::Value;
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Instant;

/// The maximum number of requests under way.
const UNDER_WAY: usize = 32;

/// A request that is under way.
pub(crate) struct Sent {
    pub(crate) question: Question,
    pub(crate) at: Instant,
    /// The last edit that an answer had shown by then.
    pub(crate) seen: u64,
    pub(crate) is_cancelled: bool,
}

/// The pipes of a server.
pub(crate) struct Lines {
    stdin: ChildStdin,
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    under_way: Mutex<HashMap<u64, Sent>>,
    changed: Condvar,
}

impl Lines {
    /// Takes the pipes of a server. `answered` is called with each answer that belongs to a request, and with an error
    /// for each that does not.
    pub(crate) fn new(child: &mut Child, answered: impl Fn(Result<(Sent, Value), String>) + Send + 'static) -> Self {
        let (stdin, stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let shared = Arc::new(Shared::default());
        let reader = Arc::clone(&shared);
        std::thread::spawn(move || reader.read(stdout, &answered));
        Lines { stdin, shared }
    }

    /// Sends a request, once few enough others are under way.
    pub(crate) fn ask(&mut self, id: u64, sent: Sent) -> Result<(), String> {
        let under_way = self.shared.under_way.lock().unwrap();
        let is_full = |under_way: &mut HashMap<u64, Sent>| under_way.len() >= UNDER_WAY;
        let (mut under_way, late) = self.shared.changed.wait_timeout_while(under_way, PATIENCE, is_full).unwrap();
        if late.timed_out() {
            return Err(format!("stdio: none of {UNDER_WAY} requests was answered within {PATIENCE:?}"));
        }
        let mut lines = format!("{{\"id\":{id},\"input\":{}}}\n", sent.question.input());
        if sent.is_cancelled {
            lines.push_str(&format!("{{\"id\":\"cancel-{id}\",\"cancel\":{id}}}\n"));
        }
        let _ = under_way.insert(id, Sent { at: Instant::now(), ..sent });
        drop(under_way);
        self.stdin.write_all(lines.as_bytes()).map_err(|error| format!("stdio: {error}"))
    }

    /// Waits until no request is under way.
    pub(crate) fn finish(&self) -> Result<(), String> {
        let under_way = self.shared.under_way.lock().unwrap();
        let is_any = |under_way: &mut HashMap<u64, Sent>| !under_way.is_empty();
        let (left, late) = self.shared.changed.wait_timeout_while(under_way, PATIENCE, is_any).unwrap();
        match late.timed_out() {
            true => Err(format!("stdio: {} requests were not answered within {PATIENCE:?}", left.len())),
            false => Ok(()),
        }
    }
}

impl Shared {
    fn read(&self, stdout: ChildStdout, answered: &dyn Fn(Result<(Sent, Value), String>)) {
        for line in BufReader::new(stdout).lines().map_while(Result::ok) {
            let Ok(mut answer) = serde_json::from_str::<Value>(&line) else {
                answered(Err(format!("stdio: a line that is not JSON: {line}")));
                continue;
            };
            if answer["cancelled"].is_boolean() && answer["id"].is_string() {
                continue;
            }
            let sent = answer["id"].as_u64().and_then(|id| self.under_way.lock().unwrap().remove(&id));
            match sent {
                Some(sent) => answered(Ok((sent, answer["outcome"].take()))),
                None => answered(Err(format!("stdio: an answer that nobody waits for: {line}"))),
            }
            self.changed.notify_all();
        }
    }
}
