//! Scripts and the commands of hookbox.

use super::shared;
use crate::support::project::{Project, Ran, run};
use assert_cmd::Command;
use std::collections::BTreeSet;

const HOOK: &str = "\
export default function (input) {
  console.log(\"looks at\", input.tool_input);
  for (const method of [\"trace\", \"debug\", \"warn\", \"error\"]) console[method](`a ${method}`);
  if (input.tool_input.command.includes(\"--force\")) {
    return { decision: \"deny\", reason: \"no force\" };
  }
  return { decision: \"modify\", modified_tool_input: { command: \"nothing\" } };
}
";

const TOML: &str = "[hooks.forceless]\nevents = [\"pre_tool\"]\nscript = \"hook.js\"\n";

/// Returns the command for a user whose cache has the script runner.
fn hookbox(project: &Project, args: &[&str]) -> Command {
    let mut command = Command::cargo_bin("hookbox").unwrap();
    command.args(args).current_dir(project.dir()).env("HOME", project.home()).env_remove("XDG_CONFIG_HOME");
    command.env("XDG_CACHE_HOME", shared("cache")).env("XDG_STATE_HOME", shared("state"));
    command
}

pub(super) fn ask(project: &Project, args: &[&str], command: &str) -> Ran {
    let input = serde_json::json!({ "event": "pre_tool", "tool_name": "bash", "tool_input": { "command": command } });
    run(hookbox(project, &["run"]).args(args).write_stdin(input.to_string()))
}

fn project() -> Project {
    let project = Project::new();
    project.write("project/.agents/hook.js", HOOK);
    project.project(TOML)
}

#[test]
fn a_script_of_the_user_runs_like_any_hook() {
    let project = Project::new();
    project.write("home/.agents/hook.js", HOOK);
    let project = project.user(TOML);
    let denied = ask(&project, &[], "git push --force");
    assert_eq!(denied.status, 2, "{denied:?}");
    let outcome = denied.json();
    assert_eq!((&outcome["reason"], &outcome["hooks"][0]["kind"]), (&"no force".into(), &"script".into()));
    let modified = ask(&project, &["--verbose"], "ls");
    assert_eq!(modified.json()["input"]["tool_input"]["command"], "nothing");
    let lines: Vec<&str> = modified.stderr.lines().filter(|line| line.contains("the guest logged")).collect();
    let logged = [
        (" INFO", r#"looks at {\"command\":\"ls\"}"#),
        ("DEBUG", "a debug"),
        (" WARN", "a warn"),
        ("ERROR", "a error"),
    ];
    // The hook was asked again about its own rewrite of the call.
    assert_eq!(lines.len(), 2 * logged.len(), "{modified:?}");
    for (line, (level, text)) in lines.iter().zip(logged) {
        assert!(line.contains(level) && line.contains(text), "{line}");
    }
}

#[test]
fn check_finds_a_script_that_no_call_could_run() {
    for (source, problem) in [
        (
            "export default (input) => {\n  return {\n",
            "error[E108]: hook `forceless` cannot run: hook.js:3:1: SyntaxError",
        ),
        ("const judge = () => ({});", "error[E108]: hook `forceless` cannot run: hook.js: has no hook"),
        ("missing();", "error[E108]: hook `forceless` cannot run: hook.js:1:1: ReferenceError"),
        ("for (;;);", "error[E101]: hook `forceless` cannot run: did not answer within 100ms"),
    ] {
        let project = Project::new();
        project.write("home/.agents/hook.js", source);
        let project = project.user(&format!("{TOML}timeout = \"100ms\"\n"));
        let ran = run(&mut hookbox(&project, &["check"]));
        assert_eq!((ran.status, ran.stdout.as_str()), (1, "1 hook in 1 file: 1 problem\n"), "{ran:?}");
        assert!(ran.stderr.contains(problem), "{ran:?}");
    }
    // `check` does not call a hook: this one would deny.
    let project = Project::new();
    project.write("home/.agents/hook.js", "export default () => { throw new Error(\"called\"); };");
    let ran = run(&mut hookbox(&project.user(TOML), &["check"]));
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{ran:?}");
}

#[test]
fn check_finds_a_script_that_reads_commands_without_asking_for_them() {
    let warned = |source: &str, more: &str| {
        let project = Project::new();
        project.write("home/.agents/hook.js", format!("export default (input) => {{ {source}; return {{}}; }};"));
        let project = project.user(&format!("{TOML}{more}"));
        let ran = run(&mut hookbox(&project, &["check"]));
        assert_eq!(ran.status, i32::from(!ran.stderr.is_empty()), "{ran:?}");
        ran.stderr.contains("warning[E503]: hook `forceless` reads `tool.commands`, which it never gets")
    };
    for source in [
        "input.tool.commands?.length",
        "input.tool?.commands",
        "input.tool[\"commands\"]",
        "const { kind, commands = [] } = input.tool",
        "const { tool: { commands } } = input",
        "const at = 'https://x.example/*'; input.tool.commands",
    ] {
        assert!(warned(source, ""), "{source}");
        assert!(!warned(source, "facts = [\"commands\"]\n"), "{source}");
    }
    for source in [
        "input.tool_input.commands",
        "const { commands } = input.tool_input",
        "const commands = [input.tool]",
        "/* not\n input.tool.commands */ 1",
        "1 // not input.tool.commands\n",
    ] {
        assert!(!warned(source, ""), "{source}");
    }
}

#[test]
fn a_script_of_an_untrusted_project_may_only_deny() {
    let project = project();
    assert_eq!(ask(&project, &[], "git push --force").status, 2);
    let outcome = ask(&project, &[], "ls").json();
    assert_eq!((&outcome["decision"], &outcome["modified"]), (&"allow".into(), &false.into()), "{outcome}");
    let warning = outcome["warnings"].to_string();
    assert!(warning.contains("may only deny or ask"), "{warning}");
}

#[test]
fn trust_covers_the_text_of_the_script() {
    let project = project();
    let (cache, state) = (shared("cache"), shared("state"));
    let places = format!("XDG_CACHE_HOME='{}' XDG_STATE_HOME='{}'", cache.display(), state.display());
    let mut terminal = project.shell_terminal(&format!("{places} exec hookbox trust"));
    terminal.wait_for("[y/N] ");
    terminal.type_line("y");
    let (status, shown) = terminal.end();
    assert_eq!(status, 0, "{shown}");
    assert!(shown.contains("forceless (script") && shown.contains("only compute"), "{shown}");
    assert_eq!(ask(&project, &[], "ls").json()["modified"], true);
    project.write("project/.agents/hook.js", HOOK.replace("nothing", "rm -rf /"));
    let outcome = ask(&project, &[], "ls").json();
    assert_eq!(outcome["modified"], false, "{outcome}");
    assert!(outcome["warnings"].to_string().contains("E302"), "{outcome}");
}

#[test]
fn a_script_that_others_can_change_does_not_run() {
    let project = project();
    let path = project.dir().join(".agents/hook.js");
    std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o666)).unwrap();
    let checked = run(&mut hookbox(&project, &["check"]));
    assert_eq!(checked.status, 1);
    assert!(
        checked.stderr.contains("E304") && checked.stderr.contains("can be changed by others"),
        "{}",
        checked.stderr
    );
}

#[test]
fn listings_show_a_script_with_its_digest() {
    let project = project();
    let listed = run(&mut hookbox(&project, &["list", "--format", "json"]));
    let hook = &listed.json()[0];
    assert_eq!((&hook["kind"], &hook["runs"][0]), (&"script".into(), &"hook.js".into()));
    assert_eq!(hook["sha256"].as_str().unwrap(), hookbox::runtime::component::digest(HOOK.as_bytes()));
    let shown = run(&mut hookbox(&project, &["show", "forceless"])).stdout;
    assert!(shown.contains("kind:        script\n") && shown.contains("none: it can only compute"), "{shown}");
}

#[test]
fn all_scripts_share_what_runs_them() {
    let compiled = |name: &str| {
        let project = Project::new();
        project.write("home/.agents/hook.js", format!("export default () => ({{}}) // {name}"));
        let project = project.user(TOML);
        let ran = ask(&project, &[], "ls");
        assert_eq!(ran.status, 0, "{ran:?}");
        let listed = run(&mut hookbox(&project, &["cache", "list", "--format", "json"])).json();
        let entries = listed["entries"].as_array().unwrap().iter();
        entries.map(|entry| entry["sha256"].as_str().unwrap().to_owned()).collect::<BTreeSet<_>>()
    };
    let first = compiled("a");
    assert!(!first.is_empty());
    assert_eq!(compiled("b"), first);
}
