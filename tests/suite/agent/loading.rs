//! Settings that the agent itself would not load, as found with the real programs.

use crate::support::project::{Project, Ran};
use serde_json::{Value, json};
use std::fs;

/// Returns where an agent has its hooks, and the event before a tool.
fn place(agent: &str) -> (&'static str, &'static str) {
    match agent {
        "claude" => (".claude/settings.json", "PreToolUse"),
        "codex" => (".codex/hooks.json", "PreToolUse"),
        "gemini" => (".gemini/settings.json", "BeforeTool"),
        "qwen" => (".qwen/settings.json", "PreToolUse"),
        "droid" => (".factory/hooks.json", "PreToolUse"),
        "copilot" => (".copilot/hooks/hookbox.json", "preToolUse"),
        _ => panic!("{agent} has no case"),
    }
}

/// Returns a text of settings in which the event has this value, which begins in line 4.
fn with(agent: &str, value: &str) -> String {
    let (_, event) = place(agent);
    match agent {
        "droid" => format!("{{\n\n\n  \"{event}\": {value}\n}}\n"),
        _ => format!("{{\n  \"hooks\": {{\n\n    \"{event}\": {value}\n  }}\n}}\n"),
    }
}

fn install(agent: &str, text: &str) -> (Project, Ran) {
    let project = Project::new();
    let path = project.write(&format!("home/{}", place(agent).0), text);
    let ran = project.run(&["install", agent, "--yes"], "");
    if ran.status != 0 {
        assert_eq!(fs::read_to_string(path).unwrap(), text, "{agent}: it was changed: {ran:?}");
    }
    (project, ran)
}

#[track_caller]
fn refused(agent: &str, text: &str, line: usize, words: &str) {
    let (_, ran) = install(agent, text);
    assert_eq!(ran.status, 1, "{agent} accepts {text}");
    for word in ["was not changed", words, &format!("line {line}:")] {
        assert!(ran.stderr.contains(word), "{agent}: {text}: {word} is not in {}", ran.stderr);
    }
    assert_eq!(ran.stderr.matches(place(agent).0).count(), 1, "the path, once: {}", ran.stderr);
}

#[track_caller]
fn accepted(agent: &str, text: &str) {
    let (_, ran) = install(agent, text);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{agent}: {text}");
}

#[test]
fn of_many_faults_the_first_are_told() {
    let (_, ran) = install("claude", &with("claude", &format!("[{}]", vec!["1"; 100].join(","))));
    assert_eq!((ran.status, ran.stderr.matches("in place of an object").count()), (1, 20), "{}", ran.stderr);
}

/// The values of an event that represent a kind of mistake, with words of the message, and the agents that then load
/// nothing.
const CASES: [(&str, &str, &[&str]); 19] = [
    ("[\"./a.sh\"]", "[0]` is a string in place of an object", &["claude", "codex", "droid"]),
    ("[null]", "[0]` is `null` in place of an object", &["claude", "codex", "droid"]),
    ("[{\"hooks\": [\"a.sh\"]}]", "[0].hooks[0]` is a string", &["claude", "codex", "droid"]),
    ("[{\"matcher\": \"*\"}]", "[0]` has no list `hooks`", &["claude", "droid"]),
    ("[{\"hooks\": null}]", "[0]` has no list `hooks`", &["claude", "codex", "droid"]),
    ("[{\"matcher\": 5, \"hooks\": []}]", "[0].matcher` is a number", &["claude", "codex", "droid"]),
    ("[{\"matcher\": null, \"hooks\": []}]", "[0].matcher` is `null`", &["claude", "droid"]),
    ("[{\"hooks\": [{\"type\": \"command\"}]}]", "[0].hooks[0]` has no `command`", &["claude", "codex", "droid"]),
    ("[{\"hooks\": [{\"command\": \"a\"}]}]", "[0].hooks[0]` has no `type`", &["claude", "codex", "droid"]),
    (
        "[{\"hooks\": [{\"type\": \"command\", \"command\": \"a\", \"onFailure\": \"deny\"}]}]",
        ".onFailure` is not `block` or `continue`",
        &["claude"],
    ),
    ("[{\"hooks\": [{\"type\": \"foo\", \"command\": \"a\"}]}]", "the type `foo`", &["claude", "codex", "droid"]),
    ("[{\"hooks\": [{\"type\": \"http\", \"url\": \"http://a\"}]}]", "the type `http`", &["codex", "droid"]),
    ("[{\"hooks\": [{\"type\": \"prompt\", \"prompt\": \"a\"}]}]", "the type `prompt`", &["droid"]),
    ("[{\"hooks\": [{\"type\": \"prompt\"}]}]", "[0].hooks[0]`", &["claude", "droid"]),
    (
        "[{\"hooks\": [{\"type\": \"command\", \"command\": \"a\", \"timeout\": \"5\"}]}]",
        "[0].hooks[0].timeout` is a string",
        &["claude", "codex", "droid"],
    ),
    (
        "[{\"hooks\": [{\"type\": \"command\", \"command\": \"a\", \"timeout\": -1}]}]",
        "[0].hooks[0].timeout` is -1",
        &["claude", "codex"],
    ),
    ("[{\"hooks\": [{\"type\": \"command\", \"command\": \"a\", \"timeout\": 0}]}]", "timeout` is 0", &["claude"]),
    ("[{\"hooks\": [{\"type\": \"command\", \"command\": \"a\", \"timeout\": 1.5}]}]", "timeout` is 1.5", &["codex"]),
    ("[{\"hooks\": [{\"type\": \"command\", \"command\": \"\", \"more\": 1}], \"more\": 1}]", "", &[]),
];

#[test]
fn one_wrong_entry_of_somebody_else_is_told_of_and_nothing_is_installed() {
    for agent in ["claude", "codex", "gemini", "qwen", "droid"] {
        for (value, words, refuse) in CASES {
            match refuse.contains(&agent) {
                true => refused(agent, &with(agent, value), 4, words),
                false => accepted(agent, &with(agent, value)),
            }
        }
        for value in ["null", "{}", "\"a\""] {
            refused(agent, &with(agent, value), 4, "in place of a list");
        }
    }
}

#[test]
fn what_json_itself_has_not_is_told_of_where_the_agent_has_it_not_either() {
    for agent in ["claude", "codex", "gemini", "qwen", "droid"] {
        let comment = "{\n  // mine\n}\n";
        match ["claude", "codex"].contains(&agent) {
            true => refused(agent, comment, 2, "a comment"),
            false => accepted(agent, comment),
        }
        refused(agent, &with(agent, "[],"), 4, "trailing comma");
        match ["codex", "gemini", "droid"].contains(&agent) {
            true => refused(agent, "\u{feff}{}\n", 1, "a byte order mark"),
            false => accepted(agent, "\u{feff}{}\n"),
        }
    }
}

#[test]
fn members_besides_the_hooks_can_keep_all_of_it_from_loading() {
    for (text, words) in [
        ("{\n\"permissions\": {\"allow\": \"Bash\"}}", "`permissions.allow` is a string in place of a list"),
        ("{\n\"permissions\": {\"deny\": \"Bash\"}}", "`permissions.deny` is a string in place of a list"),
        ("{\n\"permissions\": []}", "`permissions` is a list in place of an object"),
        ("{\n\"permissions\": null}", "`permissions` is `null` in place of an object"),
        ("{\n\"env\": []}", "`env` is a list in place of an object"),
        ("{\n\"model\": 5}", "`model` is a number in place of a string"),
        ("{\n\"disableAllHooks\": \"false\"}", "`disableAllHooks` is a string in place of `true` or `false`"),
        ("{\n\"hooks\": null}", "`hooks` is `null` in place of an object: remove it"),
    ] {
        refused("claude", text, 2, words);
    }
    // All mistakes are reported at once.
    let (_, ran) = install("claude", "{\n\"model\": 5,\n\"env\": []}");
    assert!(ran.stderr.contains("line 2: `model`") && ran.stderr.contains("line 3: `env`"), "{ran:?}");
    accepted("claude", "{\"version\": 1, \"env\": {\"A\": 1}, \"permissions\": {\"allow\": [1]}}");
    for (text, words) in [
        ("{\n\"version\": 1}", "`version`"),
        ("{\n\"$schema\": \"a\", \"hooks\": {}}", "`$schema`"),
        ("{\n\"PreToolUse\": []}", "`PreToolUse`"),
    ] {
        refused("codex", text, 2, words);
    }
    accepted("codex", "{\"description\": \"a\", \"hooks\": {\"Foo\": []}}");
    accepted("droid", "{\"version\": 1, \"Foo\": []}");
}

fn doctor(project: &Project, agent: &str) -> (Value, Vec<String>) {
    let report = project.run(&["doctor", agent, "--format", "json"], "").json();
    let examined = report["agents"][0].clone();
    let problems = serde_json::from_value(examined["problems"].clone()).unwrap();
    (examined, problems)
}

#[test]
fn the_doctor_does_not_believe_a_hook_that_is_never_loaded() {
    for (agent, from, to, words) in [
        ("claude", "{", "{\n  // mine", "line 2: there is a comment: remove it"),
        ("claude", "{", "{\"permissions\": {\"allow\": \"Bash\"},", "line 1: `permissions.allow` is a string"),
        ("claude", "\"PreToolUse\": [", "\"PreToolUse\": [\"./a.sh\",", "`hooks.PreToolUse[0]` is a string"),
        ("codex", "{", "{\"version\": 1,", "line 1: `version`"),
        ("codex", "{", "\u{feff}{", "a byte order mark"),
        ("droid", "\"PreToolUse\": [", "\"PreToolUse\": [{\"matcher\": \"*\"},", "`PreToolUse[0]` has no list `hooks`"),
        ("qwen", "\"hooks\": {", "\"hooks\": {\"Foo\": [],},\"x\": {", "trailing comma"),
    ] {
        let project = Project::new().user("[hooks.guard]\nevents = [\"pre_tool\"]\ncommand = \"true\"\n");
        assert_eq!(project.run(&["install", agent, "--yes"], "").status, 0);
        let path = project.home().join(place(agent).0);
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(doctor(&project, agent).0["denies"], true);
        assert!(text.contains(from), "{text}");
        fs::write(&path, text.replacen(from, to, 1)).unwrap();
        let (examined, problems) = doctor(&project, agent);
        let problem = problems.iter().find(|problem| problem.contains(words));
        let problem = problem.unwrap_or_else(|| panic!("{agent}: {words}: {problems:?}"));
        assert!(problem.contains("loads no hook from") && problem.contains(place(agent).0), "{problem}");
        if agent != "qwen" {
            assert_eq!(examined["denies"], false, "{agent}: {words}: {examined:#}");
        }
    }
}

#[test]
fn the_doctor_says_where_something_is_in_the_way() {
    let project = Project::new();
    project.write("home/.claude/settings.json", "{\n  \"hooks\": null\n}\n");
    let (_, problems) = doctor(&project, "claude");
    let words = "line 2: `hooks` is `null` in place of an object: remove it";
    assert!(problems.iter().any(|problem| problem.contains(words)), "{problems:?}");
    // A file that is not shared counts as well.
    project.write("home/.claude/settings.json", "{}");
    project.write("project/.claude/settings.local.json", "{\"permissions\": {\"allow\": \"Bash\"}}");
    let (_, problems) = doctor(&project, "claude");
    assert!(problems.iter().any(|problem| problem.contains("settings.local.json`: line 1: `permissions.allow`")));
}

#[test]
fn a_byte_order_mark_is_no_problem_where_the_agent_takes_it() {
    for agent in ["claude", "qwen"] {
        let project = Project::new();
        assert_eq!(project.run(&["install", agent, "--yes"], "").status, 0);
        let path = project.home().join(place(agent).0);
        fs::write(&path, format!("\u{feff}{}", fs::read_to_string(&path).unwrap())).unwrap();
        let (examined, problems) = doctor(&project, agent);
        assert_eq!((problems, &examined["denies"]), (Vec::new(), &json!(true)), "{agent}");
    }
}

#[test]
fn a_mistake_in_hookboxs_own_hook_is_mended_by_installing_again() {
    let project = Project::new();
    assert_eq!(project.run(&["install", "claude", "--yes"], "").status, 0);
    let path = project.home().join(place("claude").0);
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replacen("\"timeout\": 30", "\"timeout\": \"30\"", 1)).unwrap();
    let (examined, problems) = doctor(&project, "claude");
    assert_eq!((examined["denies"].clone(), problems.len()), (json!(false), 1), "{problems:?}");
    assert!(problems[0].contains("run `hookbox install claude`"), "{problems:?}");
    assert_eq!(project.run(&["install", "claude", "--yes"], "").status, 0);
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
}

/// Copilot drops a file only for a fault of the file, and otherwise skips the one hook.
#[test]
fn copilot_skips_a_wrong_hook_and_loads_the_others() {
    for value in ["null", "{}", "\"a\""] {
        refused("copilot", &with("copilot", value), 4, "in place of a list");
    }
    for (text, line, words) in [
        ("{\n  // mine\n}\n", 2, "a comment"),
        ("\u{feff}{}\n", 1, "a byte order mark"),
        ("{\n\"version\": 2}", 2, "`version` is not 1"),
        ("{\n\"version\": \"1\"}", 2, "`version` is not 1"),
        ("{\n\"disableAllHooks\": \"true\"}", 2, "`disableAllHooks` is a string"),
    ] {
        refused("copilot", text, line, words);
    }
    for hook in [
        "\"./a.sh\"",
        "null",
        "{\"type\": \"command\"}",
        "{\"type\": \"foo\"}",
        "{\"bash\": \"a\", \"timeoutSec\": \"5\"}",
        "{\"matcher\": 5}",
    ] {
        accepted("copilot", &with("copilot", &format!("[{hook}]")));
    }
    // Copilot's settings, and those of Claude Code, which it also reads, are not loaded like the file with hooks.
    let project = Project::new().user("[hooks.guard]\nevents = [\"pre_tool\"]\ncommand = \"true\"\n");
    assert_eq!(project.run(&["install", "copilot", "--yes"], "").status, 0);
    project.write("project/.claude/settings.json", "{\"version\": 3, \"hooks\": {\"Stop\": null}}");
    assert_eq!(doctor(&project, "copilot").1, Vec::<String>::new());
    accepted("copilot", "{\"version\": 1, \"more\": 1, \"hooks\": {\"Foo\": 5}}");

    let project = Project::new().user("[hooks.guard]\nevents = [\"pre_tool\"]\ncommand = \"true\"\n");
    assert_eq!(project.run(&["install", "copilot", "--yes"], "").status, 0);
    let path = project.home().join(place("copilot").0);
    let text = fs::read_to_string(&path).unwrap();
    for (from, to) in [
        ("\"timeoutSec\": 30", "\"timeoutSec\": \"30\""),
        ("\"timeoutSec\": 30", "\"timeoutSec\": 0"),
        ("\"version\": 1", "\"version\": 2"),
        ("{", "\u{feff}{"),
    ] {
        fs::write(&path, &text).unwrap();
        assert_eq!(doctor(&project, "copilot").0["denies"], true);
        assert!(text.contains(from), "{text}");
        fs::write(&path, text.replacen(from, to, 1)).unwrap();
        let (examined, problems) = doctor(&project, "copilot");
        assert_eq!((&examined["denies"], problems.is_empty()), (&json!(false), false), "{to}: {problems:?}");
    }
}
