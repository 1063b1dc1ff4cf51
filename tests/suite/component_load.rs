//! Components that are refused when they are loaded, and the one line that says why.

use crate::support::SANDBOX;
use crate::support::component::{Guest, allowing};
use hookbox::Code;
use hookbox::runtime::component::{Grants, Limits, digest};

#[track_caller]
fn refused(wasm: &[u8], code: Code, words: &str) {
    let failure = match SANDBOX.prepare(wasm, None, Grants::default(), Limits::default()) {
        Ok(_) => panic!("was accepted"),
        Err(failure) => failure,
    };
    assert_eq!(failure.code, code, "{failure}");
    assert!(failure.message.contains(words), "{failure}");
    assert_eq!(failure.message.lines().count(), 1, "{failure}");
}

fn component(text: &str) -> Vec<u8> {
    wat::parse_str(text).unwrap()
}

#[test]
fn a_core_module_is_refused_with_what_to_do() {
    refused(
        &component("(module)"),
        Code::NotAComponent,
        "is a core module, not a component: build it with `hookbox build`",
    );
}

#[test]
fn text_garbage_and_nothing_are_refused() {
    refused(Guest::default().wat().as_bytes(), Code::NotAComponent, "is WebAssembly text");
    refused(b"#!/bin/sh\necho {}\n", Code::NotAComponent, "is not WebAssembly");
    refused(b"", Code::NotAComponent, "is an empty file");
    refused(b"\0asm\x07\0\0\0", Code::NotAComponent, "of a version that is not known");
}

#[test]
fn a_damaged_component_is_refused() {
    let good = allowing();
    refused(&good[..good.len() / 2], Code::Compile, "is not a valid component");
    let mut odd = good;
    odd.extend_from_slice(b"\xff\xff");
    refused(&odd, Code::Compile, "is not a valid component");
}

#[test]
fn a_missing_export_is_named_with_what_is_there() {
    refused(&component("(component)"), Code::Export, "does not export `hookbox:hook/hook@0.1.0`, but nothing");
    let other = Guest::default().wat().replace("hookbox:hook/hook@0.1.0", "acme:other/thing@1.0.0");
    refused(&component(&other), Code::Export, "but `acme:other/thing@1.0.0`");
}

#[test]
fn an_export_of_another_type_is_spelled_out() {
    let text = r#"(component
      (core module $m (func (export "run") (param i32) (result i32) (local.get 0)))
      (core instance $i (instantiate $m))
      (func $run (param "x" u32) (result u32) (canon lift (core func $i "run")))
      (instance $hook (export "run" (func $run)))
      (export "hookbox:hook/hook@0.1.0" (instance $hook)))"#;
    refused(
        &component(text),
        Code::Export,
        "exports `run` as func(u32) -> u32; a hook needs func(input: string) -> result<string, string>",
    );
    let text = text.replace("(export \"run\" (func $run))", "(export \"walk\" (func $run))");
    refused(&component(&text), Code::Export, "without `run: func(input: string)");
}

fn importing(name: &str) -> Vec<u8> {
    let import = format!(r#"(import "{name}" (instance (export "f" (func))))"#);
    Guest::default().with_imports(&import, "", "").build()
}

#[test]
fn an_import_that_is_not_granted_is_named_with_what_would_grant_it() {
    refused(
        &importing("wasi:clocks/wall-clock@0.2.3"),
        Code::Import,
        "imports `wasi:clocks/wall-clock@0.2.3`, which it is not granted: grant it with `grants.clocks = true`",
    );
    refused(&importing("wasi:random/random@0.2.0"), Code::Import, "grant it with `grants.random = true`");
    refused(&importing("wasi:sockets/tcp@0.2.0"), Code::Import, "the network cannot be granted in this version");
    refused(&importing("wasi:http/outgoing-handler@0.2.0"), Code::Import, "grant it with `grants.net = [{ url =");
    refused(&importing("wasi:http/handler@0.3.0"), Code::Import, "the network cannot be granted in this version");
    refused(&importing("acme:host/powers"), Code::Import, "imports `acme:host/powers`, which it is not granted");
    refused(&importing("wasi:cli/environment@0.3.0"), Code::Import, "no grant offers it");
}

#[test]
fn an_import_that_does_not_fit_its_interface_is_refused() {
    refused(&importing("wasi:cli/environment@0.2.0"), Code::Import, "does not fit what it imports");
}

#[test]
fn a_plain_function_import_is_refused() {
    let guest = Guest::default().with_imports(r#"(import "f" (func))"#, "", "").build();
    refused(&guest, Code::Import, "imports `f`");
}

#[test]
fn a_pin_holds_the_component_to_its_bytes() {
    let wasm = allowing();
    let prepare = |pin: &str| SANDBOX.prepare(&wasm, Some(pin), Grants::default(), Limits::default());
    assert!(prepare(&digest(&wasm)).is_ok());
    let failure = prepare(&"0".repeat(64)).err().unwrap();
    assert_eq!(failure.code, Code::Pin);
    assert!(failure.message.contains(&digest(&wasm)), "{failure}");
}

#[test]
fn a_module_within_a_component_may_not_use_what_hooks_do_not_need() {
    for module in ["(memory 1 1 shared)", "(memory i64 1)", "(type (struct))", "(tag (param i32))"] {
        let text = Guest::default()
            .with_items("")
            .wat()
            .replace("(core module $m", &format!("(core module {module}) (core module $m"));
        refused(&component(&text), Code::Compile, "is not a valid component");
    }
}

/// Returns a section of a binary: its number, its length, its content.
fn section(number: u8, content: &[u8]) -> Vec<u8> {
    let mut length = content.len();
    let mut bytes = vec![number];
    while length >= 0x80 {
        bytes.push((length & 0x7f) as u8 | 0x80);
        length >>= 7;
    }
    bytes.push(length as u8);
    bytes.extend_from_slice(content);
    bytes
}

#[test]
fn types_that_would_overflow_the_stack_of_the_compiler_are_refused() {
    // This is an instance type inside an instance type, thousands of times, in nine kilobytes.
    let mut nested = b"\x42\x00".to_vec();
    for _ in 0..3000 {
        nested.splice(0..0, *b"\x42\x01\x01");
    }
    nested.insert(0, 1);
    let wasm = [b"\0asm\x0d\0\x01\0".as_slice(), &section(7, &nested)].concat();
    refused(&wasm, Code::Compile, "is not a valid component");
}

#[test]
fn components_that_are_nested_too_deeply_are_refused() {
    let nested = |levels: usize| component(&format!("{}{}", "(component ".repeat(levels), ")".repeat(levels)));
    refused(&nested(33), Code::Compile, "components are nested deeper than 32");
    refused(&nested(32), Code::Export, "does not export");
}

#[test]
fn a_component_that_expands_to_millions_of_instances_is_refused_at_once() {
    let mut text =
        "(core module $m) (component $c0 (alias outer 1 $m (core module $n)) (core instance (instantiate $n)))"
            .to_owned();
    for level in 1..8 {
        let instances = format!("(instance (instantiate $c{}))", level - 1).repeat(12);
        let alias = format!("(alias outer 1 $c{0} (component $c{0}))", level - 1);
        text.push_str(&format!("(component $c{level} {alias} {instances})"));
    }
    let text = format!("(component {text} (instance (instantiate $c7)))");
    refused(&component(&text), Code::Compile, "instantiations; the limit is 1000");
}

/// What a component instantiates may be an argument, which is defined after it.
#[test]
fn a_component_that_expands_by_its_arguments_is_refused_at_once() {
    let instances = "(instance (instantiate $x))".repeat(30);
    let mut text = format!(r#"(component $a (import "x" (component $x)) {instances}) (component $c0)"#);
    // An engine that is given these three levels, 27,000 instances, survives them.
    for level in 1..=3 {
        let aliases = format!("(alias outer 1 $a (component $a)) (alias outer 1 $c{} (component $b))", level - 1);
        let instance = r#"(instance (instantiate $a (with "x" (component $b))))"#;
        text.push_str(&format!("(component $c{level} {aliases} {instance})"));
    }
    let text = format!("(component {text} (instance (instantiate $c3)))");
    refused(&component(&text), Code::Compile, "instantiations; the limit is 1000");
}

#[test]
fn a_version_that_is_not_released_is_not_the_interface() {
    let text = Guest::default().wat().replace("hook@0.1.0", "hook@0.1.0-rc1");
    refused(
        &component(&text),
        Code::Export,
        "does not export `hookbox:hook/hook@0.1.0`, but `hookbox:hook/hook@0.1.0-rc1`",
    );
}

#[test]
fn an_async_run_is_refused() {
    let text = r#"(component
      (core module $m
        (memory (export "memory") 1)
        (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 0))
        (func (export "run") (param i32 i32) (result i32) (i32.const 0)))
      (core instance $i (instantiate $m))
      (func $run async (param "input" string) (result (result string (error string)))
        (canon lift (core func $i "run") (memory (core memory $i "memory")) (realloc (core func $i "cabi_realloc"))))
      (instance $hook (export "run" (func $run)))
      (export "hookbox:hook/hook@0.1.0" (instance $hook)))"#;
    let failure = SANDBOX.prepare(&component(text), None, Grants::default(), Limits::default()).err().unwrap();
    assert!(matches!(failure.code, Code::Compile | Code::Export), "{failure}");
}
