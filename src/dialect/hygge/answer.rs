//! What the end of a hygge hook means. Every way to fail is a deny with hygge's own words; output that is no
//! answer is an allow, which hygge's hooks rely on when they print for humans.

use super::json::{Members, Text};
use crate::config::format_duration;
use crate::protocol::{Action, Decision, Event, Json, ToolResult};
use crate::runtime::HookInfo;
use crate::runtime::shell::{End, said};
use serde_json::value::RawValue;
use std::ffi::OsStr;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::ExitStatus;

/// The most of an unreadable answer that is logged, in bytes.
const MAX_LOGGED: usize = 256;

pub(super) fn decode(event: Event, info: &HookInfo, end: End) -> Action {
    let name = &info.name;
    let error = |text: String| Action::deny(format!("hook {name} exited with error: {text}"));
    let action = match end {
        End::TimedOut(limit) => Action::deny(format!("hook {name} timed out after {}", format_duration(limit))),
        End::Flooded(stream, limit) => error(format!("wrote more than {limit} bytes to {stream}")),
        End::Broken { given, program, error: cause, .. } => error(spawn_error(&given, &program, &cause)),
        End::Ended { status, stdout, stderr, stdout_held, stderr_held } => {
            if !status.success() {
                said(&stderr).map_or_else(|| error(exit_error(status)), Action::deny)
            } else if stdout_held || stderr_held {
                said(&stderr)
                    .map_or_else(|| error("exec: WaitDelay expired before I/O complete".to_owned()), Action::deny)
            } else if stdout.is_empty() {
                Action::allow()
            } else {
                parse(&stdout, event).unwrap_or_else(|| {
                    let start = String::from_utf8_lossy(stdout.get(..MAX_LOGGED).unwrap_or(&stdout)).into_owned();
                    tracing::warn!(hook = name, stdout = start, "malformed stdout JSON; failing open");
                    Action::allow()
                })
            }
        }
    };
    settle(action, event)
}

fn exit_error(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (_, Some(signal)) => {
            let dumped = if status.core_dumped() { " (core dumped)" } else { "" };
            format!("signal: {}{dumped}", signal_name(signal))
        }
        (Some(code), None) => format!("exit status {code}"),
        (None, None) => "exit status unknown".to_owned(),
    }
}

/// Go's names on Linux.
fn signal_name(signal: i32) -> String {
    let name = match signal {
        1 => "hangup",
        2 => "interrupt",
        3 => "quit",
        4 => "illegal instruction",
        5 => "trace/breakpoint trap",
        6 => "aborted",
        7 => "bus error",
        8 => "floating point exception",
        9 => "killed",
        10 => "user defined signal 1",
        11 => "segmentation fault",
        12 => "user defined signal 2",
        13 => "broken pipe",
        14 => "alarm clock",
        15 => "terminated",
        24 => "CPU time limit exceeded",
        25 => "file size limit exceeded",
        31 => "bad system call",
        other => return format!("signal {other}"),
    };
    name.to_owned()
}

/// Go names a path as the config has it, and a name by where it was found.
fn spawn_error(given: &OsStr, program: &Path, error: &io::Error) -> String {
    let is_path = given.as_encoded_bytes().contains(&b'/');
    let program = if is_path { Path::new(given).display() } else { program.display() };
    match error.raw_os_error() {
        Some(code) => {
            // The system's text without the number that Rust puts behind it, and in lower case like Go's.
            let text = io::Error::from_raw_os_error(code).to_string();
            let text = text.split(" (os error").next().unwrap_or_default();
            format!("fork/exec {program}: {}", text.to_lowercase())
        }
        None => format!("exec: \"{program}\": executable file not found in $PATH"),
    }
}

/// Reads an answer the way Go does: keys without regard to case, the last of two counts, unknown ones do not, a
/// `null` is as good as absent. A wrong type makes the whole of it unreadable.
fn parse(stdout: &[u8], event: Event) -> Option<Action> {
    let text = String::from_utf8_lossy(stdout);
    if serde_json::from_str::<()>(&text).is_ok() {
        return Some(Action::allow());
    }
    let members: Members<'_> = serde_json::from_str(&text).ok()?;
    let mut action = Action::default();
    let mut decision = String::new();
    let mut not_strict = None;
    for (key, raw) in members.0 {
        match key.to_lowercase().as_str() {
            "decision" => decision = string(raw)?.unwrap_or(decision),
            "reason" => action.reason = string(raw)?.or(action.reason),
            "modified_tool_input" => match Json::parse(raw.get()) {
                Ok(json) => action.modified_tool_input = Some(json),
                Err(error) => not_strict = Some(error.message),
            },
            "modified_message" => action.modified_message = string(raw)?.or(action.modified_message),
            "modified_tool_result" => {
                action.modified_tool_result = tool_result(raw)?.or(action.modified_tool_result);
            }
            "system_prompt_append" => action.system_prompt_append = string(raw)?.or(action.system_prompt_append),
            _ => {}
        }
    }
    action.decision = match (decision.as_str(), not_strict) {
        // hygge would hand it on. Whoever reads it next might read something else, so it must not run.
        ("modify", Some(fault)) => return Some(Action::deny(format!("modified_tool_input: {fault}"))),
        ("deny", _) => Decision::Deny,
        ("modify", None) => Decision::Modify,
        _ => Decision::Allow,
    };
    if event != Event::PreMessage {
        action.system_prompt_append = None;
    }
    Some(action)
}

/// A string, or `None` inside for `null`; `None` outside if it is neither.
fn string(raw: &RawValue) -> Option<Option<String>> {
    let text: Option<Text> = serde_json::from_str(raw.get()).ok()?;
    Some(text.map(|Text(text)| text))
}

fn tool_result(raw: &RawValue) -> Option<Option<ToolResult>> {
    if raw.get() == "null" {
        return Some(None);
    }
    let members: Members<'_> = serde_json::from_str(raw.get()).ok()?;
    let mut result = ToolResult::default();
    for (key, raw) in members.0 {
        match key.to_lowercase().as_str() {
            "is_error" => {
                result.is_error = serde_json::from_str::<Option<bool>>(raw.get()).ok()?.unwrap_or(result.is_error);
            }
            "content" => result.content = string(raw)?.unwrap_or(result.content),
            _ => {}
        }
    }
    Some(Some(result))
}

/// Brings an answer into the form that the chain knows. A `modify` whose rewrite does not fit changes nothing, and
/// on events that cannot be stopped hygge overlooks a deny without a word.
fn settle(mut action: Action, event: Event) -> Action {
    if action.decision == Decision::Deny && !event.is_gating() {
        return Action::allow();
    }
    if action.lacks_rewrite(event) {
        action.decision = Decision::Allow;
    }
    if action.decision != Decision::Modify {
        action.modified_tool_input = None;
        action.modified_message = None;
        action.modified_tool_result = None;
    }
    if action.decision == Decision::Deny {
        action.system_prompt_append = None;
    }
    action
}
