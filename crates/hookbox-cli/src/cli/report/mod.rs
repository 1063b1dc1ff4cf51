//! `hookbox report`: the decision log as one page.

mod chart;
mod figures;
mod page;

use super::log::Select;
use super::{Exit, output, print_line};
use anyhow::{Context, bail};
use clap::Args;
use figures::Figures;
use hookbox::record::Line;
use std::path::PathBuf;

/// Write the decision log as a page: decisions over time, rules, slow hooks, failures, and a table to search
///
/// The page is one file that loads nothing, so it can be mailed and opened anywhere.
#[derive(Args)]
#[command(after_help = "Example:\n  hookbox report --since 7d -o report.html")]
pub(super) struct Report {
    /// The file to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    #[command(flatten)]
    select: Select,
}

impl Report {
    pub(super) fn exec(self) -> anyhow::Result<Exit> {
        let lines: Vec<Line> = self.select.lines()?;
        if lines.is_empty() {
            bail!("the log has no such decision, so there is nothing to report");
        }
        let page = page::render(&Figures::of(&lines), &lines).context("the page cannot be rendered")?;
        output::write(&self.output, page.as_bytes())
            .with_context(|| format!("`{}` could not be written", self.output.display()))?;
        print_line(&format!("{} decisions in {}", lines.len(), self.output.display()));
        Ok(Exit::Success)
    }
}
