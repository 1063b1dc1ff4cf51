//! The digests of large components, which the cache remembers.

use super::{ask, cached, dir, files};
use crate::support::component::Guest;
use crate::support::project::Project;
use hookbox::runtime::component::digest;
use std::fs;
use std::path::PathBuf;

/// Returns a component that is large enough for its digest to be worth remembering.
fn large(name: &str) -> Vec<u8> {
    let section = format!("(@custom \"{name}\" \"{}\")", "x".repeat(200_000));
    Guest::answering(r#"{"decision":"deny","reason":"no"}"#).with_items(&section).build()
}

fn digests(project: &Project) -> Vec<PathBuf> {
    files(project).into_iter().filter(|file| file.extension().is_some_and(|suffix| suffix == "digest")).collect()
}

/// Creates a user with one large component that has answered once.
fn called() -> Project {
    let project = cached();
    project.write("home/.agents/guard.wasm", large("one"));
    assert_eq!(ask(&project), (true, vec![]));
    assert_eq!(digests(&project).len(), 1, "that of the small component is not worth it");
    project
}

#[test]
fn a_digest_is_remembered_for_the_same_bytes_only() {
    let project = called();
    assert_eq!(ask(&project), (false, vec![]));
    // The new component has the same length and the same modification time.
    let guard = project.home().join(".agents/guard.wasm");
    let modified = fs::metadata(&guard).unwrap().modified().unwrap();
    project.write("home/.agents/guard.wasm", large("two"));
    fs::File::options().write(true).open(&guard).unwrap().set_modified(modified).unwrap();
    assert_eq!(ask(&project), (true, vec![]), "other bytes are another component");
    assert_eq!(digests(&project).len(), 2);
    assert_eq!(ask(&project), (false, vec![]));
}

#[test]
fn a_pin_is_compared_with_the_bytes_that_are_there() {
    let project = called();
    let pinned = format!("{}sha256 = \"{}\"\n", super::HOOK, digest(&large("one")));
    project.write("home/.agents/hooks.toml", &pinned);
    assert_eq!(ask(&project), (false, vec![]));
    project.write("home/.agents/guard.wasm", large("two"));
    for attempt in ["new", "remembered"] {
        let ran = project.run(&["run"], super::CALL);
        assert_eq!((ran.status, ran.json()["hooks"][0]["code"].as_str()), (2, Some("E303")), "{attempt}: {ran:?}");
    }
}

#[test]
fn a_digest_that_is_damaged_or_of_another_component_is_computed_again() {
    let project = called();
    let mine = digests(&project).remove(0);
    project.write("home/.agents/guard.wasm", large("two"));
    assert_eq!(ask(&project), (true, vec![]));
    let other = digests(&project).into_iter().find(|file| *file != mine).unwrap();
    project.write("home/.agents/guard.wasm", large("one"));
    let good = fs::read(&mine).unwrap();
    let flipped = |at: usize| {
        let mut bytes = good.clone();
        bytes[at] ^= 1;
        bytes
    };
    let damaged = [flipped(0), flipped(40), good[..63].to_vec(), [&good[..], b"x"].concat(), vec![]];
    for (nth, bytes) in damaged.into_iter().chain([fs::read(&other).unwrap()]).enumerate() {
        fs::write(&mine, bytes).unwrap();
        assert_eq!(ask(&project), (false, vec!["E207".to_owned()]), "damage {nth}");
        assert_eq!((ask(&project), fs::read(&mine).unwrap()), ((false, vec![]), good.clone()), "after damage {nth}");
    }
}

#[test]
fn listings_leave_digests_out_and_clean_removes_them() {
    let project = called();
    let listing = project.run(&["cache", "list", "--format", "json"], "").json();
    assert_eq!(listing["entries"].as_array().unwrap().len(), 2, "{listing}");
    let cleaned = project.run(&["cache", "clean", "--format", "json"], "").json();
    assert_eq!(cleaned["removed"], 2, "{cleaned}");
    assert_eq!(fs::read_dir(dir(&project)).unwrap().count(), 0);
}
