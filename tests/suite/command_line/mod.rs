//! The `hookbox` command.

mod check;
mod help;
mod inspect;
mod hidden;
mod listing;
mod run;
