//! `hookbox log`: lists decisions.

use super::super::list::align;
use super::super::render::printable_line;
use super::super::{Exit, Format, FormatArg, print_line, print_raw};
use super::as_cases::as_cases;
use super::select::{Select, Tally, would_deny};
use anyhow::bail;
use clap::Args;
use hookbox::record::Line;
use std::time::Duration;

/// How often `--follow` looks for new lines.
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// The number of an id's last characters that identify a line. The first characters are a time.
pub(super) const SHORT_ID: usize = 8;

/// The maximum width of a reason in the table, in characters.
const MAX_REASON: usize = 72;

/// List the decisions in the log, newest last
///
/// A log is kept if your hooks.toml has a table `[log]`.
#[derive(Args)]
#[command(after_help = "Examples:\n  hookbox log --since 2h --decision deny\n  hookbox log --follow\n  \
    hookbox log --hook no-destructive-commands --as-cases > cases.toml")]
pub(in crate::cli) struct ShowLog {
    #[command(flatten)]
    select: Select,

    /// Go on with the decisions that are still to come
    #[arg(short, long, conflicts_with = "as_cases")]
    follow: bool,

    /// Print them as cases for `hookbox test`
    #[arg(long, conflicts_with = "format")]
    as_cases: bool,

    /// Print the JSON Schema of a line
    #[arg(long, conflicts_with_all = ["as_cases", "follow"])]
    schema: bool,

    #[command(flatten)]
    format: FormatArg,
}

impl ShowLog {
    pub(in crate::cli) fn exec(self) -> anyhow::Result<Exit> {
        if self.schema {
            print_raw(include_str!("../../../../../docs/reference/decision-log.schema.json").trim_end());
            return Ok(Exit::Success);
        }
        if self.as_cases {
            let lines = self.select.lines()?;
            if !print_raw(as_cases(&lines, self.select.hook())?.trim_end()) {
                bail!("the cases could not be written to stdout");
            }
            return Ok(Exit::Success);
        }
        let mut reader = self.select.open()?;
        let mut tally = Tally::default();
        let mut is_first = true;
        loop {
            let new: Vec<Line> =
                reader.by_ref().filter_map(|line| tally.note(line)).filter(|line| self.select.wants(line)).collect();
            if !self.print(&new, is_first) {
                // The reader of the output has gone.
                return Ok(Exit::Success);
            }
            if !self.follow {
                break;
            }
            is_first = false;
            std::thread::sleep(LOOK_EVERY);
            reader.refresh()?;
        }
        tally.tell();
        Ok(Exit::Success)
    }

    /// Prints lines of the log. Returns false if they could not be printed.
    fn print(&self, lines: &[Line], with_head: bool) -> bool {
        if self.format.format == Format::Json {
            let mut json = lines.iter().filter_map(|line| serde_json::to_string(line).ok());
            return json.all(|line| print_raw(&hookbox::visible_json(&line)));
        }
        if lines.is_empty() {
            return true;
        }
        let head = ["TIME", "ID", "AGENT", "EVENT", "TOOL", "DECISION", "BY", "REASON"].map(str::to_owned).to_vec();
        let mut rows: Vec<Vec<String>> = if with_head { vec![head] } else { Vec::new() };
        rows.extend(lines.iter().map(row));
        print_line(&align(&rows))
    }
}

fn row(line: &Line) -> Vec<String> {
    let text = |text: Option<&str>| text.map_or_else(|| "-".to_owned(), printable_line);
    let tool = line.tool.as_ref().and_then(|tool| tool.name.as_deref());
    let reason = line.reason.as_deref().map(|reason| clipped(&printable_line(reason))).unwrap_or_default();
    vec![
        line.time.clone(),
        short_id(&line.id).to_owned(),
        text(line.agent.as_deref()),
        text(Some(&line.event)),
        text(tool),
        decision(line),
        text(line.by.as_deref()),
        reason,
    ]
}

/// Returns how the event ended, in the words of the table.
pub(in crate::cli) fn decision(line: &Line) -> String {
    match (line.off, line.applied, would_deny(line)) {
        (true, ..) => "off".to_owned(),
        (false, false, Some(monitor)) if line.verdict != "deny" => {
            format!("would {} ({} would deny)", line.verdict, printable_line(monitor))
        }
        (false, false, _) => format!("would {}", line.verdict),
        (false, true, Some(monitor)) => format!("{} ({} would deny)", line.verdict, printable_line(monitor)),
        (false, true, None) => line.verdict.clone(),
    }
}

pub(in crate::cli) fn short_id(id: &str) -> &str {
    id.len().checked_sub(SHORT_ID).and_then(|start| id.get(start..)).unwrap_or(id)
}

fn clipped(text: &str) -> String {
    match text.char_indices().nth(MAX_REASON) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
