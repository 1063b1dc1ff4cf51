//! The effects of a grant, and of its absence, tested with components of Rust's standard target.

use crate::support::{bash, guests, hook};
use hookbox::runtime::component::{DirAccess, DirGrant, EnvGrant, Grants, Limits, Prepared};
use hookbox::{Code, Input, Outcome, Registry};
use std::path::Path;
use std::time::{Duration, Instant};
use tempfile::TempDir;

async fn ask(guest: &str, grants: Grants, timeout: Duration, input: Input) -> Outcome {
    let registry = Registry::new();
    registry.register(hook("probe", &guests::read(guest), Limits::default(), grants, timeout)).unwrap();
    registry.run_pre(input).await
}

/// Returns what the guest saw.
async fn saw(guest: &str, grants: Grants) -> String {
    let outcome = ask(guest, grants, Duration::from_secs(10), bash("ls")).await;
    assert_eq!(outcome.asked_by.as_deref(), Some("probe"), "{outcome:?}");
    outcome.reason.unwrap()
}

fn prepare(guest: &str, grants: Grants) -> Result<Prepared, hookbox::Failure> {
    crate::support::SANDBOX.prepare(&guests::read(guest), None, grants, Limits::default())
}

#[tokio::test]
async fn a_stock_program_runs_with_nothing_and_is_pure() {
    assert!(prepare("plain.wasm", Grants::default()).unwrap().is_pure());
    let first = saw("plain.wasm", Grants::default()).await;
    assert!(first.starts_with("vars [], 0 arguments, 0 bytes of stdin, order "), "{first}");
    for _ in 0..5 {
        assert_eq!(saw("plain.wasm", Grants::default()).await, first, "even its hash seed is always the same");
    }
}

fn variable(name: &str, value: Option<&str>) -> EnvGrant {
    EnvGrant::new(name, value.map(str::to_owned))
}

#[tokio::test]
async fn granted_variables_are_there_and_no_others() {
    let grants = Grants::default().with_env(variable("LANG", Some("de"))).with_env(variable("HOME", None));
    assert!(saw("plain.wasm", grants).await.starts_with("vars [LANG=de], "));
    // A grant makes the component impure, whether or not this host has the variable.
    let unset = Grants::default().with_env(variable("HOME", None));
    assert!(!prepare("plain.wasm", unset).unwrap().is_pure());
}

#[tokio::test]
async fn clocks_are_refused_at_load_and_given_by_the_grant() {
    let failure = prepare("clocks.wasm", Grants::default()).err().unwrap();
    assert_eq!(failure.code, Code::Import);
    assert!(failure.message.contains("grants.clocks = true"), "{failure}");
    let grants = Grants::default().with_clocks(true);
    assert!(!prepare("clocks.wasm", grants.clone()).unwrap().is_pure());
    assert!(saw("clocks.wasm", grants).await.parse::<u64>().unwrap() > 1_700_000_000);
}

#[tokio::test]
async fn a_guest_that_sleeps_past_its_time_is_given_up() {
    let grants = Grants::default().with_clocks(true);
    let sleepy = Input::pre_tool("3600000", "{}").unwrap();
    let started = Instant::now();
    let outcome = ask("clocks.wasm", grants, Duration::from_millis(100), sleepy).await;
    assert!(started.elapsed() < Duration::from_secs(10));
    assert_eq!(outcome.hooks[0].code, Some(Code::Timeout));
}

/// Creates a directory with a note, a file to delete, a file to rename and a link that leads out of it, and a secret
/// beside it.
fn directory() -> TempDir {
    let root = TempDir::new().unwrap();
    let dir = root.path().join("dir");
    std::fs::create_dir(&dir).unwrap();
    for (file, text) in [("note.txt", "a note"), ("old.txt", ""), ("moved.txt", ""), ("../secret.txt", "secret")] {
        std::fs::write(dir.join(file), text).unwrap();
    }
    std::os::unix::fs::symlink("../secret.txt", dir.join("link.txt")).unwrap();
    root
}

fn dir_grant(root: &TempDir, access: DirAccess) -> Grants {
    Grants::default().with_dir(DirGrant::new(root.path().join("dir"), "/project", access))
}

#[tokio::test]
async fn without_a_grant_there_are_no_files() {
    let seen = saw("files.wasm", Grants::default()).await;
    for part in seen.split("; ") {
        let (what, saw) = part.split_once(": ").unwrap();
        assert!(saw.starts_with('(') && saw.ends_with(')'), "{what}: {saw}");
    }
    assert!(prepare("files.wasm", Grants::default()).unwrap().is_pure());
}

#[tokio::test]
async fn a_directory_to_read_is_read_and_not_changed() {
    let root = directory();
    let seen = saw("files.wasm", dir_grant(&root, DirAccess::Read)).await;
    assert!(seen.contains("read: a note; outside: ("), "{seen}");
    assert!(!seen.contains("secret") && !seen.contains("root:"), "{seen}");
    for what in ["write", "delete", "truncate", "rename"] {
        assert!(seen.contains(&format!("{what}: (")), "{seen}");
    }
    let dir = root.path().join("dir");
    assert_eq!(std::fs::read_to_string(dir.join("note.txt")).unwrap(), "a note");
    assert!(dir.join("old.txt").exists() && dir.join("moved.txt").exists() && !dir.join("new.txt").exists());
}

#[tokio::test]
async fn a_directory_to_write_is_changed_and_not_left() {
    let root = directory();
    let seen = saw("files.wasm", dir_grant(&root, DirAccess::ReadWrite)).await;
    assert!(seen.contains("write: done; delete: done; truncate: done; rename: done"), "{seen}");
    assert!(!seen.contains("secret") && !seen.contains("root:"), "{seen}");
    let dir = root.path().join("dir");
    assert_eq!(std::fs::read_to_string(dir.join("new.txt")).unwrap(), "mine");
    assert!(!dir.join("old.txt").exists() && dir.join("gone.txt").exists());
}

/// Returns the bytes of all files in a directory, including holes.
fn bytes_in(dir: &Path) -> u64 {
    let metadata = std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().metadata().unwrap());
    metadata.filter(|metadata| metadata.is_file()).map(|metadata| metadata.len()).sum()
}

#[tokio::test]
async fn a_call_adds_no_more_to_a_directory_than_it_may() {
    let most = 64 << 10;
    for (what, is_done) in [
        ("text", true),
        ("shrunk", true),
        ("long text", false),
        ("appended", false),
        ("hole", false),
        ("size", false),
        ("sizes", false),
        ("files", false),
        ("directories", false),
        ("links", false),
    ] {
        let root = directory();
        let dir = DirGrant::new(root.path().join("dir"), "/project", DirAccess::ReadWrite).with_max_bytes(most);
        let entries = || std::fs::read_dir(root.path().join("dir")).unwrap().count();
        let before = entries();
        let input = Input::pre_tool(what, "{}").unwrap();
        let grants = Grants::default().with_dir(dir);
        let outcome = ask("grows.wasm", grants, Duration::from_secs(60), input).await;
        let reason = outcome.reason.unwrap();
        assert_eq!(reason == "done", is_done, "{what}: {reason}");
        assert!(is_done || reason.contains("failed: "), "{what}: {reason}");
        assert!(bytes_in(&root.path().join("dir")) <= most, "{what}");
        assert!(entries() - before <= 16, "{what}");
    }
}

#[tokio::test]
async fn what_one_directory_may_hold_does_not_move_to_another() {
    let root = directory();
    std::fs::create_dir(root.path().join("other")).unwrap();
    let small = DirGrant::new(root.path().join("dir"), "/project", DirAccess::ReadWrite).with_max_bytes(8 << 10);
    let other = DirGrant::new(root.path().join("other"), "/other", DirAccess::ReadWrite);
    for what in ["moved", "linked"] {
        let grants = Grants::default().with_dir(small.clone()).with_dir(other.clone());
        let input = Input::pre_tool(what, "{}").unwrap();
        let reason = ask("grows.wasm", grants, Duration::from_secs(60), input).await.reason.unwrap();
        assert!(reason.contains("failed: "), "{what}: {reason}");
        assert!(root.path().join("other/big").exists() && !root.path().join("dir/big").exists(), "{what}");
    }
}

#[tokio::test]
async fn what_is_not_limited_may_add_as_much_as_is_usual() {
    let root = directory();
    for what in ["long text", "sizes", "files"] {
        let input = Input::pre_tool(what, "{}").unwrap();
        let grants = dir_grant(&root, DirAccess::ReadWrite);
        assert_eq!(ask("grows.wasm", grants, Duration::from_secs(60), input).await.reason.unwrap(), "done", "{what}");
    }
    let input = Input::pre_tool("hole", "{}").unwrap();
    let grants = dir_grant(&root, DirAccess::ReadWrite);
    let outcome = ask("grows.wasm", grants, Duration::from_secs(60), input).await;
    assert!(outcome.reason.unwrap().contains("failed: "));
}

/// Returns the result of a call of a component that was prepared with this grant, after something has happened.
async fn ask_after(root: &TempDir, happens: impl FnOnce(&Path)) -> Outcome {
    let grants = dir_grant(root, DirAccess::Read);
    let hook = hook("probe", &guests::read("files.wasm"), Limits::default(), grants, Duration::from_secs(10));
    happens(&root.path().join("dir"));
    let registry = Registry::new();
    registry.register(hook).unwrap();
    registry.run_pre(bash("ls")).await
}

#[tokio::test]
async fn a_granted_directory_that_is_gone_is_a_failure() {
    let root = directory();
    let outcome = ask_after(&root, |dir| std::fs::remove_dir_all(dir).unwrap()).await;
    assert_eq!(outcome.hooks[0].code, Some(Code::Grant));
    let failure = prepare("plain.wasm", dir_grant(&root, DirAccess::Read)).err().unwrap();
    assert!(failure.code == Code::Grant && failure.message.contains("cannot be opened"), "{failure}");
}

#[tokio::test]
async fn a_granted_directory_with_another_in_its_place_is_a_failure() {
    let root = directory();
    let outcome = ask_after(&root, |_| {}).await;
    assert!(outcome.reason.unwrap().contains("a note"));
    let outcome = ask_after(&root, |dir| {
        std::fs::rename(dir, dir.with_file_name("moved")).unwrap();
        std::os::unix::fs::symlink("/etc", dir).unwrap();
    })
    .await;
    assert_eq!(outcome.hooks[0].code, Some(Code::Grant));
    assert!(outcome.reason.unwrap().contains("is not the directory that was granted"));
}

#[test]
fn one_tree_is_not_granted_with_different_access() {
    let root = directory();
    std::fs::create_dir(root.path().join("dir/below")).unwrap();
    let granted = |first: DirAccess, second: DirAccess| {
        let mut grants = dir_grant(&root, first);
        let below = root.path().join("dir/below");
        grants.dirs.push(DirGrant::new(below, "/below", second));
        prepare("plain.wasm", grants)
    };
    for access in [DirAccess::Read, DirAccess::ReadWrite] {
        assert!(granted(access, access).is_ok());
    }
    for (first, second) in [(DirAccess::Read, DirAccess::ReadWrite), (DirAccess::ReadWrite, DirAccess::Read)] {
        let failure = granted(first, second).err().unwrap();
        assert!(failure.code == Code::Grant && failure.message.contains("with different access"), "{failure}");
    }
}
