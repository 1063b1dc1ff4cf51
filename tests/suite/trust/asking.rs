//! What is shown before the question, who may answer it, and what the answer means.

use super::{GUARD, answer, assert_trusted, assert_untrusted, guarded, kept, stable, trust};
use crate::support::component::{Guest, allowing};
use crate::support::project::Project;
use std::fs;

const MANY: &str = r#"[hooks.lint]
description = "Looks at each command"
events      = ["pre_tool"]
command     = "sh"
args        = ["-c", "python3 tools/lint.py --strict"]

[hooks.reader]
events    = ["pre_tool", "pre_message"]
component = "ok.wasm"
grants    = { dirs = [{ path = ".", as = "/project", access = "read" }], env = ["LANG"] }

[hooks.pure]
events    = ["pre_tool"]
component = "ok.wasm"
"#;

/// Creates a project with a hook of each kind.
fn many() -> Project {
    let project = Project::new().project(MANY);
    project.write("project/.agents/ok.wasm", allowing());
    project.write("project/tools/lint.py", "pass\n");
    project
}

#[test]
fn it_shows_what_would_run_and_what_that_may_do() {
    let project = many();
    insta::assert_snapshot!(stable(&project, &trust(&project)), @r#"
    <root>/project/.agents/hooks.toml was not trusted before

      | [hooks.lint]
      | description = "Looks at each command"
      | events      = ["pre_tool"]
      | command     = "sh"
      | args        = ["-c", "python3 tools/lint.py --strict"]
      |
      | [hooks.reader]
      | events    = ["pre_tool", "pre_message"]
      | component = "ok.wasm"
      | grants    = { dirs = [{ path = ".", as = "/project", access = "read" }], env = ["LANG"] }
      |
      | [hooks.pure]
      | events    = ["pre_tool"]
      | component = "ok.wasm"

      lint (shell)
        is      Looks at each command
        hears   pre_tool
        runs    sh -c python3 tools/lint.py --strict
        may     do whatever you may do, outside of any sandbox

      reader (component)
        hears   pre_tool, pre_message
        runs    ok.wasm
        may     read the files in `.` (as `/project`)
        may     read the variable `LANG`

      pure (component)
        hears   pre_tool
        runs    ok.wasm
        may     only compute

      files that it names, by their SHA-256:
        <sha256>  <root>/project/.agents/ok.wasm
        <sha256>  <root>/project/tools/lint.py

    Trust these hooks? [y/N] y
    trusted <root>/project/.agents/hooks.toml
    "#);
}

#[test]
fn it_shows_what_has_changed() {
    let project = many();
    trust(&project);
    let more = MANY.replace("[\"LANG\"] }", "[\"LANG\", \"TOKEN\"] }\nsettings  = { level = 2 }")
        + "\n[hooks.more]\nevents  = [\"post_tool\"]\ncommand = \"tools/more.sh\"\n";
    let project = project.project(&more);
    project.write("project/tools/lint.py", "fail\n");
    insta::assert_snapshot!(stable(&project, &trust(&project)), @r#"
    <root>/project/.agents/hooks.toml has changed since <time>, when you trusted it

        [hooks.reader]
        events    = ["pre_tool", "pre_message"]
        component = "ok.wasm"
      - grants    = { dirs = [{ path = ".", as = "/project", access = "read" }], env = ["LANG"] }
      + grants    = { dirs = [{ path = ".", as = "/project", access = "read" }], env = ["LANG", "TOKEN"] }
      + settings  = { level = 2 }

        [hooks.pure]
        events    = ["pre_tool"]
        component = "ok.wasm"
      +
      + [hooks.more]
      + events  = ["post_tool"]
      + command = "tools/more.sh"

      ! `<root>/project/tools/lint.py` has changed
      ! `<root>/project/tools/more.sh` is new

      lint (shell)
        is      Looks at each command
        hears   pre_tool
        runs    sh -c python3 tools/lint.py --strict
        may     do whatever you may do, outside of any sandbox

      reader (component)
        hears   pre_tool, pre_message
        runs    ok.wasm
        may     read the files in `.` (as `/project`)
        may     read the variable `LANG`
        may     read the variable `TOKEN` (new)

      pure (component)
        hears   pre_tool
        runs    ok.wasm
        may     only compute

      more (shell, new)
        hears   post_tool
        runs    tools/more.sh
        may     do whatever you may do, outside of any sandbox

      files that it names, by their SHA-256:
        <sha256>  <root>/project/.agents/ok.wasm
        <sha256>  <root>/project/tools/lint.py
        (not there)  <root>/project/tools/more.sh

    Trust these hooks? [y/N] y
    trusted <root>/project/.agents/hooks.toml
    "#);
    // This time, only the files have changed.
    fs::remove_file(project.dir().join("tools/lint.py")).unwrap();
    project.write("project/.agents/ok.wasm", Guest::answering(r#"{"decision":"ask"}"#).build());
    let shown = stable(&project, &trust(&project));
    let head: Vec<&str> = shown.lines().take_while(|line| !line.contains("lint (shell)")).collect();
    insta::assert_snapshot!(head.join("\n"), @"
    <root>/project/.agents/hooks.toml has changed since <time>, when you trusted it

      ! `<root>/project/.agents/ok.wasm` has changed
      ! `<root>/project/tools/lint.py` is gone
    ");
}

#[test]
fn only_yes_is_yes() {
    for line in ["", "n", "no", "yep", "y es", "\u{4}"] {
        let project = guarded();
        let (status, shown) = answer(&project, &["trust"], line);
        assert_eq!(status, 1, "{line:?}");
        assert!(shown.ends_with("nothing was changed\n"), "{shown}");
        assert_eq!(kept(&project).len(), 0);
        assert_untrusted(&project, "E301");
    }
    for line in ["Y", " yes "] {
        let project = guarded();
        assert_eq!(answer(&project, &["trust"], line).0, 0, "{line:?}");
        assert_trusted(&project);
    }
}

#[test]
fn nobody_is_asked_who_cannot_see_or_answer() {
    let project = guarded();
    let ran = project.run(&["trust"], "y\n");
    assert_eq!(ran.status, 1);
    assert!(ran.stdout.contains("guard.sh") && !ran.stdout.contains("[y/N]"), "{}", ran.stdout);
    insta::assert_snapshot!(ran.stderr, @"error[E702]: only a person can trust a project's hooks, at a terminal that no agent started: stdin, stdout and stderr are not a terminal (`--trust-all` runs one command with a project's hooks). Run this command yourself, in a terminal window of your own");
    for script in ["echo y | hookbox trust", "hookbox trust >out", "hookbox trust 2>err", "hookbox trust </dev/null"] {
        let mut terminal = project.shell_terminal(&format!("{script}; echo ended with $?"));
        terminal.wait_for("ended with 1");
        assert!(!terminal.end().1.contains("[y/N]"), "{script}");
    }
    assert_eq!(kept(&project).len(), 0);
    assert_untrusted(&project, "E301");
}

#[test]
fn an_agent_can_neither_trust_nor_take_trust_back() {
    let project = guarded();
    let agent = |args: &str| project.shell_terminal(&format!("CLAUDECODE=1 exec hookbox trust {args}")).end();
    let (status, shown) = agent("");
    assert!(status == 1 && shown.contains("guard.sh") && !shown.contains("[y/N]"), "{shown}");
    assert!(shown.contains("error[E702]: only a person can trust") && shown.contains("`CLAUDECODE` is set"), "{shown}");
    assert_eq!(kept(&project).len(), 0);
    trust(&project);
    let (status, shown) = agent("--revoke");
    assert!(status == 1 && shown.contains("error[E702]"), "{shown}");
    assert_trusted(&project);
}

#[test]
fn what_is_trusted_is_what_was_shown() {
    let slip = |project: &Project| {
        project.write("project/.agents/hooks.toml", format!("{GUARD}args = [\"--more\"]\n"));
    };
    let swap = |project: &Project| {
        project.script("project/guard.sh", "touch mine");
    };
    for change in [&slip as &dyn Fn(&Project), &swap] {
        let project = guarded();
        let mut terminal = project.terminal(&["trust"]);
        terminal.wait_for("[y/N] ");
        change(&project);
        terminal.type_line("y");
        assert_eq!(terminal.end().0, 0);
        assert_untrusted(&project, "E302");
        assert!(!project.dir().join("mine").exists());
    }
}

#[test]
fn text_of_the_project_cannot_rewrite_the_terminal() {
    let project =
        Project::new().project("# \u{202e}\r\n[hooks.a]\nevents = [\"pre_tool\"]\ncommand = \"a\\u001b[1A\"\n");
    let shown = trust(&project);
    assert!(shown.contains(r"| # \u{202e}") && shown.contains(r"runs    a\u{1b}[1A"), "{shown}");
    assert!(!shown.contains(['\u{1b}', '\u{202e}']), "{shown:?}");
}

#[test]
fn a_config_that_is_broken_cannot_be_trusted() {
    let project = Project::new().project(&format!("{GUARD}timout = \"1s\"\n"));
    let (status, shown) = project.terminal(&["trust"]).end();
    assert_eq!(status, 1);
    for words in ["error[E503]", "did you mean `timeout`?", "error[E301]: a config with such errors cannot be trusted"]
    {
        assert!(shown.contains(words), "{shown}");
    }
    assert_eq!(kept(&project).len(), 0);
}

#[test]
fn there_must_be_a_config() {
    let project = Project::new().user(GUARD);
    let ran = project.run(&["trust"], "");
    let message = "error: there is no config of a project in `<root>/project` or above it\n";
    assert_eq!((ran.status, project.stable(&ran.stderr).as_str()), (1, message));
    let ran = project.run(&["trust", "nowhere"], "");
    assert_eq!(ran.status, 1);
    assert!(ran.stderr.contains("project/nowhere` is not a directory"), "{}", ran.stderr);
}

#[test]
fn both_files_of_a_project_are_one_question() {
    let project = guarded();
    project.write("project/.hookbox/hooks.toml", GUARD.replace("guard]", "other]"));
    project.write("project/sub/file", "");
    let (status, shown) = answer(&project, &["trust", "sub"], "y");
    assert_eq!((status, shown.matches("[y/N]").count(), kept(&project).len()), (0, 1, 2), "{shown}");
    assert_trusted(&project);
    // Only what changed is asked about again.
    project.write("project/.hookbox/hooks.toml", GUARD.replace("guard]", "third]"));
    let shown = trust(&project);
    assert!(shown.contains("/.agents/hooks.toml is trusted as it is\n"), "{shown}");
    assert!(shown.contains("/.hookbox/hooks.toml has changed since"), "{shown}");
}

#[test]
fn ok_has_a_store_of_its_own() {
    let project = Project::new();
    project.write("project/.ok/settings.json", r#"{"hooks":{"PreToolUse":[{"command":"exit 2"}]}}"#);
    let payload = serde_json::json!({
        "event": "PreToolUse", "cwd": project.dir(), "toolName": "bash", "toolArgs": {"command": "ls"},
    });
    let run = || project.run(&["run", "--dialect", "ok"], &payload.to_string()).status;
    let untrusted = run();
    let (status, shown) = answer(&project, &["trust", "--dialect", "ok"], "y");
    assert_eq!(status, 0, "{shown}");
    assert!(shown.contains("Trust this project, with these hooks and all that it will ever have? [y/N]"), "{shown}");
    assert_eq!((untrusted, run()), (0, 2));
    let text = fs::read_to_string(project.home().join(".ok/trust.json")).unwrap();
    assert!(text.contains("/project\": true"), "{text}");
    assert_eq!(kept(&project).len(), 0);
    let list = |more: &[&str]| project.run(&[&["trust", "--dialect", "ok", "--list"], more].concat(), "");
    assert!(list(&[]).stdout.contains("\ntrusted         "), "{}", list(&[]).stdout);
    assert_eq!(list(&["--format", "json"]).json()["trusted"][0]["state"], "trusted");
    assert_eq!(project.run(&["trust", "--dialect", "ok", "--revoke"], "").status, 0);
    assert_eq!(run(), 0);
    let other = project.run(&["trust", "--dialect", "ub"], "");
    assert_eq!(other.stderr, "error: ub runs a project's hooks without trust: there is nothing to trust\n");
}
