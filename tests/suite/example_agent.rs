//! `examples/agent.rs`, run as a user would run it.

use crate::support::guests;
use crate::support::project::{Ran, run};
use std::path::PathBuf;

/// Returns the path of the agent. Cargo builds the examples along with the tests.
fn program() -> PathBuf {
    std::env::current_exe().unwrap().ancestors().nth(2).unwrap().join("examples/agent")
}

/// Runs the agent in a home directory without hooks.
fn agent(args: &[&str]) -> Ran {
    let home = tempfile::tempdir().unwrap();
    let mut agent = assert_cmd::Command::new(program());
    run(agent.args(args).current_dir(crate::support::root()).env("HOME", home.path()))
}

#[test]
fn the_agent_asks_at_every_point_of_its_loop() {
    guests::path("no_destructive_commands.wasm");
    let ran = agent(&["examples/demo/hooks.toml"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    insta::assert_snapshot!(ran.stdout);
}

#[test]
fn without_config_only_its_own_hooks_are_asked() {
    let ran = agent(&[]);
    assert!(ran.stdout.contains("tool: would run: rm -rf ~\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("tool: would run: git push --force or…\n"), "{}", ran.stdout);
}

/// The process cannot have the terabyte of address space that a pool reserves.
#[test]
fn with_few_addresses_the_same_is_decided() {
    guests::path("no_destructive_commands.wasm");
    let home = tempfile::tempdir().unwrap();
    let mut sh = assert_cmd::Command::new("sh");
    let script = "ulimit -v 104857600; exec \"$0\" examples/demo/hooks.toml";
    let sh = sh.args(["-c", script]).arg(program()).current_dir(crate::support::root());
    let few = run(sh.env("HOME", home.path()));
    let many = agent(&["examples/demo/hooks.toml"]);
    assert_eq!((few.status, few.stdout, few.stderr), (many.status, many.stdout, many.stderr));
}
