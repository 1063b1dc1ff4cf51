//! Finds the setting of a policy that decided, by asking the policy again with one setting changed at a time.

use super::super::scope::Scope;
use hookbox::config::{ConfigFile, Entry, HostEnv, Loader, Summary};
use hookbox::policy::{Policy, Setting};
use hookbox::record::{HookLine, Line};
use hookbox::{Blocking, Decision, Input, Json, Registry};
use serde_json::{Map, Value};
use std::path::Path;
use std::sync::Arc;

/// The settings that say nothing about which calls are stopped.
const ABOUT_ALL: [&str; 2] = ["mode", "message"];

/// A setting that decided.
pub(super) struct Decisive {
    pub(super) name: String,
    /// Another value, in JSON and TOML alike.
    pub(super) value: String,
    /// The decision with that value.
    pub(super) decision: Decision,
}

/// Returns the settings that decided about an event: those of which one other value leads to a less strict decision.
/// Returns none if the log does not have the Input as the policy saw it, or if the policy now decides otherwise.
pub(super) fn decisive(line: &Line, asked: &HookLine, summary: &Summary, scope: &Scope) -> Vec<Decisive> {
    let policy = summary.policy.and_then(|policy| Policy::find(policy.name));
    let again = policy.and_then(|policy| Some((policy, Again::new(line, summary, scope)?)));
    let Some((policy, again)) = again else { return Vec::new() };
    let Some(now) = again.decision(&again.settings).filter(|now| now.as_str() == asked.decision) else {
        return Vec::new();
    };
    let settings = policy.settings();
    let of_rules = settings.iter().filter(|setting| !ABOUT_ALL.contains(&setting.name.as_str()));
    let found: Vec<Decisive> = of_rules.filter_map(|setting| again.least_strict(setting)).collect();
    let Some(least) = found.iter().map(|found| strictness(found.decision)).min() else { return Vec::new() };
    let is_decisive =
        |found: &Decisive| strictness(found.decision) == least && strictness(found.decision) < strictness(now);
    found.into_iter().filter(is_decisive).collect()
}

/// A policy that can be asked again about a recorded Input.
struct Again {
    loader: Loader,
    registry: Arc<Registry>,
    file: ConfigFile,
    entry: Entry,
    settings: Map<String, Value>,
    input: Input,
}

impl Again {
    fn new(line: &Line, summary: &Summary, scope: &Scope) -> Option<Self> {
        let input = recorded_input(line)?;
        // What a call means depends on the directory that the agent worked in.
        let scope = line.cwd.as_ref().map_or_else(|| scope.clone(), |cwd| scope.in_project(Path::new(cwd)));
        let (dialect, cwd) = (scope.dialect(), scope.project().ok()?);
        let file = ConfigFile::read(&summary.file, summary.source.clone(), dialect.read_rules()).ok()??;
        let env: Vec<_> = std::env::vars_os().collect();
        let entries = dialect.read(&file, &HostEnv::new(&env, &cwd)).entries;
        let entry = entries.into_iter().find(|entry| entry.info.name == summary.name)?;
        let settings = match &entry.settings {
            Some(settings) => serde_json::from_str(settings.as_str()).ok()?,
            None => Map::new(),
        };
        let loader = scope.loader().ok()?;
        // It finds the facts as it does for an event. Its hooks are replaced before it is asked.
        let registry = loader.load().registry;
        Some(Again { loader, registry, file, entry, settings, input })
    }

    /// Returns what the policy decides with these settings, or `None` if it fails.
    fn decision(&self, settings: &Map<String, Value>) -> Option<Decision> {
        let settings = Json::from_value(settings).ok()?;
        let hook = self.loader.hook(&self.file, self.entry.clone().with_settings(Some(settings))).ok()?;
        self.registry.replace_all([hook]).ok()?;
        let outcome = Blocking::new(Arc::clone(&self.registry)).run(self.input.clone()).ok()?;
        let record = outcome.hooks.first().filter(|record| record.failure.is_none())?;
        Some(record.decision)
    }

    /// Returns the value of a setting with the least strict decision.
    fn least_strict(&self, setting: &Setting) -> Option<Decisive> {
        let default = || serde_json::from_str(&setting.default).unwrap_or_default();
        let now = self.settings.get(&setting.name).cloned().unwrap_or_else(default);
        let with = |value: Value| {
            let mut settings = self.settings.clone();
            settings.insert(setting.name.clone(), value.clone());
            let decision = self.decision(&settings)?;
            Some(Decisive { name: setting.name.clone(), value: value.to_string(), decision })
        };
        others(setting, &now).into_iter().filter_map(with).min_by_key(|found| strictness(found.decision))
    }
}

/// Returns the other values of a setting, as far as they can be listed. Of a list, that is the empty one.
fn others(setting: &Setting, now: &Value) -> Vec<Value> {
    if !setting.words.is_empty() {
        let words = setting.words.iter().map(|word| Value::from(word.as_str()));
        return words.filter(|word| word != now).collect();
    }
    match now {
        Value::Bool(flag) => vec![Value::Bool(!flag)],
        Value::Array(items) if !items.is_empty() => vec![Value::Array(Vec::new())],
        Value::Object(members) if !members.is_empty() => vec![Value::Object(Map::new())],
        _ => Vec::new(),
    }
}

/// Returns the Input that the policy was asked about, if the log has it unchanged.
fn recorded_input(line: &Line) -> Option<Input> {
    let is_changed = line.masked.iter().chain(&line.cut).any(|pointer| pointer.starts_with("/input"));
    // After a rewrite, it is not known which form of the Input the policy answered.
    if is_changed || line.final_input.is_some() || !line.has_recorded_input() {
        return None;
    }
    Input::from_slice(line.input.as_ref()?.get().as_bytes()).ok()
}

const fn strictness(decision: Decision) -> u8 {
    match decision {
        Decision::Deny => 2,
        Decision::Ask => 1,
        _ => 0,
    }
}
