//! The stand-in for a hook that cannot run.

use super::hook::{Hook, HookInfo, Mode};
use crate::protocol::{Action, Failure, Input, Kind};
use async_trait::async_trait;

/// The stand-in for a hook that could not be prepared, or for config that could not be read. It fails on each call, so
/// a broken guard denies rather than being skipped.
pub struct RefusedHook {
    info: HookInfo,
    kind: Kind,
    failure: Failure,
}

impl RefusedHook {
    /// Creates a stand-in that fails every call with `failure`. On gating events the stand-in is always sync,
    /// regardless of the original hook's mode: an async failure would stop nothing.
    #[must_use]
    pub fn new(mut info: HookInfo, kind: Kind, failure: Failure) -> Self {
        for (event, mode) in &mut info.events {
            if event.is_gating() {
                *mode = Mode::Sync;
            }
        }
        RefusedHook { info, kind, failure }
    }
}

#[async_trait]
impl Hook for RefusedHook {
    fn info(&self) -> &HookInfo {
        &self.info
    }

    async fn run(&self, _: &Input) -> Result<Action, Failure> {
        Err(self.failure.clone())
    }

    fn kind(&self) -> Kind {
        self.kind
    }
}
