//! `cargo xtask bench`: compares the cost of hookbox with that of what it replaces.

mod docs;
mod machine;
mod table;

use crate::{clients, dist, guests, languages, quickjs, tools};
use anyhow::{Context, Result, bail};
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use table::{Line, Table};

const USAGE: &str = "usage: cargo xtask bench [--json] [NAME...], or cargo xtask bench --no-run";

/// The rows that compare hookbox with other engines, which a separate program measures.
const PEERS: [&str; 3] = [
    "warm call / fresh extism plugin",
    "warm call / regorus evaluation",
    "warm call / regorus evaluation, engine kept",
];
/// The rows that need an installed hookbox.
const PROCESSES: [&str; 3] = [
    "hookbox run, hook cached / sh -c true",
    "hookbox run, hook cached / sh -c 'cat >/dev/null; echo {}'",
    "page faults of hookbox run, hook cached / limit",
];
/// The rows whose hooks are policies or are written in several languages.
const POLICIES: [&str; 9] = [
    "hookbox run, the README's policy / sh -c true",
    "system calls of hookbox run, the README's policy / limit",
    "page faults of hookbox run, the README's policy / limit",
    "hookbox run, three policies / sh -c true",
    "hookbox run, a Go component / 10 ms",
    "hookbox run, a Python component / 25 ms",
    "hookbox hook claude, one policy / sh -c true",
    "hookbox hook claude, one policy / the same in python3",
    "hookbox hook claude, one policy / the same in node",
];

/// The rows whose hooks have a store or network access.
const POWERS: [&str; 5] = [
    "call that increments a counter / the same without, and 30 µs",
    COUNTING_PROCESS,
    "hook that sends a request / the request by plain hyper",
    "hook that sends a request, connection kept / the request by plain hyper",
    "hook that sends a request, connection kept / the same by plain hyper, and the call without it",
];
const COUNTING_PROCESS: &str = "hookbox run, a hook that increments a counter / a hook without a store, and 1.5 ms";

#[derive(Default)]
struct Options {
    json: bool,
    names: Vec<String>,
}

impl Options {
    fn read(args: &[String]) -> Result<Self> {
        let mut options = Options::default();
        for arg in args {
            match arg.as_str() {
                "--json" => options.json = true,
                option if option.starts_with('-') => bail!("unknown option {option:?}\n\n{USAGE}"),
                name => options.names.push(name.to_owned()),
            }
        }
        Ok(options)
    }

    /// Whether any of these rows should be measured.
    fn want_any(&self, rows: &[&str]) -> bool {
        // An entry of `rows` may be the prefix of several rows' names.
        let is_named = |row: &&str| self.names.iter().any(|name| row.contains(name) || name.contains(*row));
        self.names.is_empty() || rows.iter().any(is_named)
    }
}

pub(crate) fn run(args: &[String]) -> Result<()> {
    if args == ["--no-run"] {
        return try_building();
    }
    let options = Options::read(args)?;
    quickjs::build()?;
    guests::build_own()?;
    guests::build()?;
    guests::build_for_benches()?;
    if options.want_any(&["rule in "]) || options.want_any(&POLICIES) {
        guests::build_examples()?;
        languages::build()?;
    }
    if options.want_any(&POWERS) {
        guests::build_for_tests()?;
    }
    let serves = options.want_any(&["round trip over ", "64 connections"]);
    if serves {
        clients::build_for_benches();
    }
    let wants_hookbox =
        serves || options.want_any(&PROCESSES) || options.want_any(&POLICIES) || options.want_any(&[COUNTING_PROCESS]);
    let hookbox = wants_hookbox.then(dist::build).transpose()?;
    let peers = options.want_any(&PEERS).then(build_peers).transpose()?;
    tools::step("building the bench");
    tools::run(cargo_bench().arg("--no-run"))?;
    tools::step("measuring");
    let mut table = Table::begin(options.json);
    let mut bench = cargo_bench();
    bench.arg("--").args(&options.names);
    if let Some(dist::Dist { hookbox, .. }) = hookbox {
        bench.arg("--hookbox").arg(hookbox);
    }
    measure(&mut bench, &mut table)?;
    if let Some(peers) = peers {
        measure(Command::new(peers).args(&options.names), &mut table)?;
    }
    if table.is_empty() {
        bail!("no row's name contains one of {:?}", options.names);
    }
    if options.names.is_empty() {
        docs::write(&table)?;
    }
    match table.end() {
        0 => Ok(()),
        1 => bail!("a goal was missed"),
        missed => bail!("{missed} goals were missed"),
    }
}

/// Checks that the benchmarks build. It builds them without optimisation, which takes a fraction of the time.
fn try_building() -> Result<()> {
    tools::run(cargo_bench().args(["--profile", "dev", "--workspace", "--no-run"]))
}

fn cargo_bench() -> Command {
    let mut cargo = tools::cargo(&tools::root());
    cargo.args(["bench", "--locked", "--bench", "table"]);
    cargo
}

fn build_peers() -> Result<PathBuf> {
    guests::build_for_peers()?;
    tools::step("building the peers");
    let target = tools::root().join("target/peers");
    let mut peers = tools::cargo(&tools::root().join("benches/peers"));
    tools::run(peers.args(["build", "--release", "--locked", "--target-dir"]).arg(&target))?;
    Ok(target.join("release/peers"))
}

/// Runs a measuring program, and prints each row as it arrives.
fn measure(program: &mut Command, table: &mut Table) -> Result<()> {
    let mut running = program.stdout(Stdio::piped()).spawn().context("what measures could not be started")?;
    for line in running.stdout.take().map(BufReader::new).into_iter().flat_map(BufRead::lines) {
        let line = line?;
        let row: Line = serde_json::from_str(&line).with_context(|| format!("this is no row: {line}"))?;
        table.add(row);
    }
    let status = running.wait()?;
    if !status.success() {
        bail!("what measures ended with {status}");
    }
    Ok(())
}
