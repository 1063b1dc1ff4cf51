//! `cargo xtask fuzz`: searches for texts that violate a law of `crates/hookbox-laws`.

use crate::tools;
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;

const USAGE: &str = "usage: cargo xtask fuzz [--seconds N | --runs N] [TARGET]";

/// The version of cargo-fuzz. It is pinned, so that runs are reproducible.
const CARGO_FUZZ: &str = "0.13.1";

/// No sanitizer is used. The laws are about safe Rust, in which a sanitizer would find little, and without one the
/// stable toolchain suffices.
const SANITIZER: &str = "none";

/// The time limit for one text, in seconds. A text that takes longer counts as a fault.
const SLOW: u32 = 10;

pub(crate) fn run(args: &[String]) -> Result<()> {
    let mut length = Length::Seconds(60);
    let mut targets = targets()?;
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--seconds" | "--runs" => match args.next().and_then(|number| number.parse::<u32>().ok()) {
                Some(given) if given > 0 && arg == "--runs" => length = Length::Runs(given),
                Some(given) if given > 0 => length = Length::Seconds(given),
                _ => bail!("`{arg}` takes a number\n\n{USAGE}"),
            },
            name if targets.iter().any(|target| target == name) => targets = vec![name.to_owned()],
            name => bail!("no target is called {name:?}, but: {}\n\n{USAGE}", targets.join(", ")),
        }
    }
    let cargo_fuzz = tools::install("cargo-fuzz", CARGO_FUZZ, &[])?;
    targets.iter().try_for_each(|target| fuzz(&cargo_fuzz, target, length))
}

/// The length of the search.
#[derive(Clone, Copy)]
enum Length {
    /// For this many seconds, with different texts each time.
    Seconds(u32),
    /// For this many texts. They are always the same if nothing was learnt before, because a check must not fail by
    /// chance.
    Runs(u32),
}

impl Length {
    fn spell(self) -> (String, Vec<String>) {
        match self {
            Length::Seconds(seconds) => (format!("{seconds} s"), vec![format!("-max_total_time={seconds}")]),
            Length::Runs(runs) => (format!("{runs} texts"), vec![format!("-runs={runs}"), "-seed=1".to_owned()]),
        }
    }
}

/// Searches for a text that violates the target's law. The interesting texts that it finds are kept in `fuzz/learnt`
/// for the next run.
fn fuzz(cargo_fuzz: &Path, target: &str, length: Length) -> Result<()> {
    let (text, args) = length.spell();
    tools::step(&format!("fuzzing {target} for {text}"));
    let [learnt, corpus, seeds] = ["learnt", "corpus", "seeds"].map(|folder| dir().join(folder).join(target));
    std::fs::create_dir_all(&learnt).with_context(|| format!("`{}` cannot be made", learnt.display()))?;
    let mut run = Command::new(cargo_fuzz);
    run.current_dir(tools::root()).args(["fuzz", "run", "--fuzz-dir", "fuzz", "--sanitizer", SANITIZER]);
    run.arg("--target-dir").arg(tools::root().join("target/fuzz")).arg(target).args([learnt, corpus, seeds]);
    run.args(["--", "-print_final_stats=1", "-verbosity=0"]);
    run.args(args).arg(format!("-timeout={SLOW}"));
    let dictionary = dir().join("dictionaries").join(format!("{target}.dict"));
    if dictionary.is_file() {
        run.arg(format!("-dict={}", dictionary.display()));
    }
    tools::run(&mut run)
}

fn dir() -> PathBuf {
    tools::root().join("fuzz")
}

/// Returns the names of all targets.
fn targets() -> Result<Vec<String>> {
    let dir = dir().join("fuzz_targets");
    let mut names = Vec::new();
    for entry in dir.read_dir().with_context(|| format!("`{}` cannot be read", dir.display()))? {
        names.extend(entry?.path().file_stem().map(|name| name.to_string_lossy().into_owned()));
    }
    names.sort_unstable();
    Ok(names)
}
