//! `cargo xtask demo`: sends tool calls through a component and a shell hook.

use crate::{guests, quickjs, tools};
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// The Inputs, each with the exit status for the expected decision.
const CALLS: [(&str, i32); 5] = [
    ("harmless.json", 0),
    ("wipe-home.json", 2),
    ("force-push-main.json", 2),
    ("force-push-feature.json", 0),
    ("read-secrets.json", 2),
];

pub(crate) fn run() -> Result<()> {
    if let Some(left_out) = quickjs::build_if_possible()? {
        eprintln!("left out, since this needs none: {left_out}");
    }
    guests::build_own()?;
    guests::build_pure()?;
    tools::step("building hookbox");
    let root = tools::root();
    // This leaves out the network and stores, which take some more minutes to build and which the demo does not need.
    let lean = ["--no-default-features", "--features", "compiler"];
    tools::run(
        tools::cargo(&root)
            .args(["build", "--locked", "--package", "hookbox-cli", "--bin", "hookbox"])
            .args(lean)
            .arg("--target-dir")
            .arg(root.join("target")),
    )?;
    let hookbox = root.join("target/debug/hookbox");
    let demo = root.join("examples/demo");
    let config = demo.join("hooks.toml");

    tools::step("the hooks of examples/demo/hooks.toml");
    tools::run(Command::new(&hookbox).arg("list").arg("--config").arg(&config))?;
    for (file, expected) in CALLS {
        ask(&hookbox, &config, &demo.join(file), expected)?;
    }
    println!(
        "\nTry it yourself:\n\n  target/debug/hookbox run --config examples/demo/hooks.toml < examples/demo/wipe-home.json"
    );
    Ok(())
}

fn ask(hookbox: &Path, config: &Path, input: &Path, expected: i32) -> Result<()> {
    let text = fs::read_to_string(input).with_context(|| format!("`{}` cannot be read", input.display()))?;
    println!("\n── hookbox run < {}\n{}", input.file_name().unwrap_or_default().display(), text.trim());
    let mut run = Command::new(hookbox);
    let output = run
        .args(["run", "--config"])
        .arg(config)
        .stdin(Stdio::from(fs::File::open(input)?))
        .stderr(Stdio::inherit())
        .output()
        .context("hookbox could not be started")?;
    let status = output.status.code();
    let verdict = match status {
        Some(0) => "allow",
        Some(2) => "deny",
        Some(3) => "ask",
        _ => "no verdict",
    };
    print!("→ {verdict}\n{}", String::from_utf8_lossy(&output.stdout));
    if status != Some(expected) {
        bail!("`{}` should have ended with status {expected}, not {status:?}", input.display());
    }
    Ok(())
}
