//! Components that are loaded and linked in each cell of a sandbox.

use super::engines::Metering;
use super::grants::{Granted, Grants};
use super::imports::{self, Imports};
use super::one_line;
use super::prepare::{Source, load};
use super::sandbox::Sandbox;
use super::state::State;
use super::unchecked::NativeCode;
use crate::protocol::{Code, Failure};
use std::sync::{Arc, OnceLock};
use wasmtime::Engine;
use wasmtime::component::{Component, ComponentExportIndex, InstancePre};

/// A component, loaded and linked in each cell.
pub(super) struct Loaded {
    /// The component in each cell. The first call in a cell creates a missing entry from `code`.
    cells: Box<[OnceLock<Linked>]>,
    /// The code for the other cells. `None` if there is only one cell.
    code: Option<NativeCode>,
    metering: Metering,
    grants: Arc<Granted>,
    imports: Imports,
    find: Find,
}

/// A function that finds the export to call.
pub(super) type Find = fn(&Component, &Engine) -> Result<ComponentExportIndex, Failure>;

/// A component, loaded and linked in one cell.
pub(super) struct Linked {
    pub(super) engine: Engine,
    pub(super) pre: InstancePre<State>,
    pub(super) run: ComponentExportIndex,
}

impl Loaded {
    /// Loads a component in the first cell, and keeps the code for the other cells.
    ///
    /// # Errors
    /// Returns a failure if the component cannot be compiled, lacks the function, or imports something it has no grant
    /// for.
    pub(super) fn new(
        sandbox: &Sandbox,
        source: &Source<'_>,
        metering: Metering,
        grants: Arc<Granted>,
        imports: Imports,
        find: Find,
    ) -> Result<Self, Failure> {
        let (component, code) = sandbox.component(source, metering)?;
        let first = Linked::new(sandbox.engine(metering, 0)?, &component, grants.grants(), imports, find)?;
        let count = sandbox.engines.cells();
        let cells = std::iter::once(OnceLock::from(first)).chain((1..count).map(|_| OnceLock::new())).collect();
        let code = (count > 1).then(|| code.shared());
        Ok(Loaded { cells, code, metering, grants, imports, find })
    }

    /// Returns the component in a cell. Loads it if necessary.
    ///
    /// # Errors
    /// Returns a failure if the component cannot be loaded there.
    pub(super) fn linked(&self, sandbox: &Sandbox, cell: usize) -> Result<&Linked, Failure> {
        let lost = || Failure::new(Code::Internal, "is not loaded for this thread".to_owned());
        let place = self.cells.get(cell).ok_or_else(lost)?;
        if let Some(linked) = place.get() {
            return Ok(linked);
        }
        // Failures are not kept: resources that this call lacked may be available to the next call.
        let engine = sandbox.engine(self.metering, cell)?;
        let code = self.code.as_ref().ok_or_else(lost)?;
        let linked = Linked::new(engine, &load(code, engine)?, self.grants.grants(), self.imports, self.find)?;
        Ok(place.get_or_init(|| linked))
    }
}

impl Linked {
    fn new(
        engine: &Engine,
        component: &Component,
        grants: &Grants,
        imports: Imports,
        find: Find,
    ) -> Result<Self, Failure> {
        let run = find(component, engine)?;
        let linker = imports::link(component, engine, grants, imports)?;
        let pre = linker.instantiate_pre(component).map_err(|error| {
            Failure::new(Code::Import, format!("does not fit what it imports: {}", one_line(&error)))
        })?;
        Ok(Linked { engine: engine.clone(), pre, run })
    }
}
