//! The table in `docs/explanation/performance.md`, which a run of all rows updates.

use super::table::Table;
use crate::tools;
use anyhow::{Context, Result};
use std::process::Command;

const FILE: &str = "docs/explanation/performance.md";
const BEGIN: &str = "<!-- table: begin, written by `cargo xtask bench` -->\n";
const END: &str = "<!-- table: end -->\n";

/// Replaces the table.
pub(crate) fn write(table: &Table) -> Result<()> {
    let path = tools::root().join(FILE);
    let text = std::fs::read_to_string(&path).with_context(|| format!("`{FILE}` cannot be read"))?;
    let (before, rest) = text.split_once(BEGIN).with_context(|| format!("`{FILE}` lacks {BEGIN:?}"))?;
    let (_, after) = rest.split_once(END).with_context(|| format!("`{FILE}` lacks {END:?}"))?;
    let table = table.markdown(&versions()?);
    tools::write(&path, format!("{before}{BEGIN}{table}{END}{after}").as_bytes())
}

/// Describes what was measured, and what it was built with.
fn versions() -> Result<String> {
    let rustc = tools::rustc(&["--version"])?;
    let rust = rustc.split_whitespace().nth(1).unwrap_or_default();
    let lock = std::fs::read_to_string(tools::root().join("Cargo.lock")).context("`Cargo.lock` cannot be read")?;
    let wasmtime = lock.split("[[package]]").find(|package| package.contains("\nname = \"wasmtime\"\n"));
    let version = wasmtime.and_then(|package| package.split("version = \"").nth(1)?.split('"').next());
    Ok(format!("commit {}, Rust {rust} and wasmtime {}", commit()?, version.unwrap_or_default()))
}

/// Returns the commit that was measured.
fn commit() -> Result<String> {
    let git = |args: &[&str]| tools::output(Command::new("git").args(args).current_dir(tools::root()));
    let commit = git(&["rev-parse", "--short=12", "HEAD"])?;
    // The file that a run itself writes is not a change of what it measures.
    let changes = git(&["status", "--porcelain", "--", ".", &format!(":!{FILE}")])?;
    let and = if changes.trim().is_empty() { "" } else { " with changes" };
    Ok(format!("{}{and}", commit.trim()))
}
