//! The server of `--stdio`: requests are lines of stdin, answers are lines of stdout.

use super::eager::Eager;
use super::lines::{Line, Lines};
use super::out::Out;
use super::parent;
use super::request::{self, Id, Refused, Request, What};
use super::service::{Asked, Service};
use crate::cli::{Exit, hook, run};
use anyhow::Context;
use hookbox::agent::{self, Environment, MAX_PAYLOAD_BYTES, Reply};
use hookbox::record::Via;
use hookbox::runtime::Cancel;
use hookbox::{Caller, Code};
use std::collections::HashMap;
use std::fs::File;
use std::future::Future;
use std::io;
use std::os::fd::AsFd;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context as Poller, Poll, Waker};
use std::time::{Duration, Instant};
use tokio::runtime::Handle;

/// The maximum length of a line, in bytes: the largest payload of an agent, and room for what is around it.
const MAX_LINE: usize = MAX_PAYLOAD_BYTES + (64 << 10);

/// The maximum number of requests under way.
const MAX_IN_FLIGHT: usize = 256;

/// How long requests under way may take after the end of stdin, or after a signal that asks this process to end.
const LAST_TIME: Duration = Duration::from_secs(10);

/// How long cancelled requests may take: a hook's process gets a signal to end, and is then killed.
const CANCEL_TIME: Duration = Duration::from_secs(1);

/// Answers requests until stdin ends.
pub(super) fn serve(service: &Arc<Service>) -> anyhow::Result<Exit> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().context("no runtime")?;
    let stdout = File::from(io::stdout().as_fd().try_clone_to_owned().context("stdout is closed")?);
    let out = Out::start(stdout).context("no thread for the answers")?;
    let session = Session {
        service: Arc::clone(service),
        out: out.clone(),
        under_way: Arc::default(),
        is_ending: Arc::default(),
        ends: Arc::default(),
        runtime: runtime.handle().clone(),
        environment: Arc::new(hook::environment()),
    };
    let orphan = session.clone();
    parent::watch(move || {
        tracing::info!("the parent has gone");
        orphan.end(Duration::ZERO);
        std::process::exit(0);
    });
    let signalled = session.clone();
    let _ = std::thread::Builder::new().name("hookbox-signals".to_owned()).spawn(move || {
        let last_time = signalled.runtime.block_on(async {
            tokio::select! {
                signal = run::interrupted() => {
                    tracing::info!(signal, "ending");
                    LAST_TIME
                }
                // If answers cannot be written, nobody is waiting for them.
                () = signalled.out.gone() => Duration::ZERO,
            }
        });
        signalled.end(last_time);
        std::process::exit(0);
    });
    let stdin = File::from(io::stdin().as_fd().try_clone_to_owned().context("stdin is closed")?);
    let mut lines = Lines::new(Eager::new(stdin), MAX_LINE);
    let mut ended = Ok(Exit::Success);
    while out.wait_for_room() {
        let line = match lines.next() {
            Ok(line) => line,
            Err(error) => {
                // The requests under way are still answered.
                ended = Err(error).context("stdin cannot be read");
                break;
            }
        };
        match line {
            Some(Line::Whole(line)) if line.trim_ascii().is_empty() => {}
            Some(Line::Whole(line)) => session.answer(line),
            Some(Line::TooLong(beginning)) => {
                session.refuse(request::refused(beginning, format!("the line has more than {MAX_LINE} bytes")));
            }
            Some(Line::Half(line)) => session.refuse(request::refused(line, "stdin ended within a line".to_owned())),
            None => break,
        }
    }
    session.end(if out.wait_for_room() { LAST_TIME } else { Duration::ZERO });
    runtime.shutdown_background();
    ended
}

#[derive(Clone)]
struct Session {
    service: Arc<Service>,
    out: Out,
    under_way: Arc<Mutex<HashMap<Id, Cancel>>>,
    /// Whether no further requests are taken.
    is_ending: Arc<AtomicBool>,
    /// The lock that the thread that ends the session holds.
    ends: Arc<Mutex<()>>,
    runtime: Handle,
    /// The environment that `hookbox hook` would have if the client started it.
    environment: Arc<Environment>,
}

type Answer = Pin<Box<dyn Future<Output = ()> + Send>>;

impl Session {
    fn answer(&self, line: &[u8]) {
        let request = match request::read(line) {
            Ok(request) => request,
            Err(refused) => return self.refuse(refused),
        };
        let Request { id, what, project, deadline_ms } = request;
        match &what {
            What::Ping => return self.out.send(request::pong(&id)),
            What::Cancel(of) => {
                let under_way = lock(&self.under_way).get(of).map(Cancel::cancel);
                return self.out.send(request::cancelled(&id, under_way.is_some()));
            }
            What::Decide(_) | What::Reply { .. } => {}
        }
        let caller = match self.begin(&id) {
            Ok(caller) => caller,
            Err(message) => {
                let reply = match &what {
                    What::Reply { agent, .. } => veto(agent, Code::Dropped, &message),
                    _ => None,
                };
                return self.out.send(request::error(Some(&id), Code::Dropped, &message, reply.as_ref()));
            }
        };
        let agent = match &what {
            What::Reply { agent, .. } => Some(agent.to_string()),
            _ => None,
        };
        let due = Due { id, agent, under_way: Arc::clone(&self.under_way), out: self.out.clone(), is_sent: false };
        let service = Arc::clone(&self.service);
        let project = project.map(std::borrow::Cow::into_owned);
        let answer: Answer = match what {
            What::Reply { agent, payload } => {
                let (agent, payload) = (agent.into_owned(), payload.to_owned());
                let environment = Arc::clone(&self.environment);
                Box::pin(async move {
                    let asked = Asked { project: project.as_deref(), deadline_ms, via: Via::Stdio };
                    let line = match service.reply(&agent, payload.as_bytes(), &environment, asked, caller).await {
                        Some(reply) => request::reply(&due.id, &reply),
                        None => {
                            let message = format!("there is no agent {agent:?}");
                            request::error(Some(&due.id), Code::Usage, &message, None)
                        }
                    };
                    due.send(line);
                })
            }
            What::Decide(input) => {
                let input = input.to_owned();
                Box::pin(async move {
                    let asked = Asked { project: project.as_deref(), deadline_ms, via: Via::Stdio };
                    let outcome = service.decide(&input, asked, caller).await;
                    let line = request::outcome(&due.id, &outcome);
                    due.send(line);
                })
            }
            What::Ping | What::Cancel(_) => return,
        };
        self.run(answer);
    }

    /// Runs the answer on this thread as far as it gets without waiting, which is enough for a pure hook. The rest runs
    /// in the runtime, so that the next line does not have to wait.
    fn run(&self, mut answer: Answer) {
        let inside = self.runtime.enter();
        let mut poller = Poller::from_waker(Waker::noop());
        let polled = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| answer.as_mut().poll(&mut poller)));
        drop(inside);
        // After a panic, dropping the answer's [`Due`] reports the crash.
        if matches!(polled, Ok(Poll::Pending)) {
            drop(self.runtime.spawn(answer));
        }
    }

    /// Registers a request as under way.
    fn begin(&self, id: &Id) -> Result<Caller, String> {
        let mut under_way = lock(&self.under_way);
        if self.is_ending.load(Ordering::Acquire) {
            return Err("hookbox is ending".to_owned());
        }
        if under_way.contains_key(id) {
            return Err("another request with this id is under way".to_owned());
        }
        if under_way.len() >= MAX_IN_FLIGHT {
            return Err(format!("overloaded: {MAX_IN_FLIGHT} requests are under way"));
        }
        let (caller, cancel) = Caller::cancellable();
        under_way.insert(id.clone(), cancel);
        Ok(caller)
    }

    fn refuse(&self, Refused { id, agent, message }: Refused) {
        let reply = agent.and_then(|name| veto(&name, Code::InputSyntax, &message));
        self.out.send(request::error(id.as_ref(), Code::InputSyntax, &message, reply.as_ref()));
    }

    /// Takes no further requests, and ends those under way. They first get time to answer and are then cancelled, so
    /// that no process of a hook is left.
    fn end(&self, last_time: Duration) {
        let _one_at_a_time = self.ends.lock().unwrap_or_else(PoisonError::into_inner);
        self.is_ending.store(true, Ordering::Release);
        self.wait_until_idle(last_time);
        lock(&self.under_way).values().for_each(Cancel::cancel);
        self.wait_until_idle(CANCEL_TIME);
        self.runtime.block_on(self.service.close());
        // A client that does not read its last answers must not keep this process alive.
        self.out.flush(last_time);
    }

    fn wait_until_idle(&self, most: Duration) {
        let end = Instant::now() + most;
        while !lock(&self.under_way).is_empty() && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

/// The answer that is due to a request under way. If this value is dropped without an answer, as after a panic, it
/// sends a deny.
struct Due {
    id: Id,
    agent: Option<String>,
    under_way: Arc<Mutex<HashMap<Id, Cancel>>>,
    out: Out,
    is_sent: bool,
}

impl Due {
    fn send(mut self, line: String) {
        self.is_sent = true;
        self.deliver(line);
    }

    /// Sends the answer. The client may use the id again as soon as it has the answer, and the process may end as soon as
    /// nothing is under way, so sending it and freeing the id must be one step.
    fn deliver(&self, line: String) {
        let mut under_way = lock(&self.under_way);
        under_way.remove(&self.id);
        self.out.send(line);
    }
}

impl Drop for Due {
    fn drop(&mut self) {
        if !self.is_sent {
            let message = "hookbox crashed; please report it";
            let reply = self.agent.as_deref().and_then(|agent| veto(agent, Code::Internal, message));
            self.deliver(request::error(Some(&self.id), Code::Internal, message, reply.as_ref()));
        }
    }
}

fn lock(under_way: &Mutex<HashMap<Id, Cancel>>) -> MutexGuard<'_, HashMap<Id, Cancel>> {
    under_way.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns a deny in an agent's own format.
fn veto(agent: &str, code: Code, message: &str) -> Option<Reply> {
    agent::by_name(agent).map(|agent| agent.veto(&format!("{code}: {message}")))
}
