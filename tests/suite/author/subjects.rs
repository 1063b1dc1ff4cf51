//! What can be tested: files, directories, commands, entries of a config.

use super::{stable, test};
use crate::support::component::{Guest, allowing};
use crate::support::project::Project;

const DENIED: &str = "[[case]]\nexpect = \"deny\"\n";
const ALLOWED: &str = "[[case]]\nexpect = \"allow\"\n";

fn denying() -> Vec<u8> {
    Guest::answering(r#"{"decision":"deny"}"#).build()
}

#[test]
fn a_directory_is_its_config_or_else_its_only_component() {
    let project = Project::new();
    project.write("project/a.wasm", denying());
    assert_eq!(test(&project, DENIED, &[]).status, 0);
    assert_eq!(test(&project, DENIED, &["."]).status, 0);

    project.write("project/b.wasm", allowing());
    let ran = test(&project, DENIED, &[]);
    let message = "error: `<root>/project` has several components: name one (a.wasm, b.wasm)\n";
    assert_eq!((ran.status, ran.stderr.as_str()), (2, message));

    let entry = |name: &str| format!("[hooks.{name}]\nevents = [\"pre_tool\"]\ncomponent = \"{name}.wasm\"\n");
    project.write("project/hooks.toml", entry("b"));
    assert_eq!(test(&project, ALLOWED, &[]).status, 0);

    project.write("project/hooks.toml", entry("a") + &entry("b"));
    let ran = test(&project, DENIED, &[]);
    let message = "error: `<root>/project/hooks.toml` has several hooks: name one with --hook (a, b)\n";
    assert_eq!((ran.status, ran.stderr.as_str()), (2, message));
    assert_eq!(test(&project, DENIED, &["--hook", "a"]).status, 0);
    assert_eq!(test(&project, ALLOWED, &["--hook", "b"]).status, 0);
    let ran = test(&project, DENIED, &["--hook", "guardian"]);
    let message = "error: `<root>/project/hooks.toml` has no hook `guardian`: one of: a, b\n";
    assert_eq!((ran.status, ran.stderr.as_str()), (2, message));
}

#[test]
fn what_is_no_hook_says_so() {
    let project = Project::new();
    let plain = project.write("project/notes.txt", "hello");
    project.write("project/module.wasm", wat::parse_str("(module)").unwrap());
    for (args, words) in [
        (vec![], "error[E202]: hook `module` cannot run: `<root>/project/module.wasm` is a core module"),
        (vec![plain.to_str().unwrap()], "not executable: `chmod +x` makes it a shell hook"),
        (vec!["none.wasm"], "`<root>/project/none.wasm` cannot be read: No such file"),
        (vec!["../home"], "`<root>/home` has no `hooks.toml`, no component (*.wasm) and no script (*.js)"),
        (vec!["--command", " "], "the command is empty"),
        (vec!["module.wasm", "--dialect", "ub"], "is a component: only a shell hook speaks another dialect"),
        (vec!["module.wasm", "--hook", "a"], "is one hook, of which none is called `a`"),
        (vec!["--config", "none.toml"], "error[E501]: does not exist"),
        (vec!["module.wasm", "--command", "true"], "cannot be used with"),
    ] {
        let ran = test(&project, DENIED, &args);
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{args:?}");
        assert!(ran.stderr.contains(words), "{args:?}: {}", ran.stderr);
    }
}

#[test]
fn a_hook_of_a_config_has_its_limits() {
    let project = Project::new();
    let grow = "(if (i32.eq (memory.grow (i32.const 64)) (i32.const -1)) (then unreachable)) (call $answer)";
    project.write("project/policy/grow.wasm", Guest::running(grow).build());
    let config = project.write(
        "project/policy/hooks.toml",
        "[hooks.other]\nevents = [\"pre_tool\"]\ncomponent = \"none.wasm\"\n\n\
         [hooks.grow]\nevents = [\"pre_tool\"]\ncomponent = \"grow.wasm\"\non_error = \"allow\"\n\
         limits = { memory = \"1MiB\" }\n",
    );
    let config = config.to_str().unwrap();
    project.write("project/policy/cases.toml", "[[case]]\nexpect = \"allow\"\n[[case]]\nerror = \"E102\"\n");
    let ran = stable(&project, project.run(&["test", "--config", config, "--hook", "grow", "-v"], ""));
    // The hook's `on_error` would allow the call, but the hook has still failed.
    assert_eq!(ran.status, 1);
    insta::assert_snapshot!(ran.stdout, @r#"
    FAILED  case 1
      --> policy/cases.toml:1
      - decision: allow
      + decision: error E102 (memory)
      + reason: "asked for 4.2 MiB of memory; its limit is 1.0 MiB; raise its `limits.memory`, or make the call smaller"
    ok      case 2
    1 passed, 1 failed in <time>
    "#);
}

#[test]
fn an_entry_that_cannot_be_used_is_shown() {
    let project = Project::new();
    project.write("project/hooks.toml", "[hooks.a]\nevents = [\"pre_tol\"]\ncommand = \"true\"\n");
    let ran = test(&project, DENIED, &[]);
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr.contains("error[E504]: unknown event \"pre_tol\"\n --> <root>/project/hooks.toml:2:11"),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_shell_hook_is_a_file_or_a_command_line() {
    let project = Project::new();
    project.script("project/guard.sh", r#"echo '{"decision":"deny"}'"#);
    assert_eq!(test(&project, DENIED, &["guard.sh"]).status, 0);
    assert_eq!(test(&project, DENIED, &["--command", "cat >/dev/null && ./guard.sh"]).status, 0);
    let ran = test(&project, DENIED, &["--command", "exit 3"]);
    assert_eq!(ran.status, 1);
    assert!(ran.stdout.contains("+ decision: error E402 (exit)\n"), "{}", ran.stdout);
}

#[test]
fn a_shell_hook_may_speak_another_dialect() {
    let project = Project::new();
    project.script("project/guard.sh", "echo not so >&2; exit 2");
    assert_eq!(test(&project, DENIED, &["guard.sh"]).status, 1);
    let ran = test(
        &project,
        "[[case]]\nexpect = \"deny\"\nreason = \"not so\"\n",
        &["guard.sh", "--dialect", "docker-agent"],
    );
    assert_eq!(ran.status, 0, "{}", ran.stdout);
}

#[test]
fn a_config_may_be_of_another_dialect() {
    let project = Project::new();
    project.write(
        "project/agent.yaml",
        "agents:\n  root:\n    hooks:\n      pre_tool_use:\n        - matcher: bash\n          hooks:\n            \
         - {type: command, command: \"echo not so >&2; exit 2\"}\n",
    );
    let cases = "[[case]]\ntool = \"bash\"\nexpect = \"deny\"\nreason = \"not so\"\n";
    let ran = test(&project, cases, &["--config", "agent.yaml", "--dialect", "docker-agent"]);
    assert_eq!(ran.status, 0, "{ran:?}");
}

#[test]
fn cases_are_toml_or_json_lines_beside_the_hook() {
    let project = Project::new();
    project.write("project/hook/guard.wasm", denying());
    let ran = stable(&project, project.run(&["test", "hook"], ""));
    let message = "error: no `cases.toml` and no `cases.jsonl` in `<root>/project/hook`: write one, or name a file with --cases\n";
    assert_eq!((ran.status, ran.stderr.as_str()), (2, message));
    project.write("project/hook/cases.jsonl", "{\"expect\":\"deny\"}\n\n{\"expect\":\"deny\"}");
    let ran = project.run(&["test", "hook"], "");
    assert!(ran.status == 0 && ran.stdout.starts_with("2 passed"), "{ran:?}");
    project.write("project/hook/cases.toml", ALLOWED);
    assert_eq!(project.run(&["test", "hook"], "").status, 1);
    assert_eq!(project.run(&["test", "hook", "--cases", "hook/cases.jsonl"], "").status, 0);
}
