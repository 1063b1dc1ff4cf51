//! The state that the host keeps for the duration of a call.

use super::grants::{DirAccess, EnvGrant, Granted, Grants};
use super::limits::{Limits, Usage};
use super::output::Output;
use super::powers::files::{self, Quotas};
use super::powers::log::Logged;
#[cfg(feature = "net")]
use super::powers::net;
use super::powers::net::Requests;
use super::powers::store::Bucket;
#[cfg(feature = "store")]
use super::powers::store::View;
use std::sync::Arc;
use std::time::Instant;
use wasmtime::component::ResourceTable;
use wasmtime_wasi::filesystem::WasiFilesystemCtxView;
use wasmtime_wasi::{FsPerms, WasiCtx, WasiCtxBuilder, WasiCtxView, WasiView};

/// The random seed of a component that is not granted random numbers. It is constant, so the component stays pure.
/// Rust's `HashMap` asks for a seed in every program, so the interface cannot simply be missing.
const FIXED_SEED: u128 = 0;

/// The host's state for one call.
pub(super) struct State {
    pub(super) usage: Usage,
    /// The time by which the call must have ended.
    pub(super) deadline: Instant,
    pub(super) logged: Logged,
    /// `None` for a component without grants.
    grants: Option<Arc<Granted>>,
    /// The component's part of the store, if it is granted one.
    #[cfg_attr(not(feature = "store"), expect(dead_code, reason = "there is none"))]
    bucket: Option<Bucket>,
    /// The parts of the store that the component has open. They have a table of their own, so that the store needs no
    /// WASI context.
    #[cfg(feature = "store")]
    opened: ResourceTable,
    /// The requests that the component may send, if it is granted the network.
    #[cfg_attr(not(feature = "net"), expect(dead_code, reason = "there is none"))]
    requests: Option<Requests>,
    wasi: Option<Box<Wasi>>,
}

/// The state behind the WASI interfaces.
struct Wasi {
    context: WasiCtx,
    table: ResourceTable,
    quotas: Quotas,
    stdout: Output,
    stderr: Output,
}

impl State {
    /// Creates the state for one call.
    ///
    /// # Errors
    /// Returns an error if a granted directory cannot be opened.
    pub(super) fn new(
        limits: &Limits,
        grants: &Arc<Granted>,
        bucket: Option<Bucket>,
        requests: Option<Requests>,
        deadline: Instant,
    ) -> wasmtime::Result<Self> {
        // Most calls of a pure component never use WASI, even if the component imports it.
        let has_dirs = !grants.grants().dirs.is_empty();
        let wasi = if has_dirs { Some(Box::new(Wasi::with_dirs(limits, grants)?)) } else { None };
        // Cloning the `Arc` for every call would make the cores contend for its reference count.
        let grants = (!grants.grants().is_empty()).then(|| Arc::clone(grants));
        Ok(State {
            usage: Usage::new(*limits),
            deadline,
            logged: Logged::default(),
            grants,
            bucket,
            #[cfg(feature = "store")]
            opened: table(limits),
            requests,
            wasi,
        })
    }

    /// Returns the state that the functions of `wasi:filesystem` work on.
    pub(super) fn files(&mut self) -> files::View<'_> {
        let State { usage, grants, wasi, .. } = self;
        let Wasi { context, table, quotas, .. } = Wasi::of(wasi, usage, grants.as_deref());
        files::View { wasi: WasiFilesystemCtxView { ctx: context.filesystem(), table }, quotas }
    }

    /// Returns the state that the functions of a store work on.
    #[cfg(feature = "store")]
    pub(super) fn keyvalue(&mut self) -> View<'_> {
        let State { bucket, opened, .. } = self;
        View { table: opened, bucket: bucket.as_ref() }
    }

    /// Returns the state that the functions of `wasi:http` work on.
    #[cfg(feature = "net")]
    pub(super) fn http(&mut self) -> net::View<'_> {
        let State { usage, grants, requests, wasi, .. } = self;
        let table = &mut Wasi::of(wasi, usage, grants.as_deref()).table;
        requests.get_or_insert_with(Requests::none).view(table)
    }

    /// Returns the requests that the component may send.
    #[cfg(feature = "net")]
    pub(super) const fn requests(&self) -> Option<&Requests> {
        self.requests.as_ref()
    }

    /// Returns what the guest wrote to stdout and to stderr.
    pub(super) fn stdio(&self) -> impl Iterator<Item = (&'static str, String)> {
        let streams = self.wasi.iter().flat_map(|wasi| [("stdout", &wasi.stdout), ("stderr", &wasi.stderr)]);
        streams.filter_map(|(name, output)| Some((name, output.text()?)))
    }
}

impl Wasi {
    /// Returns the state of a call. Creates it when it is first needed.
    fn of<'w>(wasi: &'w mut Option<Box<Wasi>>, usage: &Usage, granted: Option<&Granted>) -> &'w mut Wasi {
        wasi.get_or_insert_with(|| {
            let limits = usage.limits();
            Box::new(Wasi::build(Wasi::builder(limits, granted.map(Granted::grants)), limits))
        })
    }

    /// Creates the WASI state of a component that is granted directories.
    ///
    /// # Errors
    /// Returns an error if a granted directory cannot be opened.
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
        let quotas = Quotas::new(granted.grants().dirs.iter().map(|dir| dir.max_bytes));
        Ok(Wasi { quotas, ..Wasi::build(wasi, limits) })
    }

    /// Returns a builder with the granted variables and random numbers. All else relies on WASI's defaults: stdin
    /// closed, no arguments, no variables, no directories, no network.
    fn builder(limits: &Limits, grants: Option<&Grants>) -> WasiCtxBuilder {
        let mut wasi = WasiCtxBuilder::new();
        wasi.max_random_size(limits.random_bytes);
        let none = Grants::default();
        // Directories are opened for each call, and clocks are linked only if granted.
        let Grants { dirs: _, env, clocks: _, random, store: _, net: _ } = grants.unwrap_or(&none);
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
        Wasi { context: wasi.build(), table: table(limits), quotas: Quotas::default(), stdout, stderr }
    }
}

/// Creates a table for as many resources as a component may have open.
fn table(limits: &Limits) -> ResourceTable {
    let mut table = ResourceTable::new();
    table.set_max_capacity(limits.handles);
    table
}

impl WasiView for State {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        let State { usage, grants, wasi, .. } = self;
        let Wasi { context, table, .. } = Wasi::of(wasi, usage, grants.as_deref());
        WasiCtxView { ctx: context, table }
    }
}
