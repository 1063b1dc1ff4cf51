//! What a call of a component takes and uses, for its author.

use super::call::RunResult;
use super::limits::MAX_TIMEOUT;
use super::{ComponentHook, imports};
use crate::protocol::{Failure, Input};
use std::time::{Duration, Instant};

/// What one call of a component took and used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Measured {
    /// The time that a new instance took.
    pub instantiate: Duration,
    /// Bytes of all its memories when the call had ended; they never shrink.
    pub memory_bytes: usize,
    /// The fuel that it used up, if it has a limit of it. The same for the same Input on every machine.
    pub fuel: Option<u64>,
}

impl ComponentHook {
    /// Makes a call whose answer is thrown away, and says what it took and used.
    ///
    /// # Errors
    /// The call failed.
    pub async fn measure(&self, input: &Input) -> Result<Measured, Failure> {
        let prepared = &self.prepared;
        let limit = self.info.timeout.unwrap_or(MAX_TIMEOUT).min(MAX_TIMEOUT);
        let payload = input.to_hook_json(self.settings.as_ref());
        let (cell, _place) = prepared.enter(Instant::now() + limit, limit).await?;
        let linked = prepared.loaded.linked(&prepared.sandbox, cell)?;
        let _ticking = prepared.sandbox.ticker.during_call(cell);

        let mut store = prepared.store(linked, Instant::now() + limit)?;
        let started = Instant::now();
        let instance = linked.pre.instantiate_async(&mut store).await;
        let instantiate = started.elapsed();
        instance.map_err(|error| prepared.explain(&error, &mut store, limit))?;
        drop(store);

        let mut store = prepared.store(linked, Instant::now() + limit)?;
        let answer: RunResult = match prepared.instantiate_and_run(linked, &mut store, &payload).await {
            Ok(answer) => answer,
            Err(error) => return Err(prepared.explain(&error, &mut store, limit)),
        };
        answer.0.map_err(Failure::failed)?;
        let left = |limit: u64| store.get_fuel().ok().map(|left| limit.saturating_sub(left));
        Ok(Measured {
            instantiate,
            memory_bytes: store.data().usage.memory_bytes(),
            fuel: prepared.limits.fuel.and_then(left),
        })
    }

    /// The names of what the component imports, each with its version.
    #[must_use]
    pub fn imports(&self) -> Vec<String> {
        let linked = self.prepared.loaded.linked(&self.prepared.sandbox, 0);
        let imports = linked.map(|linked| imports::of(linked.pre.component(), &linked.engine));
        imports.into_iter().flatten().map(|import| import.name).collect()
    }
}
