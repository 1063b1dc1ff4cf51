//! A hook engine for AI agents whose hooks are sandboxed WebAssembly components.
//!
//! An agent stops at fixed points (before a tool call, after it, before a message, ...) and asks: may this happen, and
//! in this form? A chain of hooks gives the answer. A hook is a component in a sandbox that can only compute, a shell
//! command, or a Rust type of the embedding program.

#![cfg_attr(
    not(all(feature = "dialects", feature = "reload")),
    allow(dead_code, unused_imports, reason = "parts of the lower floors that only dialects and reloads use")
)]

pub mod agent;
pub mod chain;
pub mod config;
#[cfg(feature = "dialects")]
pub mod dialect;
pub mod facts;
mod host;
pub mod policy;
mod private_dir;
mod protocol;
pub mod record;
mod registry;
pub mod runtime;

pub use host::{Host, HostError, UserPlaces};
pub use protocol::*;
pub use registry::{Blocking, Observer, RegisterError, Registry, Run};
pub use runtime::{Caller, Hook, HookInfo, Matcher, Mode, NativeHook};

/// Items that hookbox's own command line shares with the library. Not part of the API; it may change without notice.
#[doc(hidden)]
pub mod internal {
    pub use crate::config::{IGNORE, Owner, clean_path, owner, suggest, toml_to_json};
    #[cfg(feature = "dialects")]
    pub use crate::dialect::toml_string;
    pub use crate::private_dir::PrivateDir;
    use crate::protocol::Json;
    pub use crate::protocol::{Member, ObjectWriter, object};
    use serde_json::value::RawValue;

    /// Returns the members of an object, or `None` if the value is not an object.
    #[must_use]
    pub fn members(json: &Json) -> Option<Vec<Member<'_>>> {
        json.members()
    }

    /// Wraps a value from a text that [`object`] has checked.
    #[must_use]
    pub fn value(raw: &RawValue) -> Json {
        Json::checked(raw)
    }
}

/// An item for the documentation test that compiles the example of how to embed the engine.
#[cfg(doctest)]
#[doc = include_str!("../docs/how-to/embed.md")]
struct Embedding;
