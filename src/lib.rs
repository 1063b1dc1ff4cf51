//! A hook engine for AI agents whose hooks are sandboxed WebAssembly components.
//!
//! An agent stops at fixed points (before a tool call, after it, before a message, ...) and asks: may this happen, and
//! in this form? A chain of hooks gives the answer. A hook is a component in a sandbox that can only compute, a shell
//! command, or a Rust type of the embedding program.
//!
//! [`Host`] loads the hooks of the user and of the project, as `hookbox run` does:
//!
//! ```no_run
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! use hookbox::{Host, Input, Verdict};
//!
//! let hooks = Host::new(std::env::current_dir()?, std::env::vars_os()).load()?;
//! let outcome = hooks.run(Input::pre_tool("bash", r#"{"command":"ls"}"#)?).await;
//! let reason = outcome.reason.as_deref().unwrap_or_default();
//! match (outcome.verdict, &outcome.input) {
//!     // In this form, because the hooks may have changed the call.
//!     (Verdict::Allow, Some(input)) => println!("run {:?}", input.tool_input),
//!     (Verdict::Ask, Some(input)) => println!("ask the user to run {:?}: {reason}", input.tool_input),
//!     _ => println!("do not run it, and tell the model: {reason}"),
//! }
//! hooks.registry.close().await;
//! # Ok(()) }
//! ```
//!
//! A program that compiles components must call `runtime::component::serve_if_asked` at the start of its `main`.
//! Without config, use a [`Registry`] with hooks of your own, such as a [`NativeHook`]; without a Tokio runtime, use
//! [`Blocking`].
//!
//! # Errors
//!
//! A hook that fails is not an error: the [`Outcome`] says what its failure counts as, which is a deny by default.
//! Errors are for what keeps hooks from being asked. An event without an Outcome must not go on.
//!
//! # Threads, time and cancellation
//!
//! A [`Registry`] can be shared between threads, and any number of events may run at the same time. A component
//! computes on the thread that polls the event, and lets other tasks run once a millisecond. Each hook has a time
//! limit. [`Registry::run_for`] adds a deadline for the whole event, or a way to [cancel](runtime::Cancel) it: hooks
//! that have not answered by then have failed. Dropping a [`Run`] ends what its hooks have started, and there is no
//! Outcome.

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
