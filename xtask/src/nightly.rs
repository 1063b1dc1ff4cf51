//! `cargo xtask nightly`: runs everything that takes too long for each commit.

use crate::{agents, bench, book, fuzz, package, soak, targets, tools};
use anyhow::{Result, bail};
use std::time::Instant;

type Step = fn(&[String]) -> Result<()>;

/// The steps, each with its arguments.
const STEPS: [(&str, &[&str], Step); 9] = [
    ("fuzz", &["--seconds", "300"], fuzz::run),
    ("soak", &[], soak::run),
    ("soak", &["--serve"], soak::run),
    ("bench", &[], bench::run),
    ("targets", &["--link"], targets::run),
    ("agents", &["--check"], agents::run),
    ("book", &[], book::run),
    ("package", &[], package::run),
    ("package", &["--check"], package::run),
];

/// Runs all steps, even after one fails, and prints how long each took.
pub(crate) fn run(args: &[String]) -> Result<()> {
    if !args.is_empty() {
        bail!("usage: cargo xtask nightly");
    }
    let mut lines = Vec::new();
    let mut failed = Vec::new();
    for (name, args, step) in STEPS {
        let command = format!("cargo xtask {name} {}", args.join(" ")).trim_end().to_owned();
        tools::step(&command);
        let begin = Instant::now();
        let result = step(&args.iter().map(|&arg| arg.to_owned()).collect::<Vec<_>>());
        lines.push(format!("{:>6} s  {command}", begin.elapsed().as_secs()));
        if let Err(error) = result {
            failed.push(format!("failed: {error:#}\n  to repeat it: {command}"));
        }
    }
    println!("\nWhat each step took:\n{}", lines.join("\n"));
    if failed.is_empty() {
        return Ok(());
    }
    bail!("{} of {} steps failed\n{}", failed.len(), STEPS.len(), failed.join("\n"));
}
