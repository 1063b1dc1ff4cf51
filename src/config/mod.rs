//! `hooks.toml`: finding it, reading it, and building its hooks.

mod assemble;
mod build;
mod dialect;
mod discovery;
mod duration;
mod entry;
mod fields;
mod file;
mod hooks_toml;
mod late;
mod load;
mod loaded;
mod loader;
mod missing;
mod model;
mod previous;
mod problem;
#[cfg(feature = "reload")]
mod reload;
mod reserved;
mod review;
mod safety;
#[cfg(feature = "reload")]
mod stamp;
mod summary;
mod trust;
mod trust_status;
mod walk;

pub use dialect::{Dialect, HookboxDialect, HostEnv, Places, Reply, TrustedProjects, WhenBroken};
pub(crate) use discovery::project_files;
pub use discovery::{Layer, discover};
pub use duration::{format_duration, parse_duration};
pub use entry::{BuiltinEntry, ComponentEntry, Entry, HookTarget, NativeEntry, Reading, Sandboxed, ShellEntry};
pub(crate) use fields::kind_of;
#[doc(hidden)]
pub use fields::suggest;
pub use file::{ConfigFile, MAX_CONFIG_BYTES, ReadRules, Unreadable};
pub(crate) use hooks_toml::{
    COMPONENT_TIMEOUT, MODEL_TIMEOUT, SHELL_MAX_TIMEOUT, SHELL_TIMEOUT, read_entry as read_hookbox_entry,
};
#[doc(hidden)]
pub use hooks_toml::{IGNORE, Owner, owner, toml_to_json};
pub use loaded::Loaded;
pub use loader::{Builtins, Codecs, Loader, Models, UserDirs};
pub use model::{Budget, ModelDefinition, ModelEntry, ModelPlace, ModelSchema};
pub use problem::{Location, Problem, Severity};
#[cfg(feature = "reload")]
pub use reload::{Reload, Reloaded};
pub use review::{Before, Review};
#[doc(hidden)]
pub use safety::clean_path;
pub use summary::{PolicySummary, Summary};
pub use trust::{Change, ChangeKind, TrustRecord, TrustStore};
