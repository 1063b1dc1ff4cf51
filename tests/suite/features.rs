//! Which features of WebAssembly a component may use.

use crate::support::component::Guest;
use crate::support::{SANDBOX, ask, guests, plain};
use hookbox::runtime::component::{Grants, Limits};
use hookbox::{Code, Verdict};

fn prepare(wasm: &[u8]) -> Result<(), (Code, String)> {
    let prepared = SANDBOX.prepare(wasm, None, Grants::default(), Limits::default());
    prepared.map(|_| ()).map_err(|failure| (failure.code, failure.message))
}

/// Items of a core module, each with the proposal that it needs.
const CORE: [(&str, &str); 17] = [
    ("tail calls", "(func (result i32) (return_call $answer))"),
    ("function references", "(type $f (func)) (func (param (ref $f)) (call_ref $f (local.get 0)))"),
    ("wide arithmetic", "(func (result i64 i64) (i64.mul_wide_u (i64.const 1) (i64.const 2)))"),
    ("relaxed SIMD", "(func (drop (i8x16.relaxed_swizzle (v128.const i64x2 0 0) (v128.const i64x2 0 0))))"),
    ("several memories", "(memory 1)"),
    ("atomics", "(func (drop (i32.atomic.load (i32.const 0))))"),
    ("fences", "(func (atomic.fence))"),
    ("structures of the collector", "(type (struct (field i32)))"),
    ("arrays of the collector", "(type (array i8))"),
    ("small integers of the collector", "(func (drop (ref.i31 (i32.const 0))))"),
    ("references to the host", "(func (param externref))"),
    ("tables of the host", "(table 1 externref)"),
    ("exceptions", "(tag $e) (func (throw $e))"),
    ("older exceptions", "(func try nop catch_all nop end)"),
    ("stack switching", "(type $f (func)) (type (cont $f))"),
    ("memory control", "(func (memory.discard (i32.const 0) (i32.const 0)))"),
    ("64-bit tables", "(table i64 1 funcref)"),
];

/// Memories of a separate core module.
const MEMORIES: [(&str, &str); 3] = [
    ("64-bit memories", "(memory i64 1)"),
    ("shared memories", "(memory 1 1 shared)"),
    ("pages of another size", "(memory 1 (pagesize 1))"),
];

/// Items of a component.
const COMPONENT: [(&str, &str); 10] = [
    ("streams", "(type (stream u8))"),
    ("futures", "(type (future u8))"),
    ("asynchronous functions", "(type (func async))"),
    ("tasks", "(core func (canon task.cancel))"),
    ("threads", "(core func (canon thread.index))"),
    ("contexts of errors", "(core func (canon error-context.drop))"),
    ("maps", "(type (map string u32))"),
    ("lists of a fixed length", "(type (list u8 4))"),
    ("values", r#"(import "v" (value string))"#),
    ("shared tables of threads", "(core type $f (shared (func))) (core func (canon thread.spawn-ref $f))"),
];

#[track_caller]
fn assert_refused(feature: &str, guest: &Guest) {
    let wasm = wat::parse_str(guest.wat()).unwrap_or_else(|error| panic!("{feature}: {error}"));
    let (code, message) = prepare(&wasm).expect_err(feature);
    assert_eq!(code, Code::Compile, "{feature}: {message}");
    assert!(message.starts_with("is not a valid component: "), "{feature}: {message}");
}

#[test]
fn what_no_toolchain_needs_is_refused() {
    for (feature, items) in CORE {
        assert_refused(feature, &Guest::default().with_items(items));
    }
    for (feature, memory) in MEMORIES {
        assert_refused(feature, &Guest::default().with_imports(&format!("(core module {memory})"), "", ""));
    }
    for (feature, item) in COMPONENT {
        assert_refused(feature, &Guest::default().with_imports(item, "", ""));
    }
}

#[tokio::test]
async fn what_toolchains_make_runs() {
    let items = r#"
        (table 1 funcref) (table 1 funcref) (global (mut i32) (i32.const 0)) (data $passive "x")
        (global i32 (i32.add (i32.const 1) (i32.const 2)))
        (func (result i32 f64) (i32.extend8_s (i32.const 255)) (f64.const 1.5))
        (func (drop (i32.trunc_sat_f64_s (f64.const 1e300))))
        (func (param v128) (result v128) (i8x16.swizzle (local.get 0) (local.get 0)))
        (func (memory.fill (i32.const 0) (i32.const 0) (i32.const 0))
          (memory.init $passive (i32.const 0) (i32.const 0) (i32.const 0)) (data.drop $passive)
          (table.set 1 (i32.const 0) (ref.null func)))"#;
    let outcome = ask(plain("modern", &Guest::default().with_items(items).build())).await;
    assert_eq!((outcome.verdict, outcome.hooks[0].code), (Verdict::Allow, None), "{outcome:?}");
    for guest in ["no_destructive_commands.wasip2.wasm", "rule.wasip2.wasm", "plain.wasm"] {
        assert_eq!(prepare(&guests::read(guest)), Ok(()), "{guest}");
    }
}
