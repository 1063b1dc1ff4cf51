//! Hooks that ask a model.

mod bounds;
mod config;
mod dialects;
mod docker_agent;
mod faults;
mod judge;
mod provider;
