//! The meaning of a hygge hook's end. Every failure is a deny in hygge's own words. Output that is not an answer is an
//! allow, on which hygge's hooks rely when they print for humans.

use crate::config::{Reply, format_duration};
use crate::dialect::Strictness;
use crate::dialect::go::exec::{WAIT_DELAY, exit_error, spawn_error};
use crate::dialect::go::members::{self, WrongType, folded, repeated, string};
use crate::protocol::{Action, Code, Decision, Event, Failure, Json, ToolResult};
use crate::runtime::HookInfo;
use crate::runtime::shell::{End, said};
use serde_json::value::RawValue;

/// The most bytes of an unreadable answer that are logged.
const MAX_LOGGED: usize = 256;

pub(super) fn decode(strictness: Strictness, event: Event, info: &HookInfo, end: End) -> Result<Action, Failure> {
    let name = &info.name;
    let error = |text: String| Action::deny(format!("hook {name} exited with error: {text}"));
    let overdue = || {
        let limit = format_duration(info.timeout.unwrap_or_default());
        Action::deny(format!("hook {name} timed out after {limit}"))
    };
    let action = match end {
        End::TimedOut { .. } | End::Cancelled { .. } => overdue(),
        End::Flooded(stream, limit) => error(format!("wrote more than {limit} bytes to {stream}")),
        End::Broken { given, program, error: cause, .. } => error(spawn_error(&given, &program, &cause)),
        End::Ended { status, stdout, stderr, stdout_held, stderr_held, .. } => {
            if !status.success() {
                said(&stderr).map_or_else(|| error(exit_error(status)), Action::deny)
            } else if stdout_held || stderr_held {
                said(&stderr).map_or_else(|| error(WAIT_DELAY.to_owned()), Action::deny)
            } else if stdout.is_empty() {
                Action::allow()
            } else {
                match parse(&stdout, event) {
                    Ok(Parsed { action, doubt: None }) => action,
                    Ok(Parsed { action, doubt: Some(doubt) }) => {
                        if strictness.is_strict() {
                            return Err(Failure::new(Code::Action, format!("returned an invalid Action: {doubt}")));
                        }
                        action
                    }
                    Err(WrongType) if strictness.is_strict() => {
                        return Err(Failure::new(Code::Action, "returned an invalid Action: it is no JSON object"));
                    }
                    Err(WrongType) => {
                        let start = String::from_utf8_lossy(stdout.get(..MAX_LOGGED).unwrap_or(&stdout)).into_owned();
                        tracing::warn!(hook = name, stdout = start, "malformed stdout JSON; failing open");
                        Action::allow()
                    }
                }
            }
        }
    };
    Ok(settle(action, event))
}

/// An answer as hygge reads it. `doubt` is a part that hygge ignores although the author cannot have meant that.
struct Parsed {
    action: Action,
    doubt: Option<String>,
}

/// Reads an answer as Go does. A single wrong type makes the whole answer unreadable.
fn parse(stdout: &[u8], event: Event) -> Result<Parsed, WrongType> {
    let text = String::from_utf8_lossy(stdout);
    if serde_json::from_str::<()>(&text).is_ok() {
        return Ok(Parsed { action: Action::allow(), doubt: None });
    }
    let members = members::root(&text).map_err(|_| WrongType)?;
    let mut ignored_key = repeated(&members);
    let mut action = Action::default();
    let mut decision = String::new();
    let mut not_strict = None;
    for (key, raw) in members {
        match folded(&key).as_str() {
            "decision" => decision = string(raw)?.unwrap_or(decision),
            "reason" => action.reason = string(raw)?.or(action.reason),
            "modified_tool_input" => match Json::parse(raw.get()) {
                Ok(json) => action.modified_tool_input = Some(json),
                Err(error) => not_strict = Some(error.message),
            },
            "modified_message" => action.modified_message = string(raw)?.or(action.modified_message),
            "modified_tool_result" => {
                action.modified_tool_result = tool_result(raw, &mut ignored_key)?.or(action.modified_tool_result);
            }
            "system_prompt_append" => action.system_prompt_append = string(raw)?.or(action.system_prompt_append),
            _ => {
                ignored_key.get_or_insert(key);
            }
        }
    }
    let mut doubt = ignored_key.map(|key| format!("the key {key:?} has no meaning here, or stands there twice"));
    if str::from_utf8(stdout).is_err() {
        doubt = Some("it is not valid UTF-8".to_owned());
    }
    action.decision = match (decision.as_str(), not_strict) {
        // hygge would pass the input on. The next reader might read it differently, so it must not run.
        ("modify", Some(fault)) => {
            let action = Action::deny(format!("modified_tool_input: {fault}"));
            return Ok(Parsed { action, doubt: None });
        }
        ("deny", _) => Decision::Deny,
        ("modify", None) => Decision::Modify,
        ("allow" | "", _) => Decision::Allow,
        (unknown, _) => {
            doubt = Some(format!("its decision is {unknown:?}"));
            Decision::Allow
        }
    };
    if action.lacks_rewrite(event) {
        doubt = Some("it says `modify` without a rewrite that fits the event".to_owned());
    }
    doubt = doubt.or_else(|| misplaced(&action, event).map(|key| format!("its {key} has no effect here")));
    if event != Event::PreMessage {
        action.system_prompt_append = None;
    }
    Ok(Parsed { action, doubt })
}

/// Returns a part of an answer that hygge drops silently.
fn misplaced(action: &Action, event: Event) -> Option<&'static str> {
    let rewrites = action.decision == Decision::Modify;
    let is_message = matches!(event, Event::PreMessage | Event::PostMessage);
    [
        ("modified_tool_input", action.modified_tool_input.is_some(), rewrites && event == Event::PreTool),
        ("modified_message", action.modified_message.is_some(), rewrites && is_message),
        ("modified_tool_result", action.modified_tool_result.is_some(), rewrites && event == Event::PostTool),
        ("system_prompt_append", action.system_prompt_append.is_some(), event == Event::PreMessage),
    ]
    .into_iter()
    .find_map(|(key, is_there, fits)| (is_there && !fits).then_some(key))
}

fn tool_result(raw: &RawValue, ignored_key: &mut Option<String>) -> Result<Option<ToolResult>, WrongType> {
    let Some(members) = members::members(raw)? else {
        return Ok(None);
    };
    *ignored_key = ignored_key.take().or_else(|| repeated(&members));
    let mut result = ToolResult::default();
    for (key, raw) in members {
        match folded(&key).as_str() {
            "is_error" => result.is_error = members::boolean(raw)?.unwrap_or(result.is_error),
            "content" => result.content = string(raw)?.unwrap_or(result.content),
            _ => {
                ignored_key.get_or_insert(key);
            }
        }
    }
    Ok(Some(result))
}

/// Brings an answer into the form that the chain knows. A `modify` whose rewrite does not fit changes nothing. On
/// events that cannot be stopped, hygge silently ignores a deny.
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

/// Encodes the Action as a hygge hook prints it. hygge cannot ask, cannot end the agent's loop, and cannot add members
/// to a tool's input, so an Action that does any of these becomes a deny.
pub(super) fn encode(event: Event, action: &Action) -> Reply {
    let answer = match action.restraint(true) {
        Some((_, reason)) => {
            Action { decision: Decision::Deny, reason: reason.map(str::to_owned), ..Action::default() }
        }
        None => Action {
            decision: action.decision,
            reason: action.reason.clone(),
            modified_tool_input: action.modified_tool_input.clone(),
            modified_message: action.modified_message.clone(),
            modified_tool_result: action.modified_tool_result.clone(),
            system_prompt_append: action.system_prompt_append.clone(),
            ..Action::default()
        },
    };
    let has_words = !answer.lacks_rewrite(event);
    let answer = if has_words { answer } else { Action::deny("hygge has no words for this rewrite") };
    Reply { stdout: answer.to_json(), ..Reply::default() }
}
