//! hookbox inside another program: one call that sets it up, hooks that follow their config, observers, and events
//! without a Tokio runtime.

mod blocking;
mod host;
mod observer;
mod reload;
mod replace;

use crate::support::project::Project;
use hookbox::Host;
use hookbox::runtime::component::Compiler;
use std::ffi::OsString;

/// Returns a host for the home directory and the project of these tests, with a `PATH` and without XDG variables.
fn host(project: &Project) -> Host {
    let env = [("HOME".into(), project.home().into()), ("PATH".into(), std::env::var_os("PATH").unwrap())];
    let env: [(OsString, OsString); 2] = env;
    Host::new(project.dir(), env).compiler(Compiler::in_process_for_trusted_bytes())
}

/// Returns a config with one shell hook that denies for this reason.
fn denying(name: &str, reason: &str) -> String {
    format!(
        "[hooks.{name}]\nevents = [\"pre_tool\"]\ncommand = \"sh\"\nargs = [\"-c\", '''echo '{{\"decision\":\"deny\",\"reason\":\"{reason}\"}}' ''']\n"
    )
}
