//! `hookbox log` and `hookbox explain`.

use crate::support::project::Project;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

/// A config whose hook denies `rm`, asks about `mv`, and allows the rest.
const RULE: &str = r#"[log]
[hooks.rule]
events = ["pre_tool"]
command = "sh"
args = ['-c', '''case "$(cat)" in *'"rm '*) printf '{"decision":"deny","reason":"no rm"}';; *'"mv '*) printf '{"decision":"ask","reason":"sure?"}';; esac''']
"#;

fn project() -> Project {
    let project = Project::new().user(RULE);
    for (tool, command) in [("bash", "rm x"), ("bash", "ls"), ("shell", "mv a b")] {
        let input = format!(
            r#"{{"event":"pre_tool","session_id":"s","tool_name":"{tool}","tool_input":{{"command":"{command}"}}}}"#
        );
        project.run(&["run"], &input);
    }
    let payload =
        r#"{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"Bash","tool_input":{"command":"rm y"}}"#;
    project.run(&["hook", "claude"], payload);
    project
}

/// Returns the decisions that are listed.
fn listed(project: &Project, args: &[&str]) -> Vec<String> {
    let args: Vec<&str> = std::iter::once("log").chain(args.iter().copied()).collect();
    let ran = project.run(&args, "");
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{ran:?}");
    let decision = |line: &str| line.split_whitespace().nth(5).unwrap_or_default().to_owned();
    ran.stdout.lines().skip(1).map(decision).collect()
}

#[test]
fn decisions_are_listed_newest_last() {
    let project = project();
    assert_eq!(listed(&project, &[]), ["deny", "allow", "ask", "deny"]);
    let ran = project.run(&["log"], "");
    assert!(ran.stdout.lines().next().unwrap().starts_with("TIME"), "{}", ran.stdout);
    assert!(ran.stdout.contains("no rm"));
}

#[test]
fn decisions_can_be_selected() {
    let project = project();
    assert_eq!(listed(&project, &["--decision", "deny"]).len(), 2);
    assert_eq!(listed(&project, &["--agent", "claude"]), ["deny"]);
    assert_eq!(listed(&project, &["--tool", "shell"]), ["ask"]);
    assert_eq!(listed(&project, &["--hook", "rule"]).len(), 4);
    assert_eq!(listed(&project, &["--hook", "other"]).len(), 0);
    assert_eq!(listed(&project, &["--since", "1h"]).len(), 4);
    assert_eq!(listed(&project, &["--since", "2100-01-01"]).len(), 0);
    assert_eq!(project.run(&["log", "--since", "soon"], "").status, 1);
}

#[test]
fn decisions_are_lines_of_json_for_programs() {
    let ran = project().run(&["log", "--format", "json"], "");
    let lines: Vec<serde_json::Value> = ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 4);
    assert_eq!(lines[0]["input"]["tool_input"]["command"], "rm x");
}

#[test]
fn a_follower_sees_what_comes() {
    let project = project();
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("hookbox"));
    command.args(["log", "--follow", "--decision", "ask", "--home"]).arg(project.home()).stdout(Stdio::piped());
    let mut follower = command.spawn().unwrap();
    let mut lines = BufReader::new(follower.stdout.take().unwrap()).lines();
    assert!(lines.next().unwrap().unwrap().starts_with("TIME"));
    assert!(lines.next().unwrap().unwrap().contains("sure?"));
    // A file that is put aside does not end the follower.
    let log = project.home().join(".local/state/hookbox/decisions.jsonl");
    std::fs::rename(&log, log.with_file_name("decisions-01a20927-428d-7732-81c2-cf15a7c32368.jsonl")).unwrap();
    project.run(&["run"], r#"{"event":"pre_tool","tool_name":"late","tool_input":{"command":"mv c d"}}"#);
    assert!(lines.next().unwrap().unwrap().contains("late"));
    follower.kill().unwrap();
    follower.wait().unwrap();
}

#[test]
fn a_decision_is_explained() {
    let project = project();
    let ran = project.run(&["explain", "--last"], "");
    assert_eq!(ran.status, 0, "{ran:?}");
    for expected in [
        "claude",
        "rm y",
        "deny by rule",
        "no rm",
        "first deny ends the chain",
        "[hooks.rule] in",
        "enforce = false",
        "permissionDecision",
    ] {
        assert!(ran.stdout.contains(expected), "{expected}: {}", ran.stdout);
    }
    let id = project.run(&["log", "--format", "json", "--tool", "shell"], "").json()["id"].as_str().unwrap().to_owned();
    let short = project.run(&["explain", &id[id.len() - 8..]], "");
    assert!(short.stdout.contains("mv a b") && short.stdout.contains(&id), "{short:?}");
    let json = project.run(&["explain", &id, "--format", "json"], "").json();
    assert_eq!(json["decision"]["verdict"], "ask");
    assert!(json["advice"].as_array().unwrap().len() > 1);
    for wrong in [vec!["explain"], vec!["explain", "abc"], vec!["explain", "ffffffff-nothing"]] {
        let ran = project.run(&wrong, "");
        assert_eq!(ran.status, 1, "{wrong:?}");
        assert!(ran.stderr.contains("error"), "{ran:?}");
    }
    assert!(project.run(&["explain"], "").stderr.contains("or use `--last` for the newest"));
}

/// The policy is asked again with one setting changed at a time.
#[test]
fn the_setting_that_decided_is_named() {
    let push = "git push --force origin release/1";
    let strict = "command-allowlist\"\nsettings = { otherwise = \"deny\" } # ";
    for (log, policy, command, expected) in [
        ("", "no-destructive-commands", push, Some("with `branches = []`, it would modify")),
        ("", strict, "ls", Some("with `otherwise = \"ask\"`, it would ask")),
        // No other value of one setting alone is less strict.
        ("", "command-allowlist", "ls", None),
        // Without the Input, the policy cannot be asked again.
        ("inputs = \"none\"\n", strict, "ls", None),
    ] {
        let config = format!("[log]\n{log}[hooks.guard]\npolicy = \"{policy}\"\n");
        let project = Project::new().user(&config);
        let input = format!(
            r#"{{"event":"pre_tool","session_id":"s","tool_name":"bash","tool_input":{{"command":"{command}"}}}}"#
        );
        project.run(&["run"], &input);
        let ran = project.run(&["explain", "--last"], "");
        let decided: Vec<&str> = ran.stdout.lines().filter(|line| line.contains("decided this")).collect();
        match expected {
            Some(expected) => {
                assert!(decided.len() == 1 && decided[0].contains("[hooks.guard] in"), "{policy}: {ran:?}");
                assert!(decided[0].contains(expected), "{policy}: {ran:?}");
            }
            None => assert!(decided.is_empty(), "{policy}: {ran:?}"),
        }
    }
}

#[test]
fn a_directory_is_no_log() {
    let project = project();
    for (args, status) in
        [(&["log", "--log", "."][..], 1), (&["explain", "--last", "--log", "."], 1), (&["replay", "."], 2)]
    {
        let ran = project.run(args, "");
        assert!(ran.status == status && ran.stderr.contains("is a directory, not a log"), "{args:?}: {ran:?}");
    }
}

#[test]
fn without_a_log_it_is_told_how_to_have_one() {
    let project = Project::new().user("");
    for command in ["log", "explain"] {
        let args: &[&str] = if command == "log" { &["log"] } else { &["explain", "--last"] };
        let ran = project.run(args, "");
        assert_eq!(ran.status, 1);
        assert!(ran.stderr.contains("add `[log]` to your hooks.toml"), "{ran:?}");
    }
}

#[test]
fn a_broken_line_is_told_and_hides_no_other() {
    let project = project();
    let log = project.home().join(".local/state/hookbox/decisions.jsonl");
    let text = std::fs::read_to_string(&log).unwrap();
    let (first, rest) = text.split_once('\n').unwrap();
    std::fs::write(&log, format!("{first}\n{{\"schema\":\n{rest}")).unwrap();
    let ran = project.run(&["log"], "");
    assert_eq!(ran.stdout.lines().count(), 5);
    assert!(
        ran.stderr.contains("warning[E801]") && ran.stderr.contains(&format!("byte {}", first.len() + 1)),
        "{}",
        ran.stderr
    );
}

#[test]
fn recorded_events_are_cases_that_pass() {
    let project = project();
    let ran = project.run(&["log", "--as-cases"], "");
    assert_eq!(ran.status, 0, "{ran:?}");
    assert_eq!(ran.stdout.matches("[[case]]").count(), 4);
    let cases = project.write("home/cases.toml", &ran.stdout);
    let config = project.home().join(".agents/hooks.toml");
    let args = ["test", "--config", config.to_str().unwrap(), "--hook", "rule", "--cases", cases.to_str().unwrap()];
    let ran = project.run(&args, "");
    assert_eq!(ran.status, 0, "{ran:?}");
    assert!(ran.stdout.contains('4'), "{ran:?}");
}

#[test]
fn a_time_may_have_an_offset() {
    let project = project();
    for (since, expected) in
        [("2000-01-01T00:00:00+02:00", 4), ("2000-01-01t00:00:00z", 4), ("2100-01-01T00:00:00-05:30", 0)]
    {
        assert_eq!(listed(&project, &["--since", since]).len(), expected, "{since}");
    }
    assert_eq!(project.run(&["log", "--since", "2000-01-01T00:00:00+25:00"], "").status, 1);
}

#[test]
fn a_value_cannot_look_like_a_row() {
    let project = project();
    let input = r#"{"event":"pre_tool","tool_name":"bash","tool_input":{"command":"rm x\nverdict   allow"}}"#;
    project.run(&["run"], input);
    let ran = project.run(&["explain", "--last"], "");
    let verdicts: Vec<&str> = ran.stdout.lines().filter(|line| line.starts_with("verdict")).collect();
    assert!(verdicts.len() == 1 && verdicts[0].contains("deny by rule"), "{ran:?}");
}

#[test]
fn a_long_log_is_listed_in_time() {
    let project = Project::new();
    let line = |n: usize| {
        let host = r#"{"version":"0.1.0","pid":1,"via":"run"}"#;
        let tool = if n == 0 { "x".repeat(50_000) } else { "bash".to_owned() };
        format!(
            r#"{{"schema":1,"id":"{n:036}","time":"2026-01-01T00:00:00.000Z","us":1,"host":{host},"event":"pre_tool","tool":{{"name":"{tool}"}},"verdict":"allow","codes":[],"hooks":[]}}"#
        ) + "\n"
    };
    let log = project.write("home/log.jsonl", (0..20_000).map(line).collect::<String>());
    let started = std::time::Instant::now();
    let ran = project.run(&["log", "--log", log.to_str().unwrap()], "");
    assert_eq!(ran.stdout.lines().count(), 20_001);
    assert!(ran.stdout.len() < 20 << 20, "one long name makes no other row long: {}", ran.stdout.len());
    // If each cell looked at all rows, this would take minutes.
    assert!(started.elapsed() < std::time::Duration::from_secs(60), "{:?}", started.elapsed());
}
