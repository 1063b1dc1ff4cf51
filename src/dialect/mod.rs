//! How other hook systems spell config, payloads and answers.

mod hygge;

use crate::config::{Dialect, Native};
use std::sync::Arc;

pub use hygge::Hygge;

/// The dialect of an app, by its name. An app without one of its own has hookbox's.
#[must_use]
pub fn of_app(app: &str) -> Arc<dyn Dialect> {
    match app {
        "hygge" => Arc::new(Hygge),
        _ => Arc::new(Native),
    }
}
