//! Runs a hook written as plain JavaScript: its text and an Input go in, an Action comes out.
//!
//! The interpreter is QuickJS. It is set up once, when hookbox is built, and its memory at that point becomes part of
//! the component: each call begins with an interpreter that is ready.
//!
//! The component imports every power that a script may have. A plain script runs in the component inside hookbox;
//! `hookbox build` makes a component of its own from a script, with the imports that this script uses.

mod component;
mod engine;
mod fault;
mod powers;
mod script;
