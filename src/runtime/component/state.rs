//! What the host keeps for one call.

use super::grants::{DirAccess, Grants};
use super::limits::{Limits, Usage};
use super::output::Output;
use std::time::Instant;
use wasmtime::component::ResourceTable;
use wasmtime_wasi::{FsPerms, WasiCtx, WasiCtxBuilder, WasiCtxView, WasiView};

/// Random numbers of a component without the grant: always the same, so that it stays pure. Rust's `HashMap` asks
/// for a seed in every program, so the interface cannot simply be missing.
const FIXED_SEED: u128 = 0;

/// The host's side of one call.
pub(super) struct State {
    pub(super) usage: Usage,
    /// When the call must have ended.
    pub(super) deadline: Instant,
    pub(super) stdout: Output,
    pub(super) stderr: Output,
    wasi: WasiCtx,
    table: ResourceTable,
}

impl State {
    /// # Errors
    /// A granted directory cannot be opened.
    pub(super) fn new(limits: &Limits, grants: &Grants, deadline: Instant) -> wasmtime::Result<Self> {
        let stdout = Output::new(limits.stdio_bytes);
        let stderr = Output::new(limits.stdio_bytes);
        // The defaults that count: stdin closed, no arguments, no variables, no directories, no network.
        let mut wasi = WasiCtxBuilder::new();
        wasi.stdout(stdout.clone()).stderr(stderr.clone()).max_random_size(limits.random_bytes);
        if !grants.random {
            wasi.insecure_random_seed(FIXED_SEED);
        }
        for (name, value) in &grants.env {
            wasi.env(name, value);
        }
        for dir in &grants.dirs {
            let perms = match dir.access {
                DirAccess::Read => FsPerms::ReadOnly,
                DirAccess::ReadWrite => FsPerms::ReadWrite,
            };
            wasi.preopened_dir(&dir.host_path, &dir.guest_path, perms)?;
        }
        let mut table = ResourceTable::new();
        table.set_max_capacity(limits.handles);
        Ok(State { usage: Usage::new(*limits), deadline, stdout, stderr, wasi: wasi.build(), table })
    }
}

impl WasiView for State {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView { ctx: &mut self.wasi, table: &mut self.table }
    }
}
