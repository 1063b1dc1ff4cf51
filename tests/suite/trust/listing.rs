//! `hookbox trust --list` and `--revoke`.

use super::{GUARD, assert_untrusted, guarded, kept, listed, stable, states, store, trust, trusted};
use std::fs;

#[test]
fn the_list_says_what_holds() {
    let project = trusted();
    let list = project.run(&["trust", "--list"], "");
    assert_eq!(list.status, 0);
    insta::assert_snapshot!(stable(&project, &list.stdout), @"
    STATE    SINCE                 PATH
    trusted  <time>  <root>/project/.agents/hooks.toml
    ");
    let one = &listed(&project)[0];
    assert_eq!(one["path"], project.dir().join(".agents/hooks.toml").to_str().unwrap());
    assert_eq!(one.as_object().unwrap().len(), 3, "{one}");
    fs::remove_file(project.dir().join(".agents/hooks.toml")).unwrap();
    assert_eq!(states(&project), ["missing"]);
    assert_eq!(guarded().run(&["trust", "--list"], "").stdout, "(no project is trusted)\n");
}

#[test]
fn trust_can_be_taken_back() {
    let project = trusted();
    let ran = project.run(&["trust", "--revoke"], "");
    let said = "no longer trusted: <root>/project/.agents/hooks.toml\n";
    assert_eq!((ran.status, project.stable(&ran.stdout).as_str(), ran.stderr.as_str()), (0, said, ""));
    assert_untrusted(&project, "E301");
    assert_eq!(kept(&project).len(), 0);
    let ran = project.run(&["trust", "--revoke"], "");
    assert_eq!(ran.status, 1);
    assert_eq!(project.stable(&ran.stderr), "error: nothing in `<root>/project` was trusted\n");
}

#[test]
fn trust_can_be_taken_back_from_within_and_from_afar() {
    let project = trusted();
    project.write("project/sub/file", "");
    assert_eq!(project.run(&["trust", "--revoke", "sub"], "").status, 0);
    assert_eq!(kept(&project).len(), 0);
    trust(&project);
    let dir = project.dir();
    let elsewhere = project.in_dir("home");
    assert_eq!(elsewhere.run(&["trust", "--revoke", dir.to_str().unwrap()], "").status, 0);
    assert_eq!(kept(&elsewhere).len(), 0);
}

#[test]
fn trust_can_be_taken_back_from_what_is_gone() {
    let project = trusted();
    let dir = project.dir();
    fs::remove_dir_all(&dir).unwrap();
    let project = project.in_dir("home");
    assert_eq!(project.run(&["trust", "--revoke", dir.to_str().unwrap()], "").status, 0);
    assert_eq!(kept(&project).len(), 0);
}

#[test]
fn trust_in_a_config_that_is_gone_can_be_taken_back_from_within() {
    let project = trusted();
    project.write("project/sub/file", "");
    fs::remove_file(project.dir().join(".agents/hooks.toml")).unwrap();
    let ran = project.run(&["trust", "--revoke", "sub"], "");
    assert_eq!((ran.status, kept(&project).len()), (0, 0), "{ran:?}");
}

#[test]
fn other_projects_keep_their_trust() {
    let project = trusted();
    project.write("other/.agents/hooks.toml", GUARD);
    fs::create_dir(project.home().with_file_name("other").join(".git")).unwrap();
    let other = project.in_dir("other");
    trust(&other);
    assert_eq!(states(&other), ["changed", "trusted"].map(|_| "trusted"));
    assert_eq!(other.run(&["trust", "--revoke"], "").status, 0);
    assert_eq!(states(&other), ["trusted"]);
}

#[test]
fn a_record_that_is_damaged_is_said_and_trusts_nothing() {
    let project = trusted();
    let file = kept(&project).remove(0);
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, &text[..text.len() / 2]).unwrap();
    let list = project.run(&["trust", "--list"], "");
    assert_eq!((list.status, list.stdout.as_str()), (0, "(no project is trusted)\n"));
    assert!(list.stderr.contains("warning[E301]: this record of trust is damaged"), "{}", list.stderr);
    assert!(list.stderr.contains("help: look at the project, then trust it again"), "{}", list.stderr);
    assert_eq!(super::verdict(&project), (0, vec!["E301".to_owned(), "E301".to_owned()]));
    trust(&project);
    super::assert_trusted(&project);
    assert_eq!(fs::read_dir(store(&project)).unwrap().count(), 1);
}
