//! Errors in a script are reported with their place, and are never an allow.

use super::Script;
use hookbox::Code;

#[track_caller]
fn fails(source: &str, words: &str) {
    let (code, message) = Script::new(source).failure();
    assert_eq!(code, Code::Failed, "{source}: {message}");
    assert_eq!(message, format!("failed: {words}"), "{source}");
}

#[test]
fn what_is_thrown_is_told_with_its_place() {
    fails(
        "export default function (input) {\n  return input.tool_input.path.length;\n}\n",
        "hook.js:2:10: TypeError: cannot read property 'length' of undefined",
    );
    fails(
        "function f() {\n\n   throw new RangeError('too far') }\nexport default () => f()",
        "hook.js:3:14: RangeError: too far",
    );
    fails("export default () => { throw 'words' }", "hook.js: threw \"words\"");
    fails("export default () => { throw { code: 7 } }", "hook.js: threw an object, which is no Error");
    fails("export default () => { throw null }", "hook.js: threw null, which is no Error");
    fails("export default async () => { await 0; nowhere() }", "hook.js:1:39: ReferenceError: nowhere is not defined");
    fails("missing.x = 1; export default () => ({})", "hook.js:1:1: ReferenceError: missing is not defined");
    fails("await Promise.reject(new Error('top')); export default () => ({})", "hook.js:1:26: Error: top");
}

#[test]
fn what_cannot_be_read_is_told_with_its_place() {
    fails(
        "export default function (input) {\n  return {\n}",
        "hook.js:3:2: SyntaxError: unexpected token in expression: ''",
    );
    fails("let a = 1;\nlet a = 2;", "hook.js:2:7: SyntaxError: invalid redefinition of global identifier");
    fails(
        "const fs = require('fs'); export default () => ({})",
        "hook.js:1:12: ReferenceError: require is not defined",
    );
}

#[test]
fn what_exports_no_hook_is_told_how() {
    let help = "hook.js: has no hook: it must `export default function (input) { ... }`";
    for source in ["", "function run() {}", "export default { decision: 'allow' }", "export const hook = () => ({})"] {
        fails(source, help);
    }
}

#[test]
fn there_are_no_other_files() {
    for import in ["import fs from 'fs';", "import './other.js';", "export * from 'other';"] {
        let (_, message) = Script::new(&format!("{import} export default () => ({{}})")).failure();
        assert!(message.starts_with("failed: hook.js: SyntaxError: `import` of "), "{message}");
        assert!(message.ends_with("a script is one file; bundle what it needs into it"), "{message}");
    }
    let (_, message) = Script::body("return import('fs')").failure();
    assert!(message.contains("bundle what it needs"), "{message}");
}

#[test]
fn what_is_no_action_is_refused() {
    for (value, words) in [
        ("undefined", "nothing"),
        ("null", "null"),
        ("true", "a boolean"),
        ("'allow'", "a string"),
        ("[]", "an array"),
        ("() => ({})", "a function"),
        ("1n", "a bigint"),
    ] {
        let words = format!("hook.js: the hook returned {words}, not an Action such as `{{ decision: \"allow\" }}`");
        fails(&format!("export default () => {{ return {value} }}"), &words);
    }
    let (code, message) = Script::body("return { decision: 'maybe' }").failure();
    assert_eq!(code, Code::Action, "{message}");
    assert_eq!(Script::body("return { decision: 'modify' }").failure().0, Code::Action);
    assert_eq!(Script::body("return { decisions: 'deny' }").failure().0, Code::Action);
}

/// `JSON.stringify` leaves these values out or turns them into something else. An Action that has lost its decision
/// allows.
#[test]
fn what_json_cannot_hold_is_refused() {
    for (action, words) in [
        ("{ decision: undefined }", "whose `decision` is undefined"),
        ("{ decision: 'modify', modified_tool_input: { command: undefined } }", "whose `command` is undefined"),
        ("{ decision: 'modify', modified_tool_input: { n: NaN } }", "whose `n` is NaN"),
        ("{ decision: 'modify', modified_tool_input: { n: -Infinity } }", "whose `n` is -Infinity"),
        ("{ decision: 'modify', modified_tool_input: { f() {} } }", "whose `f` is a function"),
        ("{ decision: 'modify', modified_tool_input: { s: Symbol() } }", "whose `s` is a symbol"),
        ("{ decision: 'modify', modified_tool_input: { b: 1n } }", "whose `b` is a bigint"),
        ("{ decision: 'modify', modified_tool_input: { m: new Map() } }", "whose `m` is a Map"),
        ("{ decision: 'modify', modified_tool_input: new Set() }", "whose `modified_tool_input` is a Set"),
        ("{ decision: 'modify', modified_tool_input: { a: [1, undefined] } }", "whose `1` is undefined"),
        ("{ decision: 'modify', modified_tool_input: { e: new Error('x') } }", "whose `e` is a Error"),
    ] {
        let words = format!("hook.js: the hook returned an Action {words}, which JSON cannot hold");
        fails(&format!("export default () => ({action})"), &words);
    }
    let (_, message) = Script::body("const a = {}; a.modified_tool_input = a; return a").failure();
    assert!(message.contains("circular"), "{message}");
}

#[test]
fn time_and_chance_are_not_granted() {
    let time = "is not granted to a script: use `input.now`, the time of the event, as in `new Date(input.now)`";
    for (call, column) in [("Date.now()", 30), ("new Date()", 27), ("Date()", 26)] {
        let (_, message) = Script::body(&format!("return {{ now: {call} }}")).failure();
        assert!(message.ends_with(&format!("Error: `{call}` {time}")), "{column} {message}");
        assert!(message.starts_with("failed: hook.js:1:"), "{message}");
    }
    let (_, message) = Script::body("return Math.random()").failure();
    assert!(
        message.ends_with("Error: `Math.random()` is not granted to a script: the same Input must get the same answer")
    );
    // These features can only be reached in this way.
    for source in [
        "performance.now()",
        "new (new Date(0).constructor)()",
        "setTimeout(() => {}, 1)",
        "new (Object.getPrototypeOf(new Date(0)).constructor)()",
    ] {
        assert_eq!(Script::body(&format!("return {{ x: {source} }}")).failure().0, Code::Failed, "{source}");
    }
    assert_eq!(
        Script::body(
            "return { decision: 'deny', reason: new Date(5).toJSON() + (new Date(5) instanceof Date) + Date.UTC(1970) }"
        )
        .reason(),
        "1970-01-01T00:00:00.005Ztrue0"
    );
}

#[test]
fn promises_that_come_to_nothing_are_failures() {
    let waits = "hook.js: waits for a promise that nothing will settle: there are no timers and no input";
    fails("export default () => new Promise(() => {})", waits);
    fails("await new Promise(() => {}); export default () => ({})", waits);
    fails(
        "async function check() { throw new Error('bad') } export default () => { check(); return {} }",
        "a promise failed that nothing waited for: hook.js:1:36: Error: bad",
    );
    let handled =
        "const p = Promise.reject(new Error('x')); p.catch(() => 0); return { decision: 'deny', reason: 'fine' }";
    assert_eq!(Script::body(handled).reason(), "fine");
    let later = "const p = (async () => { throw 1 })(); await null; try { await p } catch {} return { decision: 'deny', reason: 'fine' }";
    assert_eq!(Script::new(&format!("export default async () => {{ {later} }}")).reason(), "fine");
}

#[test]
fn what_is_done_to_the_language_does_not_turn_a_deny_into_an_allow() {
    for spoiled in [
        "JSON.stringify = () => '{}'",
        "Object.prototype.toJSON = () => ({})",
        "Object.prototype.toJSON = () => '{}'",
        "Object.prototype.decision = 'allow'; Array.isArray = () => true",
        "Object.getPrototypeOf = () => Map.prototype; Number.isFinite = () => false",
        "Promise.prototype.then = () => {}; Function.prototype.call = null",
        "globalThis.JSON = globalThis.Object = undefined",
    ] {
        let outcome = super::block_on(Script::body(&format!("{spoiled}; return {{ decision: 'deny' }}")).answer());
        assert_eq!(outcome.verdict, hookbox::Verdict::Deny, "{spoiled}: {outcome:?}");
    }
}
