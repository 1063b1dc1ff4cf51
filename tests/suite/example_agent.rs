//! `examples/agent.rs`, run as a user would run it.

use crate::support::guests;
use crate::support::project::run;
use std::path::{Path, PathBuf};

/// Cargo builds the examples along with the tests.
fn program() -> PathBuf {
    std::env::current_exe().unwrap().ancestors().nth(2).unwrap().join("examples/agent")
}

fn agent() -> assert_cmd::Command {
    let mut agent = assert_cmd::Command::new(program());
    // A home directory without hooks.
    agent.current_dir(crate::support::root()).env("HOME", crate::support::root().join("tests"));
    agent
}

#[test]
fn the_agent_asks_at_every_point_of_its_loop() {
    guests::path("no_destructive_commands.wasm");
    let ran = run(agent().arg(Path::new("examples/demo/hooks.toml")));
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    insta::assert_snapshot!(ran.stdout);
}

#[test]
fn without_config_only_its_own_hooks_are_asked() {
    let ran = run(&mut agent());
    assert!(ran.stdout.contains("tool: would run: rm -rf ~\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("tool: would run: git push --force or…\n"), "{}", ran.stdout);
}

/// A process that may not have the terabyte of addresses that a pool sets apart.
#[test]
fn with_few_addresses_the_same_is_decided() {
    guests::path("no_destructive_commands.wasm");
    let mut sh = assert_cmd::Command::new("sh");
    let script = "ulimit -v 104857600; exec \"$0\" examples/demo/hooks.toml";
    let few = run(sh.args(["-c", script]).arg(program()).current_dir(crate::support::root()));
    let many = run(agent().arg(Path::new("examples/demo/hooks.toml")));
    assert_eq!((few.status, few.stdout, few.stderr), (many.status, many.stdout, many.stderr));
}
