//! A configured hook, as shown in listings.

use super::duration::format_duration;
use super::entry::{BuiltinEntry, Entry, HookTarget};
use super::file::ConfigFile;
use crate::protocol::{Event, Kind, Source};
use crate::runtime::{HookInfo, Mode};
use serde::Serialize;
use std::path::PathBuf;

/// A configured hook, as shown in listings.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Summary {
    /// The hook's name.
    pub name: String,
    /// How the hook runs.
    pub kind: Kind,
    /// Where the hook comes from.
    pub source: Source,
    /// The hook's events.
    pub events: Vec<Event>,
    /// `sync` or `async`.
    pub mode: &'static str,
    /// The hook's time limit in Go's syntax; `0s` means none.
    pub timeout: String,
    /// The hook's description.
    pub description: String,
    /// The pattern for the tool's name.
    #[serde(rename = "match")]
    pub pattern: Option<String>,
    /// What a failure of the hook counts as.
    pub on_error: &'static str,
    /// The config file.
    pub file: PathBuf,
    /// The line on which the hook's entry begins.
    pub line: usize,
    /// What the hook runs: a component's file, or a command with its arguments.
    pub runs: Vec<String>,
    /// The SHA-256 of the component, if it could be read.
    pub sha256: Option<String>,
    /// The policy that the hook runs, if it ships with hookbox.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy: Option<PolicySummary>,
    /// What the component is granted, one sentence each.
    pub grants: Vec<String>,
    /// The additional facts of tool calls that the hook wants, beyond those that every hook gets.
    pub facts: Vec<&'static str>,
    /// Whether the hook's answers count. If not, it is a monitor.
    pub enforce: bool,
    /// Whether the hook may only deny or ask, because its project is not trusted.
    pub restricted: bool,
    /// Why the hook cannot run, if it cannot. It then denies on gating events, or does what its `on_error` says.
    pub problem: Option<String>,
    /// The other parts of the entry that the hook's answers depend on.
    #[serde(skip)]
    pub(super) beside: Vec<String>,
}

/// A policy that ships with hookbox, as shown in listings.
#[derive(Clone, Copy, Debug, Serialize)]
#[non_exhaustive]
pub struct PolicySummary {
    /// The policy's name.
    pub name: &'static str,
    /// The policy's version.
    pub version: &'static str,
}

impl Summary {
    /// Returns whether the summary describes this hook and not another one of the same name.
    #[must_use]
    pub fn is_of(&self, info: &HookInfo) -> bool {
        self.name == info.name && self.source == info.source && self.events == deduped(&info.events)
    }

    /// Returns a digest of what the hook's answers depend on besides the event: what the hook runs, its settings and
    /// its grants. If the digest differs, an earlier answer says nothing about the hook. Returns `None` for a hook that
    /// only computes.
    #[must_use]
    pub fn entry_digest(&self) -> Option<String> {
        let only_computes = matches!(self.kind, Kind::Component | Kind::Script) && self.grants.is_empty();
        if only_computes {
            return None;
        }
        let mut digest = blake3::Hasher::new();
        let kind = self.kind.to_string();
        for list in [&[kind][..], &self.runs, self.sha256.as_slice(), &self.grants, &self.beside] {
            digest.update(&(list.len() as u64).to_le_bytes());
            for text in list {
                digest.update(&(text.len() as u64).to_le_bytes());
                digest.update(text.as_bytes());
            }
        }
        // Half of the digest is still enough to tell any two entries apart.
        Some(digest.finalize().to_hex().chars().take(32).collect())
    }

    pub(super) fn timeout_text(timeout: Option<std::time::Duration>) -> String {
        format_duration(timeout.unwrap_or_default())
    }
}

/// Returns the summary of an entry.
pub(super) fn summarize(file: &ConfigFile, entry: &Entry) -> Summary {
    let info = &entry.info;
    let (kind, runs, grants) = match &entry.target {
        HookTarget::Component(component) => {
            (component.kind.into(), vec![component.path.clone()], component.grants.sentences())
        }
        HookTarget::Shell(_) if !info.origin().command.is_empty() => {
            (Kind::Shell, info.origin().command.clone(), Vec::new())
        }
        // Without a command, there are no arguments, either.
        HookTarget::Shell(shell) if shell.command.is_empty() => (Kind::Shell, Vec::new(), Vec::new()),
        HookTarget::Shell(shell) => {
            let runs = std::iter::once(&shell.command).chain(&shell.args).cloned().collect();
            (Kind::Shell, runs, Vec::new())
        }
        HookTarget::Native(native) => (Kind::Native, native.runs.clone(), Vec::new()),
        HookTarget::Builtin(BuiltinEntry { name, args }) => {
            (Kind::Native, std::iter::once(name).chain(args).cloned().collect(), Vec::new())
        }
        HookTarget::Model(model) => (Kind::Native, vec![model.model.clone()], vec![model.sentence()]),
        HookTarget::Broken(kind, _) => (*kind, Vec::new(), Vec::new()),
    };
    Summary {
        name: info.name.clone(),
        kind,
        source: info.source.clone(),
        events: deduped(&info.events),
        mode: info.mode().as_str(),
        timeout: Summary::timeout_text(info.timeout),
        description: info.description.clone(),
        pattern: entry.pattern.clone(),
        on_error: info.on_error.as_str(),
        file: file.path.clone(),
        line: file.locate(&entry.at).line,
        runs,
        sha256: None,
        policy: entry.target.policy().map(|policy| PolicySummary { name: policy.name, version: policy.version }),
        grants,
        facts: if info.wants_commands { vec!["commands"] } else { Vec::new() },
        enforce: info.enforce,
        restricted: info.restricted,
        problem: None,
        beside: beside(entry),
    }
}

/// Returns the events without their modes and without duplicates.
fn deduped(events: &[(Event, Mode)]) -> Vec<Event> {
    let mut unique = Vec::new();
    for (event, _) in events {
        if !unique.contains(event) {
            unique.push(*event);
        }
    }
    unique
}

/// Returns what the answers of a hook depend on besides what listings show.
fn beside(entry: &Entry) -> Vec<String> {
    let target = match &entry.target {
        HookTarget::Shell(shell) => Some(format!("{:?} {:?} {:?}", shell.env, shell.cwd, shell.dialect)),
        HookTarget::Model(model) => {
            Some(format!("{:?} {:?} {:?} {:?}", model.prompt, model.schema, model.max_tokens, model.definition))
        }
        _ => None,
    };
    let settings = entry.settings.as_ref().map(|settings| settings.as_str().to_owned());
    target.into_iter().chain(settings).collect()
}
