//! The check of a component before the engine sees it.
//!
//! The engine's parser and compiler are made for programs that someone wants to run: a few kilobytes can overflow their
//! stack, which ends the process, or expand to gigabytes. Such components are refused here, by a newer validator than
//! the one in the engine, and by counting instantiations without expanding them.

use crate::protocol::{Code, Failure};
use wasmparser::{
    ComponentAlias, ComponentExternalKind, ComponentInstance, ComponentOuterAliasKind, ComponentTypeRef, Encoding,
    Instance, Parser, Payload, Validator, WasmFeatures,
};

/// The maximum nesting of components. Toolchains use two or three levels.
const MAX_NESTING: usize = 32;

/// The maximum number of instantiations. Components from toolchains have up to forty.
const MAX_INSTANTIATIONS: u64 = 1000;

/// The features that components may use: the original WebAssembly, and what toolchains produce. Everything else is
/// refused, including proposals that a later validator will know. Each feature exposes more of the engine's code to a
/// component.
const FEATURES: WasmFeatures = WasmFeatures::empty()
    // Core modules of Rust, C and Go. `SIMD` is used by memchr and the like; `MULTI_VALUE` is on by default in Rust and
    // Clang.
    .union(WasmFeatures::FLOATS)
    .union(WasmFeatures::MUTABLE_GLOBAL)
    .union(WasmFeatures::SIGN_EXTENSION)
    .union(WasmFeatures::SATURATING_FLOAT_TO_INT)
    .union(WasmFeatures::BULK_MEMORY)
    .union(WasmFeatures::MULTI_VALUE)
    .union(WasmFeatures::SIMD)
    // The libraries of Python's interpreter, which componentize-py leaves to be linked at instantiation.
    .union(WasmFeatures::EXTENDED_CONST)
    // Python's interpreter and the WASI adapters need `funcref` and multiple tables. `externref` belongs to `GC_TYPES`
    // and stays refused.
    .union(WasmFeatures::REFERENCE_TYPES)
    .union(WasmFeatures::COMPONENT_MODEL);

/// Checks a component.
///
/// # Errors
/// Returns a failure if the bytes are not a valid component, or are too much for the engine.
pub(super) fn check(bytes: &[u8]) -> Result<(), Failure> {
    let instantiations = count_instantiations(bytes).map_err(|error| invalid(&error))?;
    if instantiations > MAX_INSTANTIATIONS {
        return Err(Failure::new(
            Code::Compile,
            format!("comes to {instantiations} instantiations; the limit is {MAX_INSTANTIATIONS}"),
        ));
    }
    Validator::new_with_features(FEATURES).validate_all(bytes).map_err(|error| invalid(&error.to_string()))?;
    Ok(())
}

fn invalid(why: &str) -> Failure {
    Failure::new(Code::Compile, format!("is not a valid component: {why}"))
}

/// A component while it is being parsed.
#[derive(Default)]
struct Level {
    /// The number of instantiations for each component in its index space.
    components: Vec<u64>,
    /// The component's own number of instantiations so far.
    total: u64,
}

/// Counts the instantiations of a component, including those of all components inside it.
fn count_instantiations(bytes: &[u8]) -> Result<u64, String> {
    let mut levels: Vec<Level> = Vec::new();
    // Modules are nested in components and end with the same payload, but have no level of their own.
    let mut inside_module = false;
    for payload in Parser::new(0).parse_all(bytes) {
        let payload = payload.map_err(|error| error.to_string())?;
        if let Payload::Version { encoding: Encoding::Component, .. } = payload {
            if levels.len() == MAX_NESTING {
                return Err(format!("components are nested deeper than {MAX_NESTING}"));
            }
            levels.push(Level::default());
            continue;
        }
        if let Payload::Version { encoding: Encoding::Module, .. } = payload {
            inside_module = true;
        }
        if let Payload::End(_) = payload {
            if std::mem::take(&mut inside_module) {
                continue;
            }
            let total = levels.pop().map_or(0, |level| level.total);
            match levels.last_mut() {
                Some(parent) => parent.components.push(total),
                None => return Ok(total),
            }
        }
        add(&payload, &mut levels).map_err(|error| error.to_string())?;
    }
    Err("it has no end".to_owned())
}

/// The number of instantiations of a component from elsewhere: an import, or an export of an instance. The argument that
/// decides it may be defined later, so instantiating such a component is refused. Toolchains do not do that.
const UNKNOWN: u64 = MAX_INSTANTIATIONS;

fn add(payload: &Payload<'_>, levels: &mut [Level]) -> Result<(), wasmparser::BinaryReaderError> {
    let component = |levels: &[Level], up: u32, index: u32| {
        let level = levels.len().checked_sub(up as usize + 1).and_then(|at| levels.get(at));
        level.and_then(|level| level.components.get(index as usize)).copied().unwrap_or(UNKNOWN)
    };
    let mut new = Vec::new();
    let mut instantiations: u64 = 0;
    match payload {
        Payload::InstanceSection(instances) => {
            for instance in instances.clone() {
                instantiations += u64::from(matches!(instance?, Instance::Instantiate { .. }));
            }
        }
        Payload::ComponentInstanceSection(instances) => {
            for instance in instances.clone() {
                if let ComponentInstance::Instantiate { component_index, .. } = instance? {
                    let inner = component(levels, 0, component_index).saturating_add(1);
                    instantiations = instantiations.saturating_add(inner);
                }
            }
        }
        Payload::ComponentAliasSection(aliases) => {
            for alias in aliases.clone() {
                match alias? {
                    ComponentAlias::Outer { kind: ComponentOuterAliasKind::Component, count, index } => {
                        new.push(component(levels, count, index));
                    }
                    ComponentAlias::InstanceExport { kind: ComponentExternalKind::Component, .. } => new.push(UNKNOWN),
                    _ => {}
                }
            }
        }
        Payload::ComponentImportSection(imports) => {
            for import in imports.clone() {
                if let ComponentTypeRef::Component(_) = import?.ty {
                    new.push(UNKNOWN);
                }
            }
        }
        Payload::ComponentExportSection(exports) => {
            for export in exports.clone() {
                let export = export?;
                if export.kind == ComponentExternalKind::Component {
                    new.push(component(levels, 0, export.index));
                }
            }
        }
        _ => {}
    }
    if let Some(level) = levels.last_mut() {
        level.components.extend(new);
        level.total = level.total.saturating_add(instantiations);
    }
    Ok(())
}
