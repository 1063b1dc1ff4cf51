//! The console: messages for the operator.

use hookbox_sdk::log::Level;

/// Logs a message at the level of the console method with this name.
pub(super) fn log(method: String, message: String) {
    if !super::given().log {
        return;
    }
    let level = match method.as_str() {
        "trace" => Level::Trace,
        "debug" => Level::Debug,
        "warn" => Level::Warn,
        "error" => Level::Error,
        _ => Level::Info,
    };
    hookbox_sdk::log::log(level, "", &message);
}
