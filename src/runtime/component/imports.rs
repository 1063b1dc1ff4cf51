//! The interfaces that a component may import, and the grant that each of them needs.

use super::grants::Grants;
#[cfg(feature = "net")]
use super::powers::net;
#[cfg(feature = "store")]
use super::powers::store::{ATOMICS, BATCH, STORE};
use super::powers::{files, log};
use super::state::State;
use crate::protocol::{Code, Failure};
use std::collections::BTreeSet;
use wasmtime::Engine;
use wasmtime::component::types::ComponentItem;
use wasmtime::component::{Component, HasData, Linker, ResourceTable, ResourceType};
use wasmtime_wasi::WasiView;
use wasmtime_wasi::cli::{WasiCli, WasiCliView};
use wasmtime_wasi::clocks::{WasiClocks, WasiClocksView};
use wasmtime_wasi::p2::bindings::{cli, clocks, random};
use wasmtime_wasi::random::{WasiRandom, WasiRandomView};
use wasmtime_wasi_io::bindings::wasi::io;

/// The grant that a component needs for an interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Needs {
    /// No grant: the interface itself gives no power. Without grants there are no variables or directories, stdin is
    /// closed, stdout and stderr go to the log, and the random seed is constant.
    Nothing,
    Clocks,
    Random,
    #[cfg_attr(not(feature = "store"), expect(dead_code, reason = "there is none"))]
    Store,
    #[cfg_attr(not(feature = "net"), expect(dead_code, reason = "there is none"))]
    Net,
    /// A power that hookbox knows but does not offer yet.
    NotOffered(&'static str),
    /// An interface that hookbox does not know.
    Unknown,
}

impl Needs {
    pub(super) fn is_met(self, grants: &Grants) -> bool {
        match self {
            Needs::Nothing => true,
            Needs::Clocks => grants.clocks,
            Needs::Random => grants.random,
            Needs::Store => grants.store.is_some(),
            Needs::Net => grants.net.is_some(),
            Needs::NotOffered(_) | Needs::Unknown => false,
        }
    }

    /// Returns what would make the import possible, phrased to follow its name.
    pub(super) fn remedy(self) -> String {
        match self {
            Needs::Nothing => "needs no grant".to_owned(),
            Needs::Clocks | Needs::Random | Needs::Store | Needs::Net => {
                let (key, value) = (self.grant().unwrap_or_default(), self.sample());
                let instead = if matches!(self, Needs::Clocks) { ", or read the time from `Input.now`" } else { "" };
                format!("grant it with `grants.{key} = {value}`{instead}")
            }
            Needs::NotOffered(power) => format!("{power} cannot be granted in this version"),
            Needs::Unknown => "no grant offers it".to_owned(),
        }
    }

    /// Returns the key under `grants` that grants the interface.
    pub(super) const fn grant(self) -> Option<&'static str> {
        match self {
            Needs::Clocks => Some("clocks"),
            Needs::Random => Some("random"),
            Needs::Store => Some("store"),
            Needs::Net => Some("net"),
            Needs::Nothing | Needs::NotOffered(_) | Needs::Unknown => None,
        }
    }

    /// Returns the smallest grant, as TOML, for a person to adapt.
    pub(super) const fn sample(self) -> &'static str {
        match self {
            Needs::Store => r#"{ scope = "session" }"#,
            Needs::Net => r#"[{ url = "https://api.example.com/v1/" }]"#,
            _ => "true",
        }
    }

    pub(super) const fn is_offered(self) -> bool {
        !matches!(self, Needs::NotOffered(_) | Needs::Unknown)
    }
}

type Link = fn(&mut Linker<State>) -> wasmtime::Result<()>;

struct Io;

impl HasData for Io {
    type Data<'a> = &'a mut ResourceTable;
}

fn table(state: &mut State) -> &mut ResourceTable {
    state.ctx().table
}

/// Every interface that can be linked, in any version 0.2 or in the version that it is listed with. Drafts are not
/// compatible with each other. No grant makes any other interface reachable.
const INTERFACES: &[(&str, Needs, Link)] = &[
    ("wasi:io/error", Needs::Nothing, |l| io::error::add_to_linker::<_, Io>(l, table)),
    ("wasi:io/poll", Needs::Nothing, |l| io::poll::add_to_linker::<_, Io>(l, table)),
    ("wasi:io/streams", Needs::Nothing, |l| io::streams::add_to_linker::<_, Io>(l, table)),
    ("wasi:cli/environment", Needs::Nothing, |l| cli::environment::add_to_linker::<_, WasiCli>(l, State::cli)),
    ("wasi:cli/exit", Needs::Nothing, |l| cli::exit::add_to_linker::<_, WasiCli>(l, State::cli)),
    ("wasi:cli/stdin", Needs::Nothing, |l| cli::stdin::add_to_linker::<_, WasiCli>(l, State::cli)),
    ("wasi:cli/stdout", Needs::Nothing, |l| cli::stdout::add_to_linker::<_, WasiCli>(l, State::cli)),
    ("wasi:cli/stderr", Needs::Nothing, |l| cli::stderr::add_to_linker::<_, WasiCli>(l, State::cli)),
    ("wasi:cli/terminal-input", Needs::Nothing, |l| cli::terminal_input::add_to_linker::<_, WasiCli>(l, State::cli)),
    ("wasi:cli/terminal-output", Needs::Nothing, |l| cli::terminal_output::add_to_linker::<_, WasiCli>(l, State::cli)),
    ("wasi:cli/terminal-stdin", Needs::Nothing, |l| cli::terminal_stdin::add_to_linker::<_, WasiCli>(l, State::cli)),
    ("wasi:cli/terminal-stdout", Needs::Nothing, |l| cli::terminal_stdout::add_to_linker::<_, WasiCli>(l, State::cli)),
    ("wasi:cli/terminal-stderr", Needs::Nothing, |l| cli::terminal_stderr::add_to_linker::<_, WasiCli>(l, State::cli)),
    ("wasi:filesystem/types", Needs::Nothing, files::link_types),
    ("wasi:filesystem/preopens", Needs::Nothing, files::link_preopens),
    ("wasi:random/insecure-seed", Needs::Nothing, |l| {
        random::insecure_seed::add_to_linker::<_, WasiRandom>(l, <State as WasiRandomView>::random)
    }),
    ("wasi:random/insecure", Needs::Random, |l| {
        random::insecure::add_to_linker::<_, WasiRandom>(l, <State as WasiRandomView>::random)
    }),
    ("wasi:random/random", Needs::Random, |l| {
        random::random::add_to_linker::<_, WasiRandom>(l, <State as WasiRandomView>::random)
    }),
    ("wasi:clocks/monotonic-clock", Needs::Clocks, |l| {
        clocks::monotonic_clock::add_to_linker::<_, WasiClocks>(l, State::clocks)
    }),
    ("wasi:clocks/wall-clock", Needs::Clocks, |l| clocks::wall_clock::add_to_linker::<_, WasiClocks>(l, State::clocks)),
    ("wasi:logging/logging@0.1.0-draft", Needs::Nothing, log::link),
    ("hookbox:log/logging@0.1.0", Needs::Nothing, log::link_own),
    #[cfg(feature = "store")]
    ("wasi:keyvalue/store@0.2.0-draft2", Needs::Store, STORE[0]),
    #[cfg(feature = "store")]
    ("wasi:keyvalue/atomics@0.2.0-draft2", Needs::Store, ATOMICS[0]),
    #[cfg(feature = "store")]
    ("wasi:keyvalue/batch@0.2.0-draft2", Needs::Store, BATCH[0]),
    #[cfg(feature = "store")]
    ("hookbox:store/store@0.1.0", Needs::Store, STORE[1]),
    #[cfg(feature = "store")]
    ("hookbox:store/atomics@0.1.0", Needs::Store, ATOMICS[1]),
    #[cfg(feature = "store")]
    ("hookbox:store/batch@0.1.0", Needs::Store, BATCH[1]),
    #[cfg(feature = "net")]
    ("wasi:http/types", Needs::Net, net::link_types),
    #[cfg(feature = "net")]
    ("wasi:http/outgoing-handler", Needs::Net, net::link_handler),
    #[cfg(feature = "net")]
    ("hookbox:http/fetch@0.1.0", Needs::Net, net::link_fetch),
];

/// Powers that hookbox does not offer but users will ask for, so that refusals can name them.
const NOT_OFFERED: &[(&str, &str)] = &[
    ("wasi:sockets/", "the network"),
    ("wasi:http/", "the network"),
    ("wasi:config/", "a config store"),
    ("wasi:keyvalue/", "a key-value store"),
    ("wasi:logging/", "logging"),
];

/// One import of a component.
pub(super) struct Import {
    /// The interface's name, including the version.
    pub(super) name: String,
    pub(super) needs: Needs,
    link: Option<(&'static str, Link)>,
}

impl Import {
    fn new(name: &str, has_functions: bool) -> Self {
        let (interface, version) = name.split_once('@').unwrap_or((name, ""));
        let fits = |known: &str| known == name || (known == interface && version.starts_with("0.2."));
        let known = INTERFACES.iter().find(|(known, ..)| fits(known));
        let (needs, link) = match known {
            // Interfaces import each other just for their types, which give no power without functions.
            Some((known, needs, link)) if has_functions => (*needs, Some((*known, *link))),
            Some((known, _, link)) => (Needs::Nothing, Some((*known, *link))),
            None => {
                let power = NOT_OFFERED.iter().find(|(prefix, _)| interface.starts_with(prefix));
                (power.map_or(Needs::Unknown, |(_, power)| Needs::NotOffered(power)), None)
            }
        };
        Import { name: name.to_owned(), needs, link }
    }
}

/// Returns the imports of a component, in its own order.
pub(super) fn list(component: &Component, engine: &Engine) -> Vec<Import> {
    component
        .component_type()
        .imports(engine)
        .map(|(name, item)| {
            let has_functions = match &item.ty {
                ComponentItem::ComponentInstance(instance) => {
                    instance.exports(engine).any(|(_, export)| matches!(export.ty, ComponentItem::ComponentFunc(_)))
                }
                _ => true,
            };
            Import::new(name, has_functions)
        })
        .collect()
}

/// The imports of a component that must be granted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Imports {
    /// All of them.
    All,
    /// None: a call of a function that is not granted traps. This is for the script runner, which is the same component
    /// for all scripts.
    Granted,
}

/// Creates a linker with those imports of the component that are granted.
///
/// # Errors
/// Returns a failure if an import must be granted and is not. The message names the import and what would grant it.
pub(super) fn link(
    component: &Component,
    engine: &Engine,
    grants: &Grants,
    imports: Imports,
) -> Result<Linker<State>, Failure> {
    let failed = |error| Failure::new(Code::Internal, format!("could not be linked: {error:#}"));
    let mut linker = Linker::new(engine);
    let mut linked = BTreeSet::new();
    for import in list(component, engine) {
        let Some((interface, link)) = import.link.filter(|_| import.needs.is_met(grants)) else {
            if imports == Imports::Granted {
                link_traps(&mut linker, component, engine, &import.name).map_err(failed)?;
                continue;
            }
            return Err(Failure::new(
                Code::Import,
                format!("imports `{}`, which it is not granted: {}", import.name, import.needs.remedy()),
            ));
        };
        // A component may import two versions of an interface. Linking the newest serves both.
        if linked.insert(interface) {
            link(&mut linker).map_err(failed)?;
        }
    }
    Ok(linker)
}

/// Links an interface whose functions trap.
fn link_traps(linker: &mut Linker<State>, component: &Component, engine: &Engine, name: &str) -> wasmtime::Result<()> {
    let ty = component.component_type();
    let Some(ComponentItem::ComponentInstance(interface)) = ty.get_import(engine, name).map(|import| import.ty) else {
        return Ok(());
    };
    let mut instance = linker.instance(name)?;
    for (name, item) in interface.exports(engine) {
        match item.ty {
            ComponentItem::ComponentFunc(_) => {
                instance.func_new(name, |_, _, _, _| Err(wasmtime::Error::msg("called what it is not granted")))?;
            }
            // Interfaces that share a resource need the same grant, so either all of them are linked here or none is.
            ComponentItem::Resource(_) => instance.resource(name, ResourceType::host::<()>(), |_, _| Ok(()))?,
            _ => {}
        }
    }
    Ok(())
}
