//! Whatever a script does, its call ends with a message that says why.

use super::Script;
use hookbox::Code;
use hookbox::runtime::component::Limits;
use std::time::Duration;

#[track_caller]
fn ends_with(code: Code, body: &str) -> String {
    let mut script = Script::body(body);
    script.timeout = if code == Code::Timeout { Duration::from_millis(300) } else { Duration::from_secs(20) };
    let (ended, message) = script.failure();
    assert_eq!(ended, code, "{body}: {message}");
    message
}

#[test]
fn what_does_not_end_is_ended() {
    ends_with(Code::Timeout, "for (;;);");
    ends_with(Code::Timeout, "const f = async () => { for (;;) await 0; }; return f()");
    ends_with(Code::Timeout, "for (;;) try { throw 1 } catch {}");
    ends_with(Code::Timeout, "/^(a|a?)+$/.test('a'.repeat(40) + 'b'); return {}");
}

#[test]
fn a_script_that_never_ends_while_it_is_loaded_is_ended() {
    let mut script = Script::new("for (;;);");
    script.timeout = Duration::from_millis(500);
    assert_eq!(script.failure().0, Code::Timeout);
}

#[test]
fn memory_has_a_limit() {
    for body in [
        "const a = []; for (;;) a.push(new Array(1000).fill(0))",
        "let s = 'x'; for (;;) s += s + 1 + s",
        "return { decision: 'deny', reason: 'x'.repeat(1e9) }",
        "return { reason: 'ab'.padEnd(500_000_000, 'ab') + 1 }",
        "new Uint8Array(1e9); return {}",
    ] {
        let mut script = Script::body(body);
        script.limits = set!(Limits::default(), memory_bytes: 32 << 20);
        let (code, message) = script.failure();
        // The interpreter itself refuses a string that is longer than the language allows.
        assert!(
            code == Code::Memory || message.contains("string too long") || message.contains("invalid string length"),
            "{body}: {code} {message}"
        );
    }
}

#[test]
fn an_answer_has_a_limit() {
    let message = ends_with(Code::OutputSize, "return { decision: 'deny', reason: 'x'.repeat(3 << 20) }");
    assert!(message.contains("2.0 MiB"), "{message}");
    assert_eq!(
        Script::body(
            "for (let i = 0; i < 1e4; i++) console.log('x'.repeat(1000)); return { decision: 'deny', reason: 'r' }"
        )
        .reason(),
        "r"
    );
}

#[test]
fn recursion_ends_in_an_error_of_the_language() {
    let message = ends_with(Code::Failed, "function f(n) { return f(n + 1) + 1 } return f(0)");
    assert!(
        message.starts_with("failed: hook.js:1:") && message.ends_with("RangeError: Maximum call stack size exceeded"),
        "{message}"
    );
    for body in [
        "const o = { get a() { return this.a } }; o.a",
        "const f = () => f.apply(null, []); f()",
        "const f = () => [1, 2].sort(f); f()",
        "const f = () => [1].map(f); f()",
        "const f = () => [1].flatMap(f); f()",
        "class A { constructor() { new A() } } new A()",
        "const f = () => 'a'.replace(/a/, f); f()",
        "const f = (...x) => f(...x, 1); f()",
    ] {
        let caught = format!("try {{ {body} }} catch (error) {{ return {{ decision: 'deny', reason: error.name }} }}");
        assert_eq!(Script::body(&caught).reason(), "RangeError", "{body}");
    }
    // The recursion is as deep as an Input may be, and then much deeper.
    let deep = "const walk = (v, n) => (n ? [v].map((v) => walk(v, n - 1))[0] : v); \
                return { decision: 'deny', reason: String(walk(1, 100)) }";
    assert_eq!(Script::body(deep).reason(), "1");
    assert_eq!(
        Script::body("const f = (n) => (n ? f(n - 1) : 0); return { decision: 'deny', reason: String(f(400)) }")
            .reason(),
        "0"
    );
}

#[test]
fn what_the_interpreter_itself_does_in_depth_ends_too() {
    for body in [
        "JSON.parse('['.repeat(1e5))",
        "let a = []; for (let i = 0; i < 1e5; i++) a = [a]; JSON.stringify(a)",
        "eval('('.repeat(1e5))",
        "eval('!'.repeat(1e5) + 1)",
        "new RegExp('(?:'.repeat(1e5))",
        "let p = {}; for (let i = 0; i < 1e4; i++) p = new Proxy(p, {}); p.a",
    ] {
        let (code, message) = Script::body(&format!("{body}; throw 1")).failure();
        assert!(matches!(code, Code::Failed | Code::Trap | Code::Memory), "{body}: {code} {message}");
    }
}

#[test]
fn fuel_is_used_up() {
    let mut script = Script::body("for (;;);");
    script.limits = set!(Limits::default(), fuel: Some(10_000_000));
    assert_eq!(script.failure().0, Code::Fuel);
}
