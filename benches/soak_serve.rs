//! Asks two running `hookbox serve`, one on a Unix socket with 64 connections and one on pipes, while their config
//! changes every second and some of their hooks misbehave. Every answer must be right for the config that was in force,
//! and the servers must not hold more resources at the end than at the beginning.
//!
//! ```sh
//! cargo xtask soak --serve [--quick] [--seconds N] [--connections N]
//! ```

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    reason = "it is a program for a terminal, and one that cannot measure has nothing to say"
)]

#[path = "soak_serve/client.rs"]
mod client;
#[allow(dead_code, unreachable_pub, reason = "the tests use all of it")]
#[path = "../tests/suite/support/component.rs"]
mod component;
#[path = "soak_serve/config.rs"]
mod config;
#[path = "soak_serve/hooks.rs"]
mod hooks;
#[path = "soak_serve/lines.rs"]
mod lines;
#[path = "soak_serve/options.rs"]
mod options;
#[path = "soak_serve/report.rs"]
mod report;
#[path = "soak_serve/server.rs"]
mod server;

use client::Connection;
use config::Config;
use hooks::Question;
use lines::{Lines, Sent};
use options::Options;
use serde_json::Value;
use server::{Held, Server};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{scope, sleep};
use std::time::{Duration, Instant};

const EDIT_EVERY: Duration = Duration::from_secs(1);
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// The number of directories that agents work in, in addition to that of the server. Each directory has its own hooks
/// in the server.
const PROJECTS: usize = 3;

/// The interval between requests whose connection is closed before the answer arrives.
const LEAVE: u64 = 211;
/// The interval between requests over pipes that are cancelled.
const CANCEL: u64 = 53;

/// A run and its findings.
struct Soak {
    config: Config,
    next: AtomicU64,
    answers: AtomicU64,
    wrong: AtomicU64,
    left: AtomicU64,
    /// The number of answers that said that the config cannot be used.
    warned: AtomicU64,
    complaints: Mutex<Vec<String>>,
    /// The microseconds that each answer to a question for a good hook took, over HTTP.
    took: Mutex<Vec<u32>>,
    /// The number of the last edit that an answer showed, for each project over HTTP, and over pipes.
    seen: [AtomicU64; PROJECTS + 2],
    is_over: AtomicBool,
}

fn main() -> ExitCode {
    let options = match Options::of_program() {
        Ok(options) => options,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::FAILURE;
        }
    };
    let home = tempfile::tempdir().unwrap();
    let projects = projects(home.path());
    let soak = Arc::new(Soak {
        config: Config::new(home.path()),
        next: AtomicU64::new(0),
        answers: AtomicU64::new(0),
        wrong: AtomicU64::new(0),
        left: AtomicU64::new(0),
        warned: AtomicU64::new(0),
        complaints: Mutex::default(),
        took: Mutex::default(),
        seen: Default::default(),
        is_over: AtomicBool::new(false),
    });
    let start = |name| Server::start(name, &options.hookbox, home.path(), &soak.config.file());
    let mut servers = [start("unix"), start("stdio")];
    let mut connections: Vec<Connection> =
        (0..options.connections).map(|_| Connection::open(&servers[0].socket)).collect();
    let told = Arc::clone(&soak);
    let mut lines = Lines::new(&mut servers[1].child, move |answer| match answer {
        Ok((sent, outcome)) => told.check_line(&sent, &outcome),
        Err(complaint) => told.complain(complaint),
    });

    let mut phase = |time: Duration| soak.phase(time, &servers, &mut connections, &mut lines, &projects);
    let started = Instant::now();
    phase(options.warm_up());
    let before = [servers[0].settled(None), servers[1].settled(None)];
    let (warm, answered) = (started.elapsed(), soak.answers.load(Ordering::SeqCst));
    soak.took.lock().unwrap().clear();
    eprintln!("warm after {warm:.0?} and {answered} answers");
    let started = Instant::now();
    let samples = phase(options.time);
    let elapsed = started.elapsed();
    let after = [0, 1].map(|place| servers[place].settled(Some(&before[place])));
    let answers = soak.answers.load(Ordering::SeqCst) - answered;
    report::print(&report::Run { soak: &soak, home: home.path(), answers, elapsed, samples, before, after })
}

fn projects(home: &Path) -> Vec<PathBuf> {
    let dirs = (0..PROJECTS).map(|number| home.join(format!("project-{number}")));
    dirs.inspect(|dir| std::fs::create_dir(dir).unwrap()).collect()
}

impl Soak {
    /// Asks for this long, and returns the resources that each server held meanwhile.
    fn phase(
        self: &Arc<Self>,
        time: Duration,
        servers: &[Server; 2],
        connections: &mut [Connection],
        lines: &mut Lines,
        projects: &[PathBuf],
    ) -> [Vec<Held>; 2] {
        let end = Instant::now() + time;
        let mut samples = [Vec::new(), Vec::new()];
        scope(|threads| {
            for (place, connection) in connections.iter_mut().enumerate() {
                threads.spawn(move || {
                    let project = place % (PROJECTS + 1);
                    while Instant::now() < end && !self.is_over() {
                        self.ask(connection, project, projects.get(project).map(PathBuf::as_path));
                    }
                });
            }
            threads.spawn(move || {
                while Instant::now() < end && !self.is_over() {
                    self.ask_over_pipes(lines);
                }
                let _ = lines.finish().map_err(|complaint| self.give_up(complaint));
            });
            threads.spawn(move || {
                while Instant::now() < end {
                    sleep(EDIT_EVERY);
                    self.config.edit();
                }
            });
            while Instant::now() < end {
                sleep(LOOK_EVERY);
                servers.iter().zip(&mut samples).for_each(|(server, samples)| samples.push(server.held()));
            }
        });
        self.config.rest();
        sleep(EDIT_EVERY * 2);
        // Ask once for each place, so that those that would read the last edit only with their next event read it now.
        for place in 0..=PROJECTS {
            self.ask(&mut connections[0], place, projects.get(place).map(PathBuf::as_path));
        }
        samples
    }

    fn ask(&self, connection: &mut Connection, place: usize, project: Option<&Path>) {
        let number = self.next.fetch_add(1, Ordering::SeqCst);
        let question = Question::of(number);
        if number.is_multiple_of(LEAVE) {
            connection.leave(&question.input());
            self.left.fetch_add(1, Ordering::Relaxed);
            return;
        }
        let (seen, sent) = (self.seen[place].load(Ordering::SeqCst), Instant::now());
        match connection.ask(&question.input(), project) {
            Ok(outcome) => self.check(&question, &outcome, sent, seen, place),
            Err(error) => return self.give_up(format!("{question:?} after {:.1?}: {error}", sent.elapsed())),
        }
        if matches!(question.tool(), "bash" | "calm") {
            self.took.lock().unwrap().push(u32::try_from(sent.elapsed().as_micros()).unwrap_or(u32::MAX));
        }
    }

    fn ask_over_pipes(&self, lines: &mut Lines) {
        let number = self.next.fetch_add(1, Ordering::SeqCst);
        let seen = self.seen[PROJECTS + 1].load(Ordering::SeqCst);
        let is_cancelled = number.is_multiple_of(CANCEL);
        let sent = Sent { question: Question::of(number), at: Instant::now(), seen, is_cancelled };
        let _ = lines.ask(number, sent).map_err(|complaint| self.give_up(complaint));
    }

    fn check_line(&self, sent: &Sent, outcome: &Value) {
        let is_given_up = outcome["reason"].as_str().is_some_and(|reason| reason.starts_with("E113"));
        if sent.is_cancelled && is_given_up && outcome["decision"] == "deny" {
            self.answers.fetch_add(1, Ordering::SeqCst);
            return;
        }
        self.check(&sent.question, outcome, sent.at, sent.seen, PROJECTS + 1);
    }

    fn check(&self, question: &Question, outcome: &Value, sent: Instant, seen: u64, place: usize) {
        self.answers.fetch_add(1, Ordering::SeqCst);
        if outcome["warnings"].as_array().is_some_and(|all| all.iter().any(|warning| warning["code"] == "E502")) {
            self.warned.fetch_add(1, Ordering::Relaxed);
        }
        let complaint = match hooks::edit_of(outcome) {
            None => Some(format!("{question:?}: no config was in force: {outcome}")),
            Some(edit) => match self.config.in_force(edit, sent, seen) {
                Ok(edit) => {
                    self.seen[place].fetch_max(edit.number, Ordering::SeqCst);
                    question.complaint(&edit, outcome)
                }
                Err(complaint) => Some(format!("{question:?}: {complaint}")),
            },
        };
        complaint.into_iter().for_each(|complaint| self.complain(complaint));
    }

    fn complain(&self, complaint: String) {
        self.wrong.fetch_add(1, Ordering::SeqCst);
        let mut complaints = self.complaints.lock().unwrap();
        // The first few complaints are informative enough.
        if complaints.len() < 20 {
            complaints.push(complaint);
        }
    }

    /// Ends the run, because a server has ended or hangs.
    fn give_up(&self, complaint: String) {
        self.complain(complaint);
        self.is_over.store(true, Ordering::SeqCst);
    }

    fn is_over(&self) -> bool {
        self.is_over.load(Ordering::SeqCst)
    }
}
