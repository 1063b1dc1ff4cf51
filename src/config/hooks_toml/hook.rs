//! The keys of one hook.

use super::super::duration::{format_duration, parse_duration};
use super::super::entry::{BuiltinEntry, Entry, HookTarget, Sandboxed};
use super::super::fields::{Fields, suggest};
use super::super::file::ConfigFile;
use super::super::problem::Problem;
use super::{component, model, settings, shell};
use crate::policy::{Policy, Schema};
use crate::protocol::{Code, Event, Failure, Kind};
use crate::runtime::{HookInfo, Matcher, Mode, OnError};
use std::ops::Range;
use std::time::Duration;

const KEYS: [&str; 24] = [
    "description",
    "events",
    "policy",
    "component",
    "script",
    "builtin",
    "model",
    "command",
    "args",
    "env",
    "inherit",
    "cwd",
    "dialect",
    "sha256",
    "match",
    "timeout",
    "mode",
    "on_error",
    "recheck",
    "enforce",
    "facts",
    "settings",
    "limits",
    "grants",
];

/// The keys that say what a hook runs. A hook has exactly one of them.
const WAYS: [&str; 6] = ["policy", "component", "script", "builtin", "model", "command"];

/// The keys that only shell hooks have.
const SHELL_KEYS: [&str; 5] = ["args", "env", "inherit", "cwd", "dialect"];

/// The default time limit of a component. A component only computes, so it is done in microseconds or stuck.
pub(crate) const COMPONENT_TIMEOUT: Duration = Duration::from_secs(1);
const COMPONENT_MAX_TIMEOUT: Duration = crate::runtime::component::MAX_TIMEOUT;
/// The default time limit of a shell hook. Interpreters start slowly, especially on a busy machine.
pub(crate) const SHELL_TIMEOUT: Duration = Duration::from_secs(10);
pub(crate) const SHELL_MAX_TIMEOUT: Duration = Duration::from_secs(600);

/// The default time limit of a hook that asks a model. It includes retries if the server is too busy.
pub(crate) const MODEL_TIMEOUT: Duration = Duration::from_secs(30);

/// The reader of the keys of one hook.
pub(super) struct EntryReader<'a> {
    pub(super) file: &'a ConfigFile,
    pub(super) name: &'a str,
    pub(super) at: Range<usize>,
    pub(super) fields: Fields<'a>,
}

impl EntryReader<'_> {
    pub(super) fn read(mut self) -> (Entry, Vec<Problem>) {
        self.fields.only(&KEYS);
        let mut info = HookInfo::new(self.name, []);
        info.source = self.file.source.clone();
        if let Some((description, _)) = self.fields.string("description", r#""No force push""#) {
            description.trim().clone_into(&mut info.description);
        }
        let pattern = self.matcher(&mut info);
        info.on_error = self
            .fields
            .word("on_error", &[("deny", OnError::Deny), ("ask", OnError::Ask), ("allow", OnError::Allow)])
            .unwrap_or_default();
        info.recheck = self.fields.boolean("recheck").is_some_and(|(recheck, _)| recheck);
        info.enforce = self.fields.boolean("enforce").is_none_or(|(enforce, _)| enforce);
        info.wants_commands = self.facts();
        let target = self.target();
        let kind = match target {
            Some(HookTarget::Component(ref entry)) => entry.kind.into(),
            Some(HookTarget::Shell(_)) => Kind::Shell,
            Some(HookTarget::Builtin(_) | HookTarget::Model(_)) => Kind::Native,
            _ => Kind::Config,
        };
        info.timeout = Some(self.timeout(kind));
        let policy = target.as_ref().and_then(HookTarget::policy);
        if let Some(policy) = policy {
            info.wants_commands |= policy.wants_commands;
            if info.description.is_empty() {
                policy.summary.clone_into(&mut info.description);
            }
        }
        let events = self.events(policy);
        let settings = settings::read(&mut self.fields);
        let clean = self.fields.is_clean();
        let problems = self.fields.into_problems();
        info.events = events.unwrap_or_default();
        let target = match target {
            Some(target) if clean => target,
            _ => {
                // The events of a broken guard may be unknown. It then counts as missing on every event that it could
                // gate, and on every result that it could have changed.
                if info.events.is_empty() {
                    info.events = Event::ALL.iter().map(|event| (*event, Mode::Sync)).collect();
                }
                info.events.retain(|(event, _)| event.is_gating() || event.has_result());
                let (code, message) = problems.first().map_or_else(
                    || (Code::ConfigKey, "is not usable".to_owned()),
                    |problem| (problem.code, format!("is not usable: {problem}")),
                );
                HookTarget::Broken(kind, Failure::new(code, message))
            }
        };
        let entry = Entry { info, target, settings, pattern, at: self.at };
        (entry, problems)
    }

    fn matcher(&mut self, info: &mut HookInfo) -> Option<String> {
        let (pattern, at) = self.fields.string("match", r#""bash|shell""#)?;
        if pattern.is_empty() {
            let help = "leave it out, or write \"*\", to hear of every tool";
            self.fields.bad_value(&at, "`match` is empty, so that it would match no tool", Some(help.to_owned()));
            return None;
        }
        match Matcher::new(pattern) {
            Ok(matcher) => info.matcher = matcher,
            Err(error) => {
                let text = error.to_string();
                let what = text.lines().last().unwrap_or_default().trim_start_matches("error: ");
                self.fields.bad_value(&at, format!("`match` is not a regex: {what}"), None);
            }
        }
        Some(pattern.to_owned())
    }

    /// Reads whether the hook wants more facts of tool calls than every hook gets.
    fn facts(&mut self) -> bool {
        const KNOWN: [&str; 2] = ["commands", "all"];
        let Some((names, _)) = self.fields.strings("facts", r#"["commands"]"#) else { return false };
        for (name, at) in &names {
            if !KNOWN.contains(name) {
                self.fields.bad_value(at, format!("unknown facts {name:?}"), Some(suggest(name, &KNOWN)));
            }
        }
        !names.is_empty()
    }

    /// Reads the events with their modes; `None` if they are not known for certain.
    fn events(&mut self, policy: Option<&Policy>) -> Option<Vec<(Event, Mode)>> {
        let mode = self.fields.word("mode", &[("sync", Mode::Sync), ("async", Mode::Async)]);
        let mode_at = self.fields.key_at("mode").unwrap_or_default();
        if let Some(policy) = policy.filter(|_| !self.fields.has("events")) {
            return Some(policy.events.iter().map(|event| (*event, Mode::Sync)).collect());
        }
        if !self.fields.has("events") {
            // What is wrong with the policy, which would bring its events, has been said.
            if self.fields.has("policy") && !self.fields.is_clean() {
                return None;
            }
            let known = Event::names().join(", ");
            let message = format!("hook `{}` has no `events`", self.name);
            self.fields.bad_key(&self.at, message, Some(format!("one or more of: {known}")));
            return None;
        }
        let (names, at) = self.fields.strings("events", r#"["pre_tool"]"#)?;
        if names.is_empty() {
            self.fields.bad_value(&at, "`events` is empty, so that the hook would never run", None);
            return None;
        }
        let mut events: Vec<(Event, Mode)> = Vec::new();
        let mut all_known = true;
        for (name, at) in names {
            let Ok(event) = name.trim().parse::<Event>() else {
                let help = suggest(name, &Event::names());
                self.fields.bad_value(&at, format!("unknown event {name:?}"), Some(help));
                all_known = false;
                continue;
            };
            if event.is_gating() && mode == Some(Mode::Async) {
                let message = format!("an async hook cannot gate {event}: nobody waits for its answer");
                self.fields.bad_value(&mode_at, message, Some("use mode = \"sync\"".to_owned()));
            }
            // Nothing waits for a `post_message`, so it is always async. The hook's other events are not affected.
            let mode = match event {
                Event::PostMessage => Mode::Async,
                _ => mode.unwrap_or_default(),
            };
            if !events.iter().any(|(known, _)| *known == event) {
                events.push((event, mode));
            }
        }
        all_known.then_some(events)
    }

    fn timeout(&mut self, kind: Kind) -> Duration {
        let (default, most) = match kind {
            Kind::Component | Kind::Script => (COMPONENT_TIMEOUT, COMPONENT_MAX_TIMEOUT),
            _ if self.fields.has("model") => (MODEL_TIMEOUT, SHELL_MAX_TIMEOUT),
            _ => (SHELL_TIMEOUT, SHELL_MAX_TIMEOUT),
        };
        let Some((text, at)) = self.fields.string("timeout", r#""5s" or "500ms""#) else {
            return default;
        };
        match parse_duration(text.trim()) {
            Some(timeout) if timeout > Duration::ZERO && timeout <= most => timeout,
            Some(_) => {
                let most = format_duration(most);
                self.fields.bad_value(&at, format!("`timeout` must be over 0s and at most {most}"), None);
                default
            }
            None => {
                let message = format!("`timeout` is {text:?}, which is not a duration");
                self.fields.bad_value(&at, message, Some("such as \"5s\" or \"500ms\"".to_owned()));
                default
            }
        }
    }

    fn target(&mut self) -> Option<HookTarget> {
        let given: Vec<&str> = WAYS.into_iter().filter(|way| self.fields.has(way)).collect();
        match given.as_slice() {
            ["policy"] => {
                self.refuse_keys(&SHELL_KEYS, "a policy has no arguments, no environment and no directory of its own");
                self.refuse_keys(&["grants"], "a policy can only compute, and needs no grants");
                self.policy()
            }
            ["component"] => {
                self.refuse_keys(
                    &SHELL_KEYS,
                    "a component has no arguments, no environment and no directory of its own",
                );
                self.sandboxed(Sandboxed::Component)
            }
            ["script"] => {
                self.refuse_keys(&SHELL_KEYS, "a script has no arguments, no environment and no directory of its own");
                self.sandboxed(Sandboxed::Script)
            }
            ["builtin"] => {
                self.refuse_keys(&SHELL_KEYS[1..], "a builtin has no environment and no directory of its own");
                self.refuse_keys(&["sha256", "limits", "grants"], "a builtin is a part of hookbox");
                self.builtin()
            }
            ["model"] => {
                self.refuse_keys(&SHELL_KEYS, "a model has no arguments, no environment and no directory");
                self.refuse_keys(
                    &["sha256", "limits", "grants", "settings"],
                    "a model is bounded by `timeout`, and by `max_tokens` and `budget` in `model`",
                );
                model::read(&mut self.fields, self.file, self.name).map(|entry| HookTarget::Model(Box::new(entry)))
            }
            ["command"] => {
                self.refuse_keys(
                    &["sha256", "limits", "grants"],
                    "a shell hook runs with your rights: only a component or a script can be pinned or limited",
                );
                shell::read(&mut self.fields).map(HookTarget::Shell)
            }
            // A key that nearly matches was already reported.
            [] if !self.fields.is_clean() => None,
            [] => {
                let message = format!(
                    "hook `{}` has no `policy`, `component`, `script`, `builtin`, `model` or `command`",
                    self.name
                );
                self.fields.bad_key(&self.at.clone(), message, None);
                None
            }
            [first, .., last] => {
                let at = self.fields.key_at(last).unwrap_or_default();
                self.fields.bad_key(&at, format!("a hook has a `{first}` or a `{last}`, not both"), None);
                None
            }
            [_] => None,
        }
    }

    fn policy(&mut self) -> Option<HookTarget> {
        let (name, at) = self.fields.string("policy", r#""no-destructive-commands""#)?;
        let Some(policy) = Policy::find(name) else {
            let help = suggest(name, &Policy::names());
            self.fields.bad_value(&at, format!("no policy {name:?} ships with this hookbox"), Some(help));
            return None;
        };
        if let Some((settings, _)) = self.fields.table("settings", "{ mode = \"audit\" }") {
            for problem in Schema::of(policy).check(settings) {
                self.fields.bad_setting(problem);
            }
        }
        let entry = component::read_entry(&mut self.fields, self.file, self.name, Sandboxed::Policy(policy), name, at);
        Some(HookTarget::Component(Box::new(entry)))
    }

    fn builtin(&mut self) -> Option<HookTarget> {
        let (name, _) = self.fields.string("builtin", r#""redact_secrets""#)?;
        let args = self.fields.strings("args", r#"["50"]"#).map_or_else(Vec::new, |(args, _)| args);
        let args = args.into_iter().map(|(arg, _)| arg.to_owned()).collect();
        Some(HookTarget::Builtin(BuiltinEntry::new(name, args)))
    }

    fn sandboxed(&mut self, kind: Sandboxed) -> Option<HookTarget> {
        component::read(&mut self.fields, self.file, self.name, kind)
            .map(|entry| HookTarget::Component(Box::new(entry)))
    }

    fn refuse_keys(&mut self, keys: &[&str], why: &str) {
        for key in keys {
            if let Some(at) = self.fields.key_at(key) {
                self.fields.bad_key(&at, format!("`{key}` does not fit here"), Some(why.to_owned()));
            }
        }
    }
}
