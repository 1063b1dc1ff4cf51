//! The `hookbox` command.

mod check;
mod help;
mod inspect;
mod listing;
mod messages;
mod run;
