//! What components can do besides computing, one grant at a time.

mod log;
mod net;
mod net_config;
mod order;
mod shared;
mod store;
