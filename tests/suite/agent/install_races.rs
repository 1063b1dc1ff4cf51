//! What installing does not lose: what others write at the same time, and the owners of the files.

use super::install::{SETTINGS, claude, done, files, install};
use crate::support::project::Project;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::process::{Command, Stdio};

#[test]
fn what_was_changed_during_the_question_is_not_overwritten() {
    for (command, first) in [("install", false), ("uninstall", true)] {
        let project = Project::new();
        project.write("home/.claude/settings.json", SETTINGS);
        if first {
            install(&project, "claude");
        }
        let mut terminal = project.terminal(&[command, "claude"]);
        terminal.wait_for("[y/N]");
        let changed = r#"{"permissions": {"deny": ["Read(./.env)"]}}"#;
        fs::write(claude(&project), changed).unwrap();
        terminal.type_line("y");
        terminal.wait_for("changed in the meantime");
        assert_eq!(fs::read_to_string(claude(&project)).unwrap(), changed, "{command}");
    }
}

#[test]
fn a_file_that_came_or_went_during_the_question_stays_so() {
    let project = Project::new();
    let mut terminal = project.terminal(&["install", "claude"]);
    terminal.wait_for("[y/N]");
    project.write("home/.claude/settings.json", "{}");
    terminal.type_line("y");
    terminal.wait_for("changed in the meantime");
    assert_eq!(fs::read_to_string(claude(&project)).unwrap(), "{}");
    let mut terminal = project.terminal(&["install", "claude"]);
    terminal.wait_for("[y/N]");
    fs::remove_file(claude(&project)).unwrap();
    terminal.type_line("y");
    terminal.wait_for("changed in the meantime");
    assert!(!claude(&project).exists());
}

#[test]
fn what_killed_ones_left_behind_is_cleared() {
    for agent in ["claude", "copilot", "cline"] {
        let project = Project::new();
        install(&project, agent);
        let expected = files(&project);
        let dir = expected[0].parent().unwrap();
        for (name, text) in
            [(".hookbox-a1B2c3.tmp", "{"), (".tmpa1B2c3", "{\"command\": \"/bin/hookbox hook claude\"}")]
        {
            fs::write(dir.join(name), text).unwrap();
        }
        // This is another program's file.
        fs::write(dir.join(".tmpd4E5f6"), "mine").unwrap();
        install(&project, agent);
        let mut left = files(&project);
        left.retain(|file| !file.ends_with(".tmpd4E5f6"));
        assert_eq!(left, expected, "{agent}");
        assert!(dir.join(".tmpd4E5f6").exists());
    }
}

#[test]
fn concurrent_ones_lose_nothing() {
    let project = Project::new();
    project.write("home/.claude/settings.json", SETTINGS);
    let children: Vec<_> = (0..8)
        .map(|number| {
            let mut command = Command::new(assert_cmd::cargo::cargo_bin("hookbox"));
            let policies = ["no-destructive-commands", "no-secret-leaks", "protect-paths", "mcp-guard"];
            match number % 2 {
                0 => command.args(["install", "claude", "--yes"]),
                _ => command.args(["add", policies[number / 2]]),
            };
            command.current_dir(project.dir()).env("HOME", project.home()).env_remove("XDG_CONFIG_HOME");
            command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
        })
        .collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    let settings = fs::read_to_string(claude(&project)).unwrap();
    assert!(settings.contains("mine.sh") && settings.contains("hook claude"), "{settings}");
}

#[test]
fn another_users_files_stay_theirs() {
    if !rustix::process::geteuid().is_root() {
        return;
    }
    const USER: u32 = 12345;
    let project = Project::new();
    chown(project.home(), Some(USER), Some(USER)).unwrap();
    project.write("home/.claude/settings.json", SETTINGS);
    for path in [project.home().join(".claude"), claude(&project)] {
        chown(path, Some(USER), Some(USER)).unwrap();
    }
    fs::set_permissions(claude(&project), fs::Permissions::from_mode(0o600)).unwrap();
    let home = project.home();
    let home = home.to_str().unwrap();
    for args in [
        &["install", "claude", "--yes", "--home", home][..],
        &["install", "gemini", "--yes", "--home", home],
        &["install", "cline", "--yes", "--home", home],
        &["add", "protect-paths", "--home", home],
        &["add", "no-secret-leaks", "--home", home],
        &["uninstall", "gemini", "--yes", "--home", home],
    ] {
        done(project.run(args, ""));
    }
    assert_eq!(fs::metadata(claude(&project)).unwrap().mode() & 0o777, 0o600);
    fn walk(path: &std::path::Path, seen: &mut usize) {
        let meta = fs::symlink_metadata(path).unwrap();
        assert_eq!((meta.uid(), meta.gid()), (USER, USER), "{}", path.display());
        *seen += 1;
        if meta.is_dir() {
            fs::read_dir(path).unwrap().for_each(|entry| walk(&entry.unwrap().path(), seen));
        }
    }
    let mut seen = 0;
    walk(&project.home(), &mut seen);
    assert!(seen > 8, "{seen}");
}
