//! Runs the cases of a file, several at a time.

use super::by_test;
use super::case::{After, Book, Case, Command};
use super::expect;
use crate::support::project::{Project, Ran, run};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

/// How many letters `{BIG}` stands for.
const BIG: usize = 200_000;

/// The number of threads. Most cases wait for their hooks, not for the machine.
const THREADS: usize = 4;
/// The maximum time of a case.
const MAX_RUN: Duration = Duration::from_secs(60);

/// The results of the rows of a file.
#[derive(Default)]
pub struct Report {
    /// How many cases passed.
    pub cases: usize,
    /// How many rows passed that have a test of their own.
    pub by_test: usize,
    /// How many rows say nothing about what hookbox does.
    pub out_of_scope: usize,
    /// The rows that failed, in the order of the file, each with what is wrong.
    failures: Vec<(String, Vec<String>)>,
}

/// The reports of this process, by dialect and file. Each file runs once.
type Reports = Mutex<HashMap<(&'static str, &'static str), Arc<OnceLock<Report>>>>;

static REPORTS: LazyLock<Reports> = LazyLock::new(Mutex::default);

/// Passes the results of a file's rows to `look`. The first caller runs the rows.
pub fn with_report<T>(dialect: &'static str, file: &'static str, look: impl FnOnce(&Report) -> T) -> T {
    let slot = Arc::clone(REPORTS.lock().unwrap().entry((dialect, file)).or_default());
    look(slot.get_or_init(|| report(dialect, &Book::load(dialect, file))))
}

/// Runs every row of a file and panics with the list of those that failed.
#[track_caller]
pub fn check(dialect: &'static str, file: &'static str) {
    with_report(dialect, file, |report| {
        let mut text = String::new();
        for (name, faults) in &report.failures {
            write!(text, "\n\n{name}\n  {}", faults.join("\n  ")).unwrap();
        }
        let failed = report.failures.len();
        let rows = report.cases + report.by_test + report.out_of_scope + failed;
        assert!(failed == 0, "{dialect}/{file}.toml: {failed} of {rows} rows fail{text}");
    });
}

fn report(dialect: &'static str, book: &Book) -> Report {
    let found = Mutex::new(Vec::new());
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..THREADS.min(book.case.len()) {
            scope.spawn(|| {
                while let Some((place, case)) = next_of(&book.case, &next) {
                    let faults = faults(dialect, case);
                    found.lock().unwrap().push((place, case.name.clone(), faults));
                }
            });
        }
    });
    let mut found = found.into_inner().unwrap();
    found.sort_by_key(|(place, ..)| *place);
    let mut report = Report::default();
    for (_, name, faults) in found {
        report.count(name, faults, |report| &mut report.cases);
    }
    for (row, fault) in book.by_test.iter().zip(by_test::faults(dialect, &book.by_test)) {
        report.count(row.name.clone(), fault.into_iter().collect(), |report| &mut report.by_test);
    }
    for row in &book.out_of_scope {
        let fault = row.reason.trim().is_empty().then(|| "no reason".to_owned());
        report.count(row.name.clone(), fault.into_iter().collect(), |report| &mut report.out_of_scope);
    }
    report
}

impl Report {
    fn count(&mut self, name: String, faults: Vec<String>, passed: impl FnOnce(&mut Self) -> &mut usize) {
        if faults.is_empty() {
            *passed(self) += 1;
        } else {
            self.failures.push((name, faults));
        }
    }
}

fn next_of<'a>(cases: &'a [Case], next: &AtomicUsize) -> Option<(usize, &'a Case)> {
    let place = next.fetch_add(1, Ordering::Relaxed);
    cases.get(place).map(|case| (place, case))
}

/// Returns what is wrong with the answer to a case. Empty if it is right.
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
    let mut says_nothing = false;
    if case.command == Command::Run {
        match one_line(&ran) {
            Ok(answer) => {
                place.compare(&answer, &mut faults);
                says_nothing = is_silent(&answer);
            }
            Err(fault) => faults.push(fault),
        }
    } else {
        place.compare_text(&ran, &mut faults);
    }
    place.check_files(&mut faults);
    if case.outcome_has.is_some() || case.asked.is_some() || says_nothing {
        check_outcome(dialect, case, says_nothing, &mut faults);
    }
    if !faults.is_empty() {
        faults.push(format!("stdout: {}", ran.stdout.trim_end()));
        faults.push(format!("stderr: {}", ran.stderr.trim_end()));
    }
    faults
}

/// Whether an answer is the one that there is without any hook.
fn is_silent(answer: &Value) -> bool {
    let (allowed, decided) = (json!({"allowed": true}), json!({"decision": "allow"}));
    *answer == allowed || *answer == decided || answer["outcomes"].as_array().is_some_and(Vec::is_empty)
}

/// Asks once more without `--answer`: the Outcome has a record of each hook that was asked, whatever the hook said.
fn check_outcome(dialect: &str, case: &Case, says_nothing: bool, faults: &mut Vec<String>) {
    let place = Place::of(dialect, case);
    let ran = place.run(&[]);
    if ran.status != case.exit {
        faults.push(format!("exit status without --answer: expected {}, got {}", case.exit, ran.status));
    }
    let outcome = match one_line(&ran) {
        Ok(outcome) => outcome,
        Err(fault) => return faults.push(fault),
    };
    if let Some(expected) = &case.outcome_has {
        expect::has("outcome", &place.json(expected), &outcome, faults);
    }
    if case.asked.is_none() && !says_nothing {
        return;
    }
    let asked = outcome["hooks"].as_array().map_or(0, Vec::len);
    if case.asked.unwrap_or(1) != asked {
        faults.push(format!("hooks asked: expected {}, got {asked}", case.asked.unwrap_or(1)));
    }
    // If no hook is asked, it is known which could have been: hooks that are not about this call, or files without
    // hooks.
    if asked == 0 {
        let found = place.loaded();
        if case.loaded != Some(found) {
            faults.push(format!("hooks of the config and its files: expected {:?}, got {found:?}", case.loaded));
        }
    }
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

    /// Returns the text with the directory in place of `{ROOT}`, and many letters in place of `{BIG}`.
    fn fill(&self, text: &str) -> String {
        text.replace("{ROOT}", &self.root).replace("{BIG}", &"x".repeat(BIG))
    }

    #[track_caller]
    fn json(&self, text: &str) -> Value {
        serde_json::from_str(&self.fill(text)).unwrap_or_else(|error| panic!("{}: {error}: {text}", self.case.name))
    }

    /// Writes the named config to a place where nothing would look for one.
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
        self.run_as(self.case.command.name(), options, &self.case.args)
    }

    /// Returns how many hooks the config has, and how many of its files were read.
    fn loaded(&self) -> [usize; 2] {
        // Only `run` takes `--neutral`.
        let args: Vec<String> = self.case.args.iter().filter(|arg| *arg != "--neutral").cloned().collect();
        let listed = self.run_as("list", &["--format", "json"], &args);
        let hooks = serde_json::from_str::<Vec<Value>>(&listed.stdout).map_or(0, |hooks| hooks.len());
        let checked = self.run_as("check", &["--format", "json"], &args);
        let report: Value = serde_json::from_str(&checked.stdout).unwrap_or_default();
        [hooks, report["files"].as_array().map_or(0, Vec::len)]
    }

    fn run_as(&self, subcommand: &str, options: &[&str], args: &[String]) -> Ran {
        let mut command = self.project.command(subcommand, &["--dialect", self.dialect]);
        if let Some(config) = self.config() {
            command.arg("--config").arg(config);
        }
        command
            .args(options)
            .args(args.iter().map(|arg| self.fill(arg)))
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
