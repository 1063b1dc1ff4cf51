//! Runs every command of docs/how-to/write-a-hook.md, as a reader of that page would type it.

use crate::support::guests::run_scripts;
use crate::support::project::Project;
use std::env;
use std::path::PathBuf;
use std::process::Command;

const PAGE: &str = include_str!("../../../docs/how-to/write-a-hook.md");

/// Returns the directory of the toolchains that `cargo xtask guests` installs.
fn tools() -> PathBuf {
    crate::support::root().join("target/tools/python/bin")
}

/// Returns the commands of a section.
fn commands(section: &str) -> Vec<&'static str> {
    let (_, rest) = PAGE.split_once(&format!("\n## {section}\n")).unwrap();
    let (_, block) = rest.split_once("```sh\n").unwrap();
    block.split_once("```").unwrap().0.lines().collect()
}

/// Returns a command that runs a line with `sh`, with hookbox and the toolchains in its `PATH`.
fn sh(line: &str) -> Command {
    let hookbox = assert_cmd::cargo::cargo_bin("hookbox");
    let mut path = vec![hookbox.parent().unwrap().to_owned(), tools()];
    path.extend(env::split_paths(&env::var_os("PATH").unwrap()));
    let mut command = Command::new("sh");
    command.args(["-c", line]).env("PATH", env::join_paths(path).unwrap());
    command
}

/// Runs the section's commands in a new folder, if `toolchain`, which checks for the toolchain, succeeds.
fn follow(section: &str, toolchain: &str) {
    // The other languages do not need the script runner.
    if section.ends_with("Script") && !run_scripts() {
        return;
    }
    if !sh(toolchain).output().is_ok_and(|output| output.status.success()) {
        assert!(env::var_os("CI").is_none(), "`{toolchain}` failed");
        crate::support::skip(&format!("{section}: `{toolchain}` failed"));
        return;
    }
    let project = Project::new();
    let mut dir = project.dir();
    let mut said = String::new();
    for line in commands(section) {
        if let Some(folder) = line.strip_prefix("cd ") {
            dir = dir.join(folder);
            continue;
        }
        let output = sh(line)
            .current_dir(&dir)
            .env("CARGO_TARGET_DIR", crate::support::root().join("target/guests"))
            .env("XDG_CACHE_HOME", project.home().join("cache"))
            .env("XDG_STATE_HOME", project.home().join("state"))
            .output()
            .unwrap();
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "`{line}` ended with {}\n{out}{err}", output.status);
        said.push_str(&out);
    }
    assert!(said.contains("0 failed") && said.contains("sha256"), "{said}");
}

#[test]
fn rust() {
    follow("Rust", "rustup --version");
}

#[test]
fn typescript() {
    follow("TypeScript", "npm --version");
}

#[test]
fn javascript() {
    follow("JavaScript", "true");
}

#[test]
fn go() {
    follow("Go", "go version");
}

#[test]
fn python() {
    follow("Python", "componentize-py --version");
}

#[test]
fn c() {
    follow("C", "zig version || python3 -m ziglang version");
}
