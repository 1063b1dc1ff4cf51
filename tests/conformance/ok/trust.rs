//! ok: the rows about trust in projects.

use super::super::by_test::{Named, Row, named, row};
use crate::support::project::Project;
use hookbox::config::TrustedProjects;
use hookbox::dialect::ok::{OkDialect, TrustFile};
use serde_json::{Value, json};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};

pub(super) const TESTS: &[Named] =
    named![project_defines_hooks, trust_store, trust_file, trust_through_symlinks, trust_replaces_a_malformed_file,];

/// Returns the row that names this test.
fn given(test: &str) -> Row {
    row("ok", test)
}

#[test]
fn project_defines_hooks() {
    let (row, project) = (given("project_defines_hooks"), Project::new());
    assert!(!OkDialect::project_defines_hooks(&project.dir()));
    for (settings, expected) in [
        (row.input(), true),
        (r#"{"hooks":{"SessionStart":[{"command":"echo"}]}}"#, false),
        (r#"{"hooks":{"PreToolUse":[{"command":" "}]}}"#, false),
        (r#"{"hooks":{"PreToolUse":[{"match":"[","command":"echo"}]}}"#, true),
        ("{not valid json", false),
    ] {
        project.write("project/.ok/settings.json", settings);
        assert_eq!(OkDialect::project_defines_hooks(&project.dir()), expected, "{settings}");
    }
    row.holds();
}

#[test]
fn trust_store() {
    let project = Project::new();
    let store = TrustFile::below(&project.home());
    assert!(!store.is_trusted(&project.dir()));
    store.trust(&project.dir()).unwrap();
    assert!(store.is_trusted(&project.dir()));
    // Only exactly this project is trusted.
    let row = given("trust_store");
    let child = project.dir().join(row.input());
    assert!(!store.is_trusted(&child));
    assert!(!store.is_trusted(project.dir().parent().unwrap()));
    // An empty path names no project.
    store.trust("".as_ref()).unwrap();
    assert!(!store.is_trusted("".as_ref()));
    let to_come = project.dir().join("not/there/yet");
    store.trust(&to_come).unwrap();
    assert!(store.is_trusted(&to_come));
    row.holds();
}

#[test]
fn a_path_that_only_looks_like_a_trusted_one_is_not_trusted() {
    let project = Project::new();
    let store = TrustFile::below(&project.home());
    let named = |name: &[u8]| project.dir().join(OsStr::from_bytes(name));
    store.trust(&named("a\u{fffd}".as_bytes())).unwrap();
    assert!(store.is_trusted(&named("a\u{fffd}".as_bytes())));
    assert!(!store.is_trusted(&named(b"a\xff")));
    store.trust(&named(b"a\xff")).unwrap_err();
}

#[test]
fn trust_file() {
    let project = Project::new();
    let (file, store) = (project.home().join(".ok/trust.json"), TrustFile::below(&project.home()));
    store.trust(&project.dir()).unwrap();
    let root = fs::canonicalize(project.dir()).unwrap();
    let text = fs::read_to_string(&file).unwrap();
    assert_eq!(text.trim_end(), format!("{{\n  \"projects\": {{\n    \"{}\": true\n  }}\n}}", root.display()));
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    // The other projects stay, and anything that is not about projects is removed.
    let row = given("trust_file");
    fs::write(&file, row.input()).unwrap();
    store.trust(&project.dir()).unwrap();
    let content: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    let root = root.to_str().unwrap();
    assert_eq!(content, json!({"projects": {"/other": true, "/left": false, root: true}}));
    row.holds();
}

#[test]
fn trust_through_symlinks() {
    let project = Project::new();
    let row = given("trust_through_symlinks");
    let (link, store) = (project.home().join(row.input()), TrustFile::below(&project.home()));
    symlink(project.dir(), &link).unwrap();
    store.trust(&link).unwrap();
    assert!(store.is_trusted(&project.dir()));
    assert!(store.is_trusted(&link));
    let mut with_slash = project.dir().into_os_string();
    with_slash.push("/");
    assert!(store.is_trusted(with_slash.as_ref()));
    row.holds();
}

#[test]
fn trust_replaces_a_malformed_file() {
    let project = Project::new();
    let row = given("trust_replaces_a_malformed_file");
    let file = project.write("home/.ok/trust.json", row.input());
    let store = TrustFile::below(&project.home());
    assert!(!store.is_trusted(&project.dir()));
    store.trust(&project.dir()).unwrap();
    let content: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    let root = fs::canonicalize(project.dir()).unwrap();
    assert_eq!(content, json!({"projects": {root.to_str().unwrap(): true}}));
    row.holds();
}
