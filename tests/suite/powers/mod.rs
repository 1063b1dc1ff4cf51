//! What components can do beside computing, one grant at a time.

mod log;
mod net;
mod store;
