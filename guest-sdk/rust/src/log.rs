//! Messages for the operator, who reads them with `hookbox -v`. Logging needs no grant.
//!
//! The engine keeps 256 messages of a call, each of at most 4 KiB and 64 KiB in all, and only counts the rest. On
//! targets other than WebAssembly, messages are dropped.
//!
//! ```
//! use hookbox_sdk::log;
//!
//! log::info("the registry was not asked: the package is in the lock file");
//! ```

/// How much a message matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Values and the flow of control.
    Trace,
    /// Details that help to find a mistake in the hook.
    Debug,
    /// What happens in normal operation.
    Info,
    /// Something that may lead to trouble.
    Warn,
    /// Something that failed.
    Error,
    /// Something after which the hook cannot go on.
    Critical,
}

/// Logs a message. `context` says which part of the hook the message comes from, and may be empty.
pub fn log(level: Level, context: &str, message: &str) {
    #[cfg(target_family = "wasm")]
    crate::powers::log(level, context, message);
    #[cfg(not(target_family = "wasm"))]
    let _ = (level, context, message);
}

/// Logs values and the flow of control.
pub fn trace(message: impl AsRef<str>) {
    log(Level::Trace, "", message.as_ref());
}

/// Logs details that help to find a mistake in the hook.
pub fn debug(message: impl AsRef<str>) {
    log(Level::Debug, "", message.as_ref());
}

/// Logs what happens in normal operation.
pub fn info(message: impl AsRef<str>) {
    log(Level::Info, "", message.as_ref());
}

/// Logs something that may lead to trouble.
pub fn warn(message: impl AsRef<str>) {
    log(Level::Warn, "", message.as_ref());
}

/// Logs something that failed.
pub fn error(message: impl AsRef<str>) {
    log(Level::Error, "", message.as_ref());
}

/// Logs something after which the hook cannot go on.
pub fn critical(message: impl AsRef<str>) {
    log(Level::Critical, "", message.as_ref());
}
