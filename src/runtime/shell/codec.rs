//! The codecs with which hook systems encode the payloads and decode the answers of shell hooks.

use super::call::{Bounds, End, MAX_STDERR_BYTES, MAX_STDOUT_BYTES, PipeGrace};
use super::capture::Overflow;
use super::command::Command;
use crate::protocol::{
    Action, ActionError, Answer, Code, Decision, Failure, Input, Json, OnError, Permission, os_words,
};
use crate::runtime::HookInfo;
use std::os::unix::process::ExitStatusExt;
use std::time::Duration;

/// The number of bytes of a failing hook's stderr that become the reason. The number is hygge's.
const MAX_STDERR_REASON: usize = 1024;

/// The time that other processes may hold the pipes: long enough for a process at the other end of a pipe to pass on
/// its data, or to close the pipe that it inherited.
pub(crate) const PIPE_GRACE: Duration = Duration::from_millis(250);

/// The protocol between a hook system and its shell hooks.
pub trait Codec: Send + Sync {
    /// Returns what the hook reads from stdin.
    fn payload(&self, input: &Input, settings: Option<&Json>) -> String;

    /// Adds the parts of the command that depend on the event.
    fn prepare_command(&self, _command: &mut Command, _input: &Input) {}

    /// Returns how much the hook may write, and how long other processes may hold its pipes after its end.
    fn bounds(&self) -> Bounds {
        Bounds {
            stdout: MAX_STDOUT_BYTES,
            stderr: MAX_STDERR_BYTES,
            overflow: Overflow::End,
            pipe_grace: PipeGrace { with_answer: Duration::ZERO, without_answer: PIPE_GRACE },
        }
    }

    /// Interprets the end of the hook's process.
    fn answer(&self, input: &Input, info: &HookInfo, end: End) -> Answer;
}

/// The codec of hookbox's own protocol, which is strict and fails closed.
#[derive(Clone, Copy, Debug, Default)]
pub struct HookboxCodec;

impl Codec for HookboxCodec {
    fn payload(&self, input: &Input, settings: Option<&Json>) -> String {
        input.to_hook_json(settings)
    }

    fn answer(&self, input: &Input, info: &HookInfo, end: End) -> Answer {
        own_answer(input, info, end).into()
    }
}

fn own_answer(input: &Input, info: &HookInfo, end: End) -> Result<Action, Failure> {
    match end {
        End::Ended { status, stdout, stdout_held, .. } if status.success() => {
            if !stdout.is_empty() {
                return Action::answer_to(input, &stdout).map_err(|error| invalid(&error));
            }
            if stdout_held {
                let message = "ended without an answer while another process held its stdout, so that one may be \
                                   missing; redirect what it leaves in the background";
                return Err(Failure::new(Code::Action, message));
            }
            Ok(Action::allow())
        }
        End::Ended { status, stdout, stderr, .. } => {
            // The hook's answer counts if it is more restrictive than the failure.
            let restricts_more = |action: &Action| {
                // The chain ignores a permission on any other event.
                let permission = action.permission.filter(|_| input.event.has_permission());
                let denies = action.decision == Decision::Deny || permission == Some(Permission::Deny);
                let asks = action.decision == Decision::Ask || permission == Some(Permission::Ask);
                match info.on_error {
                    OnError::Deny => false,
                    OnError::Ask => denies,
                    OnError::Allow => denies || asks,
                }
            };
            if let Some(action) = Action::answer_to(input, &stdout).ok().map(without_rewrite).filter(restricts_more) {
                return Ok(action);
            }
            let ended = match (status.code(), status.signal()) {
                (Some(code), _) => format!("ended with status {code}"),
                (None, Some(signal)) => format!("was ended by signal {signal}"),
                (None, None) => "ended without a status".to_owned(),
            };
            Err(Failure::new(
                Code::Exit,
                match said(&stderr) {
                    Some(text) => format!("{ended}: {text}"),
                    None => ended,
                },
            ))
        }
        End::TimedOut { limit, .. } => {
            let limit = humantime::format_duration(limit);
            Err(Failure::new(Code::Timeout, format!("did not answer within {limit} and was ended")))
        }
        End::Cancelled { .. } => {
            Err(Failure::new(Code::Cancelled, "did not answer before its caller gave up, and was ended"))
        }
        End::Flooded(stream, limit) => {
            Err(Failure::new(Code::OutputSize, format!("wrote more than {limit} bytes to {stream} and was ended")))
        }
        End::Broken { program, error, hint, .. } => {
            let hint = hint.map(|hint| format!(" ({hint})")).unwrap_or_default();
            Err(Failure::new(
                Code::Spawn,
                format!("could not be run: `{}`: {}{hint}", program.display(), os_words(&error)),
            ))
        }
    }
}

/// Returns the Action without its rewrite, which does not count if the hook failed. Its permission does.
fn without_rewrite(action: Action) -> Action {
    if action.decision != Decision::Modify {
        return action;
    }
    let Action { reason, permission, permission_reason, .. } = action;
    Action { reason, permission, permission_reason, ..Action::default() }
}

/// Creates the failure for an answer that cannot be parsed. If the answer is meant for another hook system, the message
/// says how to configure that.
fn invalid(error: &ActionError) -> Failure {
    let hint = error.dialect().map_or_else(String::new, |name| {
        format!(" (if the hook is written for {name}, add `dialect = \"{name}\"` to its entry, or `--dialect {name}` to `hookbox test`)")
    });
    Failure::new(Code::Action, format!("returned an invalid Action: {error}{hint}"))
}

/// Returns the hook's stderr, shortened to serve as a reason, or `None` if the hook wrote nothing.
pub(crate) fn said(stderr: &[u8]) -> Option<String> {
    let text = str::from_utf8(stderr).map_or(stderr.trim_ascii(), |text| text.trim().as_bytes());
    let cut = text.get(..MAX_STDERR_REASON).unwrap_or(text);
    (!cut.is_empty()).then(|| String::from_utf8_lossy(cut).into_owned())
}
