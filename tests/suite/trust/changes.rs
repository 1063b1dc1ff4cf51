//! The changes that end trust.

use super::{GUARD, ask, assert_trusted, assert_untrusted, guarded, states, trust, trusted};
use crate::support::component::{Guest, allowing};
use crate::support::project::Project;
use std::fs;

#[test]
fn a_change_of_the_config_ends_it() {
    let project = trusted().project(&format!("{GUARD}timeout = \"5s\"\n"));
    assert_untrusted(&project, "E302");
    assert_eq!(states(&project), ["changed"]);
    insta::assert_snapshot!(project.stable(&project.run(&["check"], "").stderr), @"
    warning[E302]: this project has changed since it was trusted (`<root>/project/.agents/hooks.toml` has changed): 1 of its hooks did not run
     --> <root>/project/.agents/hooks.toml
      = help: look at the file, then run `hookbox trust`
    ");
    // Only the content counts.
    let project = project.project(GUARD);
    assert_trusted(&project);
}

#[test]
fn a_change_of_a_command_ends_it() {
    let project = trusted();
    // The new script is as long as the old one.
    project.script("project/guard.sh", r#"echo '{"decision":"deny","reason":"No"}'"#);
    assert_untrusted(&project, "E302");
    let message = ask(&project).json()["warnings"][0]["message"].as_str().unwrap().to_owned();
    assert!(message.contains("guard.sh` has changed") && message.contains("run `hookbox trust`"), "{message}");
    fs::remove_file(project.dir().join("guard.sh")).unwrap();
    assert_untrusted(&project, "E302");
    assert!(ask(&project).stdout.contains("guard.sh` is gone"));
}

#[test]
fn a_change_of_a_component_ends_it() {
    let entry = |name: &str, more: &str| {
        format!("[hooks.{name}]\nevents = [\"pre_tool\"]\ncomponent = \"guard.wasm\"\n{more}\n")
    };
    let project = Project::new().project(&[entry("pure", ""), entry("clocked", "grants = { clocks = true }")].concat());
    let rewrite = r#"{"decision":"modify","modified_tool_input":{"command":"true"}}"#;
    project.write("project/.agents/guard.wasm", Guest::answering(rewrite).build());
    trust(&project);
    assert_eq!(ask(&project).json()["modified"], true);
    project.write("project/.agents/guard.wasm", Guest::answering(&rewrite.replace("true", "evil")).build());
    let outcome = ask(&project).json();
    assert_eq!((&outcome["modified"], &outcome["decision"]), (&false.into(), &"allow".into()));
    let text = outcome["warnings"].to_string();
    assert!(text.contains("guard.wasm` has changed): 1 of its hooks did not run, 1 may only deny or ask"), "{text}");
    assert_eq!(outcome["hooks"].as_array().unwrap().len(), 1, "what is pure still runs");

    project.write("project/.agents/guard.wasm", Guest::answering(r#"{"decision":"deny"}"#).build());
    assert_eq!(ask(&project).status, 2, "and may still deny");
}

#[test]
fn a_change_of_a_file_in_the_arguments_ends_it() {
    for args in [r#"["-c", "exec sh tools/a.sh"]"#, r#"["tools/a.sh"]"#, r#"["-c", ". ./tools/a.sh; true"]"#] {
        let project =
            Project::new().project(&format!("[hooks.g]\nevents = [\"pre_tool\"]\ncommand = \"sh\"\nargs = {args}\n"));
        project.write("project/tools/a.sh", "exit 1");
        trust(&project);
        assert_eq!(ask(&project).json()["hooks"][0]["code"], "E402", "{args}");
        project.write("project/tools/a.sh", "exit 0");
        assert_untrusted(&project, "E302");
    }
}

#[test]
fn a_file_that_was_not_there_ends_it_when_it_comes() {
    let project =
        Project::new().project("[hooks.g]\nevents = [\"pre_tool\"]\ncommand = \"sh\"\nargs = [\"later.sh\"]\n");
    trust(&project);
    assert_eq!(ask(&project).status, 2, "a hook that cannot run denies");
    project.write("project/later.sh", "exit 0");
    assert_untrusted(&project, "E302");

    let project = Project::new().project(GUARD);
    trust(&project);
    assert_eq!(ask(&project).json()["hooks"][0]["code"], "E401");
    project.script("project/guard.sh", "exit 0");
    assert_untrusted(&project, "E302");
    assert!(ask(&project).stdout.contains("guard.sh` is new"));
}

#[test]
fn the_same_words_in_another_directory_are_other_files() {
    let project = Project::new().project("[hooks.g]\nevents = [\"pre_tool\"]\ncommand = \"sh\"\nargs = [\"a.sh\"]\n");
    project.write("project/a.sh", "exit 1");
    trust(&project);
    project.write("project/sub/a.sh", "exit 0");
    assert_eq!(ask(&project).status, 2);
    assert_untrusted(&project.in_dir("project/sub"), "E302");
}

#[test]
fn a_file_that_becomes_another_kind_of_thing_ends_it() {
    let project = trusted();
    let script = project.dir().join("guard.sh");
    fs::rename(&script, project.dir().join("old.sh")).unwrap();
    fs::create_dir(&script).unwrap();
    assert_untrusted(&project, "E302");
    fs::remove_dir(&script).unwrap();
    // A link to the same bytes is the same.
    std::os::unix::fs::symlink("old.sh", &script).unwrap();
    assert_trusted(&project);
}

#[test]
fn a_component_that_is_not_the_trusted_one_is_never_run() {
    let entry = "[hooks.g]\nevents = [\"pre_tool\"]\ncomponent = \"g.wasm\"\ngrants = { clocks = true }\n";
    let project = Project::new().project(entry);
    project.write("project/.agents/g.wasm", allowing());
    trust(&project);
    fs::remove_file(project.dir().join(".agents/g.wasm")).unwrap();
    assert_untrusted(&project, "E302");
}

#[test]
fn one_command_can_run_everything() {
    let project = guarded();
    assert_eq!(project.run(&["run", "--trust-all"], super::INPUT).status, 2);
    assert_untrusted(&project, "E301");
}

/// Neither a repository in the project nor another config in it makes a trusted config vanish.
#[test]
fn a_trusted_config_holds_in_all_of_the_project() {
    let inside = |project: &Project, dir: &str| {
        let input = serde_json::json!({"event": "pre_tool", "tool_name": "bash", "tool_input": {"command": "ls"}});
        let dir = project.dir().join(dir);
        project.run(&["run", "--project", dir.to_str().unwrap()], &input.to_string()).status
    };
    let project = trusted();
    project.write("project/sub/.git/HEAD", "");
    project.write("project/sub/deep/file", "");
    project.write("project/own/.agents/hooks.toml", "");
    project.write("project/both/.git/HEAD", "");
    project.write("project/both/.agents/hooks.toml", "");
    for dir in [".", "sub", "sub/deep", "own", "both"] {
        assert_eq!(inside(&project, dir), 2, "{dir}");
    }
    // A config that is not trusted gains nothing.
    let project = guarded();
    project.write("project/sub/.git/HEAD", "");
    assert_eq!(inside(&project, "sub"), 0);
}
