//! The measurement of a call's time and resources, for the component's author.

use super::call::Observer;
use super::state::State;
use super::{ComponentHook, Prepared, imports};
use crate::protocol::{Failure, Input};
use std::time::{Duration, Instant};
use wasmtime::Store;

/// The time and resources that one call of a component used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Measured {
    /// The time to create a new instance.
    pub instantiate: Duration,
    /// The bytes of all memories at the end of the call, which is the peak since memories never shrink.
    pub memory_bytes: usize,
    /// The fuel used, if the component has a fuel limit. The same Input uses the same amount on every machine.
    pub fuel: Option<u64>,
}

impl ComponentHook {
    /// Makes a call, drops the answer, and returns what the call used.
    ///
    /// # Errors
    /// Returns a failure if the call failed.
    pub async fn measure(&self, input: &Input) -> Result<Measured, Failure> {
        let mut stopwatch = Stopwatch::default();
        self.call(input, &mut stopwatch).await?;
        let Stopwatch { instantiate, memory_bytes, gauge, .. } = stopwatch;
        Ok(Measured { instantiate, memory_bytes, fuel: self.prepared.fuel_used(gauge) })
    }

    /// Returns the names of the component's imports, including versions. For a script, returns the imports of the
    /// script runner that the script can reach.
    #[must_use]
    pub fn imports(&self) -> Vec<String> {
        let linked = self.prepared.loaded.linked(&self.prepared.sandbox, 0);
        let imports = linked.map(|linked| imports::list(linked.pre.component(), &linked.engine));
        let granted = imports.into_iter().flatten().filter(|import| import.needs.is_met(self.prepared.grants.grants()));
        granted.map(|import| import.name).collect()
    }
}

/// An observer that reads the remaining fuel.
#[derive(Clone, Copy, Default)]
pub(super) struct Gauge(Option<u64>);

impl Observer for Gauge {
    fn answered(&mut self, store: &Store<State>) {
        self.0 = store.get_fuel().ok();
    }
}

impl Prepared {
    /// Returns the fuel that a call used, if fuel is limited.
    pub(super) fn fuel_used(&self, Gauge(left): Gauge) -> Option<u64> {
        self.limits.fuel.zip(left).map(|(limit, left)| limit.saturating_sub(left))
    }
}

/// An observer that measures a call.
#[derive(Default)]
struct Stopwatch {
    started: Option<Instant>,
    instantiate: Duration,
    memory_bytes: usize,
    gauge: Gauge,
}

impl Observer for Stopwatch {
    fn starts(&mut self) {
        self.started = Some(Instant::now());
    }

    fn instantiated(&mut self) {
        self.instantiate = self.started.map_or(Duration::ZERO, |started| started.elapsed());
    }

    fn answered(&mut self, store: &Store<State>) {
        self.memory_bytes = store.data().usage.memory_bytes();
        self.gauge.answered(store);
    }
}
