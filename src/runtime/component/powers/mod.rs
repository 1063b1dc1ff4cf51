//! The powers of components beyond WASI's own: one file each.

pub(super) mod files;
pub(super) mod log;
pub(super) mod net;
pub(super) mod store;

use net::Networks;
use store::Stores;

/// The state that the powers of all components of a process share.
#[derive(Default)]
pub(super) struct Powers {
    pub(super) stores: Stores,
    pub(super) networks: Networks,
}
