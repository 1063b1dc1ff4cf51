//! The project's own commands. Each command installs and builds everything that it needs.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "it is a command for people at a terminal")]

mod agents;
mod api;
mod bench;
mod book;
mod check;
mod clients;
mod debian;
mod demo;
mod deny;
mod dist;
mod fuzz;
mod guests;
mod languages;
mod nightly;
mod package;
mod picture;
mod policies;
mod quickjs;
mod reproducible;
mod skipped;
mod snapshot;
mod soak;
mod targets;
mod tests;
mod tools;

use anyhow::{Result, bail};
use std::process::ExitCode;

const USAGE: &str = "\
Usage: cargo xtask <COMMAND>

Commands:
  demo              build hookbox and a component from source, and send tool calls through both kinds of hook
  test [NAME...]    run every test, or those of the workspace whose name contains a NAME, and list all failures at the end
  check             run rustfmt, Clippy and the tests of the packages that differ from the last commit that passed `.ci/run`,
                    or from --since COMMIT
  nightly           run what takes too long for each commit: a search for texts that break a law, the soak tests, the
                    benchmarks, linking for another system, all agents, and the book
  guests            build the guest examples, the test guests and what runs scripts as components, into target/guests
  soak              make 100,000 calls from 64 tasks, one in ten of a hook that misbehaves, and 20,000 of hooks with powers,
                    and check every answer and what is left; --powers: only the latter; --calls N, --tasks N, or --quick:
                    fewer calls, not optimised; --serve: 5 minutes of `hookbox serve` with 64 connections, while its
                    config changes; --seconds N, or --quick
  policies          write the schemas of the policies' settings and what they decide otherwise than when they were released;
                    --check: only look; --release: record their cases; --hookbox PATH: ask this one, without
                    building it
  api               check the public items of the library against docs/reference/public-api.txt; --write: update that file
  deny              check licences, sources and what is banned of the dependencies
  targets           check that hookbox builds for Linux and macOS on arm64; --link: link it for that Linux, too
  dist              build hookbox and hookbox-compiler as they are meant to be installed, into target/dist
  package           make what people install hookbox from, into target/packages; --target TARGET: only for this system;
                    --quick: only for this one; --url URL: where Homebrew will find it; --check: install what is there
  bench [NAME...]   measure what hookbox costs beside what it takes the place of, or the rows whose name contains a NAME;
                    --json: an object a row
  agents [NAME...]  run real agents, which npm installs, against a scripted model, see what becomes of hookbox's answers, and
                    write the table in docs/reference/agents.md; --check: only look; --hookbox PATH: this one, without building it
  clients           test the clients of `hookbox serve`, and their packages in fresh environments; --hookbox PATH: with this
                    one, without building it
  book              make a book of docs/, in target/book/html
  picture           draw docs/overview.svg as docs/overview.txt describes it
  fuzz [TARGET]     search for texts that break a law of crates/hookbox-laws, for --seconds N each, or at --runs N
";

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // A backtrace would be about this program and not about the programs that it ran.
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    let mut args = std::env::args().skip(1);
    let command = args.next();
    let args: Vec<String> = args.collect();
    match command.as_deref() {
        Some("demo") => demo::run(),
        Some("test") => tests::run(&args),
        Some("check") => check::run(&args),
        Some("nightly") => nightly::run(&args),
        Some("guests") => guests().map(|left_out| left_out.tell()),
        Some("policies") => policies::run(&args),
        Some("api") => api::run(&args),
        Some("deny") => deny::run(),
        Some("targets") => targets::run(&args),
        Some("dist") => dist::run(),
        Some("package") => package::run(&args),
        Some("bench") => bench::run(&args),
        Some("agents") => agents::run(&args),
        Some("book") => book::run(&args),
        Some("picture") => picture::run(&args),
        Some("clients") => clients::run(&args),
        Some("fuzz") => fuzz::run(&args),
        Some("soak") => soak::run(&args),
        Some("help" | "--help" | "-h") => {
            print!("{USAGE}");
            Ok(())
        }
        Some(unknown) => bail!("unknown command {unknown:?}\n\n{USAGE}"),
        None => bail!("no command\n\n{USAGE}"),
    }
}

/// The guests that this machine could not build, and why.
struct LeftOut {
    scripts: Option<String>,
    languages: Vec<String>,
}

impl LeftOut {
    fn tell(&self) {
        for what in self.scripts.iter().chain(&self.languages) {
            eprintln!("left out, and so not tested: {what}");
        }
    }
}

/// Builds all guests.
fn guests() -> Result<LeftOut> {
    let scripts = quickjs::build_if_possible()?;
    guests::build_own()?;
    guests::build()?;
    guests::build_examples()?;
    guests::build_for_tests()?;
    guests::build_for_benches()?;
    Ok(LeftOut { scripts, languages: languages::build()? })
}
