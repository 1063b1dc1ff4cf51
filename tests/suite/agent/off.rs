//! `hookbox off` and `hookbox on`.

use super::effects::{self, Effect};
use super::{AGENTS, after_tool, before_tool, prompt};
use crate::support::project::{Project, Ran};
use crate::support::terminal::Terminal;
use crate::support::{is_root, skip};
use hookbox::agent::{CANARY_TOOL, Reply};
use serde_json::{Value, json};
use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

/// Creates a project with a policy that denies everything, and leaves a trace.
fn denying() -> Project {
    let project = Project::new();
    let trace = project.home().join("asked");
    let script = format!(r#"touch {}; echo "{{\"decision\":\"deny\",\"reason\":\"no\"}}""#, trace.display());
    project.user(&format!(
        "[hooks.guard]\nevents = [\"pre_tool\", \"pre_message\", \"post_tool\"]\ncommand = \"sh\"\nargs = [\"-c\", '{script}']\n"
    ))
}

fn state(project: &Project) -> PathBuf {
    project.home().join(".local/state/hookbox")
}

fn at(seconds: i64) -> String {
    let offset = Duration::from_secs(seconds.unsigned_abs());
    let now = SystemTime::now();
    humantime::format_rfc3339_millis(if seconds < 0 { now - offset } else { now + offset }).to_string()
}

fn off_text(since: i64, until: i64) -> String {
    json!({"since": at(since), "until": at(until), "why": "a test", "who": "me"}).to_string()
}

/// Writes the file that `hookbox off` writes.
fn turn_off(project: &Project, text: &str) -> PathBuf {
    let dir = state(project);
    let path = project.write("home/.local/state/hookbox/off", text);
    fs::set_permissions(&dir, Permissions::from_mode(0o700)).unwrap();
    fs::set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
    path
}

fn reply(ran: &Ran) -> Reply {
    let mut reply = Reply::silence();
    reply.stdout.clone_from(&ran.stdout);
    reply.stderr.clone_from(&ran.stderr);
    reply.status = u8::try_from(ran.status).unwrap();
    reply
}

/// Returns the verdict on a tool call, and whether the hook was asked.
#[track_caller]
fn tool_call(project: &Project, agent: &str, tool: &str) -> (Effect, bool) {
    let trace = project.home().join("asked");
    let _ = fs::remove_file(&trace);
    let input = json!({"command": "ls"});
    let ran = project.run(&["hook", agent], &before_tool(agent, tool, &input).to_string());
    (effects::before_tool(agent, &input, &reply(&ran)), trace.exists())
}

const ASKED_AND_STOPPED: (Effect, bool) = (Effect::Stopped, true);
const FREE: (Effect, bool) = (Effect::Runs, false);

fn record(project: &Project) -> Vec<Value> {
    let text = fs::read_to_string(state(project).join("off.log")).unwrap_or_default();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Runs a script on a controlling terminal. Returns `None` if the tests themselves run under an agent.
fn person(project: &Project, script: &str) -> Option<Terminal> {
    let start = |script: &str| {
        let unset = "unset CLAUDECODE AI_AGENT GEMINI_CLI";
        project.shell_terminal(&format!("{unset}; exec setsid --ctty --wait sh -c '{script}'"))
    };
    let (_, shown) = start("echo no | hookbox off --for 1s --why x").end();
    if !shown.contains("stdin is not a terminal") {
        skip(&format!("these tests need a person: {shown}"));
        return None;
    }
    Some(start(script))
}

#[test]
fn a_person_turns_it_off_and_on() {
    let project = denying();
    assert_eq!(tool_call(&project, "claude", "Bash"), ASKED_AND_STOPPED);
    let Some(mut terminal) = person(&project, r#"hookbox off --for 10m --why "the build is stuck""#) else { return };
    terminal.wait_for("Type `off`");
    assert_eq!(tool_call(&project, "claude", "Bash"), ASKED_AND_STOPPED, "nobody has answered yet");
    terminal.type_line("off");
    let (status, shown) = terminal.end();
    assert!(status == 0 && shown.contains("hookbox is off until"), "{shown}");
    let mode = fs::metadata(state(&project).join("off")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);

    assert_eq!(tool_call(&project, "claude", "Bash"), FREE);
    let told = project.run(&["off"], "");
    assert!(
        told.status == 0 && told.stdout.contains("the build is stuck") && told.stdout.contains("1 event"),
        "{told:?}"
    );

    let on = project.run(&["on"], "");
    assert!(on.status == 0 && on.stdout.contains("on again; 1 event ran meanwhile"), "{on:?}");
    assert_eq!(tool_call(&project, "claude", "Bash"), ASKED_AND_STOPPED);
    let again = project.run(&["on"], "");
    assert_eq!((again.status, again.stdout.as_str()), (0, "hookbox was on\n"));
    assert_eq!(project.run(&["off"], "").stdout, "hookbox is on\n");
}

#[test]
fn another_answer_leaves_it_on() {
    let project = denying();
    for answer in ["y", "", "offf"] {
        let Some(mut terminal) = person(&project, "hookbox off --for 10m --why x") else { return };
        terminal.wait_for("Type `off`");
        terminal.type_line(answer);
        let (status, shown) = terminal.end();
        assert!(status == 1 && shown.contains("hookbox stays on"), "{shown}");
    }
    assert_eq!(tool_call(&project, "claude", "Bash"), ASKED_AND_STOPPED);
}

#[test]
fn what_an_agent_starts_cannot_turn_it_off() {
    let project = denying();
    project.script("bin/claude", "hookbox off --for 10m --why x");
    project.script("bin/node_modules/@qwen-code/qwen-code/cli.js", "hookbox off --for 10m --why x");
    project.script("bin/.bin/gemini", "hookbox off --for 10m --why x");
    // Only a copy of a shell has the name of another interpreter.
    let copy = project.home().join("../bin/node");
    assert!(std::process::Command::new("cp").arg("/bin/sh").arg(&copy).status().unwrap().success());
    for (script, sign) in [
        ("CLAUDECODE=1 hookbox off --for 10m --why x", "`CLAUDECODE` is set"),
        ("CODEX_MANAGED_BY_NPM=1 hookbox off --for 10m --why x", "`CODEX_MANAGED_BY_NPM` is set"),
        (
            "env QWEN_CODE_CLI=x sh -c \"env -i PATH=\\$PATH HOME=\\$HOME hookbox off --for 10m --why x; true\"",
            "`QWEN_CODE_CLI`",
        ),
        ("../bin/claude", "is `claude`"),
        ("../bin/node -x ../bin/.bin/gemini", "is `gemini`"),
        ("../bin/node ../bin/node_modules/@qwen-code/qwen-code/cli.js", "is `@qwen-code/qwen-code`"),
        ("CODEX_HOME=/x hookbox off --for 10m --why x </dev/null", "stdin is not a terminal"),
    ] {
        let Some(terminal) = person(&project, script) else { return };
        let (_, shown) = terminal.end();
        assert!(shown.contains("error[E702]") && shown.contains(sign), "{script}: {shown}");
    }
    assert!(!state(&project).join("off").exists());
    assert_eq!(tool_call(&project, "claude", "Bash"), ASKED_AND_STOPPED);
}

#[test]
fn without_a_terminal_of_its_own_it_stays_on() {
    let project = denying();
    let args = ["off", "--for", "10m", "--why", "x"];
    let ran = project.run(&args, "off\n");
    assert!(ran.status == 1 && ran.stderr.contains("error[E702]"), "{ran:?}");
    let (status, shown) = project.terminal(&["off", "--for", "10m", "--why", "x"]).end();
    assert!(status == 1 && shown.contains("error[E702]") && shown.contains("Run this command yourself"), "{shown}");
    for args in [
        &["off", "--for", "10m"][..],
        &["off", "--why", "x"],
        &["off", "--for", "9h", "--why", "x"],
        &["off", "--for", "0s", "--why", "x"],
        &["off", "--for", "ten", "--why", "x"],
        &["off", "--for", "10m", "--why", " "],
    ] {
        let ran = project.run(args, "");
        assert!(ran.status == 1 && !ran.stderr.contains("E702"), "{args:?}: {ran:?}");
    }
    assert!(!state(&project).join("off").exists());
}

#[test]
fn every_event_of_every_agent_goes_on_and_is_recorded() {
    let project = denying();
    turn_off(&project, &off_text(-60, 600));
    for (count, agent) in AGENTS.into_iter().enumerate() {
        assert_eq!(tool_call(&project, agent, "Bash"), FREE, "{agent}");
        let asked = project.run(&["hook", agent], &prompt(agent, "secret").to_string());
        assert_eq!(effects::at_prompt(agent, &reply(&asked)), Effect::Runs, "{agent}: {asked:?}");
        let after = project.run(&["hook", agent], &after_tool(agent, &json!({}), "SECRET").to_string());
        assert!(after.status == 0 && !after.stdout.contains("deny"), "{agent}: {after:?}");
        let lines = record(&project);
        assert_eq!(lines.len(), 3 * (count + 1));
        let of =
            |line: &Value| line["agent"] == agent && humantime::parse_rfc3339(line["time"].as_str().unwrap()).is_ok();
        assert!(lines.iter().skip(3 * count).all(of), "{agent}: {lines:?}");
    }
    let first = &record(&project)[0];
    assert_eq!(
        (&first["event"], &first["tool"], &first["session"]),
        (&json!("PreToolUse"), &json!("Bash"), &json!("s1"))
    );
    let mode = fs::metadata(state(&project).join("off.log")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    assert!(!project.home().join("asked").exists(), "no hook was asked");
}

#[test]
fn it_is_for_agents_alone_and_ends_by_itself() {
    let project = denying();
    turn_off(&project, &off_text(-60, 600));
    assert_eq!(project.ask_bash("ls").status, 2, "`hookbox run` asks");
    assert_eq!(tool_call(&project, "claude", "Bash"), FREE);
    turn_off(&project, &off_text(-60, -1));
    assert_eq!(tool_call(&project, "claude", "Bash"), ASKED_AND_STOPPED);
    assert!(project.run(&["off"], "").stdout.contains("on again since"));
    assert!(project.run(&["on"], "").stdout.contains("1 event ran meanwhile"));
}

#[test]
fn a_deny_still_arrives_where_it_is_tried() {
    let project = denying();
    turn_off(&project, &off_text(-60, 600));
    for agent in AGENTS {
        let input = json!({});
        let ran = project.run(&["hook", agent], &before_tool(agent, CANARY_TOOL, &input).to_string());
        assert_eq!(effects::before_tool(agent, &input, &reply(&ran)), Effect::Stopped, "{agent}");
    }
    // A payload that cannot be read cannot be recorded either.
    assert_eq!(project.run(&["hook", "claude"], "{").status, 2);
    assert!(record(&project).is_empty());
}

/// Checks that the file is ignored, and that the user is told.
#[track_caller]
fn assert_doubtful(project: &Project, what: &str) {
    let payload = before_tool("claude", "Bash", &json!({})).to_string();
    let ran = project.run(&["hook", "claude"], &payload);
    let told: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(told["hookSpecificOutput"]["permissionDecision"], "deny", "{what}");
    assert!(told["systemMessage"].as_str().unwrap_or_default().contains("hookbox stays on"), "{what}: {ran:?}");
    assert!(project.run(&["off"], "").stderr.contains("hookbox stays on"), "{what}");
}

#[test]
fn a_file_that_others_may_have_written_does_not_count() {
    for (what, text) in [
        ("in the future", off_text(60, 600)),
        ("too long", off_text(-60, 8 * 3600)),
        ("without an end", json!({"since": at(-60), "why": "x", "who": "me"}).to_string()),
        ("damaged", off_text(-60, 600)[1..].to_owned()),
        ("with another key", off_text(-60, 600).replacen('{', "{\"x\":1,", 1)),
        ("no time", off_text(-60, 600).replace('Z', "")),
        ("empty", String::new()),
        ("huge", format!("{}{}", off_text(-60, 600), " ".repeat(1 << 15))),
    ] {
        let project = denying();
        turn_off(&project, &text);
        assert_doubtful(&project, what);
        assert!(project.run(&["on"], "").stdout.contains("it is removed"), "{what}");
        assert!(!state(&project).join("off").exists());
    }
    let good = || {
        let project = denying();
        let path = turn_off(&project, &off_text(-60, 600));
        assert_eq!(tool_call(&project, "claude", "Bash"), FREE);
        (project, path)
    };
    for mode in [0o620, 0o602, 0o666, 0o000] {
        let (project, path) = good();
        fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
        // Root can read everything.
        if mode != 0 || !rustix::process::geteuid().is_root() {
            assert_doubtful(&project, &format!("{mode:o}"));
        }
    }
    let (project, path) = good();
    fs::set_permissions(path.parent().unwrap(), Permissions::from_mode(0o777)).unwrap();
    assert_doubtful(&project, "directory");
    let (project, path) = good();
    fs::rename(&path, project.home().join("elsewhere")).unwrap();
    symlink(project.home().join("elsewhere"), &path).unwrap();
    assert_doubtful(&project, "link");
    let (project, path) = good();
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    assert_doubtful(&project, "directory in its place");
    if is_root() {
        let (project, path) = good();
        std::os::unix::fs::chown(&path, Some(12345), None).unwrap();
        assert_doubtful(&project, "of another user");
    }
}

#[test]
fn half_a_line_of_a_full_disk_spoils_no_other() {
    let project = denying();
    turn_off(&project, &off_text(-60, 600));
    let log = state(&project).join("off.log");
    fs::write(&log, "{\"time\":\"20").unwrap();
    fs::set_permissions(&log, Permissions::from_mode(0o600)).unwrap();
    assert_eq!(tool_call(&project, "claude", "Bash"), FREE);
    let text = fs::read_to_string(&log).unwrap();
    assert!(serde_json::from_str::<Value>(text.lines().last().unwrap()).is_ok(), "{text}");
}

#[test]
fn what_cannot_be_recorded_does_not_run() {
    for what in ["directory", "link", "full", "open"] {
        let project = denying();
        turn_off(&project, &off_text(-60, 600));
        let log = state(&project).join("off.log");
        match what {
            "directory" => fs::create_dir(&log).unwrap(),
            "link" => symlink(project.home().join("elsewhere"), &log).unwrap(),
            "full" => {
                let file = fs::File::create(&log).unwrap();
                file.set_permissions(Permissions::from_mode(0o600)).unwrap();
                // The file occupies no blocks.
                file.set_len(64 << 20).unwrap();
            }
            _ => {
                fs::write(&log, "").unwrap();
                fs::set_permissions(&log, Permissions::from_mode(0o622)).unwrap();
            }
        }
        assert_eq!(tool_call(&project, "claude", "Bash"), ASKED_AND_STOPPED, "{what}");
        let ran = project.run(&["hook", "claude"], &before_tool("claude", "Bash", &json!({})).to_string());
        assert!(ran.stdout.contains("cannot be recorded"), "{what}: {ran:?}");
        fs::remove_file(&log).or_else(|_| fs::remove_dir(&log)).unwrap();
        assert_eq!(tool_call(&project, "claude", "Bash"), FREE, "{what}");
    }
}

#[test]
fn a_doctor_and_an_explanation_say_so() {
    let project = Project::new().user("[hooks.guard]\nevents = [\"pre_tool\"]\ncommand = \"true\"\n");
    assert_eq!(project.run(&["install", "claude", "--yes"], "").status, 0);
    assert_eq!(project.run(&["doctor", "claude"], "").status, 0);
    turn_off(&project, &off_text(-60, 600));
    let doctor = project.run(&["doctor", "claude"], "");
    let first = doctor.stdout.lines().next().unwrap();
    assert!(doctor.status == 1 && first.starts_with("hookbox is off until") && first.contains("a test"), "{doctor:?}");
    let report = project.run(&["doctor", "claude", "--format", "json"], "").json();
    assert_eq!((&report["ok"], &report["off"]["why"]), (&json!(false), &json!("a test")));
    assert_eq!(report["agents"][0]["denies"], true);

    let before = record(&project).len();
    let payload = before_tool("claude", "Bash", &json!({})).to_string();
    let explained = project.run(&["hook", "claude", "--explain"], &payload);
    assert!(explained.stdout.starts_with("off       hookbox is off until"), "{explained:?}");
    assert_eq!(record(&project).len(), before, "nothing ran");

    turn_off(&project, "{");
    let report = project.run(&["doctor", "claude", "--format", "json"], "").json();
    assert_eq!((&report["ok"], &report["off"]), (&json!(false), &Value::Null));
    assert!(report["config"]["problems"][0].as_str().unwrap().contains("hookbox stays on"), "{report:#}");
}

#[test]
fn a_project_cannot_say_that_it_is_off() {
    let project = denying();
    let payload = |pwd: &std::path::Path| {
        let mut payload = before_tool("claude", "Bash", &json!({"command": "ls"}));
        payload["cwd"] = json!(pwd);
        payload.to_string()
    };
    let file = project.write("project/state/hookbox/off", off_text(-60, 600));
    fs::set_permissions(file.parent().unwrap(), Permissions::from_mode(0o700)).unwrap();
    fs::set_permissions(&file, Permissions::from_mode(0o600)).unwrap();
    let ask = |home: &std::path::Path, pwd: &std::path::Path| {
        let mut command = assert_cmd::Command::cargo_bin("hookbox").unwrap();
        command.args(["hook", "claude", "--home"]).arg(project.home()).current_dir(home).env("HOME", home);
        command.env("XDG_STATE_HOME", project.dir().join("state")).write_stdin(payload(pwd));
        crate::support::project::run(&mut command).stdout
    };
    assert!(ask(&project.home(), &project.dir()).contains("\"deny\""), "the agent works in that project");
    assert!(ask(&project.home(), &project.home()).contains("\"deny\""), "nor can one in which the agent stands later");
}

/// A link to a file from an earlier time would turn hookbox off without a person.
#[test]
fn a_hard_link_does_not_count() {
    let project = denying();
    let path = turn_off(&project, &off_text(-60, 600));
    let kept = project.home().join("kept");
    fs::hard_link(&path, &kept).unwrap();
    let payload = before_tool("claude", "Bash", &json!({"command": "ls"})).to_string();
    let ran = project.run(&["hook", "claude"], &payload);
    assert!(ran.stdout.contains("\"deny\"") && ran.stdout.contains("hard link"), "{ran:?}");
    fs::remove_file(&kept).unwrap();
    assert_eq!(project.run(&["hook", "claude"], &payload).stdout, "", "it has one name again");
}
