//! The next call never sees anything from an earlier one, however that call ended, in any slot of the pool.

use crate::support::component::Guest;
use crate::support::{bash, hook};
use futures_util::future::join_all;
use hookbox::runtime::component::{ComponentHook, Grants, Limits};
use hookbox::{Registry, Verdict};
use std::sync::Arc;
use std::time::Duration;

/// Returns a guest that checks all of its memory, its table and its globals, then fills them with a mark, then ends in
/// this way.
///
/// The guest's own data and its input are below 132 KiB; everything else must be zero when the call begins.
fn marking(end: &str) -> Vec<u8> {
    let run = format!(
        r"(local $at i32) (local $end i32)
        ;; Everything is as new?
        (if (i64.ne (global.get $mark) (i64.const 0)) (then (return (call $leak))))
        (local.set $at (i32.const 0))
        (loop $slots
          (if (i32.eqz (ref.is_null (table.get $table (local.get $at)))) (then (return (call $leak))))
          (local.set $at (i32.add (local.get $at) (i32.const 1)))
          (br_if $slots (i32.lt_u (local.get $at) (i32.const 1000))))
        (if (call $dirty) (then (return (call $leak))))
        (drop (memory.grow (i32.const 60)))
        (if (call $dirty) (then (return (call $leak))))
        ;; Leave a mark everywhere.
        (global.set $mark (i64.const -1))
        (table.fill $table (i32.const 0) (ref.func $dirty) (i32.const 1000))
        (local.set $at (i32.const 135168))
        (memory.fill (local.get $at) (i32.const 0xa5)
          (i32.sub (i32.mul (memory.size) (i32.const 65536)) (local.get $at)))
        {end}"
    );
    let deny = r#"{"decision":"deny","reason":"found what another call left"}"#;
    let items = format!(
        r#"(global $mark (mut i64) (i64.const 0))
        (table $table 1000 funcref)
        (elem declare func $dirty)
        (data (i32.const 2048) "{}")
        (func $leak (result i32)
          (i32.store8 (i32.const 0) (i32.const 0))
          (i32.store (i32.const 4) (i32.const 2048))
          (i32.store (i32.const 8) (i32.const {}))
          (i32.const 0))
        (func $dirty (result i32) (local $at i32)
          (local.set $at (i32.const 135168))
          (loop $next
            (if (i64.ne (i64.load (local.get $at)) (i64.const 0)) (then (return (i32.const 1))))
            (local.set $at (i32.add (local.get $at) (i32.const 8)))
            (br_if $next (i32.lt_u (local.get $at) (i32.mul (memory.size) (i32.const 65536)))))
          (i32.const 0))"#,
        deny.replace('"', "\\22"),
        deny.len(),
    );
    Guest::running(&run).with_items(&items).build()
}

fn marker(name: &str, end: &str, limit: Duration) -> ComponentHook {
    hook(name, &marking(end), Limits::default(), Grants::default(), limit)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_of_one_call_is_there_in_the_next() {
    let long = Duration::from_secs(20);
    let registry = |hook: ComponentHook| {
        let registry = Registry::new();
        registry.register(hook).unwrap();
        Arc::new(registry)
    };
    let good = registry(marker("good", "(call $answer)", long));
    let traps = registry(marker("traps", "(unreachable)", long));
    let hangs = registry(marker("hangs", "(loop $l (br $l)) (unreachable)", Duration::from_millis(300)));
    // At times, there are more concurrent calls than slots, and there are always all three kinds.
    for round in 0..6 {
        let calls = (0..24).map(|call| {
            let registry = match (round + call) % 8 {
                0 => &hangs,
                1..4 => &traps,
                _ => &good,
            };
            let (registry, is_good) = (Arc::clone(registry), Arc::ptr_eq(registry, &good));
            tokio::spawn(async move { (registry.run_pre(bash("ls")).await, is_good) })
        });
        for ended in join_all(calls).await {
            let (outcome, is_good) = ended.unwrap();
            let reason = outcome.reason.unwrap_or_default();
            assert!(!reason.contains("found what another call left"), "round {round}");
            assert_eq!(outcome.verdict == Verdict::Allow, is_good, "round {round}: {reason}");
        }
    }
}

/// This shows that the test above can fail: a call that finds a mark says so.
#[tokio::test]
async fn a_mark_would_be_found() {
    let guest = marking("(if (i32.eqz (call $dirty)) (then (unreachable))) (call $leak)");
    let registry = Registry::new();
    registry.register(hook("marks", &guest, Limits::default(), Grants::default(), Duration::from_secs(20))).unwrap();
    let outcome = registry.run_pre(bash("ls")).await;
    assert_eq!(outcome.reason.as_deref(), Some("found what another call left"));
}
