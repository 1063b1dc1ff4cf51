//! `hookbox check`: every problem, with its place.

use crate::support::component::allowing;
use crate::support::project::Project;

#[test]
fn good_config_has_no_problems() {
    let project = Project::new();
    project.write("home/.agents/ok.wasm", allowing());
    let project = project.user("[hooks.ok]\nevents = [\"pre_tool\"]\ncomponent = \"ok.wasm\"\n");
    let ran = project.hookbox("check", &[]);
    assert_eq!((ran.status, ran.stdout.as_str(), ran.stderr.as_str()), (0, "1 hook in 1 file: no problems\n", ""));
}

#[test]
fn every_problem_is_shown_with_its_line() {
    let project = Project::new();
    project.write("home/.agents/module.wasm", wat::parse_str("(module)").unwrap());
    let project = project.user(
        "[hooks.guard]\nevents = [\"pre_tol\"]\ncommand = \"true\"\ntimout = \"5s\"\n\n\
         [hooks.module]\nevents = [\"pre_tool\"]\ncomponent = \"module.wasm\"\n",
    );
    project.write("home/.config/hookbox/hooks.toml", "[hooks\n");
    let ran = project.hookbox("check", &[]);
    assert_eq!((ran.status, ran.stdout.as_str()), (1, "2 hooks in 2 files: 4 problems\n"));
    insta::assert_snapshot!(project.stable(&ran.stderr), @r#"
    error[E503]: unknown key `timout`
     --> <root>/home/.agents/hooks.toml:4:1
      |
    4 | timout = "5s"
      | ^^^^^^
      = help: did you mean `timeout`?

    error[E504]: unknown event "pre_tol"
     --> <root>/home/.agents/hooks.toml:2:11
      |
    2 | events = ["pre_tol"]
      |           ^^^^^^^^^
      = help: did you mean `pre_tool`?

    error[E202]: hook `module` cannot run: `<root>/home/.agents/module.wasm` is a core module, not a component: build it with `hookbox build` or for the target wasm32-wasip2, or make a component of it with `wasm-tools component new`
     --> <root>/home/.agents/hooks.toml:8:13
      |
    8 | component = "module.wasm"
      |             ^^^^^^^^^^^^^

    error[E502]: unclosed table, expected `]`
     --> <root>/home/.config/hookbox/hooks.toml:1:7
      |
    1 | [hooks
      |       ^
    "#);
}

#[test]
fn problems_are_there_for_programs_too() {
    let project = Project::new().user("[hooks.guard]\nevents = [\"pre_tool\"]\ncomand = \"true\"\n");
    let report = project.hookbox("check", &["--format", "json"]).json();
    let problem = &report["problems"][0];
    assert_eq!((&problem["code"], &problem["line"], &problem["column"]), (&"E503".into(), &3.into(), &1.into()));
    assert_eq!((&problem["hook"], &problem["help"]), (&"guard".into(), &"did you mean `command`?".into()));
}

#[test]
fn a_project_is_checked_whether_it_is_trusted_or_not() {
    let project = Project::new().project("[hooks.guard]\nevents = [\"pre_tool\"]\ncomponent = \"none.wasm\"\n");
    let ran = project.hookbox("check", &[]);
    assert_eq!(ran.status, 1);
    assert!(ran.stderr.contains("error[E205]") && ran.stderr.contains("none.wasm"), "{}", ran.stderr);
}

#[test]
fn a_command_that_is_not_there_is_a_problem() {
    let project = Project::new();
    let plain = project.write("plain", "");
    let entry = |name: &str, command: &str| format!("[hooks.{name}]\nevents = [\"pre_tool\"]\ncommand = {command:?}\n");
    let commands =
        [entry("a", "./nope.sh"), entry("b", "no-such-command"), entry("c", plain.to_str().unwrap()), entry("d", "sh")];
    let ran = project.user(&commands.concat()).hookbox("check", &[]);
    assert_eq!((ran.status, ran.stdout.as_str()), (1, "4 hooks in 1 file: 3 problems\n"));
    for words in ["nope.sh` is not a file", "not found in PATH", "plain` is not executable"] {
        assert!(ran.stderr.contains(words), "{}", ran.stderr);
    }
}

#[test]
fn a_file_that_is_not_there_is_a_problem_when_it_was_named() {
    let ran = Project::new().hookbox("check", &["--config", "none.toml"]);
    assert_eq!(ran.status, 1);
    assert!(ran.stderr.contains("error[E501]: does not exist"), "{}", ran.stderr);
}

#[test]
fn text_from_files_cannot_rewrite_the_terminal() {
    let project =
        Project::new().user("[hooks.guard]\nevents = [\"pre_tool\"]\n\"\\u001b[2J\\u202e\" = 1\ncommand = \"true\"\n");
    let ran = project.hookbox("check", &[]);
    assert!(ran.stderr.contains(r"unknown key `\u{1b}[2J\u{202e}`"), "{}", ran.stderr);
    assert!(!ran.stderr.contains('\u{1b}'));
}
