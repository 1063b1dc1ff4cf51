//! Tests that a URL has one spelling, and that all others are refused.

use hookbox_net::{Refusal, RuleText, Rules, Target};
use http::Method;
use proptest::prelude::*;

fn parse(authority: &str, path: &str) -> Result<Target, Refusal> {
    Target::parse("https", authority, path)
}

fn assert_all_refused(authorities: &[&str]) {
    for authority in authorities {
        assert!(parse(authority, "/").is_err(), "{authority}");
    }
}

#[test]
fn odd_addresses_are_refused() {
    assert_all_refused(&[
        "2130706433",
        "0x7f000001",
        "0x7f.1",
        "017700000001",
        "127.1",
        "0177.0.0.1",
        "127.0.0.01",
        "127.0.0.1.",
        "1.2.3.4.5",
        "１２７.0.0.1",
        "127。0。0。1",
        "1.2.3.256",
        "example.123",
        "example.0x",
        "0x",
        "256",
    ]);
}

#[test]
fn odd_ipv6_addresses_are_refused() {
    assert_all_refused(&[
        "[fe80::1%25lo]",
        "[fe80::1%lo]",
        "[::ffff:7f00:1]",
        "[::ffff:127.0.0.1]",
        "[::1",
        "::1",
        "[]",
        "[1]",
        "[::1]x",
        "[::1].",
        "[v1.x]",
        "[::1]]",
        "x[::1]",
    ]);
}

#[test]
fn users_are_refused_and_not_repeated() {
    for authority in ["u:hunter2@good.com", "@good.com", "a@hunter2@c", "good@evil", "hunter2@"] {
        let Err(refusal @ Refusal::UserInfo(_)) = parse(authority, "/") else { panic!("{authority}") };
        assert!(!refusal.to_string().contains("hunter2"), "{refusal}");
    }
}

#[test]
fn smuggled_hosts_are_refused() {
    assert_all_refused(&[
        "good.com\\@evil.com",
        "good.com%2eevil.com",
        "good.com#@x",
        "good.com?@x",
        "good.com/evil",
        "good.com evil",
        "good.com\t",
        "good.com\r\nhost: x",
        "good.com\0",
        "a,b",
        "",
        ".",
        "..",
        "good.com..",
        ".good.com",
        "a..b",
        "a_b",
        "-a.com",
        "a-.com",
        "*.good.com",
        "good.com\u{202e}",
    ]);
    assert_all_refused(&[&"a".repeat(64), &["a"; 130].join("."), &"x".repeat(1 << 20)]);
}

#[test]
fn homographs_are_refused_or_other_names() {
    // The first letter of the first host is Cyrillic, the second host begins with a circled letter, and the third has a
    // full-width dot.
    assert_all_refused(&["аpple.com", "ⓔxample.com", "EXAMPLE。com"]);
    let rules = Rules::parse(&[RuleText::new("https://apple.com/")]).unwrap();
    let look_alike = parse("xn--pple-43d.com", "/").unwrap();
    assert!(matches!(rules.find(&look_alike, &Method::GET), Err(Refusal::NotGranted(_))));
}

#[test]
fn case_and_one_trailing_dot_do_not_matter() {
    let target = parse("GOOD.com.:443", "/A").unwrap();
    assert_eq!(target, parse("good.com", "/A").unwrap());
    assert_eq!(target.to_string(), "https://good.com/A");
    assert_eq!(parse("[2606:4700:0::1]", "/").unwrap().authority(), "[2606:4700::1]");
}

#[test]
fn odd_ports_are_refused() {
    for port in ["", "0", "0443", "65536", "99999", "abc", "80:90", "+80", " 80", "٣", "443.", "-1"] {
        for host in ["good.com", "[2606:4700::1]", "1.1.1.1"] {
            let authority = format!("{host}:{port}");
            assert!(parse(&authority, "/").is_err(), "{authority}");
        }
    }
    assert_eq!(parse("good.com:65535", "/").unwrap().port(), 65535);
    assert_eq!(parse("good.com:80", "/").unwrap().authority(), "good.com:80");
}

#[test]
fn other_schemes_are_refused() {
    for scheme in ["ftp", "", "HTTPS", "file", "wss", "https:", "\u{1b}[31m"] {
        let refusal = Target::parse(scheme, "good.com", "/").unwrap_err();
        assert!(matches!(refusal, Refusal::Scheme(_)), "{scheme}");
        assert!(!refusal.to_string().contains('\u{1b}'));
    }
}

#[test]
fn paths_that_could_mean_another_are_refused() {
    for path in [
        "/v1/..",
        "/v1/../x",
        "/..",
        "/.",
        "/./",
        "/v1/.",
        "/v1/%2e%2e/x",
        "/v1/.%2E/x",
        "/v1/%2E./x",
        "/v1/..%2fx",
        "/v1/..;/x",
        "/v1/..;a=b/x",
        "/v1/.;/x",
        "/v1/..%3b/x",
        "/v1/..%3B/x",
        "/v1/.%3b/x",
        "/v1/%252e%252e/x",
        "/v1/%25252e/x",
        "/v1/..\\x",
        "/v1\\..\\x",
        "/v1/%5c..",
        "/v1/%5C",
        "/v1%2fx",
        "/v1%2Fx",
        "//evil.com/x",
        "/v1//x",
        "/v1/x//",
        "http://evil.com/",
        "*",
        "",
        "v1",
        "?x",
        "/%00",
        "/%0a",
        "/%1f",
        "/%7f",
        "/%zz",
        "/%",
        "/%2",
        "/%é",
        "/é",
        "/\u{202e}",
        "/a b",
        "/a\tb",
        "/a\r\nb",
        "/a\0",
        "/#x",
        "/x#y",
        "/\"",
        "/<x>",
        "/`",
        "/%61",
        "/%5F",
        "/x?#",
        "/x?a b",
        "/x?\r\n",
        "/x?%",
        "/x?%2",
        "/x?é",
        "/x?\\",
    ] {
        assert!(parse("good.com", path).is_err(), "{path:?}");
    }
    assert_eq!(parse("good.com", &format!("/{}", "x".repeat(8192))), Err(Refusal::TooLong(8193)));
}

#[test]
fn plain_paths_stay_as_they_are() {
    for path in [
        "/",
        "/v1/",
        "/v1/a.b..c/...x",
        "/a;b=c",
        "/a%3Bb=c",
        "/@x:y!$&'()*+,=-._~",
        "/caf%C3%A9",
        "/50%25off",
        "/a%20b",
        "/[x]|^",
        "/x?",
        "/x?a=b&c[]={d}`|^",
        "/x?u=https://y/../z",
        "/x?%2e%2e%2f%00",
        "/x??/",
    ] {
        let target = parse("good.com", path).unwrap();
        assert_eq!(target.path_and_query(), path);
        assert_eq!(target.to_string(), format!("https://good.com{path}"));
    }
}

#[test]
fn messages_are_short_and_plain() {
    let refusal = parse(&"x\u{1b}".repeat(10_000), "/").unwrap_err().to_string();
    assert!(refusal.len() < 1000 && !refusal.contains('\u{1b}'), "{refusal}");
}

/// Makes hostile text from pieces of URLs.
fn pieces(of: &'static [&'static str]) -> impl Strategy<Value = String> {
    proptest::collection::vec(
        prop_oneof![4 => proptest::sample::select(of).prop_map(str::to_owned), 1 => ".{0,3}"],
        0..8,
    )
    .prop_map(|pieces| pieces.concat())
}

const HOSTS: &[&str] = &[
    "good",
    "com",
    ".",
    "x",
    "*",
    "-",
    "1",
    "127.0.0.1",
    "0x7f",
    "[::1]",
    ":",
    "443",
    "80",
    "0",
    "@",
    "xn--a",
    "%2e",
    "/",
];

const PATHS: &[&str] = &[
    "/", "v1", "..", ".", "%2e", "%2F", "\\", "%5c", ";", "%25", "%", "2e", "?", "#", "x", "%C3%A9", "%00", "//",
    "/v1/", "a=b",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 2048, failure_persistence: None, ..ProptestConfig::default() })]

    /// A target that is accepted stays the same when it is written and read again, and rules match that form.
    #[test]
    fn accepted_targets_are_canonical(
        scheme in "https?",
        host in prop_oneof![Just("GOOD.com".to_owned()), Just("[::1]:80".to_owned()), pieces(HOSTS)],
        path in pieces(PATHS).prop_map(|path| format!("/v1{path}")),
        prefix in prop_oneof![Just("/v1".to_owned()), Just("/v1/".to_owned()), pieces(PATHS).prop_map(|path| format!("/{path}"))],
    ) {
        let Ok(target) = Target::parse(&scheme, &host, &path) else { return Ok(()) };
        let again = Target::parse(&scheme, &target.authority(), &target.path_and_query()).unwrap();
        prop_assert_eq!(&again, &target);

        // Another URL parser reads the same parts.
        let url = match url::Url::parse(&target.to_string()) {
            // The other parser also decodes punycode, which need not be valid in a name.
            Err(url::ParseError::IdnaError) if target.host().to_string().contains("xn--") => return Ok(()),
            url => url.unwrap(),
        };
        prop_assert_eq!(url.host_str().unwrap(), target.host().to_string());
        prop_assert_eq!(url.port_or_known_default(), Some(target.port()));
        prop_assert_eq!(url.path(), target.path());

        let Ok(rules) = Rules::parse(&[RuleText::new(format!("{scheme}://{}{prefix}", target.authority()))]) else { return Ok(()) };
        if rules.find(&target, &Method::GET).is_ok() {
            let rest = url.path().strip_prefix(&*prefix);
            prop_assert!(rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/') || prefix.ends_with('/')));
        }
    }

    /// No input causes a panic.
    #[test]
    fn any_text_is_read(scheme in ".*", host in ".*", path in ".*") {
        let _ = Target::parse(&scheme, &host, &path);
        let _ = Target::parse("https", &host, &path);
        let _ = Rules::parse(&[RuleText::new(&*host), RuleText::new(format!("https://{host}{path}"))]);
    }
}
