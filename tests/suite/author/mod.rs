//! The tools for hook authors: `hookbox test`, `hookbox bench`, and building components.

mod approval_service;
mod bench;
mod broken_cases;
mod componentize;
mod languages;
mod links;
mod merge;
mod mistakes;
mod powers;
mod properties;
mod python_powers;
mod script;
mod script_powers;
mod subjects;
mod testing;
mod updating;

use crate::support::project::{Project, Ran};

/// Runs `hookbox test` with these arguments, in a project with these cases.
fn test(project: &Project, cases: &str, args: &[&str]) -> Ran {
    project.write("project/cases.toml", cases);
    let args: Vec<&str> = std::iter::once("test").chain(args.iter().copied()).collect();
    stable(project, project.run(&args, ""))
}

/// Returns the output without what differs each time.
fn stable(project: &Project, ran: Ran) -> Ran {
    let stdout = project.stable(&ran.stdout);
    let stdout = match stdout.rsplit_once(" in ") {
        Some((before, time)) if time.ends_with("s\n") => format!("{before} in <time>\n"),
        _ => stdout,
    };
    Ran { stdout, stderr: project.stable(&ran.stderr), ..ran }
}
