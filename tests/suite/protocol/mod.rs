//! Input, Action and Outcome as text.

mod action;
mod input;
mod outcome;
mod round_trip;
