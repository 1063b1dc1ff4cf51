//! Input, Action and Outcome as text.

mod action;
mod hidden;
mod input;
mod outcome;
mod round_trip;
