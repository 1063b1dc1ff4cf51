//! Every key, its default, and its valid values.

use super::{load, only};
use crate::support::project::Project;
use hookbox::{Event, Input, Kind, Verdict};

const SHELL: &str = "events = [\"pre_tool\"]\ncommand = \"true\"\n";
const COMPONENT: &str = "events = [\"pre_tool\"]\ncomponent = \"ok.wasm\"\n";

fn hook(body: &str) -> String {
    format!("[hooks.guard]\n{body}")
}

#[test]
fn a_shell_hook_has_these_defaults() {
    let hook = only(&hook(SHELL));
    assert_eq!((hook.name.as_str(), hook.kind, hook.source.to_string()), ("guard", Kind::Shell, "user".to_owned()));
    assert_eq!((hook.mode, hook.timeout.as_str(), hook.on_error), ("sync", "10s", "deny"));
    assert_eq!((hook.pattern, hook.line, hook.runs), (None, 1, vec!["true".to_owned()]));
}

#[test]
fn a_component_has_these_defaults() {
    let hook = only(&hook(COMPONENT));
    assert_eq!((hook.kind, hook.timeout.as_str(), hook.on_error), (Kind::Component, "1s", "deny"));
    assert_eq!(hook.sha256.map(|sha256| sha256.len()), Some(64));
    assert!(hook.grants.is_empty() && !hook.restricted && hook.problem.is_none());
}

#[test]
fn every_key_of_a_component_is_used() {
    let text = r#"
[hooks.guard]
description = " Policy "
events      = ["pre_tool", "post_tool"]
component   = "ok.wasm"
match       = "bash|shell"
timeout     = "1m"
on_error    = "ask"
recheck     = true
settings    = { branches = ["main"], depth = 0x10, when = 2026-01-02, ratio = 1.5 }
[hooks.guard.limits]
memory = "32MiB"
fuel   = 1_000_000
output = "1MiB"
[hooks.guard.grants]
dirs   = [{ path = ".", as = "/project" }, { path = "../home", as = "/tmp", access = "read-write" }]
env    = ["LANG"]
net    = []
clocks = true
random = true
"#;
    let hook = only(text);
    assert_eq!((hook.description.as_str(), hook.timeout.as_str(), hook.on_error), ("Policy", "1m0s", "ask"));
    assert_eq!((hook.pattern.as_deref(), hook.line), (Some("bash|shell"), 2));
    assert_eq!(hook.events, [Event::PreTool, Event::PostTool]);
    assert_eq!(
        hook.grants,
        [
            "may read the files in `.` (as `/project`)",
            "may read and change the files in `../home` (as `/tmp`), and add up to 64.0 MiB with each call",
            "may read the variable `LANG`",
            "may read the clocks",
            "gets random numbers",
        ]
    );
}

#[test]
fn a_pin_may_be_written_as_inspect_and_as_registries_do() {
    let sha256 = only(&hook(COMPONENT)).sha256.unwrap();
    only(&hook(&format!("{COMPONENT}sha256 = \"{sha256}\"")));
    only(&hook(&format!("{COMPONENT}sha256 = \"sha256:{}\"", sha256.to_uppercase())));
}

#[tokio::test]
async fn settings_reach_the_hook_as_json_in_the_order_of_the_file() {
    let project = Project::new();
    let script = project.script("show.sh", r#"printf '{"decision":"deny","reason":"%s"}' "$(base64 -w0)""#);
    let file = project.write(
        "hooks.toml",
        format!("[hooks.show]\nevents = [\"pre_tool\"]\ncommand = {script:?}\n[hooks.show.settings]\nz = [1, \"a\\\"\", 2026-01-02T03:04:05Z]\na = {{ k = true, f = 1.5 }}\n"),
    );
    let loaded = crate::support::loader(project.dir()).file(file).env(std::env::vars_os()).load();
    let outcome = loaded.registry.run_pre(Input::new(Event::PreTool)).await;
    let decoded = std::process::Command::new("sh")
        .args(["-c", &format!("echo {} | base64 -d", outcome.reason.unwrap())])
        .output()
        .unwrap();
    let payload = String::from_utf8(decoded.stdout).unwrap();
    assert!(
        payload.contains(r#""settings":{"z":[1,"a\"","2026-01-02T03:04:05Z"],"a":{"k":true,"f":1.5}}"#),
        "{payload}"
    );
}

#[test]
fn post_message_is_always_async_and_takes_no_gate_with_it() {
    let loaded = load(&hook("events = [\"pre_tool\", \"post_message\"]\ncommand = \"true\""));
    assert_eq!(loaded.problems, []);
    assert_eq!(loaded.hooks[0].mode, "sync");
    assert_eq!(loaded.registry.for_event(Event::PreTool).len(), 1);
    assert_eq!(only(&hook("events = [\"post_message\"]\ncommand = \"true\"")).mode, "async");
}

#[test]
fn an_event_that_is_named_twice_is_heard_once() {
    let loaded = load(&hook("events = [\"pre_tool\", \"post_tool\", \"pre_tool\"]\ncommand = \"true\""));
    assert_eq!(loaded.hooks[0].events.len(), 2);
    assert_eq!(loaded.registry.for_event(Event::PreTool).len(), 1);
}

#[test]
fn hooks_stand_in_the_order_of_the_file() {
    let names = ["zeta", "alpha", "mid", "beta", "omega"];
    let text: String = names.iter().map(|name| format!("[hooks.{name}]\n{SHELL}")).collect();
    let loaded = load(&text);
    let found: Vec<String> =
        loaded.registry.for_event(Event::PreTool).iter().map(|hook| hook.info().name.clone()).collect();
    assert_eq!(found, names);
}

/// Checks the only problem of a hook with this body: its line, and words of its message.
#[track_caller]
fn wrong(body: &str, line: usize, words: &str) {
    let loaded = load(&hook(body));
    assert_eq!(loaded.problems.len(), 1, "{:#?}", loaded.problems);
    let problem = &loaded.problems[0];
    assert_eq!(problem.hook.as_deref(), Some("guard"));
    assert_eq!(problem.location.as_ref().map(|at| at.line), Some(line), "{problem}");
    assert!(problem.to_string().contains(words), "{problem}");
    assert!(loaded.broken.is_none(), "a bad entry costs that entry");
}

#[test]
fn unknown_keys_come_with_a_suggestion() {
    let shell = |more: &str| format!("{SHELL}{more}");
    wrong(&shell("timout = \"5s\""), 4, "unknown key `timout` (did you mean `timeout`?)");
    wrong(&shell("Events = []"), 4, "unknown key `Events` (did you mean `events`?)");
    wrong(&shell("fail_closed = true"), 4, "unknown key `fail_closed`");
    let component = |more: &str| format!("{COMPONENT}{more}");
    wrong(&component("limits = { memroy = \"1MiB\" }"), 4, "unknown key `limits.memroy` (did you mean `memory`?)");
    wrong(
        &component("grants = { files = [] }"),
        4,
        "unknown key `grants.files` (one of: dirs, env, clocks, random, store, net, log)",
    );
    wrong(
        &component("grants = { dirs = [{ path = \".\", as = \"/p\", mode = \"read\" }] }"),
        4,
        "unknown key `grants.dirs.mode`",
    );
}

#[test]
fn values_of_the_wrong_type_or_size_are_named() {
    let shell = |more: &str| format!("{SHELL}{more}");
    wrong(&shell("timeout = 5"), 4, "`timeout` must be a string, not a whole number (such as \"5s\" or \"500ms\")");
    wrong(&shell("timeout = \"5\""), 4, "`timeout` is \"5\", which is not a duration");
    wrong(&shell("timeout = \"0s\""), 4, "`timeout` must be over 0s and at most 10m0s");
    wrong(&shell("timeout = \"11m\""), 4, "`timeout` must be over 0s and at most 10m0s");
    wrong(&shell("mode = \"asynch\""), 4, "`mode` is \"asynch\" (did you mean `async`?)");
    wrong(&shell("mode = \"async\""), 4, "an async hook cannot gate pre_tool: nobody waits for its answer");
    wrong(&shell("on_error = \"block\""), 4, "`on_error` is \"block\" (one of: deny, ask, allow)");
    wrong(&shell("recheck = \"yes\""), 4, "`recheck` must be true or false, not a string");
    wrong(&shell("match = \"(\""), 4, "`match` is not a regex");
    wrong(&shell("match = \"\""), 4, "`match` is empty");
    wrong(&shell("args = \"x\""), 4, "`args` must be an array of strings, not a string");
    wrong(&shell("args = [1]"), 4, "`args` must hold strings, not a whole number");
    wrong(&shell("env = { A = 1 }"), 4, "`env` must hold strings, not a whole number");
    wrong(&shell("env = { \"A=B\" = \"1\" }"), 4, "\"A=B\" is not the name of a variable");
    wrong(&shell("settings = 5"), 4, "`settings` must be a table");
    wrong(&shell("settings = { x = nan }"), 4, "`settings` has no JSON form: nan is not a JSON number");
    wrong(&shell("description = 1"), 4, "`description` must be a string");
    let component = |more: &str| format!("{COMPONENT}{more}");
    wrong(&component("timeout = \"61s\""), 4, "`timeout` must be over 0s and at most 1m0s");
    wrong(&component("sha256 = \"abc\""), 4, "`sha256` must be 64 hex digits (`hookbox inspect` prints it)");
    wrong(&component("limits = { memory = \"2GiB\" }"), 4, "`limits.memory` must be from 64.0 KiB to 1.0 GiB");
    wrong(&component("limits = { memory = \"0\" }"), 4, "`limits.memory` must be from");
    wrong(&component("limits = { memory = \"lots\" }"), 4, "`limits.memory` is \"lots\", which is not a size");
    wrong(&component("limits = { fuel = 0 }"), 4, "`limits.fuel` must be over 0");
    wrong(&component("limits = { fuel = -1 }"), 4, "`limits.fuel` must be over 0");
    wrong(&component("grants = { net = [\"a:443\"] }"), 4, "`grants.net` must hold tables, not a string");
    wrong(&component("grants = { env = [\"A=B\"] }"), 4, "\"A=B\" is not the name of a variable");
    wrong(&component("grants = { dirs = [{ path = \".\" }] }"), 4, "a directory grant needs `as`");
    let dir = |keys: &str| component(&format!("grants = {{ dirs = [{{ path = \".\", as = \"/p\", {keys} }}] }}"));
    wrong(&dir("max_bytes = \"1MiB\""), 4, "`grants.dirs.max_bytes` limits nothing where `access` is \"read\"");
    wrong(&dir("access = \"read-write\", max_bytes = \"much\""), 4, "`grants.dirs.max_bytes` is \"much\"");
    wrong(&dir("access = \"read-write\", max_bytes = \"0B\""), 4, "`grants.dirs.max_bytes` must be more than 0");
    wrong(&component("grants = { dirs = [\".\"] }"), 4, "`grants.dirs` must hold tables, not a string");
    wrong(&component("grants = { dirs = [{ path = \"\", as = \"/x\" }] }"), 4, "`grants.dirs.path` is empty");
    wrong(
        &component("grants = { dirs = [{ path = \"~/x\", as = \"/x\" }] }"),
        4,
        "`path` starts with `~`, which is not expanded",
    );
    wrong(
        &component("grants = { dirs = [{ path = \".\", as = \"/x\", access = \"write\" }] }"),
        4,
        "`grants.dirs.access` is \"write\"",
    );
}

#[test]
fn keys_that_are_missing_or_do_not_go_together_are_named() {
    wrong("command = \"true\"", 1, "hook `guard` has no `events` (one or more of: pre_tool, post_tool, pre_message");
    wrong("events = []\ncommand = \"true\"", 2, "`events` is empty");
    wrong("events = [\"pre_tol\"]\ncommand = \"true\"", 2, "unknown event \"pre_tol\" (did you mean `pre_tool`?)");
    wrong(
        "events = [\"pre_tool\"]",
        1,
        "hook `guard` has no `policy`, `component`, `script`, `builtin`, `model` or `command`",
    );
    wrong(&format!("{SHELL}component = \"ok.wasm\""), 3, "a hook has a `component` or a `command`, not both");
    wrong(&format!("{SHELL}sha256 = \"x\""), 4, "`sha256` does not fit here (a shell hook runs with your rights");
    wrong(&format!("{COMPONENT}args = []"), 4, "`args` does not fit here (a component has no arguments");
    wrong("events = [\"pre_tool\"]\ncommand = \" \"", 3, "`command` is empty");
}

#[tokio::test]
async fn a_relative_command_of_the_user_is_not_looked_up_in_the_project() {
    let project = Project::new();
    project.script("project/guard.sh", "echo '{\"decision\":\"allow\"}'");
    project.script("home/.agents/guard.sh", "echo '{\"decision\":\"deny\",\"reason\":\"mine\"}'");
    let entry = "[hooks.guard]\nevents = [\"pre_tool\"]\ncommand = \"./guard.sh\"";
    let project = project.user(entry);
    let loaded = crate::support::loader(project.dir()).home(project.home()).load();
    let outcome = loaded.registry.run_pre(Input::new(Event::PreTool)).await;
    assert_eq!((outcome.verdict, outcome.reason.as_deref()), (Verdict::Deny, Some("mine")));
}

#[tokio::test]
async fn a_relative_command_of_a_project_is_looked_up_in_its_root_from_wherever_the_agent_works() {
    let project = Project::new().project("[hooks.guard]\nevents = [\"pre_tool\"]\ncommand = \"./guard.sh\"");
    project.script("project/guard.sh", "echo '{\"decision\":\"deny\",\"reason\":\"root\"}'");
    project.script("project/vendor/guard.sh", "echo '{\"decision\":\"allow\"}'");
    for dir in [project.dir(), project.dir().join("vendor")] {
        let loaded = crate::support::loader(dir).home(project.home()).env(std::env::vars_os()).trust_all(true).load();
        let outcome = loaded.registry.run_pre(Input::new(Event::PreTool)).await;
        assert_eq!(outcome.reason.as_deref(), Some("root"));
    }
}
