//! What the host keeps for the duration of a call.

use super::grants::{DirAccess, EnvGrant, Granted, Grants};
use super::limits::{Limits, Usage};
use super::output::Output;
use super::powers::log::Logged;
use std::sync::Arc;
use std::time::Instant;
use wasmtime::component::ResourceTable;
use wasmtime_wasi::{FsPerms, WasiCtx, WasiCtxBuilder, WasiCtxView, WasiView};

/// The random seed of a component without the grant. It is constant, so the component stays pure. Rust's `HashMap` asks
/// for a seed in every program, so the interface cannot simply be missing.
const FIXED_SEED: u128 = 0;

/// The host's state for one call.
pub(super) struct State {
    pub(super) usage: Usage,
    /// When the call must have ended.
    pub(super) deadline: Instant,
    pub(super) logged: Logged,
    /// `None` for a component without grants.
    grants: Option<Arc<Granted>>,
    wasi: Option<Box<Wasi>>,
}

/// The state behind the WASI interfaces.
struct Wasi {
    context: WasiCtx,
    table: ResourceTable,
    stdout: Output,
    stderr: Output,
}

impl State {
    /// # Errors
    /// A granted directory cannot be opened.
    pub(super) fn new(limits: &Limits, grants: &Arc<Granted>, deadline: Instant) -> wasmtime::Result<Self> {
        // Most calls of a pure component never use WASI, even if the component imports it.
        let has_dirs = !grants.grants().dirs.is_empty();
        let wasi = if has_dirs { Some(Box::new(Wasi::with_dirs(limits, grants)?)) } else { None };
        // Cloning the `Arc` for every call would make the cores contend for its reference count.
        let grants = (!grants.grants().is_empty()).then(|| Arc::clone(grants));
        Ok(State { usage: Usage::new(*limits), deadline, logged: Logged::default(), grants, wasi })
    }

    /// What the guest wrote to stdout and to stderr.
    pub(super) fn stdio(&self) -> impl Iterator<Item = (&'static str, String)> {
        let streams = self.wasi.iter().flat_map(|wasi| [("stdout", &wasi.stdout), ("stderr", &wasi.stderr)]);
        streams.filter_map(|(name, output)| Some((name, output.text()?)))
    }
}

impl Wasi {
    /// # Errors
    /// A granted directory cannot be opened.
    fn with_dirs(limits: &Limits, granted: &Granted) -> wasmtime::Result<Self> {
        let mut wasi = Wasi::builder(limits, Some(granted.grants()));
        for dir in granted.dirs() {
            let dir = dir?;
            let perms = match dir.access {
                DirAccess::Read => FsPerms::ReadOnly,
                DirAccess::ReadWrite => FsPerms::ReadWrite,
            };
            wasi.preopened_dir(&dir.host_path, &dir.guest_path, perms)?;
        }
        Ok(Wasi::build(wasi, limits))
    }

    /// The defaults that matter: stdin closed, no arguments, no variables, no directories, no network.
    fn builder(limits: &Limits, grants: Option<&Grants>) -> WasiCtxBuilder {
        let mut wasi = WasiCtxBuilder::new();
        wasi.max_random_size(limits.random_bytes);
        let none = Grants::default();
        // Directories are opened for each call, and clocks are linked only if granted.
        let Grants { dirs: _, env, clocks: _, random } = grants.unwrap_or(&none);
        if !random {
            wasi.insecure_random_seed(FIXED_SEED);
        }
        for EnvGrant { name, value } in env {
            if let Some(value) = value {
                wasi.env(name, value);
            }
        }
        wasi
    }

    fn build(mut wasi: WasiCtxBuilder, limits: &Limits) -> Self {
        let (stdout, stderr) = (Output::new(limits.stdio_bytes), Output::new(limits.stdio_bytes));
        wasi.stdout(stdout.clone()).stderr(stderr.clone());
        let mut table = ResourceTable::new();
        table.set_max_capacity(limits.handles);
        Wasi { context: wasi.build(), table, stdout, stderr }
    }
}

impl WasiView for State {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        let State { usage, grants, wasi, .. } = self;
        let Wasi { context, table, .. } = &mut **wasi.get_or_insert_with(|| {
            let limits = usage.limits();
            Box::new(Wasi::build(Wasi::builder(limits, grants.as_ref().map(|granted| granted.grants())), limits))
        });
        WasiCtxView { ctx: context, table }
    }
}
