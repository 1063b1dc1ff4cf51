//! The commands in a project's settings that may be started: only those that `hookbox install --project` writes.

use super::line;
use super::program::Program;
use hookbox::agent::Agent;

/// Returns the command in a project's settings. Its program is looked up in each user's `PATH`.
fn command(agent: &dyn Agent) -> Vec<String> {
    vec![Program::by_name().path, "hook".to_owned(), agent.name().to_owned()]
}

/// Whether this line is the one that `hookbox install --project` writes, and does not start a program of the project.
pub(super) fn is_written(line: &str, agent: &dyn Agent) -> bool {
    line == self::line(&command(agent)) && !searches_the_project()
}

/// Says why something in a project's settings was not tried.
pub(super) fn not_tried(what: &str, agent: &dyn Agent) -> String {
    let why = match searches_the_project() {
        true => "PATH has a relative directory, in which the project could have another `hookbox`".to_owned(),
        false => format!("it is not what `hookbox install {} --project` writes", agent.name()),
    };
    format!("{what} was not tried, because it is the project's: {why}")
}

/// Whether `PATH` has relative directories, which depend on the working directory.
fn searches_the_project() -> bool {
    std::env::var_os("PATH").is_some_and(|path| std::env::split_paths(&path).any(|dir| !dir.is_absolute()))
}
