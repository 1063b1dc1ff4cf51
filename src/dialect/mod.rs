//! The configs, payloads and answers of other hook systems. Each system has a folder with the same files.
//!
//! `config` reads the system's config. `payload` turns its payloads into Inputs and back, and `answer` its answers into
//! Actions and back. `outcome` produces what the system itself would report.

mod component;
mod convert;
pub mod docker_agent;
mod go;
mod guest;
pub mod hygge;
#[cfg(feature = "model")]
mod judge;
mod names;
pub mod ok;
mod payload;
mod toml_text;
pub mod ub;
mod yaml;

use crate::config::{Dialect, HookboxDialect, Places};
#[cfg(feature = "model")]
use crate::config::{ModelEntry, ModelPlace};
#[cfg(feature = "model")]
use crate::protocol::Failure;
use crate::protocol::{Event, Source};
use crate::runtime::shell::Codec;
use crate::runtime::{Hook, HookInfo};
use std::path::PathBuf;
use std::sync::Arc;

pub use convert::{Converted, convert};
#[doc(hidden)]
pub use toml_text::string as toml_string;

/// Whether a dialect allows everything that its system allows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strictness {
    /// The system's own verdicts, even where it fails open.
    #[default]
    Faithful,
    /// A deny where the system would fail open.
    Strict,
}

impl Strictness {
    pub(crate) const fn is_strict(self) -> bool {
        matches!(self, Strictness::Strict)
    }
}

/// Whether a hook printed what looks like a JSON answer, for a system that reads none.
pub(crate) fn looks_like_answer(stdout: &str) -> bool {
    stdout.trim_start_matches('\u{feff}').trim_start().starts_with('{')
}

/// Why an unread JSON answer denies under [`Strictness::Strict`].
pub(crate) const UNREAD_ANSWER: &str =
    "printed a JSON answer, which this system does not read: it goes by the exit status";

/// The largest config file of another system, in bytes. The systems have no limit, so no real file should reach this
/// one.
pub(crate) const MAX_CONFIG_BYTES: u64 = 4 << 20;

/// Options for making a dialect.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Options {
    /// Whether the dialect allows everything that its system allows.
    pub strictness: Strictness,
    /// The agent to use from a file that has several.
    pub agent: Option<String>,
    /// Commands to run as further hooks, after those of the config. Only docker-agent has such hooks.
    pub hooks: Vec<(Event, String)>,
    /// Whether hooks that ask a model do so over HTTP, with the keys of the environment. Otherwise they fail, unless
    /// the program has set a client of its own. Only docker-agent has such hooks.
    pub asks_models: bool,
}

impl Options {
    /// Sets whether the dialect allows everything that its system allows.
    #[must_use]
    pub fn with_strictness(self, strictness: Strictness) -> Self {
        Options { strictness, ..self }
    }

    /// Adds commands to run as further hooks, after those of the config. Only docker-agent has such hooks.
    #[must_use]
    pub fn with_hooks(self, hooks: Vec<(Event, String)>) -> Self {
        Options { hooks, ..self }
    }

    /// Sets whether hooks that ask a model do so over HTTP, with the keys of the environment.
    #[must_use]
    pub fn with_models(self, asks_models: bool) -> Self {
        Options { asks_models, ..self }
    }

    /// Sets the agent to use from a file that has several.
    #[must_use]
    pub fn with_agent(self, agent: Option<String>) -> Self {
        Options { agent, ..self }
    }
}

/// Defines `NAMES` and `by_name` from one line per dialect: its name on the command line, and what makes it.
macro_rules! dialects {
    ($($name:literal => $make:expr,)+) => {
        /// The names of the dialects.
        pub const NAMES: &[&str] = &[$($name),+];

        /// Returns the dialect with this name.
        #[must_use]
        pub fn by_name(name: &str, options: &Options) -> Option<Arc<dyn Dialect>> {
            match name {
                $($name => {
                    let make: fn(&Options) -> Arc<dyn Dialect> = $make;
                    Some(make(options))
                })+
                _ => None,
            }
        }
    };
}

dialects! {
    "docker-agent" => |options| Arc::new(docker_agent::DockerAgent::new(docker_agent::Generation::V1_58, options)),
    "docker-agent-v3" => |options| Arc::new(docker_agent::DockerAgent::new(docker_agent::Generation::V3, options)),
    "docker-agent-v1" => |options| Arc::new(docker_agent::DockerAgent::new(docker_agent::Generation::First, options)),
    "hygge" => |options| Arc::new(hygge::Hygge::new(options.strictness)),
    "ok" => |options| Arc::new(ok::OkDialect::new(options.strictness)),
    "ub" => |options| Arc::new(ub::Ub::new(options.strictness)),
}

/// Returns the codec for a system's shell hooks in a chain of hookbox's own, given the name of the system's dialect.
#[must_use]
pub fn codec(name: &str) -> Option<Arc<dyn Codec>> {
    Some(Arc::new(guest::GuestCodec(by_name(name, &Options::default())?)))
}

/// Makes a hook of hookbox's own config from a builtin of a hook system.
///
/// # Errors
/// Returns an error if there is no such builtin, or if it has nothing to do on one of the hook's events.
pub fn builtin(name: &str, args: Vec<String>, info: HookInfo) -> Result<Arc<dyn Hook>, String> {
    docker_agent::own_hook(name, args, info)
}

/// Makes a hook of hookbox's own config that asks a model over HTTP.
///
/// # Errors
/// Returns an error if the model, its prompt or an event does not fit, or if its key cannot be used.
#[cfg(feature = "model")]
pub fn model(entry: ModelEntry, info: HookInfo, place: ModelPlace) -> Result<Arc<dyn Hook>, Failure> {
    judge::hook(entry, info, place)
}

/// Returns the directories where the user configures hooks for any of these systems, and chooses the projects that run
/// them.
///
/// They are meant for [`Loader::user_dirs`](crate::config::Loader::user_dirs).
#[must_use]
pub fn user_dirs(places: &Places<'_>) -> Vec<PathBuf> {
    let dialects = NAMES.iter().filter_map(|name| Some((name, by_name(name, &Options::default())?)));
    let layers = dialects.flat_map(|(name, dialect)| dialect.layers(&Places { app: name, ..*places }));
    let users = layers.filter(|layer| layer.source != Source::PROJECT);
    users.filter_map(|layer| Some(layer.path.parent()?.to_owned())).collect()
}

/// Returns an app's dialect, given the app's name. An app without its own dialect gets hookbox's.
#[must_use]
pub fn of_app(app: &str) -> Arc<dyn Dialect> {
    match app {
        "hygge" => Arc::new(hygge::Hygge::default()),
        _ => Arc::new(HookboxDialect),
    }
}
