//! Texts that `redact` must change, and texts that it must leave alone.

use super::secrets_samples::*;
use super::{MARKER, redact};
use rustix::time::{ClockId, clock_gettime};
use std::time::Duration;

/// `TestRedactDetectsBareUnquotedSecrets`, for every shape: bare, quoted, assigned, in a sentence.
#[test]
fn every_token_is_found() {
    for Token { name, text, .. } in all_tokens() {
        for (before, after) in [
            ("", ""),
            ("\"", "\""),
            ("'", "'"),
            ("`", "`"),
            ("KEY=", "\n"),
            ("{\"key\": \"", "\"}"),
            ("{\\\"key\\\": \\\"", "\\\"}"),
            ("Use ", " to log in."),
            ("first line\n", "\nlast line"),
            ("first line\\n", "\\nlast line"),
            ("<key>", "</key>"),
        ] {
            let expected = format!("{before}{MARKER}{after}");
            assert_eq!(redact(&format!("{before}{text}{after}")), Some(expected), "{name} within {before:?} {after:?}");
        }
    }
}

/// `TestConnectionStringContextPreservation`, and the same for assignments.
#[test]
fn what_is_around_a_secret_stays() {
    for Embedded { name, before, secret, after } in all_embedded() {
        for (first, last) in [("", ""), ("DSN=", "\n"), ("\"", "\""), ("Connect to ", " now.")] {
            let expected = format!("{first}{before}{MARKER}{after}{last}");
            assert_eq!(redact(&format!("{first}{before}{secret}{after}{last}")), Some(expected), "{name}");
        }
    }
}

/// `TestRedactDetectsSecretsAcrossWordBoundaries`.
#[test]
fn glued_secrets_are_found() {
    for secret in [github_token(), aws_id(), docker_token()] {
        for (before, after) in [("", ""), ("BEFORE", "AFTER"), ("BEFORE", ""), ("", "AFTER"), ("KEY=", "")] {
            assert_eq!(redact(&format!("{before}{secret}{after}")), Some(format!("{before}{MARKER}{after}")));
        }
    }
}

#[test]
fn tokens_are_found_with_text_glued_to_their_front() {
    for Token { name, text, .. } in all_tokens().into_iter().filter(|token| token.glued) {
        // At the front, a digit or hex digit could be part of the token or of `BEFORE`.
        let redacted = redact(&format!("BEFORE{text}")).unwrap_or_default();
        assert_eq!(redacted, format!("BEFORE{MARKER}"), "{name}");
    }
}

/// `TestRedactDoesNotSwallowAdjacentText`.
#[test]
fn text_after_a_token_stays() {
    for Token { name, text, .. } in all_tokens().into_iter().filter(|token| token.ends == Ends::Fixed) {
        let redacted = redact(&format!("{text}GHIJKL and more")).unwrap_or_default();
        assert_eq!(redacted, format!("{MARKER}GHIJKL and more"), "{name}");
    }
    for Token { name, text, .. } in all_tokens() {
        for after in [" and more", "\nand more", ", and more", "; echo done", ")", "\\nand more"] {
            assert_eq!(redact(&format!("{text}{after}")), Some(format!("{MARKER}{after}")), "{name} before {after:?}");
        }
    }
}

/// `TestRedactReplacesSecretSpan`, `PreservesNonMatchingText`.
#[test]
fn the_rest_of_the_text_stays() {
    let text = |secret: &str| format!("Zwölf ☃ lines\r\n\tcurl -H 'Authorization: {secret}' | tee log\u{0}\u{7f}");
    assert_eq!(redact(&text(&github_token())), Some(text(MARKER)));
}

/// `HandlesMultipleSecretsInOneInput`.
#[test]
fn each_secret_gets_its_marker() {
    let both = redact(&format!("a={} b={}", github_token(), aws_id()));
    assert_eq!(both, Some(format!("a={MARKER} b={MARKER}")));
    let glued = redact(&[github_token(), github_token(), docker_token()].concat());
    assert_eq!(glued, Some(MARKER.repeat(3)));
    let fly = ["fm", "2_", &alnum(100)].concat();
    assert_eq!(redact(&format!("FlyV1 {fly},{fly}")), Some(format!("{MARKER},{MARKER}")));
    let squares = [["EA", "AA"].concat(), alnum(60)].concat();
    assert_eq!(redact(&format!("{squares}\n{squares}")), Some(format!("{MARKER}\n{MARKER}")));
}

#[test]
fn all_shapes_in_one_text() {
    let tokens: Vec<String> = all_tokens().into_iter().map(|token| token.text).collect();
    let expected = vec![MARKER; tokens.len()].join("\n");
    assert_eq!(redact(&tokens.join("\n")), Some(expected));
}

#[test]
fn an_aws_id_and_its_secret_are_found() {
    for between in [",", ":", "\",\"", "\t"] {
        let redacted = redact(&format!("user,\"{}{between}{}\"", aws_id(), alnum(40)));
        assert_eq!(redacted, Some(format!("user,\"{MARKER}{between}{MARKER}\"")));
    }
}

/// `TestRedactIsIdempotent`.
#[test]
fn a_second_pass_finds_nothing() {
    let tokens = all_tokens().into_iter().map(|token| token.text);
    let embedded = all_embedded().into_iter().map(|case| [&case.before, &case.secret, case.after].concat());
    for text in tokens.chain(embedded) {
        for text in [text.clone(), format!("BEFORE{text}AFTER"), format!("{text}{text}")] {
            if let Some(redacted) = redact(&text) {
                assert_eq!(redact(&redacted), None, "{redacted}");
            }
        }
    }
}

/// `TestRedactionMarkerIsNotASecret`.
#[test]
fn the_marker_is_no_secret() {
    assert_eq!(redact(MARKER), None);
    assert_eq!(redact(&MARKER.repeat(50)), None);
    for Embedded { name, before, after, .. } in all_embedded() {
        assert_eq!(redact(&format!("{before}{MARKER}{after}")), None, "{name}");
    }
    assert_eq!(redact(&format!("key=\"{MARKER}\" token: {MARKER} ghp_{MARKER} sk-{MARKER}")), None);
}

#[test]
fn a_private_key_is_found() {
    for kind in ["", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED ", "PGP "] {
        for line_break in ["\n", "\r\n", "\\n", "\n    ", "\n\t", "\n   12→", "\",\n\""] {
            let (begin, body, end) = key_block(kind, 12, line_break);
            let redacted = redact(&format!("a\n{begin}{line_break}{body}{line_break}{end}\nb")).unwrap_or_default();
            assert_eq!(redacted, format!("a\n{begin}{MARKER}{end}\nb"), "{kind} {line_break:?}");
            assert_eq!(redact(&redacted), None);
        }
    }
}

#[test]
fn a_private_key_with_headers_is_found() {
    let (begin, body, end) = key_block("RSA ", 12, "\n");
    let headers = "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0011\nComment: (a) <b>; {c}";
    let redacted = redact(&format!("{begin}\n{headers}\n\n{body}\n{end}\n"));
    assert_eq!(redacted, Some(format!("{begin}{MARKER}{end}\n")));
}

#[test]
fn a_private_key_without_its_end_is_found() {
    let (begin, body, _) = key_block("RSA ", 4, "\n");
    let body = body.lines().take(4).collect::<Vec<_>>().join("\n");
    assert_eq!(redact(&format!("{begin}\n{body}\nand so on")), Some(format!("{begin}\n{MARKER}\nand so on")));
}

#[test]
fn the_lines_of_a_private_key_alone_are_none() {
    let (begin, _, end) = key_block("RSA ", 0, "\n");
    assert_eq!(redact(&format!("const BEGIN = \"{begin}\"; const END = \"{end}\";")), None);
    assert_eq!(redact(&format!("EDGES = ('{begin}',\n                   '{end}')")), None);
    assert_eq!(redact(&format!("the lines \"{begin}\" and \"{end}\" are around it")), None);
    assert_eq!(redact(&format!("looks for {begin} in each file")), None);
}

/// `TestContainsSecretsIgnoresHarmlessText`, `TestNoisyKeywordsFalsePositives`.
#[test]
fn harmless_text_stays() {
    let commit = hex(40);
    let uuid = uuid();
    for text in [
        "",
        " ",
        "1234567890",
        "12345678901234567890123456789012345678901234567890",
        "hello world",
        "The quick brown fox jumps over the lazy dog.",
        "the api key is documented in README",
        "12:00 AA",
        "at 12345678:AA we stop",
        "ask.",
        "disk.",
        "the disk.is.full",
        "1/2 cup",
        "1/1/2024",
        "v1.0-beta",
        "v1.0-rc.1",
        "npm_config_registry=https://registry.npmjs.org/",
        "npm_lifecycle_event",
        "sk-learn and scikit-learn",
        "task-runner-configuration-for-the-whole-monorepository-of-projects",
        "co_await std::suspend_always{};",
        "aio_read(&control_block)",
        "git@github.com:owner/repository.git",
        "https://example.com:8443/@scope/package?contact=me@example.com",
        "http://localhost:4873/@scope%2fname",
        "http://user:password@example.com",
        "machine {host} login {user} password {password}",
        "postgres://localhost:5432/main",
        "postgres://app@localhost/main",
        "postgres://app:$PASSWORD@localhost/main",
        "postgres://app:${PASSWORD}@localhost/main",
        "postgres://app:$(cat password)@localhost/main",
        "postgres://{user}:{password}@{host}/main",
        "postgres://%s:%s@%s/main",
        "postgres://<user>:<password>@<host>/main",
        "AWS_SECRET_ACCESS_KEY=$SECRET",
        "password = os.environ[\"PASSWORD\"]",
        "Password must be changed; user = none;",
        "//registry.npmjs.org/:_authToken=${NPM_TOKEN}",
        "\"auth\": \"authenticatedUsersOnlyPlease\"",
        "vercelToken: readTheTokenFromTheEnvironment()",
        "jira_token = retrieveTheTokenFromTheStorage(name)",
        "refund and refuse: cmVmdW5kIGFuZCByZWZ1c2UgdG8gZ28gb24gYW5kIG9uIGFuZCBvbiBhbmQgb24gYW5kIG9u",
        "use actions/checkout and codecov/codecov-action",
        "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "-----BEGIN CERTIFICATE-----",
        "The machine needs a login and a password each time",
    ] {
        assert_eq!(redact(text), None, "{text}");
    }
    assert_eq!(redact(&format!("commit {commit}\nid {uuid}\nuses: codecov/action@{commit}")), None);
    assert_eq!(redact(&format!("task-{commit}{commit} disk_{commit}{commit} test_{commit} cache-key-{commit}")), None);
    assert_eq!(redact(&format!("heroku release: {uuid}, key {uuid} aws {commit}")), None);
}

/// Public keys and binary data in base64 contain the short prefixes by chance.
#[test]
fn encoded_binary_data_stays() {
    let ssh = "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQEbase64";
    assert_eq!(redact(&format!("{ssh}{} me@host", alnum(300))), None);
    let module = format!("AGFzbQEAAAAB{}AQE{}EAAA{}", alnum(100), alnum(200), take("A", 100));
    assert_eq!(redact(&format!("\"data:application/wasm;base64,{module}\"")), None);
}

/// `TestRedactScalesLinearly`. These inputs are the most expensive: secrets throughout, prefixes without a token, and
/// runs that look like the beginning of a match to many rules.
#[test]
fn time_grows_with_the_length_only() {
    let secrets = format!("key = {} and {} ", github_token(), aws_id());
    let all: String = all_tokens().iter().map(|token| format!("{}\n", token.text)).collect();
    let url = ["postgres", "://u:p"].concat();
    let begin = key_block("RSA ", 0, "\n").0;
    let pieces = [&secrets, &all, &url, &begin, "sk-proj-", "xoxe-xoxb-", "MTaaaa", "AAAA", "eyJ.", "server=a;", "1/"];
    for piece in pieces {
        let run = |length: usize| {
            let text = take(piece, length);
            // CPU time does not grow while others use the processor.
            let used = || Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap_or_default();
            let best = |_| {
                let start = used();
                let _ = redact(&text);
                used().saturating_sub(start)
            };
            (0..2).map(best).min().unwrap_or_default()
        };
        let (small, large) = (run(4 << 10), run(64 << 10));
        assert!(large < small.max(Duration::from_micros(200)) * 128, "{piece}: {small:?} to {large:?}");
    }
}
