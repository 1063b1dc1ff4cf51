//! Hooks that are WebAssembly components, each call in its own sandbox.
//!
//! Every call has these guarantees:
//!
//! * The instance is new and is dropped when the call ends. One call cannot observe another.
//! * The component can reach only what its [`Grants`] name. Without grants it is pure: its answer depends on the Input
//!   alone. Such a component has no clock, no random numbers, no files, no environment and no network.
//! * The component can exceed neither its time limit, whether it computes or sleeps, nor its [`Limits`].
//! * However a call ends, the next one starts from the same state.
//!
//! The life of a component: its bytes are checked against pin, size and shape, compiled, and linked with exactly the
//! granted interfaces ([`Sandbox::prepare`]). The result is a [`Prepared`], the only type that can be called.

mod cache;
mod call;
mod commands;
mod compiler;
mod digest;
mod embedded;
mod engines;
mod exports;
mod grants;
mod imports;
mod inspect;
mod last_words;
mod limits;
mod loaded;
mod measure;
mod output;
mod powers;
#[cfg(feature = "compiler")]
mod precheck;
mod prepare;
mod sandbox;
mod script;
mod state;
mod ticker;
mod unchecked;

use super::caller::Caller;
use super::hook::{Hook, HookInfo};
use crate::protocol::{Action, Answer, Code, Failure, Input, Json, Kind};
use async_trait::async_trait;
use std::collections::BTreeMap;

pub use cache::{Cache, CacheEntry, MAX_CACHE_BYTES};
pub use commands::{CommandReader, reads_commands};
#[cfg(feature = "compiler")]
pub use compiler::serve_if_asked;
pub use compiler::{Compiler, Effort};
pub use digest::{ComponentFile, Digest, MAX_COMPONENT_BYTES, digest};
pub(crate) use digest::{open_nonblocking, unreadable};
#[cfg(feature = "cross")]
pub use embedded::write_own_code_for;
pub use grants::{DirAccess, DirGrant, EnvGrant, Grants};
pub use inspect::{ImportReport, Inspection};
pub use limits::{Limits, MAX_TIMEOUT};
use measure::Gauge;
pub use measure::Measured;
pub(crate) use powers::net::{BadRule, check as check_net};
pub use powers::net::{NetAnswer, NetGrant, NetPlace, NetRecord, NetRule};
pub use powers::store::{StoreGrant, StorePlace, StoreScope, StoreServer};
pub use prepare::Prepared;
use prepare::one_line;
pub use sandbox::Sandbox;
pub use script::MAX_SCRIPT_BYTES;
pub use script::script_runner;

/// A hook that is a component, or a script that a component inside hookbox runs.
pub struct ComponentHook {
    info: HookInfo,
    prepared: Prepared,
    settings: Option<Json>,
}

impl ComponentHook {
    /// Creates a hook that asks `prepared`. The component receives `settings` as `Input.settings`.
    #[must_use]
    pub const fn new(info: HookInfo, prepared: Prepared, settings: Option<Json>) -> Self {
        ComponentHook { info, prepared, settings }
    }

    /// Returns all values in the component's store, for tests of hooks. Returns `None` if the component is granted no
    /// store. `session` selects the values of a session, if the store belongs to one.
    ///
    /// # Errors
    /// Returns an error if the values cannot be read.
    pub async fn stored(&self, session: Option<&str>) -> Result<Option<BTreeMap<String, Vec<u8>>>, Failure> {
        match self.prepared.grants.store() {
            Some(store) => store.values(session).await.map(Some),
            None => Ok(None),
        }
    }

    /// Replaces all values in the component's store, for tests of hooks.
    ///
    /// # Errors
    /// Returns an error if the values cannot be written.
    pub async fn restock(&self, session: Option<&str>, values: &BTreeMap<String, Vec<u8>>) -> Result<(), Failure> {
        match self.prepared.grants.store() {
            Some(store) => store.replace(session, values).await,
            None => Ok(()),
        }
    }

    /// Calls the component about this Input, within the hook's time limit. Returns its answer.
    async fn call(&self, input: &Input, observer: &mut (impl call::Observer + Send)) -> Result<String, Failure> {
        let limit = self.info.timeout.unwrap_or(MAX_TIMEOUT).min(MAX_TIMEOUT);
        let payload = input.hook_json(self.settings.as_ref(), self.info.wants_commands);
        self.prepared.call_observed(&payload, input.session_id.as_deref(), limit, observer).await
    }

    async fn ask(&self, input: &Input, gauge: &mut Gauge) -> Result<Action, Failure> {
        let answer = self.call(input, gauge).await?;
        Action::answer_to(input, answer.as_bytes())
            .map_err(|error| Failure::new(Code::Action, format!("returned an invalid Action: {error}")))
    }
}

#[async_trait]
impl Hook for ComponentHook {
    fn info(&self) -> &HookInfo {
        &self.info
    }

    async fn run(&self, input: &Input) -> Result<Action, Failure> {
        self.ask(input, &mut Gauge::default()).await
    }

    /// Does the same as the trait's default, without a second future on the heap, and reports the fuel used.
    async fn answer(&self, input: &Input, _caller: &Caller) -> Answer {
        let mut gauge = Gauge::default();
        let result = self.ask(input, &mut gauge).await;
        Answer { fuel: self.prepared.fuel_used(gauge), ..result.into() }
    }

    async fn finish(&self) {
        self.prepared.sandbox.powers.stores.tidy().await;
    }

    fn kind(&self) -> Kind {
        self.prepared.kind()
    }

    fn is_pure(&self) -> bool {
        self.prepared.is_pure()
    }

    fn as_component(&self) -> Option<&ComponentHook> {
        Some(self)
    }
}
