//! `cargo xtask package --check`: installs the packages for this machine in empty directories, from the files alone,
//! and checks that an agent's payload is denied. Programs for ARM are run in an emulator.

use super::{VERSION, this_target};
use crate::{debian, tools};
use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;
use tempfile::TempDir;

/// The payload of an agent that has read a malicious page.
const PAYLOAD: &str = r#"{"hook_event_name":"PreToolUse","session_id":"s","cwd":"/","tool_name":"Bash","tool_input":{"command":"rm -rf ~"}}"#;

const ARM: &str = "aarch64-unknown-linux-musl";

/// A function that installs the package for a target. It returns the path of the program.
type Install = fn(&Empty, &str) -> Result<PathBuf>;

/// Checks the packages in a directory.
pub(super) fn run(packages: &Path) -> Result<()> {
    let here = this_target();
    let checks: [(&str, Install); 4] = [("tarball", tarball), ("deb", deb), ("wheel", wheel), ("npm", npm)];
    for (name, install) in checks {
        let (empty, begin) = (Empty::new(packages)?, Instant::now());
        let program = install(&empty, &here).with_context(|| format!("the {name} could not be installed"))?;
        empty.use_it(&[program.as_os_str()]).with_context(|| format!("what the {name} installed does not work"))?;
        let seconds = begin.elapsed().as_secs_f64();
        ask_client(&empty, name).with_context(|| format!("the client in the {name} does not work"))?;
        println!("{name}: {:.1} s from the file to a denied command", seconds);
        install(&empty, &here).with_context(|| format!("the {name} could not be installed again"))?;
        empty.use_settings().with_context(|| format!("after an update by {name}, the agent does not find hookbox"))?;
        ensure!(empty.hookbox(&[program.as_os_str()], &["uninstall", "--all", "--yes"], "").is_ok(), "not uninstalled");
    }
    if packages.join(format!("hookbox-{VERSION}-{ARM}.tar.gz")).exists() && here != ARM {
        emulated(packages)?;
    }
    Ok(())
}

/// Checks the program for ARM. The emulator has no Landlock, so components are compiled without that part of the cage.
fn emulated(packages: &Path) -> Result<()> {
    let emulator = debian::QEMU.find()?;
    let empty = Empty::new(packages)?;
    let program = tarball(&empty, ARM)?;
    let command = [emulator.as_os_str(), program.as_os_str()];
    let version = empty.hookbox(&command, &["--version"], "")?;
    empty.use_it(&command).context("the program for ARM does not work")?;
    println!("{ARM}: {} denies in an emulator", version.trim());
    Ok(())
}

/// An empty home directory, and a directory to install in.
struct Empty<'a> {
    root: TempDir,
    /// What is installed.
    packages: &'a Path,
}

impl<'a> Empty<'a> {
    fn new(packages: &'a Path) -> Result<Self> {
        let root = tempfile::Builder::new().prefix("hookbox-package-").tempdir()?;
        fs::create_dir_all(root.path().join("home/.claude"))?;
        Ok(Empty { root, packages })
    }

    fn home(&self) -> PathBuf {
        self.root.path().join("home")
    }

    /// Returns a command whose environment has nothing but the home directory and the `PATH` of the system's programs.
    fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command.env_clear().env("HOME", self.home()).current_dir(self.root.path());
        command.envs(std::env::var_os("PATH").map(|path| ("PATH", path)));
        command
    }

    /// Runs hookbox, and returns what it prints.
    fn hookbox(&self, program: &[&std::ffi::OsStr], args: &[&str], stdin: &str) -> Result<String> {
        let (first, rest) = program.split_first().context("no program")?;
        let mut command = self.command(first);
        command.args(rest).args(args);
        ask(&mut command, stdin)
    }

    /// Sets hookbox up, and checks that it denies.
    fn use_it(&self, program: &[&std::ffi::OsStr]) -> Result<()> {
        self.hookbox(program, &["init", "--yes"], "")?;
        self.hookbox(program, &["check"], "")?;
        self.hookbox(program, &["install", "claude", "--yes"], "")?;
        let home = self.home();
        ensure_denied(&self.hookbox(program, &["hook", "claude", "--home", &home.to_string_lossy()], PAYLOAD)?)
    }

    /// Runs the command in the agent's settings, and checks that it denies.
    fn use_settings(&self) -> Result<()> {
        let settings = fs::read_to_string(self.home().join(".claude/settings.json"))?;
        let settings: Value = serde_json::from_str(&settings)?;
        let command = settings.pointer("/hooks/PreToolUse/0/hooks/0/command").and_then(Value::as_str);
        let command = command.context("the settings name no command")?;
        ensure_denied(&ask(self.command("sh").args(["-c", command]), PAYLOAD)?)
    }
}

/// Asks hookbox through the client that came with the programs, which finds them by itself.
fn ask_client(empty: &Empty, package: &str) -> Result<()> {
    let root = empty.root.path();
    let mut program = match package {
        "wheel" => empty.command(root.join("venv/bin/python")),
        "npm" => empty.command("node"),
        _ => return Ok(()),
    };
    match package {
        "wheel" => program.args(["-c", PYTHON]),
        _ => program.args(["--input-type=module", "-e", NODE]).current_dir(root.join("npm/lib")),
    };
    let said = ask(&mut program, "")?;
    ensure!(said.starts_with("deny no-destructive-commands: "), "it prints {said:?}");
    Ok(())
}

const PYTHON: &str = "from hookbox import Client\n\
    with Client() as client:\n  outcome = client.pre_tool('bash', {'command': 'rm -rf ~'})\n  \
    print(outcome.decision, outcome.reason)\n";

const NODE: &str = "import { Client } from 'hookbox'; const client = new Client();\n\
    const outcome = await client.preTool('bash', { command: 'rm -rf ~' });\n\
    console.log(outcome.decision, outcome.reason); await client.close();";

/// Runs a program with this input, and returns what it prints.
fn ask(command: &mut Command, stdin: &str) -> Result<String> {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    // Writing fails if the program has ended without reading its input.
    let _ = child.stdin.take().context("it has no stdin")?.write_all(stdin.as_bytes());
    let output = child.wait_with_output()?;
    let (said, why) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    ensure!(output.status.success(), "{} ended with {}: {said}{why}", tools::spell(command), output.status);
    Ok(said.into_owned())
}

fn ensure_denied(reply: &str) -> Result<()> {
    ensure!(reply.contains(r#""permissionDecision":"deny""#), "it was not denied: {reply:?}");
    Ok(())
}

/// Returns the packages whose names begin and end like this.
fn named(packages: &Path, begin: &str, end: &str) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in packages.read_dir().context("run `cargo xtask package` first")? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with(begin) && name.ends_with(end) {
            found.push(entry.path());
        }
    }
    ensure!(!found.is_empty(), "`{}` has no {begin}…{end}: run `cargo xtask package --quick`", packages.display());
    Ok(found)
}

fn tarball(empty: &Empty, target: &str) -> Result<PathBuf> {
    let name = format!("hookbox-{VERSION}-{target}");
    let prefix = empty.root.path().join("prefix");
    let archive = empty.packages.join(format!("{name}.tar.gz"));
    ask(empty.command("tar").arg("-xzf").arg(archive), "")?;
    ask(empty.command(empty.root.path().join(name).join("install.sh")).env("PREFIX", &prefix), "")?;
    Ok(prefix.join("bin/hookbox"))
}

fn deb(empty: &Empty, _: &str) -> Result<PathBuf> {
    let root = empty.root.path().join("debian");
    fs::create_dir_all(root.join("var/lib/dpkg"))?;
    for file in ["status", "available"] {
        let file = root.join("var/lib/dpkg").join(file);
        if !file.exists() {
            fs::write(file, "")?;
        }
    }
    let mut dpkg = empty.command("dpkg");
    dpkg.arg("--root").arg(&root).args(["--force-not-root", "--force-bad-path", "--log=/dev/null", "--install"]);
    ask(dpkg.args(named(empty.packages, "hookbox_", &format!("_{}.deb", ARCHITECTURE.0))?), "")?;
    Ok(root.join("usr/bin/hookbox"))
}

/// This machine's architecture, as Debian and Node.js call it.
const ARCHITECTURE: (&str, &str) = if cfg!(target_arch = "aarch64") { ("arm64", "arm64") } else { ("amd64", "x64") };

fn wheel(empty: &Empty, _: &str) -> Result<PathBuf> {
    let venv = empty.root.path().join("venv");
    ask(empty.command("python3").args(["-m", "venv"]).arg(&venv), "")?;
    let mut pip = empty.command(venv.join("bin/pip"));
    pip.args(["install", "--quiet", "--disable-pip-version-check", "--no-index", "--force-reinstall", "--find-links"]);
    ask(pip.arg(empty.packages).arg("hookbox"), "")?;
    let python = venv.join("bin/python");
    let version = ask(empty.command(&python).args(["-m", "hookbox", "--version"]), "")?;
    ensure!(version.contains(VERSION), "`python -m hookbox --version` prints {version:?}");
    Ok(venv.join("bin/hookbox"))
}

fn npm(empty: &Empty, _: &str) -> Result<PathBuf> {
    let prefix = empty.root.path().join("npm");
    let platform = format!("hookbox-linux-{}-{VERSION}.tgz", ARCHITECTURE.1);
    let files = [platform, format!("hookbox-client-{VERSION}.tgz"), format!("hookbox-{VERSION}.tgz")];
    let mut npm = empty.command("npm");
    npm.args(["install", "--offline", "--no-audit", "--no-fund", "--loglevel=error", "--global", "--prefix"])
        .arg(&prefix);
    ask(npm.args(files.map(|file| empty.packages.join(file))), "")?;
    let version = ask(empty.command(prefix.join("bin/hookbox")).arg("--version"), "")?;
    ensure!(version.contains(VERSION), "the npm package's `hookbox --version` prints {version:?}");
    // The agent's settings name the program itself, so that no agent has to wait for Node.js.
    let program = Path::new("lib/node_modules/@hookbox").join(format!("linux-{}", ARCHITECTURE.1));
    Ok(prefix.join(program).join("bin/hookbox"))
}
