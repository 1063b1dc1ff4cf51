//! What a hook is, and the ways to run one.

pub mod component;
mod hook;
mod native;
mod refused;
pub mod shell;

pub use hook::{Hook, HookInfo, Matcher, Mode, OnError};
pub use native::NativeHook;
pub use refused::RefusedHook;
