//! What a session may do depends on what it did before.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may fail this way")]

use hookbox_sdk::{Access, Input, Place, ShellCommand, ShellWord, Tool, ToolKind, ToolPath, json, store};
use taint::{Otherwise, Settings, judge};

fn read(path: &str) -> Tool {
    let mut tool = Tool::new(ToolKind::Read);
    tool.paths.push(ToolPath::new(path, Access::Read, Place::Project));
    tool
}

fn run(programs: &[&str]) -> Tool {
    let mut tool = Tool::new(ToolKind::Shell);
    let command = |program: &&str| {
        let mut command = ShellCommand::default();
        command.name = program.rsplit('/').next().map(str::to_owned);
        command.argv = vec![ShellWord::Known((*program).to_owned())];
        command
    };
    tool.commands = Some(programs.iter().map(command).collect());
    tool
}

fn input(tool: &Tool, settings: Settings) -> Input<Settings> {
    Input::pre_tool("tool", json!({})).with_facts(tool).with_settings(settings)
}

/// Judges the calls of a session, and returns which are denied.
fn denied(calls: &[Tool]) -> Vec<bool> {
    store::clear();
    calls.iter().map(|call| judge(&input(call, Settings::default())).unwrap().is_deny()).collect()
}

#[test]
fn the_network_is_closed_once_a_secret_was_read() {
    let (fetch, secret) = (Tool::new(ToolKind::Fetch), read("/p/.env"));
    assert_eq!(denied(&[fetch.clone(), read("/p/README.md"), fetch.clone()]), [false, false, false]);
    assert_eq!(denied(&[secret.clone(), fetch.clone(), run(&["curl"])]), [false, true, true]);
    assert_eq!(denied(&[secret.clone(), run(&["grep", "wc"]), read("/p/x")]), [false, false, false]);
    assert_eq!(denied(&[secret, run(&["grep", "python3"]), Tool::new(ToolKind::Mcp)]), [false, true, true]);
}

#[test]
fn a_program_with_a_path_is_another_one() {
    let secret = read("/p/.env");
    assert_eq!(denied(&[secret, run(&["cat"]), run(&["./cat"]), run(&["/tmp/cat"])]), [false, false, true, true]);
}

#[test]
fn a_name_of_any_part_of_the_path_counts_and_so_does_where_a_link_leads() {
    let fetch = Tool::new(ToolKind::Fetch);
    for path in ["/home/me/.ssh/id_ed25519", "/p/.env.local", "/p/certs/Server.PEM"] {
        assert_eq!(denied(&[read(path), fetch.clone()]), [false, true], "{path}");
    }
    let mut link = read("/p/notes");
    link.paths[0].real = Some("/home/me/.aws/credentials".to_owned());
    assert_eq!(denied(&[link, fetch.clone()]), [false, true]);
    assert_eq!(denied(&[read("/p/environment"), fetch]), [false, false]);
}

#[test]
fn a_call_that_is_not_known_whole_is_asked_about_and_is_stopped_later() {
    let mut unknown = run(&["cat"]);
    unknown.complete = false;
    store::clear();
    let settings = Settings { otherwise: Otherwise::Ask, ..Settings::default() };
    let before = judge(&input(&unknown, settings.clone())).unwrap();
    assert_eq!(before.reason.as_deref(), Some("this may read a secret: not all that it does is known"));
    assert!(!judge(&input(&read("/p/.env"), settings.clone())).unwrap().is_deny());
    let after = judge(&input(&unknown, settings)).unwrap();
    assert_eq!(
        after.reason.as_deref(),
        Some("this session has read /p/.env, and not all that this command runs is known")
    );
}

#[test]
fn a_call_without_facts_fails() {
    let input = Input::pre_tool("bash", json!({})).with_settings(Settings::default());
    assert!(judge(&input).is_err());
}
