//! A chain's decision, with one record per hook.

use super::encode::to_visible_json;
use super::{Code, Input, Permission, Record, Verdict};
use serde::{Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

/// The way in which a hook runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Kind {
    /// A WebAssembly component in its own sandbox.
    Component,
    /// A JavaScript script in its own sandbox.
    Script,
    /// An external command.
    Shell,
    /// A Rust type of the embedding program.
    Native,
    /// Not a real hook: it represents config that could not be used, and fails on each call.
    Config,
}

impl Kind {
    /// Returns how a message names a hook of this kind. What represents a whole config file has the path of that file as
    /// its name.
    pub(crate) fn titled(self, name: &str) -> String {
        match self {
            Kind::Config if name.starts_with('/') => format!("config file `{name}`"),
            _ => format!("hook `{name}`"),
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Component => "component",
            Kind::Script => "script",
            Kind::Shell => "shell",
            Kind::Native => "native",
            Kind::Config => "config",
        })
    }
}

/// The origin of a hook, as a word for listings: `user`, `project`, `host`, or a host's own label.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(transparent)]
pub struct Source(Cow<'static, str>);

impl Source {
    /// The user's own config.
    pub const USER: Source = Source(Cow::Borrowed("user"));
    /// The config of a project.
    pub const PROJECT: Source = Source(Cow::Borrowed("project"));
    /// The embedding program.
    pub const HOST: Source = Source(Cow::Borrowed("host"));

    /// Creates a label from a constant.
    pub(crate) const fn fixed(label: &'static str) -> Self {
        Source(Cow::Borrowed(label))
    }

    /// Creates a host's own label, such as `plugin:fmt`.
    pub fn new(label: impl Into<Cow<'static, str>>) -> Self {
        Source(label.into())
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A message that the user should see, although the event goes on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Warning {
    /// The hook or config file that the warning is about, or `tool_name`.
    pub hook: String,
    /// The stable code.
    pub code: Code,
    /// What happened and what the consequence is.
    pub message: String,
}

impl Warning {
    /// Creates a warning about a hook or a config file. `message` says what happened and what the consequence is.
    pub fn new(subject: impl Into<String>, code: Code, message: impl Into<String>) -> Self {
        Warning { hook: subject.into(), code, message: message.into() }
    }
}

/// The decision of the chain for one event.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Outcome {
    /// The most restrictive decision.
    pub verdict: Verdict,
    /// The hook that denied, with [`Verdict::Deny`].
    pub denied_by: Option<String>,
    /// The first hook that asked, with [`Verdict::Ask`].
    pub asked_by: Option<String>,
    /// Why a hook denied or asked.
    pub reason: Option<String>,
    /// The Input as the chain left it. If the event may happen, it must happen in this form. `None` if no Input could
    /// be read.
    pub input: Option<Box<Input>>,
    /// Whether the hooks changed the Input.
    pub modified: bool,
    /// Text for the system prompt, in the order of the hooks.
    pub system_prompt_additions: Vec<String>,
    /// Text for the model, in the order of the hooks.
    pub additional_context: Vec<String>,
    /// Text for the user, in the order of the hooks.
    pub system_messages: Vec<String>,
    /// The most restrictive permission that a hook gave. If both this and the verdict are `allow`, the user need not be
    /// asked.
    pub permission: Option<Permission>,
    /// Why the hook gave this permission.
    pub permission_reason: Option<String>,
    /// Whether a hook wants the agent to stop its loop.
    pub stop: bool,
    /// Why the agent should stop.
    pub stop_reason: Option<String>,
    /// The warnings for the user.
    pub warnings: Vec<Warning>,
    /// One record per hook that was asked, in the order of the chain.
    pub hooks: Vec<Record>,
    /// The hooks' decision, if it was not applied because the whole chain is only [monitored](Outcome::unapplied).
    pub would: Option<Would>,
}

/// The decision of a chain that is only monitored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Would {
    /// The most restrictive decision.
    #[serde(rename = "decision")]
    pub verdict: Verdict,
    /// The hook that would have denied.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub denied_by: Option<String>,
    /// The hook that would have asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked_by: Option<String>,
    /// Why the hook would have denied or asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Whether the hooks would have changed the Input.
    pub modified: bool,
    /// The Input as the chain would have left it.
    #[serde(skip)]
    pub input: Option<Box<Input>>,
}

impl Outcome {
    /// Creates the Outcome of a chain without hooks.
    #[inline]
    #[must_use]
    pub fn allow(input: impl Into<Box<Input>>) -> Self {
        Outcome::new(Verdict::Allow, Some(input.into()))
    }

    /// Creates the Outcome for an event without a verdict: a deny that names no hook.
    pub fn no_verdict(code: Code, message: impl fmt::Display, input: Option<Input>) -> Self {
        let input = input.map(Box::new);
        Outcome { reason: Some(format!("{code}: {message}")), ..Outcome::new(Verdict::Deny, input) }
    }

    #[inline]
    const fn new(verdict: Verdict, input: Option<Box<Input>>) -> Self {
        Outcome {
            verdict,
            denied_by: None,
            asked_by: None,
            reason: None,
            input,
            modified: false,
            system_prompt_additions: Vec::new(),
            additional_context: Vec::new(),
            system_messages: Vec::new(),
            permission: None,
            permission_reason: None,
            stop: false,
            stop_reason: None,
            warnings: Vec::new(),
            hooks: Vec::new(),
            would: None,
        }
    }

    /// Returns the Outcome of a chain that is only monitored: the event goes on with its original Input, and what the
    /// hooks decided stays in [`would`](Outcome::would), in their records and in the warnings.
    #[must_use]
    pub fn unapplied(self, original: impl Into<Box<Input>>) -> Self {
        let hooks = self.hooks.into_iter().map(|hook| Record { enforce: false, ..hook }).collect();
        let would = Would {
            verdict: self.verdict,
            denied_by: self.denied_by,
            asked_by: self.asked_by,
            reason: self.reason,
            modified: self.modified,
            input: self.input,
        };
        Outcome { warnings: self.warnings, hooks, would: Some(would), ..Outcome::allow(original) }
    }

    /// Returns the Outcome as one line of JSON. Line breaks between the tokens of an unmodified `tool_input` become
    /// spaces; nothing else in it changes. Everywhere else, characters that a terminal or a model would not show
    /// (controls, direction and format characters, zero-width characters, tags) are written as escapes, which leaves
    /// the values unchanged.
    #[must_use]
    pub fn to_json_line(&self) -> String {
        #[derive(Serialize)]
        struct Wire<'a> {
            decision: Verdict,
            #[serde(skip_serializing_if = "Option::is_none")]
            denied_by: Option<&'a str>,
            #[serde(skip_serializing_if = "Option::is_none")]
            asked_by: Option<&'a str>,
            #[serde(skip_serializing_if = "Option::is_none")]
            reason: Option<&'a str>,
            input: Option<Box<serde_json::value::RawValue>>,
            modified: bool,
            system_prompt_additions: &'a [String],
            #[serde(skip_serializing_if = "<[_]>::is_empty")]
            additional_context: &'a [String],
            #[serde(skip_serializing_if = "<[_]>::is_empty")]
            system_messages: &'a [String],
            #[serde(skip_serializing_if = "Option::is_none")]
            permission: Option<Permission>,
            #[serde(skip_serializing_if = "Option::is_none")]
            permission_reason: Option<&'a str>,
            #[serde(skip_serializing_if = "std::ops::Not::not")]
            stop: bool,
            #[serde(skip_serializing_if = "Option::is_none")]
            stop_reason: Option<&'a str>,
            warnings: &'a [Warning],
            hooks: &'a [Record],
            #[serde(skip_serializing_if = "Option::is_none")]
            would: Option<&'a Would>,
        }
        let wire = Wire {
            decision: self.verdict,
            denied_by: self.denied_by.as_deref(),
            asked_by: self.asked_by.as_deref(),
            reason: self.reason.as_deref(),
            input: self.input.as_ref().and_then(|input| {
                // A line break inside a JSON string is always escaped, so every one here is between tokens.
                let line = input.to_printed_json().replace(['\n', '\r'], " ");
                serde_json::value::RawValue::from_string(line).ok()
            }),
            modified: self.modified,
            system_prompt_additions: &self.system_prompt_additions,
            additional_context: &self.additional_context,
            system_messages: &self.system_messages,
            permission: self.permission,
            permission_reason: self.permission_reason.as_deref(),
            stop: self.stop,
            stop_reason: self.stop_reason.as_deref(),
            warnings: &self.warnings,
            hooks: &self.hooks,
            would: self.would.as_ref(),
        };
        // No part of the Outcome can fail to serialize. If that is ever wrong, the caller must still get a deny.
        to_visible_json(&wire).unwrap_or_else(|_| r#"{"decision":"deny"}"#.to_owned())
    }
}

pub(super) fn as_micros<S: Serializer>(duration: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u64(u64::try_from(duration.as_micros()).unwrap_or(u64::MAX))
}
