//! Measures the cost of a new instance for each call, compared with a hook that keeps its instance.

use crate::ask::{self, Asker, INPUT, hook, rule};
use crate::engines::{Engines, Metering};
use crate::row::{Goal, Unit, in_turns, print};
use async_trait::async_trait;
use hookbox::runtime::component::Sandbox;
use hookbox::{Action, Code, Failure, Hook, HookInfo, Input};
use std::sync::Arc;
use tokio::sync::Mutex;
use wasmtime::component::{Component, InstancePre, Linker, TypedFunc};
use wasmtime::{Engine, Store, UpdateDeadline};

pub(crate) const NAME: &str = "warm call, fresh instance / reused instance";

const ROUNDS: usize = 400;

/// The number of calls of an instance before it is replaced. The rule's allocator does not free memory, so an instance
/// kept for longer would have to grow its memory, which does not happen in its intended use.
const CALLS: u32 = 50;

type Answer = (Result<String, String>,);

struct Live {
    store: Store<()>,
    run: TypedFunc<(String,), Answer>,
}

struct Reused {
    info: HookInfo,
    engine: Engine,
    pre: InstancePre<()>,
    live: Mutex<Option<Live>>,
}

pub(crate) fn row(sandbox: &Sandbox) {
    let fresh = Asker::of([hook(sandbox, &rule())]).allowing(INPUT);
    let reused = Arc::new(Reused::new(&rule()));
    let asker = Asker::of([Shared(Arc::clone(&reused))]);
    asker.runtime.block_on(reused.renew());
    let asker = asker.allowing(INPUT);
    let mut left = || {
        fresh.ask(INPUT);
        fresh.calls(INPUT, CALLS)
    };
    let mut right = || {
        asker.runtime.block_on(reused.renew());
        asker.ask(INPUT);
        asker.calls(INPUT, CALLS)
    };
    print(NAME, Unit::Nanoseconds, in_turns(ROUNDS, [&mut left, &mut right]), Goal::AtMost(6.0));
}

impl Reused {
    /// Prepares the component in an engine with hookbox's own settings, including those of its pool.
    fn new(component: &[u8]) -> Self {
        let engine = Engines::new(1, 2, true).unwrap().of(Metering::None, 0).unwrap().clone();
        let component = Component::new(&engine, component).unwrap();
        let pre = Linker::new(&engine).instantiate_pre(&component).unwrap();
        Reused { info: ask::info(ask::PATIENCE), engine, pre, live: Mutex::default() }
    }

    async fn renew(&self) {
        let mut live = self.live.lock().await;
        *live = None;
        let mut store = Store::new(&self.engine, ());
        store.set_epoch_deadline(1);
        store.epoch_deadline_callback(|_| Ok(UpdateDeadline::Yield(1)));
        let instance = self.pre.instantiate_async(&mut store).await.unwrap();
        let interface = instance.get_export_index(&mut store, None, "hookbox:hook/hook@0.1.0").unwrap();
        let run = instance.get_export_index(&mut store, Some(&interface), "run").unwrap();
        let run = instance.get_typed_func(&mut store, run).unwrap();
        *live = Some(Live { store, run });
    }
}

/// A hook that the benchmark keeps a reference to.
struct Shared(Arc<Reused>);

#[async_trait]
impl Hook for Shared {
    fn info(&self) -> &HookInfo {
        &self.0.info
    }

    async fn run(&self, input: &Input) -> Result<Action, Failure> {
        let payload = input.to_hook_json(None);
        let mut live = self.0.live.lock().await;
        let Live { store, run } = live.as_mut().unwrap();
        let called = run.call_async(store, (payload,)).await;
        let (answer,) = called.map_err(|error| Failure::new(Code::Trap, format!("{error:#}")))?;
        let answer = answer.map_err(|error| Failure::new(Code::Failed, error))?;
        Action::from_slice(answer.as_bytes(), input.event)
            .map_err(|error| Failure::new(Code::Action, error.to_string()))
    }
}
