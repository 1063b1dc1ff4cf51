//! The functions of powers that a component passes to its core modules.

use crate::Power;
use anyhow::{Context, Result, bail};
use wasmparser::{
    CanonicalFunction, ComponentAlias, ComponentExternalKind, ComponentOuterAliasKind, ComponentTypeRef, Parser,
    Payload,
};

/// The error for a component whose modules import anything else.
pub(super) const OUTSIDE: &str = "its modules use what is outside of them, so that they cannot be merged";

/// A function that a core module imports, with the names of the canonical ABI.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Imported<'a> {
    /// The interface.
    pub module: &'a str,
    pub name: String,
}

/// The functions that a component imports and lowers.
#[derive(Default)]
pub(super) struct Outside<'a> {
    /// The functions, each once.
    pub functions: Vec<Imported<'a>>,
    /// The position in `functions` of each core function that the component makes from an imported function, in order.
    pub lowered: Vec<usize>,
}

impl<'a> Outside<'a> {
    /// Finds the functions in a valid component.
    ///
    /// # Errors
    /// Returns an error if one of them does not belong to these powers.
    pub(super) fn of(component: &'a [u8], powers: &[Power<'_>]) -> Result<Self> {
        let (mut spaces, mut outside) = (Spaces::default(), Outside::default());
        let mut depth = 0;
        for payload in Parser::new(0).parse_all(component) {
            match payload.context(super::INVALID)? {
                Payload::Version { .. } => depth += 1,
                Payload::End(_) => depth -= 1,
                _ if depth > 1 => {}
                Payload::ComponentCanonicalSection(functions) => {
                    for function in functions {
                        let (origin, prefix) = match function? {
                            CanonicalFunction::Lift { .. } => {
                                spaces.functions.push(None);
                                continue;
                            }
                            CanonicalFunction::Lower { func_index, .. } => (at(&spaces.functions, func_index)?, ""),
                            CanonicalFunction::ResourceDrop { resource } => {
                                (at(&spaces.types, resource)?, "[resource-drop]")
                            }
                            _ => bail!(OUTSIDE),
                        };
                        let Origin { interface, name } = origin.context(OUTSIDE)?;
                        if !powers.iter().any(|power| power.interfaces.contains(&interface)) {
                            bail!(OUTSIDE);
                        }
                        outside.lower(Imported { module: interface, name: format!("{prefix}{name}") });
                    }
                }
                payload => spaces.define(payload)?,
            }
        }
        Ok(outside)
    }

    fn lower(&mut self, function: Imported<'a>) {
        let place = self.functions.iter().position(|known| *known == function);
        self.lowered.push(place.unwrap_or(self.functions.len()));
        if place.is_none() {
            self.functions.push(function);
        }
    }
}

/// The interface that a function or type is imported from, and its name in that interface.
#[derive(Clone, Copy)]
struct Origin<'a> {
    interface: &'a str,
    name: &'a str,
}

/// The index spaces of a component, as far as they are needed to find imported functions and types.
#[derive(Default)]
struct Spaces<'a> {
    /// The names of imported instances.
    instances: Vec<Option<&'a str>>,
    functions: Vec<Option<Origin<'a>>>,
    types: Vec<Option<Origin<'a>>>,
}

fn at<T: Copy>(items: &[Option<T>], index: u32) -> Result<Option<T>> {
    items.get(usize::try_from(index)?).copied().context(super::INVALID)
}

impl<'a> Spaces<'a> {
    /// Adds what a section defines.
    fn define(&mut self, section: Payload<'a>) -> Result<()> {
        match section {
            Payload::ComponentImportSection(imports) => {
                for import in imports {
                    let import = import?;
                    match import.ty {
                        ComponentTypeRef::Instance(_) => self.instances.push(Some(import.name.name)),
                        ComponentTypeRef::Func(_) => self.functions.push(None),
                        ComponentTypeRef::Type(_) => self.types.push(None),
                        _ => {}
                    }
                }
            }
            Payload::ComponentInstanceSection(instances) => self.instances.extend(instances.into_iter().map(|_| None)),
            Payload::ComponentTypeSection(types) => self.types.extend(types.into_iter().map(|_| None)),
            Payload::ComponentAliasSection(aliases) => {
                for alias in aliases {
                    match alias? {
                        ComponentAlias::InstanceExport { kind, instance_index, name } => {
                            let interface = at(&self.instances, instance_index)?;
                            self.push(kind, None, interface.map(|interface| Origin { interface, name }));
                        }
                        ComponentAlias::Outer { kind: ComponentOuterAliasKind::Type, .. } => self.types.push(None),
                        _ => {}
                    }
                }
            }
            // An export adds an item to the index space of its kind.
            Payload::ComponentExportSection(exports) => {
                for export in exports {
                    let export = export?;
                    let (instance, origin) = match export.kind {
                        ComponentExternalKind::Instance => (at(&self.instances, export.index)?, None),
                        ComponentExternalKind::Func => (None, at(&self.functions, export.index)?),
                        ComponentExternalKind::Type => (None, at(&self.types, export.index)?),
                        _ => (None, None),
                    };
                    self.push(export.kind, instance, origin);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn push(&mut self, kind: ComponentExternalKind, instance: Option<&'a str>, origin: Option<Origin<'a>>) {
        match kind {
            ComponentExternalKind::Instance => self.instances.push(instance),
            ComponentExternalKind::Func => self.functions.push(origin),
            ComponentExternalKind::Type => self.types.push(origin),
            _ => {}
        }
    }
}
