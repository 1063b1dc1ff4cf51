//! docker-agent's builtins that read the project: what a hostile project cannot make them do.

use crate::support::project::Project;
use std::path::Path;
use std::process::Command;

/// Returns the context of one `turn_start` with this hook.
fn told(project: &Project, hook: &str) -> String {
    let config = format!("hooks:\n  turn_start:\n    - {{type: builtin, {hook}}}\n");
    project.write("project/agent.yaml", config);
    let cwd = project.dir();
    let payload = serde_json::json!({ "hook_event_name": "turn_start", "session_id": "s", "cwd": cwd }).to_string();
    let ran = project.run(&["run", "--dialect", "docker-agent", "--config", "agent.yaml", "--answer"], &payload);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    ran.stdout
}

fn git(dir: &Path, args: &[&str]) {
    let who = ["-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgSign=false"];
    let ran = Command::new("git").arg("-C").arg(dir).args(who).args(args).output().unwrap();
    assert!(ran.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&ran.stderr));
}

#[test]
fn a_prompt_file_is_not_a_link_to_the_users_files() {
    let project = Project::new();
    let key = project.write("home/key", "top secret");
    project.write("project/other.md", "inside");
    std::os::unix::fs::symlink("other.md", project.dir().join("near.md")).unwrap();
    std::os::unix::fs::symlink(&key, project.dir().join("far.md")).unwrap();
    let told = told(&project, "command: add_prompt_files, args: [near.md, far.md, ../home/key]");
    assert!(told.contains("inside"), "{told}");
    assert!(!told.contains("top secret"), "{told}");
}

#[test]
fn git_runs_no_program_that_a_repository_names() {
    for (setting, attributes) in [
        ("filter.own.clean", "*.txt filter=own"),
        ("filter.own.process", "*.txt filter=own"),
        ("diff.own.textconv", "*.txt diff=own"),
        ("diff.own.command", "*.txt diff=own"),
        ("diff.external", ""),
        ("core.fsmonitor", ""),
        ("core.pager", ""),
    ] {
        let project = Project::new();
        let dir = project.dir();
        git(&dir, &["init", "--quiet"]);
        project.write("project/a.txt", "one\n");
        git(&dir, &["add", "--all"]);
        git(&dir, &["commit", "--quiet", "--message", "first"]);
        project.write("project/.gitattributes", attributes);
        project.write("project/a.txt", "two!\n");
        let ran = project.dir().join("ran");
        git(&dir, &["config", setting, &format!("touch '{}'; cat", ran.display())]);
        for hook in ["command: add_git_status", "command: add_git_diff", "command: add_git_diff, args: [full]"] {
            let told = told(&project, hook);
            assert!(!ran.exists(), "{setting}: {hook}: {told}");
        }
        // This shows that the repository is as it should be: git itself obeys the setting.
        if setting.starts_with("filter") || setting.starts_with("diff") {
            let _ = Command::new("git").arg("-C").arg(&dir).arg("diff").output().unwrap();
            assert!(ran.exists(), "{setting} has no effect, so that this test shows nothing");
        }
    }
}
