//! Compares the cost of hookbox with that of what it replaces, and checks it against goals.
//!
//! ```sh
//! cargo xtask bench
//! ```
//!
//! Each row goes to stdout as one line of JSON.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    reason = "it is a program for a terminal, and one that cannot measure has nothing to say"
)]

mod agents;
mod ask;
mod child;
#[allow(dead_code, unreachable_pub, reason = "the tests use all of it")]
#[path = "../../tests/suite/support/component.rs"]
mod component;
mod counts;
// hookbox's own engines are included for the comparison with other ways to use them.
#[allow(dead_code, unreachable_pub, reason = "the library uses all of it")]
#[path = "../../src/runtime/component/engines.rs"]
mod engines;
mod fuel;
mod idle;
mod languages;
mod large;
mod late;
mod limits {
    //! The limits, at the path at which `engines` expects them.
    pub(crate) use hookbox::runtime::component::Limits;
}
mod loaded;
mod options;
mod policies;
mod powers;
mod proc;
mod processes;
mod reloads;
mod requests;
mod reused;
mod row;
#[path = "../rule/src/rule.rs"]
mod rule_in_process;
mod served;
mod threads;
mod throughput;
mod warm;

use options::Options;
use std::process::ExitCode;

/// The directory of the measured components.
const GUESTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/target/guests");

fn main() -> ExitCode {
    let options = match Options::of_program() {
        Ok(options) => options,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::FAILURE;
        }
    };
    match &options.child {
        Some(args) => child::run(args),
        None => table(&options),
    }
    ExitCode::SUCCESS
}

fn table(options: &Options) {
    let wanted = |name: &str| options.wants(name);
    let sandbox = ask::sandbox();
    // The rows are in the order of the table.
    let rows: [(&str, &dyn Fn()); 13] = [
        (warm::PURE, &|| warm::pure(&sandbox)),
        (warm::STOCK, &|| warm::stock(&sandbox)),
        (warm::PAUSED, &|| warm::paused(&sandbox)),
        (counts::SYSTEM_CALLS, &counts::system_calls),
        (counts::FAULTS, &counts::faults),
        (warm::CHAIN_FACTS, &|| warm::facts(&sandbox)),
        (reused::NAME, &|| reused::row(&sandbox)),
        (large::NAME, &|| large::row(&sandbox)),
        (warm::NO_HOOKS, &warm::no_hooks),
        (threads::NAME, &|| threads::row(&sandbox)),
        (idle::NAME, &|| idle::row(&sandbox)),
        (loaded::NAME, &|| loaded::row(&sandbox)),
        (fuel::NAME, &|| fuel::row(&sandbox)),
    ];
    rows.iter().filter(|(name, _)| wanted(name)).for_each(|(_, row)| row());
    if wanted(warm::CHAIN_ONE) || wanted(warm::CHAIN_SH) {
        warm::chain(&sandbox, &wanted);
    }
    if wanted(reloads::MEMORY) || wanted(reloads::FILES) {
        reloads::rows(&wanted);
    }
    processes::rows(&wanted, options.hookbox.as_deref());
    agents::rows(&wanted, options.hookbox.as_deref());
    served::rows(&sandbox, &wanted, options.hookbox.as_deref());
    policies::rows(&wanted);
    throughput::rows(&wanted, options.hookbox.as_deref());
    powers::rows(&sandbox, &wanted, options.hookbox.as_deref());
    requests::rows(&sandbox, &wanted);
    late::rows(&sandbox, &wanted);
    languages::rows(&wanted);
}
