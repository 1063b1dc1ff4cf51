//! The `hookbox` command.

mod check;
mod closed_stdout;
mod help;
mod hidden;
mod inspect;
mod listing;
mod messages;
mod run;
