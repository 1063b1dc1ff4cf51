//! The guest examples, the policies and the test guests, built as components.

use crate::reproducible;
use crate::tests::Failures;
use crate::tools::{self, copy};
use anyhow::{Context, Result};
use std::path::PathBuf;
use std::process::Command;

/// The target for components without imports.
const PURE_TARGET: &str = "wasm32-unknown-unknown";
/// Rust's stock target for components, whose standard library imports WASI.
const WASI_TARGET: &str = "wasm32-wasip2";

/// The example that is built in every variant.
const EXAMPLE: &str = "guest-examples/rust";

/// Returns the directory to which components are written.
pub(crate) fn out_dir() -> PathBuf {
    tools::root().join("target/guests")
}

/// Returns the directory in which the components inside hookbox are built. Some examples have the same names as
/// policies, and in a shared directory one would overwrite the other.
pub(crate) fn own_dir() -> PathBuf {
    tools::root().join("target/own")
}

/// The folders of the separate Rust packages that are tested on this machine, in addition to the policies.
const TESTED: [&str; 3] = ["guest-examples/rust", "guest-examples/command-allowlist", "guest-examples/taint"];

/// Returns a cargo command in the folder of a guest.
fn cargo(folder: &str) -> Command {
    let mut cargo = tools::cargo(&tools::root().join(folder));
    cargo.env("CARGO_TARGET_DIR", out_dir());
    cargo
}

/// Returns a cargo command in the folder of a component inside hookbox.
pub(crate) fn cargo_own(folder: &str) -> Command {
    let mut cargo = tools::cargo(&tools::root().join(folder));
    cargo.env("CARGO_TARGET_DIR", own_dir());
    cargo
}

/// Runs the tests of the policies and the guests on this machine.
pub(crate) fn test(failures: &mut Failures) -> Result<()> {
    tools::step("testing the policies on this machine");
    failures.of_cargo(cargo_own("policies").args(["test", "--locked", "--workspace", "--no-fail-fast"]), &[])?;
    for folder in TESTED {
        tools::step(&format!("testing {folder} on this machine"));
        failures.of_cargo(cargo(folder).args(["test", "--locked", "--no-fail-fast"]), &[])?;
    }
    Ok(())
}

/// Builds the guest example as a component without imports, and returns its path.
pub(crate) fn build_pure() -> Result<PathBuf> {
    tools::step("building the guest example");
    build_example_for(PURE_TARGET)?;
    let pure = out_dir().join("no_destructive_commands.wasm");
    copy(&built(PURE_TARGET, "no_destructive_commands.wasm"), &pure)?;
    Ok(pure)
}

fn build_example_for(target: &str) -> Result<()> {
    install_target(target)?;
    tools::run(cargo(EXAMPLE).args(["build", "--release", "--locked", "--lib", "--target", target]))
}

fn built(dir: &str, file: &str) -> PathBuf {
    out_dir().join(dir).join("release").join(file)
}

/// Builds the guest example for both targets and as a native program. Returns the path of the component without
/// imports.
pub(crate) fn build() -> Result<PathBuf> {
    let pure = build_pure()?;
    build_example_for(WASI_TARGET)?;
    copy(&built(WASI_TARGET, "no_destructive_commands.wasm"), &out_dir().join("no_destructive_commands.wasip2.wasm"))?;
    // Not optimised, because the tests of the example need the same dependencies.
    tools::run(cargo(EXAMPLE).args(["build", "--locked", "--bins"]))?;
    let program = "no-destructive-commands";
    copy(&out_dir().join("debug").join(program), &out_dir().join(program))?;
    Ok(pure)
}

/// The policies that ship with hookbox.
pub(crate) const POLICIES: [&str; 8] = [
    "command-allowlist",
    "injection-scan",
    "mcp-guard",
    "network-egress",
    "no-destructive-commands",
    "no-secret-leaks",
    "package-guard",
    "protect-paths",
];

/// Builds the components inside hookbox: the parser of shell commands, and the policies.
pub(crate) fn build_own() -> Result<()> {
    install_target(PURE_TARGET)?;
    tools::step("building the reader of shell commands");
    let mut commands = cargo_own("guest-sdk/commands");
    reproducible::component(&mut commands)?;
    tools::run(commands.args(["build", "--release", "--locked", "--target", PURE_TARGET]))?;
    tools::step("building the policies");
    let mut policies = cargo_own("policies");
    reproducible::component(&mut policies)?;
    policies.args(["build", "--release", "--locked", "--lib", "--target", PURE_TARGET]);
    POLICIES.iter().for_each(|name| _ = policies.args(["--package", name]));
    tools::run(&mut policies)?;
    put_own("hookbox_commands", "commands")?;
    POLICIES.iter().try_for_each(|name| put_own(&name.replace('-', "_"), &format!("policies/{name}")))
}

/// Puts a component where hookbox's build finds it.
fn put_own(library: &str, name: &str) -> Result<()> {
    let built = own_dir().join(PURE_TARGET).join("release").join(library).with_extension("wasm");
    let component = out_dir().join(name).with_extension("wasm");
    let made = std::fs::read(&built).with_context(|| format!("`{}` cannot be read", built.display()))?;
    // An unchanged file is not rewritten, so that nothing that depends on it is rebuilt.
    if std::fs::read(&component).ok().as_ref() != Some(&made) {
        std::fs::create_dir_all(component.parent().unwrap_or(&component))?;
        tools::write(&component, &made)?;
    }
    Ok(())
}

/// Builds the other examples in Rust.
pub(crate) fn build_examples() -> Result<()> {
    tools::step("building the other examples");
    install_target(PURE_TARGET)?;
    for (folder, library, name) in [
        ("command-allowlist", "command_allowlist", "command_allowlist"),
        ("taint", "taint", "taint"),
        ("same-rule/rust", "same_rule", "same_rule_rust"),
    ] {
        let mut cargo = cargo(&format!("guest-examples/{folder}"));
        tools::run(cargo.args(["build", "--release", "--locked", "--lib", "--target", PURE_TARGET]))?;
        let built = out_dir().join(PURE_TARGET).join("release").join(format!("{library}.wasm"));
        copy(&built, &out_dir().join(format!("{name}.wasm")))?;
    }
    Ok(())
}

/// Builds the components that only tests use.
pub(crate) fn build_for_tests() -> Result<()> {
    tools::step("building the test guests");
    let mut build = tools::cargo(&tools::root().join("tests/guests"));
    build.env("CARGO_TARGET_DIR", out_dir());
    tools::run(build.args(["build", "--release", "--locked", "--examples", "--target", WASI_TARGET]))?;
    let examples = out_dir().join(WASI_TARGET).join("release/examples");
    for name in ["plain", "files", "clocks", "fails", "grows", "powers", "requests"] {
        copy(&examples.join(format!("{name}.wasm")), &out_dir().join(format!("{name}.wasm")))?;
    }
    Ok(())
}

/// Builds the hook whose calls are measured, in two ways: as an author who cares about speed would build it, and with
/// default settings.
pub(crate) fn build_for_benches() -> Result<()> {
    tools::step("building the hook of the benches");
    for (target, name) in [(PURE_TARGET, "rule.wasm"), (WASI_TARGET, "rule.wasip2.wasm")] {
        install_target(target)?;
        let mut build = tools::cargo(&tools::root().join("benches/rule"));
        build.env("CARGO_TARGET_DIR", out_dir());
        tools::run(build.args(["build", "--release", "--locked", "--lib", "--target", target]))?;
        copy(&out_dir().join(target).join("release/rule.wasm"), &out_dir().join(name))?;
    }
    Ok(())
}

/// Builds the same rule for other engines.
pub(crate) fn build_for_peers() -> Result<()> {
    install_target(PURE_TARGET)?;
    let mut build = tools::cargo(&tools::root().join("benches/peers/rule"));
    build.env("CARGO_TARGET_DIR", out_dir());
    tools::run(build.args(["build", "--release", "--locked", "--lib", "--target", PURE_TARGET]))?;
    copy(&out_dir().join(PURE_TARGET).join("release/peer_rule.wasm"), &out_dir().join("peer_rule.wasm"))
}

/// Installs a target's standard library, if it is missing.
pub(crate) fn install_target(target: &str) -> Result<()> {
    let sysroot = tools::rustc(&["--print", "sysroot"])?;
    let library = PathBuf::from(sysroot.trim()).join("lib/rustlib").join(target).join("lib");
    if library.is_dir() {
        return Ok(());
    }
    let mut install = Command::new("rustup");
    install.args(["target", "add", target]).current_dir(tools::root());
    // rustup fails if another rustup changes the toolchain at the same time. The other one may have installed the
    // target.
    tools::run(&mut install).or_else(|_| tools::run(&mut install))
}
