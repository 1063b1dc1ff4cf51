//! Which program `hookbox install` writes into settings.

use super::install::claude;
use crate::support::project::Project;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Links hookbox into this directory below the home directory, because a copy would be large.
fn hookbox_in(project: &Project, dir: &str) -> PathBuf {
    let program = project.home().join(dir).join("hookbox");
    fs::create_dir_all(program.parent().unwrap()).unwrap();
    if fs::hard_link(env!("CARGO_BIN_EXE_hookbox"), &program).is_err() {
        fs::copy(env!("CARGO_BIN_EXE_hookbox"), &program).unwrap();
    }
    program
}

/// Returns the program that Claude Code calls after this hookbox has installed itself, and what the installation
/// printed. `path` is the `PATH`.
fn installed(project: &Project, called: &str, path: &Path) -> (PathBuf, String) {
    let run = Command::new("/bin/sh")
        .args(["-c", &format!("{called} install claude --yes")])
        .current_dir(project.dir())
        .env_clear()
        .envs([("HOME", project.home()), ("PATH", path.to_owned())])
        .output()
        .unwrap();
    let printed = String::from_utf8(run.stdout).unwrap();
    assert!(run.status.success(), "{printed}");
    let settings: serde_json::Value = serde_json::from_str(&fs::read_to_string(claude(project)).unwrap()).unwrap();
    let command = settings["hooks"]["PreToolUse"][0]["hooks"][0]["command"].as_str().unwrap();
    (PathBuf::from(command.split_once(" hook claude").unwrap().0), printed)
}

fn version_dir() -> String {
    format!("cellar/hookbox/{}/bin", env!("CARGO_PKG_VERSION"))
}

#[test]
fn a_link_to_the_current_version_is_kept_as_the_path() {
    let project = Project::new();
    let program = hookbox_in(&project, &version_dir());
    let bin = project.home().join("bin");
    fs::create_dir(&bin).unwrap();
    let link = bin.join("hookbox");
    symlink(&program, &link).unwrap();
    for called in ["hookbox".to_owned(), link.display().to_string()] {
        let (path, printed) = installed(&project, &called, &bin);
        assert_eq!(path, link, "called as {called}");
        assert!(!printed.contains("note:"), "{printed}");
    }
}

#[test]
fn a_link_to_a_program_whose_name_has_a_version_is_kept_as_the_path() {
    let project = Project::new();
    let program = hookbox_in(&project, "cargo/bin");
    let (versioned, link) = (program.with_file_name(concat!("hookbox-v", env!("CARGO_PKG_VERSION"))), program);
    fs::rename(&link, &versioned).unwrap();
    symlink(versioned.file_name().unwrap(), &link).unwrap();
    let (path, printed) = installed(&project, "hookbox", link.parent().unwrap());
    assert_eq!(path, link);
    assert!(!printed.contains("note:"), "{printed}");
    let (path, printed) = installed(&project, &versioned.display().to_string(), Path::new("/nowhere"));
    assert_eq!(path, versioned);
    assert!(printed.contains("its path names a version"), "{printed}");
}

#[test]
fn a_link_to_a_program_that_stays_is_not_needed() {
    let project = Project::new();
    let program = hookbox_in(&project, "opt/hookbox/bin");
    symlink(&program, project.dir().join("hookbox")).unwrap();
    assert_eq!(installed(&project, "./hookbox", Path::new("/nowhere")).0, program);
}

#[test]
fn another_program_of_that_name_is_not_taken_for_the_link() {
    let project = Project::new();
    let program = hookbox_in(&project, &version_dir());
    let other = project.executable("other/hookbox", "#!/bin/sh\n");
    // The program in `PATH` is not the one that was started.
    let called = format!("exec -a hookbox {}", program.display());
    let bash = format!("bash -c '{called} install claude --yes' --");
    let (path, _) =
        installed(&project, &bash, &PathBuf::from(format!("{}:/usr/bin:/bin", other.parent().unwrap().display())));
    assert_eq!(path, program);
}

#[test]
fn a_link_in_a_project_or_where_anyone_may_write_is_not_trusted() {
    let project = Project::new();
    let program = hookbox_in(&project, &version_dir());
    let refused = |link: &Path, called: &str| {
        symlink(&program, link).unwrap();
        let (path, printed) = installed(&project, called, Path::new("/nowhere"));
        assert_eq!(path, program, "called as {called}");
        assert!(printed.contains("its path names a version"), "{printed}");
    };
    refused(&project.dir().join("hookbox"), "./hookbox");
    let repository = project.home().join("src/other");
    fs::create_dir_all(repository.join(".git")).unwrap();
    refused(&repository.join("hookbox"), &repository.join("hookbox").display().to_string());
    let shared = project.home().join("shared");
    fs::create_dir(&shared).unwrap();
    fs::set_permissions(&shared, fs::Permissions::from_mode(0o777)).unwrap();
    refused(&shared.join("hookbox"), &shared.join("hookbox").display().to_string());
}

#[test]
fn a_path_that_an_update_removes_comes_with_a_note() {
    let project = Project::new();
    let program = hookbox_in(&project, &version_dir());
    let (path, printed) = installed(&project, &program.display().to_string(), Path::new("/nowhere"));
    assert_eq!(path, program);
    assert!(printed.ends_with("its path names a version: run `hookbox install` again after an update\n"), "{printed}");
}

#[test]
fn a_path_in_a_cache_comes_with_a_note() {
    let project = Project::new();
    let program = hookbox_in(&project, ".npm/_npx/1a2b/node_modules/@hookbox/linux-x64/bin");
    let (path, printed) = installed(&project, &program.display().to_string(), Path::new("/nowhere"));
    assert_eq!(path, program);
    assert!(
        printed.ends_with("it is in a cache, which is emptied at times: install hookbox to keep it\n"),
        "{printed}"
    );
}

/// hookbox is there, as its own report shows, so the program that is missing must be named.
#[test]
fn the_program_that_doctor_does_not_find_is_the_agents() {
    for (agent, missing) in [
        ("claude", "Claude Code itself was not found: `claude` is not in PATH"),
        ("cursor", "Cursor itself was not found: `cursor-agent` is not in PATH"),
    ] {
        let project = Project::new();
        let mut doctor = assert_cmd::Command::cargo_bin("hookbox").unwrap();
        doctor.args(["doctor", agent]).current_dir(project.dir()).env("HOME", project.home()).env("PATH", "/nowhere");
        let ran = crate::support::project::run(&mut doctor);
        assert!(ran.stdout.contains(&format!("program   {missing}")), "{ran:?}");
    }
}
