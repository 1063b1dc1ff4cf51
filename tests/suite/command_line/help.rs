//! Help texts are product text: any change shows up here.

use crate::support::project::run;

fn help(args: &[&str]) -> String {
    let mut command = assert_cmd::Command::cargo_bin("hookbox").unwrap();
    let ran = run(command.args(args));
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{args:?}");
    ran.stdout
}

#[test]
fn every_command_has_an_example() {
    for command in [
        "run", "hook", "off", "on", "list", "show", "check", "trust", "inspect", "test", "bench", "log", "explain",
        "replay",
    ] {
        let text = help(&[command, "--help"]);
        assert!(text.contains(&format!("hookbox {command}")) && text.contains("Example"), "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    }
}

#[test]
fn help_of_the_whole() {
    insta::assert_snapshot!("help", help(&["--help"]));
}

#[test]
fn help_of_run() {
    insta::assert_snapshot!("help_run", help(&["run", "--help"]));
}

#[test]
fn help_of_hook() {
    insta::assert_snapshot!("help_hook", help(&["hook", "--help"]));
}

#[test]
fn help_of_off_and_on() {
    insta::assert_snapshot!("help_off", help(&["off", "--help"]));
    insta::assert_snapshot!("help_on", help(&["on", "--help"]));
}

#[test]
fn help_of_the_log() {
    insta::assert_snapshot!("help_log", help(&["log", "--help"]));
    insta::assert_snapshot!("help_explain", help(&["explain", "--help"]));
    insta::assert_snapshot!("help_replay", help(&["replay", "--help"]));
}

#[test]
fn help_of_trust() {
    insta::assert_snapshot!("help_trust", help(&["trust", "--help"]));
}

#[test]
fn help_of_test() {
    insta::assert_snapshot!("help_test", help(&["test", "--help"]));
}

#[test]
fn help_of_bench() {
    insta::assert_snapshot!("help_bench", help(&["bench", "--help"]));
}

#[test]
fn no_command_is_an_error_with_the_help() {
    let mut command = assert_cmd::Command::cargo_bin("hookbox").unwrap();
    let ran = run(&mut command);
    assert_eq!((ran.status, ran.stdout.as_str()), (1, ""));
    assert!(ran.stderr.contains("Usage: hookbox"), "{}", ran.stderr);
    assert!(help(&["--version"]).starts_with("hookbox "));
}

#[test]
fn shells_can_read_the_completions() {
    for (shell, of) in [("bash", "complete -F _hookbox"), ("zsh", "#compdef hookbox"), ("fish", "complete -c hookbox")]
    {
        let script = help(&["completions", shell]);
        assert!(script.contains(of) && script.contains("install"), "{shell}: {script}");
    }
    let mut bash = std::process::Command::new("bash");
    let checked = bash.args(["-n", "-c", &help(&["completions", "bash"])]).status().unwrap();
    assert!(checked.success());
}

#[test]
fn each_command_has_a_manual_page() {
    let dir = tempfile::tempdir().unwrap();
    help(&["__man", dir.path().to_str().unwrap()]);
    for page in ["hookbox.1", "hookbox-run.1", "hookbox-install.1"] {
        let text = std::fs::read_to_string(dir.path().join(page)).unwrap();
        assert!(text.contains(".TH hookbox"), "{text}");
    }
}
