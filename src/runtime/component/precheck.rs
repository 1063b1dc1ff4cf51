//! A look at a component before the engine sees it.
//!
//! The engine's parser and compiler are made for programs that somebody wants to run: a few kilobytes can overflow
//! their stack, which ends the process, or expand to gigabytes. What could do that is refused here, by a newer
//! validator than the one inside the engine and by counting what would be instantiated without expanding it.

use crate::protocol::{Code, Failure};
use wasmparser::{
    ComponentAlias, ComponentExternalKind, ComponentInstance, ComponentOuterAliasKind, ComponentTypeRef, Encoding,
    Instance, Parser, Payload, Validator, WasmFeatures,
};

/// The deepest nesting of components. Toolchains make two or three levels.
const MAX_NESTING: usize = 32;

/// The most instantiations that a component may come to. What toolchains make of one program has up to forty.
const MAX_INSTANTIATIONS: u64 = 1000;

/// What components may use: WebAssembly as it first was, and what toolchains make. Everything else is refused, the
/// proposals included that a later validator will know. Each of them is more code of the engine that a component reaches.
const FEATURES: WasmFeatures = WasmFeatures::empty()
    // Core modules of Rust, C and Go. `SIMD` is in memchr and its like, and `MULTI_VALUE` is on by default in Rust and Clang.
    .union(WasmFeatures::FLOATS)
    .union(WasmFeatures::MUTABLE_GLOBAL)
    .union(WasmFeatures::SIGN_EXTENSION)
    .union(WasmFeatures::SATURATING_FLOAT_TO_INT)
    .union(WasmFeatures::BULK_MEMORY)
    .union(WasmFeatures::MULTI_VALUE)
    .union(WasmFeatures::SIMD)
    // The libraries of Python's interpreter, which are linked when they are instantiated, as componentize-py leaves them.
    .union(WasmFeatures::EXTENDED_CONST)
    // For `funcref` and more than one table: Python's interpreter and the adapters of WASI. `externref` is one of
    // `GC_TYPES`, and stays out.
    .union(WasmFeatures::REFERENCE_TYPES)
    .union(WasmFeatures::COMPONENT_MODEL);

/// # Errors
/// The bytes are not a valid component, or one that is too much for the engine.
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

/// A component on the way through it.
#[derive(Default)]
struct Level {
    /// What instantiating each component of its index space comes to.
    components: Vec<u64>,
    /// What its own instantiation comes to so far.
    total: u64,
}

/// What instantiating the component comes to, with that of all components inside of it.
fn count_instantiations(bytes: &[u8]) -> Result<u64, String> {
    let mut levels: Vec<Level> = Vec::new();
    // Modules are inside of components and end like these, but count for nothing.
    let mut inside_module = false;
    // A component that comes from elsewhere (an import, an export of an instance) is taken for the largest of all.
    let mut largest = 0;
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
            largest = largest.max(total);
            match levels.last_mut() {
                Some(parent) => parent.components.push(total),
                None => return Ok(total),
            }
        }
        add(&payload, &mut levels, largest).map_err(|error| error.to_string())?;
    }
    Err("it has no end".to_owned())
}

fn add(payload: &Payload<'_>, levels: &mut [Level], largest: u64) -> Result<(), wasmparser::BinaryReaderError> {
    let component = |levels: &[Level], up: u32, index: u32| {
        let level = levels.len().checked_sub(up as usize + 1).and_then(|at| levels.get(at));
        level.and_then(|level| level.components.get(index as usize)).copied().unwrap_or(largest)
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
                    ComponentAlias::InstanceExport { kind: ComponentExternalKind::Component, .. } => new.push(largest),
                    _ => {}
                }
            }
        }
        Payload::ComponentImportSection(imports) => {
            for import in imports.clone() {
                if let ComponentTypeRef::Component(_) = import?.ty {
                    new.push(largest);
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
