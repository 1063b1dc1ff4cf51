//! What a script receives, and what it may return.

use super::{Script, block_on};
use crate::support::bash;
use hookbox::runtime::component::Limits;
use hookbox::{Event, Hook, Input, Json, Kind, Verdict};
use proptest::prelude::*;
use serde_json::{Value, json};

#[tokio::test]
async fn a_script_denies_allows_asks_and_modifies() {
    let script = Script::body(
        r#"const { command } = input.tool_input;
           if (command.startsWith("rm ")) return { decision: "deny", reason: "no " + command };
           if (command === "sudo") return { decision: "ask" };
           if (command === "ls") return { decision: "modify", modified_tool_input: { command: "ls -l" } };
           return {};"#,
    );
    let denied = script.ask(bash("rm -rf /")).await;
    assert_eq!((denied.verdict, denied.reason.as_deref()), (Verdict::Deny, Some("no rm -rf /")));
    assert_eq!(denied.hooks[0].kind, Kind::Script);
    assert_eq!(script.ask(bash("sudo")).await.verdict, Verdict::Ask);
    assert_eq!(script.ask(bash("pwd")).await.verdict, Verdict::Allow);
    let modified = script.ask(bash("ls")).await;
    assert!(modified.modified, "{modified:?}");
    let input: Value = serde_json::from_str(&modified.input.unwrap().to_json()).unwrap();
    assert_eq!(input["tool_input"], json!({ "command": "ls -l" }));
}

#[test]
fn the_forms_that_a_hook_may_have() {
    let deny = r#"{ decision: "deny", reason: "yes" }"#;
    for source in [
        format!("export default (input) => ({deny})"),
        format!("export default async function (input) {{ return {deny} }}"),
        format!("export default async (input) => {{ await null; await Promise.resolve(); return {deny} }}"),
        format!("export function run(input) {{ return {deny} }}"),
        format!("const hook = () => ({deny}); export {{ hook as default }}"),
        format!("const answer = await Promise.resolve({deny}); export default () => answer"),
        format!("class A {{ #a = 1; static f() {{ return {deny} }} }} export default A.f"),
        format!("\u{feff}// a mark of the editor\nexport default () => ({deny})"),
        format!("#!/usr/bin/env node\nexport default () => ({deny})"),
        format!("export default () => ({{ ...{deny}, additional_context: undefined }})"),
    ] {
        assert_eq!(Script::new(&source).reason(), "yes", "{source}");
    }
}

#[test]
fn settings_are_a_member_of_the_input_and_the_second_argument() {
    let body = r#"return { decision: "deny", reason: `${settings.names[1]} ${input.settings.names.length}` }"#;
    let mut script = Script::body(body);
    script.settings = Some(Json::parse(r#"{"names":["a","ü"]}"#).unwrap());
    assert_eq!(script.reason(), "ü 2");
    assert_eq!(Script::body("return { decision: 'deny', reason: typeof settings }").reason(), "undefined");
}

#[tokio::test]
async fn other_events_have_their_fields() {
    let mut script = Script::body("return { decision: 'modify', modified_message: input.message.toUpperCase() }");
    script.event = Event::PreMessage;
    let outcome = script.ask(Input::pre_message("höflich")).await;
    assert_eq!(outcome.input.unwrap().message.as_deref(), Some("HÖFLICH"));
}

#[test]
fn no_call_knows_of_another() {
    let script =
        Script::new("let n = 0; export default () => ({ decision: 'deny', reason: String(++n) + Object.leak; }) ");
    let script = Script {
        source: script.source.replace("; })", " })").replace("let n", "Object.leak ??= 'new'; let n"),
        ..script
    };
    for _ in 0..3 {
        assert_eq!(script.reason(), "1new");
    }
}

#[test]
fn what_is_written_is_in_the_words_of_the_language() {
    // A policy is likely to use these features.
    for (expression, value) in [
        (r"/^(?<type>feat|fix)\/(?!wip)[\p{L}-]+$/u.exec('fix/größe').groups.type", "fix"),
        (r"'a/../b'.split('/').filter((part) => part !== '..').join('/')", "a/b"),
        (r"new Date('2026-11-21T09:30:00Z').getUTCHours() + new Date(0).toISOString()", "91970-01-01T00:00:00.000Z"),
        (r"[...new Set([3, 1, 3])].sort().join() + new Map([[1, 2]]).get(1)", "1,32"),
        (r"Object.entries({ a: 1, b: { c: [2] } }).map(([k, v]) => k + JSON.stringify(v)).join()", r#"a1,b{"c":[2]}"#),
        (r"'x'.padStart(3, 'ab').at(-1) + 'aXbX'.replaceAll('X', '-') + `${1n << 64n}`", "xa-b-18446744073709551616"),
        (r"encodeURIComponent('ä b') + String.raw`\d` + 'ß'.normalize('NFC').localeCompare('z')", r"%C3%A4%20b\d1"),
        (
            r"structured() + [1, [2, [3]]].flat(Infinity); function structured() { return typeof globalThis }",
            "object1,2,3",
        ),
    ] {
        let script =
            Script::body(&format!("const value = {expression}; return {{ decision: 'deny', reason: String(value) }}"));
        let script = if expression.contains("function") {
            Script::body(&format!(
                "const value = {}; {} return {{ decision: 'deny', reason: value }}",
                expression.split(';').next().unwrap(),
                expression.split(';').nth(1).unwrap()
            ))
        } else {
            script
        };
        assert_eq!(script.reason(), value, "{expression}");
    }
}

#[test]
fn a_script_with_a_limit_of_fuel_runs_too() {
    let mut script = Script::body("return { decision: 'deny', reason: 'counted' }");
    script.limits = set!(Limits::default(), fuel: Some(100_000_000));
    assert_eq!(script.reason(), "counted");
}

#[tokio::test]
async fn a_large_input_comes_and_goes() {
    let large = "ä\n".repeat(250_000);
    let script = Script::body("return { decision: 'deny', reason: String(input.tool_input.command.length) }");
    assert_eq!(script.ask(bash(&large)).await.reason.as_deref(), Some("500000"));
    // A rewriting hook that is asked again has nothing left to do.
    let echo = Script::body(
        "const { command } = input.tool_input;
         return command.endsWith('!') ? {} : { decision: 'modify', modified_tool_input: { command: command + '!' } }",
    );
    let outcome = echo.ask(bash(&large)).await;
    assert_eq!(outcome.reason, None);
    let input: Value = serde_json::from_str(&outcome.input.unwrap().to_json()).unwrap();
    assert_eq!(input["tool_input"]["command"], format!("{large}!"));
}

fn json_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        // A JavaScript number can represent these integers exactly.
        (-9_007_199_254_740_991_i64..9_007_199_254_740_991).prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        "__proto__|constructor|toJSON|length|\\PC*".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::hash_map("__proto__|constructor|toJSON|\\PC{0,8}", inner, 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    /// What a script passes on unread is unchanged.
    #[test]
    fn values_go_through_a_script_unchanged(value in json_value()) {
        let script = Script::body("return { decision: 'modify', modified_tool_input: { v: input.tool_input.v, w: 1 } }");
        let input = Input::pre_tool("bash", &json!({ "v": value }).to_string()).unwrap();
        let outcome = block_on(script.ask(input));
        prop_assert_eq!(outcome.hooks[0].code, None);
        let after: Value = serde_json::from_str(&outcome.input.unwrap().to_json()).unwrap();
        prop_assert_eq!(&after["tool_input"]["v"], &value);
    }
}

#[test]
fn a_script_is_pure() {
    assert!(Script::body("return {}").hook().is_pure());
}
