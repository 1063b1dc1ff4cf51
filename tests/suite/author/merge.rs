//! Merging a component of several core modules into one core module.

use super::componentize::decides;
use hookbox::Verdict;
use hookbox_componentize::{World, componentize, merge};

/// Returns a program and a library that share a memory, a table and a number, like the output of toolchains for shared
/// libraries. The library puts its functions into the program's table from index 3 on, and calls the one at offset
/// `which` from there: 0 allows, 1 denies.
fn shared(which: u32, program_items: &str, library_items: &str) -> String {
    format!(
        r#"(core module $program
             (memory (export "memory") 1)
             (table (export "table") 8 funcref)
             (global (export "base") i32 (i32.const 2))
             (data (i32.const 0) "\00\00\00\00\20\00\00\00\02\00\00\00")
             (data (i32.const 32) "{{}}")
             (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 4096))
             {program_items})
           (core module $library
             (import "env" "table" (table 1 funcref))
             (import "env" "memory" (memory 1))
             (import "env" "base" (global $base i32))
             (type $answer (func (result i32)))
             (global $own i32 (i32.add (global.get $base) (i32.const 1)))
             (elem (offset (i32.add (global.get $base) (i32.const 1))) func $allow $deny)
             (data (i32.const 16) "\00\00\00\00\30\00\00\00\13\00\00\00")
             (data $text "{{\22decision\22:\22deny\22}}")
             (func $allow (result i32) (i32.const 0))
             (func $deny (result i32)
               (memory.init $text (i32.const 48) (i32.const 0) (i32.const 19))
               (i32.const 16))
             (func (export "hookbox:hook/hook@0.1.0#run") (param i32 i32) (result i32)
               (call_indirect (type $answer) (i32.add (global.get $own) (i32.const {which}))))
             {library_items})
           (core instance $p (instantiate $program))
           (core instance $env
             (export "memory" (memory $p "memory")) (export "table" (table $p "table"))
             (export "base" (global $p "base")))
           (core instance $l (instantiate $library (with "env" (instance $env))))"#
    )
}

fn component(parts: &str) -> Vec<u8> {
    let text = format!(
        r#"(component
           {parts}
           (func $run (param "input" string) (result (result string (error string)))
             (canon lift (core func $l "hookbox:hook/hook@0.1.0#run")
               (memory (core memory $p "memory")) (realloc (core func $p "cabi_realloc"))))
           (instance $hook (export "run" (func $run)))
           (export "hookbox:hook/hook@0.1.0" (instance $hook)))"#
    );
    wat::parse_str(text).unwrap()
}

fn refusal(component: &[u8]) -> String {
    format!("{:#}", merge(component, World::POLICY.powers).unwrap_err())
}

#[tokio::test]
async fn the_merged_module_does_what_its_parts_did() {
    for (which, verdict) in [(0, Verdict::Allow), (1, Verdict::Deny)] {
        let parts = component(&shared(which, "", ""));
        assert_eq!(decides(&parts).await, verdict);
        let merged = componentize(&merge(&parts, World::POLICY.powers).unwrap(), World::POLICY, false).unwrap();
        assert_eq!(decides(&merged).await, verdict);
    }
}

#[test]
fn what_calls_the_outside_is_refused() {
    let outside = r#"(import "host" (func $host)) (core func $lowered (canon lower (func $host)))"#;
    let parts = component(&format!("{outside} {}", shared(0, "", "")));
    assert_eq!(refusal(&parts), "its modules use what is outside of them, so that they cannot be merged");
}

#[test]
fn a_start_function_is_refused() {
    let parts = component(&shared(0, "", "(func $begin) (start $begin)"));
    assert_eq!(refusal(&parts), "one of its modules has a start function, and cannot be merged");
}

#[test]
fn what_is_no_component_is_refused() {
    assert_eq!(refusal(b"\0asm\x01\0\0\0"), "it is not a valid component");
    let cut_off = refusal(b"\0asm\x0d\0\x01\0\x7f");
    assert!(cut_off.starts_with("it is not a valid component: unexpected end"), "{cut_off}");
    let beyond =
        r#"(component (core module $m) (core instance $i (instantiate $m)) (alias core export $i "run" (core func)))"#;
    assert_eq!(refusal(&wat::parse_str(beyond).unwrap()), "it is not a valid component");
}
