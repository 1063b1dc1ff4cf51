//! The reading of `hooks.toml` as hygge does it. A value of a wrong type makes the file unusable; any other problem at
//! most makes the entry unusable. Unknown keys are ignored.

use crate::config::{
    ConfigFile, Entry, HookTarget, Problem, Reading, Severity, ShellEntry, parse_duration, read_hookbox_entry,
};
use crate::dialect::Strictness;
use crate::protocol::{Code, Event, Failure, Kind};
use crate::runtime::shell::Inherit;
use crate::runtime::{HookInfo, Mode};
use std::borrow::Cow;
use std::time::Duration;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The events that hygge knows.
const EVENTS: [Event; 4] = [Event::PreTool, Event::PostTool, Event::PreMessage, Event::PostMessage];

const DEFAULT_TIMEOUT: Duration = Duration::from_secs(5);

pub(super) fn read(file: &ConfigFile, strictness: Strictness) -> Reading {
    let mut reading = Reading::default();
    let document = match DeTable::parse(&file.text) {
        Ok(document) => document,
        Err(error) => {
            let at = error.span().unwrap_or(0..0);
            reading.break_file(file.problem(Code::ConfigSyntax, None, &at, error.message(), None));
            return reading;
        }
    };
    let mut tables = Vec::new();
    for hooks in fields(document.get_ref(), "hooks") {
        match hooks.get_ref().as_table() {
            Some(table) => tables.extend(table),
            None => {
                reading.break_file(wrong_type(file, hooks));
                return reading;
            }
        }
    }
    // hygge has no components and asks no models, so an entry that names one is read as hookbox reads it.
    let (components, shells): (Vec<_>, Vec<_>) = tables.into_iter().partition(|(_, value)| names_component(value));
    for (name, value) in components {
        let (entry, problems) = read_hookbox_entry(file, name, value);
        reading.problems.extend(problems);
        reading.entries.push(entry);
    }
    let raw: Result<Vec<_>, _> = shells.into_iter().map(|(name, value)| Ok((name, RawEntry::read(value)?))).collect();
    match raw {
        Ok(raw) => read_shells(file, raw, strictness, &mut reading),
        Err(at) => reading.break_file(wrong_type(file, at)),
    }
    reading.entries.sort_by_key(|entry| entry.at.start);
    reading
}

type Name<'i> = Spanned<Cow<'i, str>>;

fn read_shells(file: &ConfigFile, raw: Vec<(&Name<'_>, RawEntry)>, strictness: Strictness, reading: &mut Reading) {
    for (name, raw) in raw {
        let at = name.span();
        let mut reader =
            EntryReader { file, name: name.get_ref().trim(), at: at.clone(), problems: &mut reading.problems };
        let (info, target) = match reader.read(raw) {
            Some((info, shell)) => (info, HookTarget::Shell(shell)),
            None if strictness.is_strict() => broken(name.get_ref().trim(), file, reading.problems.last()),
            None => continue,
        };
        reading.entries.push(Entry { info, target, settings: None, pattern: None, at });
    }
}

/// Returns a hook that denies, in place of an entry that hygge leaves out.
fn broken(name: &str, file: &ConfigFile, problem: Option<&Problem>) -> (HookInfo, HookTarget) {
    let gating = Event::ALL.iter().copied().filter(|event| event.is_gating());
    let mut info = HookInfo::new(if name.is_empty() { "(unnamed)" } else { name }, gating);
    info.source = file.source.clone();
    let message = problem.map(|problem| format!("is not usable: {problem}")).unwrap_or_default();
    (info, HookTarget::Broken(Kind::Shell, Failure::new(Code::ConfigValue, message)))
}

/// Whether an entry names something that only hookbox runs: a component, or a model with what to ask it.
fn names_component(value: &Spanned<DeValue<'_>>) -> bool {
    value.get_ref().as_table().is_some_and(|table| {
        fields(table, "component").next().is_some() || fields(table, "model").any(|model| model.get_ref().is_table())
    })
}

fn wrong_type(file: &ConfigFile, value: &Spanned<DeValue<'_>>) -> Problem {
    file.problem(Code::ConfigValue, None, &value.span(), "wrong type; the whole file is skipped", None)
}

/// Returns the values of a key, matched in any case.
fn fields<'t, 'i>(table: &'t DeTable<'i>, key: &str) -> impl Iterator<Item = &'t Spanned<DeValue<'i>>> {
    table.iter().filter(move |(name, _)| name.get_ref().to_lowercase() == key).map(|(_, value)| value)
}

/// Returns the value of a key. If there are several, the last counts.
fn field<'t, 'i>(table: &'t DeTable<'i>, key: &str) -> Option<&'t Spanned<DeValue<'i>>> {
    fields(table, key).last()
}

/// A shell hook's entry with only its types checked.
#[derive(Default)]
struct RawEntry {
    description: String,
    events: Vec<String>,
    command: String,
    args: Vec<String>,
    timeout: String,
    mode: String,
    env: Vec<(String, String)>,
}

/// The value that has the wrong type.
type WrongType<'t, 'i> = &'t Spanned<DeValue<'i>>;

impl RawEntry {
    fn read<'t, 'i>(value: &'t Spanned<DeValue<'i>>) -> Result<Self, WrongType<'t, 'i>> {
        let table = value.get_ref().as_table().ok_or(value)?;
        if let Some(flag) = field(table, "fail_closed") {
            flag.get_ref().as_bool().ok_or(flag)?;
        }
        Ok(RawEntry {
            description: string(table, "description")?,
            events: strings(table, "events")?,
            command: string(table, "command")?,
            args: strings(table, "args")?,
            timeout: string(table, "timeout")?,
            mode: string(table, "mode")?,
            env: string_table(table, "env")?,
        })
    }
}

fn text<'t, 'i>(value: &'t Spanned<DeValue<'i>>) -> Result<String, WrongType<'t, 'i>> {
    value.get_ref().as_str().map(str::to_owned).ok_or(value)
}

fn string<'t, 'i>(table: &'t DeTable<'i>, key: &str) -> Result<String, WrongType<'t, 'i>> {
    field(table, key).map_or_else(|| Ok(String::new()), text)
}

fn strings<'t, 'i>(table: &'t DeTable<'i>, key: &str) -> Result<Vec<String>, WrongType<'t, 'i>> {
    let Some(value) = field(table, key) else {
        return Ok(Vec::new());
    };
    value.get_ref().as_array().ok_or(value)?.iter().map(text).collect()
}

fn string_table<'t, 'i>(table: &'t DeTable<'i>, key: &str) -> Result<Vec<(String, String)>, WrongType<'t, 'i>> {
    let Some(value) = field(table, key) else {
        return Ok(Vec::new());
    };
    let table = value.get_ref().as_table().ok_or(value)?;
    table.iter().map(|(key, value)| Ok((key.get_ref().to_string(), text(value)?))).collect()
}

struct EntryReader<'a> {
    file: &'a ConfigFile,
    name: &'a str,
    at: std::ops::Range<usize>,
    problems: &'a mut Vec<Problem>,
}

impl EntryReader<'_> {
    fn read(&mut self, raw: RawEntry) -> Option<(HookInfo, ShellEntry)> {
        if self.name.is_empty() {
            return self.skip("hook name must not be empty");
        }
        if raw.events.is_empty() {
            return self.skip("events must be non-empty");
        }
        if raw.command.is_empty() {
            return self.skip("command is required");
        }
        let mut events = Vec::new();
        for name in &raw.events {
            match name.trim().parse::<Event>() {
                Ok(event) if EVENTS.contains(&event) => events.push(event),
                _ => self.warn(&format!("unknown event {name:?}; skipping for this hook")),
            }
        }
        if events.is_empty() {
            return self.skip("no valid events remain after filtering");
        }
        let mode = if raw.mode.trim().to_lowercase() == "async" { Mode::Async } else { Mode::Sync };
        if mode == Mode::Async && events.iter().any(|event| event.is_gating()) {
            return self.skip("async mode is not valid for pre_* events; skipping hook");
        }
        if mode == Mode::Sync && events.contains(&Event::PostMessage) {
            self.warn("post_message hooks are always async; coercing mode");
        }
        let mut info = HookInfo::new(self.name, []);
        // hygge makes all events of a hook with `post_message` async, and then never asks it on the gating events. Here
        // the hook keeps gating them.
        let is_async = mode == Mode::Async || events.contains(&Event::PostMessage);
        info.events = events
            .into_iter()
            .map(|event| (event, if is_async && !event.is_gating() { Mode::Async } else { Mode::Sync }))
            .collect();
        info.source = self.file.source.clone();
        raw.description.trim().clone_into(&mut info.description);
        info.timeout = self.timeout(raw.timeout.trim());
        let shell = ShellEntry {
            at: self.at.clone(),
            command: raw.command,
            args: raw.args,
            inherit: Inherit::Common,
            env: raw.env,
            cwd: None,
            dialect: None,
        };
        Some((info, shell))
    }

    /// Reads a timeout. `None` means no timeout, which is how hygge reads zero and anything below.
    fn timeout(&mut self, text: &str) -> Option<Duration> {
        if text.is_empty() {
            return Some(DEFAULT_TIMEOUT);
        }
        match parse_duration(text) {
            Some(timeout) => Some(timeout).filter(|timeout| !timeout.is_zero()),
            None => {
                self.warn(&format!("invalid timeout {text:?}; using default"));
                Some(DEFAULT_TIMEOUT)
            }
        }
    }

    fn warn(&mut self, message: &str) {
        let mut problem = self.file.problem(Code::ConfigValue, Some(self.name), &self.at, message, None);
        problem.severity = Severity::Warning;
        self.problems.push(problem);
    }

    fn skip<T>(&mut self, message: &str) -> Option<T> {
        let problem = self.file.problem(Code::ConfigValue, Some(self.name), &self.at, message, None);
        self.problems.push(problem);
        None
    }
}
