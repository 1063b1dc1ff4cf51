//! `hookbox list`: lists the configured hooks.

use super::render::printable_line;
use super::scope::Scope;
use super::{Exit, Format, FormatArg, print_json, print_line};
use clap::Args;
use hookbox::config::{Loaded, Summary};
use hookbox::{Code, Event, Hook};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

/// List the configured hooks
///
/// If two config files have a hook of the same name, it is shown once, as the first file has it; both run. Exit status
/// 1 if a file that was named cannot be read.
#[derive(Args)]
#[command(after_help = "Example:\n  hookbox list --event pre_tool")]
pub(super) struct List {
    /// Only the hooks that hear this event
    #[arg(long)]
    event: Option<String>,
    #[command(flatten)]
    scope: Scope,
    #[command(flatten)]
    format: FormatArg,
}

impl List {
    pub(super) fn exec(self) -> anyhow::Result<Exit> {
        let loaded = self.scope.load()?;
        let unreadable = |file: &PathBuf| {
            loaded.problems.iter().any(|problem| problem.code == Code::ConfigUnreadable && problem.file == *file)
        };
        if self.scope.named_files()?.iter().any(unreadable) {
            super::render::problems(&loaded.problems);
            return Ok(Exit::Failure);
        }
        let all = in_listing_order(&loaded, self.scope.dialect().names_hooks());
        let hooks: Vec<&Summary> = all
            .iter()
            .copied()
            .filter(|hook| self.event.as_ref().is_none_or(|event| hook.events.iter().any(|e| e.as_str() == event)))
            .collect();
        if self.format.format == Format::Json {
            print_json(&hooks)?;
        } else if all.is_empty() {
            let is_own = !self.scope.dialect().uses_native_listing();
            let some_do_not_run = is_own && !loaded.hooks.is_empty();
            print_line(if some_do_not_run { "(no configured hook runs)" } else { "(no hooks configured)" });
        } else {
            print_line(&table(&hooks, !self.scope.dialect().uses_native_listing()));
        }
        super::render::problems(&loaded.problems);
        Ok(Exit::Success)
    }
}

/// Returns the hooks that run, in the order of [`Registry::all`](hookbox::Registry::all): one per name, or every hook
/// if the dialect does not name its hooks.
fn in_listing_order(loaded: &Loaded, are_named: bool) -> Vec<&Summary> {
    if !are_named {
        return each_hook(loaded);
    }
    let mut by_name: HashMap<&str, Vec<&Summary>> = HashMap::new();
    for summary in &loaded.hooks {
        by_name.entry(&summary.name).or_default().push(summary);
    }
    let registered = loaded.registry.all();
    let find = |hook: &Arc<dyn Hook>| {
        by_name.get(hook.info().name.as_str())?.iter().copied().find(|summary| summary.is_of(hook.info()))
    };
    registered.iter().filter_map(find).collect()
}

fn each_hook(loaded: &Loaded) -> Vec<&Summary> {
    let (mut left, mut seen, mut listed) =
        (loaded.hooks.iter().collect::<Vec<_>>(), Vec::<Arc<dyn Hook>>::new(), vec![]);
    for hook in Event::ALL.iter().flat_map(|event| loaded.registry.for_event(*event)) {
        if seen.iter().any(|known| Arc::ptr_eq(known, &hook)) {
            continue;
        }
        if let Some(place) = left.iter().position(|summary| summary.is_of(hook.info())) {
            listed.push(left.remove(place));
        }
        seen.push(hook);
    }
    listed
}

fn table(hooks: &[&Summary], with_kind: bool) -> String {
    let mut rows: Vec<Vec<String>> =
        vec![["NAME", "KIND", "SOURCE", "EVENTS", "MODE", "TIMEOUT", "DESCRIPTION"].map(str::to_owned).to_vec()];
    for hook in hooks {
        let events: Vec<&str> = hook.events.iter().map(|event| event.as_str()).collect();
        rows.push(vec![
            printable_line(&hook.name),
            hook.kind.to_string(),
            hook.source.to_string(),
            events.join(","),
            if hook.enforce { hook.mode } else { "monitor" }.to_owned(),
            hook.timeout.clone(),
            clip(&printable_line(&hook.description)),
        ]);
    }
    if !with_kind {
        for row in &mut rows {
            row.remove(1);
        }
    }
    align(&rows)
}

/// The maximum length of a description in a table, in characters.
const MAX_DESCRIPTION: usize = 60;

fn clip(text: &str) -> String {
    if text.chars().count() <= MAX_DESCRIPTION {
        return text.to_owned();
    }
    text.chars().take(MAX_DESCRIPTION - 1).chain(['…']).collect()
}

/// The maximum width of a column, in characters. Without a maximum, one long cell would make every row as long.
const MAX_WIDTH: usize = 200;

/// Aligns columns two spaces apart, without trailing spaces. A cell that is wider than its column moves the rest of its
/// row.
pub(super) fn align(rows: &[Vec<String>]) -> String {
    let mut widths: Vec<usize> = Vec::new();
    for row in rows {
        widths.resize(widths.len().max(row.len()), 0);
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.chars().count().min(MAX_WIDTH).max(*width);
        }
    }
    let lines: Vec<String> = rows
        .iter()
        .map(|row| {
            // A width in a format string must not be more than 65,535, and a cell may be longer than that.
            let cells = row.iter().zip(&widths).map(|(cell, width)| {
                let padding = width.saturating_sub(cell.chars().count());
                format!("{cell}{}", " ".repeat(padding))
            });
            cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
        })
        .collect();
    lines.join("\n")
}
