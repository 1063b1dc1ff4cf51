//! Tests that what the documentation says is true.

mod architecture;
mod blocks;
mod documented;
mod links;
mod pages;
mod readme;
mod write_a_hook;
