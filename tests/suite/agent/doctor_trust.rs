//! What `hookbox doctor` starts and reads, and what it leaves alone.

use super::before_tool;
use super::effects::{self, Effect};
use super::install::{done, install};
use crate::support::project::{Project, Ran, run};
use hookbox::agent::Reply;
use serde_json::{Value, json};
use std::fs;
use std::net::TcpListener;
use std::path::Path;

const GUARD: &str = "[hooks.guard]\nevents = [\"pre_tool\"]\ncommand = \"true\"\n";

/// Runs hookbox with these variables, and with no others that say where files are.
fn hookbox(project: &Project, args: &[&str], variables: &[(&str, &str)], stdin: &str) -> Ran {
    let mut command = assert_cmd::Command::cargo_bin("hookbox").unwrap();
    command.args(args).current_dir(project.dir()).env("HOME", project.home());
    for name in ["XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "HOOKBOX_TOKEN", "HTTP_PROXY", "http_proxy"] {
        command.env_remove(name);
    }
    run(command.envs(variables.iter().copied()).write_stdin(stdin))
}

/// Returns the exit status of the doctor, its findings about the agent, and the problems among them.
fn doctor(project: &Project, agent: &str, variables: &[(&str, &str)]) -> (i32, Value, String) {
    let ran = hookbox(project, &["doctor", agent, "--format", "json"], variables, "");
    let examined = ran.json()["agents"][0].clone();
    let problems = examined["problems"].to_string();
    (ran.status, examined, problems)
}

fn path_with_hookbox() -> String {
    let hookbox = assert_cmd::cargo::cargo_bin("hookbox");
    format!("{}:{}", hookbox.parent().unwrap().display(), std::env::var("PATH").unwrap())
}

/// Replaces this text in a file, which must have it.
fn edit(path: &Path, from: &str, to: &str) {
    let text = fs::read_to_string(path).unwrap();
    assert!(text.contains(from), "{text}");
    fs::write(path, text.replace(from, to)).unwrap();
}

#[test]
fn nothing_that_a_project_names_is_started() {
    for (agent, file, from, to) in [
        ("claude", ".claude/settings.json", "\"hookbox hook claude\"", "\"touch trace; hookbox hook claude\""),
        ("claude", ".claude/settings.json", "\"hookbox hook claude\"", "\"./hookbox hook claude\""),
        ("copilot", ".github/hooks/hookbox.json", "\"hookbox hook copilot\"", "\"touch trace; hookbox hook copilot\""),
        ("cline", ".cline/hooks/PreToolUse", "exec hookbox", "touch trace; exec hookbox"),
        ("opencode", ".opencode/plugins/hookbox.js", "[\"hookbox\",", "[\"./hookbox\","),
    ] {
        let project = Project::new().user(GUARD);
        project.script("project/hookbox", "touch trace");
        done(project.run(&["install", agent, "--project", "--yes"], ""));
        edit(&project.dir().join(file), from, to);
        let (status, _, problems) = doctor(&project, agent, &[("PATH", &path_with_hookbox())]);
        let is_told = problems.contains("was not tried, because it is the project's") && problems.contains(file);
        assert!(status == 1 && is_told, "{agent}: {problems}");
        assert!(!project.dir().join("trace").exists(), "{agent}: {to}");
    }
    // The variable makes files of the project those of the user.
    let project = Project::new().user(GUARD);
    let own =
        json!({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "touch trace; hookbox hook claude"}]}]}});
    let file = project.write("project/own/settings.json", own.to_string());
    let dir = file.parent().unwrap().to_str().unwrap();
    let (_, _, problems) = doctor(&project, "claude", &[("CLAUDE_CONFIG_DIR", dir)]);
    assert!(problems.contains("was not tried") && !project.dir().join("trace").exists(), "{problems}");
}

#[test]
fn what_install_writes_into_a_project_is_started() {
    for agent in ["claude", "cline", "opencode"] {
        let project = Project::new().user(GUARD);
        done(project.run(&["install", agent, "--project", "--yes"], ""));
        project.script("project/hookbox", "touch trace");
        let (_, examined, problems) = doctor(&project, agent, &[("PATH", &path_with_hookbox())]);
        assert!(examined["denies"] == true && !problems.contains("was not tried"), "{agent}: {examined:#}");
        // The project's own program comes first.
        let path = format!(".:{}", path_with_hookbox());
        let (_, examined, problems) = doctor(&project, agent, &[("PATH", &path)]);
        assert!(examined["denies"].is_null() && problems.contains("PATH has a relative"), "{agent}: {examined:#}");
        assert!(!project.dir().join("trace").exists(), "{agent}");
    }
}

#[test]
fn the_token_goes_to_no_other_server() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let server = format!("http://{}", listener.local_addr().unwrap());
    for (place, path) in
        [("home", "/x/v1/agents/claude"), ("home", "/v1/agents/claude/"), ("project", "/v1/agents/claude")]
    {
        let project = Project::new().user(GUARD);
        install(&project, "claude");
        done(hookbox(&project, &["install", "claude", "--http", &server, "--yes"], &[], ""));
        let from = project.home().join(".claude/settings.json");
        edit(&from, "/v1/agents/claude\"", &format!("{path}\""));
        if place == "project" {
            let text = fs::read_to_string(&from).unwrap();
            project.write("project/.claude/settings.json", text);
            fs::remove_file(&from).unwrap();
        }
        let (status, examined, problems) = doctor(&project, "claude", &[("HOOKBOX_TOKEN", "a-token-of-the-user")]);
        assert!(status == 1 && examined["denies"] != true, "{place}{path}: {examined:#}");
        assert!(problems.contains("was not asked") || problems.contains("was not tried"), "{place}{path}: {problems}");
        assert!(listener.accept().is_err(), "{place}{path}: the server was asked");
    }
}

#[test]
fn the_config_of_the_command_in_the_settings_counts() {
    let project = Project::new();
    install(&project, "claude");
    let settings = project.home().join(".claude/settings.json");
    let written = fs::read_to_string(&settings).unwrap();
    let guard = project.write("home/team.toml", GUARD);
    let empty = project.write("home/empty.toml", "");
    let reads = |file: &Path| {
        fs::write(&settings, &written).unwrap();
        edit(&settings, "hook claude ", &format!("hook claude --config {} ", file.display()));
        hookbox(&project, &["doctor", "claude"], &[], "")
    };
    let well = reads(&guard);
    assert!(well.status == 0 && well.stdout.contains("1 hook is configured"), "{well:?}");
    project.write("home/.agents/hooks.toml", GUARD);
    let ran = reads(&empty);
    assert!(ran.status == 1 && ran.stdout.contains("no hooks are configured"), "{ran:?}");
    // The arguments of the doctor do not hide that.
    let given = hookbox(&project, &["doctor", "claude", "--config", guard.to_str().unwrap()], &[], "");
    assert!(given.status == 1 && given.stdout.contains("so everything is allowed"), "{given:?}");
    // What cannot be read is told, too, and the rest of the report is there.
    fs::write(&settings, written.replace("hook claude ", "hook claude --project /nonexistent ")).unwrap();
    let (status, _, problems) = doctor(&project, "claude", &[]);
    assert!(status == 1 && problems.contains("reads is not known: the project directory"), "{problems}");
    fs::write(&settings, written.replace("hook claude ", "hook claude --project $(pwd) ")).unwrap();
    let (status, _, problems) = doctor(&project, "claude", &[]);
    assert!(status == 1 && problems.contains("is not known"), "{problems}");
}

#[test]
fn a_config_that_was_moved_after_the_installation_is_missed() {
    let project = Project::new();
    install(&project, "claude");
    let config = project.write("home/xdg/hookbox/hooks.toml", GUARD).canonicalize().unwrap();
    let xdg = project.home().join("xdg").display().to_string();
    let variables = [("XDG_CONFIG_HOME", xdg.as_str())];
    let home = project.home().display().to_string();
    let ask = || {
        let payload = before_tool("claude", "Bash", &json!({"command": "ls"})).to_string();
        let ran = hookbox(&project, &["hook", "claude", "--home", &home], &variables, &payload);
        let mut reply = Reply::silence();
        reply.status = u8::try_from(ran.status).unwrap();
        (reply.stdout, reply.stderr) = (ran.stdout, ran.stderr);
        effects::before_tool("claude", &json!({"command": "ls"}), &reply)
    };
    let (status, _, problems) = doctor(&project, "claude", &variables);
    assert!(status == 1 && problems.contains("$XDG_CONFIG_HOME names"), "{problems}");
    assert_eq!(ask(), Effect::Stopped);
    // With a config in the usual place, only the doctor misses the other one.
    project.write("home/.agents/hooks.toml", GUARD);
    let (status, _, problems) = doctor(&project, "claude", &variables);
    let is_told = problems.contains("does not read") && problems.contains(config.to_str().unwrap());
    assert!(status == 1 && is_told && problems.contains("run `hookbox install claude`"), "{problems}");
    assert_eq!(ask(), Effect::Runs);
    done(hookbox(&project, &["install", "claude", "--yes"], &variables, ""));
    assert_eq!(doctor(&project, "claude", &variables).2, "[]");
}

#[test]
fn a_plugin_that_was_changed_is_not_believed() {
    let project = Project::new().user(GUARD);
    install(&project, "opencode");
    assert_eq!(doctor(&project, "opencode", &[]).2, "[]");
    edit(&project.home().join(".config/opencode/plugins/hookbox.js"), "throw ", "void ");
    let (status, examined, problems) = doctor(&project, "opencode", &[]);
    assert_eq!((status, &examined["denies"]), (1, &json!(false)), "{examined:#}");
    assert!(problems.contains("was changed: run `hookbox install opencode`"), "{problems}");
    install(&project, "opencode");
    assert_eq!(doctor(&project, "opencode", &[]).2, "[]");
}

#[test]
fn what_is_no_file_is_not_waited_for() {
    let project = Project::new().user(GUARD);
    install(&project, "codex");
    let record = project.home().join(".codex/config.toml");
    assert!(std::process::Command::new("mkfifo").arg(record).status().unwrap().success());
    let (status, _, problems) = doctor(&project, "codex", &[]);
    assert!(status == 1 && problems.contains("is not a settings file"), "{problems}");
}

#[test]
fn a_config_that_is_gone_is_named_with_what_to_do() {
    let project = Project::new().user(GUARD);
    install(&project, "claude");
    // The first call records that the config is there.
    assert_eq!(hookbox(&project, &["doctor", "claude"], &[], "").status, 0);
    fs::remove_file(project.home().join(".agents/hooks.toml")).unwrap();
    let ran = hookbox(&project, &["doctor", "claude"], &[], "");
    assert!(ran.status == 1 && ran.stdout.contains("run `hookbox trust --gone`"), "{ran:?}");
    assert!(ran.stdout.contains("calls are denied all the same"), "{ran:?}");
}
