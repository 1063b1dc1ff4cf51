//! Shell hooks of another system as guests in a chain of hookbox's own.

use crate::config::Dialect;
use crate::protocol::{Action, Answer, Decision, Input, Json};
use crate::runtime::HookInfo;
use crate::runtime::shell::{Bounds, Codec, Command, End};
use std::sync::Arc;

/// The codec for a dialect's hook in a chain that follows hookbox's rule instead of its system's.
pub(super) struct GuestCodec(pub(super) Arc<dyn Dialect>);

impl Codec for GuestCodec {
    fn payload(&self, input: &Input, settings: Option<&Json>) -> String {
        self.0.payload(input, settings)
    }

    fn prepare_command(&self, command: &mut Command, input: &Input) {
        self.0.prepare_command(command, input);
    }

    fn bounds(&self) -> Bounds {
        self.0.bounds()
    }

    /// Reads the answer. If ending the loop also denies by the system's rule, the answer does both.
    fn answer(&self, input: &Input, info: &HookInfo, end: End) -> Answer {
        let Answer { result, process, note, .. } = self.0.answer(input, info, end);
        let stop_denies = (self.0.rule())(input.event).stop_denies;
        let result = result.map(|action| match action.decision {
            Decision::Deny => action,
            _ if action.stop && stop_denies => {
                Action { decision: Decision::Deny, reason: action.stop_reason.clone(), ..action }
            }
            _ => action,
        });
        Answer { result, process, note, fuel: None }
    }
}
