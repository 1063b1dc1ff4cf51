//! The conversion of a compiler's core module into a component that imports nothing but powers.

use anyhow::{Context, Result, bail};
use std::collections::HashSet;
use std::ops::Range;
use wasm_encoder::{RawSection, Section};
use wasmparser::{Parser, Payload};
use wit_component::{ComponentEncoder, StringEncoding, embed_component_metadata, metadata};
use wit_parser::{Resolve, WorldId};

/// The module name that compilers for WASI use for its functions.
const WASI: &str = "wasi_snapshot_preview1";

/// The adapter that implements the functions of WASI inside the component.
const NULL_ADAPTER: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/null.wasm"));

/// The name prefix of the section that says for which world a core module is made.
const WORLD_SECTION: &str = "component-type";

/// The name prefix of a hook's function in a core module, before its version.
const HOOK: &str = "hookbox:hook/hook@";

/// The exports of a component and the imports that it may have, as WIT.
#[derive(Clone, Copy, Debug)]
pub struct World<'a> {
    /// The text of the package.
    pub wit: &'a str,
    /// The world's name, with its package.
    pub name: &'a str,
    /// The powers that a module may import in addition to the world's imports. A component imports only what its module
    /// uses.
    pub powers: &'a [Power<'a>],
}

/// A package whose interfaces a component may import.
#[derive(Clone, Copy, Debug)]
pub struct Power<'a> {
    /// The text of the package.
    pub wit: &'a str,
    /// The names of its interfaces, with the package and its version.
    pub interfaces: &'a [&'a str],
}

impl Power<'static> {
    /// `hookbox:log`.
    pub const LOG: Power<'static> = Power {
        wit: include_str!("../../../wit/deps/hookbox-log/logging.wit"),
        interfaces: &["hookbox:log/logging@0.1.0"],
    };
    /// `hookbox:store`.
    pub const STORE: Power<'static> = Power {
        wit: concat!(
            include_str!("../../../wit/deps/hookbox-store/store.wit"),
            include_str!("../../../wit/deps/hookbox-store/atomic.wit"),
            include_str!("../../../wit/deps/hookbox-store/batch.wit"),
        ),
        interfaces: &["hookbox:store/store@0.1.0", "hookbox:store/atomics@0.1.0", "hookbox:store/batch@0.1.0"],
    };
    /// `hookbox:http`.
    pub const HTTP: Power<'static> = Power {
        wit: include_str!("../../../wit/deps/hookbox-http/fetch.wit"),
        interfaces: &["hookbox:http/fetch@0.1.0"],
    };
}

impl Power<'_> {
    /// Encodes the world that imports these interfaces, as the linker reads it from a section of an object file.
    ///
    /// # Errors
    /// Returns an error if the WIT is not valid.
    pub fn encode(self) -> Result<Vec<u8>> {
        let mut resolve = Resolve::default();
        // A module that names several of these worlds is made for their union, provided that each has its own name.
        let interface = self.interfaces.first().copied().unwrap_or_default();
        let name = interface.split([':', '/']).nth(1).context("a power has no interface")?;
        let world = resolve_world(&mut resolve, &format!("hookbox:build-{name}"), "", &[self])?;
        metadata::encode(&resolve, world, StringEncoding::UTF8, None, false)
    }
}

impl World<'static> {
    /// The world of every hook: `hookbox:hook/policy`, with the powers that hookbox can grant to a hook.
    pub const POLICY: World<'static> = World {
        wit: include_str!("../../../wit/hook.wit"),
        name: "hookbox:hook/policy@0.1.0",
        powers: &[Power::LOG, Power::STORE, Power::HTTP],
    };
}

impl World<'_> {
    /// Writes the world into a module.
    fn embed(self, module: &mut Vec<u8>) -> Result<()> {
        let mut resolve = Resolve::default();
        resolve.push_source("world.wit", self.wit).context("the world cannot be read")?;
        let world = resolve_world(&mut resolve, "hookbox:build", &format!("include {};", self.name), self.powers)?;
        embed_component_metadata(module, &resolve, world, StringEncoding::UTF8, false)
    }
}

/// Creates a world in a package of this name, with these items and the interfaces of these powers.
fn resolve_world(resolve: &mut Resolve, package: &str, items: &str, powers: &[Power<'_>]) -> Result<WorldId> {
    let mut text = format!("package {package}; world component {{ {items}");
    for power in powers {
        resolve.push_source("power.wit", power.wit).context("the WIT of a power cannot be read")?;
        for interface in power.interfaces {
            text.push_str(&format!(" import {interface};"));
        }
    }
    text.push_str(" }");
    let package = resolve.push_source("component.wit", &text).context("the world cannot be read")?;
    resolve.select_world(&[package], None).context("the world cannot be read")
}

/// Makes a component from a core module. The module must have the world's exports, with the names and types of the
/// canonical ABI.
///
/// The world is written into the module unless the module already names one. WASI preview 1 calls are linked to the
/// null adapter (`guest-sdk/adapter/null.wat`), so the component imports nothing from WASI. It imports those powers of
/// the world that the module imports. Debug information is removed. Function names, which appear in the backtrace of a
/// trap, are kept if `keep_names` is set.
///
/// # Errors
/// Returns an error if the input is not a core module, does not fit the world, or imports something that neither the
/// world nor the adapter provides.
pub fn componentize(core: &[u8], world: World<'_>, keep_names: bool) -> Result<Vec<u8>> {
    if is_component(core) {
        bail!("it is a component already");
    }
    let mut module =
        filter_custom_sections(core, |name| name.starts_with(WORLD_SECTION) || (keep_names && name == "name"))?;
    let Asked { names_world, wasi } = Asked::by(&module)?;
    if !names_world {
        world.embed(&mut module)?;
    }
    if world.name == World::POLICY.name && !exports(core)?.iter().any(|name| name.starts_with(HOOK)) {
        bail!("it exports no hook: what the SDK exports must be part of it, and know your function");
    }
    let mut encoder = ComponentEncoder::default();
    encoder.validate(true).debug_names(keep_names).module(&module)?;
    if !wasi.is_empty() {
        let has = exports(NULL_ADAPTER)?;
        if let Some(unknown) = wasi.iter().find(|name| !has.contains(*name)) {
            bail!("it calls `{unknown}` of `{WASI}`, which a hook does not have: leave out what needs it");
        }
        encoder.adapter(WASI, &filter_custom_sections(NULL_ADAPTER, |_| false)?)?;
    }
    let component = encoder.encode().with_context(|| format!("it does not fit the world `{}`", world.name))?;
    filter_custom_sections(&component, |_| false)
}

/// Whether these bytes begin like a component. A core module begins differently.
pub fn is_component(bytes: &[u8]) -> bool {
    Parser::is_component(bytes)
}

/// What a core module asks for to become a component.
#[derive(Default)]
struct Asked {
    /// Whether the module names the world that it is made for.
    names_world: bool,
    /// The WASI functions that the module imports.
    wasi: Vec<String>,
}

impl Asked {
    fn by(module: &[u8]) -> Result<Self> {
        let mut asked = Asked::default();
        for payload in Parser::new(0).parse_all(module) {
            match payload? {
                Payload::CustomSection(section) => asked.names_world |= section.name().starts_with(WORLD_SECTION),
                Payload::ImportSection(imports) => {
                    for import in imports.into_imports() {
                        let import = import?;
                        if import.module == WASI {
                            asked.wasi.push(import.name.to_owned());
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(asked)
    }
}

/// Returns the names of the exports of a core module.
fn exports(core: &[u8]) -> Result<HashSet<String>> {
    let mut names = HashSet::new();
    for payload in Parser::new(0).parse_all(core) {
        if let Payload::ExportSection(exports) = payload? {
            for export in exports {
                names.insert(export?.name.to_owned());
            }
        }
    }
    Ok(names)
}

/// Copies a module or component without its unwanted custom sections. Nested modules and components stay unchanged.
fn filter_custom_sections(binary: &[u8], is_wanted: impl Fn(&str) -> bool) -> Result<Vec<u8>> {
    replace_sections(binary, |payload, contents| match payload {
        Payload::CustomSection(section) if !is_wanted(section.name()) => None,
        _ => Some(contents),
    })
}

/// Copies a module or component section by section. `choose` gets each section with its contents, and returns the
/// contents to write instead, or `None` to drop the section. Nested modules and components are part of their section.
///
/// # Errors
/// Returns an error if the input is not WebAssembly.
pub fn replace_sections<'a>(
    binary: &'a [u8],
    mut choose: impl FnMut(&Payload<'a>, &'a [u8]) -> Option<&'a [u8]>,
) -> Result<Vec<u8>> {
    let mut depth = 0;
    let mut made = Vec::with_capacity(binary.len());
    for payload in Parser::new(0).parse_all(binary) {
        let payload = payload.context("it is not WebAssembly")?;
        match &payload {
            Payload::Version { range, .. } => {
                depth += 1;
                if depth == 1 {
                    made.extend_from_slice(part(binary, range)?);
                }
            }
            Payload::End(_) => depth -= 1,
            _ if depth == 1 => {
                if let Some((id, range)) = payload.as_section()
                    && let Some(data) = choose(&payload, part(binary, &range)?)
                {
                    RawSection { id, data }.append_to(&mut made);
                }
            }
            _ => {}
        }
    }
    Ok(made)
}

fn part<'a>(binary: &'a [u8], range: &Range<u64>) -> Result<&'a [u8]> {
    let range = usize::try_from(range.start)?..usize::try_from(range.end)?;
    binary.get(range).context("it is not WebAssembly")
}
