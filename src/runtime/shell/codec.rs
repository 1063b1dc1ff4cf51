//! How a shell hook spells payload and answer.

use super::process::End;
use crate::protocol::{Action, Code, Event, Failure, Input, Json};
use crate::runtime::HookInfo;
use std::os::unix::process::ExitStatusExt;
use std::time::Duration;

/// The most that is taken over of what a failing hook wrote to stderr, in bytes. hygge's figure.
const MAX_STDERR_REASON: usize = 1024;

/// How one hook system talks with its shell hooks.
pub trait Codec: Send + Sync {
    /// What the hook finds on stdin.
    fn payload(&self, input: &Input, settings: Option<&Json>) -> String;

    /// How long another process may hold the hook's stdout or stderr after the hook has ended, for a system where
    /// that matters. What the hook itself wrote is there at once.
    fn pipe_grace(&self) -> Duration {
        Duration::ZERO
    }

    /// What the end of the hook's process means.
    ///
    /// # Errors
    /// The hook gave no valid answer.
    fn answer(&self, event: Event, info: &HookInfo, end: End) -> Result<Action, Failure>;
}

/// hookbox's own protocol: strict, and closed on every failure.
#[derive(Clone, Copy, Debug, Default)]
pub struct NativeCodec;

impl Codec for NativeCodec {
    fn payload(&self, input: &Input, settings: Option<&Json>) -> String {
        input.to_hook_json(settings)
    }

    fn answer(&self, event: Event, _: &HookInfo, end: End) -> Result<Action, Failure> {
        match end {
            End::Ended { status, stdout, .. } if status.success() => {
                if stdout.is_empty() {
                    return Ok(Action::allow());
                }
                Action::from_slice(&stdout, event)
                    .map_err(|error| Failure::new(Code::Action, format!("returned an invalid Action: {error}")))
            }
            End::Ended { status, stderr, .. } => {
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
            End::TimedOut(limit) => {
                let limit = humantime::format_duration(limit);
                Err(Failure::new(Code::Timeout, format!("did not answer within {limit} and was ended")))
            }
            End::Flooded(stream, limit) => {
                Err(Failure::new(Code::OutputSize, format!("wrote more than {limit} bytes to {stream} and was ended")))
            }
            End::Broken { program, error, .. } => {
                Err(Failure::new(Code::Spawn, format!("could not be run: `{}`: {error}", program.display())))
            }
        }
    }
}

/// What a hook said on stderr, cut for use as a reason; `None` if it said nothing.
pub(crate) fn said(stderr: &[u8]) -> Option<String> {
    let text = stderr.trim_ascii();
    let cut = text.get(..MAX_STDERR_REASON).unwrap_or(text);
    (!cut.is_empty()).then(|| String::from_utf8_lossy(cut).into_owned())
}
