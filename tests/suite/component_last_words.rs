//! A message that a guest leaves in its memory before it traps reaches the operator, and cannot do any harm.

use crate::support::component::Guest;
use crate::support::{ask, plain};
use hookbox::{Code, Verdict};

/// Returns why the call of a guest with these items was denied. The guest traps at once, and its memory has four pages.
async fn reason(items: &str) -> String {
    let guest = Guest::running("unreachable").with_items(items).build();
    let outcome = ask(plain("hostile", &guest)).await;
    assert_eq!((outcome.verdict, outcome.hooks[0].code), (Verdict::Deny, Some(Code::Trap)), "{outcome:?}");
    outcome.reason.unwrap()
}

/// Returns a global that says that length and address are at 32, and puts these bytes there. The text, if any, is at
/// 40.
fn through_global(bytes: &str) -> String {
    format!(r#"(global (export "hookbox_panic") i32 (i32.const 32)) (data (i32.const 32) "{bytes}")"#)
}

#[tokio::test]
async fn words_are_passed_on_in_one_line() {
    let said = "E103: hook `hostile` panicked: a \u{fffd}b; the tool call was blocked";
    assert_eq!(reason(&through_global(r"\06\00\00\00\28\00\00\00a\1b\n\ffb c")).await, said);
    // This is the address for modules without such a global.
    assert_eq!(reason(r#"(data (i32.const 64) "hookbox!\06\00\00\00a\1b\n\ffb c")"#).await, said);
}

#[tokio::test]
async fn what_are_no_words_is_not_read() {
    let global = |ty: &str, value: i64| format!(r#"(global (export "hookbox_panic") {ty} ({ty}.const {value}))"#);
    for items in [
        global("i32", -1),
        global("i32", -5),
        global("i64", 64),
        r#"(func (export "hookbox_panic"))"#.to_owned(),
        // The length and the address exceed the memory.
        global("i32", (4 << 16) - 2),
        global("i32", (4 << 16) - 6),
        // There is no message, or a blank one.
        through_global(r"\00\00\00\00\28\00\00\00x"),
        through_global(r"\02\00\00\00\28\00\00\00 \n"),
        // Messages that cross the memory's end, or lie beyond it.
        through_global(r"\02\00\00\00\ff\ff\03\00"),
        through_global(r"\02\00\00\00\ff\ff\ff\ff"),
        r#"(data (i32.const 64) "hookbox?\01\00\00\00a")"#.to_owned(),
        r#"(data (i32.const 64) "hookbox!\00\00\00\00a")"#.to_owned(),
    ] {
        let crashed =
            "E103: hook `hostile` crashed: wasm `unreachable` instruction executed; the tool call was blocked";
        assert_eq!(reason(&items).await, crashed, "{items}");
    }
}

#[tokio::test]
async fn of_long_words_little_is_passed_on() {
    let said = reason(&through_global(r"\ff\ff\00\00\28\00\00\00a")).await;
    assert!(said.contains("panicked: a") && said.len() < 4096, "{said}");
}

#[tokio::test]
async fn a_crash_is_told_with_its_function_where_the_module_names_it() {
    let long = "long".repeat(1000);
    for (name, told) in [("average of", "average of"), (r"a\nb\1b[2m", "ab[2m"), (&long, &long[..120])] {
        let body = "(result i32) (i32.div_s (i32.const 1) (i32.const 0))";
        let guest = Guest::running(&format!(r#"(call $"{name}")"#)).with_items(&format!(r#"(func $"{name}" {body})"#));
        let reason = ask(plain("hostile", &guest.build())).await.reason.unwrap();
        let expected =
            format!("E103: hook `hostile` crashed: integer divide by zero in `{told}`; the tool call was blocked");
        assert_eq!(reason, expected);
    }
}
