//! Runs a hook written as plain JavaScript: its text and an Input go in, an Action comes out.
//!
//! The interpreter is QuickJS. It is set up once, when hookbox is built, and its memory as it then is becomes part of the
//! component: a call begins with an interpreter that is ready.

mod component;
mod engine;
mod fault;
mod script;
