//! What cases as data cannot express: messages in the log, and the default places of configs.

use super::fixture::hygge;
use crate::conformance::by_test::{Named, named, row};
use crate::support::project::{Project, run};
use assert_cmd::Command;
use hookbox::Source;
use hookbox::config::discover;

pub const TESTS: &[Named] = named![output_that_is_no_answer_is_logged];

const HOOK: &str = "events = [\"pre_tool\"]\ncommand = \"true\"\n";

#[test]
fn output_that_is_no_answer_is_logged() {
    let row = row("hygge", "output_that_is_no_answer_is_logged");
    for (stdout, is_logged) in [(row.input(), true), ("null", false)] {
        let toml = format!("[hooks.t]\nevents = [\"pre_tool\"]\ncommand = \"echo\"\nargs = [\"{stdout}\"]\n");
        let project = hygge().project(&toml);
        let input = r#"{"event":"pre_tool","tool_name":"bash","tool_input":{}}"#;
        let ran = run(project.command("run", &["--verbose"]).write_stdin(input));
        assert_eq!(ran.stderr.contains(row.expected()), is_logged, "{stdout}: {ran:?}");
    }
    row.holds();
}

/// Unlike for the cases as data, neither `--home` nor `--project` is given.
#[test]
fn the_layers_are_those_of_the_environment() {
    let project = hygge();
    project.write("home/.config/hygge/hooks.toml", format!("[hooks.default]\n{HOOK}"));
    project.write("xdg/hygge/hooks.toml", format!("[hooks.xdg]\n{HOOK}"));
    for (dir, expected) in [(project.home().with_file_name("xdg"), "xdg"), ("".into(), "default")] {
        let mut command = Command::cargo_bin("hookbox").unwrap();
        command.args(["list", "--app", "hygge"]).env("HOME", project.home()).env("XDG_CONFIG_HOME", dir);
        let listed = run(command.current_dir(project.dir())).stdout;
        assert_eq!(listed.matches(expected).count(), 1, "{listed}");
        assert_eq!(listed.lines().count(), 2, "{listed}");
    }
}

/// hygge only looks into a relative directory such as `.` itself. The command makes it absolute first, so a project's
/// guards do not depend on how its directory was written.
#[test]
fn a_relative_directory_is_walked_up_from_too() {
    let project = Project::new().project(&format!("[hooks.guard]\n{HOOK}"));
    project.write("project/deep/file", "");
    for start in [".", "../deep", "./"] {
        let mut command = Command::cargo_bin("hookbox").unwrap();
        command.args(["list", "--app", "hygge", "--project", start, "--home"]).arg(project.home());
        let listed = run(command.current_dir(project.dir().join("deep")));
        assert!(listed.stdout.contains("guard"), "{start}: {listed:?}");
    }
}

#[test]
fn without_a_working_directory_there_is_no_project() {
    let project = hygge().project("");
    let of_project = |cwd| {
        let layers = discover("hygge", Some(&project.home()), None, cwd).into_iter();
        layers.filter(|layer| layer.source == Source::PROJECT).map(|layer| layer.path).collect::<Vec<_>>()
    };
    assert!(of_project(None).is_empty());
    let dir = project.dir();
    assert_eq!(of_project(Some(dir.as_path())), [dir.join(".agents/hooks.toml")]);
}
