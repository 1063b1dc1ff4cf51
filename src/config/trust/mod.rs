//! The user's trust in the hooks of a project. It covers a config as it stands and every file that the config names,
//! and ends when one of them changes.

mod files;
mod record;
mod store;

pub(super) use files::{named_by, possible_arguments};
pub use record::{Change, ChangeKind, TrustRecord};
pub use store::TrustStore;
