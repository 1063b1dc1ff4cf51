//! The failures of a run, each with a command that repeats only that test or command.

use super::report::{FailedTarget, Reader};
use crate::tools;
use anyhow::{Context, Result, bail};
use std::fmt::Write as _;
use std::io::{self, BufRead, BufReader, Write as _, pipe};
use std::mem;
use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};

/// All failures of a run.
pub(crate) struct Failures {
    list: Vec<Failure>,
    /// The file that lists all failures, for `.ci/run`.
    file: PathBuf,
}

struct Failure {
    what: String,
    /// A command line for a shell in the root of the project.
    repeat: String,
    /// Whether this is one test, which can be run alone.
    is_test: bool,
}

/// The maximum number of tests that may fail among the others and pass alone. More such tests are not a coincidence.
const MAX_UNSTABLE: usize = 2;

impl Failures {
    /// Starts with no failures.
    pub(crate) fn begin() -> Result<Self> {
        let file = tools::root().join("target/failed-tests.txt");
        tools::write(&file, b"")?;
        Ok(Failures { list: Vec::new(), file })
    }

    /// Runs a command. If it fails, notes the failure and continues.
    pub(crate) fn of(&mut self, command: &mut Command) {
        match command.status() {
            Ok(status) if status.success() => {}
            Ok(status) => self.add(format!("a command, which ended with {status}"), tools::spell(command)),
            Err(error) => self.add(format!("a command, which could not be started: {error}"), tools::spell(command)),
        }
    }

    /// Runs `cargo test` with these arguments for the test programs, and notes each test that fails.
    pub(crate) fn of_cargo(&mut self, command: &mut Command, filter: &[&str]) -> Result<()> {
        // The arguments that select a target must come before those for the test programs.
        let start = tools::spell(command);
        command.arg("--").args(filter);
        let mut reader = Reader::default();
        let status = read_lines(command, |line| reader.line(line))?;
        let (targets, _) = reader.end();
        if targets.is_empty() && !status.success() {
            self.add(format!("`cargo test`, which ended with {status} before its tests did"), tools::spell(command));
        }
        for target in targets {
            self.add_target(&start, &target);
        }
        Ok(())
    }

    /// Runs one test program, and notes each test that fails.
    pub(crate) fn of_tests(&mut self, program: &mut Command) -> Result<()> {
        let mut reader = Reader::default();
        let status = read_lines(program, |line| reader.line(line))?;
        let (_, tests) = reader.end();
        if tests.is_empty() && !status.success() {
            self.add(format!("a test program, which ended with {status}"), tools::spell(program));
        }
        for test in tests {
            let repeat = format!("{} --exact {}", tools::spell(program), tools::quote(&test));
            self.add_test(test, repeat);
        }
        Ok(())
    }

    fn add_target(&mut self, start: &str, target: &FailedTarget) {
        let words: Vec<_> = target.args.split(' ').collect();
        // The selection of the package is left out, because its dependencies would then be built with other features.
        let selection = match words.as_slice() {
            ["-p", _, selection @ ..] => selection.join(" "),
            words => words.join(" "),
        };
        let command = format!("{start} {selection}");
        if target.tests.is_empty() {
            self.add(format!("`{}`, which ended without saying which test failed", target.args), command.clone());
        }
        let exact = if selection == "--doc" { "" } else { "--exact " };
        for test in &target.tests {
            self.add_test(test.clone(), format!("{command} -- {exact}{}", tools::quote(test)));
        }
    }

    fn add(&mut self, what: String, repeat: String) {
        self.list.push(Failure { what, repeat, is_test: false });
    }

    fn add_test(&mut self, name: String, repeat: String) {
        self.list.push(Failure { what: name, repeat, is_test: true });
    }

    /// Ends the run if something has failed, because later steps depend on it.
    pub(crate) fn stop(&self) -> Result<()> {
        if self.list.is_empty() { Ok(()) } else { self.end() }
    }

    /// Lists all failures. Returns an error if there are any.
    pub(crate) fn end(&self) -> Result<()> {
        let mut text = String::new();
        for Failure { what, repeat, .. } in &self.list {
            write!(text, "failed: {what}\n  to repeat it: {repeat}\n")?;
        }
        tools::write(&self.file, text.as_bytes())?;
        eprint!("\n{text}");
        match self.list.len() {
            0 => Ok(()),
            1 => bail!("one test failed"),
            number => bail!("{number} tests failed"),
        }
    }

    /// Like [`Failures::end`], but if only one or two tests failed, runs each of them once more, alone. A test that
    /// then passes is reported as unstable and does not fail the run: a change that has nothing to do with the test
    /// should not have to wait for its repair.
    pub(crate) fn end_with_another_try(mut self) -> Result<()> {
        if self.list.len() > MAX_UNSTABLE || !self.list.iter().all(|failure| failure.is_test) {
            return self.end();
        }
        for failure in mem::take(&mut self.list) {
            tools::step(&format!("running {} once more, alone", failure.what));
            if passes(&failure.repeat)? {
                eprintln!(
                    "unstable: {} failed among the other tests, and passed alone. That is a fault of the test, or of what \
                     it tests: find it.",
                    failure.what
                );
            } else {
                self.list.push(failure);
            }
        }
        self.end()
    }
}

/// Whether a command line runs at least one test, and all of them pass.
fn passes(command: &str) -> Result<bool> {
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).current_dir(tools::root());
    let mut is_any = false;
    let status = read_lines(&mut shell, |line| {
        is_any |= line.starts_with("test result: ok. ") && !line.starts_with("test result: ok. 0 passed");
    })?;
    Ok(status.success() && is_any)
}

/// Runs a program, prints its output, and passes each line of it to `read`.
fn read_lines(command: &mut Command, mut read: impl FnMut(&str)) -> Result<ExitStatus> {
    // Stdout and stderr are the same pipe, because the order of the lines from cargo and from the tests matters.
    let (output, end) = pipe()?;
    command.stdout(end.try_clone()?).stderr(end);
    let running = command.spawn().with_context(|| format!("`{}` could not be started", tools::spell(command)));
    // The command would keep its ends of the pipe open, and the output would never end.
    command.stdout(Stdio::inherit()).stderr(Stdio::inherit());
    let (mut running, mut output, mut line) = (running?, BufReader::new(output), Vec::new());
    while output.read_until(b'\n', &mut line)? > 0 {
        io::stdout().write_all(&line)?;
        read(String::from_utf8_lossy(&line).trim_end_matches('\n'));
        line.clear();
    }
    Ok(running.wait()?)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::{Failure, Failures, passes};

    const PASSED: &str = "echo 'test result: ok. 1 passed; 0 failed'";

    #[test]
    fn a_test_has_passed_if_it_ran() {
        assert!(passes(PASSED).unwrap());
        assert!(!passes("echo 'test result: ok. 0 passed; 0 failed'").unwrap());
        assert!(!passes(&format!("{PASSED}; exit 1")).unwrap());
    }

    #[test]
    fn few_tests_that_pass_alone_do_not_fail_the_run() {
        let dir = tempfile::tempdir().unwrap();
        let fails = |list: &[(bool, &str)]| {
            let failure =
                |&(is_test, repeat): &(bool, &str)| Failure { what: "a".into(), repeat: repeat.into(), is_test };
            let failures =
                Failures { list: list.iter().map(failure).collect(), file: dir.path().join("failed-tests.txt") };
            failures.end_with_another_try().is_err()
        };
        assert!(!fails(&[(true, PASSED), (true, PASSED)]));
        assert!(fails(&[(true, PASSED), (true, "exit 1")]));
        assert!(fails(&[(true, PASSED); 3]), "that many are no accident");
        assert!(fails(&[(false, PASSED)]), "what is not a test is not run again");
    }
}
