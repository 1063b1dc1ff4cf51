//! The reading of `settings.json` as ok does it. A value of the wrong type makes the file unusable, unknown keys are
//! ignored, and an entry without a command does not count.

use super::EVENTS;
use crate::config::{COMPONENT_TIMEOUT, ConfigFile, Entry, HookTarget, MODEL_TIMEOUT, Reading, ShellEntry, suggest};
use crate::dialect::go::matcher::{PatternError, whole_matcher};
use crate::dialect::go::members::{self, WrongType, folded, integer, members, string};
use crate::dialect::names::short_name;
use crate::dialect::{Strictness, component};
use crate::protocol::{Code, Event, Failure, Kind, OnError, Origin};
use crate::runtime::shell::Inherit;
use crate::runtime::{HookInfo, Mode};
use serde_json::Value;
use serde_json::value::RawValue;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

/// The keys of an entry that ok reads.
const KEYS: [&str; 5] = ["match", "command", "description", "timeout", "cwd"];

/// The default and the maximum time limit, for events that a hook can block and for others.
const BLOCKING_TIMEOUTS: (Duration, Duration) = (Duration::from_secs(5), Duration::from_secs(60));
const OTHER_TIMEOUTS: (Duration, Duration) = (Duration::from_secs(30), Duration::from_secs(300));

pub(super) fn read(file: &ConfigFile, strictness: Strictness) -> Reading {
    let mut reading = Reading::default();
    let by_event = match read_hooks(&file.text) {
        Ok(by_event) => by_event,
        Err(fault) => {
            reading.break_file(file.problem(fault.code, None, &fault.at, fault.message, None));
            return reading;
        }
    };
    for (event, list) in &by_event {
        let names = EVENTS.map(|(name, _)| name);
        if !names.contains(&event.as_str()) {
            let at = list.first().map(|entry| entry.at.clone()).unwrap_or_default();
            let message = format!("ok knows no event {event:?}, so that its hooks are never asked");
            let help = Some(suggest(event, &names));
            reading.hint(file.problem(Code::ConfigKey, None, &at, message, help));
        }
    }
    for (name, event) in EVENTS {
        // If an event has two lists, the last counts.
        let list = by_event.iter().rev().find(|(key, _)| key == name).map(|(_, list)| list.as_slice());
        for raw in list.unwrap_or_default() {
            read_entry(file, event, raw, strictness, &mut reading);
        }
    }
    reading
}

/// Why a file cannot be used, and where the problem is.
struct Fault {
    code: Code,
    message: String,
    at: Range<usize>,
}

/// An entry as written in the file, with its types checked.
#[derive(Default)]
struct RawEntry<'t> {
    matcher: String,
    command: String,
    description: String,
    timeout_ms: i64,
    cwd: String,
    /// The members that ok does not know.
    other: Vec<(String, &'t RawValue)>,
    at: Range<usize>,
}

/// Reads the entries under every key, known or not: a wrong type under an unknown event makes the file unusable, too.
fn read_hooks(text: &str) -> Result<Vec<(String, Vec<RawEntry<'_>>)>, Fault> {
    let root = members::root(text).map_err(|error| {
        let at = offset(text, error.line(), error.column());
        Fault { code: Code::ConfigSyntax, message: format!("not a JSON object: {error}"), at: at..at }
    })?;
    let wrong = |raw: &RawValue, expected: &str| Fault {
        code: Code::ConfigValue,
        message: format!("must be {expected}; the whole file is skipped"),
        at: place(text, raw),
    };
    let mut lists = Vec::new();
    for (_, hooks) in root.iter().filter(|(key, _)| folded(key) == "hooks") {
        for (event, list) in members(hooks).map_err(|_| wrong(hooks, "an object of events"))?.unwrap_or_default() {
            let items: Option<Vec<&RawValue>> =
                serde_json::from_str(list.get()).map_err(|_| wrong(list, "a list of hooks"))?;
            let entries: Result<Vec<_>, Fault> = items
                .unwrap_or_default()
                .into_iter()
                .map(|item| RawEntry::read(text, item).map_err(|(raw, expected)| wrong(raw, expected)))
                .collect();
            lists.push((event, entries?));
        }
    }
    Ok(lists)
}

impl<'t> RawEntry<'t> {
    /// Reads an entry. The error is the value with the wrong type, and the type that it should have.
    fn read(text: &str, raw: &'t RawValue) -> Result<Self, (&'t RawValue, &'static str)> {
        let mut entry = RawEntry { at: place(text, raw), ..RawEntry::default() };
        for (key, value) in members(raw).map_err(|WrongType| (raw, "an object"))?.unwrap_or_default() {
            let key = folded(&key);
            let string = || string(value).map_err(|WrongType| (value, "a string"));
            match key.as_str() {
                "match" => entry.matcher = string()?.unwrap_or(entry.matcher),
                "command" => entry.command = string()?.unwrap_or(entry.command),
                "description" => entry.description = string()?.unwrap_or(entry.description),
                "cwd" => entry.cwd = string()?.unwrap_or(entry.cwd),
                "timeout" => {
                    let number = integer(value).map_err(|WrongType| (value, "a whole number of milliseconds"))?;
                    entry.timeout_ms = number.unwrap_or(entry.timeout_ms);
                }
                _ => entry.other.push((key, value)),
            }
        }
        Ok(entry)
    }

    /// Whether the entry names something that only hookbox runs: a component, or a model with what to ask it.
    fn is_component(&self) -> bool {
        self.is_model() || self.other.iter().any(|(key, _)| key == "component")
    }

    fn is_model(&self) -> bool {
        self.other.iter().any(|(key, value)| key == "model" && value.get().starts_with('{'))
    }

    /// Returns the members to read as strictly as in hookbox's own config. A command beside them is one member too
    /// many.
    fn component_members(&self) -> Vec<(&str, Value)> {
        let command = (!self.command.is_empty()).then(|| ("command", Value::from(self.command.as_str())));
        let other = self.other.iter().map(|(key, value)| (key.as_str(), serde_json::from_str(value.get())));
        other.map(|(key, value)| (key, value.unwrap_or_default())).chain(command).collect()
    }
}

fn read_entry(file: &ConfigFile, event: Event, raw: &RawEntry<'_>, strictness: Strictness, reading: &mut Reading) {
    if !raw.is_component() {
        for (key, _) in &raw.other {
            let message = format!("ok knows no key {key:?}");
            let help = Some(suggest(key, &KEYS));
            reading.hint(file.problem(Code::ConfigKey, None, &raw.at, message, help));
        }
        if raw.command.trim().is_empty() {
            let message = "a hook without a `command` is none";
            reading.hint(file.problem(Code::ConfigKey, None, &raw.at, message, None));
            return;
        }
    }
    let at = raw.at.clone();
    let name = short_name(if raw.is_component() { component_path(raw) } else { raw.command.clone() });
    let mut info = HookInfo::new(&name, []);
    info.events = vec![(event, Mode::Sync)];
    info.source = file.source.clone();
    raw.description.clone_into(&mut info.description);
    info.timeout = Some(timeout(event, raw.timeout_ms));
    info.on_error = if strictness.is_strict() { OnError::Deny } else { OnError::Allow };
    let mut broken = None;
    if event.has_tool() {
        match whole_matcher(&raw.matcher) {
            Ok(matcher) => info.matcher = matcher,
            Err(error) => {
                // A pattern that ok itself cannot use never matches there. A pattern that only hookbox cannot use must
                // not drop a guard.
                let never = matches!(error, PatternError::Invalid(_)) && !strictness.is_strict() && !raw.is_component();
                let message = match never {
                    true => format!("`match` is not a regex, so that the hook is never asked: {error}"),
                    false => format!("`match` cannot be used: {error}"),
                };
                let problem = file.problem(Code::ConfigValue, Some(&name), &at, message, None);
                reading.problems.push(problem.clone());
                if never {
                    return;
                }
                broken = Some(problem);
            }
        }
    }
    let (mut target, mut settings) = (None, None);
    if raw.is_component() {
        // A component fails closed, and has its own default time limit.
        info.on_error = OnError::Deny;
        if raw.timeout_ms <= 0 {
            info.timeout = Some(if raw.is_model() { MODEL_TIMEOUT } else { COMPONENT_TIMEOUT });
        }
        let read = component::read(file, &name, &at, &raw.component_members());
        reading.problems.extend(read.problems);
        settings = read.settings;
        target = Some(read.target);
    }
    let target = match broken {
        Some(problem) => {
            info.on_error = OnError::Deny;
            HookTarget::Broken(Kind::Shell, Failure::new(problem.code, format!("is not usable: {problem}")))
        }
        None => target.unwrap_or_else(|| HookTarget::Shell(shell(raw))),
    };
    let command = if raw.is_component() { component_path(raw) } else { raw.command.clone() };
    info.origin = Some(Arc::new(Origin { command: vec![command], ..Origin::default() }));
    let pattern = Some(raw.matcher.clone()).filter(|pattern| event.has_tool() && !pattern.is_empty());
    reading.entries.push(Entry { info, target, settings, pattern, at });
}

fn shell(raw: &RawEntry<'_>) -> ShellEntry {
    ShellEntry {
        command: "sh".to_owned(),
        at: raw.at.clone(),
        args: vec!["-c".to_owned(), raw.command.clone()],
        inherit: Inherit::All,
        env: Vec::new(),
        cwd: Some(raw.cwd.clone()).filter(|cwd| !cwd.is_empty()).map(Into::into),
        dialect: None,
    }
}

/// Returns the component or the model that an entry names.
fn component_path(raw: &RawEntry<'_>) -> String {
    let named = |name: &str| raw.other.iter().find(|(key, _)| key == name).map(|(_, value)| value.get());
    let path = named("component").and_then(|value| serde_json::from_str(value).ok());
    let model = || serde_json::from_str::<Value>(named("model")?).ok()?.get("use")?.as_str().map(str::to_owned);
    path.or_else(model).unwrap_or_default()
}

/// Reads milliseconds as ok does: zero or less means the default, and values above the maximum mean the maximum. A
/// number whose nanoseconds overflow wraps around as in ok. If the result is below zero, the time is up immediately.
fn timeout(event: Event, ms: i64) -> Duration {
    let (default, most) = if event.is_gating() { BLOCKING_TIMEOUTS } else { OTHER_TIMEOUTS };
    if ms <= 0 {
        return default;
    }
    let nanos = u64::try_from(ms.wrapping_mul(1_000_000)).unwrap_or_default();
    Duration::from_nanos(nanos).min(most)
}

/// Returns the range of a value in the text that it was read from.
fn place(text: &str, raw: &RawValue) -> Range<usize> {
    let start = (raw.get().as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
    start..start + raw.get().len()
}

/// Returns the byte offset of a line and a column, both counted from 1.
fn offset(text: &str, line: usize, column: usize) -> usize {
    let before: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    (before + column.saturating_sub(1)).min(text.len())
}
