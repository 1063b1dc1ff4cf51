//! Files of a project that others can change, and links that lead out of it.

use super::{GUARD, ask, assert_trusted, assert_untrusted, chmod, guarded, trust, trusted, verdict};
use crate::support::component::{Guest, allowing};
use crate::support::project::Project;
use std::fs;
use std::os::unix::fs::{MetadataExt, symlink};

#[test]
fn a_config_that_others_can_change_is_refused() {
    let project = guarded();
    chmod(&project.dir().join(".agents/hooks.toml"), 0o646);
    assert_untrusted(&project, "E304");
    let check = project.run(&["check"], "");
    assert_eq!(check.status, 1);
    insta::assert_snapshot!(project.stable(&check.stderr), @"
    error[E304]: this config can be changed by others (its mode is 646)
     --> <root>/project/.agents/hooks.toml
      = help: run `chmod go-w <root>/project/.agents/hooks.toml`
    ");
    let (status, shown) = project.terminal(&["trust"]).end();
    assert_eq!(status, 1);
    assert!(shown.contains("hooks.toml is refused") && !shown.contains("[y/N]"), "{shown}");
}

#[test]
fn a_config_that_is_relied_upon_denies_when_it_is_refused() {
    let project = trusted();
    let config = project.dir().join(".agents/hooks.toml");
    chmod(&config, 0o646);
    let ran = ask(&project);
    let outcome = ran.json();
    assert_eq!((ran.status, &outcome["decision"]), (1, &"deny".into()));
    let reason = outcome["reason"].as_str().unwrap();
    assert!(reason.contains("E304") && reason.contains("run `chmod go-w /"), "{reason}");
    chmod(&config, 0o644);
    assert_trusted(&project);

    let project = guarded();
    chmod(&project.dir().join(".agents/hooks.toml"), 0o646);
    let ran = project.run(&["run", "--trust-all"], super::INPUT);
    assert_eq!((ran.status, &ran.json()["decision"]), (1, &"deny".into()));
}

#[test]
fn a_group_of_ones_own_is_nobody_else() {
    let project = trusted();
    let config = project.dir().join(".agents/hooks.toml");
    chmod(&config, 0o664);
    let meta = fs::metadata(&config).unwrap();
    let is_own_group = meta.uid() == meta.gid() && meta.uid() != 0;
    assert_eq!(verdict(&project).1.is_empty(), is_own_group);
}

#[test]
fn a_directory_in_which_others_can_replace_the_file_is_refused() {
    let project = guarded();
    for dir in [project.dir().join(".agents"), project.dir()] {
        chmod(&dir, 0o777);
        let check = project.run(&["check"], "");
        let dir_name = project.stable(&dir.display().to_string());
        let stderr = project.stable(&check.stderr);
        assert!(
            stderr.contains(&format!("who may write to `{dir_name}` (its mode is 777)"))
                && stderr.contains(&format!("help: run `chmod go-w {dir_name}`")),
            "{stderr}"
        );
        // With the sticky bit, others cannot change the files.
        chmod(&dir, 0o1777);
        assert_eq!(project.run(&["check"], "").status, 0);
        chmod(&dir, 0o755);
    }
    // Trusting a project does not rely on the directories above it.
    chmod(project.dir().parent().unwrap(), 0o777);
    assert_eq!(project.run(&["check"], "").status, 0);
}

#[test]
fn a_command_that_others_can_change_is_refused() {
    let project = trusted();
    let script = project.dir().join("guard.sh");
    chmod(&script, 0o757);
    let outcome = ask(&project).json();
    assert_eq!((&outcome["decision"], &outcome["hooks"][0]["code"]), (&"deny".into(), &"E304".into()));
    let check = project.run(&["check"], "");
    assert_eq!(check.status, 1);
    insta::assert_snapshot!(project.stable(&check.stderr), @r#"
    error[E304]: hook `guard` cannot run: `<root>/project/guard.sh` can be changed by others (its mode is 757): run `chmod go-w <root>/project/guard.sh`
     --> <root>/project/.agents/hooks.toml:3:11
      |
    3 | command = "./guard.sh"
      |           ^^^^^^^^^^^^
    "#);
    chmod(&script, 0o755);
    assert_trusted(&project);
}

#[test]
fn a_component_that_others_can_change_is_refused() {
    let project =
        Project::new().project("[hooks.pure]\nevents = [\"pre_tool\"]\ncomponent = \"my policies/it's.wasm\"\n");
    let deny = Guest::answering(r#"{"decision":"deny"}"#).build();
    let file = project.write("project/.agents/my policies/it's.wasm", deny);
    chmod(&file, 0o666);
    let (status, codes) = verdict(&project);
    assert_eq!((status, codes.as_slice()), (0, ["E304".to_owned(), "E301".to_owned()].as_slice()));
    let check = project.run(&["check"], "");
    let chmod_it = r"run `chmod go-w '<root>/project/.agents/my policies/it'\''s.wasm'`";
    assert!(project.stable(&check.stderr).contains(chmod_it), "{}", check.stderr);
    chmod(&file, 0o644);
    trust(&project);
    chmod(&file, 0o666);
    let outcome = ask(&project).json();
    assert_eq!(outcome["hooks"][0]["code"], "E304", "a hook that is relied upon denies: {outcome}");
    chmod(&file, 0o644);
    let dir = file.parent().unwrap();
    chmod(dir, 0o777);
    assert_eq!(ask(&project).json()["hooks"][0]["code"], "E304");
}

#[test]
fn a_link_out_of_the_project_is_refused() {
    // The config is a link.
    let project = Project::new();
    let outside = project.write("outside/hooks.toml", GUARD);
    fs::create_dir(project.dir().join(".agents")).unwrap();
    symlink(&outside, project.dir().join(".agents/hooks.toml")).unwrap();
    let check = project.run(&["check"], "");
    assert_eq!(check.status, 1);
    insta::assert_snapshot!(project.stable(&check.stderr), @"
    error[E304]: this config leads out of its project, to `<root>/outside/hooks.toml`
     --> <root>/project/.agents/hooks.toml
      = help: put the file itself there in place of a link
    ");
    // The directory of the config is a link.
    fs::remove_dir_all(project.dir().join(".agents")).unwrap();
    symlink(outside.parent().unwrap(), project.dir().join(".agents")).unwrap();
    assert_untrusted(&project, "E304");
    // A component is a link.
    let project = Project::new().project("[hooks.a]\nevents = [\"pre_tool\"]\ncomponent = \"a.wasm\"\n");
    let outside = project.write("outside/a.wasm", allowing());
    symlink(&outside, project.dir().join(".agents/a.wasm")).unwrap();
    assert_eq!(verdict(&project).1, ["E304", "E301"]);
    // A command is a link.
    let project = Project::new().project(GUARD);
    let outside = project.script("outside/guard.sh", "exit 0");
    symlink(&outside, project.dir().join("guard.sh")).unwrap();
    let (status, shown) = project.terminal(&["trust"]).end();
    assert!(status == 1 && shown.contains("error[E304]"), "{shown}");
}

#[test]
fn a_link_within_the_project_is_fine() {
    let project = Project::new();
    project.write("project/tools/agents/hooks.toml", GUARD);
    project.script("project/tools/guard", r#"echo '{"decision":"deny"}'"#);
    symlink("tools/agents", project.dir().join(".agents")).unwrap();
    symlink("tools/guard", project.dir().join("guard.sh")).unwrap();
    trust(&project);
    assert_trusted(&project);
    // The directory that the link leads to counts as well.
    chmod(&project.dir().join("tools"), 0o777);
    assert_eq!(verdict(&project).0, 1);
}

#[test]
fn a_project_that_is_reached_by_a_link_is_the_same() {
    let project = trusted();
    symlink(project.dir(), project.home().with_file_name("alias")).unwrap();
    let alias = project.in_dir("alias");
    assert_trusted(&alias);
    let named = alias.run(&["run", "--project", alias.dir().to_str().unwrap()], super::INPUT);
    assert_eq!(named.status, 2);
}

#[test]
fn whoever_names_a_file_vouches_for_it() {
    let project = guarded();
    let config = project.dir().join(".agents/hooks.toml");
    chmod(&config, 0o666);
    let ran = project.run(&["check", "--config", config.to_str().unwrap()], "");
    assert!(!ran.stderr.contains("E304"), "{}", ran.stderr);
    // Other systems have other rules.
    let settings = project.write("project/.ok/settings.json", "{}");
    chmod(&settings, 0o666);
    let ran = project.run(&["check", "--dialect", "ok"], "");
    assert!(!ran.stderr.contains("E304"), "{}", ran.stderr);
}

#[test]
fn the_user_s_own_files_are_refused_too() {
    let hook = "[hooks.guard]\nevents = [\"pre_tool\"]\ncomponent = \"guard.wasm\"\n";
    let project = Project::new().user(hook);
    let denying = Guest::answering(r#"{"decision":"deny","reason":"no"}"#).build();
    let config = project.home().join(".agents/hooks.toml");
    let component = project.write("home/.agents/guard.wasm", &denying);
    let denied_for = |code: &str| {
        let ran = ask(&project);
        let outcome = ran.json();
        assert_eq!(outcome["decision"], "deny");
        let reason = outcome["reason"].as_str().unwrap();
        assert!(reason.contains(code), "{reason}");
        ran.status
    };
    assert_eq!(denied_for("no"), 2);
    for (path, mode, status) in [(&config, 0o646, 1), (&component, 0o622, 2)] {
        let before = fs::metadata(path).unwrap().mode();
        chmod(path, mode);
        assert_eq!(denied_for("E304"), status, "{}", path.display());
        chmod(path, before & 0o777);
    }
    chmod(config.parent().unwrap(), 0o777);
    assert_eq!(denied_for("E304"), 1);
    chmod(config.parent().unwrap(), 0o755);
    assert_eq!(denied_for("no"), 2);
    // The user's own links may lead anywhere.
    let moved = project.home().join("dotfiles.toml");
    fs::rename(&config, &moved).unwrap();
    symlink(&moved, &config).unwrap();
    assert_eq!(denied_for("no"), 2);
}
