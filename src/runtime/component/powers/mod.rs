//! The powers of components beyond WASI's own: one file each.

pub(super) mod log;
pub(super) mod store;
