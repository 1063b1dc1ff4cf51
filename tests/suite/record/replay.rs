//! `hookbox replay`.

use crate::support::project::Project;
use std::path::{Path, PathBuf};

/// Returns a script that denies commands with a word.
fn denies(word: &str) -> String {
    format!(
        "export default function (input) {{\n  const text = JSON.stringify(input.tool_input);\n  \
         return text.includes({word:?}) ? {{ decision: 'deny', reason: 'has {word}' }} : {{}};\n}}\n"
    )
}

/// Creates a project with a log of a script that denies `danger`.
fn recorded() -> Option<(Project, PathBuf)> {
    if !crate::support::guests::run_scripts() {
        return None;
    }
    let project = Project::new();
    project.write("home/.agents/guard.js", denies("danger"));
    let project = project.user("[log]\n[hooks.guard]\nevents = [\"pre_tool\"]\nscript = \"guard.js\"\n");
    for command in ["ls", "danger 1", "risk 2", "danger and risk"] {
        let input = format!(r#"{{"event":"pre_tool","tool_name":"bash","tool_input":{{"command":"{command}"}}}}"#);
        project.run(&["run"], &input);
    }
    let log = project.home().join(".local/state/hookbox/decisions.jsonl");
    Some((project, log))
}

fn replay(project: &Project, log: &Path, more: &[&str]) -> (i32, serde_json::Value) {
    let mut args = vec!["replay", log.to_str().unwrap(), "--format", "json"];
    args.extend(more);
    let ran = project.run(&args, "");
    (ran.status, serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{ran:?}")))
}

#[test]
fn the_same_config_decides_the_same() {
    let Some((project, log)) = recorded() else { return };
    let (status, report) = replay(&project, &log, &[]);
    assert_eq!(status, 0, "{report}");
    assert_eq!((&report["events"], &report["same"]), (&4.into(), &4.into()), "{report}");
}

#[test]
fn what_a_new_config_decides_otherwise_is_shown() {
    let Some((project, log)) = recorded() else { return };
    project.write("home/new/guard.js", denies("risk"));
    let config =
        project.write("home/new/hooks.toml", "[hooks.guard]\nevents = [\"pre_tool\"]\nscript = \"guard.js\"\n");
    let config = config.to_str().unwrap();
    let (status, report) = replay(&project, &log, &["--config", config]);
    assert_eq!(status, 1, "`danger 1` would pass: {report}");
    assert_eq!(
        (&report["same"], &report["otherwise"], &report["looser"]),
        (&2.into(), &2.into(), &1.into()),
        "{report}"
    );
    let differences = report["differences"].as_array().unwrap();
    assert_eq!((&differences[0]["was"], &differences[0]["now"]), (&"deny".into(), &"allow".into()));
    assert_eq!((&differences[1]["was"], &differences[1]["now"]), (&"allow".into(), &"deny".into()));
    assert_eq!(differences[1]["reason"], "has risk");

    let text = project.run(&["replay", log.to_str().unwrap(), "--config", config], "");
    assert!(text.stdout.contains("Decided otherwise:") && text.stdout.contains("has risk"), "{text:?}");
    let junit = project.home().join("replay.xml");
    project.run(&["replay", log.to_str().unwrap(), "--config", config, "--junit", junit.to_str().unwrap()], "");
    let xml = std::fs::read_to_string(junit).unwrap();
    assert!(xml.contains("tests=\"4\"") && xml.contains("failures=\"1\""), "{xml}");
}

#[test]
fn a_stricter_config_is_no_failure() {
    let Some((project, log)) = recorded() else { return };
    project.write("home/new/guard.js", denies("command"));
    let config =
        project.write("home/new/hooks.toml", "[hooks.guard]\nevents = [\"pre_tool\"]\nscript = \"guard.js\"\n");
    let (status, report) = replay(&project, &log, &["--config", config.to_str().unwrap()]);
    assert_eq!((status, &report["looser"]), (0, &0.into()), "{report}");
    assert_eq!(report["otherwise"], 2, "{report}");
}

#[test]
fn a_hook_with_effects_is_not_asked_but_repeats_itself() {
    let project = Project::new();
    let touched = project.home().join("touched");
    let hook = format!(
        "[log]\n[hooks.shell]\nevents = [\"pre_tool\"]\ncommand = \"sh\"\nargs = ['-c', '''touch {}; printf '{{\"decision\":\"deny\",\"reason\":\"no\"}}' ''']\n",
        touched.display()
    );
    let project = project.user(&hook);
    project.run(&["run"], r#"{"event":"pre_tool","tool_name":"bash","tool_input":{}}"#);
    std::fs::remove_file(&touched).expect("it was asked when the event happened");
    let log = project.home().join(".local/state/hookbox/decisions.jsonl");
    let (status, report) = replay(&project, &log, &[]);
    assert_eq!((status, &report["same"]), (0, &1.into()), "{report}");
    assert!(!touched.exists(), "a replay has no effects");

    // A hook that the log has nothing from is neither a pass nor a deny.
    let config = project.write("home/new/hooks.toml", hook.replace("hooks.shell", "hooks.other"));
    let (status, report) = replay(&project, &log, &["--config", config.to_str().unwrap()]);
    assert_eq!((status, &report["unknown"]), (2, &1.into()), "{report}");
    assert!(report["not_judged"][0]["why"].as_str().unwrap().contains("`other`"), "{report}");
}

#[test]
fn a_deny_counts_whatever_another_hook_would_have_said() {
    let Some((project, log)) = recorded() else { return };
    project.write("home/new/guard.js", denies("danger"));
    let config = "[hooks.other]\nevents = [\"pre_tool\"]\ncommand = \"true\"\non_error = \"allow\"\n\
                  [hooks.guard]\nevents = [\"pre_tool\"]\nscript = \"guard.js\"\n";
    let config = project.write("home/new/hooks.toml", config);
    let (_, report) = replay(&project, &log, &["--config", config.to_str().unwrap()]);
    assert_eq!((&report["same"], &report["unknown"]), (&2.into(), &2.into()), "{report}");
}

/// What a hook said says nothing about another hook with its name.
#[test]
fn a_hook_with_effects_that_was_changed_does_not_repeat_itself() {
    let says = |decision: &str, most: &str| {
        let command = format!("printf '{{\"decision\":\"{decision}\",\"reason\":\"no\"}}'");
        format!(
            "[hooks.shell]\nevents = [\"pre_tool\"]\ncommand = \"sh\"\nsettings = {{ most = {most} }}\nargs = ['-c', '''{command} ''']\n"
        )
    };
    let project = Project::new().user(&format!("[log]\n{}", says("deny", "1")));
    project.run(&["run"], r#"{"event":"pre_tool","tool_name":"bash","tool_input":{}}"#);
    let log = project.home().join(".local/state/hookbox/decisions.jsonl");
    for (config, key) in [
        (says("deny", "1"), "same"),
        (format!("# moved\n\n{}", says("deny", "1")), "same"),
        (says("allow", "1"), "unknown"),
        (says("deny", "2"), "unknown"),
    ] {
        let path = project.write("home/new/hooks.toml", &config);
        let (_, report) = replay(&project, &log, &["--config", path.to_str().unwrap()]);
        assert_eq!(report[key], 1, "{config}: {report}");
    }
}

/// What a hook said about one form of the Input says nothing about another.
#[test]
fn a_hook_with_effects_does_not_repeat_itself_about_another_rewrite() {
    if !crate::support::guests::run_scripts() {
        return;
    }
    let rewrites = |to: &str| {
        format!("export default () => ({{ decision: 'modify', modified_tool_input: {{ command: '{to}' }} }});\n")
    };
    let hooks = "[hooks.rewrite]\nevents = [\"pre_tool\"]\nscript = \"rewrite.js\"\n\
                 [hooks.shell]\nevents = [\"pre_tool\"]\ncommand = \"true\"\n";
    let project = Project::new();
    project.write("home/.agents/rewrite.js", rewrites("ls"));
    let project = project.user(&format!("[log]\n{hooks}"));
    project.run(&["run"], r#"{"event":"pre_tool","tool_name":"bash","tool_input":{"command":"danger"}}"#);
    let log = project.home().join(".local/state/hookbox/decisions.jsonl");
    let config = project.write("home/new/hooks.toml", hooks);
    for (script, key) in
        [(rewrites("ls"), "same"), (rewrites("rm"), "unknown"), ("export default () => ({});\n".to_owned(), "unknown")]
    {
        project.write("home/new/rewrite.js", &script);
        let (_, report) = replay(&project, &log, &["--config", config.to_str().unwrap()]);
        assert_eq!(report[key], 1, "{script}: {report}");
    }
}

/// A hook that answers again after a rewrite has only its last answer in the log.
#[test]
fn a_hook_with_effects_that_was_asked_again_repeats_its_last_answer() {
    if !crate::support::guests::run_scripts() {
        return;
    }
    let rewrite = "export default () => ({ decision: 'modify', modified_tool_input: { command: 'ls' } });\n";
    let hooks = "[hooks.shell]\nevents = [\"pre_tool\"]\ncommand = \"true\"\nrecheck = true\n\
                 [hooks.rewrite]\nevents = [\"pre_tool\"]\nscript = \"rewrite.js\"\n";
    let project = Project::new();
    project.write("home/.agents/rewrite.js", rewrite);
    let project = project.user(&format!("[log]\n{hooks}"));
    project.run(&["run"], r#"{"event":"pre_tool","tool_name":"bash","tool_input":{"command":"danger"}}"#);
    let log = project.home().join(".local/state/hookbox/decisions.jsonl");
    let config = project.write("home/new/hooks.toml", hooks);
    for (script, key) in [(rewrite, "same"), ("export default () => ({});\n", "unknown")] {
        project.write("home/new/rewrite.js", script);
        let (_, report) = replay(&project, &log, &["--config", config.to_str().unwrap()]);
        assert_eq!(report[key], 1, "{script}: {report}");
    }
}

/// The log has no form of the Input between two rewrites, but the same hooks come to the same one again.
#[test]
fn a_hook_with_effects_between_two_rewrites_repeats_itself_while_these_are_the_same() {
    if !crate::support::guests::run_scripts() {
        return;
    }
    let rewrites = |from: &str, to: &str| {
        format!(
            "export default (input) => input.tool_input.command === '{from}'\n  \
             ? {{ decision: 'modify', modified_tool_input: {{ command: '{to}' }} }} : {{}};\n"
        )
    };
    let hooks = "[log]\n[hooks.first]\nevents = [\"pre_tool\"]\nscript = \"first.js\"\n\
                 [hooks.shell]\nevents = [\"pre_tool\"]\ncommand = \"true\"\n\
                 [hooks.last]\nevents = [\"pre_tool\"]\nscript = \"last.js\"\n";
    let project = Project::new();
    project.write("home/.agents/first.js", rewrites("one", "two"));
    project.write("home/.agents/last.js", rewrites("two", "three"));
    let project = project.user(hooks);
    let ran = project.ask_bash("one");
    assert_eq!(ran.json()["input"]["tool_input"]["command"], "three", "{ran:?}");
    let log = project.home().join(".local/state/hookbox/decisions.jsonl");
    let (_, report) = replay(&project, &log, &[]);
    assert_eq!(report["same"], 1, "{report}");
    // Asked alone, it gets the Input as it came.
    let (_, report) = replay(&project, &log, &["--hook", "shell"]);
    assert_eq!(report["unknown"], 1, "{report}");
    for (file, script) in [("first.js", rewrites("one", "2")), ("last.js", rewrites("two", "3"))] {
        let path = project.home().join(".agents").join(file);
        let before = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, script).unwrap();
        let (_, report) = replay(&project, &log, &[]);
        assert_eq!(report["unknown"], 1, "{file}: {report}");
        std::fs::write(&path, before).unwrap();
    }
    let config = project.write("home/.agents/other.toml", hooks);
    let (_, report) = replay(&project, &log, &["--config", config.to_str().unwrap()]);
    assert_eq!(report["unknown"], 1, "its settings may be others: {report}");
}

#[test]
fn a_hook_that_cannot_run_decides_nothing() {
    let Some((project, log)) = recorded() else { return };
    let replayed = |config: &str| {
        let path = project.write("home/new/hooks.toml", config);
        project.run(&["replay", log.to_str().unwrap(), "--config", path.to_str().unwrap()], "")
    };
    let missing = replayed("[hooks.guard]\nevents = [\"pre_tool\"]\nscript = \"missing.js\"\n");
    assert!(missing.status == 2 && missing.stdout.contains("`guard` cannot run"), "{missing:?}");
    for broken in ["[hooks", "nothing = 1\n"] {
        let ran = replayed(broken);
        assert!(ran.status == 2 && ran.stderr.contains("the config cannot be used"), "{broken}: {ran:?}");
    }
}

#[test]
fn what_a_mask_hides_never_passes() {
    let Some((project, _)) = recorded() else { return };
    let token = "ghp_A8sd7f6g5h4j3k2l1Qw9e8r7t6y5u4i3o2p1";
    project.write("home/.agents/guard.js", denies("ghp_"));
    project.run(
        &["run"],
        &format!(r#"{{"event":"pre_tool","tool_name":"bash","tool_input":{{"command":"curl {token}"}}}}"#),
    );
    let log = project.home().join(".local/state/hookbox/decisions.jsonl");
    assert!(!std::fs::read_to_string(&log).unwrap().contains(token), "the log is masked");
    let (_, report) = replay(&project, &log, &[]);
    assert_eq!(report["unknown"], 1, "{report}");
    assert!(report["not_judged"][0]["why"].as_str().unwrap().contains("masked"), "{report}");
}

#[test]
fn an_input_that_was_changed_in_the_log_is_left_out() {
    let Some((project, log)) = recorded() else { return };
    let text = std::fs::read_to_string(&log).unwrap();
    assert_eq!(text.matches("\"danger 1\"").count(), 2, "in the facts and in the Input: {text}");
    std::fs::write(&log, text.replace("\"danger 1\"", "\"harmless\"")).unwrap();
    let (_, report) = replay(&project, &log, &[]);
    let left_out = &report["left_out"]["its Input is not the one that was recorded"];
    assert_eq!((left_out, &report["same"]), (&1.into(), &3.into()), "{report}");
}

#[test]
fn what_cannot_be_replayed_is_told() {
    let project =
        Project::new().user("[log]\ninputs = \"none\"\n[hooks.x]\nevents = [\"pre_tool\"]\ncommand = \"true\"\n");
    let missing = project.run(&["replay", "/nowhere/log.jsonl"], "");
    assert_eq!(missing.status, 2);
    assert!(missing.stderr.contains("does not exist"), "{missing:?}");
    project.run(&["run"], r#"{"event":"pre_tool","tool_name":"bash","tool_input":{}}"#);
    let log = project.home().join(".local/state/hookbox/decisions.jsonl");
    let (status, report) = replay(&project, &log, &[]);
    assert_eq!((status, &report["left_out"]["its Input is not in the log"]), (2, &1.into()), "{report}");
    let wrong = project.run(&["replay", log.to_str().unwrap(), "--hook", "nobody"], "");
    assert!(wrong.status == 2 && wrong.stderr.contains("no hook `nobody`"), "{wrong:?}");
}

#[test]
fn one_hook_can_be_compared_alone() {
    let Some((project, log)) = recorded() else { return };
    let config = "[hooks.guard]\nevents = [\"pre_tool\"]\nscript = \"guard.js\"\n[hooks.all]\nevents = [\"pre_tool\"]\nscript = \"all.js\"\n";
    project.write("home/.agents/all.js", denies(""));
    let config = project.write("home/.agents/both.toml", config);
    let (status, report) = replay(&project, &log, &["--config", config.to_str().unwrap(), "--hook", "guard"]);
    assert_eq!((status, &report["same"]), (0, &4.into()), "{report}");
    let (_, report) = replay(&project, &log, &["--config", config.to_str().unwrap()]);
    assert_eq!(report["otherwise"], 2, "{report}");
}

/// The failure stops the event, as the recorded deny did, but the hook might allow it at another time.
#[test]
fn a_hook_that_fails_now_is_not_the_same() {
    let Some((project, log)) = recorded() else { return };
    project.write("home/new/guard.js", "export default function () { throw new Error('no'); }\n");
    let config =
        project.write("home/new/hooks.toml", "[hooks.guard]\nevents = [\"pre_tool\"]\nscript = \"guard.js\"\n");
    let (status, report) = replay(&project, &log, &["--config", config.to_str().unwrap()]);
    assert_eq!((status, &report["unknown"]), (2, &4.into()), "{report}");
    assert!(report["not_judged"][0]["why"].as_str().unwrap().contains("`guard` fails now"), "{report}");
}

#[test]
fn the_log_is_found_where_the_users_config_is() {
    let hook = "[log]\n[hooks.shell]\nevents = [\"pre_tool\"]\ncommand = \"true\"\n";
    let project = Project::new();
    project.write("home/.config/hookbox/hooks.toml", hook);
    project.ask_bash("ls");
    let home = project.home();
    for args in [vec!["replay"], vec!["replay", "--home", home.to_str().unwrap()]] {
        let ran = project.run(&args, "");
        assert!(ran.status == 0 && ran.stdout.contains("1 events"), "{args:?}: {ran:?}");
    }
    // Its full files are found by a name without a directory, too.
    let log = home.join(".local/state/hookbox/decisions.jsonl");
    std::fs::rename(&log, log.with_file_name("decisions-01a20927-428d-7732-81c2-cf15a7c32368.jsonl")).unwrap();
    project.ask_bash("ls");
    let project = project.in_dir("home/.local/state/hookbox");
    assert!(project.run(&["replay", "decisions.jsonl"], "").stdout.contains("2 events"));
}

/// Each layer may have a hook of the same name.
#[test]
fn a_hook_does_not_repeat_the_answer_of_its_namesake() {
    let says = |decision: &str| {
        let answer = format!(r#"printf '{{"decision":"{decision}","reason":"no"}}'"#);
        format!("[hooks.shell]\nevents = [\"pre_tool\"]\ncommand = \"sh\"\nargs = ['-c', '''{answer} ''']\n")
    };
    let project = Project::new().user(&format!("[log]\n{}", says("allow")));
    project.write("home/.config/hookbox/hooks.toml", says("deny"));
    project.ask_bash("ls");
    let log = project.home().join(".local/state/hookbox/decisions.jsonl");
    let (status, report) = replay(&project, &log, &[]);
    assert_eq!((status, &report["unknown"]), (2, &1.into()), "it passed for its namesake: {report}");
}
