//! A configured hook, as shown in listings.

use super::duration::format_duration;
use crate::protocol::{Event, Kind, Source};
use crate::runtime::{HookInfo, Mode};
use serde::Serialize;
use std::path::PathBuf;

/// A configured hook, as shown in listings.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Summary {
    /// Its name.
    pub name: String,
    /// How the hook runs.
    pub kind: Kind,
    /// Where it comes from.
    pub source: Source,
    /// Its events.
    pub events: Vec<Event>,
    /// `sync` or `async`.
    pub mode: &'static str,
    /// Its time limit in Go's syntax; `0s` means none.
    pub timeout: String,
    /// Its description.
    pub description: String,
    /// The pattern for the tool's name.
    #[serde(rename = "match")]
    pub pattern: Option<String>,
    /// What its failure counts as.
    pub on_error: &'static str,
    /// The config file.
    pub file: PathBuf,
    /// The line on which it begins.
    pub line: usize,
    /// What it runs: a component's file, or a command with its arguments.
    pub runs: Vec<String>,
    /// The SHA-256 of the component, if it could be read.
    pub sha256: Option<String>,
    /// The policy that it runs, if it ships with hookbox.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy: Option<PolicySummary>,
    /// What the component is granted, one sentence each.
    pub grants: Vec<String>,
    /// The further facts of tool calls that it wants, beyond those that every hook gets.
    pub facts: Vec<&'static str>,
    /// Whether its answers count. If not, it is a monitor.
    pub enforce: bool,
    /// Whether it may only deny or ask, because its project is not trusted.
    pub restricted: bool,
    /// Why the hook cannot run, if it cannot. It then denies on gating events, or does what its `on_error` says.
    pub problem: Option<String>,
}

/// A policy that ships with hookbox, as shown in listings.
#[derive(Clone, Copy, Debug, Serialize)]
#[non_exhaustive]
pub struct PolicySummary {
    /// Its name.
    pub name: &'static str,
    /// Its version.
    pub version: &'static str,
}

impl Summary {
    /// Returns whether it describes this hook and not another one of the same name.
    #[must_use]
    pub fn is_of(&self, info: &HookInfo) -> bool {
        self.name == info.name && self.source == info.source && self.events == deduped(&info.events)
    }

    pub(super) fn timeout_text(timeout: Option<std::time::Duration>) -> String {
        format_duration(timeout.unwrap_or_default())
    }
}

/// The events without their modes and without duplicates.
pub(super) fn deduped(events: &[(Event, Mode)]) -> Vec<Event> {
    let mut unique = Vec::new();
    for (event, _) in events {
        if !unique.contains(event) {
            unique.push(*event);
        }
    }
    unique
}
