//! `hookbox explain`: shows why an event was decided as it was.

use super::super::explain::row;
use super::super::render::span;
use super::super::{Exit, Format, FormatArg, print_json};
use super::advice::advice;
use super::select::Select;
use super::show::decision;
use anyhow::bail;
use clap::Args;
use hookbox::record::{HookLine, Line};
use serde_json::json;
use std::time::Duration;

/// The minimum number of characters of an id that names an event.
const MIN_ID: usize = 4;

/// The maximum length of an Input that is shown, in characters.
const MAX_SHOWN: usize = 2000;

/// Explain a decision of the log: what was asked, what each hook said, and what to change
#[derive(Args)]
#[command(after_help = "Examples:\n  hookbox explain --last\n  hookbox explain 9f3c01ab")]
pub(in crate::cli) struct Explain {
    /// The id of the decision, or its last characters, as `hookbox log` shows them
    id: Option<String>,

    /// The newest decision; with the options below, the newest that they select
    #[arg(long, conflicts_with = "id")]
    last: bool,

    #[command(flatten)]
    select: Select,

    #[command(flatten)]
    format: FormatArg,
}

impl Explain {
    pub(in crate::cli) fn exec(self) -> anyhow::Result<Exit> {
        if self.id.is_none() && !self.last {
            bail!("which decision? Name its id, as `hookbox log` shows it, or use `--last` for the newest");
        }
        let lines = self.select.lines()?;
        let line = match &self.id {
            Some(id) => named(&lines, id)?,
            None => match lines.last() {
                Some(line) => line,
                None => bail!("the log has no such decision"),
            },
        };
        // The config is only needed for what could be changed. Everything else is in the log.
        let scope = self.select.scope();
        let hooks = scope.load_everything().map(|loaded| loaded.hooks).unwrap_or_default();
        let advice = advice(line, &hooks, &scope);
        if self.format.format == Format::Json {
            print_json(&json!({ "decision": line, "advice": advice }))?;
        } else {
            print(line, &advice);
        }
        Ok(Exit::Success)
    }
}

fn named<'l>(lines: &'l [Line], id: &str) -> anyhow::Result<&'l Line> {
    if id.len() < MIN_ID {
        bail!("`{id}` is too short: name at least {MIN_ID} characters of the id");
    }
    let mut found = lines.iter().filter(|line| line.id.ends_with(id) || line.id.starts_with(id));
    match (found.next(), found.next()) {
        (Some(line), None) => Ok(line),
        (Some(_), Some(_)) => bail!("`{id}` is the id of several decisions: name more of it"),
        (None, _) => bail!("the log has no decision `{id}`; `hookbox log` lists them"),
    }
}

fn print(line: &Line, advice: &[String]) {
    row("id", &line.id);
    row("time", &format!("{}, took {}", line.time, span(Duration::from_micros(line.us))));
    for (name, value) in [("agent", &line.agent), ("session", &line.session), ("mode", &line.mode), ("cwd", &line.cwd)]
    {
        if let Some(value) = value {
            row(name, value);
        }
    }
    row("event", &line.event);
    if let Some(tool) = &line.tool {
        row("tool", tool.name.as_deref().unwrap_or("(without a name)"));
        for (name, value) in [("kind", &tool.kind), ("server", &tool.server), ("command", &tool.command)] {
            if let Some(value) = value {
                row(name, value);
            }
        }
        for path in &tool.paths {
            row("path", path);
        }
        for url in &tool.urls {
            row("url", url);
        }
        if tool.complete == Some(false) {
            row("unknown", "something about this call could not be determined");
        }
    }
    if let Some(input) = &line.input {
        row("input", &shown(input.get()));
    }
    for hook in &line.hooks {
        row("hook", &hook_text(hook));
    }
    for code in &line.codes {
        let meaning = hookbox::Code::ALL.iter().find(|known| known.as_str() == code);
        row("code", &format!("{code} {}", meaning.map(|known| known.meaning()).unwrap_or_default()));
    }
    row("verdict", &ending(line));
    if let Some(last) = &line.final_input {
        row("final", &shown(last.get()));
    }
    if let Some(told) = &line.told {
        row("told", &format!("exit status {}", told.status));
        for (name, value) in [("stdout", &told.stdout), ("stderr", &told.stderr)] {
            if !value.is_empty() {
                row(name, &shown(value));
            }
        }
        for loss in &told.degraded {
            row("lost", loss);
        }
    }
    for (name, pointers) in [("masked", &line.masked), ("cut", &line.cut)] {
        if !pointers.is_empty() {
            row(name, &pointers.join(", "));
        }
    }
    for change in advice {
        row("change", change);
    }
}

/// Returns why the chain ended as it did.
fn ending(line: &Line) -> String {
    let reason = line.reason.as_deref().unwrap_or_default();
    let by = line.by.as_ref().map(|by| format!(" by {by}")).unwrap_or_default();
    let why = match line.verdict.as_str() {
        "deny" if line.by.is_some() => "; the first deny ends the chain",
        "deny" => "; no hook decided it",
        "ask" => "; no hook denied, and this one asks",
        "allow" if line.hooks.is_empty() => "; no hook was asked",
        "allow" => "; every hook that counts allowed it",
        "modify" => "; every hook that counts allowed it in its new form",
        _ => "",
    };
    format!("{}{by}{why}{}{reason}", decision(line), if reason.is_empty() { "" } else { ": " })
}

fn hook_text(hook: &HookLine) -> String {
    let version = hook.version.as_ref().map(|version| format!(" {version}")).unwrap_or_default();
    let what = match hook.enforce {
        true => hook.decision.clone(),
        false => format!("would {}", hook.decision),
    };
    let mut text = format!("{}{version} ({}, {}): {what}", hook.name, hook.kind, span(Duration::from_micros(hook.us)));
    if let Some(code) = &hook.code {
        text.push_str(&format!(" {code}"));
    }
    if let Some(reason) = &hook.reason {
        text.push_str(&format!(": {reason}"));
    }
    if !hook.rewrites.is_empty() {
        text.push_str(&format!(" (rewrote {})", hook.rewrites.join(", ")));
    }
    text
}

fn shown(text: &str) -> String {
    match text.char_indices().nth(MAX_SHOWN) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
