//! The law for `hooks.toml`. Whatever is wrong with the file, every hook that it names is either loaded or denies. An
//! independent parser lists the hooks, and a chain whose commands all allow must deny if any hook cannot be used.

use crate::chain::{Prints, run};
use hookbox::config::{ConfigFile, Dialect, HookTarget, HookboxDialect, HostEnv, Loader, Reading, Severity};
use hookbox::{Event, Input, Source, Verdict};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;

/// The maximum number of hooks per file. A file with more hooks is broken.
const MAX_HOOKS: usize = 256;

/// Checks the law for this `hooks.toml`.
pub fn holds(bytes: &[u8]) {
    // Non-UTF-8 text is rejected before it is parsed.
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let file = ConfigFile::new("/config/hooks.toml", Source::USER, text);
    let reading = HookboxDialect.read(&file, &HostEnv::new(&[], Path::new("/")));
    names_are_there(&file, &reading);
    places_are_inside(&file, &reading);
    what_is_wrong_denies(&reading);
    chain_denies(text, &reading);
}

fn names_are_there(file: &ConfigFile, reading: &Reading) {
    let Ok(table) = file.text.parse::<toml::Table>() else {
        // The file is not TOML for this parser. hookbox may still load its hooks, because an invalid number affects
        // only its own hook, but must report a problem.
        assert!(!reading.problems.is_empty(), "no TOML, and nobody noticed");
        return;
    };
    let hooks = table.get("hooks").and_then(toml::Value::as_table);
    let expected: Vec<&str> = hooks.into_iter().flat_map(|hooks| hooks.keys()).map(String::as_str).collect();
    assert_eq!(reading.entries.len(), expected.len().min(MAX_HOOKS));
    if reading.broken.is_none() {
        assert!(expected.len() <= MAX_HOOKS && table.keys().all(|key| key == "hooks"));
        let found: HashSet<&str> = reading.entries.iter().map(|entry| entry.info.name.as_str()).collect();
        let missed = expected.iter().map(|name| name.trim()).find(|name| !name.is_empty() && !found.contains(name));
        assert_eq!(missed, None);
    }
}

/// Asserts that every reported problem points inside the file.
fn places_are_inside(file: &ConfigFile, reading: &Reading) {
    for problem in &reading.problems {
        assert!(!problem.message.is_empty());
        let place = problem.location.as_ref().unwrap();
        let line = file.text.split('\n').nth(place.line - 1).unwrap();
        assert_eq!(line.trim_end(), place.text);
        assert!(place.column <= line.chars().count() + 1, "{place:?}");
    }
}

fn what_is_wrong_denies(reading: &Reading) {
    let errors = reading.problems.iter().filter(|problem| problem.severity == Severity::Error);
    for problem in errors {
        let Some(name) = &problem.hook else {
            assert!(reading.broken.is_some(), "{problem:?}");
            continue;
        };
        let mut of_name = reading.entries.iter().filter(|entry| entry.info.name == *name);
        assert!(of_name.any(|entry| matches!(entry.target, HookTarget::Broken(..))), "in use in spite of {problem}");
    }
    for entry in &reading.entries {
        let info = &entry.info;
        assert!(!info.name.is_empty() && info.timeout.is_some_and(|timeout| !timeout.is_zero()), "{entry:?}");
        match &entry.target {
            HookTarget::Broken(..) => {
                assert!(info.events.iter().all(|(event, _)| event.is_gating() || judges_result(*event)), "{entry:?}");
                assert!(reading.problems.iter().any(|problem| problem.hook.as_ref() == Some(&info.name)));
            }
            HookTarget::Shell(shell) => assert!(!shell.command.trim().is_empty() && !info.events.is_empty()),
            HookTarget::Component(component) => assert!(!component.path.is_empty() && !info.events.is_empty()),
            other => panic!("a file made a hook of another kind: {other:?}"),
        }
    }
}

/// Checks the whole way from the file to a verdict.
fn chain_denies(text: &str, reading: &Reading) {
    thread_local! {
        static DIR: TempDir = tempfile::tempdir().unwrap();
    }
    let path: PathBuf = DIR.with(|dir| dir.path().join("hooks.toml"));
    std::fs::write(&path, text).unwrap();
    let dir = path.parent().unwrap();
    // No command is run: each succeeds and prints nothing, which allows.
    let loader = Loader::new(dir).file(&path).spawner(Arc::new(Prints(Vec::new())));
    let loaded = loader.codecs(hookbox::dialect::codec).load();
    assert_eq!(loaded.broken.is_some(), reading.broken.is_some());
    for event in [Event::PreTool, Event::PreMessage] {
        // A call without a tool name concerns every hook.
        let outcome = run(&loaded.registry, Input::new(event));
        let hears = |info: &hookbox::HookInfo| info.events.iter().any(|(known, _)| *known == event);
        let mut hearing = reading.entries.iter().filter(|entry| hears(&entry.info));
        let is_missed = hearing.any(|entry| match &entry.target {
            HookTarget::Shell(shell) => {
                let dialect = shell.dialect.as_deref();
                dialect.is_some_and(|name| hookbox::dialect::codec(name).is_none()) && denies(&entry.info)
            }
            // The component files do not exist.
            HookTarget::Component(_) | HookTarget::Broken(..) => denies(&entry.info),
            other => panic!("a file made a hook of another kind: {other:?}"),
        });
        if is_missed || reading.broken.is_some() {
            assert_eq!(outcome.verdict, Verdict::Deny, "{outcome:?}");
        }
        if outcome.verdict == Verdict::Deny {
            assert!(!loaded.problems.is_empty(), "a deny that no problem explains: {outcome:?}");
        }
    }
}

fn denies(info: &hookbox::HookInfo) -> bool {
    info.on_error == hookbox::OnError::Deny
}

/// Whether hooks judge a result on this event. A result that no hook could judge is withheld.
fn judges_result(event: Event) -> bool {
    matches!(event, Event::PostTool | Event::ToolResponseTransform)
}
