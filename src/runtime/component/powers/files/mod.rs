//! Granted directories: WASI's own files, with a limit on how much a call may add to each directory.
//!
//! A file may have holes, so the size of a file counts and not the number of written bytes: a single byte after a hole
//! of a terabyte is charged as a terabyte.

mod descriptor;
mod stream;

use crate::runtime::component::state::State;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use wasmtime::component::{HasData, Linker, Resource};
use wasmtime_wasi::filesystem::{Descriptor, WasiFilesystemCtxView};
use wasmtime_wasi::p2::bindings::filesystem::{preopens, types};

/// The charge for a new file, directory or link, in bytes: the size of a block in most file systems.
const NEW_ENTRY: u64 = 4096;

/// Links `wasi:filesystem/types`.
pub(in crate::runtime::component) fn link_types(linker: &mut Linker<State>) -> wasmtime::Result<()> {
    types::add_to_linker::<_, Files>(linker, State::files)
}

/// Links `wasi:filesystem/preopens`.
pub(in crate::runtime::component) fn link_preopens(linker: &mut Linker<State>) -> wasmtime::Result<()> {
    preopens::add_to_linker::<_, Files>(linker, State::files)
}

struct Files;

impl HasData for Files {
    type Data<'a> = View<'a>;
}

/// The state that the functions of `wasi:filesystem` work on.
pub(in crate::runtime::component) struct View<'a> {
    pub(in crate::runtime::component) wasi: WasiFilesystemCtxView<'a>,
    pub(in crate::runtime::component) quotas: &'a mut Quotas,
}

/// The rest of a directory's limit for this call, in bytes.
#[derive(Debug)]
struct Quota(AtomicU64);

impl Quota {
    /// Takes bytes from the rest. Takes none and returns false if there are too few.
    fn take(&self, bytes: u64) -> bool {
        let left = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(bytes));
        if left.is_err() {
            tracing::warn!(bytes, "a component wanted to add more to a directory than `max_bytes` allows");
        }
        left.is_ok()
    }
}

/// The limits of the granted directories.
#[derive(Debug, Default)]
pub(in crate::runtime::component) struct Quotas {
    /// The limit of each directory, in the order in which the directories were granted.
    dirs: Vec<Arc<Quota>>,
    /// The limit that applies to an open file or directory, by its handle.
    of: HashMap<u32, Arc<Quota>>,
}

impl Quotas {
    /// Creates the limits of directories, in the order in which the directories are granted.
    pub(in crate::runtime::component) fn new(dirs: impl Iterator<Item = u64>) -> Self {
        Quotas { dirs: dirs.map(|bytes| Arc::new(Quota(AtomicU64::new(bytes)))).collect(), of: HashMap::new() }
    }

    /// Returns the limit that applies to this handle and to everything that is opened through it.
    fn of(&self, descriptor: &Resource<Descriptor>) -> Option<Arc<Quota>> {
        self.of.get(&descriptor.rep()).cloned()
    }

    /// Returns whether this many bytes may be added through this handle. If so, they count as added.
    fn take(&self, descriptor: &Resource<Descriptor>, bytes: u64) -> bool {
        self.of.get(&descriptor.rep()).is_some_and(|quota| quota.take(bytes))
    }
}

impl preopens::Host for View<'_> {
    fn get_directories(&mut self) -> wasmtime::Result<Vec<(Resource<Descriptor>, String)>> {
        let dirs = preopens::Host::get_directories(&mut self.wasi)?;
        for ((descriptor, _), quota) in dirs.iter().zip(&self.quotas.dirs) {
            self.quotas.of.insert(descriptor.rep(), Arc::clone(quota));
        }
        Ok(dirs)
    }
}
