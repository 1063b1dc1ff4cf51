//! The meaning of an ok hook's end. The hook's output changes nothing; it only explains.

use crate::config::{Reply, format_duration};
use crate::dialect::go::exec::{CANCELLED, WAIT_DELAY, exit_code, start_error};
use crate::dialect::{Strictness, UNREAD_ANSWER, looks_like_answer};
use crate::protocol::{Action, Answer, Code, Decision, Event, Failure, ProcessReport, visible};
use crate::runtime::shell::End;

/// The exit status that blocks.
pub(super) const BLOCK: i32 = 2;

pub(super) fn decode(strictness: Strictness, event: Event, end: End) -> Answer {
    let process = process(end);
    let result = match &process {
        ProcessReport { timed_out: true, .. } if event.is_gating() => Ok(deny(&process)),
        ProcessReport { timed_out: true, .. } => Err(Failure::new(Code::Timeout, process.stderr.clone())),
        ProcessReport { error: Some(error), .. } => {
            Err(Failure::new(Code::Spawn, format!("could not be run: {error}")))
        }
        ProcessReport { exit_code: 0, stdout, .. } if strictness.is_strict() && looks_like_answer(stdout) => {
            Err(Failure::new(Code::Action, UNREAD_ANSWER))
        }
        ProcessReport { exit_code: 0, .. } => Ok(Action::allow()),
        ProcessReport { exit_code: BLOCK, .. } if event.is_gating() => Ok(deny(&process)),
        ProcessReport { exit_code, .. } => {
            let said = detail(&process).map(|text| format!(": {text}")).unwrap_or_default();
            Err(Failure::new(Code::Exit, format!("ended with status {exit_code}{said}")))
        }
    };
    Answer::of_process(result, process, None)
}

fn deny(process: &ProcessReport) -> Action {
    Action { decision: Decision::Deny, reason: detail(process), ..Action::default() }
}

/// Returns the explanation of an outcome: the hook's stderr, or else its stdout.
fn detail(process: &ProcessReport) -> Option<String> {
    [&process.stderr, &process.stdout].into_iter().find(|text| !text.is_empty()).cloned()
}

/// Describes the end in ok's own words. The hook's stderr takes precedence over what went wrong.
fn process(end: End) -> ProcessReport {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    let or = |said: String, otherwise: &str| if said.is_empty() { otherwise.to_owned() } else { said };
    match end {
        End::Ended { status, stdout, stderr, stdout_held, stderr_held, truncated } => {
            let error = (status.success() && (stdout_held || stderr_held)).then(|| WAIT_DELAY.to_owned());
            ProcessReport {
                exit_code: if error.is_some() { -1 } else { exit_code(status) },
                stdout: text(&stdout),
                stderr: or(text(&stderr), error.as_deref().unwrap_or_default()),
                error,
                timed_out: false,
                truncated,
            }
        }
        End::TimedOut { limit, stdout, stderr, truncated } => ProcessReport {
            exit_code: -1,
            stdout: text(&stdout),
            stderr: or(text(&stderr), &format!("hook timed out after {}", format_duration(limit))),
            error: None,
            timed_out: true,
            truncated,
        },
        End::Cancelled { stdout, stderr, .. } => ProcessReport {
            exit_code: -1,
            stdout: text(&stdout),
            stderr: or(text(&stderr), CANCELLED),
            error: Some(CANCELLED.to_owned()),
            ..ProcessReport::default()
        },
        End::Flooded(stream, limit) => failed(format!("wrote more than {limit} bytes to {stream}")),
        End::Broken { given, program, cwd, error, .. } => failed(start_error(&given, &program, &cwd, &error)),
    }
}

fn failed(error: String) -> ProcessReport {
    ProcessReport { exit_code: -1, stderr: error.clone(), error: Some(error), ..ProcessReport::default() }
}

/// Encodes the Action as an ok hook's answer, which can pass or block. An Action that ok cannot express blocks.
pub(super) fn encode(event: Event, action: &Action) -> Reply {
    let block = |reason: Option<&str>| Reply {
        exit_code: BLOCK,
        stderr: visible(reason.unwrap_or_default()).into_owned(),
        ..Reply::default()
    };
    match action.restraint(true) {
        _ if !event.is_gating() => Reply::default(),
        Some((_, reason)) => block(reason),
        None if action.decision == Decision::Modify => block(Some("a hook would change it, which cannot be done here")),
        None => Reply::default(),
    }
}
