//! The code that the policies of hookbox share.
//!
//! A policy examines the [facts](hookbox_sdk::Tool) of a tool call, collects [`Findings`], and turns them into an
//! Action with [`Findings::action`], which applies the settings that all policies share.

mod command;
mod findings;
mod glob;
mod names;
pub mod network;
mod node;
mod options;
mod possible;
mod powershell;
mod runner;
mod settings;
mod setup;
pub mod sql;
mod unknown;
mod unlisted;
mod unread;
mod word;

pub use command::Command;
pub use findings::Findings;
pub use glob::Glob;
pub use names::{Index, Names};
pub use node::Node;
pub use options::{Opt, Options, options, options_but, options_with_one_dash};
pub use possible::with_possible;
pub use powershell::only_local;
pub use runner::{Program, code_at, module_at, program};
pub use settings::{Common, Mode, Unknown};
pub use setup::{only_cmdlets, only_sets_up};
pub use unknown::{all_unknown_but_paths, unknown_but_paths};
pub use unlisted::{attached, is_value_of, unlisted_words, words_before_run};
pub use unread::unread_paths;
pub use word::{GLOB, UNKNOWN, Word};
