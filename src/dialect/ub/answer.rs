//! The meaning of a ub hook's end. All failures count the same, and the hook's config says whether they block.

use crate::config::{Reply, format_duration};
use crate::dialect::go::exec::{CANCELLED, WAIT_DELAY, exit_code, start_error};
use crate::dialect::{Strictness, UNREAD_ANSWER, looks_like_answer};
use crate::protocol::{Action, Answer, Code, Decision, Event, Failure, OnError, ProcessReport, visible};
use crate::runtime::HookInfo;
use crate::runtime::shell::End;

/// The program of an entry without a command. No file has this name.
pub(super) const NO_COMMAND: &str = "";

pub(super) fn decode(strictness: Strictness, event: Event, info: &HookInfo, end: End) -> Answer {
    let argv0 = info.origin().command.first().cloned();
    let code = code_of(&end);
    let process = process(end, argv0.as_deref());
    let blocks = event == Event::PreTool && info.on_error == OnError::Deny;
    let failed = process.exit_code != 0 || (strictness.is_strict() && process.error.is_some());
    let is_unread = strictness.is_strict() && looks_like_answer(&process.stdout);
    let result = match (failed, blocks) {
        (false, _) if is_unread => Err(Failure::new(Code::Action, UNREAD_ANSWER)),
        (false, _) if process.error.is_none() => Ok(Action::allow()),
        // ub lets this pass, whatever the hook's config says.
        (false, _) => Ok(Action { system_message: process.error.clone(), ..Action::allow() }),
        (true, true) if strictness.is_strict() && process.stderr.trim().is_empty() && process.error.is_some() => {
            Ok(Action::deny(process.error.clone().unwrap_or_default()))
        }
        (true, true) => Ok(Action::deny(reason(&process, argv0.as_deref()))),
        (true, false) => Err(Failure::new(code, format!("failed: {}", reason(&process, argv0.as_deref())))),
    };
    Answer::of_process(result, process, None)
}

/// Returns the reason that the agent is given for a block.
fn reason(process: &ProcessReport, argv0: Option<&str>) -> String {
    match (process.stderr.trim(), &process.error) {
        ("", Some(error)) if process.exit_code == 0 => error.clone(),
        ("", _) => format!("hook {} exit {}", argv0.unwrap_or_default(), process.exit_code),
        (said, _) => said.to_owned(),
    }
}

fn code_of(end: &End) -> Code {
    match end {
        End::TimedOut { .. } => Code::Timeout,
        End::Cancelled { .. } => Code::Cancelled,
        End::Broken { .. } => Code::Spawn,
        End::Ended { .. } | End::Flooded(..) => Code::Exit,
    }
}

/// Describes the end in ub's own words.
fn process(end: End, argv0: Option<&str>) -> ProcessReport {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let failed = |error: String| ProcessReport { exit_code: -1, error: Some(error), ..ProcessReport::default() };
    match end {
        End::Ended { status, stdout, stderr, stdout_held, stderr_held, truncated } => {
            let held = status.success() && (stdout_held || stderr_held);
            ProcessReport {
                exit_code: if held { -1 } else { exit_code(status) },
                stdout: text(&stdout),
                stderr: text(&stderr),
                error: held.then(|| WAIT_DELAY.to_owned()),
                timed_out: false,
                truncated,
            }
        }
        End::TimedOut { limit, stdout, stderr, truncated } => {
            let limit = format_duration(limit);
            ProcessReport {
                exit_code: -1,
                stdout: text(&stdout),
                stderr: text(&stderr),
                error: Some(format!("hook {} timeout after {limit} (killed)", argv0.unwrap_or_default())),
                timed_out: true,
                truncated,
            }
        }
        End::Cancelled { started, stdout, stderr } => ProcessReport {
            exit_code: -1,
            stdout: text(&stdout),
            stderr: text(&stderr),
            error: (!started).then(|| CANCELLED.to_owned()),
            ..ProcessReport::default()
        },
        End::Flooded(stream, limit) => failed(format!("wrote more than {limit} bytes to {stream}")),
        // A host's own hook has no command in a config either, but a program.
        End::Broken { given, .. } if given == NO_COMMAND && argv0.is_none() => {
            ProcessReport { error: Some("hook command is empty".to_owned()), ..ProcessReport::default() }
        }
        End::Broken { given, .. } if given == NO_COMMAND => failed("exec: no command".to_owned()),
        End::Broken { given, program, cwd, error, .. } => failed(start_error(&given, &program, &cwd, &error)),
    }
}

/// Encodes the Action as a ub hook's answer. The hook's config must say that its failure blocks. An Action that ub
/// cannot express blocks.
pub(super) fn encode(event: Event, action: &Action) -> Reply {
    let block = |reason: Option<&str>| Reply {
        exit_code: 1,
        stderr: visible(reason.unwrap_or_default()).into_owned(),
        ..Reply::default()
    };
    match action.restraint(true) {
        _ if event != Event::PreTool => Reply::default(),
        Some((_, reason)) => block(reason),
        None if action.decision == Decision::Modify => block(Some("a hook would change it, which cannot be done here")),
        None => Reply::default(),
    }
}
