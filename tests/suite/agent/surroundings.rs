//! Variables that a project sets in the environment of its agent do not decide which hooks are asked.

use super::before_tool;
use super::effects::{self, Effect};
use crate::support::is_root;
use crate::support::project::{Project, Ran, run};
use hookbox::agent::Reply;
use serde_json::json;
use std::fs;
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

const DENY: &str = r#"[hooks.user]
events = ["pre_tool"]
command = "sh"
args = ["-c", 'echo "{\"decision\":\"deny\",\"reason\":\"by the user\"}"']
"#;

fn effect(ran: &Ran) -> Effect {
    let mut reply = Reply::silence();
    reply.stdout.clone_from(&ran.stdout);
    reply.stderr.clone_from(&ran.stderr);
    reply.status = u8::try_from(ran.status).unwrap();
    effects::before_tool("claude", &json!({"command": "ls"}), &reply)
}

fn payload(cwd: &Path) -> String {
    let mut payload = before_tool("claude", "Bash", &json!({"command": "ls"}));
    payload["cwd"] = json!(cwd);
    payload.to_string()
}

/// Runs `hookbox hook claude` with these arguments and variables, in a subdirectory of a project without a config.
fn ask(project: &Project, args: &[&str], variables: &[(&str, PathBuf)]) -> Ran {
    let cwd = project.dir().join("sub");
    fs::create_dir_all(&cwd).unwrap();
    let mut command = assert_cmd::Command::cargo_bin("hookbox").unwrap();
    command.args(["hook", "claude"]).args(args).current_dir(&cwd);
    for name in ["XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"] {
        command.env_remove(name);
    }
    run(command.envs(variables.iter().cloned()).write_stdin(payload(&cwd)))
}

/// Returns what a project would make the agent's environment say.
fn lies(project: &Project) -> Vec<(&'static str, PathBuf)> {
    let dir = project.dir();
    project.write("project/.git/HEAD", "ref: refs/heads/main");
    project.write("project/cfg/hookbox/hooks.toml", trap(project));
    project.write("project/h/.agents/hooks.toml", trap(project));
    // This is the directory of the agent.
    project.write("project/sub/.config/hookbox/hooks.toml", trap(project));
    vec![
        ("XDG_CONFIG_HOME", dir.join("cfg")),
        ("XDG_CONFIG_HOME", PathBuf::from("/nonexistent")),
        ("XDG_CONFIG_HOME", PathBuf::from("cfg")),
        ("XDG_STATE_HOME", dir.join("st")),
        ("XDG_CACHE_HOME", dir.join("ca")),
        ("HOME", dir.join("h")),
        ("HOME", PathBuf::from("/proc/self/cwd")),
        ("HOME", PathBuf::from("/nonexistent")),
        ("HOME", PathBuf::new()),
    ]
}

/// Returns a config that leaves a trace when its command runs.
fn trap(project: &Project) -> String {
    let trace = project.dir().join("trace");
    format!("[hooks.trap]\nevents = [\"pre_tool\"]\ncommand = \"touch\"\nargs = [{:?}]\n", trace.display().to_string())
}

#[test]
fn where_install_has_written_the_home_directory_no_variable_counts() {
    let project = Project::new();
    project.write("home/.config/hookbox/hooks.toml", DENY);
    let home = project.home();
    for lie in lies(&project) {
        let ran = ask(&project, &["--home", home.to_str().unwrap()], std::slice::from_ref(&lie));
        assert_eq!(effect(&ran), Effect::Stopped, "{lie:?}: {ran:?}");
        assert!(ran.stdout.contains("by the user"), "{lie:?}: {ran:?}");
        assert!(!project.dir().join("trace").exists(), "{lie:?}");
    }
}

#[test]
fn without_it_the_home_directory_is_the_one_that_the_system_knows() {
    let project = Project::new();
    for lie in lies(&project) {
        let ran = ask(&project, &[], std::slice::from_ref(&lie));
        let names_a_config = lie.1.join("hookbox/hooks.toml").exists() || lie.1.join(".agents/hooks.toml").exists();
        if lie.1.is_absolute() && names_a_config {
            assert_eq!(effect(&ran), Effect::Stopped, "it may be the user's: {lie:?}: {ran:?}");
            assert!(ran.stdout.contains(lie.0) && ran.stdout.contains("hookbox install"), "{ran:?}");
        }
        assert!(!project.dir().join("trace").exists(), "{lie:?}");
        assert!(!project.dir().join("st").exists() && !project.dir().join("ca").exists(), "{lie:?}");
    }
}

/// Returns the home directory of whoever runs the tests, as the system knows it.
fn home_of_system() -> PathBuf {
    let user = rustix::process::geteuid().as_raw().to_string();
    let users = fs::read_to_string("/etc/passwd").unwrap();
    let mut lines = users.lines().map(|line| line.split(':').collect::<Vec<_>>());
    lines.find(|line| line[2] == user).map(|line| PathBuf::from(line[5])).unwrap()
}

#[test]
fn where_hookbox_is_not_set_up_the_environment_names_the_home_directory() {
    let system = home_of_system();
    let is_there = |file: &str| system.join(file).exists();
    if [".agents/hooks.toml", ".config/hookbox/hooks.toml", ".local/state/hookbox/configs"].into_iter().any(is_there) {
        return;
    }
    for config in ["home/.agents/hooks.toml", "home/.config/hookbox/hooks.toml", "home/xdg/hookbox/hooks.toml"] {
        let project = Project::new();
        project.write(config, DENY);
        let home = project.home();
        let mut variables = vec![("HOME", home.clone())];
        if config.contains("xdg") {
            variables.push(("XDG_CONFIG_HOME", home.join("xdg")));
        }
        let ran = ask(&project, &[], &variables);
        assert_eq!(effect(&ran), Effect::Stopped, "{config}: {ran:?}");
        assert!(ran.stdout.contains("by the user"), "{config}: {ran:?}");
        // A project that can set variables makes itself the home directory.
        project.write(".env", "HOME=home");
        let ran = ask(&project, &[], &variables);
        assert!(effect(&ran) == Effect::Stopped && ran.stdout.contains("hookbox install"), "{config}: {ran:?}");
    }
}

/// With variables, a clone could make its own config that of the user, whose hooks run.
#[test]
fn the_root_of_a_clone_is_no_home_directory() {
    for mark in ["project/.git/HEAD", "project/.github/workflows/ci.yml"] {
        let project = Project::new();
        project.write(mark, "");
        project.write("project/.agents/hooks.toml", trap(&project));
        let ran = ask(&project, &[], &[("HOME", project.dir())]);
        assert!(!project.dir().join("trace").exists(), "{mark}: {ran:?}");
        assert!(effect(&ran) == Effect::Stopped && ran.stdout.contains("HOME"), "{mark}: {ran:?}");
    }
}

/// The system knows no home directory of this user, so the project names one, with a file that turns hookbox off.
#[test]
fn a_home_directory_in_a_project_does_not_turn_hookbox_off() {
    const USER: u32 = 4711;
    if !is_root() {
        return;
    }
    let project = Project::new();
    project.write("project/.git/HEAD", "");
    let time = |time: SystemTime| humantime::format_rfc3339_millis(time).to_string();
    let (since, until) = (SystemTime::now() - Duration::from_secs(60), SystemTime::now() + Duration::from_secs(600));
    let off = json!({"since": time(since), "until": time(until), "why": "a test", "who": "me"}).to_string();
    let file = project.write("project/h/.local/state/hookbox/off", off);
    let state = file.parent().unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    fs::set_permissions(state, fs::Permissions::from_mode(0o700)).unwrap();
    // The other user must reach these directories, and the program.
    fs::set_permissions(project.home().parent().unwrap(), fs::Permissions::from_mode(0o755)).unwrap();
    for path in file.ancestors().take_while(|path| *path != project.dir()) {
        chown(path, Some(USER), Some(USER)).unwrap();
    }
    let program = project.home().join("hookbox");
    // Another process writes the copy: a file that this process has open for writing cannot be executed.
    let mut copy = assert_cmd::Command::new("cp");
    copy.arg(assert_cmd::cargo::cargo_bin("hookbox")).arg(&program).assert().success();
    let mut command = assert_cmd::Command::new("setpriv");
    command.args(["--reuid", "4711", "--regid", "4711", "--clear-groups"]).arg(&program).args(["hook", "claude"]);
    command.current_dir(project.dir()).env("HOME", project.dir().join("h")).env_remove("XDG_STATE_HOME");
    let ran = run(command.write_stdin(payload(&project.dir())));
    assert_eq!(effect(&ran), Effect::Stopped, "{ran:?}");
}

#[test]
fn install_writes_down_where_the_files_of_the_user_are() {
    let project = Project::new();
    let elsewhere = project.write("my config/hookbox/hooks.toml", DENY);
    let config_home = elsewhere.parent().unwrap().parent().unwrap();
    let mut command = assert_cmd::Command::cargo_bin("hookbox").unwrap();
    command.args(["install", "claude", "--yes"]).current_dir(project.dir()).env("HOME", project.home());
    command.env("XDG_CONFIG_HOME", config_home).env_remove("XDG_STATE_HOME").env_remove("XDG_CACHE_HOME");
    command.env_remove("CLAUDE_CONFIG_DIR");
    assert_eq!(run(&mut command).status, 0);
    let settings = fs::read_to_string(project.home().join(".claude/settings.json")).unwrap();
    let settings: serde_json::Value = serde_json::from_str(&settings).unwrap();
    let line = settings["hooks"]["PreToolUse"][0]["hooks"][0]["command"].as_str().unwrap();
    for lie in lies(&project) {
        let mut command = assert_cmd::Command::new("sh");
        command.args(["-c", line]).current_dir(project.dir()).env(lie.0, &lie.1).write_stdin(payload(&project.dir()));
        let ran = run(&mut command);
        assert!(effect(&ran) == Effect::Stopped && ran.stdout.contains("by the user"), "{lie:?}: {line}: {ran:?}");
    }
}

#[test]
fn a_config_that_is_gone_is_missed() {
    for file in ["home/.agents/hooks.toml", "home/.config/hookbox/hooks.toml"] {
        let project = Project::new();
        let allow = DENY.replace("deny", "allow");
        let path = project.write(file, &allow);
        let ask = || project.run(&["hook", "claude"], &payload(&project.dir()));
        assert_eq!(effect(&ask()), Effect::Runs);
        fs::rename(&path, project.home().join("away")).unwrap();
        for _ in 0..2 {
            let ran = ask();
            assert_eq!(effect(&ran), Effect::Stopped, "{ran:?}");
            assert!(ran.stdout.contains("gone") && ran.stdout.contains("hookbox trust --gone"), "{ran:?}");
        }
        let checked = project.run(&["check"], "");
        assert!(checked.status == 1 && checked.stderr.contains("was there when an agent asked"), "{checked:?}");
        let told = project.run(&["run"], r#"{"event":"pre_tool","tool_name":"bash","tool_input":{}}"#);
        assert!(told.json()["warnings"].to_string().contains("is gone"), "{told:?}");
        let ran = project.run(&["trust", "--gone"], "");
        assert_eq!(ran.status, 1, "no person says so: {ran:?}");
        assert_eq!(effect(&ask()), Effect::Stopped);
        project.write(file, &allow);
        assert_eq!(effect(&ask()), Effect::Runs);
        assert_eq!(
            effect(&Project::new().run(&["hook", "claude"], &payload(&project.dir()))),
            Effect::Runs,
            "never there"
        );
    }
}

#[test]
fn a_memory_of_configs_that_was_emptied_is_missed() {
    let project = Project::new();
    project.write("home/.agents/hooks.toml", DENY.replace("deny", "allow"));
    let ask = || project.run(&["hook", "claude"], &payload(&project.dir()));
    assert_eq!(effect(&ask()), Effect::Runs);
    let memory = project.home().join(".local/state/hookbox/configs");
    fs::write(&memory, "").unwrap();
    let ran = ask();
    assert!(effect(&ran) == Effect::Stopped && ran.stdout.contains("hookbox trust --gone"), "{ran:?}");
}

/// The hooks of the project above the directory are asked.
#[test]
fn a_working_directory_that_was_deleted_is_no_reason_to_stop() {
    let allow = DENY.replace("deny", "allow");
    for (config, expected) in [(allow.as_str(), Effect::Runs), (DENY, Effect::Stopped)] {
        let project = Project::new().user(config);
        let gone = project.dir().join("build");
        let line = format!("mkdir {0}; cd {0}; rmdir {0}; exec \"$0\" hook claude --home \"$HOME\"", gone.display());
        let mut command = assert_cmd::Command::new("sh");
        command.args(["-c", &line]).arg(assert_cmd::cargo::cargo_bin("hookbox")).env("HOME", project.home());
        let ran = run(command.write_stdin(payload(&gone)));
        assert!(effect(&ran) == expected && !ran.stdout.contains("E701"), "{ran:?}");
    }
}
