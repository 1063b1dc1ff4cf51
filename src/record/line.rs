//! The format of a line.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// The version of the format. It changes only if a reader of the old format would misunderstand the new one.
pub const SCHEMA: u32 = 1;

/// One decided event. Absent keys are not known, or do not apply.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Line {
    /// The version of the format.
    pub schema: u32,
    /// A UUID of version 7, so ids sort by time.
    pub id: String,
    /// The time of the decision, in RFC 3339 with milliseconds.
    pub time: String,
    /// How long the decision took, in microseconds.
    pub us: u64,
    /// The process that decided.
    pub host: Host,
    /// The agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The agent's session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The number of the turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<u64>,
    /// The model's id for the tool call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_use_id: Option<String>,
    /// The agent's working directory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// The event; the agent's own name for one that hookbox does not know.
    pub event: String,
    /// The agent's own name for the event, if hookbox does not know it and has judged it as `event`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unknown_event: Option<String>,
    /// The agent's mode.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<String>,
    /// The tool call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<ToolLine>,
    /// `allow`, `deny`, `ask`, `modify`, or `none` for an event that was not judged.
    pub verdict: String,
    /// Whether the verdict was applied. It was not if the whole chain was only monitored.
    #[serde(default = "yes", skip_serializing_if = "is_true")]
    pub applied: bool,
    /// Whether hookbox was turned off, so nothing was judged.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub off: bool,
    /// The hook that denied or asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// The reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The codes of all failures and warnings.
    pub codes: Vec<String>,
    /// The hooks that were asked, in order.
    pub hooks: Vec<HookLine>,
    /// What the caller was told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub told: Option<Told>,
    /// The digest of the config files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub config: Option<String>,
    /// The Input.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<Box<RawValue>>,
    /// The SHA-256 of the Input in the log, before it was shortened. Two events with the same hash had the same Input,
    /// and a replay knows that nobody has changed the Input since.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_sha256: Option<String>,
    /// The Input as the chain left it, if that differs.
    #[serde(rename = "final", default, skip_serializing_if = "Option::is_none")]
    pub final_input: Option<Box<RawValue>>,
    /// JSON pointers to the values that have marks in place of secrets.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub masked: Vec<String>,
    /// JSON pointers to the values that were shortened or left out, because the line would be too long or a text could
    /// not be masked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cut: Vec<String>,
    /// The number of lines that this process could not write before this one.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub lost: u64,
}

/// The process that decided.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Host {
    /// The version of hookbox.
    pub version: String,
    /// The process id.
    pub pid: u32,
    /// How hookbox was asked.
    pub via: Via,
}

/// How hookbox was asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Via {
    /// By the program that embeds it.
    #[default]
    Lib,
    /// By `hookbox run`.
    Run,
    /// By an agent, through `hookbox hook`.
    Hook,
    /// Through the pipes of `hookbox serve --stdio`.
    Stdio,
    /// Through a Unix socket.
    Unix,
    /// Over HTTP.
    Http,
}

/// A tool call.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ToolLine {
    /// The tool's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The facts: the kind of tool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// The facts: the MCP server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server: Option<String>,
    /// The facts: the command that a shell would run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// The facts: the paths, each as `access path`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<String>,
    /// The facts: the URLs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub urls: Vec<String>,
    /// The facts: whether everything could be known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub complete: Option<bool>,
}

/// A hook that was asked.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct HookLine {
    /// The hook's name.
    pub name: String,
    /// The kind of hook.
    pub kind: String,
    /// Where the hook comes from.
    pub source: String,
    /// The hook's decision, or what its failure counted as.
    pub decision: String,
    /// The time of all the hook's answers to this event, in microseconds.
    pub us: u64,
    /// The fuel that the hook's last answer used, if its fuel is limited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fuel: Option<u64>,
    /// The SHA-256 of the component.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// A digest of the hook's entry in the config, if the hook does more than compute.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entry: Option<String>,
    /// The version of the policy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// Whether the hook's answer counted. If not, the hook is a monitor.
    #[serde(default = "yes", skip_serializing_if = "is_true")]
    pub enforce: bool,
    /// Whether the hook was only started in the background.
    #[serde(rename = "async", default, skip_serializing_if = "std::ops::Not::not")]
    pub is_async: bool,
    /// The code of the hook's failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// The hook's reason, or the message of its failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The fields that the hook rewrote.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rewrites: Vec<String>,
}

/// What the caller was told.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Told {
    /// The exit status.
    pub status: u8,
    /// The reply to an agent.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub stdout: String,
    /// The text that the agent prints or reads besides the reply.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub stderr: String,
    /// What could not be told to the agent as it was meant.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub degraded: Vec<String>,
}

impl Line {
    /// Returns whether the Input is the one that was recorded, as far as the line can tell. An Input that was
    /// shortened, or one of an earlier version, cannot be checked.
    #[must_use]
    pub fn has_recorded_input(&self) -> bool {
        let is_cut = self.cut.iter().any(|pointer| pointer == "/input" || pointer.starts_with("/input/"));
        match (&self.input, &self.input_sha256) {
            (Some(input), Some(digest)) if !is_cut => super::build::digest(input.get()) == *digest,
            _ => true,
        }
    }
}

impl Told {
    /// Creates an answer that is only an exit status.
    #[must_use]
    pub fn status(status: u8) -> Self {
        Told { status, ..Told::default() }
    }

    /// Creates a reply, with what it could not say as it was meant.
    pub fn reply(
        status: u8,
        stdout: impl Into<String>,
        stderr: impl Into<String>,
        degraded: impl IntoIterator<Item = String>,
    ) -> Self {
        Told { status, stdout: stdout.into(), stderr: stderr.into(), degraded: degraded.into_iter().collect() }
    }
}

const fn yes() -> bool {
    true
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
const fn is_true(flag: &bool) -> bool {
    *flag
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
const fn is_zero(count: &u64) -> bool {
    *count == 0
}
