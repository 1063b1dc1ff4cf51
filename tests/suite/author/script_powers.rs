//! Components of scripts import the powers that the script uses, and no others.

use crate::script::SANDBOX;
use crate::support::server::{Server, read_request};
use crate::support::{bash, guests};
use hookbox::runtime::component::{
    ComponentFile, ComponentHook, Grants, Limits, NetGrant, NetPlace, NetRule, StoreGrant, StorePlace, StoreScope,
};
use hookbox::{Code, Event, HookInfo, Outcome, Registry, Verdict};
use hookbox_cli::author::script_component;
use hookbox_componentize::Uses;
use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::sync::LazyLock;
use std::time::Duration;

/// Returns the letters of what a script uses: log, store, http.
fn used(source: &str) -> String {
    let uses = Uses::of(source);
    [(uses.log, 'l'), (uses.store, 's'), (uses.http, 'h')].iter().filter(|(used, _)| *used).map(|(_, l)| *l).collect()
}

#[test]
fn what_a_script_uses_shows_in_its_text() {
    for (source, uses) in [
        ("", ""),
        ("export default () => ({})", ""),
        ("console.log(1)", "l"),
        ("globalThis.console?.warn(1)", "l"),
        ("import { store } from \"hookbox:store\";", "s"),
        ("import{store as s}from'hookbox:store'", "s"),
        ("const { store } = await import(`hookbox:store`)", "s"),
        ("await fetch(url)", "h"),
        ("const get = fetch; get(url)", "h"),
        ("const get = a ? fetch : other", "h"),
        ("globalThis.fetch(url)", "h"),
        ("run({ fetch })", "h"),
        ("run(a, fetch)", "h"),
        ("run(...fetch)", "h"),
        ("`a ${await fetch(url)} b`", "h"),
        ("`a ${`b ${{ a: '}' }.a} ${fetch(url)}`}`", "h"),
        ("#!/usr/bin/env node\nfetch(url); console.log(1)", "lh"),
        ("x = a / b; fetch(url) / c", "h"),
        ("if (/[/'\"]/.test(a)) fetch(url)", "h"),
        ("return /`/g.test(a) && fetch(url)", "h"),
        ("if (f(a)) /`/.test(s); fetch(url)", "h"),
        ("function f() {}\n/`/.test(s); fetch(url)", "h"),
        ("f(a) / 2; x = { a: 1 } / 2 + `/`; fetch(url)", "h"),
        ("a = 'it\\'s'; fetch(url)", "h"),
        ("a = \"\\\\\"; fetch(url)", "h"),
        ("größe.fetch = 1; fetch(url)", "h"),
        // The kind of a tool, members, keys, texts and comments are something else.
        ("if (input.tool.kind === \"fetch\") return {}", ""),
        ("api.fetch(url); api?.fetch(url); api.console.log()", ""),
        ("const kinds = { a: 1, fetch: 2 }; const k = { fetch: 3 }", ""),
        ("// fetch(url), console.log\n/* import 'hookbox:store'; fetch() */", ""),
        ("a = `fetch(url) console \\` ${b} fetch`", ""),
        ("a = 'fetch(url)' + \"console\" + 'http://hookbox:store'", ""),
        ("a = /fetch(url)/.test(b); c = /[/]console/", ""),
        ("prefetch(); fetched(); $fetch(); fetch2(); _console.log()", ""),
    ] {
        assert_eq!(used(source), uses, "{source}");
    }
}

proptest::proptest! {
    #![proptest_config(proptest::test_runner::Config { failure_persistence: None, ..Default::default() })]

    /// Any text can be read, and comments hide nothing of what follows.
    #[test]
    fn every_text_can_be_read(source in "([\\PC\n]|[`'\"/{}$\\\\*]){0,60}") {
        let _ = Uses::of(&source);
        let uses = Uses::of(&format!("/*{}*/ fetch()", source.replace('*', "")));
        proptest::prop_assert!(uses.http);
    }
}

/// Returns the imports of the component of a script.
fn imports(source: &str) -> Vec<String> {
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), script_component("hook.js", source).unwrap()).unwrap();
    let inspection = SANDBOX.inspect(&ComponentFile::open(file.path()).unwrap()).unwrap();
    inspection.imports.into_iter().map(|import| import.name).collect()
}

#[test]
fn a_component_imports_what_its_script_uses() {
    if !guests::run_scripts() {
        return;
    }
    const STORE: [&str; 3] = ["hookbox:store/store@0.1.0", "hookbox:store/atomics@0.1.0", "hookbox:store/batch@0.1.0"];
    let hook = "export default () => ({});";
    assert_eq!(imports(hook), [""; 0]);
    assert_eq!(imports(&format!("{hook} console.log(1)")), ["hookbox:log/logging@0.1.0"]);
    assert_eq!(imports(&format!("import {{ store }} from 'hookbox:store'; {hook}")), STORE);
    assert_eq!(imports(&format!("{hook} const get = () => fetch('')")), ["hookbox:http/fetch@0.1.0"]);
}

/// Returns a registry with the hook of a component.
fn hook(component: &[u8], grants: Grants) -> Registry {
    let prepared = SANDBOX.prepare(component, None, grants, Limits::default()).unwrap();
    let mut info = HookInfo::new("made", [Event::PreTool]);
    info.timeout = Some(Duration::from_secs(20));
    let registry = Registry::new();
    registry.register(ComponentHook::new(info, prepared, None)).unwrap();
    registry
}

async fn ask(component: &[u8], grants: Grants, command: &str) -> Outcome {
    let mut input = bash(command);
    input.session_id = Some("s".to_owned());
    hook(component, grants).run_pre(input).await
}

fn net(server: &Server) -> Grants {
    let rule = NetRule::new(server.url("/v1/")).with_methods(vec!["GET".into(), "POST".into()]).with_private(true);
    Grants::default().with_net(NetGrant::new(vec![rule]).at(NetPlace::new("/", BTreeMap::new())))
}

/// A component that runs the command of the tool call as the body of its hook, so that only one is compiled for all
/// tests.
static RUNS: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let source =
        "export default async (input) => ({ decision: 'deny', reason: await eval(input.tool_input.command) }); fetch;";
    script_component("hook.js", source).unwrap()
});

/// Returns what this body returns, in which `base` is a URL of the server, or why the hook failed.
async fn told(server: &Server, body: &str) -> Result<String, String> {
    let command = format!("(async (base) => {{ {body} }})('{}')", server.url("/v1/"));
    let outcome = ask(&RUNS, net(server), &command).await;
    assert_eq!(outcome.verdict, Verdict::Deny, "{outcome:?}");
    match &outcome.hooks[0].failure {
        None => Ok(outcome.reason.unwrap()),
        Some(failure) => {
            assert_eq!(failure.code, Code::Failed, "{failure:?}");
            Err(failure.message.clone())
        }
    }
}

#[tokio::test]
async fn fetch_is_that_of_the_language() {
    if !guests::run_scripts() {
        return;
    }
    let echo = Server::echo();
    let send =
        "const r = await fetch(base, { method: 'post', headers: { 'X-One': '1' }, body: JSON.stringify(['ü']) });
                return [r.status, r.ok, r.bodyUsed, await r.text(), r.bodyUsed].join('|')";
    let said = told(&echo, send).await.unwrap();
    assert!(
        said.starts_with("200|true|false|POST /v1/ HTTP/1.1\r\n") && said.ends_with("\r\n\r\n[\"ü\"]|true"),
        "{said}"
    );
    assert!(said.contains("x-one: 1") && said.contains("content-type: text/plain;charset=UTF-8"), "{said}");
    let bytes = "const body = new Uint8Array([97, 98]).buffer;
                 return (await fetch(base, { method: 'POST', headers: [['content-type', 'a/b']], body })).text()";
    let said = told(&echo, bytes).await.unwrap();
    assert!(said.contains("content-type: a/b") && said.ends_with("\r\n\r\nab"), "{said}");

    let json = "HTTP/1.1 404 Not Found\r\nContent-Length: 7\r\nX-A: 1\r\nX-A: 2\r\nX-B: b\r\n\r\n[1,\"ü\"]";
    let server = Server::answering(json.replace("Length: 7", "Length: 8"));
    let read = "const [a, b, c] = await Promise.all([fetch(base), fetch(base + 'b'), fetch(new String(base))]);
                const list = await a.json();
                return [a.ok, a.url === base, a.headers.get('X-a'), a.headers.get('none'), b.headers.has('x-B'), [...b.headers].length,
                  list[1], (await b.arrayBuffer()).byteLength, [...(await c.bytes())].length].join()";
    assert_eq!(told(&server, read).await.unwrap(), "false,true,1, 2,,true,3,ü,8,8");
}

#[tokio::test]
async fn a_request_that_fails_denies_unless_the_script_says_otherwise() {
    if !guests::run_scripts() {
        return;
    }
    let server = Server::answering("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n\u{fffd}");
    let broken = Server::new(|stream| _ = read_request(stream).map(|_| stream.shutdown(std::net::Shutdown::Both)));
    for (server, body, message) in [
        (&server, "return fetch(base.replace('v1', 'v2'))", "TypeError: no grant covers"),
        (&server, "return fetch(base, { method: 'PUT' })", "TypeError: "),
        (&server, "return fetch(base, { body: 'x' })", "a request with the method GET has no body"),
        (
            &server,
            "return fetch(base, { method: 'POST', body: {} })",
            "expected a string or a Uint8Array, not an object",
        ),
        (&server, "return fetch(base, { redirect: 'follow' })", "the option `redirect` is not supported"),
        (&server, "return fetch(base, { headers: { host: 'x' } })", "the header `host` is set by the host alone"),
        (&server, "return fetch()", "TypeError: "),
        (&server, "return (await fetch(base)).json()", "SyntaxError: "),
        (&server, "const r = await fetch(base); await r.text(); return r.text()", "was read before"),
        (&server, "fetch('https://example.com/'); return 'not awaited'", "a promise failed that nothing waited for"),
        (&broken, "return (await fetch(base)).text()", "TypeError: "),
    ] {
        let told = told(server, body).await;
        assert!(told.as_ref().is_err_and(|failure| failure.contains(message)), "{body}: {told:?}");
    }
    let caught = "try { await fetch('https://example.com/') } catch (error) { return error.name }";
    assert_eq!(told(&server, caught).await.unwrap(), "TypeError");
}

#[tokio::test]
async fn bytes_that_are_not_text_are_told() {
    if !guests::run_scripts() {
        return;
    }
    let server = Server::answering(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n\xff\xfe".to_vec());
    let failure = told(&server, "return (await fetch(base)).text()").await.unwrap_err();
    assert!(failure.contains("the body of the response is not text"), "{failure}");
    assert_eq!(told(&server, "return [...await (await fetch(base)).bytes()].join()").await.unwrap(), "255,254");
}

#[tokio::test]
async fn a_component_keeps_values() {
    if !guests::run_scripts() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    fs::set_permissions(dir.path(), Permissions::from_mode(0o700)).unwrap();
    let store = StoreGrant::new(StoreScope::Session).at(StorePlace::new(dir.path(), "user", "made"));
    let source = "import { store } from 'hookbox:store';
                  export default () => ({ decision: 'deny', reason: String(store.increment('n')) })";
    let component = script_component("hook.js", source).unwrap();
    for count in ["1", "2"] {
        let outcome = ask(&component, Grants::default().with_store(store.clone()), "ls").await;
        assert_eq!(outcome.reason.as_deref(), Some(count), "{outcome:?}");
    }
}

#[tokio::test]
async fn what_the_text_hides_is_told() {
    if !guests::run_scripts() {
        return;
    }
    let source = "export default async (input) => { return await eval(input.tool_input.command) ?? {} }";
    let component = script_component("hook.js", source).unwrap();
    for (command, message) in [
        ("globalThis['fet' + 'ch']('https://example.com/')", "call `fetch` by its name"),
        ("import('hookbox:' + 'store')", "the component was built without a store: write its name as it is"),
    ] {
        let outcome = ask(&component, Grants::default(), command).await;
        let failure = outcome.hooks[0].failure.clone().unwrap();
        assert_eq!((outcome.verdict, failure.code), (Verdict::Deny, Code::Failed));
        assert!(failure.message.contains(message), "{failure:?}");
    }
    // A message that is logged in this way is lost.
    let outcome = ask(&component, Grants::default(), "globalThis['con' + 'sole'].log(1)").await;
    assert_eq!((outcome.verdict, outcome.hooks[0].code), (Verdict::Allow, None), "{outcome:?}");
}
