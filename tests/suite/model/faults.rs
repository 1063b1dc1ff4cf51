//! A model that fails, is late, or says something else denies.

use super::provider::{ALLOW, Asked, PROTOCOLS, Provider, answer, write};
use crate::support::server::Server;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::io::Write;
use std::net::TcpStream;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

/// Checks that a call with this server is denied, for this reason.
#[track_caller]
fn denied(provider: &Provider, why: &str) {
    denied_in("openai-chat", provider, why);
}

#[track_caller]
fn denied_in(protocol: &str, provider: &Provider, why: &str) {
    let ran = provider.project(protocol, "").ask_bash("ls");
    let answer = ran.json();
    assert_eq!(answer["decision"], "deny", "{protocol}, {why}: {answer}");
    let reason = answer["reason"].as_str().unwrap();
    assert!(reason.contains(why), "{protocol}, {why}: {reason}");
    assert!(!provider.asked().is_empty(), "it was asked");
    let all = format!("{ran:?}");
    assert!(!all.contains("k3y-of-the-user"), "{all}");
}

#[test]
fn what_is_no_verdict_denies() {
    for says in [
        "",
        "allow",
        "yes",
        "null",
        "[]",
        r#"["allow","x"]"#,
        r#"{"decision":"maybe","reason":"x"}"#,
        r#"{"decision":"ALLOW","reason":"x"}"#,
        r#"{"decision":"allow"}"#,
        r#"{"reason":"allow"}"#,
        r#"{"decision":["allow"],"reason":"x"}"#,
        r#"{"decision":"allow","reason":"x","decision":"allow"}"#,
        r#"{"decision":"allow","reason":"x"} {"decision":"deny","reason":"x"}"#,
        r#"{"decision":"allow","reason":"x","also":1}"#,
        r#"Sure: {"decision":"allow","reason":"x"}"#,
    ] {
        let provider = Provider::saying(says);
        denied(&provider, "is not one JSON object with a `decision`");
        assert_eq!(provider.asked().len(), 2, "it was sent back once: {says}");
    }
}

#[test]
fn a_response_that_is_no_answer_denies() {
    for (body, why) in [
        ("<html>", "is not JSON"),
        ("{}", "not complete"),
        (r#"{"choices":[]}"#, "not complete"),
        (r#"{"choices":[{"message":{"content":null},"finish_reason":"stop"}]}"#, "has no text"),
        (r#"{"choices":[{"message":{"refusal":"no"},"finish_reason":"stop"}]}"#, "refused"),
        (r#"{"choices":[{"message":{"content":"{\"decision\":\"allow\""},"finish_reason":"length"}]}"#, "max_tokens"),
    ] {
        denied(&Provider::raw(move |stream, _| write(stream, 200, "", body)), why);
    }
}

/// The text of each answer is an allow, which the rest of the response rules out.
#[test]
fn an_answer_that_was_cut_off_or_refused_denies_in_every_protocol() {
    for (protocol, place, value, why) in [
        ("openai", "/status", json!("incomplete"), "not complete"),
        ("openai", "/output/1/content/0/type", json!("refusal"), "refused"),
        ("openai", "/output/1/type", json!("reasoning"), "has no text"),
        ("openai-chat", "/choices/0/finish_reason", json!("length"), "max_tokens"),
        ("openai-chat", "/choices/0/finish_reason", json!("content_filter"), "refused"),
        ("openai-chat", "/choices/0/finish_reason", Value::Null, "not complete"),
        ("anthropic", "/stop_reason", json!("max_tokens"), "max_tokens"),
        ("anthropic", "/stop_reason", json!("refusal"), "refused"),
        ("anthropic", "/stop_reason", json!("pause_turn"), "not complete"),
        ("gemini", "/candidates/0/finishReason", json!("MAX_TOKENS"), "max_tokens"),
        ("gemini", "/candidates/0/finishReason", json!("SAFETY"), "refused"),
        ("gemini", "/candidates/0/finishReason", Value::Null, "not complete"),
    ] {
        let provider = Provider::raw(move |stream, asked| {
            let mut body = answer(&asked.head, ALLOW);
            *body.pointer_mut(place).unwrap() = value.clone();
            write(stream, 200, "", &body.to_string());
        });
        denied_in(protocol, &provider, why);
    }
}

#[test]
fn what_a_server_does_wrong_denies_in_every_protocol() {
    type Fault = fn(&mut TcpStream, &Asked);
    let faults: [(Fault, &str); 6] = [
        (|stream, _| write(stream, 200, "", "<html>"), "is not JSON"),
        (|stream, _| write(stream, 200, "", "{}"), "not complete"),
        (|stream, _| write(stream, 401, "", "{}"), "answered 401"),
        (|stream, _| write(stream, 302, "Location: http://127.0.0.1:1/\r\n", ""), "a redirect, which is not followed"),
        (|stream, _| write(stream, 200, "", &" ".repeat(10 << 20)), ""),
        (
            |stream, asked| {
                let body = answer(&asked.head, ALLOW).to_string();
                let _ = write!(stream, "HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{body}", body.len() + 1);
                stream.shutdown(std::net::Shutdown::Both).unwrap();
            },
            "",
        ),
    ];
    for protocol in PROTOCOLS {
        for (fault, why) in faults {
            denied_in(protocol, &Provider::raw(fault), why);
        }
    }
}

#[test]
fn a_server_that_refuses_is_asked_once_and_not_quoted() {
    for status in [400, 401, 403, 404] {
        let provider = Provider::raw(move |stream, _| {
            let body = r#"{"error":{"code":"invalid_api_key","message":"wrong key: k3y-of-the-user"}}"#;
            write(stream, status, "", body);
        });
        denied(&provider, &format!("answered {status} (invalid_api_key)"));
        assert_eq!(provider.asked().len(), 1);
    }
}

#[test]
fn a_busy_server_is_asked_again() {
    for status in [429, 500, 503, 529] {
        let count = AtomicUsize::new(0);
        let provider = Provider::raw(move |stream, asked| match count.fetch_add(1, Ordering::SeqCst) {
            0 | 1 => write(stream, status, "", "{}"),
            _ => write(stream, 200, "", &answer(&asked.head, ALLOW).to_string()),
        });
        let answer = provider.project("openai-chat", "").ask_bash("ls").json();
        assert_eq!(answer["decision"], "allow", "{answer}");
        assert_eq!(provider.asked().len(), 3);
    }
}

#[test]
fn a_server_that_stays_busy_denies() {
    denied(&Provider::raw(|stream, _| write(stream, 503, "", "{}")), "answered 503");
    // There is no time to wait for as long as the server asks.
    for seconds in [3600, u64::MAX] {
        let wait = format!("Retry-After: {seconds}\r\n");
        let provider = Provider::raw(move |stream, _| write(stream, 429, &wait, "{}"));
        denied(&provider, "no time for another attempt");
        assert_eq!(provider.asked().len(), 1);
    }
}

#[test]
fn a_server_that_hangs_denies_in_time() {
    let provider = Provider::raw(|_, _| thread::sleep(Duration::from_secs(60)));
    let project = provider.configured(
        "provider = \"openai\"\nmodel = \"judge-1\"\nprivate = true",
        "timeout = \"300ms\"\nmodel = { use = \"judge\", prompt = \"Deny.\" }",
    );
    let answer = project.ask_bash("ls").json();
    assert_eq!(answer["decision"], "deny", "{answer}");
    assert!(answer["reason"].as_str().unwrap().contains("did not answer within 300ms"), "{answer}");
    assert_eq!(provider.asked().len(), 1);
}

#[test]
fn a_cut_or_endless_response_denies() {
    let cut = Provider::raw(|stream, _| {
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{\"choices\":[{\"mess");
        stream.shutdown(std::net::Shutdown::Both).unwrap();
    });
    denied(&cut, "");
    let large = Provider::raw(|stream, _| write(stream, 200, "", &" ".repeat(10 << 20)));
    denied(&large, "");
}

#[test]
fn a_redirect_is_not_followed() {
    let elsewhere = Server::echo();
    let location = elsewhere.url("/");
    for status in [301, 302, 307, 308] {
        let to = format!("Location: {location}\r\n");
        denied(&Provider::raw(move |stream, _| write(stream, status, &to, "")), "a redirect, which is not followed");
    }
    assert_eq!(elsewhere.accepted(), 0);
}

#[test]
fn on_error_decides_what_a_failure_is() {
    for (on_error, decision) in [("ask", "ask"), ("allow", "allow")] {
        let provider = Provider::raw(|stream, _| write(stream, 401, "", "{}"));
        let hook = format!("on_error = \"{on_error}\"\nmodel = {{ use = \"judge\", prompt = \"Deny.\" }}");
        let project = provider.configured("provider = \"openai\"\nmodel = \"judge-1\"\nprivate = true", &hook);
        assert_eq!(project.ask_bash("ls").json()["decision"], decision);
        assert_eq!(provider.asked().len(), 1);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    /// No text allows anything unless it is exactly an allow.
    #[test]
    fn no_other_text_allows(says in r#"[ -~]{0,40}|\{"decision":"[a-z]{0,6}"(,"reason":"x")?\}?"#) {
        let is_allow = serde_json::from_str::<serde_json::Value>(&says)
            .is_ok_and(|value| value["decision"] == "allow" && value["reason"].is_string());
        prop_assume!(!is_allow);
        let shown = says.clone();
        let provider = Provider::new(move |_| says.clone());
        let answer = provider.project("openai-chat", "").ask_bash("ls").json();
        prop_assert!(answer["decision"] != "allow", "{shown}: {answer}");
    }
}
