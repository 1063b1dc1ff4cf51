//! One hostile guest for each limit. After each, the same engine answers a normal call.

use crate::support::component::{Guest, allowing, exiter, sleeper};
use crate::support::{SANDBOX, ask, bash, code, hook, plain};
use hookbox::runtime::component::{Compiler, ComponentHook, Grants, Limits, Sandbox};
use hookbox::{Code, Event, HookInfo, Outcome, Registry, Verdict};
use std::time::{Duration, Instant};

/// A limit that is generous on a busy machine, and far below what an endless guest would take.
const SOON: Duration = Duration::from_secs(10);

/// Checks that the guest is denied with this code, in time, and that the engine works as before.
async fn denied(hook: hookbox::runtime::component::ComponentHook, expected: Code) -> Outcome {
    let started = Instant::now();
    let outcome = ask(hook).await;
    assert!(started.elapsed() < SOON, "took {:?}", started.elapsed());
    assert_eq!(outcome.verdict, Verdict::Deny, "{outcome:?}");
    assert_eq!(code(&outcome), Some(expected), "{outcome:?}");
    let reason = outcome.reason.as_deref().unwrap();
    assert!(reason.starts_with(expected.as_str()), "{reason}");
    assert_eq!(ask(plain("good", &allowing())).await.verdict, Verdict::Allow);
    outcome
}

/// Checks that both kinds of sandbox refuse the component: one with a pool has no slot for it, and one for a single
/// call notices when the component is called.
async fn refused_by_both(wasm: &[u8]) {
    let refused = SANDBOX.prepare(wasm, None, Grants::default(), Limits::default()).err().unwrap();
    assert_eq!(refused.code, Code::Limit, "{refused}");
    let prepared = Sandbox::for_one_call(Compiler::in_process_for_trusted_bytes())
        .unwrap()
        .prepare(wasm, None, Grants::default(), Limits::default())
        .unwrap();
    denied(ComponentHook::new(HookInfo::new("hostile", [Event::PreTool]), prepared, None), Code::Limit).await;
}

fn with_limits(wasm: &[u8], change: impl FnOnce(&mut Limits)) -> hookbox::runtime::component::ComponentHook {
    let mut limits = Limits::default();
    change(&mut limits);
    hook("hostile", wasm, limits, Grants::default(), Duration::from_secs(5))
}

fn with_timeout(wasm: &[u8], millis: u64) -> hookbox::runtime::component::ComponentHook {
    hook("hostile", wasm, Limits::default(), Grants::default(), Duration::from_millis(millis))
}

#[tokio::test]
async fn endless_loop_in_run_is_stopped() {
    let guest = Guest::running("(loop $l (br $l)) (unreachable)").build();
    let outcome = denied(with_timeout(&guest, 100), Code::Timeout).await;
    assert_eq!(
        outcome.reason.as_deref(),
        Some("E101: hook `hostile` did not answer within 100ms; the tool call was blocked")
    );
}

#[tokio::test]
async fn endless_loop_in_start_is_stopped() {
    let guest = Guest::default().with_items("(func $spin (loop $l (br $l))) (start $spin)").build();
    denied(with_timeout(&guest, 100), Code::Timeout).await;
}

#[tokio::test]
async fn endless_loop_in_realloc_is_stopped() {
    let wat = Guest::default().wat().replace("(local $at i32)", "(local $at i32) (loop $l (br $l))");
    denied(with_timeout(&wat::parse_str(wat).unwrap(), 100), Code::Timeout).await;
}

#[tokio::test]
async fn asleep_in_a_poll_is_woken() {
    let grants = Grants::default().with_clocks(true);
    let hook = hook("hostile", &sleeper(), Limits::default(), grants, Duration::from_millis(100));
    denied(hook, Code::Timeout).await;
}

#[tokio::test]
async fn memory_growth_is_stopped() {
    let guest =
        Guest::running("(loop $l (br_if $l (i32.ge_s (memory.grow (i32.const 16)) (i32.const 0)))) (unreachable)");
    let outcome = denied(with_limits(&guest.build(), |limits| limits.memory_bytes = 8 << 20), Code::Memory).await;
    let reason = outcome.reason.unwrap();
    assert!(reason.contains("asked for 8.2 MiB of memory; its limit is 8.0 MiB"), "{reason}");
}

#[tokio::test]
async fn a_refused_growth_that_the_guest_survives_is_its_own_affair() {
    let guest = Guest::running("(drop (memory.grow (i32.const 60000))) (call $answer)").build();
    assert_eq!(ask(plain("modest", &guest)).await.verdict, Verdict::Allow);
}

#[tokio::test]
async fn a_memory_that_is_too_large_from_the_start_is_refused() {
    let guest = Guest::default().with_memory(r#"(memory (export "memory") 2000)"#).build();
    denied(plain("hostile", &guest), Code::Memory).await;
}

/// Returns a component with this many instances of a module.
fn many(count: usize, module: &str) -> Vec<u8> {
    let instances = "(core instance (instantiate $extra))".repeat(count);
    let imports = format!("(core module $extra {module}) {instances}");
    Guest::default().with_imports(&imports, "", "").build()
}

#[tokio::test]
async fn many_memories_are_added_up() {
    // Each memory is below the limit of 64 MiB, and their number is below the limit for memories.
    denied(plain("hostile", &many(10, "(memory 128)")), Code::Memory).await;
}

#[tokio::test]
async fn too_many_memories_are_refused() {
    refused_by_both(&many(20, "(memory 1)")).await;
}

#[tokio::test]
async fn what_is_within_the_limits_may_be_in_one_module() {
    let items = "(table 10 funcref)".repeat(64);
    let outcome = ask(plain("large", &Guest::default().with_items(&items).build())).await;
    assert_eq!((outcome.verdict, outcome.hooks[0].code), (Verdict::Allow, None), "{outcome:?}");
}

#[tokio::test]
async fn many_tables_are_added_up() {
    denied(plain("hostile", &many(10, "(table 20000 funcref)")), Code::Limit).await;
}

#[tokio::test]
async fn too_many_tables_are_refused() {
    denied(with_limits(&many(20, "(table 1 funcref)"), |limits| limits.tables = 8), Code::Limit).await;
}

#[tokio::test]
async fn too_many_instances_are_refused() {
    refused_by_both(&many(100, "")).await;
}

#[tokio::test]
async fn too_many_handles_are_refused() {
    let guest = Guest::running("(loop $l (drop (call $new (i32.const 1))) (br $l)) (unreachable)")
        .with_imports(
            "(type $r (resource (rep i32))) (core func $new (canon resource.new $r))",
            r#"(import "host" "new" (func $new (param i32) (result i32)))"#,
            r#"(with "host" (instance (export "new" (func $new))))"#,
        )
        .build();
    let outcome = denied(plain("hostile", &guest), Code::Limit).await;
    let reason = "E109: hook `hostile` went over a limit: cannot allocate another handle: store handle limit exceeded; \
                  the tool call was blocked";
    assert_eq!(outcome.reason.as_deref(), Some(reason));
}

#[tokio::test]
async fn huge_output_is_refused_before_it_is_copied() {
    let run = r#"(i32.store8 (i32.const 0) (i32.const 0)) (i32.store (i32.const 4) (i32.const 1024))
                 (i32.store (i32.const 8) (i32.const 50000000)) (i32.const 0)"#;
    let guest = Guest::running(run).with_memory(r#"(memory (export "memory") 800)"#).build();
    let outcome = denied(plain("hostile", &guest), Code::OutputSize).await;
    assert!(outcome.reason.unwrap().contains("returned more than 2.0 MiB"));
}

/// Returns a guest that writes 4,000 bytes to stdout, `times` times.
fn flooder(times: u32) -> Vec<u8> {
    let run = format!(
        r#"(local $n i32) (local $stream i32) (local.set $stream (call $stdout))
           (loop $l
             (call $write (local.get $stream) (i32.const 1024) (i32.const 4000) (i32.const 16))
             (local.set $n (i32.add (local.get $n) (i32.const 1)))
             (br_if $l (i32.lt_u (local.get $n) (i32.const {times}))))
           (call $answer)"#
    );
    Guest::running(&run)
        .with_imports(
            r#"(import "wasi:io/error@0.2.0" (instance $error (export "error" (type (sub resource)))))
               (alias export $error "error" (type $e))
               (import "wasi:io/streams@0.2.0" (instance $streams
                 (alias outer 1 $e (type $e1))
                 (export "error" (type $e2 (eq $e1)))
                 (export "output-stream" (type $stream (sub resource)))
                 (type $failure (variant (case "last-operation-failed" (own $e2)) (case "closed")))
                 (export "stream-error" (type $stream-error (eq $failure)))
                 (export "[method]output-stream.blocking-write-and-flush" (func
                   (param "self" (borrow $stream)) (param "contents" (list u8))
                   (result (result (error $stream-error)))))))
               (alias export $streams "output-stream" (type $s))
               (import "wasi:cli/stdout@0.2.0" (instance $stdout
                 (alias outer 1 $s (type $s1))
                 (export "output-stream" (type $s2 (eq $s1)))
                 (export "get-stdout" (func (result (own $s2))))))
               (core func $get (canon lower (func $stdout "get-stdout")))
               (core module $lent (memory (export "memory") 4))
               (core instance $lent (instantiate $lent))
               (core func $write (canon lower (func $streams "[method]output-stream.blocking-write-and-flush")
                 (memory (core memory $lent "memory"))))"#,
            r#"(import "host" "stdout" (func $stdout (result i32)))
               (import "host" "write" (func $write (param i32 i32 i32 i32)))"#,
            r#"(with "host" (instance (export "stdout" (func $get)) (export "write" (func $write))))"#,
        )
        .build()
}

#[tokio::test]
async fn a_hook_that_prints_more_than_is_kept_still_answers() {
    assert_eq!(ask(plain("chatty", &flooder(100))).await.verdict, Verdict::Allow);
}

#[tokio::test]
async fn an_endless_stdout_flood_is_stopped() {
    denied(with_timeout(&flooder(u32::MAX), 200), Code::Timeout).await;
}

#[tokio::test]
async fn deep_recursion_is_stopped() {
    let guest = Guest::running("(call $deeper) (call $answer)").with_items("(func $deeper (call $deeper))").build();
    let outcome = denied(plain("hostile", &guest), Code::Trap).await;
    assert!(outcome.reason.unwrap().contains("call stack exhausted"));
}

#[tokio::test]
async fn a_trap_is_a_deny() {
    let guest = Guest::running("(drop (i32.div_s (i32.const 1) (i32.const 0))) (call $answer)").build();
    let outcome = denied(plain("hostile", &guest), Code::Trap).await;
    assert_eq!(
        outcome.reason.as_deref(),
        Some("E103: hook `hostile` crashed: integer divide by zero; the tool call was blocked")
    );
}

#[tokio::test]
async fn exit_is_a_deny_whatever_its_status() {
    for status in [0, 1] {
        let outcome = denied(plain("hostile", &exiter(status)), Code::Exited).await;
        assert!(outcome.reason.unwrap().contains(&format!("called exit({status})")));
    }
}

#[tokio::test]
async fn fuel_ends_a_loop_long_before_its_time_does() {
    let guest = Guest::running("(loop $l (br $l)) (unreachable)").build();
    let outcome = denied(with_limits(&guest, |limits| limits.fuel = Some(100_000)), Code::Fuel).await;
    assert!(outcome.reason.unwrap().contains("used up its fuel of 100000"));
}

#[tokio::test]
async fn fuel_that_suffices_is_no_hindrance() {
    let hook = with_limits(&allowing(), |limits| limits.fuel = Some(100_000));
    assert_eq!(ask(hook).await.verdict, Verdict::Allow);
}

#[tokio::test]
async fn text_that_is_not_utf8_is_an_invalid_action() {
    let wat = Guest::answering("??").wat().replace("\\3f\\3f", "\\ff\\fe");
    denied(plain("hostile", &wat::parse_str(wat).unwrap()), Code::Action).await;
}

#[tokio::test]
async fn an_answer_outside_of_the_memory_is_a_trap() {
    let run = r#"(i32.store (i32.const 4) (i32.const -8)) (i32.store (i32.const 8) (i32.const 100)) (i32.const 0)"#;
    denied(plain("hostile", &Guest::running(run).build()), Code::Trap).await;
}

#[tokio::test]
async fn invalid_actions_are_denied() {
    for answer in [
        "",
        " ",
        "null",
        "[]",
        "true",
        "\"allow\"",
        "[\"allow\"]",
        "{",
        "{} {}",
        "{\"decision\":\"allow\"}x",
        "\u{feff}{}",
        "{\"decision\":\"block\"}",
        "{\"decision\":\"ALLOW\"}",
        "{\"decision\":\"\"}",
        "{\"decision\":null}",
        "{\"decision\":1}",
        "{\"decision\":[\"allow\"]}",
        "{\"Decision\":\"allow\"}",
        "{\"verdict\":\"allow\"}",
        "{\"decision\":\"allow\",\"reason\":5}",
        "{\"decision\":\"deny\",\"stop\":\"yes\"}",
        "{\"decision\":\"deny\",\"decision\":\"allow\"}",
        "{\"decision\":\"deny\",\"\\u0064ecision\":\"allow\"}",
        "{\"decision\":\"modify\"}",
        "{\"decision\":\"modify\",\"modified_message\":\"x\"}",
        "{\"decision\":\"modify\",\"modified_tool_input\":{\"a\":1,\"a\":2}}",
        "not json at all",
    ] {
        denied(plain("hostile", &Guest::answering(answer).build()), Code::Action).await;
    }
}

#[tokio::test]
async fn an_error_of_the_hook_itself_is_a_deny() {
    let run = r#"(drop (call $answer)) (i32.store8 (i32.const 0) (i32.const 1)) (i32.const 0)"#;
    let guest = Guest::answering("no rules found").with_run(run).build();
    let outcome = denied(plain("hostile", &guest), Code::Failed).await;
    assert!(outcome.reason.unwrap().contains("failed: no rules found"));
}

#[tokio::test]
async fn nothing_of_a_call_is_left_for_the_next() {
    // The guest allows on fresh memory and leaves a mark. It denies if it finds one.
    let run = r#"(if (i32.load8_u (i32.const 60000)) (then (unreachable)))
                 (i32.store8 (i32.const 60000) (i32.const 1)) (call $answer)"#;
    let registry = Registry::new();
    registry.register(plain("marker", &Guest::running(run).build())).unwrap();
    for _ in 0..20 {
        assert_eq!(registry.run_pre(bash("ls")).await.verdict, Verdict::Allow);
    }
}

#[tokio::test]
async fn a_busy_guest_leaves_the_thread_to_others() {
    let registry = std::sync::Arc::new(Registry::new());
    let spin = Guest::running("(loop $l (br $l)) (unreachable)").build();
    registry.register(with_timeout(&spin, 60_000)).unwrap();
    let spinning = tokio::spawn({
        let registry = std::sync::Arc::clone(&registry);
        async move { registry.run_pre(bash("ls")).await }
    });
    tokio::task::yield_now().await;
    // The only thread of this runtime also serves the timer.
    tokio::time::sleep(Duration::from_millis(20)).await;
    assert!(!spinning.is_finished(), "the timer had to wait for the guest");
    spinning.abort();
    assert!(spinning.await.unwrap_err().is_cancelled());
}

/// Each thread may have its own engine, in which the hook is loaded on its first call there.
#[test]
fn every_thread_is_answered_and_held_to_the_limits() {
    let endless = Guest::running("(loop $l (br $l)) (unreachable)").build();
    let fuel = set!(Limits::default(), fuel: Some(1_000_000));
    let hooks = [
        (plain("good", &allowing()), None),
        (
            hook("endless", &endless, Limits::default(), Grants::default(), Duration::from_millis(300)),
            Some(Code::Timeout),
        ),
        (hook("fuel", &endless, fuel, Grants::default(), Duration::from_secs(20)), Some(Code::Fuel)),
    ];
    let registries = hooks.map(|(hook, expected)| {
        let registry = Registry::new();
        registry.register(hook).unwrap();
        (registry, expected)
    });
    let ask_all = || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        for (registry, expected) in &registries {
            let outcome = runtime.block_on(registry.run_pre(bash("ls")));
            assert_eq!(code(&outcome), *expected);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..5 {
            scope.spawn(ask_all);
        }
    });
}
