//! Snapshots of a core module, taken after one of its functions has run.

use anyhow::{Context, Result, anyhow};
use std::future::Future;
use std::pin::pin;
use std::task::{Poll, Waker};
use wasmi::{Caller, Engine, Instance, Linker, Module, Store, Val};
use wasmtime_wizer::{InstanceState, SnapshotVal, ValType, Wizer};

/// Calls `function`, which must not call any imports, and returns the module with the resulting memory.
pub(crate) fn after(core: &[u8], function: &str) -> Result<Vec<u8>> {
    let mut wizer = Wizer::new();
    wizer.init_func(function);
    let (context, instrumented) = wizer.instrument(core).map_err(|error| anyhow!("{error:?}"))?;
    let engine = Engine::default();
    let module = Module::new(&engine, &instrumented).context("the module cannot be run")?;
    let mut store = Store::new(&engine, ());
    let mut linker = Linker::new(&engine);
    for import in module.imports() {
        if let Some(ty) = import.ty().func() {
            let name = format!("{}.{}", import.module(), import.name());
            let refuse =
                move |_: Caller<'_, ()>, _: &[Val], _: &mut [Val]| Err(wasmi::Error::new(format!("called `{name}`")));
            linker.func_new(import.module(), import.name(), ty.clone(), refuse)?;
        }
    }
    let instance = linker.instantiate_and_start(&mut store, &module)?;
    for name in ["_initialize", function] {
        if let Ok(function) = instance.get_typed_func::<(), ()>(&store, name) {
            function.call(&mut store, ()).with_context(|| format!("`{name}` failed"))?;
        }
    }
    let mut state = State { instance, store };
    let snapshot = pin!(wizer.snapshot(&context, &mut state));
    // The future does not wait for anything, so a single poll completes it.
    match snapshot.poll(&mut std::task::Context::from_waker(Waker::noop())) {
        Poll::Ready(module) => module.map_err(|error| anyhow!("{error:?}")),
        Poll::Pending => Err(anyhow!("the snapshot waits for something")),
    }
}

struct State {
    instance: Instance,
    store: Store<()>,
}

impl InstanceState for State {
    async fn global_get(&mut self, name: &str, _: ValType) -> SnapshotVal {
        let global = self.instance.get_global(&self.store, name).map(|global| global.get(&self.store));
        match global {
            Some(Val::I64(value)) => SnapshotVal::I64(value),
            Some(Val::F32(value)) => SnapshotVal::F32(value.to_bits()),
            Some(Val::F64(value)) => SnapshotVal::F64(value.to_bits()),
            Some(Val::V128(value)) => SnapshotVal::V128(value.as_u128()),
            Some(Val::I32(value)) => SnapshotVal::I32(value),
            other => unreachable!("a module of C and Rust has no global {name} like {other:?}"),
        }
    }

    async fn memory_contents(&mut self, name: &str, contents: impl FnOnce(&[u8]) + Send) {
        let memory = self.instance.get_memory(&self.store, name);
        contents(memory.map(|memory| memory.data(&self.store)).unwrap_or_default());
    }
}
