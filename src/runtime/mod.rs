//! Hooks, and the ways to run them.

mod caller;
pub mod component;
mod hook;
mod matcher;
mod native;
mod refused;
pub mod shell;
mod tool_name;

pub use crate::protocol::OnError;
pub use caller::{Caller, CallerLeft, Cancel};
pub use hook::{Hook, HookInfo, Mode};
pub use matcher::{Matcher, MatcherError};
pub use native::NativeHook;
pub use refused::RefusedHook;
pub(crate) use tool_name::ToolName;
