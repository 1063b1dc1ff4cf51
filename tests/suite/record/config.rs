//! `[log]` in a config.

use crate::support::project::Project;
use std::fs;

const DENIES: &str = "[hooks.no]\nevents = [\"pre_tool\"]\ncommand = \"sh\"\nargs = ['-c', '''printf '{\"decision\":\"deny\",\"reason\":\"no\"}' ''']\n";

fn lines(project: &Project) -> Vec<serde_json::Value> {
    let file = project.home().join(".local/state/hookbox/decisions.jsonl");
    let text = fs::read_to_string(file).unwrap_or_default();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn run(project: &Project, input: &str) -> i32 {
    project.run(&["run"], input).status
}

const CALL: &str = r#"{"event":"pre_tool","tool_name":"bash","tool_input":{"command":"ls"}}"#;

#[test]
fn there_is_no_log_unless_the_user_asks_for_one() {
    let project = Project::new().user(DENIES);
    assert_eq!(run(&project, CALL), 2);
    assert!(lines(&project).is_empty());
    let project = Project::new().user(&format!("[log]\n{DENIES}"));
    assert_eq!(run(&project, CALL), 2);
    assert_eq!(lines(&project).len(), 1);
}

#[test]
fn what_is_written_can_be_chosen() {
    for (what, expected) in
        [("decisions", vec!["deny", "allow"]), ("denials", vec!["deny"]), ("all", vec!["deny", "allow", "allow"])]
    {
        let listens = "[hooks.listens]\nevents = [\"post_tool\"]\ncommand = \"true\"\n";
        let project = Project::new().user(&format!("[log]\nwhat = \"{what}\"\n{DENIES}{listens}"));
        assert_eq!(run(&project, CALL), 2);
        assert_eq!(run(&project, r#"{"event":"post_tool","tool_name":"bash"}"#), 0);
        assert_eq!(run(&project, r#"{"event":"pre_message","message":"hello"}"#), 0);
        let verdicts: Vec<_> =
            lines(&project).iter().map(|line| line["verdict"].as_str().unwrap().to_owned()).collect();
        assert_eq!(verdicts, expected, "{what}");
    }
}

#[test]
fn a_line_tells_the_whole_decision() {
    let project = Project::new().user(&format!("[log]\n{DENIES}"));
    let payload = r#"{"hook_event_name":"PreToolUse","session_id":"s7","cwd":"/tmp","permission_mode":"plan","tool_use_id":"t1","tool_name":"Bash","tool_input":{"command":"cat /etc/hosts"}}"#;
    let ran = project.run(&["hook", "claude"], payload);
    let line = lines(&project).pop().unwrap();
    assert_eq!(line["schema"], 1);
    assert_eq!(line["agent"], "claude");
    assert_eq!(line["session"], "s7");
    assert_eq!(line["event"], "pre_tool");
    assert_eq!(line["mode"], "plan");
    assert_eq!(line["tool_use_id"], "t1");
    assert_eq!(line["tool"]["kind"], "shell");
    assert_eq!(line["tool"]["command"], "cat /etc/hosts");
    assert_eq!((&line["verdict"], &line["by"], &line["reason"]), (&"deny".into(), &"no".into(), &"no".into()));
    assert_eq!(line["hooks"][0]["decision"], "deny");
    assert_eq!(line["told"]["stdout"], ran.stdout.trim_end());
    assert_eq!(line["host"]["via"], "hook");
    assert!(line["id"].as_str().unwrap().len() == 36 && line["config"].is_string() && line["us"].is_u64());
}

#[test]
fn what_could_not_be_judged_is_in_the_log() {
    let project = Project::new().user("[log]\n");
    let ran = project.run(&["hook", "claude"], "{\"hook_event_name\":\"PreToolUse\",\"tool_name\":3}");
    assert_eq!(ran.status, 2, "{ran:?}");
    let ran = project.run(&["hook", "claude"], r#"{"hook_event_name":"SomethingNew","session_id":"s"}"#);
    assert_eq!(ran.status, 0);
    let lines = lines(&project);
    assert_eq!(lines[0]["verdict"], "deny");
    assert_eq!((&lines[1]["verdict"], &lines[1]["event"]), (&"none".into(), &"SomethingNew".into()));
}

#[test]
fn a_log_that_cannot_be_written_changes_no_verdict() {
    for (hook, status) in [(DENIES, 2), ("[hooks.yes]\nevents = [\"pre_tool\"]\ncommand = \"true\"\n", 0)] {
        let project = Project::new();
        project.write("home/blocked", "a file, so it cannot be a directory");
        let project = project.user(&format!("[log]\nfile = \"../blocked/log.jsonl\"\n{hook}"));
        let ran = project.run(&["run"], CALL);
        assert_eq!(ran.status, status, "{ran:?}");
        let outcome = ran.json();
        assert_eq!(outcome["warnings"][0]["code"], "E801", "{outcome}");
        assert!(outcome["warnings"][0]["message"].as_str().unwrap().contains("the decision stands"));
        let payload =
            r#"{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"Bash","tool_input":{"command":"ls"}}"#;
        let ran = project.run(&["hook", "claude"], payload);
        assert_eq!(ran.stdout.contains("deny"), status == 2, "{ran:?}");
        assert!(ran.stdout.contains("E801"), "the user is told: {ran:?}");
    }
}

#[test]
fn no_component_is_given_the_log() {
    let project = Project::new();
    project.write("home/.agents/guard.wasm", crate::support::component::allowing());
    let dir = project.home().join("audit");
    std::fs::create_dir(&dir).unwrap();
    for (file, is_given) in [("../audit/log.jsonl", false), ("../other/log.jsonl", true)] {
        project.write(
            "home/.agents/hooks.toml",
            format!(
                "[log]\nfile = \"{file}\"\n[hooks.guard]\nevents = [\"pre_tool\"]\ncomponent = \"guard.wasm\"\n\
                 grants.dirs = [{{ path = \"{}\", as = \"/audit\", access = \"read-write\" }}]\n",
                dir.display()
            ),
        );
        run(&project, CALL);
        let ran = project.hookbox("check", &[]);
        assert_eq!((ran.status == 0, ran.stderr.contains("E206")), (is_given, !is_given), "{file}: {ran:?}");
    }
}

#[test]
fn a_project_does_not_say_what_is_logged() {
    let project = Project::new().user("[log]\nwhat = \"all\"\n").project("[log]\ninputs = \"full\"\n");
    let ran = project.hookbox("check", &[]);
    assert_eq!(ran.status, 1, "{ran:?}");
    assert!(ran.stderr.contains("a project cannot say what is logged"), "{}", ran.stderr);
}

#[test]
fn a_mistake_in_it_is_told_where_it_is() {
    let cases = [
        ("wat = \"all\"", "did you mean `what`"),
        ("what = \"everything\"", "`log.what`"),
        ("inputs = \"mask\"", "`log.inputs`"),
        ("max_size = \"1 KB\"", "`log.max_size` must be from 128.0 KiB"),
        ("max_size = \"big\"", "not a size"),
        ("keep = -1", "`log.keep` must be from 0"),
        ("file = \"~/log\"", "begins with `~`"),
        ("file = \"\"", "not the name of a file"),
    ];
    for (line, expected) in cases {
        let project = Project::new().user(&format!("[log]\n{line}\n"));
        let ran = project.hookbox("check", &[]);
        assert_eq!(ran.status, 1, "{line}: {ran:?}");
        assert!(ran.stderr.contains(expected) && ran.stderr.contains("hooks.toml:2:"), "{line}: {}", ran.stderr);
        // A config that cannot be used denies.
        assert_ne!(run(&project, CALL), 0, "{line}");
    }
}

#[test]
fn a_mistake_in_it_writes_no_input() {
    for line in ["input = \"none\"", "inputs = \"non\""] {
        let project = Project::new().user(&format!("[log]\n{line}\n{DENIES}"));
        assert_ne!(run(&project, CALL), 0, "{line}");
        let lines = lines(&project);
        assert!(lines.len() == 1 && lines[0].get("input").is_none(), "{line}: {lines:?}");
    }
}
