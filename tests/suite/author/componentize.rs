//! Turning a compiler's core module into a component that runs.

use crate::support::{SANDBOX, ask, plain};
use hookbox::runtime::component::{ComponentFile, Inspection};
use hookbox::{Code, Verdict};
use hookbox_componentize::{World, componentize, is_component, stub_imports};

/// Returns a core module as produced by a compiler for the world of a hook. `body` leaves the address of an answer on
/// the stack: 0 for `{}`, and 16 for a deny.
fn core(items: &str, body: &str) -> Vec<u8> {
    let text = format!(
        r#"(module
          {items}
          (memory (export "memory") 1)
          (data (i32.const 0) "\00\00\00\00\20\00\00\00\02\00\00\00")
          (data (i32.const 16) "\00\00\00\00\30\00\00\00\13\00\00\00")
          (data (i32.const 32) "{{}}")
          (data (i32.const 48) "{{\"decision\":\"deny\"}}")
          (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 4096))
          (func $judge (export "hookbox:hook/hook@0.1.0#run") (param i32 i32) (result i32) {body}))"#
    );
    wat::parse_str(text).unwrap()
}

fn inspect(component: &[u8]) -> Inspection {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), component).unwrap();
    SANDBOX.inspect(&ComponentFile::open(file.path()).unwrap()).unwrap()
}

pub(super) async fn decides(component: &[u8]) -> Verdict {
    let outcome = ask(plain("made", component)).await;
    assert_eq!(outcome.hooks[0].code, None, "{outcome:?}");
    outcome.verdict
}

#[tokio::test]
async fn a_core_module_of_the_world_becomes_a_hook() {
    for (answer, decision) in [("(i32.const 0)", Verdict::Allow), ("(i32.const 16)", Verdict::Deny)] {
        let component = componentize(&core("", answer), World::POLICY, false).unwrap();
        assert!(is_component(&component));
        assert_eq!(decides(&component).await, decision);
    }
}

/// Returns code that leaves the address of the deny if the condition holds.
fn deny_if(condition: &str) -> String {
    format!("(select (i32.const 16) (i32.const 0) {condition})")
}

#[tokio::test]
async fn calls_of_wasi_end_inside_the_component() {
    let import = |name: &str, ty: &str| format!(r#"(import "wasi_snapshot_preview1" "{name}" (func $f {ty}))"#);
    let clock = import("clock_time_get", "(param i32 i64 i32) (result i32)");
    let write = import("fd_write", "(param i32 i32 i32 i32) (result i32)");
    let open = import("path_open", "(param i32 i32 i32 i32 i32 i64 i64 i32 i32) (result i32)");
    let random = import("random_get", "(param i32 i32) (result i32)");
    let args = "(i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0) (i64.const 0) (i64.const 0) \
                (i32.const 0) (i32.const 0)";
    let read = |clock: u32| format!("(call $f (i32.const {clock}) (i64.const 0) (i32.const 512))");
    let cases = [
        // The monotonic clock advances.
        (&clock, deny_if(&format!("(i64.gt_u (block (result i64) (drop {0}) (drop {0}) (i64.load (i32.const 512))) (i64.const 1000))", read(1)))),
        // Output is accepted: the sum of two parts of 5 and 7 bytes.
        (&write, deny_if("(i32.eq (block (result i32) (i32.store (i32.const 516) (i32.const 5)) (i32.store (i32.const 524) (i32.const 7))
            (drop (call $f (i32.const 1) (i32.const 512) (i32.const 2) (i32.const 540))) (i32.load (i32.const 540))) (i32.const 12))")),
        // There is nothing to open.
        (&open, deny_if(&format!("(i32.eq (call $f {args}) (i32.const 8))"))),
        // Random numbers work, and are not all the same.
        (&random, deny_if("(i64.ne (block (result i64) (drop (call $f (i32.const 512) (i32.const 16))) (i64.load (i32.const 512))) (i64.load (i32.const 520)))")),
    ];
    for (import, body) in cases {
        let component = componentize(&core(import, &body), World::POLICY, false).unwrap();
        assert_eq!(decides(&component).await, Verdict::Deny, "{body}");
        let inspection = inspect(&component);
        assert!(inspection.imports.is_empty(), "{body}");
    }
}

/// The call ends, so nobody mistakes 1970 for the current time.
#[tokio::test]
async fn the_time_of_day_and_an_exit_end_the_call_with_the_reason() {
    let clock = r#"(import "wasi_snapshot_preview1" "clock_time_get" (func $f (param i32 i64 i32) (result i32)))"#;
    let exit = r#"(import "wasi_snapshot_preview1" "proc_exit" (func $f (param i32)))"#;
    for (import, body, words) in [
        (clock, "(call $f (i32.const 0) (i64.const 0) (i32.const 512))", "the time of day was asked for"),
        (exit, "(call $f (i32.const 0)) (i32.const 0)", "its runtime gave up and called exit"),
    ] {
        let component = componentize(&core(import, body), World::POLICY, false).unwrap();
        let outcome = ask(plain("made", &component)).await;
        assert_eq!((outcome.verdict, outcome.hooks[0].code), (Verdict::Deny, Some(Code::Trap)));
        assert!(outcome.reason.as_ref().unwrap().contains(words), "{outcome:?}");
    }
}

#[track_caller]
fn refused(core: &[u8], words: &str) {
    let error = format!("{:#}", componentize(core, World::POLICY, false).unwrap_err());
    assert!(error.contains(words), "{error}");
}

#[test]
fn what_cannot_become_a_hook_is_refused_with_the_reason() {
    refused(b"", "not WebAssembly");
    refused(b"#!/bin/sh", "not WebAssembly");
    refused(&componentize(&core("", "(i32.const 0)"), World::POLICY, false).unwrap(), "a component already");
    let unknown = r#"(import "wasi_snapshot_preview1" "fd_teleport" (func))"#;
    refused(&core(unknown, "(i32.const 0)"), "calls `fd_teleport` of `wasi_snapshot_preview1`");
    refused(
        &core(r#"(import "env" "puts" (func))"#, "(i32.const 0)"),
        "does not fit the world `hookbox:hook/policy@0.1.0`",
    );
    refused(&wat::parse_str("(module)").unwrap(), "it exports no hook");
}

const STORE: &str = r#"
    (import "hookbox:store/store@0.1.0" "open" (func $open (param i32 i32 i32)))
    (import "hookbox:store/atomics@0.1.0" "increment" (func $increment (param i32 i32 i32 i64 i32)))"#;

fn names(component: &[u8]) -> Vec<String> {
    inspect(component).imports.into_iter().map(|import| import.name).collect()
}

#[test]
fn a_component_imports_the_powers_that_its_module_uses() {
    let log = r#"(import "hookbox:log/logging@0.1.0" "log" (func (param i32 i32 i32 i32 i32)))"#;
    let component = componentize(&core(log, "(i32.const 0)"), World::POLICY, false).unwrap();
    assert_eq!(names(&component), ["hookbox:log/logging@0.1.0"]);
    let component = componentize(&core(STORE, "(i32.const 0)"), World::POLICY, false).unwrap();
    assert_eq!(names(&component), ["hookbox:store/store@0.1.0", "hookbox:store/atomics@0.1.0"]);
    refused(&core(r#"(import "hookbox:store/store@0.1.0" "open" (func))"#, "(i32.const 0)"), "open");
}

#[tokio::test]
async fn stubbed_imports_trap_and_all_other_functions_stay() {
    let call = "(call $open (i32.const 0) (i32.const 0) (i32.const 512)) (i32.const 0)";
    for (body, verdict) in [("(i32.const 0)", Verdict::Allow), ("(i32.const 16)", Verdict::Deny)] {
        let stubbed = stub_imports(&core(STORE, body), |_| false).unwrap();
        let component = componentize(&stubbed, World::POLICY, false).unwrap();
        assert_eq!(names(&component), Vec::<String>::new());
        assert_eq!(decides(&component).await, verdict);
    }
    let stubbed = stub_imports(&core(STORE, call), |_| false).unwrap();
    let outcome = ask(plain("made", &componentize(&stubbed, World::POLICY, false).unwrap())).await;
    assert_eq!((outcome.verdict, outcome.hooks[0].code), (Verdict::Deny, Some(Code::Trap)));
    let kept = stub_imports(&core(STORE, call), |module| module == "hookbox:store/store@0.1.0").unwrap();
    assert_eq!(names(&componentize(&kept, World::POLICY, false).unwrap()), ["hookbox:store/store@0.1.0"]);
    assert!(stub_imports(b"#!/bin/sh", |_| true).is_err());
}

#[test]
fn names_stay_only_if_wanted() {
    let core = core("", "(i32.const 0)");
    let holds = |component: &[u8]| memchr::memmem::find(component, b"judge").is_some();
    assert!(holds(&core));
    assert!(!holds(&componentize(&core, World::POLICY, false).unwrap()));
    assert!(holds(&componentize(&core, World::POLICY, true).unwrap()));
}
