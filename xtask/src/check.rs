//! `cargo xtask check`: checks the formatting, runs the lints and the tests of the packages that differ from the last
//! commit that is known to be good.

mod changes;
mod programs;

use crate::tests::Failures;
use crate::{guests, tools};
use anyhow::{Context, Result, bail};
use changes::{Changes, Workspace};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// The package whose tests are `tests/suite`.
const SUITE: &str = "crates/hookbox-cli";
/// The modules of the suite that are always run. They test what every decision depends on.
const ALWAYS: [&str; 3] = ["chain", "matcher", "protocol"];

/// The workspaces of which only the formatting is checked. They are built in another way, or take long to build.
const FORMATTED: [&str; 3] = ["benches/peers", "fuzz", "guest-sdk/quickjs"];

/// Checks the packages that differ from `--since COMMIT`, or from the last commit that is known to be good.
pub(crate) fn run(args: &[String]) -> Result<()> {
    let changes = match args {
        [] => Changes::since_green()?,
        [option, commit] if option == "--since" => Changes::since(commit)?,
        _ => bail!("usage: cargo xtask check [--since COMMIT]"),
    };
    println!("{} files differ from {}", changes.files.len(), changes.since);
    let mut failures = Failures::begin()?;
    for workspace in changes.workspaces()? {
        let name = if workspace.is_root() { "the project".into() } else { workspace.dir.display().to_string() };
        tools::step(&format!("the formatting of {name}"));
        failures.of(cargo(&workspace).args(["fmt", "--all", "--", "--check"]));
        if FORMATTED.iter().any(|dir| workspace.dir == Path::new(dir)) {
            continue;
        }
        tools::step(&format!("the lints of {name}"));
        failures.of(cargo(&workspace).args([
            "clippy",
            "--locked",
            "--workspace",
            "--all-targets",
            "--",
            "-D",
            "warnings",
        ]));
        tools::step(&format!("the tests of {name}"));
        if workspace.is_root() {
            test(&workspace, &changes, &mut failures)?;
        } else {
            failures.of_cargo(cargo(&workspace).args(["test", "--locked", "--workspace", "--no-fail-fast"]), &[])?;
        }
    }
    failures.end()
}

/// Returns a cargo command in a workspace, with the same target directory as the other commands.
fn cargo(workspace: &Workspace) -> Command {
    let mut cargo = tools::cargo(&tools::root().join(&workspace.dir));
    if !workspace.is_root() {
        let is_own = ["policies", "guest-sdk/commands"].iter().any(|dir| workspace.dir == Path::new(dir));
        cargo.env("CARGO_TARGET_DIR", if is_own { guests::own_dir() } else { guests::out_dir() });
    }
    cargo
}

/// Runs the test programs of the changed packages. Of the suite, only the modules that [`suite_modules`] selects are
/// run.
fn test(workspace: &Workspace, changes: &Changes, failures: &mut Failures) -> Result<()> {
    guests::build_own()?;
    let is_in_suite = |package: &Path| package == Path::new(SUITE) || package == Path::new("");
    for program in programs::build()? {
        let is_suite = program.package == Path::new(SUITE) && program.target == "suite";
        if is_suite && workspace.packages.iter().any(|package| is_in_suite(package)) {
            let modules = suite_modules(changes)?;
            println!("of the suite: {} (`cargo xtask test` runs all of it)", modules.join(", "));
            let filters = modules.iter().map(|module| format!("{module}::"));
            failures.of_tests(program.command().args(filters))?;
        } else if !is_suite && workspace.packages.contains(&program.package) {
            failures.of_tests(&mut program.command())?;
        }
    }
    Ok(())
}

/// Returns the modules of the suite that are named like a changed file or like a folder that it is in, in singular or
/// plural.
fn suite_modules(changes: &Changes) -> Result<Vec<String>> {
    let stem = |path: &Path| path.file_stem().map(|stem| stem.to_string_lossy().trim_end_matches('s').to_owned());
    let mut words: BTreeSet<String> = ALWAYS.map(str::to_owned).into();
    words.extend(changes.files.iter().flat_map(|file| file.ancestors().filter_map(stem)));
    if changes.files.iter().any(|file| file.extension().is_some_and(|extension| extension == "md")) {
        words.insert("doc".to_owned());
    }
    let suite = tools::root().join("tests/suite");
    let mut modules = Vec::new();
    for entry in suite.read_dir().with_context(|| format!("`{}` cannot be read", suite.display()))? {
        let name = entry?.path().file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if words.contains(name.trim_end_matches('s')) && !["main", "support", "snapshots"].contains(&name.as_str()) {
            modules.push(name);
        }
    }
    // The folder of this module is beside the suite's, so it was not listed above.
    if words.contains("conformance") || words.contains("dialect") {
        modules.push("conformance".to_owned());
    }
    modules.sort_unstable();
    modules.dedup();
    Ok(modules)
}
