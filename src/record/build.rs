//! Turns a decided event into a line.

use super::line::{HookLine, Host, Line, SCHEMA, Told, ToolLine, Via};
use super::mask::{Mask, Masked, mask};
use super::settings::{Inputs, What};
use crate::config::Summary;
use crate::protocol::{Action, Input, Outcome, Record, Tool, Verdict};
use serde_json::Value;
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::time::{Duration, SystemTime};

/// Creates the id of a line. Later ids of a process are greater than earlier ones.
#[must_use]
pub fn new_id() -> String {
    uuid::Uuid::now_v7().to_string()
}

/// A decided event.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Decided<'a> {
    /// The id of the line; a new one if it is absent.
    pub id: Option<&'a str>,
    /// The event.
    pub event: &'a str,
    /// The agent.
    pub agent: Option<&'a str>,
    /// How hookbox was asked.
    pub via: Via,
    /// The Input as it came; that of the Outcome if it is absent.
    pub input: Option<&'a Input>,
    /// The decision; `None` if the event was not judged.
    pub outcome: Option<&'a Outcome>,
    /// How long the decision took.
    pub took: Duration,
    /// What the caller was told.
    pub told: Option<Told>,
    /// Whether hookbox was turned off.
    pub off: bool,
    /// The agent's own name for the event, if hookbox does not know it and has judged it as `event`.
    pub unknown_event: Option<&'a str>,
    /// The configured hooks, for their digests and versions.
    pub hooks: &'a [Summary],
    /// The digest of the config files.
    pub config: Option<&'a str>,
}

impl<'a> Decided<'a> {
    /// Creates an event with this name, about which nothing else is known.
    #[must_use]
    pub fn new(event: &'a str, via: Via) -> Self {
        Decided { event, via, ..Decided::default() }
    }

    pub(super) fn is_wanted(&self, what: What) -> bool {
        let Some(outcome) = self.outcome else { return what != What::Denials };
        let verdicts = [Some(outcome.verdict), outcome.would.as_ref().map(|would| would.verdict)];
        let restrains = verdicts.iter().flatten().any(|verdict| *verdict != Verdict::Allow);
        match what {
            What::All => true,
            What::Denials => restrains || outcome.hooks.iter().any(would_restrain),
            What::Decisions => restrains || !outcome.hooks.is_empty(),
        }
    }

    /// Creates the line, which may be too long. `lost` is the number of lines that are missing before it.
    pub(super) fn line(&self, inputs: Inputs, detectors: Option<&dyn Mask>, lost: u64) -> Line {
        let outcome = self.outcome;
        let last = outcome.and_then(final_input);
        let input = self.input.or(last);
        let would = outcome.and_then(|outcome| outcome.would.as_ref());
        let mut line = Line {
            schema: SCHEMA,
            id: self.id.map_or_else(new_id, str::to_owned),
            time: humantime::format_rfc3339_millis(SystemTime::now()).to_string(),
            us: micros(self.took),
            host: Host { version: env!("CARGO_PKG_VERSION").to_owned(), pid: std::process::id(), via: self.via },
            agent: self.agent.map(str::to_owned),
            event: self.event.to_owned(),
            verdict: outcome.map_or("none", verdict).to_owned(),
            applied: would.is_none(),
            off: self.off,
            unknown_event: self.unknown_event.map(str::to_owned),
            config: self.config.map(str::to_owned),
            told: self.told.clone(),
            lost,
            ..Line::default()
        };
        if let Some(outcome) = outcome {
            let (denied, asked, reason) = match would {
                Some(would) => (&would.denied_by, &would.asked_by, &would.reason),
                None => (&outcome.denied_by, &outcome.asked_by, &outcome.reason),
            };
            line.by = denied.clone().or_else(|| asked.clone());
            line.reason.clone_from(reason);
            line.codes = codes(outcome);
            line.hooks = outcome.hooks.iter().map(|record| self.hook(record)).collect();
        }
        if let Some(input) = input {
            line.session.clone_from(&input.session_id);
            line.turn = input.turn;
            line.tool_use_id.clone_from(&input.tool_use_id);
            line.cwd.clone_from(&input.pwd);
            // Agents of Claude Code's family have their own key for the mode.
            let mode = || input.extra("permission_mode").and_then(|mode| mode.to().ok());
            line.mode = input.mode_name.clone().or_else(mode);
            line.tool = tool(input, last);
            line.input = raw(&input.to_json());
        }
        if let Some(last) = last.filter(|_| is_modified(outcome)) {
            line.final_input = raw(&last.to_json());
        }
        match (inputs, detectors) {
            (Inputs::Full, _) => {}
            (Inputs::Masked, Some(detectors)) => without_secrets(&mut line, detectors),
            // Without detectors, nothing is known about any text.
            (Inputs::None | Inputs::Masked, _) => without_input(&mut line),
        }
        line.input_sha256 = line.input.as_ref().map(|input| digest(input.get()));
        line
    }

    fn hook(&self, record: &Record) -> HookLine {
        let about = |hook: &&Summary| hook.name == record.name && hook.source == record.source;
        let mut namesakes = self.hooks.iter().filter(about);
        // The user has two layers. If both have a hook of this name, the record may be about either.
        let summary = namesakes.next().filter(|_| namesakes.next().is_none());
        let policy = summary.and_then(|hook| hook.policy);
        HookLine {
            name: record.name.clone(),
            kind: record.kind.to_string(),
            source: record.source.to_string(),
            decision: record.decision.as_str().to_owned(),
            us: micros(record.duration),
            fuel: record.fuel,
            digest: summary.and_then(|hook| hook.sha256.clone()),
            entry: summary.and_then(Summary::entry_digest),
            version: policy.map(|policy| policy.version.to_owned()),
            enforce: record.enforce,
            is_async: record.is_async,
            code: record.code.map(|code| code.as_str().to_owned()),
            reason: match &record.failure {
                Some(failure) => Some(failure.message.clone()),
                None => record.action.reason.clone(),
            },
            rewrites: rewrites(&record.action),
        }
    }
}

fn would_restrain(record: &Record) -> bool {
    use crate::protocol::Decision;
    !record.enforce && matches!(record.decision, Decision::Deny | Decision::Ask)
}

fn verdict(outcome: &Outcome) -> &'static str {
    let (verdict, modified) = match &outcome.would {
        Some(would) => (would.verdict, would.modified),
        None => (outcome.verdict, outcome.modified),
    };
    match verdict {
        Verdict::Allow if modified => "modify",
        verdict => verdict.as_str(),
    }
}

fn is_modified(outcome: Option<&Outcome>) -> bool {
    outcome.is_some_and(|outcome| outcome.modified || outcome.would.as_ref().is_some_and(|would| would.modified))
}

/// Returns the Input as the chain left it, or would have left it.
fn final_input(outcome: &Outcome) -> Option<&Input> {
    let would = outcome.would.as_ref().and_then(|would| would.input.as_deref());
    would.or(outcome.input.as_deref())
}

/// Returns the codes of an Outcome, each once.
fn codes(outcome: &Outcome) -> Vec<String> {
    let mut codes: Vec<String> = Vec::new();
    let failed = outcome.hooks.iter().filter_map(|record| record.code);
    for code in failed.chain(outcome.warnings.iter().map(|warning| warning.code)) {
        if !codes.iter().any(|known| known == code.as_str()) {
            codes.push(code.as_str().to_owned());
        }
    }
    codes
}

/// Returns the fields that an Action rewrote.
fn rewrites(action: &Action) -> Vec<String> {
    action.rewritten().into_iter().map(str::to_owned).collect()
}

fn tool(input: &Input, last: Option<&Input>) -> Option<ToolLine> {
    let facts = input.facts().or_else(|| last.and_then(Input::facts));
    if input.tool_name.is_none() && facts.is_none() {
        return None;
    }
    let mut tool = facts.map(told_of).unwrap_or_default();
    tool.name.clone_from(&input.tool_name);
    Some(tool)
}

fn told_of(facts: &Tool) -> ToolLine {
    ToolLine {
        name: None,
        kind: Some(facts.kind.as_str().to_owned()),
        server: facts.server.clone(),
        command: facts.command.clone(),
        paths: facts
            .paths
            .iter()
            .filter(|path| path.certain)
            .map(|path| format!("{} {}", path.access, path.path))
            .collect(),
        urls: facts.urls.clone(),
        complete: Some(facts.complete),
    }
}

/// Returns the SHA-256 of a text, in hexadecimal.
pub(super) fn digest(text: &str) -> String {
    let digest = Sha256::digest(text);
    digest.iter().fold(String::with_capacity(64), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

/// Returns the text of a JSON value on one line.
fn raw(json: &str) -> Option<Box<RawValue>> {
    // A line break inside a JSON string is always escaped, so every one here is between tokens.
    RawValue::from_string(json.replace(['\n', '\r'], " ")).ok()
}

fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}

/// Leaves out the content of the tool call, and texts that may quote it.
fn without_input(line: &mut Line) {
    line.input = None;
    line.final_input = None;
    line.reason = None;
    if let Some(told) = &mut line.told {
        told.stdout.clear();
        told.stderr.clear();
    }
    for hook in &mut line.hooks {
        hook.reason = None;
    }
    if let Some(tool) = &mut line.tool {
        let ToolLine { name, kind, server, complete, .. } = std::mem::take(tool);
        *tool = ToolLine { name, kind, server, complete, ..ToolLine::default() };
    }
}

/// Replaces secrets with marks.
fn without_secrets(line: &mut Line, detectors: &dyn Mask) {
    let mut masking = Masking { detectors, masked: Vec::new(), cut: Vec::new() };
    masking.optional(&mut line.reason, || "/reason".to_owned());
    masking.text(&mut line.event, || "/event".to_owned());
    // The Input contains these texts, too, and masks them there.
    let texts = [
        (&mut line.agent, "/agent"),
        (&mut line.session, "/session"),
        (&mut line.tool_use_id, "/tool_use_id"),
        (&mut line.cwd, "/cwd"),
        (&mut line.mode, "/mode"),
        (&mut line.unknown_event, "/unknown_event"),
    ];
    for (text, pointer) in texts {
        masking.optional(text, || pointer.to_owned());
    }
    if let Some(tool) = &mut line.tool {
        masking.optional(&mut tool.name, || "/tool/name".to_owned());
        masking.optional(&mut tool.server, || "/tool/server".to_owned());
        masking.optional(&mut tool.command, || "/tool/command".to_owned());
        for (index, path) in tool.paths.iter_mut().enumerate() {
            masking.text(path, || format!("/tool/paths/{index}"));
        }
        for (index, url) in tool.urls.iter_mut().enumerate() {
            masking.text(url, || format!("/tool/urls/{index}"));
        }
    }
    for (index, hook) in line.hooks.iter_mut().enumerate() {
        masking.optional(&mut hook.reason, || format!("/hooks/{index}/reason"));
    }
    if let Some(told) = &mut line.told {
        masking.text(&mut told.stdout, || "/told/stdout".to_owned());
        masking.text(&mut told.stderr, || "/told/stderr".to_owned());
        for (index, loss) in told.degraded.iter_mut().enumerate() {
            masking.text(loss, || format!("/told/degraded/{index}"));
        }
    }
    masking.json(&mut line.input, "/input");
    masking.json(&mut line.final_input, "/final");
    line.masked = masking.masked;
    line.cut = masking.cut;
}

struct Masking<'a> {
    detectors: &'a dyn Mask,
    masked: Vec<String>,
    cut: Vec<String>,
}

impl Masking<'_> {
    fn optional(&mut self, text: &mut Option<String>, pointer: impl Fn() -> String) {
        if let Some(text) = text {
            self.text(text, pointer);
        }
    }

    fn text(&mut self, text: &mut String, pointer: impl Fn() -> String) {
        if text.is_empty() {
            return;
        }
        match mask(self.detectors, text) {
            Masked::Clean => {}
            Masked::Marked(marked) => {
                *text = marked;
                self.masked.push(pointer());
            }
            Masked::Unknown => {
                text.clear();
                self.cut.push(pointer());
            }
        }
    }

    /// Masks a JSON value as a whole, because a secret may be recognized by the name of its member.
    fn json(&mut self, json: &mut Option<Box<RawValue>>, pointer: &str) {
        let Some(text) = json.as_ref().map(|json| json.get()) else { return };
        let marked = match mask(self.detectors, text) {
            Masked::Clean => return,
            Masked::Marked(marked) => raw(&marked),
            Masked::Unknown => None,
        };
        match &marked {
            Some(marked) => differences(text, marked.get(), pointer, &mut self.masked),
            None => self.cut.push(pointer.to_owned()),
        }
        *json = marked;
    }
}

/// Collects pointers to the texts that differ.
fn differences(before: &str, after: &str, pointer: &str, found: &mut Vec<String>) {
    let (Ok(before), Ok(after)) = (serde_json::from_str(before), serde_json::from_str(after)) else { return };
    compare(&before, &after, pointer, found);
}

fn compare(before: &Value, after: &Value, pointer: &str, found: &mut Vec<String>) {
    match (before, after) {
        (Value::Object(before), Value::Object(after)) if before.keys().eq(after.keys()) => {
            for ((key, before), after) in before.iter().zip(after.values()) {
                let key = key.replace('~', "~0").replace('/', "~1");
                compare(before, after, &format!("{pointer}/{key}"), found);
            }
        }
        (Value::Array(before), Value::Array(after)) if before.len() == after.len() => {
            for (index, (before, after)) in before.iter().zip(after).enumerate() {
                compare(before, after, &format!("{pointer}/{index}"), found);
            }
        }
        (before, after) if before != after => found.push(pointer.to_owned()),
        _ => {}
    }
}
