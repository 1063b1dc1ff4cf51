//! `hookbox install` and `hookbox uninstall`.

use super::effects::{self, Effect};
use super::{AGENTS, before_tool};
use crate::support::project::{Project, Ran};
use hookbox::agent::Reply;
use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;
use std::process::{Command, Stdio};

const GUARD: &str = "[hooks.guard]\nevents = [\"pre_tool\"]\ncommand = \"sh\"\n\
    args = [\"-c\", 'echo \"{\\\"decision\\\":\\\"deny\\\",\\\"reason\\\":\\\"no\\\"}\"']\n";

#[track_caller]
pub fn done(ran: Ran) -> Ran {
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{ran:?}");
    ran
}

pub fn install(project: &Project, agent: &str) -> Ran {
    done(project.run(&["install", agent, "--yes"], ""))
}

pub fn uninstall(project: &Project, agent: &str) -> Ran {
    done(project.run(&["uninstall", agent, "--yes"], ""))
}

pub fn claude(project: &Project) -> PathBuf {
    project.home().join(".claude/settings.json")
}

/// Returns all files in the home directory except hookbox's own.
pub fn files(project: &Project) -> Vec<PathBuf> {
    fn walk(dir: &std::path::Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()) {
            if entry.is_dir() {
                walk(&entry, found);
            } else {
                found.push(entry);
            }
        }
    }
    let mut found = Vec::new();
    walk(&project.home(), &mut found);
    let is_ours =
        |path: &PathBuf| [".agents", ".cache", ".local"].iter().any(|dir| path.starts_with(project.home().join(dir)));
    found.retain(|path| !is_ours(path));
    found.sort();
    found
}

/// Returns the commands that an agent would run before a tool.
fn commands(agent: &str, project: &Project) -> Vec<String> {
    let read = |path: &str| fs::read_to_string(project.home().join(path)).unwrap();
    let parse = |path: &str| serde_json::from_str::<Value>(&read(path)).unwrap();
    let group = |list: &Value| list[0]["hooks"][0]["command"].as_str().unwrap().to_owned();
    let one = match agent {
        "claude" | "qwen" => group(&parse(&format!(".{agent}/settings.json"))["hooks"]["PreToolUse"]),
        "codex" => group(&parse(".codex/hooks.json")["hooks"]["PreToolUse"]),
        "gemini" => group(&parse(".gemini/settings.json")["hooks"]["BeforeTool"]),
        "droid" => group(&parse(".factory/hooks.json")["PreToolUse"]),
        "copilot" => {
            parse(".copilot/hooks/hookbox.json")["hooks"]["preToolUse"][0]["bash"].as_str().unwrap().to_owned()
        }
        "cursor" => parse(".cursor/hooks.json")["hooks"]["preToolUse"][0]["command"].as_str().unwrap().to_owned(),
        "cline" => project.home().join(".cline/hooks/PreToolUse").to_str().unwrap().to_owned(),
        _ => return Vec::new(),
    };
    vec![one]
}

/// Runs the command as the agent does.
fn started(command: &str, project: &Project, payload: &Value) -> Reply {
    let mut child = Command::new("sh")
        .args(["-c", command])
        .current_dir(project.dir())
        .env("HOME", project.home())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(payload.to_string().as_bytes()).unwrap();
    let ended = child.wait_with_output().unwrap();
    let mut reply = Reply::silence();
    reply.stdout = String::from_utf8(ended.stdout).unwrap();
    reply.stderr = String::from_utf8(ended.stderr).unwrap();
    reply.status = u8::try_from(ended.status.code().unwrap()).unwrap();
    reply
}

#[test]
fn from_then_on_the_agent_asks() {
    for agent in AGENTS.into_iter().filter(|agent| *agent != "generic-claude") {
        let project = Project::new().user(GUARD);
        install(&project, agent);
        let input = json!({"command": "ls"});
        for command in commands(agent, &project) {
            let reply = started(&command, &project, &before_tool(agent, "Bash", &input));
            assert_eq!(effects::before_tool(agent, &input, &reply), Effect::Stopped, "{agent}: {command}: {reply:?}");
        }
        let before = files(&project);
        let texts: Vec<Vec<u8>> = before.iter().map(|file| fs::read(file).unwrap()).collect();
        assert!(install(&project, agent).stdout.contains("asks hookbox already"), "{agent}");
        assert_eq!(
            (files(&project), before.iter().map(|file| fs::read(file).unwrap()).collect::<Vec<_>>()),
            (before, texts)
        );
        uninstall(&project, agent);
        assert_eq!(files(&project), Vec::<PathBuf>::new(), "{agent}");
        assert!(uninstall(&project, agent).stdout.contains("does not ask hookbox"), "{agent}");
    }
}

/// Settings with odd spacing and with hooks of others.
pub const SETTINGS: &str = "{\n    \"model\" : \"opus\",\n    \"hooks\": {\n        \"PreToolUse\": [ {\"matcher\": \"Bash\", \
    \"hooks\": [{\"type\":\"command\",\"command\":\"mine.sh\"}]} ]\n    }\n}\n";

/// Returns the same settings with a comment, for agents that accept one.
fn commented() -> String {
    SETTINGS.replacen("{\n", "{\n    // mine\n", 1)
}

#[test]
fn all_else_in_the_settings_stays() {
    for (agent, text, events) in
        [("claude", SETTINGS.to_owned(), 10), ("qwen", commented(), 7), ("gemini", commented(), 5)]
    {
        let project = Project::new();
        let path = project.write(&format!("home/.{agent}/settings.json"), &text);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        let ran = install(&project, agent);
        let ours = format!(" hook {agent}");
        assert!(ran.stdout.contains("changed:") && ran.stdout.contains("+ ") && ran.stdout.contains(&ours), "{ran:?}");
        let after = fs::read_to_string(&path).unwrap();
        let begin = text.split("\n    \"hooks\"").next().unwrap();
        for kept in [begin, "\"command\":\"mine.sh\"", "\"matcher\": \"Bash\""] {
            assert!(after.contains(kept), "{after}");
        }
        assert_eq!(after.matches(&ours).count(), events, "{after}");
        assert_eq!(after.contains("\"onFailure\": \"block\""), agent == "claude", "{after}");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(files(&project), std::slice::from_ref(&path), "nothing beside it");
        uninstall(&project, agent);
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
        assert_eq!(files(&project), [path]);
    }
}

#[test]
fn what_changed_in_the_meantime_stays_too() {
    for (agent, text) in [("claude", SETTINGS.to_owned()), ("qwen", commented())] {
        let project = Project::new();
        let path = project.write(&format!("home/.{agent}/settings.json"), &text);
        install(&project, agent);
        let edited = fs::read_to_string(&path).unwrap().replace("opus", "sonnet");
        fs::write(&path, &edited).unwrap();
        uninstall(&project, agent);
        let after = fs::read_to_string(&path).unwrap();
        assert!(after.contains("sonnet") && after.contains("mine.sh"), "{after}");
        assert_eq!(after.contains("// mine"), agent == "qwen", "{after}");
        assert!(!after.contains("hookbox"), "{after}");
    }
}

#[test]
fn another_hookbox_makes_way() {
    let project = Project::new();
    install(&project, "claude");
    let path = claude(&project);
    let moved = fs::read_to_string(&path)
        .unwrap()
        .replace("/hookbox hook claude", "/old/hookbox hook claude")
        .replace("30", "5");
    fs::write(&path, &moved).unwrap();
    install(&project, "claude");
    let after = fs::read_to_string(&path).unwrap();
    assert_eq!((after.matches(" hook claude").count(), after.matches("/old/").count()), (10, 0), "{after}");
}

#[test]
fn a_file_that_is_not_understood_stays_as_it_is() {
    for (text, words) in [
        ("{\"hooks\": ", "not valid JSON"),
        ("[]", "not a JSON object"),
        ("{\"hooks\": []}", "line 1: `hooks` is a list in place of an object: remove it"),
        ("{\"hooks\": {\"PreToolUse\": {}}}", "line 1: `hooks.PreToolUse` is an object in place of a list: remove it"),
        ("{\"hooks\": {}, \"hooks\": {}}", "the key `hooks` twice"),
        ("{\"a\": [{\"b\": 1, \"\\u0062\": 2}]}", "the key `b` twice"),
    ] {
        let project = Project::new();
        let path = project.write("home/.claude/settings.json", text);
        let ran = project.run(&["install", "claude", "--yes"], "");
        assert_eq!((ran.status, ran.stdout.as_str()), (1, ""), "{ran:?}");
        assert!(ran.stderr.contains("was not changed") && ran.stderr.contains(words), "{ran:?}");
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
        assert_eq!(files(&project), [path]);
    }
    let project = Project::new();
    let path = project.write("home/.cline/hooks/PreToolUse", "#!/bin/sh\n");
    let ran = project.run(&["install", "cline", "--yes"], "");
    assert!(ran.status == 1 && ran.stderr.contains("not hookbox's"), "{ran:?}");
    assert_eq!(files(&project), [path]);
}

#[test]
fn it_is_asked_for_on_a_terminal() {
    let project = Project::new();
    let ran = project.run(&["install", "claude"], "y\n");
    assert!(ran.status == 1 && ran.stderr.contains("no terminal") && ran.stderr.contains("--yes"), "{ran:?}");
    assert!(!claude(&project).exists());
}

#[test]
fn a_link_stays_a_link() {
    let project = Project::new();
    let real = project.write("home/dotfiles/claude.json", "{}\n");
    fs::create_dir_all(project.home().join(".claude")).unwrap();
    symlink(&real, claude(&project)).unwrap();
    install(&project, "claude");
    assert!(claude(&project).is_symlink() && fs::read_to_string(&real).unwrap().contains("hook claude"));
    uninstall(&project, "claude");
    assert!(claude(&project).is_symlink());
    assert_eq!(fs::read_to_string(&real).unwrap(), "{}\n");
}

#[test]
fn a_project_names_the_command_that_each_user_has() {
    let project = Project::new();
    done(project.run(&["install", "claude", "--project", "--yes"], ""));
    let text = fs::read_to_string(project.dir().join(".claude/settings.json")).unwrap();
    assert!(text.contains("\"command\": \"hookbox hook claude\""), "{text}");
    assert!(!claude(&project).exists());
}

#[test]
fn a_person_sees_what_changes_and_decides() {
    for (answer, is_there) in [("n", false), ("y", true)] {
        let project = Project::new();
        let mut terminal = project.terminal(&["install", "claude"]);
        terminal.wait_for("write this? [y/N]");
        terminal.type_line(answer);
        let (status, shown) = terminal.end();
        assert!(shown.contains("new:") && shown.contains("hook claude"), "{shown}");
        assert_eq!((status == 0, claude(&project).exists()), (is_there, is_there), "{shown}");
    }
}

#[test]
fn options_of_the_command_are_no_second_hook() {
    let project = Project::new();
    install(&project, "claude");
    let path = claude(&project);
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("hook claude ", "hook claude --strict ")).unwrap();
    install(&project, "claude");
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
    uninstall(&project, "claude");
    assert_eq!(files(&project), Vec::<PathBuf>::new());
}

#[test]
fn a_byte_order_mark_stays_where_it_is() {
    let project = Project::new();
    let text = format!("\u{feff}{}", commented());
    let path = project.write("home/.qwen/settings.json", &text);
    install(&project, "qwen");
    let after = fs::read_to_string(&path).unwrap();
    assert!(after.starts_with("\u{feff}{") && after.matches('\u{feff}').count() == 1, "{after}");
    assert!(install(&project, "qwen").stdout.contains("asks hookbox already"));
    // The old file is not restored, because something else has changed.
    fs::write(&path, after.replace("opus", "sonnet")).unwrap();
    uninstall(&project, "qwen");
    let words = |text: &str| text.split_whitespace().collect::<String>();
    let after = fs::read_to_string(&path).unwrap();
    assert!(after.starts_with("\u{feff}{\n    // mine\n"), "{after}");
    assert_eq!(words(&after), words(&text.replace("opus", "sonnet")));
}

/// Installs, edits as the user, and uninstalls. Only the edit is left.
#[track_caller]
fn edited(agent: &str, file: &str, before: &str, edit: impl Fn(&str) -> String) -> Value {
    let project = Project::new();
    let path = project.write(&format!("home/{file}"), before);
    install(&project, agent);
    let installed = fs::read_to_string(&path).unwrap();
    assert!(installed.contains(&format!("hook {agent}")), "{installed}");
    let after = edit(&installed);
    assert_ne!(after, installed);
    fs::write(&path, after).unwrap();
    uninstall(&project, agent);
    serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap()
}

#[test]
fn what_was_created_and_is_empty_goes_and_what_was_there_stays() {
    let settings = ".claude/settings.json";
    let sonnet = |text: &str| text.replace("opus", "sonnet");
    for (before, after) in [
        (r#"{"model": "opus"}"#, json!({"model": "sonnet"})),
        (r#"{"model": "opus", "hooks": {}}"#, json!({"model": "sonnet", "hooks": {}})),
        (r#"{"model": "opus", "hooks": {"Stop": []}}"#, json!({"model": "sonnet", "hooks": {"Stop": []}})),
    ] {
        assert_eq!(edited("claude", settings, before, sonnet), after, "{before}");
    }
    // hookbox's entries that the user removed leave lists behind.
    let emptied = |text: &str| {
        let mut document: Value = serde_json::from_str(text).unwrap();
        for list in document["hooks"].as_object_mut().unwrap().values_mut() {
            *list = json!([]);
        }
        document["model"] = json!("sonnet");
        document.to_string()
    };
    assert_eq!(edited("claude", settings, r#"{"model": "opus"}"#, emptied), json!({"model": "sonnet"}));
    // This header did not exist before.
    let other = |text: &str| text.replace("mine.sh", "other.sh");
    let mine = |name: &str| json!({"hooks": {"stop": [{"command": name}]}});
    assert_eq!(edited("cursor", ".cursor/hooks.json", &mine("mine.sh").to_string(), other), mine("other.sh"));
}

#[test]
fn what_was_never_installed_is_not_touched() {
    let project = Project::new();
    let text = r#"{"hooks": {"Stop": []}}"#;
    let path = project.write("home/.claude/settings.json", text);
    assert!(uninstall(&project, "claude").stdout.contains("does not ask hookbox"));
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
}

#[test]
fn an_agent_that_lives_elsewhere_is_found_there() {
    for (agent, variable, file) in [
        ("claude", "CLAUDE_CONFIG_DIR", "settings.json"),
        ("codex", "CODEX_HOME", "hooks.json"),
        ("copilot", "COPILOT_HOME", "hooks/hookbox.json"),
        ("qwen", "QWEN_HOME", "settings.json"),
        ("gemini", "GEMINI_CLI_HOME", ".gemini/settings.json"),
    ] {
        let project = Project::new().user(GUARD);
        let elsewhere = project.home().join("else where");
        let run = |command: &str, value: &std::path::Path, more: &[&str]| {
            let mut start = assert_cmd::Command::cargo_bin("hookbox").unwrap();
            start.arg(command).arg(agent).args(more).current_dir(project.dir());
            crate::support::project::run(start.env("HOME", project.home()).env(variable, value))
        };
        done(run("install", &elsewhere, &["--yes"]));
        assert_eq!(files(&project), [elsewhere.join(file)], "{agent}");
        let report = run("doctor", &elsewhere, &["--format", "json"]).json();
        assert_eq!(report["agents"][0]["settings"], json!([elsewhere.join(file)]), "{agent}");
        assert_eq!(report["agents"][0]["denies"], true, "{agent}");
        done(run("uninstall", &elsewhere, &["--yes"]));
        assert_eq!(files(&project), Vec::<PathBuf>::new(), "{agent}");
        // `--home` means another user, and a relative directory is ignored.
        let home = project.home();
        for (value, more) in
            [(elsewhere.as_path(), &["--yes", "--home", home.to_str().unwrap()][..]), ("else".as_ref(), &["--yes"])]
        {
            done(run("install", value, more));
            assert!(files(&project)[0].starts_with(home.join(format!(".{agent}"))), "{agent}");
            done(run("uninstall", value, more));
        }
    }
}
