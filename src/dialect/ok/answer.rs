//! What the end of an ok hook means. Its output changes nothing: it is there to explain.

use crate::config::{Reply, format_duration};
use crate::dialect::{Strictness, UNREAD_ANSWER, looks_like_answer};
use crate::dialect::go::exec::{CANCELLED, WAIT_DELAY, exit_code, start_error};
use crate::protocol::{Action, Answer, Code, Decision, Event, Failure, Ran, visible};
use crate::runtime::shell::End;

/// The exit status that blocks.
pub(super) const BLOCK: i32 = 2;

pub(super) fn decode(strictness: Strictness, event: Event, end: End) -> Answer {
    let ran = ran(end);
    let result = match &ran {
        Ran { timed_out: true, .. } if event.is_gating() => Ok(deny(&ran)),
        Ran { timed_out: true, .. } => Err(Failure::new(Code::Timeout, ran.stderr.clone())),
        Ran { error: Some(error), .. } => Err(Failure::new(Code::Spawn, format!("could not be run: {error}"))),
        Ran { exit_code: 0, stdout, .. } if strictness.is_strict() && looks_like_answer(stdout) => {
            Err(Failure::new(Code::Action, UNREAD_ANSWER))
        }
        Ran { exit_code: 0, .. } => Ok(Action::allow()),
        Ran { exit_code: BLOCK, .. } if event.is_gating() => Ok(deny(&ran)),
        Ran { exit_code, .. } => {
            let said = detail(&ran).map(|text| format!(": {text}")).unwrap_or_default();
            Err(Failure::new(Code::Exit, format!("ended with status {exit_code}{said}")))
        }
    };
    Answer { result, ran: Some(ran), note: None }
}

fn deny(ran: &Ran) -> Action {
    Action { decision: Decision::Deny, reason: detail(ran), ..Action::default() }
}

/// What explains an outcome: what the hook said on stderr, or else on stdout.
fn detail(ran: &Ran) -> Option<String> {
    [&ran.stderr, &ran.stdout].into_iter().find(|text| !text.is_empty()).cloned()
}

/// The end in ok's own words. What was said on stderr comes before what went wrong.
fn ran(end: End) -> Ran {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    let or = |said: String, otherwise: &str| if said.is_empty() { otherwise.to_owned() } else { said };
    match end {
        End::Ended { status, stdout, stderr, stdout_held, stderr_held, truncated } => {
            let error = (status.success() && (stdout_held || stderr_held)).then(|| WAIT_DELAY.to_owned());
            Ran {
                exit_code: if error.is_some() { -1 } else { exit_code(status) },
                stdout: text(&stdout),
                stderr: or(text(&stderr), error.as_deref().unwrap_or_default()),
                error,
                timed_out: false,
                truncated,
            }
        }
        End::TimedOut { limit, stdout, stderr, truncated } => Ran {
            exit_code: -1,
            stdout: text(&stdout),
            stderr: or(text(&stderr), &format!("hook timed out after {}", format_duration(limit))),
            error: None,
            timed_out: true,
            truncated,
        },
        End::Cancelled { stdout, stderr, .. } => Ran {
            exit_code: -1,
            stdout: text(&stdout),
            stderr: or(text(&stderr), CANCELLED),
            error: Some(CANCELLED.to_owned()),
            ..Ran::default()
        },
        End::Flooded(stream, limit) => failed(format!("wrote more than {limit} bytes to {stream}")),
        End::Broken { given, program, cwd, error, .. } => failed(start_error(&given, &program, &cwd, &error)),
    }
}

fn failed(error: String) -> Ran {
    Ran { exit_code: -1, stderr: error.clone(), error: Some(error), ..Ran::default() }
}

/// The Action as an ok hook answers: it can pass or block. What it has no words for blocks.
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
