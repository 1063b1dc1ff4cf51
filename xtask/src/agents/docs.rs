//! The table in `docs/reference/agents.md`, which a run of all scenarios updates.

use super::kinds::{ALL, Agent, NOT_DRIVEN};
use super::scenarios;
use super::seen::Seen;
use crate::tools;
use anyhow::{Context, Result};
use std::fmt::Write as _;
use std::time::SystemTime;

const FILE: &str = "docs/reference/agents.md";
const BEGIN: &str = "<!-- table: begin, written by `cargo xtask agents` -->\n";
const END: &str = "<!-- table: end -->\n";

/// A row of the table.
pub(super) struct Row {
    title: &'static str,
    line: String,
}

impl Row {
    /// Creates the row of an agent from the results, in the order of the scenarios.
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
    // The results of other scenarios do not fit this header.
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

#[cfg(test)]
mod tests {
    #![allow(clippy::indexing_slicing, reason = "a test fails by panicking")]

    use super::*;

    fn row(index: usize, seen: Seen) -> Row {
        let columns = scenarios::ALL.iter().filter(|scenario| scenario.column.is_some()).count();
        Row::new(&ALL[index], "1.0", &vec![seen; columns])
    }

    #[test]
    fn a_run_of_one_agent_keeps_the_rows_of_the_others() {
        let all = table("", &[row(0, Seen::Holds), row(1, Seen::Holds)]);
        let after = table(&all, &[row(1, Seen::Open)]);
        let lines = |table: &str| table.lines().map(str::to_owned).collect::<Vec<_>>();
        let (all, after) = (lines(&all), lines(&after));
        assert_eq!(all.len(), 2 + 2 + NOT_DRIVEN.len());
        assert!(after[3].starts_with("| Codex CLI | 1.0") && after[3].contains("| **open** |"), "{}", after[3]);
        assert_ne!(all[3], after[3]);
        for kept in [0, 1, 2, 4, 5] {
            assert_eq!(all[kept], after[kept]);
        }
        let cells = |line: &String| line.matches(" |").count();
        assert!(after.iter().skip(2).all(|line| cells(line) == cells(&after[2])), "{after:#?}");
    }

    #[test]
    fn what_was_seen_with_other_scenarios_goes() {
        let old = "| agent | version | date | something else |\n|---|---|---|---|\n| Claude Code | 1.0 | 2026-01-01 | holds |\n";
        assert!(!table(old, &[]).contains("Claude Code"));
    }
}
