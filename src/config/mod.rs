//! `hooks.toml`: where it is, what it says, and the hooks that come of it.

mod assemble;
mod build;
mod dialect;
mod discovery;
mod duration;
mod entry;
mod fields;
mod file;
mod loader;
mod own;
mod problem;
mod review;
mod safety;
mod standing;
mod summary;
mod trust;

#[cfg(feature = "cli")]
pub(crate) use build::{Builder, Built};
pub use dialect::{Dialect, Host, Own, Places, Reply, WhenBroken};
pub(crate) use discovery::project_files;
pub use discovery::{Layer, discover};
pub use duration::{format_duration, parse_duration};
pub use entry::{ComponentEntry, Entry, NativeEntry, Reading, ShellEntry, What};
pub(crate) use fields::suggest;
pub use file::{ConfigFile, MAX_CONFIG_BYTES, ReadRules, Unreadable};
pub use loader::{Loaded, Loader};
#[cfg(feature = "cli")]
pub(crate) use own::toml_to_json;
pub(crate) use own::{COMPONENT_TIMEOUT, SHELL_MAX_TIMEOUT, SHELL_TIMEOUT, read_entry as read_own_entry};
pub use problem::{Location, Problem, Severity};
pub use review::{Before, Review};
pub use summary::Summary;
pub use trust::{Change, ChangeKind, TrustRecord, TrustStore};
