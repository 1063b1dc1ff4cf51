//! What the documentation says is true.

mod links;
