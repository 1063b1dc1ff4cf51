//! The rows that need the library, by dialect.

use super::by_test::Named;
use crate::hygge as suite;
use crate::support::project::Project;
use hookbox::config::{Loaded, Loader};
use hookbox::dialect::{self, Options};
use hookbox::{Caller, Event, Hook};
use std::sync::Arc;

#[path = "docker-agent/mod.rs"]
mod docker_agent;
#[path = "hygge/library.rs"]
mod hygge;
#[path = "ok/library.rs"]
mod ok;
#[path = "ok/trust.rs"]
mod ok_trust;
#[path = "ub/library.rs"]
mod ub;

/// Returns the tests that rows of a dialect may name.
pub fn tests(dialect: &str) -> Vec<Named> {
    let of_modules: &[&[Named]] = match dialect {
        "docker-agent" => docker_agent::TESTS,
        "hygge" => &[hygge::TESTS, suite::agent::TESTS, suite::command_line::TESTS, suite::registry::TESTS],
        "ok" => &[ok::TESTS, ok_trust::TESTS],
        "ub" => &[ub::TESTS],
        _ => &[],
    };
    of_modules.concat()
}

/// Returns a loader of what a dialect finds for this project. The host's environment only has what is needed to find
/// programs.
fn loader(project: &Project, dialect: &str) -> Loader {
    let path = std::env::var_os("PATH").map(|path| ("PATH".into(), path));
    let dialect = dialect::by_name(dialect, &Options::default()).unwrap();
    crate::support::loader(project.dir()).home(project.home()).env(path).dialect(dialect)
}

fn hooks_of(loaded: &Loaded, event: Event) -> Vec<Arc<dyn Hook>> {
    loaded.registry.for_event(event)
}

/// Returns a caller that has gone.
fn cancelled() -> Caller {
    let (caller, cancel) = Caller::cancellable();
    cancel.cancel();
    caller
}
