//! Runs the cases of a file, some at a time.

use super::by_test;
use super::case::{After, Book, Case, Command};
use super::expect;
use crate::support::project::{Project, Ran, run};
use serde_json::Value;
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// How many letters `{BIG}` stands for.
const BIG: usize = 200_000;

/// Most cases wait for their hooks, not for the machine.
const THREADS: usize = 4;
/// No case takes this long.
const MAX_RUN: Duration = Duration::from_secs(60);

/// Runs every case of a file and panics with the list of those that failed.
#[track_caller]
pub fn check(dialect: &str, file: &str) {
    let book = Book::load(dialect, file);
    let failures = Mutex::new(Vec::new());
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..THREADS.min(book.case.len()) {
            scope.spawn(|| {
                while let Some((place, case)) = next_of(&book.case, &next) {
                    let faults = faults(dialect, case);
                    if !faults.is_empty() {
                        failures.lock().unwrap().push((place, case.name.as_str(), faults));
                    }
                }
            });
        }
    });
    let mut failures = failures.into_inner().unwrap();
    failures.sort_by_key(|(place, ..)| *place);
    for (place, row) in book.by_test.iter().enumerate() {
        if let Err(fault) = by_test::find(&row.test) {
            failures.push((book.case.len() + place, &row.name, vec![fault]));
        }
    }
    for (place, row) in book.out_of_scope.iter().enumerate() {
        if row.reason.trim().is_empty() {
            failures.push((book.case.len() + place, &row.name, vec!["no reason".to_owned()]));
        }
    }
    let mut report = String::new();
    for (_, name, faults) in &failures {
        write!(report, "\n\n{name}\n  {}", faults.join("\n  ")).unwrap();
    }
    assert!(
        failures.is_empty(),
        "{dialect}/{file}.toml: {} of {} rows fail{report}",
        failures.len(),
        book.names().count()
    );
}

fn next_of<'a>(cases: &'a [Case], next: &AtomicUsize) -> Option<(usize, &'a Case)> {
    let place = next.fetch_add(1, Ordering::Relaxed);
    cases.get(place).map(|case| (place, case))
}

/// What is wrong with the answer to a case; nothing if it is right.
fn faults(dialect: &str, case: &Case) -> Vec<String> {
    if !case.says_something() {
        return vec!["it expects nothing but the exit status 0".to_owned()];
    }
    let place = Place::of(dialect, case);
    let begin = Instant::now();
    let ran = place.run(if case.command == Command::Run { &["--answer"] } else { &[] });
    let took = begin.elapsed();

    let mut faults = Vec::new();
    if ran.status != case.exit {
        faults.push(format!("exit status: expected {}, got {}", case.exit, ran.status));
    }
    if case.within_ms.is_some_and(|limit| took > Duration::from_millis(limit)) {
        faults.push(format!("it took {took:?}"));
    }
    if case.command == Command::Run {
        match one_line(&ran) {
            Ok(answer) => place.compare(&answer, &mut faults),
            Err(fault) => faults.push(fault),
        }
    } else {
        place.compare_text(&ran, &mut faults);
    }
    place.check_files(&mut faults);
    if let Some(expected) = &case.outcome_has {
        let place = Place::of(dialect, case);
        let ran = place.run(&[]);
        if ran.status != case.exit {
            faults.push(format!("exit status without --answer: expected {}, got {}", case.exit, ran.status));
        }
        match one_line(&ran) {
            Ok(outcome) => expect::has("outcome", &place.json(expected), &outcome, &mut faults),
            Err(fault) => faults.push(fault),
        }
    }
    if !faults.is_empty() {
        faults.push(format!("stdout: {}", ran.stdout.trim_end()));
        faults.push(format!("stderr: {}", ran.stderr.trim_end()));
    }
    faults
}

fn one_line(ran: &Ran) -> Result<Value, String> {
    if ran.stdout.matches('\n').count() != 1 {
        return Err("stdout is not one line".to_owned());
    }
    serde_json::from_str(&ran.stdout).map_err(|error| format!("stdout is no JSON: {error}"))
}

/// The directory of one case.
struct Place<'a> {
    dialect: &'a str,
    case: &'a Case,
    project: Project,
    root: String,
}

impl<'a> Place<'a> {
    fn of(dialect: &'a str, case: &'a Case) -> Self {
        let project = Project::new().in_dir(&case.cwd);
        fs::create_dir_all(project.dir()).unwrap();
        let root = project.home().parent().unwrap().display().to_string();
        let dialect = case.dialect.as_deref().unwrap_or(dialect);
        let place = Place { dialect, case, project, root };
        for (path, text) in &case.files {
            place.project.write(path, place.fill(text));
        }
        for (path, text) in &case.scripts {
            place.project.executable(path, &place.fill(text));
        }
        place
    }

    /// The text with the directory in place of `{ROOT}`, and many letters in place of `{BIG}`.
    fn fill(&self, text: &str) -> String {
        text.replace("{ROOT}", &self.root).replace("{BIG}", &"x".repeat(BIG))
    }

    #[track_caller]
    fn json(&self, text: &str) -> Value {
        serde_json::from_str(&self.fill(text)).unwrap_or_else(|error| panic!("{}: {error}: {text}", self.case.name))
    }

    /// A config that is named stands where nobody would look for one.
    fn config(&self) -> Option<PathBuf> {
        let name = match self.dialect {
            "hygge" => "hooks.toml",
            "ok" => "settings.json",
            "ub" => "config.yaml",
            _ => "agent.yaml",
        };
        let text = self.case.config.as_ref()?;
        Some(self.project.write(&format!("project/named/{name}"), self.fill(text)))
    }

    fn run(&self, options: &[&str]) -> Ran {
        let mut command = self.project.command(self.case.command.name(), &["--dialect", self.dialect]);
        if let Some(config) = self.config() {
            command.arg("--config").arg(config);
        }
        command
            .args(options)
            .args(self.case.args.iter().map(|arg| self.fill(arg)))
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap())
            .env("HOME", self.project.home())
            .env("SHELL", "/bin/sh")
            .envs(self.case.env.iter().map(|(name, value)| (name, self.fill(value))))
            .timeout(MAX_RUN);
        run(command.write_stdin(self.fill(&self.case.payload)))
    }

    fn compare(&self, answer: &Value, faults: &mut Vec<String>) {
        let case = self.case;
        if let Some(expected) = &case.answer {
            expect::same("answer", &self.json(expected), answer, faults);
        }
        if let Some(expected) = &case.answer_has {
            expect::has("answer", &self.json(expected), answer, faults);
        }
        for (place, text) in &case.contains {
            expect::contains(place, &self.fill(text), answer, faults);
        }
        for (place, count) in &case.bytes {
            expect::bytes(place, *count, answer, faults);
        }
        for place in &case.lacks {
            expect::lacks(place, answer, faults);
        }
    }

    fn compare_text(&self, ran: &Ran, faults: &mut Vec<String>) {
        let case = self.case;
        if case.stdout.as_ref().is_some_and(|expected| self.fill(expected) != ran.stdout) {
            faults.push(format!("stdout: expected {:?}", case.stdout));
        }
        for text in case.stdout_contains.iter().filter(|text| !ran.stdout.contains(&self.fill(text))) {
            faults.push(format!("stdout: expected {text:?} in it"));
        }
        for text in case.stdout_lacks.iter().filter(|text| ran.stdout.contains(&self.fill(text))) {
            faults.push(format!("stdout: expected no {text:?} in it"));
        }
        for text in case.stderr_contains.iter().filter(|text| !ran.stderr.contains(&self.fill(text))) {
            faults.push(format!("stderr: expected {text:?} in it"));
        }
        if case.stderr_contains.is_empty() && !ran.stderr.is_empty() {
            faults.push("stderr: expected nothing".to_owned());
        }
    }

    fn check_files(&self, faults: &mut Vec<String>) {
        for (path, after) in &self.case.files_after {
            let found = fs::read_to_string(PathBuf::from(&self.root).join(path)).ok();
            let is_right = match (after, &found) {
                (After::Text(text), Some(found)) => self.fill(text) == *found,
                (After::There(expected), found) => *expected == found.is_some(),
                (After::Text(_), None) => false,
            };
            if !is_right {
                faults.push(format!("{path}: afterwards it has {found:?}"));
            }
        }
    }
}
