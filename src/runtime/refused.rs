//! What stands in the chain for a hook that cannot run.

use super::hook::{Hook, HookInfo};
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
    /// Stands for the hook of this name and kind, and fails in this way.
    #[must_use]
    pub const fn new(info: HookInfo, kind: Kind, failure: Failure) -> Self {
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
