//! Write hooks for AI agents as sandboxed WebAssembly components, which hookbox runs.
//!
//! A hook is one function: it reads what the agent is about to do and decides whether that is allowed.
//!
//! ```
//! use hookbox_sdk::{Action, Error, Input, ToolKind, hook};
//!
//! hook!(judge);
//!
//! fn judge(input: &Input) -> Result<Action, Error> {
//!     let tool = input.facts()?;
//!     let commands = tool.commands.as_deref().unwrap_or_default();
//!     match commands.iter().find(|command| command.name.as_deref() == Some("terraform")) {
//!         Some(command) if command.is_certain() => Ok(Action::deny("only CI runs terraform")),
//!         Some(_) => Ok(Action::ask("does this run terraform?")),
//!         // Without `facts = ["commands"]` in hooks.toml, it is not known what a shell runs.
//!         None if tool.complete && (tool.kind != ToolKind::Shell || tool.commands.is_some()) => Ok(Action::allow()),
//!         None => Ok(Action::ask("it is not known what this runs")),
//!     }
//! }
//! ```
//!
//! Test it like any function, with `cargo test`:
//!
//! ```
//! # use hookbox_sdk::{Action, Error, Input};
//! # fn judge(input: &Input) -> Result<Action, Error> {
//! #     let tool = input.facts()?;
//! #     let commands = tool.commands.as_deref().unwrap_or_default();
//! #     match commands.iter().find(|command| command.name.as_deref() == Some("terraform")) {
//! #         Some(command) if command.is_certain() => Ok(Action::deny("only CI runs terraform")),
//! #         Some(_) => Ok(Action::ask("does this run terraform?")),
//! #         // Without `facts = ["commands"]` in hooks.toml, it is not known what a shell runs.
//! #         None if tool.complete && (tool.kind != ToolKind::Shell || tool.commands.is_some()) => Ok(Action::allow()),
//! #         None => Ok(Action::ask("it is not known what this runs")),
//! #     }
//! # }
//! use hookbox_sdk::{Event, ShellCommand, Tool, ToolKind};
//!
//! let mut command = ShellCommand::default();
//! command.name = Some("terraform".to_owned());
//! let mut tool = Tool::new(ToolKind::Shell);
//! tool.commands = Some(vec![command]);
//! let input = Input::new(Event::PreTool).with_facts(&tool);
//! assert!(judge(&input).unwrap().is_deny());
//! ```
//!
//! # Settings
//!
//! The operator's settings arrive in a type that you define. Give each setting a default, and reject unknown ones, so a
//! misspelt setting does not go unnoticed:
//!
//! ```
//! use hookbox_sdk::{Action, Input, answer, hook};
//! use serde::Deserialize;
//!
//! #[derive(Deserialize)]
//! #[serde(default, deny_unknown_fields)]
//! struct Settings {
//!     tools: Vec<String>,
//! }
//!
//! impl Default for Settings {
//!     fn default() -> Self {
//!         Settings { tools: vec!["deploy".to_owned()] }
//!     }
//! }
//!
//! hook!(judge);
//!
//! fn judge(input: &Input<Settings>) -> Action {
//!     match &input.tool_name {
//!         Some(tool) if input.settings.tools.contains(tool) => Action::ask(format!("may `{tool}` run?")),
//!         _ => Action::allow(),
//!     }
//! }
//!
//! let error = answer(judge, r#"{"event":"pre_tool","settings":{"tolls":[]}}"#).unwrap_err();
//! assert_eq!(error, "the hook's `settings` cannot be used: unknown field `tolls`, expected `tools`");
//! ```
//!
//! # Failing
//!
//! Anything that cannot be read exactly is an error, never an allow. An `Err` becomes the engine's `E108` with your
//! message, a panic its `E103`; both deny on gating events, unless the operator chose otherwise. So read what you need
//! with `?`, and do not turn an error into a default.
//!
//! # Building
//!
//! ```toml
//! # Cargo.toml
//! [lib]
//! crate-type = ["cdylib", "rlib"]
//!
//! [profile.release]
//! lto = true
//! codegen-units = 1
//! panic = "abort"
//! strip = true
//! ```
//!
//! ```toml
//! # .cargo/config.toml
//! [target.wasm32-unknown-unknown]
//! # Makes a plain build write a finished component instead of a core module.
//! linker = "wasm-component-ld"
//! # A small stack leaves less to clear between two calls; give a hook that parses shell commands 256 KiB (262144).
//! rustflags = ["-Clink-arg=-zstack-size=65536", "-Ctarget-feature=+simd128"]
//! ```
//!
//! `cargo build --release --target wasm32-unknown-unknown` then writes a component without imports, which can do
//! nothing but compute. It has no clock and no files: the time is in [`Input::now`]. To use files, environment
//! variables or clocks that an operator grants, build for `wasm32-wasip2`.
//!
//! # Features
//!
//! * `bump` (default): an allocator for an instance that lives for one call. It only reclaims the most recent
//!   allocation, so a hook that keeps allocating reaches its memory limit earlier. Only on `wasm32-unknown-unknown`.
//! * `shell`: module `shell`, which splits a shell command into all the commands that it would run.
//! * `log`, `store`, `http`: the modules with these names, with which a hook can do more than judge its Input. An
//!   operator must grant `store`, and `net` for requests, to the component that uses them.

mod action;
mod answer;
mod error;
mod event;
mod facts;
#[cfg(feature = "http")]
pub mod http;
mod input;
mod json;
#[cfg(feature = "log")]
pub mod log;
#[cfg(any(feature = "log", feature = "store", feature = "http"))]
mod powers;
mod read;
mod read_word;
#[cfg(feature = "shell")]
pub mod shell;
mod shell_command;
#[cfg(feature = "store")]
pub mod store;
mod tool_command;
#[cfg(target_family = "wasm")]
#[doc(hidden)]
pub mod wasm;

pub use action::{Action, Decision, Permission};
#[doc(hidden)]
pub use answer::answer_kept;
pub use answer::{IntoAnswer, answer, run_as_shell_hook};
pub use error::Error;
pub use event::Event;
pub use facts::{Access, Place, Tool, ToolKind, ToolPath, ToolShell};
pub use input::{Input, NoSettings, ToolResult};
pub use json::Json;
pub use serde_json::{self, json};
pub use shell_command::{ShellAssignment, ShellCommand, ShellFile, ShellPart, ShellRedirect, ShellWord};
pub use tool_command::{CommandLine, ToolCommand};

/// Exports a function as the hook: `hook!(judge);`, once per crate.
///
/// The function takes an [`&Input<Settings>`](Input) and returns an [`Action`] or a `Result` of one. On targets other
/// than WebAssembly, the macro only checks these types.
#[macro_export]
macro_rules! hook {
    ($judge:path) => {
        const _: () = {
            fn answer(input: &'static str) -> ::core::result::Result<::std::string::String, ::std::string::String> {
                $crate::answer_kept($judge, input)
            }

            const _: fn(&'static str) -> ::core::result::Result<::std::string::String, ::std::string::String> = answer;

            $crate::__export!(answer);
        };
    };
}

#[doc(hidden)]
#[cfg(not(target_family = "wasm"))]
#[macro_export]
macro_rules! __export {
    ($answer:ident) => {};
}
