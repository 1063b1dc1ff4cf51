//! What the systems whose hooks we run have from the language that they are written in: its JSON, its regular
//! expressions, its words for what can go wrong with a process.

pub(crate) mod encode;
pub(crate) mod exec;
pub(crate) mod matcher;
pub(crate) mod members;
pub(crate) mod regex;
