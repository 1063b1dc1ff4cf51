//! `hookbox doctor`.

use crate::support::project::{Project, Ran};
use serde_json::{Value, json};
use std::fs;

const GUARD: &str = "[hooks.guard]\nevents = [\"pre_tool\"]\ncommand = \"true\"\n";

fn doctor(project: &Project, agent: &str) -> (i32, Value) {
    let ran: Ran = project.run(&["doctor", agent, "--format", "json"], "");
    (ran.status, ran.json())
}

fn installed(agent: &str) -> Project {
    let project = Project::new().user(GUARD);
    assert_eq!(project.run(&["install", agent, "--yes"], "").status, 0);
    project
}

/// Writes what Codex records once its user has reviewed these events' hooks.
fn trust(project: &Project, looked_at: impl Fn(&str) -> bool) {
    let path = project.home().join(".codex/hooks.json");
    let hooks: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    let mut state = String::from("model = \"m\"\nlast = 2026-11-22T08:00:00Z\n");
    for event in hooks["hooks"].as_object().unwrap().keys().filter(|event| looked_at(event)) {
        let snake = event.chars().fold(String::new(), |mut snake, c| {
            if c.is_uppercase() && !snake.is_empty() {
                snake.push('_');
            }
            snake.push(c.to_ascii_lowercase());
            snake
        });
        state.push_str(&format!("[hooks.state.\"{}:{snake}:0:0\"]\ntrusted_hash = \"sha256:00\"\n", path.display()));
    }
    project.write("home/.codex/config.toml", state);
}

#[track_caller]
fn problems(project: &Project, agent: &str) -> Vec<String> {
    let (status, report) = doctor(project, agent);
    let problems: Vec<String> = serde_json::from_value(report["agents"][0]["problems"].clone()).unwrap();
    assert_eq!(status == 0, problems.is_empty(), "{report:#}");
    problems
}

#[test]
fn the_command_in_the_settings_is_tried() {
    for agent in ["claude", "codex", "gemini", "copilot", "cursor", "qwen", "droid", "cline", "opencode"] {
        let project = installed(agent);
        if agent == "codex" {
            trust(&project, |_| true);
        }
        let (status, report) = doctor(&project, agent);
        let examined = &report["agents"][0];
        assert_eq!((&examined["denies"], &examined["allows"]), (&json!(true), &json!(true)), "{agent}: {report:#}");
        assert_eq!(
            (status, &report["ok"], &examined["problems"]),
            (0, &json!(true), &json!([])),
            "{agent}: {report:#}"
        );
    }
}

#[test]
fn hooks_that_only_monitor_are_told_of() {
    let project = Project::new()
        .user(&format!("{GUARD}[hooks.trial]\nevents = [\"pre_tool\"]\ncommand = \"true\"\nenforce = false\n"));
    let (_, report) = doctor(&project, "claude");
    assert_eq!((&report["config"]["hooks"], &report["config"]["monitors"]), (&json!(2), &json!(["trial"])));
    let text = project.run(&["doctor", "claude"], "").stdout;
    assert!(
        text.ends_with(
            "2 hooks are configured\n`trial` only monitors: what it decides is recorded, and stops nothing\n"
        ),
        "{text}"
    );
}

#[test]
fn an_agent_that_does_not_ask_is_told_of() {
    let project = Project::new().user(GUARD);
    let (status, report) = doctor(&project, "claude");
    assert_eq!((status, &report["agents"][0]["denies"]), (1, &Value::Null));
    assert_eq!(report["agents"][0]["problems"], json!(["it does not ask hookbox: run `hookbox install claude`"]));
}

#[test]
fn a_command_that_cannot_deny_is_told_of() {
    let project = installed("claude");
    let path = project.home().join(".claude/settings.json");
    let text = fs::read_to_string(&path).unwrap();
    for (what, changed) in [
        ("gone", text.replace("/hookbox hook claude", "/gone/hookbox hook claude")),
        ("of another agent", text.replace("hook claude", "hook gemini # hook claude")),
    ] {
        fs::write(&path, changed).unwrap();
        let (status, report) = doctor(&project, "claude");
        assert_eq!((status, &report["agents"][0]["denies"]), (1, &json!(false)), "{what}: {report:#}");
        let problem = report["agents"][0]["problems"][0].as_str().unwrap();
        assert!(problem.contains("does not deny"), "{problem}");
    }
}

#[test]
fn policies_that_stop_everything_are_told_of() {
    let project = installed("claude");
    project.write("home/.agents/hooks.toml", "[hooks.guard\n");
    let (status, report) = doctor(&project, "claude");
    assert_eq!(
        (status, &report["agents"][0]["denies"], &report["agents"][0]["allows"]),
        (1, &json!(true), &json!(false))
    );
    assert!(!report["config"]["problems"].as_array().unwrap().is_empty());
}

#[test]
fn settings_that_switch_hooks_off_are_told_of() {
    let project = installed("claude");
    let path = project.home().join(".claude/settings.json");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replacen('{', "{\"disableAllHooks\": true,", 1)).unwrap();
    let (status, report) = doctor(&project, "claude");
    assert!(status == 1 && report["agents"][0]["problems"][0].as_str().unwrap().contains("switches hooks off"));
    fs::write(&path, text.replace("\"PermissionRequest\"", "\"Other\"")).unwrap();
    let (status, report) = doctor(&project, "claude");
    assert!(status == 1 && report["agents"][0]["problems"][0].as_str().unwrap().contains("not for PermissionRequest"));
    fs::write(&path, "{").unwrap();
    let (status, report) = doctor(&project, "claude");
    assert!(
        status == 1 && report["agents"][0]["problems"][0].as_str().unwrap().contains("is not understood"),
        "{report:#}"
    );
}

#[test]
fn what_an_agent_cannot_be_told_is_listed() {
    let ran = installed("qwen").run(&["doctor", "qwen"], "");
    assert!(ran.stdout.contains("cannot    PreToolUse: a rewritten tool input becomes a deny"), "{ran:?}");
    let (_, report) = doctor(&installed("qwen"), "qwen");
    let before_tool =
        report["agents"][0]["cannot"].as_array().unwrap().iter().find(|cannot| cannot["event"] == "PreToolUse");
    assert!(before_tool.unwrap()["losses"].as_array().unwrap().contains(&json!("rewrite_input")));
}

#[test]
fn what_passes_an_agents_hooks_by_is_listed_with_what_closes_it() {
    let (_, report) = doctor(&installed("codex"), "codex");
    let holes = report["agents"][0]["holes"].as_array().unwrap().clone();
    let typed = holes.iter().find(|hole| hole["what"].as_str().unwrap().contains("write_stdin")).unwrap();
    assert!(typed["closes"].as_str().unwrap().contains("command-allowlist"), "{holes:?}");
    let shown = installed("codex").run(&["doctor", "codex"], "").stdout;
    let rows = shown.lines().filter(|line| line.trim_start().starts_with("hole ")).count();
    assert_eq!(rows, holes.len(), "{shown}");
}

#[test]
fn entries_are_compared_as_a_whole() {
    let of = |agent: &str, file: &str, from: &str, to: &str| {
        let project = installed(agent);
        assert_eq!(problems(&project, agent), Vec::<String>::new());
        let path = project.home().join(file);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{text}");
        fs::write(&path, text.replacen(from, to, 1)).unwrap();
        let problems = problems(&project, agent);
        assert_eq!(problems.len(), 1, "{problems:?}");
        // Installing again fixes exactly the problem that was reported.
        assert_eq!(project.run(&["install", agent, "--yes"], "").status, 0);
        assert_eq!(self::problems(&project, agent), Vec::<String>::new());
        problems[0].clone()
    };
    let claude = |from: &str, to: &str| of("claude", ".claude/settings.json", from, to);
    for (from, to, words) in [
        ("\"timeout\": 30", "\"timeout\": 5", "`timeout` is 5 in place of 30 (PreToolUse)"),
        ("\"timeout\": 30", "\"timeout\": \"30\"", "`timeout` is \"30\" in place of 30"),
        ("\"matcher\": \"*\"", "\"matcher\": \"Bash\"", "`matcher` is \"Bash\" in place of \"*\""),
        ("\"onFailure\": \"block\"", "\"onFailure\": \"allow\"", "`onFailure` is \"allow\" in place of \"block\""),
        ("\"onFailure\": \"block\"", "\"async\": true, \"onFailure\": \"block\"", "`async` is there"),
        ("\"type\": \"command\"", "\"type\": \"prompt\"", "`type` is \"prompt\""),
    ] {
        let problem = claude(from, to);
        assert!(problem.contains(words) && problem.contains("run `hookbox install claude`"), "{words}: {problem}");
    }
    let closed = of("cursor", ".cursor/hooks.json", "\"failClosed\": true", "\"failClosed\": false");
    assert!(closed.contains("`failClosed` is false in place of true (preToolUse)"), "{closed}");
}

#[test]
fn hooks_that_are_never_asked_are_told_of() {
    let project = installed("claude");
    project.write(
        "home/.agents/hooks.toml",
        "[hooks.late]\nevents = [\"pre_tool\", \"session_end\"]\ncommand = \"true\"\n",
    );
    let (status, report) = doctor(&project, "claude");
    assert_eq!(
        report["agents"][0]["unasked"],
        json!(["`late` is for `session_end`, which Claude Code is not asked about"])
    );
    assert_eq!(status, 0, "it is no fault of the settings");
    assert!(project.run(&["doctor", "claude"], "").stdout.contains("unasked   `late` is for `session_end`"));
}

#[test]
fn every_file_that_switches_hooks_off_is_looked_into() {
    for (agent, file, text, words) in [
        ("claude", "project/.claude/settings.local.json", "{\"disableAllHooks\": true}", "by `disableAllHooks`"),
        ("claude", "project/.claude/settings.json", "{\"disableAllHooks\": true}", "by `disableAllHooks`"),
        ("codex", "project/.codex/config.toml", "[features]\nhooks = false\n", "by `features.hooks`"),
        (
            "gemini",
            "project/.gemini/settings.json",
            "{\"hooksConfig\": {\"enabled\": false}}",
            "by `hooksConfig.enabled`",
        ),
        (
            "gemini",
            "project/.gemini/settings.json",
            "{\"hooksConfig\": {\"disabled\": [\"hookbox\"]}}",
            "by `hooksConfig.disabled`",
        ),
        ("copilot", "project/.claude/settings.json", "{\"disableAllHooks\": true}", "by `disableAllHooks`"),
        (
            "copilot",
            "project/.github/copilot/settings.local.json",
            "{\"disableAllHooks\": true}",
            "by `disableAllHooks`",
        ),
        ("droid", "project/.factory/hooks.json", "{\"hooksDisabled\": true}", "by `hooksDisabled`"),
        ("claude", "project/.claude/settings.local.json", "{", "is not understood"),
        ("codex", "project/.codex/config.toml", "[", "is not understood"),
    ] {
        let project = installed(agent);
        if agent == "codex" {
            trust(&project, |_| true);
        }
        assert_eq!(problems(&project, agent), Vec::<String>::new(), "{file}");
        project.write(file, text);
        let problems = problems(&project, agent);
        assert!(problems.iter().any(|problem| problem.contains(words)), "{file}: {problems:?}");
        let on = text
            .replace("true", "false")
            .replace("\"enabled\": false", "\"enabled\": true")
            .replace("hooks = false", "hooks = true");
        project.write(file, on.replace("[\"hookbox\"]", "[\"other\"]"));
        assert_eq!(self::problems(&project, agent).is_empty(), !["{", "["].contains(&text), "{file}");
    }
}

#[test]
fn hooks_that_codex_skips_are_told_of() {
    let project = installed("codex");
    let all = problems(&project, "codex");
    assert!(
        all[0].contains("that are not trusted (PreToolUse, PermissionRequest,") && all[0].contains("`/hooks`"),
        "{all:?}"
    );
    trust(&project, |event| event != "PostToolUse");
    let one = problems(&project, "codex");
    assert!(one[0].contains("that are not trusted (PostToolUse)"), "{one:?}");
    trust(&project, |_| true);
    assert_eq!(problems(&project, "codex"), Vec::<String>::new());
    let path = project.home().join(".codex/config.toml");
    let off = fs::read_to_string(&path).unwrap().replacen("trusted_hash", "enabled = false\ntrusted_hash", 1);
    fs::write(&path, off).unwrap();
    assert_eq!(problems(&project, "codex").len(), 1);
}

#[test]
fn a_settings_file_that_agents_may_read_differently_is_told_of() {
    let project = installed("gemini");
    let path = project.home().join(".gemini/settings.json");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, format!("\u{feff}{text}")).unwrap();
    assert!(problems(&project, "gemini")[0].contains("byte order mark"));
    let project = installed("claude");
    let path = project.home().join(".claude/settings.json");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replacen('{', "{\"hooks\": {},", 1)).unwrap();
    assert!(problems(&project, "claude")[0].contains("the key `hooks` twice"));
}

/// Runs the doctor with a program of this name in its `PATH`.
fn doctor_with(project: &Project, agent: &str, program: &str, script: &str) -> Value {
    let path = project.script(&format!("bin/{program}"), script);
    let mut command = assert_cmd::Command::cargo_bin("hookbox").unwrap();
    command.args(["doctor", agent, "--format", "json"]).current_dir(project.dir()).env("HOME", project.home());
    let paths = format!("{}:{}", path.parent().unwrap().display(), std::env::var("PATH").unwrap());
    crate::support::project::run(command.env("PATH", paths)).json()
}

#[test]
fn versions_that_are_known_to_be_bad_are_told_of() {
    for (agent, says, words) in [
        ("claude", "2.1.294 (Claude Code)", Some("`onFailure`")),
        ("claude", "2.1.227 (Claude Code)", Some("after the first deny")),
        ("claude", "2.1.295 (Claude Code)", None),
        ("claude", "10.0.0 (Claude Code)", None),
        ("codex", "codex-cli 0.98.1", Some("never tried with a version this old")),
        ("gemini", "0.61.0", None),
        ("copilot", "GitHub Copilot CLI 1.0.12.", Some("subagents")),
        ("copilot", "GitHub Copilot CLI 1.0.102.", None),
        ("opencode", "2.0.26", Some("another interface")),
        ("opencode", "1.18.33", None),
        ("qwen", "who knows", Some("is not known")),
    ] {
        let project = installed(agent);
        if agent == "codex" {
            trust(&project, |_| true);
        }
        let report = doctor_with(&project, agent, agent, &format!("echo '{says}'"));
        let problems: Vec<String> = serde_json::from_value(report["agents"][0]["problems"].clone()).unwrap();
        match words {
            Some(words) => assert!(problems.iter().any(|problem| problem.contains(words)), "{says}: {problems:?}"),
            None => assert_eq!(problems, Vec::<String>::new(), "{says}"),
        }
        assert_eq!(report["ok"], words.is_none(), "{says}");
    }
}

#[test]
fn a_program_that_does_not_say_its_version_does_not_hold_the_doctor_up() {
    let examine = |script: &str| {
        let started = std::time::Instant::now();
        let report = doctor_with(&installed("claude"), "claude", "claude", script);
        assert!(started.elapsed() < std::time::Duration::from_secs(25), "{script}: {:?}", started.elapsed());
        assert_eq!(report["agents"][0]["version"], Value::Null, "{script}");
        assert!(report["agents"][0]["problems"][0].as_str().unwrap().contains("is not known"), "{report:#}");
    };
    // The second program ends at once, but leaves a process that keeps its output open.
    std::thread::scope(|scope| {
        for script in ["sleep 60", "sleep 60 & echo '2.1.295 (Claude Code)'"] {
            scope.spawn(move || examine(script));
        }
    });
}

#[test]
fn settings_that_are_not_shared_count_too() {
    let project = installed("claude");
    let path = project.home().join(".claude/settings.json");
    let mut settings: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    let stop = settings["hooks"].as_object_mut().unwrap().remove("Stop").unwrap();
    fs::write(&path, settings.to_string()).unwrap();
    assert!(problems(&project, "claude")[0].contains("names hookbox, but not for Stop"));
    let local = project.write("project/.claude/settings.local.json", json!({"hooks": {"Stop": stop}}).to_string());
    assert_eq!(problems(&project, "claude"), Vec::<String>::new());
    let (_, report) = doctor(&project, "claude");
    assert_eq!(report["agents"][0]["settings"], json!([path, local]));
}

/// As seen with the real program: what a project has there replaces what the user has, and is then not a list of hooks.
#[test]
fn a_projects_settings_that_hide_the_hooks_of_the_user_are_told_of() {
    for (text, words) in [
        ("{\"hooks\": null}", "switches the hooks of all files off: `hooks` is not an object"),
        ("{\"hooks\": []}", "switches the hooks of all files off: `hooks` is not an object"),
        (
            "{\"hooksConfig\": {\"enabled\": \"false\"}}",
            "switches the hooks of all files off: `hooksConfig.enabled` is not `true` or `false`",
        ),
    ] {
        let project = installed("gemini");
        project.write("project/.gemini/settings.json", text);
        let problems = problems(&project, "gemini");
        let is_told = problems.iter().any(|problem| problem.contains(words) && problem.contains("project/.gemini"));
        assert!(is_told, "{text}: {problems:?}");
    }
    let project = installed("gemini");
    project.write("project/.gemini/settings.json", "{\"hooks\": {\"BeforeTool\": null}}");
    let problems = problems(&project, "gemini");
    assert!(!problems.iter().any(|problem| problem.contains("of all files")), "{problems:?}");
}

/// As seen with the real programs.
#[test]
fn what_has_no_effect_in_a_file_is_no_switch_there() {
    for (agent, file, text) in [
        ("claude", "home/.claude/settings.local.json", "{\"allowManagedHooksOnly\": true}"),
        ("claude", "project/.claude/settings.json", "{\"allowManagedHooksOnly\": true}"),
        ("codex", "home/.codex/config.toml", "allow_managed_hooks_only = true\n"),
        ("copilot", "home/.copilot/settings.json", "{\"disableAllHooks\": true}"),
        ("qwen", "project/.qwen/settings.json", "{\"hooksConfig\": {\"enabled\": false, \"disabled\": [\"hookbox\"]}}"),
    ] {
        let project = installed(agent);
        project.write(file, text);
        let problems = problems(&project, agent);
        assert!(!problems.iter().any(|problem| problem.contains("hooks off")), "{agent}: {file}: {problems:?}");
    }
}
