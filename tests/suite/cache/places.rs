//! Where the cache is, and when it is not used.

use super::{CALL, ask, cached, denying, dir, key, only_file, verdict};
use crate::support::project::{Project, Ran};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o7777
}

fn ask_with(project: &Project, args: &[&str], env: &[(&str, &Path)]) -> Ran {
    let mut command = assert_cmd::Command::cargo_bin("hookbox").unwrap();
    command.args(["run", "-v"]).args(args).current_dir(project.dir()).env("HOME", project.home());
    for name in ["XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"] {
        command.env_remove(name);
    }
    crate::support::project::run(command.envs(env.iter().copied()).write_stdin(CALL))
}

#[test]
fn it_is_for_the_user_alone() {
    let project = cached();
    assert_eq!(mode(&dir(&project)), 0o700);
    assert_eq!(mode(&only_file(&project)), 0o600);
    assert_eq!(mode(&key(&project)), 0o600);
    assert_eq!(mode(key(&project).parent().unwrap()), 0o700);
}

#[test]
fn the_user_can_put_it_elsewhere_and_a_project_cannot() {
    let project = denying("no");
    let elsewhere = project.home().with_file_name("elsewhere");
    assert_eq!(verdict(&ask_with(&project, &[], &[("XDG_CACHE_HOME", &elsewhere)])), (true, vec![]));
    assert!(elsewhere.join("hookbox/v1").is_dir() && !dir(&project).exists());
    let inside = project.dir().join("cache");
    assert_eq!(verdict(&ask_with(&project, &[], &[("XDG_CACHE_HOME", &inside)])), (true, vec![]));
    assert!(dir(&project).is_dir() && !inside.exists());
    assert_eq!(verdict(&ask_with(&project, &[], &[("XDG_CACHE_HOME", Path::new("relative"))])), (false, vec![]));
}

#[test]
fn it_can_be_left_out() {
    let project = denying("no");
    assert_eq!(verdict(&ask_with(&project, &["--no-cache"], &[])), (true, vec![]));
    assert_eq!(verdict(&ask_with(&project, &[], &[("HOOKBOX_NO_CACHE", Path::new("1"))])), (true, vec![]));
    assert!(!dir(&project).exists() && !key(&project).exists());
    assert_eq!(verdict(&ask_with(&project, &[], &[("HOOKBOX_NO_CACHE", Path::new(""))])), (true, vec![]));
    assert_eq!(ask(&project), (false, vec![]));
}

#[test]
fn whoever_names_a_file_needs_no_home() {
    let project = denying("no");
    let config = project.home().join(".agents/hooks.toml");
    let mut command = assert_cmd::Command::cargo_bin("hookbox").unwrap();
    command.args(["run", "-v", "--config"]).arg(config).env_clear().current_dir(project.dir()).write_stdin(CALL);
    assert_eq!(verdict(&crate::support::project::run(&mut command)), (true, vec![]));
}

#[test]
fn root_leaves_nothing_in_another_user_s_home() {
    if !crate::support::is_root() {
        return;
    }
    let project = denying("no");
    std::os::unix::fs::chown(project.home(), Some(12345), None).unwrap();
    assert_eq!(ask(&project), (true, vec![]));
    assert!(!project.home().join(".cache").exists() && !project.home().join(".local").exists());
}
