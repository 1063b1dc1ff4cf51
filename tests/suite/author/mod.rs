//! What the commands for authors do.

mod componentize;
mod script;
