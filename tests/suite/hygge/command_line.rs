//! `hookbox list` and `hookbox show` under hygge's rules, in hygge's words.

use super::fixture::{hygge, program_hook};
use crate::support::project::Project;

fn on_pre_tool(name: &str) -> String {
    program_hook(name, &["pre_tool"], "/usr/bin/true")
}

#[track_caller]
fn list(project: &Project, args: &[&str]) -> String {
    let ran = project.hookbox("list", args);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{ran:?}");
    ran.stdout
}

#[test]
fn hooks_list_no_hooks() {
    assert_eq!(list(&hygge(), &[]), "(no hooks configured)\n");
}

#[test]
fn hooks_list_with_hooks() {
    let listed = list(&hygge().user(&on_pre_tool("guard")).in_dir("home"), &[]);
    assert_eq!(listed.matches("guard").count(), 1, "{listed}");
    assert!(listed.contains("pre_tool"), "{listed}");
}

#[test]
fn hooks_list_event_filter() {
    let telemetry = program_hook("post-telemetry", &["post_tool"], "true") + "mode = \"async\"\n";
    let project = hygge().project(&(on_pre_tool("pre-guard") + &telemetry));
    let listed = list(&project, &["--event", "pre_tool"]);
    assert!(listed.contains("pre-guard") && !listed.contains("post-telemetry"), "{listed}");
}

#[test]
fn hooks_show_found() {
    let project = hygge().project(&(on_pre_tool("policy") + "timeout = \"3s\"\n"));
    let shown = project.hookbox("show", &["policy"]);
    assert_eq!(shown.status, 0, "{shown:?}");
    for word in ["policy", "pre_tool", "3s"] {
        assert!(shown.stdout.contains(word), "{shown:?}");
    }
}

#[test]
fn hooks_show_not_found() {
    let shown = hygge().hookbox("show", &["nonexistent"]);
    assert_eq!((shown.status, shown.stdout.as_str()), (1, ""), "{shown:?}");
    assert!(shown.stderr.contains("no hook named \"nonexistent\""), "{shown:?}");
}

/// A guard in the project and an async hook of the user.
fn guard_and_notify() -> Project {
    let guard = program_hook("guard", &["pre_tool", "post_tool"], "./scripts/secret-guard.sh");
    let further = "args = [\"--strict-arg\"]\nenv = { POLICY = \"strict-env\" }\ntimeout = \"1m30s\"\n";
    let notify = program_hook("notify", &["post_message"], "notify-send");
    hygge().user(&(notify + "mode = \"async\"\n")).project(&format!("{guard}{further}description = \"Policy check\"\n"))
}

#[test]
fn a_listing_is_a_table() {
    let expected = "\
NAME    SOURCE   EVENTS              MODE   TIMEOUT  DESCRIPTION
guard   project  pre_tool,post_tool  sync   1m30s    Policy check
notify  user     post_message        async  5s
";
    assert_eq!(list(&guard_and_notify(), &[]), expected);
}

#[test]
fn an_event_that_no_hook_hears_leaves_the_heading() {
    for event in ["pre_message", "no_such_event"] {
        let listed = list(&guard_and_notify(), &["--event", event]);
        assert_eq!(listed, "NAME  SOURCE  EVENTS  MODE  TIMEOUT  DESCRIPTION\n");
    }
}

#[test]
fn a_hook_is_shown_in_six_lines() {
    let expected = "\
name:        guard
source:      project
events:      pre_tool, post_tool
mode:        sync
timeout:     1m30s
description: Policy check
";
    assert_eq!(guard_and_notify().hookbox("show", &["guard"]).stdout, expected);
}

#[test]
fn neither_command_says_what_runs_or_where_that_stands() {
    let project = guard_and_notify();
    let printed = list(&project, &[]) + &project.hookbox("show", &["guard"]).stdout;
    for private in ["secret-guard", "strict-arg", "strict-env", "hooks.toml"] {
        assert!(!printed.contains(private), "{private}: {printed}");
    }
}

#[test]
fn timeouts_are_spelled_as_go_spells_them() {
    for (timeout, expected) in [("5000ms", "5s"), ("90s", "1m30s"), ("100ms", "100ms"), ("0s", "0s"), ("-3s", "0s")] {
        let toml = format!("{}timeout = {timeout:?}\n", on_pre_tool("t"));
        let shown = hygge().project(&toml).hookbox("show", &["t"]).stdout;
        assert!(shown.contains(&format!("timeout:     {expected}\n")), "{timeout}: {shown}");
    }
}

#[test]
fn a_description_is_one_line_of_sixty_characters() {
    let described = |text: &str| hygge().project(&format!("{}description = {text:?}\n", on_pre_tool("t")));
    let last = |project: Project| list(&project, &[]).trim_end().rsplit("  ").next().unwrap().to_owned();
    assert_eq!(last(described("one\ntwo")), "one two");
    let (sixty, more) = ("é".repeat(60), "é".repeat(61));
    assert_eq!(last(described(&sixty)), sixty);
    assert_eq!(last(described(&more)), "é".repeat(59) + "…");
}

#[test]
fn a_name_in_two_layers_is_listed_once_as_the_user_has_it() {
    let project = hygge().user(&(on_pre_tool("same") + "timeout = \"1s\"\n")).project(&on_pre_tool("same"));
    let listed = list(&project, &[]);
    assert_eq!(listed.lines().count(), 2, "{listed}");
    assert!(listed.contains("same  user") && listed.contains("1s"), "{listed}");
}

#[test]
fn the_layers_are_those_of_the_environment() {
    let project = hygge();
    project.write("home/.config/hygge/hooks.toml", on_pre_tool("default"));
    project.write("xdg/hygge/hooks.toml", on_pre_tool("xdg"));
    for (dir, expected) in [(project.home().with_file_name("xdg"), "xdg"), ("".into(), "default")] {
        let mut command = assert_cmd::Command::cargo_bin("hookbox").unwrap();
        command.args(["list", "--app", "hygge"]).env("HOME", project.home()).env("XDG_CONFIG_HOME", dir);
        let listed = crate::support::project::run(command.current_dir(project.dir())).stdout;
        assert_eq!(listed.matches(expected).count(), 1, "{listed}");
        assert_eq!(listed.lines().count(), 2, "{listed}");
    }
}
