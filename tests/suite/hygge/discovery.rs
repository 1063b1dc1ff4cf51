//! Where the walk from the working directory to a project's layers ends, rule by rule.

use crate::support::project::Project;
use hookbox::Source;
use hookbox::config::discover;
use std::fs;
use std::path::{Path, PathBuf};

/// A directory with these below it: names that end in `/` are directories, the others are empty files.
struct Tree(tempfile::TempDir);

impl Tree {
    fn new(entries: &[&str]) -> Self {
        let root = tempfile::tempdir().unwrap();
        for entry in entries {
            let path = root.path().join(entry);
            if entry.ends_with('/') {
                fs::create_dir_all(path).unwrap();
            } else {
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, "").unwrap();
            }
        }
        Tree(root)
    }

    /// The project's layers for this working directory, with the directory `home` as the user's home.
    fn found_from(&self, cwd: &str) -> Vec<String> {
        self.found(Some(&self.0.path().join(cwd)))
    }

    fn found(&self, cwd: Option<&Path>) -> Vec<String> {
        let home = self.0.path().join("home");
        let layers = discover("hygge", Some(&home), None, cwd).into_iter();
        let relative = |path: PathBuf| path.strip_prefix(self.0.path()).unwrap().display().to_string();
        layers.filter(|layer| layer.source == Source::PROJECT).map(|layer| relative(layer.path)).collect()
    }
}

const BOTH: [&str; 2] = [".agents/hooks.toml", ".hygge/hooks.toml"];

#[test]
fn rule_1_the_home_directory_is_no_project() {
    let tree = Tree::new(&["home/.agents/hooks.toml", "home/.hygge/hooks.toml", "home/code/"]);
    assert!(tree.found_from("home").is_empty());
    assert!(tree.found_from("home/code").is_empty());
}

#[test]
fn rule_1_nothing_above_the_home_directory_is_seen() {
    let tree = Tree::new(&[".agents/hooks.toml", ".hygge/hooks.toml", "home/code/"]);
    assert!(tree.found_from("home/code").is_empty());
    assert!(tree.found_from("home").is_empty());
}

#[test]
fn rule_1_a_project_below_the_home_directory_is_found() {
    let tree = Tree::new(&["home/.agents/hooks.toml", "home/code/.agents/hooks.toml", "home/code/deep/"]);
    assert_eq!(tree.found_from("home/code/deep"), ["home/code/.agents/hooks.toml"]);
}

#[test]
fn rule_2_the_nearest_file_is_used_and_the_walk_ends() {
    let tree = Tree::new(&["a/.hygge/hooks.toml", "a/b/.hygge/hooks.toml", "a/b/c/"]);
    assert_eq!(tree.found_from("a/b/c"), ["a/b/.hygge/hooks.toml"]);
    assert_eq!(tree.found_from("a"), ["a/.hygge/hooks.toml"]);
}

#[test]
fn rule_2_a_directory_of_that_name_is_passed_by() {
    let tree = Tree::new(&["a/.hygge/hooks.toml", "a/b/.hygge/hooks.toml/"]);
    assert_eq!(tree.found_from("a/b"), ["a/.hygge/hooks.toml"]);
}

#[test]
fn rule_3_a_repository_ends_the_walk_whether_git_is_a_directory_or_a_file() {
    for git in ["a/repo/.git/", "a/repo/.git"] {
        let tree = Tree::new(&["a/.agents/hooks.toml", "a/.hygge/hooks.toml", git, "a/repo/deep/"]);
        assert!(tree.found_from("a/repo/deep").is_empty(), "{git}");
        assert!(tree.found_from("a/repo").is_empty(), "{git}");
    }
}

#[test]
fn rule_3_a_file_in_the_root_of_the_repository_is_found() {
    for git in ["repo/.git/", "repo/.git"] {
        let tree = Tree::new(&["repo/.agents/hooks.toml", "repo/.hygge/hooks.toml", git, "repo/deep/"]);
        let expected = BOTH.map(|file| format!("repo/{file}"));
        assert_eq!(tree.found_from("repo/deep"), expected, "{git}");
        assert_eq!(tree.found_from("repo"), expected, "{git}");
    }
}

#[test]
fn rule_4_without_a_repository_the_walk_goes_on_to_the_top() {
    let tree = Tree::new(&[".agents/hooks.toml", "a/b/c/d/e/f/"]);
    assert_eq!(tree.found_from("a/b/c/d/e/f"), [".agents/hooks.toml"]);
    let tree = Tree::new(&["a/"]);
    assert!(tree.found_from("a").is_empty());
}

#[test]
fn both_names_are_looked_for_on_their_own() {
    let tree = Tree::new(&["a/.hygge/hooks.toml", "a/b/.agents/hooks.toml", "a/b/c/"]);
    assert_eq!(tree.found_from("a/b/c"), ["a/b/.agents/hooks.toml", "a/.hygge/hooks.toml"]);
}

#[test]
fn without_a_working_directory_there_is_no_project() {
    assert!(Tree::new(&BOTH).found(None).is_empty());
}

/// hygge looks into a relative directory such as `.` alone. The command makes it absolute first, so that a project's
/// guards do not depend on how its directory was spelled.
#[test]
fn the_command_walks_up_from_a_relative_directory_too() {
    let project = Project::new().project("[hooks.guard]\nevents = [\"pre_tool\"]\ncommand = \"true\"\n");
    project.write("project/deep/file", "");
    for start in [".", "../deep", "./"] {
        let mut command = assert_cmd::Command::cargo_bin("hookbox").unwrap();
        command.args(["list", "--app", "hygge", "--project", start, "--home"]).arg(project.home());
        let listed = crate::support::project::run(command.current_dir(project.dir().join("deep")));
        assert!(listed.stdout.contains("guard"), "{start}: {listed:?}");
    }
}
