//! Grants that would expose what decides which hooks run.

use crate::support::component::allowing;
use crate::support::project::{Project, Ran, run};
use serde_json::Value;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

const CALL: &str = r#"{"event":"pre_tool","tool_name":"bash","tool_input":{"command":"ls"}}"#;

/// Returns a hook with a component that allows, and with these grants of directories.
fn hook(dirs: &str) -> String {
    format!("[hooks.guard]\nevents = [\"pre_tool\"]\ncomponent = \"guard.wasm\"\ngrants = {{ dirs = [{dirs}] }}\n")
}

fn dir(path: impl AsRef<Path>, access: &str) -> String {
    format!("{{ path = {:?}, as = \"/granted\", access = \"{access}\" }}", path.as_ref().display().to_string())
}

/// Creates a user whose only hook has these grants.
fn granting(dirs: &str) -> Project {
    let project = Project::new().user(&hook(dirs));
    project.write("home/.agents/guard.wasm", allowing());
    project
}

/// Sets the grants of the user's hook, and asks it.
fn ask(project: &Project, dirs: &str) -> Ran {
    project.write("home/.agents/hooks.toml", hook(dirs));
    project.run(&["run"], CALL)
}

/// Checks that the call is denied because the grant is refused, and that the reason contains these words.
#[track_caller]
fn assert_refused(ran: &Ran, words: &str) {
    let outcome = ran.json();
    assert_eq!((ran.status, &outcome["hooks"][0]["code"]), (2, &Value::from("E206")), "{words}: {outcome}");
    let reason = outcome["reason"].as_str().unwrap();
    assert!(reason.contains(words), "{words}: {reason}");
}

#[track_caller]
fn assert_given(ran: &Ran) {
    assert_eq!((ran.status, &ran.json()["hooks"][0]["decision"]), (0, &Value::from("allow")), "{ran:?}");
}

#[test]
fn the_home_directory_is_never_granted() {
    for access in ["read", "read-write"] {
        let project = granting(&dir(".", access)).in_dir("home");
        let ran = project.run(&["run"], CALL);
        assert_refused(&ran, "it contains `");
        assert_refused(&ran, ": grant another directory");
        let check = project.run(&["check"], "");
        assert!(check.status == 1 && check.stderr.contains("error[E206]"), "{}", check.stderr);
    }
}

#[test]
fn no_place_of_hookbox_is_granted() {
    let project = granting("");
    let home = project.home();
    for (path, how, place) in [
        (".agents", "is", ".agents"),
        (".agents/policies", "lies in", ".agents"),
        (".local", "contains", ".local/state/hookbox"),
        (".local/state/hookbox", "is", ".local/state/hookbox"),
        (".local/state/hookbox/trust", "lies in", ".local/state/hookbox"),
        (".cache", "contains", ".cache/hookbox"),
        (".cache/hookbox/v1", "lies in", ".cache/hookbox"),
        (".config", "contains", ".config/hookbox"),
        (".config/hookbox/more", "lies in", ".config/hookbox"),
        (".config/hygge", "is", ".config/hygge"),
        (".config/ub/x", "lies in", ".config/ub"),
        (".ok", "is", ".ok"),
        (".agents/../.ok", "is", ".ok"),
    ] {
        // Places that do not exist count as well: only what is granted is created.
        for place in [".local", ".cache", ".config", ".ok"] {
            let _ = fs::remove_dir_all(home.join(place));
        }
        fs::create_dir_all(home.join(path)).unwrap();
        let ran = ask(&project, &dir(home.join(path), "read"));
        assert_refused(&ran, &format!("it {how} `{}`", home.join(place).display()));
    }
    assert_refused(&ask(&project, &dir("/", "read")), "it contains `");
    assert_refused(&ask(&project, &dir("/proc/self", "read")), "it lies in `/proc`");
    fs::create_dir_all(home.join("work/.agents")).unwrap();
    fs::create_dir_all(home.join(".config/hookbox2")).unwrap();
    for fine in ["work", "work/.agents", ".config/hookbox2"] {
        assert_given(&ask(&project, &dir(home.join(fine), "read-write")));
    }
}

#[test]
fn a_place_is_known_through_links() {
    let project = granting("");
    let home = project.home();
    let state = home.join(".local/state/hookbox");
    fs::create_dir_all(&state).unwrap();
    symlink(&home, project.dir().join("home-link")).unwrap();
    symlink(&state, project.dir().join("state-link")).unwrap();
    assert_refused(&ask(&project, &dir("home-link", "read")), "it contains `");
    assert_refused(&ask(&project, &dir("state-link", "read")), "it is `");
    assert_refused(&ask(&project, &dir("../home/x/..", "read")), "No such file");
    assert_refused(&ask(&project, &dir("../home", "read")), "it contains `");
    // The place itself is a link, as with dotfiles in a repository.
    let dotfiles = project.home().with_file_name("dotfiles");
    fs::create_dir_all(dotfiles.join("agents")).unwrap();
    fs::rename(home.join(".agents/guard.wasm"), dotfiles.join("agents/guard.wasm")).unwrap();
    fs::remove_dir_all(home.join(".agents")).unwrap();
    symlink(dotfiles.join("agents"), home.join(".agents")).unwrap();
    assert_refused(&ask(&project, &dir(&dotfiles, "read")), "it contains `");
    assert_refused(&ask(&project, &dir(dotfiles.join("agents"), "read")), "it is `");
    assert_given(&ask(&project, &dir(".", "read")));
}

#[test]
fn a_place_is_known_by_a_mount_of_it() {
    let project = granting("");
    let home = project.home();
    let mounted = project.dir().join("mounted");
    fs::create_dir_all(home.join(".local/state/hookbox/trust")).unwrap();
    fs::create_dir_all(&mounted).unwrap();
    for (source, granted, how) in
        [(".local", "", "contains"), (".local/state/hookbox", "", "is"), (".local/state/hookbox", "trust", "lies in")]
    {
        project.write("home/.agents/hooks.toml", hook(&dir(mounted.join(granted), "read")));
        let script = "mount --bind \"$1\" mounted && shift && exec \"$@\"";
        let mut command = assert_cmd::Command::new("unshare");
        command.args(["-r", "-m", "sh", "-c", script, "sh"]).arg(home.join(source));
        command.arg(assert_cmd::cargo::cargo_bin("hookbox")).arg("run").current_dir(project.dir()).env("HOME", &home);
        let ran = run(command.write_stdin(CALL));
        if ran.stdout.is_empty() {
            eprintln!("skipped: nothing can be mounted here: {}", ran.stderr);
            return;
        }
        assert_refused(&ran, &format!("it {how} `"));
    }
}

#[test]
fn places_that_the_environment_names_count_beside_the_usual_ones() {
    let project = granting("");
    let elsewhere = project.home().with_file_name("elsewhere");
    let ask = |path: &Path| {
        project.write("home/.agents/hooks.toml", hook(&dir(path, "read")));
        let mut command = assert_cmd::Command::cargo_bin("hookbox").unwrap();
        for (name, value) in [("STATE", "state"), ("CACHE", "cache"), ("CONFIG", "config")] {
            command.env(format!("XDG_{name}_HOME"), elsewhere.join(value));
        }
        run(command.arg("run").current_dir(project.dir()).env("HOME", project.home()).write_stdin(CALL))
    };
    for (path, how) in [
        ("state", "contains"),
        ("cache/hookbox/sub", "lies in"),
        ("config/hookbox", "is"),
        ("config/hygge", "is"),
        ("config/ub", "is"),
        ("../home/.local", "contains"),
        ("../home/.cache", "contains"),
        ("../home/.config", "contains"),
    ] {
        fs::create_dir_all(elsewhere.join(path)).unwrap();
        assert_refused(&ask(&elsewhere.join(path)), &format!("it {how} `"));
    }
    fs::create_dir_all(elsewhere.join("config/other")).unwrap();
    assert_given(&ask(&elsewhere.join("config/other")));
}

#[test]
fn another_app_or_a_named_config_changes_none_of_it() {
    let project = granting("");
    let home = project.home();
    for path in [".config/other", ".config/hookbox", ".config/hygge", ".local/state/hookbox"] {
        fs::create_dir_all(home.join(path)).unwrap();
        project.write("home/.agents/hooks.toml", hook(&dir(home.join(path), "read")));
        assert_refused(&project.run(&["run", "--app", "other"], CALL), "it is `");
    }
    let config = project.write("project/my.toml", hook(&dir(home.join(".local"), "read")));
    project.write("project/guard.wasm", allowing());
    let named = ["run", "--no-cache", "--config", config.to_str().unwrap()];
    assert_refused(&project.run(&named, CALL), "it contains `");
}

#[test]
fn a_config_and_what_it_names_is_not_granted_to_be_changed() {
    let project = Project::new();
    project.write("project/policies/guard.wasm", allowing());
    let refused = |dirs: &str| {
        let text = hook(dirs).replace("guard.wasm", "policies/guard.wasm");
        let config = project.write("project/conf/hooks.toml", text.replace("policies/", "../policies/"));
        project.run(&["run", "--config", config.to_str().unwrap()], CALL)
    };
    for (path, file) in [(".", "conf/hooks.toml"), ("conf", "conf/hooks.toml"), ("policies", "policies/guard.wasm")] {
        let file = project.dir().join(file);
        assert_refused(&refused(&dir(path, "read-write")), &format!("it contains `{}`", file.display()));
        assert_given(&refused(&dir(path, "read")));
    }
    fs::create_dir_all(project.dir().join("conf/data")).unwrap();
    assert_given(&refused(&dir("conf/data", "read-write")));
    // A link that leads to a named file could be redirected.
    fs::create_dir(project.dir().join("links")).unwrap();
    symlink("../policies/guard.wasm", project.dir().join("links/guard.wasm")).unwrap();
    project.write(
        "project/conf/hooks.toml",
        hook(&dir("links", "read-write")).replace("guard.wasm", "../links/guard.wasm"),
    );
    assert_refused(&project.run(&["run", "--config", "conf/hooks.toml"], CALL), "it contains `");
}

#[test]
fn a_project_s_hooks_are_not_granted_to_be_changed_once_they_count() {
    let project = granting("");
    project.write("project/.agents/hooks.toml", "[hooks.p]\nevents = [\"pre_tool\"]\ncommand = \"tools/p.sh\"\n");
    project.script("project/tools/p.sh", "exit 0");
    fs::create_dir_all(project.dir().join(".agents/data")).unwrap();
    let ask = |path: &str, args: &[&str]| {
        project.write("home/.agents/hooks.toml", hook(&dir(path, "read-write")));
        project.run(&[&["run"], args].concat(), CALL)
    };
    for (path, words) in [(".", "contains"), (".agents/data", "lies in"), ("tools", "contains")] {
        assert_refused(&ask(path, &["--trust-all"]), &format!("it {words} `"));
        // An untrusted clone must not stop the user's hooks.
        assert_eq!(ask(path, &[]).status, 0, "{path}");
    }
}

#[test]
fn a_directory_is_not_granted_twice_with_different_access() {
    let project = granting("");
    fs::create_dir_all(project.dir().join("a/b")).unwrap();
    symlink("a", project.dir().join("link")).unwrap();
    let two = |first: (&str, &str), second: (&str, &str)| {
        let second = dir(second.0, second.1).replace("/granted", "/second");
        ask(&project, &format!("{}, {second}", dir(first.0, first.1)))
    };
    for (first, second) in [("a", "a"), ("a", "link"), ("a/b", "a"), ("a", "a/b"), ("a/b", "link"), ("a/b/..", "a")] {
        assert_refused(&two((first, "read"), (second, "read-write")), "with different access");
        assert_given(&two((first, "read"), (second, "read")));
        assert_given(&two((first, "read-write"), (second, "read-write")));
    }
    fs::create_dir(project.dir().join("ab")).unwrap();
    assert_given(&two(("a", "read"), ("ab", "read-write")));
}
