//! `cargo xtask test`: runs every test, to the end, and lists all failures.

mod failures;
mod report;

use crate::skipped::{self, Skipped};
use crate::{LeftOut, debian, dist, guests, languages, tools};
use anyhow::Result;
pub(crate) use failures::Failures;
use std::env;
use std::process::Command;
use std::thread;

/// The programs of other projects that some tests need.
const PROGRAMS: [debian::Program; 2] = [debian::REDIS, debian::CHROMIUM];

/// The variable that tells the test programs how many tests to run at a time.
const THREADS: &str = "RUST_TEST_THREADS";

/// Builds everything that the tests need, and runs them. With names, runs only the tests of the workspace whose name
/// contains one of these.
pub(crate) fn run(names: &[String]) -> Result<()> {
    let skipped = Skipped::begin()?;
    let mut failures = Failures::begin()?;
    let left_out = build()?;
    tools::step("building hookbox and its tests");
    failures.of_cargo(cargo("test").arg("--no-run"), &[])?;
    failures.stop()?;
    put_own_code()?;
    tools::step("testing hookbox");
    let mut cargo = cargo("test");
    cargo.arg("--no-fail-fast");
    skipped.note_in(&mut cargo);
    // More threads than processors are useful, because many tests wait, for example for a time limit.
    if env::var_os(THREADS).is_none() {
        let threads = thread::available_parallelism().map_or(1, |processors| 2 * processors.get());
        cargo.env(THREADS, threads.to_string());
    }
    // This variable keeps the tests from building the guests again.
    cargo.env("HOOKBOX_GUESTS_READY", "1");
    for program in PROGRAMS {
        if let Some(dir) = program.install() {
            cargo.env(program.variable, dir);
        }
    }
    let without_scripts = left_out.scripts.is_some();
    let skip: &[_] = if without_scripts { &["--skip", skipped::SCRIPTS] } else { &[] };
    let filter: Vec<_> = names.iter().map(String::as_str).chain(skip.iter().copied()).collect();
    failures.of_cargo(&mut cargo, &filter)?;
    if names.is_empty() {
        languages::test(&mut failures)?;
        guests::test(&mut failures)?;
    }
    left_out.tell();
    skipped.tell(without_scripts)?;
    failures.end_with_another_try()
}

/// Builds the guests, which leaves processors idle, and in the meantime everything that does not need the guests.
fn build() -> Result<LeftOut> {
    thread::scope(|scope| {
        scope.spawn(build_ahead);
        scope.spawn(|| {
            languages::install_ahead();
            PROGRAMS.iter().for_each(|program| _ = program.install());
        });
        crate::guests()
    })
}

/// Builds everything that does not depend on the components inside hookbox, unless it has been built before. A failure
/// is not reported here, because it happens again when the tests are built.
fn build_ahead() {
    if tools::root().join("target/debug/hookbox").exists() {
        return;
    }
    // The build script of hookbox rejects a folder without components, so that only packages that need no components
    // are built.
    let empty = tempfile::tempdir();
    if let Ok(empty) = empty {
        let mut cargo = cargo("build");
        cargo.args(["--lib", "--bins", "--tests", "--examples", "--keep-going"]).env("HOOKBOX_GUESTS", empty.path());
        _ = cargo.output();
    }
}

/// Puts the machine code of hookbox's own components beside the programs, where an installed hookbox has it. Otherwise
/// many tests would each compile these components, because their home directories have no cache.
fn put_own_code() -> Result<()> {
    tools::step("compiling hookbox's own components");
    let programs = tools::root().join("target/debug");
    let code = dist::put_own_code(&programs.join("hookbox"), &programs, None)?;
    // The test programs are in a separate folder.
    let tests = programs.join("deps");
    dist::remove_own_code(&tests)?;
    code.iter().try_for_each(|file| tools::copy(file, &tests.join(file.file_name().unwrap_or_default())))
}

/// Returns a cargo command for all packages of the workspace.
fn cargo(subcommand: &str) -> Command {
    let mut cargo = tools::cargo(&tools::root());
    cargo.args([subcommand, "--locked", "--workspace"]);
    cargo
}
