//! What stands in the chain for a hook that cannot run.

use super::hook::{Hook, HookInfo, Mode};
use crate::protocol::{Action, Failure, Input, Kind};
use async_trait::async_trait;

/// A hook that could not be prepared, or config that could not be read. It fails on each call, so that a broken
/// guard denies instead of being absent.
pub struct RefusedHook {
    info: HookInfo,
    kind: Kind,
    failure: Failure,
}

impl RefusedHook {
    /// Stands for the hook of this name and kind, and fails in this way. It is waited for, whatever the mode of the
    /// hook that it stands for: an async failure would stop nothing.
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
