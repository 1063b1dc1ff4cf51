//! What the supported hook systems take from Go, the language that they are written in: its JSON, what its YAML library
//! makes of numbers, its regular expressions and its wording for what can go wrong with a process.

pub(crate) mod encode;
pub(crate) mod exec;
pub(crate) mod matcher;
pub(crate) mod members;
pub(crate) mod regex;
pub(crate) mod scalar;
