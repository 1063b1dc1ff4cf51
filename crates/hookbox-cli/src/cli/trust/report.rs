//! Shows a config to the user before it is trusted. All of its content may be hostile.

use crate::cli::diff;
use crate::cli::render::{printable, printable_line};
use hookbox::Kind;
use hookbox::config::{Before, Review, Summary};
use std::path::Path;

/// Returns a path that is safe to print.
pub(super) fn path(path: &Path) -> String {
    printable_line(&path.display().to_string())
}

/// Returns the config, what is new about it, and what its hooks may do.
pub(super) fn text(review: &Review) -> String {
    let file = path(&review.file);
    if review.text.is_empty() && review.is_broken() {
        return format!("{file} is refused");
    }
    let mut lines = Vec::new();
    match &review.before {
        Some(before) => {
            lines.push(format!("{file} has changed since {}, when you trusted it", before.record.since()));
            let changed = diff::lines(before.record.text(), &review.text);
            let files = before.changes.iter().filter(|change| change.path != before.record.config());
            let files: Vec<String> = files.map(|change| format!("! {}", printable_line(&change.to_string()))).collect();
            for part in [changed, files].iter().filter(|part| !part.is_empty()) {
                lines.push(String::new());
                lines.extend(part.iter().map(|line| indent(1, line)));
            }
        }
        None => {
            lines.push(format!("{file} was not trusted before"));
            lines.push(String::new());
            lines.extend(review.text.lines().map(|line| indent(1, &format!("| {}", printable(line)))));
        }
    }
    for hook in &review.hooks {
        lines.push(String::new());
        lines.extend(hook_lines(hook, review.before.as_ref()));
    }
    let files: Vec<String> = review.record.iter().flat_map(|record| record.files()).map(file_line).collect();
    if !files.is_empty() {
        lines.push(String::new());
        lines.push(indent(1, "files that it names, by their SHA-256:"));
        lines.extend(files.iter().map(|line| indent(2, line)));
    }
    lines.join("\n")
}

fn indent(depth: usize, line: &str) -> String {
    format!("{:1$}{line}", "", depth * 2).trim_end().to_owned()
}

fn file_line((file, sha256): (&Path, Option<&str>)) -> String {
    format!("{}  {}", sha256.unwrap_or("(not there)"), path(file))
}

fn hook_lines(hook: &Summary, before: Option<&Before>) -> Vec<String> {
    let old = before.map(|before| before.hooks.iter().find(|old| old.name == hook.name));
    let is_new = if matches!(old, Some(None)) { ", new" } else { "" };
    let mut lines = vec![indent(1, &format!("{} ({}{is_new})", printable_line(&hook.name), hook.kind))];
    let events: Vec<&str> = hook.events.iter().map(|event| event.as_str()).collect();
    let mut row = |label: &str, value: &str| lines.push(indent(2, &format!("{label:<8}{}", printable_line(value))));
    if !hook.description.is_empty() {
        row("is", &hook.description);
    }
    row("hears", &events.join(", "));
    row("runs", &hook.runs.join(" "));
    match hook.kind {
        Kind::Component | Kind::Script if hook.grants.is_empty() => row("may", "only compute"),
        Kind::Component | Kind::Script => {}
        Kind::Native if !hook.grants.is_empty() => {}
        _ => row("may", "do whatever you may do, outside of any sandbox"),
    }
    for grant in &hook.grants {
        // Grants of a new hook are not marked, because everything about it is new.
        let is_new = matches!(old, Some(Some(old)) if !old.grants.contains(grant));
        row("may", &format!("{}{}", grant.strip_prefix("may ").unwrap_or(grant), if is_new { " (new)" } else { "" }));
    }
    if let Some(problem) = &hook.problem {
        row("problem", problem);
    }
    lines
}
