//! Stores of components: what a grant allows, and for whom.

use crate::support::project::Project;
use crate::support::{SANDBOX, guests};
use hookbox::runtime::component::{ComponentHook, Grants, Limits, StoreGrant, StorePlace, StoreScope};
use hookbox::{Code, Event, HookInfo, Input, Outcome, Registry, Verdict};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Creates a hook that does what the tool's input says, with a store in this directory.
fn hook(name: &str, grant: StoreGrant) -> Registry {
    let wasm = guests::read("powers.wasm");
    let prepared = SANDBOX.prepare(&wasm, None, Grants::default().with_store(grant), Limits::default()).unwrap();
    let mut info = HookInfo::new(name, [Event::PreTool]);
    info.timeout = Some(Duration::from_secs(5));
    let registry = Registry::new();
    registry.register(ComponentHook::new(info, prepared, None)).unwrap();
    registry
}

fn grant(scope: StoreScope, dir: &Path, hook: &str) -> StoreGrant {
    StoreGrant::new(scope).at(StorePlace::new(dir, "user", hook).in_project("/home/me/app"))
}

fn steps(session: Option<&str>, steps: &Value) -> Input {
    let mut input = Input::pre_tool("bash", &json!({ "do": steps }).to_string()).unwrap();
    input.session_id = session.map(str::to_owned);
    input
}

async fn ask(registry: &Registry, session: Option<&str>, what: Value) -> Outcome {
    registry.run_pre(steps(session, &what)).await
}

/// Returns the result of each step.
async fn done(registry: &Registry, session: &str, what: Value) -> Value {
    let outcome = ask(registry, Some(session), what).await;
    assert_eq!(outcome.verdict, Verdict::Ask, "{outcome:?}");
    serde_json::from_str(&outcome.reason.unwrap()).unwrap()
}

fn private_dir() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o700)).unwrap();
    dir
}

#[tokio::test]
async fn values_outlive_the_call() {
    let dir = private_dir();
    let hooks = hook("keeps", grant(StoreScope::User, dir.path(), "keeps"));
    let first = json!([["set", "a", "1"], ["increment", "n", 5], ["set-many", ["x", "y"]], ["get", "none"]]);
    assert_eq!(done(&hooks, "s", first).await, json!(["set", 5, "set", null]));
    let second = json!([
        ["get", "a"],
        ["exists", "a"],
        ["increment", "n", -7],
        ["list"],
        ["get-many", ["x", "z", "y"]],
        ["delete", "a"],
        ["delete-many", ["x", "y", "z"]],
        ["list"],
    ]);
    let expected = json!(["1", true, -2, ["a", "n", "x", "y"], ["x", null, "y"], "deleted", "deleted", ["n"]]);
    assert_eq!(done(&hooks, "s", second).await, expected);
}

#[tokio::test]
async fn a_swap_happens_only_if_nobody_was_faster() {
    let dir = private_dir();
    let hooks = hook("swaps", grant(StoreScope::User, dir.path(), "swaps"));
    let what = json!([
        ["note", "k"],
        ["swap", "first"],
        ["note", "k"],
        ["set", "k", "other"],
        ["swap", "late"],
        ["swap", "second"],
        ["get", "k"],
    ]);
    let expected = json!([null, "swapped", "first", "set", { "changed": "other" }, "swapped", "second"]);
    assert_eq!(done(&hooks, "s", what).await, expected);
}

#[tokio::test]
async fn a_store_belongs_to_its_hook_and_its_scope() {
    let dir = private_dir();
    let set = json!([["set", "k", "mine"]]);
    let get = json!([["get", "k"]]);
    let by_session = hook("a", grant(StoreScope::Session, dir.path(), "a"));
    done(&by_session, "one", set.clone()).await;
    assert_eq!(done(&by_session, "one", get.clone()).await, json!(["mine"]));
    assert_eq!(done(&by_session, "two", get.clone()).await, json!([null]));
    for other in [grant(StoreScope::User, dir.path(), "a"), grant(StoreScope::Session, dir.path(), "b")] {
        assert_eq!(done(&hook("a", other), "one", get.clone()).await, json!([null]));
    }
    let other_layer = StoreGrant::new(StoreScope::Session).at(StorePlace::new(dir.path(), "/w/hooks.toml", "a"));
    assert_eq!(done(&hook("a", other_layer), "one", get.clone()).await, json!([null]));
    let by_project = hook("a", grant(StoreScope::Project, dir.path(), "a"));
    done(&by_project, "one", set).await;
    assert_eq!(done(&by_project, "two", get).await, json!(["mine"]));
}

#[tokio::test]
async fn a_store_of_a_session_needs_a_session() {
    let dir = private_dir();
    let hooks = hook("a", grant(StoreScope::Session, dir.path(), "a"));
    for session in [None, Some("")] {
        let outcome = ask(&hooks, session, json!([["get", "k"]])).await;
        assert_eq!((outcome.verdict, outcome.hooks[0].code), (Verdict::Deny, Some(Code::Grant)), "{outcome:?}");
        assert!(outcome.reason.unwrap().contains("no `session_id`"));
    }
    assert_eq!(done(&hooks, "s", json!([["get", "k"]])).await, json!([null]));
}

#[tokio::test]
async fn what_does_not_fit_is_an_error_that_the_component_sees() {
    let dir = private_dir();
    let hooks = hook("full", grant(StoreScope::User, dir.path(), "full").with_quota(10_000));
    let what = json!([
        ["set", "k", 20_000],
        ["set", 2_000_000, "v"],
        ["set", "k", 65_537],
        ["set", "", "v"],
        ["set", "text", "1e3"],
        ["increment", "text", 1],
        ["increment", "n", i64::MAX],
        ["increment", "n", 1],
        ["open", "other"],
        ["open", "../default"],
        ["get", "k"],
        ["get", "n"],
    ]);
    let done = done(&hooks, "s", what).await;
    let failed: Vec<bool> = done.as_array().unwrap().iter().map(|step| step["error"].is_string()).collect();
    let expected = [true, true, true, true, false, true, false, true, true, true, false, false];
    assert_eq!(failed, expected, "{done}");
    assert_eq!((&done[10], &done[11]), (&Value::Null, &json!(i64::MAX.to_string())));
    assert_eq!(done[8]["error"], "no such store");
}

#[tokio::test]
async fn a_file_that_is_no_store_is_an_error_and_stays() {
    for content in ["", "no database", "SQLite format 3\0 and garbage"] {
        let dir = private_dir();
        let hooks = hook("a", grant(StoreScope::User, dir.path(), "a"));
        assert_eq!(done(&hooks, "s", json!([["set", "k", "v"]])).await, json!(["set"]));
        let dir = private_dir();
        let file = dir.path().join("state.db");
        fs::write(&file, content).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
        let hooks = hook("a", grant(StoreScope::User, dir.path(), "a"));
        let answer = done(&hooks, "s", json!([["get", "k"], ["set", "k", "v"]])).await;
        assert!(answer[0]["error"].is_string() && answer[1]["error"].is_string(), "{content:?}: {answer}");
        assert_eq!(fs::read(&file).unwrap(), content.as_bytes());
    }
}

#[tokio::test]
async fn sixty_four_calls_at_once_lose_nothing() {
    let dir = private_dir();
    let hooks = Arc::new(hook("counts", grant(StoreScope::User, dir.path(), "counts")));
    let calls: Vec<_> = (0..64)
        .map(|_| {
            let hooks = Arc::clone(&hooks);
            tokio::spawn(async move { done(&hooks, "s", json!([["increment", "n", 1]])).await[0].as_i64().unwrap() })
        })
        .collect();
    let mut seen = Vec::new();
    for call in calls {
        seen.push(call.await.unwrap());
    }
    seen.sort_unstable();
    assert_eq!(seen, (1..=64).collect::<Vec<_>>());
}

const CONFIG: &str = "[hooks.counts]\nevents = [\"pre_tool\"]\ncomponent = \"COMPONENT\"\n\
                      [hooks.counts.grants]\nstore = { scope = \"session\", quota = \"64KiB\", ttl = \"30d\" }\n";

fn project(config: &str) -> Project {
    let component = guests::path("powers.wasm").display().to_string();
    Project::new().user(&config.replace("COMPONENT", &component))
}

#[test]
fn processes_share_a_counter() {
    let project = project(CONFIG);
    let input = json!({
        "event": "pre_tool", "session_id": "s1", "pwd": project.dir(), "tool_name": "bash",
        "tool_input": { "do": [["increment", "n", 1]] },
    })
    .to_string();
    let reason = |input: &str| project.ask(input).json()["reason"].as_str().unwrap().to_owned();
    assert_eq!((reason(&input), reason(&input), reason(&input)), ("[1]".into(), "[2]".into(), "[3]".into()));
    assert_eq!(reason(&input.replace("s1", "s2")), "[1]");
    let state = project.home().join(".local/state/hookbox/state.db");
    assert_eq!(fs::metadata(state).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn hooks_of_one_name_in_two_configs_of_the_user_are_two_hooks() {
    for scope in ["session", "user", "project"] {
        let project = project(&CONFIG.replace("\"session\"", &format!("\"{scope}\"")).replace(", ttl = \"30d\"", ""));
        let config = fs::read(project.home().join(".agents/hooks.toml")).unwrap();
        project.write("home/.config/hookbox/hooks.toml", config);
        let input = json!({
            "event": "pre_tool", "session_id": "s1", "pwd": project.dir(), "tool_name": "bash",
            "tool_input": { "do": [["increment", "n", 1]] },
        });
        let answers: Vec<Value> = (0..3)
            .map(|_| project.run(&["run"], &input.to_string()).json())
            .map(|outcome| outcome["reason"].clone())
            .collect();
        assert_eq!(answers, ["[1]", "[2]", "[3]"], "{scope}");
    }
}

#[test]
fn what_a_process_stored_outlives_its_log() {
    let project = project(CONFIG);
    let input = json!({
        "event": "pre_tool", "session_id": "s1", "pwd": project.dir(), "tool_name": "bash",
        "tool_input": { "do": [["increment", "n", 1]] },
    })
    .to_string();
    let reason = || project.ask(&input).json()["reason"].as_str().unwrap().to_owned();
    let state = project.home().join(".local/state/hookbox");
    assert_eq!(reason(), "[1]");
    for name in ["state.db-wal", "state.db-shm"] {
        let _ = fs::remove_file(state.join(name));
    }
    assert_eq!(reason(), "[2]");
    fs::write(state.join("state.db-wal"), [0xa5; 9000]).unwrap();
    assert!(reason().contains("the store is damaged"), "the component sees it");
}

#[test]
fn the_values_of_a_session_come_to_an_end() {
    for (scope, ends) in [("session", true), ("user", false)] {
        let project = project(&CONFIG.replace("\"session\"", &format!("\"{scope}\"")).replace(", ttl = \"30d\"", ""));
        let input = json!({
            "event": "pre_tool", "session_id": "s1", "pwd": project.dir(), "tool_name": "bash",
            "tool_input": { "do": [["increment", "n", 1]] },
        });
        assert_eq!(project.ask(&input.to_string()).json()["reason"], "[1]");
        let home = project.home().display().to_string();
        let listed = project.run(&["state", "list", "--format", "json", "--home", &home], "").json();
        assert_eq!(listed[0]["first_expiry"].is_string(), ends, "{scope}: {listed}");
    }
}

/// Such a time has no form in RFC 3339.
#[tokio::test]
async fn a_value_that_expires_after_the_year_9999_is_listed() {
    let project = Project::new();
    let place = grant(StoreScope::User, &project.home().join(".local/state/hookbox"), "keeps");
    done(&hook("keeps", place.with_ttl(Duration::MAX)), "s", json!([["set", "k", "v"]])).await;
    let home = project.home().display().to_string();
    let listed = project.run(&["state", "show", "keeps", "--format", "json", "--home", &home], "").json();
    assert_eq!(listed[0]["values"][0]["key"], "k", "{listed}");
    assert!(listed[0]["first_expiry"].is_null(), "{listed}");
}

#[test]
fn the_grant_is_listed() {
    let project = project(CONFIG);
    let shown = project.hookbox("show", &["counts"]);
    assert!(shown.stdout.contains("keeps up to 64.0 KiB of values per session, each for 30days"), "{shown:?}");
    let checked = project.hookbox("check", &[]);
    let sentence = "`counts` keeps up to 64.0 KiB of values per session";
    assert!(checked.status == 0 && checked.stdout.contains(sentence), "{checked:?}");
    let checked = project.hookbox("check", &["--format", "json"]).json();
    assert_eq!(checked["grants"][0]["hook"], "counts", "{checked}");
    let component = guests::path("powers.wasm").display().to_string();
    let report = project.run(&["inspect", &component, "--format", "json"], "").json();
    assert_eq!(report["grants"], json!(["store"]));
    let refused =
        Project::new().user(&CONFIG.split("[hooks.counts.grants]").next().unwrap().replace("COMPONENT", &component));
    let checked = refused.hookbox("check", &[]);
    assert!(checked.status == 1 && checked.stderr.contains("grants.store"), "{checked:?}");
}

#[test]
fn a_wrong_grant_is_named() {
    for (wrong, message) in [
        ("store = {}", "a store needs a `scope`"),
        ("store = { scope = \"sesion\" }", "session"),
        ("store = { scope = \"user\", quota = \"2TiB\" }", "`grants.store.quota` must be from"),
        ("store = { scope = \"user\", quota = \"much\" }", "which is not a size"),
        ("store = { scope = \"user\", ttl = \"0s\" }", "`grants.store.ttl` must be from"),
        ("store = { scope = \"user\", size = \"1MiB\" }", "unknown key `grants.store.size`"),
        ("log = false", "`grants.log` cannot be taken away"),
    ] {
        let (before, _) = CONFIG.split_once("store =").unwrap();
        let checked = project(&format!("{before}{wrong}\n")).hookbox("check", &[]);
        assert!(checked.status == 1 && checked.stderr.contains(message), "{wrong}: {checked:?}");
    }
}

#[test]
fn an_untrusted_project_gets_no_store() {
    let component = fs::read(guests::path("powers.wasm")).unwrap();
    let project = Project::new();
    fs::create_dir_all(project.dir().join(".agents")).unwrap();
    fs::write(project.dir().join(".agents/powers.wasm"), component).unwrap();
    let project = project.project(&CONFIG.replace("COMPONENT", "powers.wasm"));
    let input = json!({ "event": "pre_tool", "session_id": "s1", "pwd": project.dir(), "tool_name": "bash",
        "tool_input": { "do": [["increment", "n", 1]] } });
    let outcome = project.ask(&input.to_string()).json();
    assert_eq!(outcome["decision"], "allow", "{outcome}");
    assert!(!project.home().join(".local/state/hookbox/state.db").exists());
}

#[test]
fn what_is_kept_is_listed_shown_and_cleared() {
    let project = project(CONFIG);
    let state = |args: &[&str]| {
        let home = project.home().display().to_string();
        project.run(&[&["state"], args, &["--home", &home]].concat(), "")
    };
    assert_eq!(state(&["list"]).stdout, "no component keeps anything\n");
    assert!(!project.home().join(".local/state/hookbox/state.db").exists(), "to look creates nothing");
    let input = json!({
        "event": "pre_tool", "session_id": "s1", "pwd": project.dir(), "tool_name": "bash",
        "tool_input": { "do": [["increment", "n", 41], ["set", "\u{1b}[31mk", "v\u{202e}"]] },
    });
    project.ask(&input.to_string());
    let listed: Value = serde_json::from_str(&state(&["list", "--format", "json"]).stdout).unwrap();
    let [one] = listed.as_array().unwrap().as_slice() else { panic!("{listed}") };
    assert_eq!((&one["hook"], &one["keys"], &one["quota"]), (&json!("counts"), &json!(2), &json!(65_536)), "{one}");
    assert!(one["first_expiry"].is_string() && one["scope"].as_str().unwrap().starts_with("session "), "{one}");
    assert!(!state(&["list"]).stdout.contains("s1"), "the session's name stays with the agent");
    let shown = state(&["show", "counts"]).stdout;
    assert!(shown.contains("41") && !shown.contains(['\u{1b}', '\u{202e}']), "{shown:?}");
    let unknown = state(&["show", "other"]);
    assert!(unknown.status == 1 && unknown.stderr.contains("no hook \"other\" has a store"), "{unknown:?}");
    assert_eq!(state(&["clear", "counts"]).stdout, "deleted 2 values in 1 store\n");
    assert_eq!(project.ask(&input.to_string()).json()["reason"], "[41,\"set\"]");
    assert_eq!(state(&["clear", "--all", "--format", "json"]).json(), json!({ "deleted": 2, "stores": 1 }));
    assert!(state(&["clear"]).status != 0, "nothing is cleared by omission");
}
