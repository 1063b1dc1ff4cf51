//! The user's word that the hooks of a project may run. It is given for a config as it stands, with every file that
//! the config names, and ends when one of them changes.

mod files;
mod record;
mod store;

pub(super) use files::named_by;
pub use record::{Change, ChangeKind, TrustRecord};
pub use store::TrustStore;
