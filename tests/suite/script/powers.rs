//! What a plain script can do besides computing: use a store, if it is granted one.

use super::Script;
use crate::support::bash;
use hookbox::runtime::component::{Grants, StoreGrant, StorePlace, StoreScope};
use hookbox::{Code, Hook, Input, Verdict};
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

fn place() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    fs::set_permissions(dir.path(), Permissions::from_mode(0o700)).unwrap();
    dir
}

/// Creates a script with a store for each session, whose hook returns the reason of a deny.
fn script(dir: &Path, reason: &str) -> Script {
    let source = format!(
        "import {{ store }} from 'hookbox:store';
         export default async (input) => ({{ decision: 'deny', reason: String(await (async () => {{ {reason} }})()) }});"
    );
    let store = StoreGrant::new(StoreScope::Session).with_quota(4096).at(StorePlace::new(dir, "user", "script"));
    Script { grants: Grants::default().with_store(store), ..Script::new(&source) }
}

fn call(session: &str) -> Input {
    let mut input = bash("ls");
    input.session_id = Some(session.to_owned());
    input
}

async fn reason(script: &Script, session: &str) -> String {
    let outcome = script.ask(call(session)).await;
    assert_eq!((outcome.verdict, outcome.hooks[0].code), (Verdict::Deny, None), "{outcome:?}");
    outcome.reason.unwrap()
}

async fn failure(script: &Script) -> String {
    let outcome = script.ask(call("s")).await;
    assert_eq!((outcome.verdict, outcome.hooks[0].code), (Verdict::Deny, Some(Code::Failed)), "{outcome:?}");
    outcome.hooks[0].failure.clone().unwrap().message
}

#[tokio::test]
async fn values_outlive_the_call() {
    let dir = place();
    let counts = script(dir.path(), "return store.increment('n') + ':' + (store.getText('last') ?? 'none')");
    assert_eq!(reason(&counts, "a").await, "1:none");
    assert_eq!(reason(&counts, "a").await, "2:none");
    let sets = script(dir.path(), "store.set('last', 'größe'); return store.increment('n', -5)");
    assert_eq!(reason(&sets, "a").await, "-3");
    assert_eq!(reason(&counts, "a").await, "-2:größe");
    assert_eq!(reason(&counts, "b").await, "1:none");
    assert!(!counts.hook().is_pure());
}

#[tokio::test]
async fn every_operation_works() {
    let dir = place();
    for (body, result) in [
        ("store.set('a', 'ä'); store.set('b', new Uint8Array([0, 255])); return store.keys()", "a,b"),
        ("return [store.get('a'), store.get('b'), store.get('c')].map((v) => v && [...v].join('-'))", "195-164,0-255,"),
        ("return [store.getText('a'), store.getText('c'), store.exists('a'), store.exists('c')]", "ä,,true,false"),
        ("return [...store.update('b', (old) => new Uint8Array([...old, 7]))]", "0,255,7"),
        (
            "return store.updateText('a', (old) => old + '!') + store.updateText('d', (old) => String(old))",
            "ä!undefined",
        ),
        ("store.setMany([['x', '1'], ['__proto__', new Uint8Array([50])]]); return store.keys()", "__proto__,a,b,d,x"),
        ("return store.getMany(['x', 'none', 'b']).map((value) => value?.length)", "1,,3"),
        ("store.deleteMany(['x', 'none', '__proto__']); store.delete('d'); return store.keys()", "a,b"),
        ("return store.increment('n') + store.increment('n', 41) + store.increment('n', 0)", "85"),
        (
            "try { store.update('a', () => { throw new Error('mine') }) } catch (e) { return e.message + store.getText('a') }",
            "mineä!",
        ),
    ] {
        assert_eq!(reason(&script(dir.path(), body), "s").await, result, "{body}");
    }
}

#[tokio::test]
async fn what_fails_denies() {
    let dir = place();
    for (body, message) in [
        ("return store.get(7)", "TypeError: a key is a string, not a number"),
        ("store.set('a', null)", "TypeError: expected a string or a Uint8Array, not null"),
        ("store.set('a', new Uint16Array(1))", "TypeError: expected a string or a Uint8Array, not an object"),
        ("store.set('\\ud800', 'a')", "TypeError: the text has half a character in it"),
        (
            "store.set('a', new Uint8Array([255])); return store.getText('a')",
            "the store: the value of \"a\" is not text",
        ),
        ("return store.updateText('a', () => 'b')", "the value of \"a\" is not text"),
        ("return store.update('b', async () => 'x')", "TypeError: expected a string or a Uint8Array, not a promise"),
        ("return store.increment('a')", "the store: the value is not a decimal number"),
        ("return store.increment('n', 0.5)", "RangeError: what is added must be a safe integer"),
        ("return store.increment('n', 1e300)", "RangeError: what is added must be a safe integer"),
        ("store.increment('m', 2 ** 53 - 1); store.increment('m')", "the sum 9007199254740992 is not a safe integer"),
        ("store.setMany([['a']])", "TypeError: an entry is an array of a key and a value"),
        ("store.set('x'.repeat(2000), '')", "the store: the key has 2000 bytes"),
        ("store.set('large', 'x'.repeat(5000))", "the store: "),
        ("store.set(''); return 1", "TypeError: "),
    ] {
        let message_of = failure(&script(dir.path(), body)).await;
        assert!(message_of.contains(message), "{body}: {message_of}");
    }
}

#[tokio::test]
async fn a_session_without_a_name_has_no_store() {
    let dir = place();
    let outcome = script(dir.path(), "return 1").ask(bash("ls")).await;
    assert_eq!((outcome.verdict, outcome.hooks[0].code), (Verdict::Deny, Some(Code::Grant)), "{outcome:?}");
}

#[tokio::test]
async fn a_script_that_is_loaded_has_no_powers_yet() {
    let dir = place();
    let store = StoreGrant::new(StoreScope::User).at(StorePlace::new(dir.path(), "user", "script"));
    let source = "import { store } from 'hookbox:store'; store.increment('n'); export default () => ({})";
    let script = Script { grants: Grants::default().with_store(store), ..Script::new(source) };
    let message = failure(&script).await;
    assert!(message.ends_with("Error: the store is there when the hook is called, not before"), "{message}");
}

#[test]
fn what_is_not_granted_is_told() {
    let import =
        "import { store } from 'hookbox:store'; export default () => ({ decision: 'allow', reason: store.keys() })";
    let (code, message) = Script::new(import).failure();
    assert_eq!(code, Code::Failed);
    assert!(message.ends_with("the script is granted no store: `grants.store` in its entry grants one"), "{message}");
    let (code, message) = Script::body("return import('hookbox:store').then(() => ({}))").failure();
    assert_eq!(code, Code::Failed);
    assert!(message.contains("the script is granted no store"), "{message}");
    for body in ["return fetch('https://example.com/').then(() => ({}))", "fetch('https://example.com/'); return {}"] {
        let (code, message) = Script::body(body).failure();
        assert_eq!(code, Code::Failed);
        assert!(message.contains("a script has no network: make a component of it"), "{message}");
    }
}
