//! The reading of `config.yaml` as ub does it. Unknown keys are ignored, and a value of the wrong type makes the whole
//! file unusable.

use super::EVENTS;
use super::expand::{Expanded, MAX_EXPANDED, TooLarge, expand};
use crate::config::{
    COMPONENT_TIMEOUT, ConfigFile, Entry, HookTarget, HostEnv, MODEL_TIMEOUT, Problem, Reading, Severity, ShellEntry,
    parse_duration, suggest,
};
use crate::dialect::go::scalar;
use crate::dialect::names::short_name;
use crate::dialect::yaml::{self, Node};
use crate::dialect::{Strictness, component};
use crate::protocol::{Code, Event, OnError, Origin};
use crate::runtime::shell::Inherit;
use crate::runtime::{HookInfo, Matcher, Mode};
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

const DEFAULT_TIMEOUT: Duration = Duration::from_secs(10);
const MAX_TIMEOUT: Duration = Duration::from_secs(60);

/// The keys of an entry that ub reads.
const KEYS: [&str; 5] = ["command", "tools", "timeout", "on_failure", "env"];

/// The keys that ub itself reads in an entry with a component.
const OWN_KEYS: [&str; 3] = ["tools", "timeout", "on_failure"];

/// The only value of `on_failure` that blocks.
const BLOCK: &str = "block";

pub(super) fn read(file: &ConfigFile, host: &HostEnv<'_>, strictness: Strictness) -> Reading {
    let value_of = |name: &str| host.var(name).map(|value| value.to_string_lossy().into_owned());
    let expanded = match expand(&file.text, value_of) {
        Ok(expanded) => expanded,
        Err(TooLarge) => {
            let mut reading = Reading::default();
            let message = format!("has more than {MAX_EXPANDED} bytes with its variables in place");
            reading.break_file(Problem::about_file(&file.path, Code::ConfigUnreadable, message));
            return reading;
        }
    };
    let mut reader = Reader { file, expanded: &expanded, strictness, reading: Reading::default() };
    for (name, at) in &expanded.unset {
        let message = format!("env variable used in config is unset: {name}");
        let mut problem = file.problem(Code::ConfigValue, None, at, message, None);
        problem.severity = Severity::Warning;
        reader.reading.problems.push(problem);
    }
    if let Err(Fault { code, at, message }) = reader.read() {
        reader.reading.entries.clear();
        let problem = file.problem(code, None, &expanded.original(&at), expanded.hide(&message), None);
        reader.reading.break_file(problem);
    }
    reader.reading
}

/// Why a file cannot be used, and where the problem is in the expanded text.
struct Fault {
    code: Code,
    at: Range<usize>,
    message: String,
}

impl Fault {
    fn wrong(key: &str, node: &Node, expected: &str) -> Self {
        let message = format!("`{key}` must be {expected}, not {}", node.kind_name());
        Fault { code: Code::ConfigValue, at: node.at.clone(), message }
    }
}

struct Reader<'a> {
    file: &'a ConfigFile,
    expanded: &'a Expanded,
    strictness: Strictness,
    reading: Reading,
}

impl Reader<'_> {
    fn read(&mut self) -> Result<(), Fault> {
        let root = yaml::parse(&yaml::with_whole_characters(&self.expanded.text)).map_err(|error| Fault {
            code: Code::ConfigSyntax,
            at: error.at,
            message: error.message,
        })?;
        if let Some(root) = root.as_ref().filter(|root| !root.is_null() && root.as_mapping().is_none()) {
            return Err(Fault::wrong("the config", root, "a mapping"));
        }
        for (key, _) in root.as_ref().and_then(Node::as_mapping).unwrap_or_default() {
            if EVENTS.iter().any(|(name, _)| key.scalar().is_some_and(|scalar| scalar.text == *name)) {
                self.hint(&key.at, "a trigger outside of `hooks`, where ub does not look for it", None);
            }
        }
        let Some(hooks) = root.as_ref().and_then(|root| root.get("hooks")).filter(|hooks| !hooks.is_null()) else {
            return Ok(());
        };
        hooks.as_mapping().ok_or_else(|| Fault::wrong("hooks", hooks, "a mapping"))?;
        let names = EVENTS.map(|(name, _)| name);
        for (key, _) in hooks.as_mapping().unwrap_or_default() {
            self.hint_unknown("trigger", key, &names);
        }
        for (name, event) in EVENTS {
            let Some(list) = hooks.get(name).filter(|list| !list.is_null()) else {
                continue;
            };
            let items = list.as_sequence().ok_or_else(|| Fault::wrong(name, list, "a list"))?;
            for item in items {
                let entry = self.entry(event, item)?;
                self.reading.entries.push(entry);
            }
        }
        Ok(())
    }

    fn hint(&mut self, at: &Range<usize>, message: &str, help: Option<String>) {
        let at = self.expanded.original(at);
        let problem = self.file.problem(Code::ConfigKey, None, &at, self.expanded.hide(message), help);
        self.reading.hint(problem);
    }

    fn hint_unknown(&mut self, what: &str, key: &Node, known: &[&str]) {
        let name = key.scalar().map(|scalar| scalar.text.as_str()).unwrap_or_default();
        if !known.contains(&name) {
            self.hint(&key.at, &format!("ub knows no {what} {name:?}"), Some(suggest(name, known)));
        }
    }

    fn entry(&mut self, event: Event, node: &Node) -> Result<Entry, Fault> {
        if !node.is_null() {
            node.as_mapping().ok_or_else(|| Fault::wrong("hook", node, "a mapping"))?;
        }
        let command = strings(node, "command")?;
        let tools = strings(node, "tools")?;
        let env = strings(node, "env")?;
        let on_failure = string(node, "on_failure")?;
        let model = node.get("model").filter(|model| model.as_mapping().is_some());
        // Only hookbox runs components and asks models.
        let is_component = node.get("component").is_some() || model.is_some();
        let timeout = timeout(node)?;
        if !is_component {
            for (key, _) in node.as_mapping().unwrap_or_default() {
                self.hint_unknown("key", key, &KEYS);
            }
        }
        if let Some(value) =
            node.get("on_failure").filter(|_| !matches!(on_failure.as_deref(), None | Some("warn" | BLOCK)))
        {
            self.hint(&value.at, "`on_failure` is neither `block` nor `warn`, and so means `warn`", None);
        }
        let at = self.expanded.original(&node.at);
        let shown = match model {
            Some(model) => vec![string(model, "use")?.unwrap_or_default()],
            None if is_component => vec![string(node, "component")?.unwrap_or_default()],
            None => command.clone(),
        };
        let default_timeout = match model {
            Some(_) => MODEL_TIMEOUT,
            None if is_component => COMPONENT_TIMEOUT,
            None => DEFAULT_TIMEOUT,
        };
        let name = short_name(self.expanded.hide(&shown.join(" ")));
        let mut info = HookInfo::new(&name, []);
        info.events = vec![(event, Mode::Sync)];
        info.source = self.file.source.clone();
        info.timeout = Some(timeout.unwrap_or(default_timeout));
        info.on_error = match on_failure.as_deref() {
            Some(BLOCK) => OnError::Deny,
            // A component fails closed, unless its entry says otherwise.
            Some("warn") if is_component && !self.strictness.is_strict() => OnError::Allow,
            _ if is_component => OnError::Deny,
            _ if self.strictness.is_strict() => OnError::Deny,
            _ => OnError::Allow,
        };
        let pattern = Some(tools.iter().map(|tool| regex::escape(tool)).collect::<Vec<_>>().join("|"))
            .filter(|_| event.has_tool() && !tools.is_empty());
        if pattern.is_some() {
            info.matcher = Matcher::names(tools);
        }
        info.origin = Some(Arc::new(Origin { command: shown, ..Origin::default() }));
        let (target, settings) = if is_component {
            let read = component::read_node(self.file, &name, &at, node, &OWN_KEYS);
            let problems = read.problems.into_iter().map(|problem| self.expanded.hide_in(problem));
            self.reading.problems.extend(problems);
            let target = match read.target {
                HookTarget::Broken(kind, failure) => {
                    let message = self.expanded.hide(&failure.message);
                    HookTarget::Broken(kind, failure.with_message(message))
                }
                target => target,
            };
            (target, read.settings)
        } else {
            (HookTarget::Shell(shell(command, env, at.clone())), None)
        };
        Ok(Entry { info, target, settings, pattern, at })
    }
}

/// Returns the entry of a shell hook. An empty command is not refused, but running it fails.
fn shell(command: Vec<String>, env: Vec<String>, at: Range<usize>) -> ShellEntry {
    let mut argv = command.into_iter();
    ShellEntry {
        command: argv.next().unwrap_or_default(),
        at,
        args: argv.collect(),
        inherit: Inherit::Names(if env.is_empty() { vec!["PATH".to_owned()] } else { env }),
        env: Vec::new(),
        cwd: None,
        dialect: None,
    }
}

/// Returns the time limit that an entry names. Values above the maximum mean the maximum, zero or less means the
/// default.
fn timeout(node: &Node) -> Result<Option<Duration>, Fault> {
    let Some(value) = node.get("timeout").filter(|value| !value.is_null()) else {
        return Ok(None);
    };
    let wrong = || Fault::wrong("timeout", value, "a duration such as `5s`");
    let text = value.as_str().ok_or_else(wrong)?;
    let timeout = parse_duration(text).ok_or_else(|| Fault {
        code: Code::ConfigValue,
        at: value.at.clone(),
        message: format!("`timeout` is {text:?}, which is not a duration"),
    })?;
    Ok(Some(timeout.min(MAX_TIMEOUT)).filter(|timeout| !timeout.is_zero()))
}

fn string(node: &Node, key: &str) -> Result<Option<String>, Fault> {
    match node.get(key).filter(|value| !value.is_null()) {
        Some(value) => text(value).map(Some).ok_or_else(|| Fault::wrong(key, value, "a string")),
        None => Ok(None),
    }
}

fn strings(node: &Node, key: &str) -> Result<Vec<String>, Fault> {
    let Some(value) = node.get(key).filter(|value| !value.is_null()) else {
        return Ok(Vec::new());
    };
    let items = value.as_sequence().ok_or_else(|| Fault::wrong(key, value, "a list of strings"))?;
    items.iter().map(|item| text(item).ok_or_else(|| Fault::wrong(key, item, "a list of strings"))).collect()
}

/// Returns the text of any scalar, including a number or a boolean.
fn text(node: &Node) -> Option<String> {
    node.scalar().map(scalar::text)
}
