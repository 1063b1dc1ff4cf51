//! The table in `docs/agents.md`, which a run of all scenarios updates.

use super::kinds::{ALL, Agent, NOT_DRIVEN};
use super::scenarios;
use super::seen::Seen;
use crate::tools;
use anyhow::{Context, Result};
use std::fmt::Write as _;
use std::time::SystemTime;

const FILE: &str = "docs/agents.md";
const BEGIN: &str = "<!-- table: begin, written by `cargo xtask agents` -->\n";
const END: &str = "<!-- table: end -->\n";

/// A row of the table.
pub(super) struct Row {
    title: &'static str,
    line: String,
}

impl Row {
    /// What was seen with an agent, in the order of the scenarios.
    pub(super) fn new(agent: &Agent, version: &str, seen: &[Seen]) -> Self {
        let today = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
        let today = today.split('T').next().unwrap_or_default();
        let started = agent.started.map_or_else(String::new, |how| format!(", {how}"));
        let mut line = format!("| {} | {version}{started} | {today} |", agent.title);
        for seen in seen {
            let _ = write!(line, " {seen} |");
        }
        Row { title: agent.title, line: line + "\n" }
    }
}

/// Replaces the rows of these agents, and keeps the others.
pub(super) fn write(rows: &[Row]) -> Result<()> {
    let path = tools::root().join(FILE);
    let text = std::fs::read_to_string(&path).with_context(|| format!("`{FILE}` cannot be read"))?;
    let (before, rest) = text.split_once(BEGIN).with_context(|| format!("`{FILE}` lacks {BEGIN:?}"))?;
    let (old, after) = rest.split_once(END).with_context(|| format!("`{FILE}` lacks {END:?}"))?;
    let table = table(old, rows);
    tools::write(&path, format!("{before}{BEGIN}{table}{END}{after}").as_bytes())
}

fn table(old: &str, rows: &[Row]) -> String {
    let columns: Vec<_> = scenarios::ALL.iter().filter_map(|scenario| scenario.column).collect();
    let head = format!("| agent | version | date | {} |\n", columns.join(" | "));
    // What was seen with other scenarios does not fit under this head.
    let fits = old.starts_with(&head);
    let mut table = head + &"|---".repeat(columns.len() + 3) + "|\n";
    for Agent { title, .. } in &ALL {
        let new = rows.iter().find(|row| row.title == *title).map(|row| row.line.clone());
        let kept = || {
            old.lines().find(|line| fits && line.starts_with(&format!("| {title} |"))).map(|line| format!("{line}\n"))
        };
        table.push_str(&new.or_else(kept).unwrap_or_default());
    }
    for title in NOT_DRIVEN {
        let _ = writeln!(table, "| {title} | golden payloads only | |{}", " |".repeat(columns.len()));
    }
    table
}
