//! The installation of the agents with npm.

use super::kinds::{Agent, NODE22};
use crate::tools;
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The variable that names a directory of already installed agents.
const VARIABLE: &str = "HOOKBOX_AGENTS";

/// An agent that can be started.
pub(super) struct Installed {
    pub(super) program: PathBuf,
    /// The `PATH` that it runs with.
    pub(super) path: OsString,
    /// The installed version.
    pub(super) version: String,
}

/// Installs an agent, unless it is already installed.
pub(super) fn install(agent: &Agent) -> Result<Installed> {
    let version = provide(agent)?;
    let mut folders = Vec::new();
    if agent.needs_node22 {
        provide(&NODE22)?;
        folders.push(programs(&NODE22));
    }
    folders.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    let path = std::env::join_paths(folders).context("PATH cannot be extended")?;
    Ok(Installed { program: programs(agent).join(agent.name), path, version })
}

/// Returns the directory in which agents are installed.
fn root() -> PathBuf {
    std::env::var_os(VARIABLE).map_or_else(|| tools::root().join("target/agents"), PathBuf::from)
}

fn programs(agent: &Agent) -> PathBuf {
    root().join(agent.name).join("node_modules/.bin")
}

/// Makes sure that a package is installed. Returns its version.
fn provide(agent: &Agent) -> Result<String> {
    if let Some(version) = version(agent)
        && is_pinned(agent, &version)
    {
        return Ok(version);
    }
    if std::env::var_os(VARIABLE).is_some() {
        bail!("{VARIABLE} has no {} {}", agent.package, agent.version);
    }
    let folder = root().join(agent.name);
    let package = format!("{}@{}", agent.package, agent.version);
    tools::step(&format!("installing {package}"));
    std::fs::create_dir_all(&folder)?;
    let mut npm = Command::new("npm");
    npm.args(["install", "--no-audit", "--no-fund", "--save-exact", "--prefix"]).arg(&folder);
    if !agent.has_install_script {
        npm.arg("--ignore-scripts");
    }
    tools::run(npm.arg(&package)).context("agents are installed with npm, which comes with Node.js 20 or later")?;
    match version(agent) {
        Some(version) if is_pinned(agent, &version) => Ok(version),
        found => bail!("npm installed {package} as {found:?}"),
    }
}

/// Returns the version of a package, if it is fully installed.
fn version(agent: &Agent) -> Option<String> {
    let package = root().join(agent.name).join("node_modules").join(agent.package);
    let text = std::fs::read_to_string(Path::new(&package).join("package.json")).ok()?;
    let package: Value = serde_json::from_str(&text).ok()?;
    let program = if agent.package == "node" { "node" } else { agent.name };
    let is_whole = programs(agent).join(program).exists();
    package.get("version")?.as_str().filter(|_| is_whole).map(str::to_owned)
}

fn is_pinned(agent: &Agent, version: &str) -> bool {
    version == agent.version || version.strip_prefix(agent.version).is_some_and(|rest| rest.starts_with('.'))
}
