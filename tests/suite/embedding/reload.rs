//! Hooks of a long-lived program follow their config.

use super::{denying, host};
use crate::support::bash;
use crate::support::component::Guest;
use crate::support::project::Project;
use crate::trust::trust;
use hookbox::config::{Loaded, Reload, Reloaded};
use hookbox::runtime::component::digest;
use hookbox::{Action, Code, Event, NativeHook, Outcome, Verdict};
use std::fs;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

const COMPONENT: &str = "[hooks.guard]\nevents = [\"pre_tool\"]\ncomponent = \"guard.wasm\"\n";

fn start(project: &Project) -> (Reload, Receiver<Reloaded>) {
    let (send, told) = channel();
    let hooks = Reload::start(host(project).loader().unwrap(), move |reloaded: &Reloaded| {
        let _ = send.send(reloaded.clone());
    });
    (hooks.unwrap(), told)
}

/// Waits, without an event, until the hooks are as they should be.
#[track_caller]
fn wait_until(hooks: &Reload, told: &Receiver<Reloaded>, is_done: fn(&Loaded) -> bool) {
    while !is_done(&hooks.current()) {
        told.recv_timeout(Duration::from_secs(20)).expect("the change was not noticed");
    }
}

fn component(answer: &str) -> Vec<u8> {
    Guest::answering(answer).build()
}

fn denied_for(outcome: &Outcome) -> (Verdict, &str) {
    (outcome.verdict, outcome.reason.as_deref().unwrap_or_default())
}

/// The system's notification is enough, without an event.
#[tokio::test]
async fn an_edit_is_noticed_without_any_event() {
    let project = Project::new().user(&denying("guard", "old"));
    let (hooks, told) = start(&project);
    assert_eq!(denied_for(&hooks.run(bash("ls")).await), (Verdict::Deny, "old"));
    project.write("home/.agents/hooks.toml", denying("guard", "new"));
    // Files from just before the start are read once more.
    let reloaded = loop {
        let reloaded = told.recv_timeout(Duration::from_secs(20)).expect("the edit was not noticed");
        if hooks.current().hooks[0].runs.concat().contains("new") {
            break reloaded;
        }
    };
    assert_eq!((reloaded.hooks, reloaded.kept.len(), reloaded.problems.len()), (1, 0, 0));
    assert_eq!(denied_for(&hooks.run(bash("ls")).await), (Verdict::Deny, "new"));
}

/// The directories may not be watched yet.
#[test]
fn an_edit_right_after_the_start_is_noticed_without_any_event() {
    let project = Project::new().user(&denying("guard", "old"));
    // The wait makes the first load certain of what it has read.
    std::thread::sleep(Duration::from_millis(100));
    for round in 0..10 {
        let (hooks, told) = start(&project);
        let reason = format!("new {round}");
        project.write("home/.agents/hooks.toml", denying("guard", &reason));
        while !hooks.current().hooks[0].runs.concat().contains(&reason) {
            told.recv_timeout(Duration::from_secs(20)).expect("the edit was not noticed");
        }
    }
}

/// The change is a new layer, for an event without hooks so far.
#[tokio::test]
async fn the_next_event_after_a_second_sees_any_change() {
    let project = Project::new();
    let (hooks, _told) = start(&project);
    assert_eq!(hooks.run(bash("ls")).await.verdict, Verdict::Allow);
    project.write("home/.config/hookbox/hooks.toml", denying("guard", "new"));
    tokio::time::sleep(Duration::from_millis(1050)).await;
    assert_eq!(denied_for(&hooks.run(bash("ls")).await), (Verdict::Deny, "new"));
    fs::remove_file(project.home().join(".config/hookbox/hooks.toml")).unwrap();
    tokio::time::sleep(Duration::from_millis(1050)).await;
    assert_eq!(hooks.run(bash("ls")).await.verdict, Verdict::Allow);
}

#[tokio::test]
async fn a_broken_edit_keeps_the_hooks_and_is_told() {
    let project = Project::new().user(&denying("guard", "old"));
    let (hooks, told) = start(&project);
    for broken in ["[hooks.guard", "[hooks.guard]\nevents = [\"pre_tool\"]\ncomand = \"true\"\n"] {
        project.write("home/.agents/hooks.toml", broken);
        hooks.reload().await;
        let outcome = hooks.run(bash("ls")).await;
        assert_eq!(denied_for(&outcome), (Verdict::Deny, "old"), "{broken}");
        let reloaded = told.recv_timeout(Duration::from_secs(20)).unwrap();
        assert_eq!(reloaded.kept, ["guard"], "{broken}");
        let codes: Vec<Code> = reloaded.problems.iter().map(|problem| problem.code).collect();
        assert!(codes.contains(&Code::ConfigSyntax) || codes.contains(&Code::ConfigKey), "{codes:?}");
        assert!(outcome.warnings.iter().any(|warning| codes.contains(&warning.code)), "{:?}", outcome.warnings);
    }
    project.write("home/.agents/hooks.toml", denying("guard", "mended"));
    hooks.reload().await;
    assert_eq!(denied_for(&hooks.run(bash("ls")).await), (Verdict::Deny, "mended"));
    assert!(hooks.current().kept.is_empty());
}

/// A guard that denies because it cannot run is not missing after the next edit, even if that edit is broken as a
/// whole.
#[tokio::test]
async fn a_broken_edit_keeps_what_denies_in_place_of_a_guard() {
    let calm = denying("calm", "calm").replace("[\"pre_tool\"]", "[\"pre_message\"]");
    let pinned = format!("{COMPONENT}sha256 = \"{}\"\n", "0".repeat(64));
    let garbage = COMPONENT.replace("guard.wasm", "garbage.wasm");
    let misspelt = COMPONENT.replace("component", "componnt");
    for (guard, code) in [(pinned, Code::Pin), (garbage, Code::NotAComponent), (misspelt, Code::ConfigKey)] {
        let project = Project::new().user(&calm);
        project.write("home/.agents/guard.wasm", component("{}"));
        project.write("home/.agents/garbage.wasm", "not a component");
        let (hooks, _told) = start(&project);
        for config in [format!("{calm}{guard}"), "[hooks.guard".to_owned(), "[hooks".to_owned()] {
            project.write("home/.agents/hooks.toml", &config);
            hooks.reload().await;
            let outcome = hooks.run(bash("ls")).await;
            let answered: Vec<_> = outcome.hooks.iter().map(|record| (record.name.as_str(), record.code)).collect();
            assert_eq!((outcome.verdict, answered), (Verdict::Deny, vec![("guard", Some(code))]), "{config}");
        }
        project.write("home/.agents/hooks.toml", &calm);
        hooks.reload().await;
        assert_eq!(hooks.run(bash("ls")).await.verdict, Verdict::Allow, "{code}");
    }
}

#[tokio::test]
async fn a_component_is_swapped_when_its_file_is_and_only_if_it_compiles() {
    let project = Project::new().user(COMPONENT);
    let file = project.write("home/.agents/guard.wasm", component(r#"{"decision":"deny","reason":"old"}"#));
    let (hooks, _told) = start(&project);
    assert_eq!(denied_for(&hooks.run(bash("ls")).await), (Verdict::Deny, "old"));
    fs::write(&file, "not a component").unwrap();
    hooks.reload().await;
    assert_eq!(denied_for(&hooks.run(bash("ls")).await), (Verdict::Deny, "old"));
    assert_eq!(hooks.current().kept, ["guard"]);
    fs::write(&file, component(r#"{"decision":"deny","reason":"new"}"#)).unwrap();
    hooks.reload().await;
    assert_eq!(denied_for(&hooks.run(bash("ls")).await), (Verdict::Deny, "new"));
}

/// A pin is a promise about the file, so breaking it is not a failed edit.
#[tokio::test]
async fn a_pinned_component_that_changes_is_refused() {
    let wasm = component("{}");
    let project = Project::new().user(&format!("{COMPONENT}sha256 = \"{}\"\n", digest(&wasm)));
    let file = project.write("home/.agents/guard.wasm", &wasm);
    let (hooks, _told) = start(&project);
    assert_eq!(hooks.run(bash("ls")).await.verdict, Verdict::Allow);
    fs::write(&file, component(r#"{"decision":"allow"}"#)).unwrap();
    tokio::time::sleep(Duration::from_millis(1050)).await;
    let outcome = hooks.run(bash("ls")).await;
    assert_eq!((outcome.verdict, outcome.hooks[0].code), (Verdict::Deny, Some(Code::Pin)));
}

/// Trust ends with the first change to what was trusted, and begins when the user grants it.
#[tokio::test]
async fn trust_holds_as_long_as_the_files_do() {
    let project = Project::new().project("[hooks.guard]\nevents = [\"pre_tool\"]\ncommand = \"./guard.sh\"\n");
    project.script("project/guard.sh", r#"echo '{"decision":"deny","reason":"trusted"}'"#);
    let (hooks, _told) = start(&project);
    let codes = |outcome: &Outcome| outcome.warnings.iter().map(|warning| warning.code).collect::<Vec<_>>();
    let untrusted = hooks.run(bash("ls")).await;
    assert_eq!((untrusted.verdict, codes(&untrusted)), (Verdict::Allow, vec![Code::Untrusted]));
    trust(&project);
    tokio::time::sleep(Duration::from_millis(1050)).await;
    assert_eq!(denied_for(&hooks.run(bash("ls")).await), (Verdict::Deny, "trusted"));
    project.script("project/guard.sh", r#"echo '{"decision":"deny","reason":"other"}'"#);
    tokio::time::sleep(Duration::from_millis(1050)).await;
    let changed = hooks.run(bash("ls")).await;
    assert_eq!((changed.verdict, codes(&changed)), (Verdict::Allow, vec![Code::Changed]));
    assert!(changed.hooks.is_empty(), "{:?}", changed.hooks);
}

/// A file that is an argument of a trusted command, and appears later, was never trusted.
#[tokio::test]
async fn trust_ends_when_a_file_appears_that_a_command_names() {
    let project = Project::new().project(
        "[hooks.guard]\nevents = [\"pre_tool\"]\ncommand = \"sh\"\n\
         args = [\"-c\", '[ ! -f ./late.sh ] || . ./late.sh; echo \"{}\"']\n",
    );
    trust(&project);
    let (hooks, _told) = start(&project);
    let before = hooks.run(bash("ls")).await;
    assert_eq!((before.hooks.len(), before.warnings.len()), (1, 0), "{before:?}");
    project.write("project/late.sh", "echo '{\"decision\":\"deny\"}'; exit");
    tokio::time::sleep(Duration::from_millis(1050)).await;
    let after = hooks.run(bash("ls")).await;
    assert_eq!((after.hooks.len(), after.warnings[0].code), (0, Code::Changed), "{after:?}");
}

/// The previous hook would run the project's command as it is now.
#[tokio::test]
async fn a_broken_edit_keeps_no_hook_whose_trust_it_ends() {
    let config = "[hooks.guard]\nevents = [\"pre_tool\"]\ncommand = \"./guard.sh\"\n";
    let project = Project::new().project(config);
    project.script("project/guard.sh", r#"echo '{"decision":"deny","reason":"trusted"}'"#);
    trust(&project);
    let (hooks, _told) = start(&project);
    assert_eq!(denied_for(&hooks.run(bash("ls")).await), (Verdict::Deny, "trusted"));
    project.write("project/.agents/hooks.toml", format!("{config}timeout = \"x\"\n"));
    project.script("project/guard.sh", "touch ran");
    hooks.reload().await;
    let outcome = hooks.run(bash("ls")).await;
    assert_eq!((outcome.verdict, outcome.hooks.len()), (Verdict::Allow, 0), "{outcome:?}");
    assert!(!outcome.warnings.is_empty(), "nothing is said");
    assert!(!project.dir().join("ran").exists(), "the new script ran");
}

/// The search for configs ends at the root of the inner repository, so only the trust in this config makes it count.
#[tokio::test]
async fn the_end_of_trust_in_a_config_above_a_repository_is_noticed() {
    let project = Project::new().project(&denying("guard", "outer"));
    trust(&project);
    project.write("project/sub/.git/HEAD", "");
    let config = project.dir().join(".agents/hooks.toml");
    let project = project.in_dir("project/sub");
    let (hooks, told) = start(&project);
    assert_eq!(denied_for(&hooks.run(bash("ls")).await), (Verdict::Deny, "outer"));
    let store = host(&project).places().unwrap().trust_store();
    assert!(store.revoke(&config).unwrap());
    wait_until(&hooks, &told, |loaded| loaded.hooks.is_empty());
    assert_eq!(hooks.run(bash("ls")).await.verdict, Verdict::Allow);
}

#[tokio::test]
async fn first_trust_in_a_config_above_a_repository_is_noticed() {
    let project = Project::new().project(&denying("guard", "outer"));
    project.write("project/sub/.git/HEAD", "");
    let project = project.in_dir("project/sub");
    let (hooks, told) = start(&project);
    assert_eq!(hooks.run(bash("ls")).await.verdict, Verdict::Allow);
    let project = project.in_dir("project");
    trust(&project);
    wait_until(&hooks, &told, |loaded| !loaded.hooks.is_empty());
    assert_eq!(denied_for(&hooks.run(bash("ls")).await), (Verdict::Deny, "outer"));
}

#[tokio::test]
async fn the_end_of_trust_in_a_config_that_is_gone_is_noticed() {
    let project = Project::new().project(&denying("guard", "trusted"));
    trust(&project);
    let (hooks, told) = start(&project);
    let config = project.dir().join(".agents/hooks.toml");
    fs::remove_file(&config).unwrap();
    wait_until(&hooks, &told, |loaded| loaded.broken.is_some());
    assert_eq!(hooks.run(bash("ls")).await.verdict, Verdict::Deny);
    let store = host(&project).places().unwrap().trust_store();
    assert!(store.revoke(&config).unwrap());
    wait_until(&hooks, &told, |loaded| loaded.broken.is_none());
    assert_eq!(hooks.run(bash("ls")).await.verdict, Verdict::Allow);
}

/// A load that began before an edit says nothing about it, however long it takes.
#[tokio::test]
async fn an_event_does_not_take_a_load_from_before_the_edit_for_a_newer_one() {
    let project = Project::new().user(&denying("guard", "old"));
    // This takes some seconds to compile.
    let work = "(i32.store (i32.const 0) (i32.add (i32.load (i32.const 0)) (i32.const 1)))".repeat(150_000);
    project.write("home/.agents/guard.wasm", Guest::running(&format!("{work} (call $answer)")).build());
    let (hooks, told) = start(&project);
    assert_eq!(denied_for(&hooks.run(bash("ls")).await), (Verdict::Deny, "old"));
    project.write("home/.agents/hooks.toml", COMPONENT);
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert!(told.try_recv().is_err(), "the first load has to be in progress");
    project.write("home/.agents/hooks.toml", denying("guard", "newest"));
    tokio::time::sleep(Duration::from_millis(1050)).await;
    assert!(told.try_recv().is_err(), "the first load has to be in progress");
    assert_eq!(denied_for(&hooks.run(bash("ls")).await), (Verdict::Deny, "newest"));
}

#[tokio::test]
async fn hooks_of_the_program_stay_behind_those_of_the_config() {
    let project = Project::new().user(&denying("first", "config"));
    let (hooks, _told) = start(&project);
    hooks.registry().register(NativeHook::new("own", [Event::PreTool], |_| Ok(Action::ask("program")))).unwrap();
    let names = || -> Vec<String> {
        hooks.registry().for_event(Event::PreTool).iter().map(|hook| hook.info().name.clone()).collect()
    };
    assert_eq!(names(), ["first", "own"]);
    project.write("home/.agents/hooks.toml", denying("second", "config"));
    hooks.reload().await;
    assert_eq!(names(), ["second", "own"]);
    project.write("home/.agents/hooks.toml", "# none\n");
    hooks.reload().await;
    assert_eq!(hooks.run(bash("ls")).await.verdict, Verdict::Ask);
}

#[tokio::test]
async fn events_run_while_hooks_are_reloaded() {
    let project = Project::new().user(COMPONENT);
    project.write("home/.agents/guard.wasm", component(r#"{"decision":"deny","reason":"no"}"#));
    let (hooks, told) = start(&project);
    let running = async {
        for _ in 0..200 {
            assert_eq!(denied_for(&hooks.run(bash("ls")).await), (Verdict::Deny, "no"));
            tokio::task::yield_now().await;
        }
    };
    let reloading = async {
        for _ in 0..10 {
            hooks.reload().await;
        }
    };
    tokio::join!(running, reloading);
    for _ in 0..10 {
        told.recv_timeout(Duration::from_secs(20)).expect("each reload is told of");
    }
}

/// The config that a codec edits. The codec is looked up while the config is loaded, after it was read.
static EDIT: Mutex<Option<PathBuf>> = Mutex::new(None);

#[tokio::test]
async fn an_edit_during_the_first_load_is_noticed() {
    let project = Project::new().user(&format!("{}dialect = \"unknown\"\n", denying("guard", "old")));
    *EDIT.lock().unwrap() = Some(project.home().join(".agents/hooks.toml"));
    let loader = host(&project).loader().unwrap().codecs(|_| {
        if let Some(file) = EDIT.lock().unwrap().take() {
            fs::write(file, denying("guard", "new")).unwrap();
        }
        None
    });
    let hooks = Reload::start(loader, |_| {}).unwrap();
    assert!(EDIT.lock().unwrap().is_none(), "nothing was edited");
    tokio::time::sleep(Duration::from_millis(1050)).await;
    assert_eq!(denied_for(&hooks.run(bash("ls")).await), (Verdict::Deny, "new"));
}

/// Hooks that can no longer follow their config are not assumed to be the right ones.
#[tokio::test]
async fn when_the_thread_is_lost_events_are_denied() {
    let project = Project::new().user("[hooks.guard]\nevents = [\"pre_tool\"]\ncommand = \"true\"\n");
    let loader = host(&project).loader().unwrap().codecs(|_| panic!("a codec panics"));
    let hooks = Reload::start(loader, |_| {}).unwrap();
    assert_eq!(hooks.run(bash("ls")).await.verdict, Verdict::Allow);
    project.write("home/.agents/hooks.toml", format!("{}dialect = \"ok\"\n", denying("guard", "new")));
    tokio::time::sleep(Duration::from_millis(1050)).await;
    for _ in 0..2 {
        let outcome = hooks.run(bash("ls")).await;
        assert_eq!(outcome.verdict, Verdict::Deny, "{outcome:?}");
        assert!(outcome.reason.unwrap().starts_with("E901"), "the hooks did not follow");
        tokio::time::sleep(Duration::from_millis(1050)).await;
    }
}

/// A program that writes a config in place empties it first.
#[tokio::test]
async fn a_config_that_is_emptied_before_it_is_written_keeps_its_hooks_meanwhile() {
    let project = Project::new().user(&denying("guard", "old"));
    let (hooks, _told) = start(&project);
    project.write("home/.agents/hooks.toml", "");
    hooks.reload().await;
    let outcome = hooks.run(bash("ls")).await;
    assert_eq!(denied_for(&outcome), (Verdict::Deny, "old"));
    assert_eq!(hooks.current().kept, ["guard"]);
    // Without an event, the empty config is believed after a while.
    let mut left = 200;
    while hooks.run(bash("ls")).await.verdict == Verdict::Deny {
        left -= 1;
        assert!(left > 0, "it stays empty");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}
