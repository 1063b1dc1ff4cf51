//! Tests of what a rule may say, and of what it covers.

use hookbox_net::{Refusal, Rule, RuleProblem, RuleText, Rules, Target};
use http::Method;

fn problem(url: &str) -> RuleProblem {
    match Rule::parse(&RuleText::new(url)) {
        Ok(rule) => panic!("{url} is accepted as {rule}"),
        Err(error) => error.problem().clone(),
    }
}

fn covers(rule: &str, url: &str) -> bool {
    let mut text = RuleText::new(rule);
    text.private = true;
    let (scheme, rest) = url.split_once("://").unwrap();
    let (authority, path) = rest.split_at(rest.find('/').unwrap());
    Rule::parse(&text).unwrap().covers_url(&Target::parse(scheme, authority, path).unwrap())
}

#[test]
fn a_prefix_covers_whole_segments() {
    assert!(covers("https://x.com/v1/", "https://x.com/v1/"));
    assert!(covers("https://x.com/v1/", "https://x.com/v1/a/b?c"));
    assert!(!covers("https://x.com/v1/", "https://x.com/v1"));
    assert!(covers("https://x.com/v1", "https://x.com/v1"));
    assert!(covers("https://x.com/v1", "https://x.com/v1/a"));
    assert!(!covers("https://x.com/v1", "https://x.com/v10"));
    assert!(!covers("https://x.com/v1", "https://x.com/V1"));
    assert!(covers("https://x.com", "https://x.com/anything"));
}

#[test]
fn scheme_host_and_port_are_exact() {
    assert!(!covers("https://x.com/", "http://x.com/"));
    assert!(!covers("http://x.com/", "https://x.com/"));
    assert!(!covers("https://x.com/", "https://x.com:8443/"));
    assert!(covers("https://x.com:443/", "https://X.com/"));
    assert!(covers("https://x.com:8443/", "https://x.com:8443/"));
    assert!(!covers("https://x.com/", "https://a.x.com/"));
    assert!(covers("http://127.0.0.1/", "http://127.0.0.1/"));
    assert!(covers("http://[::1]/", "http://[0:0::1]/"));
}

#[test]
fn a_wildcard_covers_what_lies_below() {
    assert!(covers("https://*.x.com/", "https://a.x.com/"));
    assert!(covers("https://*.x.com/", "https://a.b.x.com./"));
    for other in ["x.com", "evilx.com", "x.com.evil.com", "a.x.com.evil.com", "a.evilx.com", "1.1.1.1"] {
        assert!(!covers("https://*.x.com/", &format!("https://{other}/")), "{other}");
    }
}

#[test]
fn names_in_other_scripts_are_read_in_rules_alone() {
    assert!(covers("https://bücher.example/", "https://xn--bcher-kva.example/"));
    let rule = Rule::parse(&RuleText::new("https://bücher.example/")).unwrap();
    assert_eq!(rule.to_string(), "GET https://xn--bcher-kva.example/");
    assert!(matches!(problem("https://xn--a/"), RuleProblem::Host(_)));
    assert!(matches!(problem("https://１２７.0.0.1/"), RuleProblem::Host(_)));
}

#[test]
fn what_is_wrong_with_a_url_is_said_precisely() {
    for url in ["", "x.com", "HTTPS://x.com/", "ftp://x.com/", "https:/x.com", "//x.com/"] {
        assert_eq!(problem(url), RuleProblem::Scheme, "{url}");
    }
    for url in ["https://x.com\\@evil/", "https://x.com/ a", "https://x.com/\ta", "https://x.com\n/"] {
        assert_eq!(problem(url), RuleProblem::Character, "{url}");
    }
    assert_eq!(problem("https://u:p@x.com/"), RuleProblem::UserInfo);
    for url in ["https://x.com/?a", "https://x.com?a", "https://x.com/#a", "https://x.com#a"] {
        assert_eq!(problem(url), RuleProblem::Query, "{url}");
    }
    for url in ["https://x.com:0/", "https://x.com:/", "https://x.com:0443/", "https://x.com:70000/"] {
        assert_eq!(problem(url), RuleProblem::Port, "{url}");
    }
    for url in [
        "https://*/",
        "https://*.com/",
        "https://a.*.com/",
        "https://*x.com/",
        "https://*.*.com/",
        "https://*.1.1.1.1/",
    ] {
        assert_eq!(problem(url), RuleProblem::Wildcard, "{url}");
    }
    for url in ["https:///", "https://0x7f.1/", "https://a..b/", "https://a_b/", "https://metadata.google.internal/"] {
        assert!(matches!(problem(url), RuleProblem::Host(_)), "{url}");
    }
    for url in ["https://x.com/../", "https://x.com//", "https://x.com/%2e/", "https://x.com/é"] {
        assert!(matches!(problem(url), RuleProblem::Path(_)), "{url}");
    }
    for url in [
        "http://127.0.0.1/",
        "https://10.0.0.1/",
        "https://169.254.169.254/",
        "https://[fd00:ec2::254]/",
        "https://0.0.0.0/",
    ] {
        assert!(matches!(problem(url), RuleProblem::Address(_)), "{url}");
    }
}

#[test]
fn private_does_not_open_metadata() {
    let problem = |url: &str| {
        let mut text = RuleText::new(url);
        text.private = true;
        Rule::parse(&text).unwrap_err().problem().clone()
    };
    for address in ["169.254.169.254", "168.63.129.16", "192.0.0.192", "[fd00:42::42]", "[fd20:ce::254]"] {
        assert!(matches!(problem(&format!("http://{address}/")), RuleProblem::Address(_)), "{address}");
    }
    for name in hookbox_net::metadata::NAMES {
        assert!(matches!(problem(&format!("http://{name}/")), RuleProblem::Host(_)), "{name}");
    }
}

#[test]
fn methods_are_upper_case_tokens() {
    let with = |methods: &[&str]| {
        let mut text = RuleText::new("https://x.com/");
        text.methods = Some(methods.iter().map(|&method| method.to_owned()).collect());
        Rule::parse(&text).map_err(|error| error.problem().clone())
    };
    let rule = with(&["GET", "PROPFIND", "VERSION-CONTROL"]).unwrap();
    assert!(rule.covers_method(&Method::GET));
    assert!(!rule.covers_method(&Method::POST));
    assert!(!rule.covers_method(&Method::from_bytes(b"get").unwrap()));
    assert_eq!(with(&[]), Err(RuleProblem::NoMethod));
    for method in ["get", "CONNECT", "TRACE", "", "G T", "*", "GET\r\n", &"A".repeat(33)] {
        assert!(matches!(with(&[method]), Err(RuleProblem::Method(_))), "{method}");
    }
    let default = Rule::parse(&RuleText::new("https://x.com/")).unwrap();
    assert!(default.covers_method(&Method::GET) && !default.covers_method(&Method::HEAD));
}

#[test]
fn secrets_and_headers_are_checked() {
    let with = |url: &str, bearer: Option<&str>, headers: &[(&str, &str)]| {
        let mut text = RuleText::new(url);
        text.bearer = bearer.map(str::to_owned);
        text.headers = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        Rule::parse(&text)
    };
    let url = "https://x.com/";
    assert!(with(url, Some("env:TOKEN"), &[("X-Api-Key", "file:key")]).is_ok());
    for secret in ["hunter2", "env:", "env:1A", "env:A=B", "file:", "ENV:A"] {
        let error = with(url, Some(secret), &[]).unwrap_err();
        assert!(matches!(error.problem(), RuleProblem::Source { .. }), "{secret}");
        assert!(!error.to_string().contains("hunter2"), "{error}");
    }
    for name in ["host", "Content-Length", "transfer-encoding", "te", "a b", "", "x\r\ny", "connection"] {
        let error = with(url, None, &[(name, "env:A")]).unwrap_err();
        assert!(matches!(error.problem(), RuleProblem::Header(_)), "{name}");
    }
    let twice = with(url, Some("env:A"), &[("Authorization", "env:B")]).unwrap_err();
    assert!(matches!(twice.problem(), RuleProblem::Header(_)));
    let plain = with("http://x.com/", Some("env:A"), &[]).unwrap_err();
    assert_eq!(*plain.problem(), RuleProblem::PlainSecret);
    let mut public = RuleText::new("http://1.1.1.1/");
    public.private = true;
    assert!(Rule::parse(&public).is_ok());
    public.bearer = Some("env:A".to_owned());
    assert_eq!(*Rule::parse(&public).unwrap_err().problem(), RuleProblem::PlainSecret);
    let user = with("https://u:hunter2@x.com/", None, &[]).unwrap_err();
    assert!(!user.to_string().contains("hunter2"), "{user}");
}

#[test]
fn rules_are_tried_in_order() {
    let mut writes = RuleText::new("https://x.com/v1/");
    writes.methods = Some(vec!["POST".into()]);
    let rules =
        Rules::parse(&[RuleText::new("https://x.com/v1/"), writes, RuleText::new("https://x.com/v2/")]).unwrap();
    let target = |path| Target::parse("https", "x.com", path).unwrap();
    assert!(rules.find(&target("/v1/a"), &Method::GET).is_ok());
    assert!(rules.find(&target("/v1/a"), &Method::POST).unwrap().covers_method(&Method::POST));
    assert!(matches!(rules.find(&target("/v2/a"), &Method::POST), Err(Refusal::Method { .. })));
    assert!(matches!(rules.find(&target("/v3/a"), &Method::GET), Err(Refusal::NotGranted(_))));
    assert!(matches!(Rules::default().find(&target("/"), &Method::GET), Err(Refusal::NotGranted(_))));
}

#[test]
fn a_rule_that_is_never_used_is_an_error() {
    for (first, second) in [
        ("https://x.com/", "https://x.com/v1/"),
        ("https://*.x.com/", "https://a.x.com/"),
        ("https://*.x.com/", "https://*.a.x.com/"),
        ("https://x.com/v1", "https://x.com:443/v1/"),
    ] {
        let error = Rules::parse(&[RuleText::new(first), RuleText::new(second)]).unwrap_err();
        assert!(matches!(error.problem(), RuleProblem::Unreachable { .. }), "{second}");
        assert!(Rules::parse(&[RuleText::new(second), RuleText::new(first)]).is_ok(), "{second}");
    }
}

#[test]
fn ca_and_proxy_are_for_https() {
    let mut text = RuleText::new("http://x.com/");
    text.proxy = true;
    assert_eq!(*Rule::parse(&text).unwrap_err().problem(), RuleProblem::NeedsHttps("proxy"));
    let mut text = RuleText::new("http://x.com/");
    text.ca = Some("ca.pem".into());
    assert_eq!(*Rule::parse(&text).unwrap_err().problem(), RuleProblem::NeedsHttps("ca"));
}

#[test]
fn a_rule_is_read_from_toml_and_described() {
    #[derive(serde::Deserialize)]
    struct Grants {
        net: Vec<RuleText>,
    }
    let text = r#"net = [{ url = "https://*.x.com:8443/v1/", methods = ["GET", "POST"], bearer = "env:T",
        header = { x-key = "file:key" }, private = true, ca = "ca.pem", proxy = true }]"#;
    let grants: Grants = toml::from_str(text).unwrap();
    assert_eq!(
        Rule::parse(&grants.net[0]).unwrap().to_string(),
        "GET, POST https://*.x.com:8443/v1/, with `authorization` from `env:T`, with `x-key` from `file:key`, also on this \
         machine and in private networks, trusting only `ca.pem`, through the proxy of the environment, which resolves the name"
    );
    assert!(toml::from_str::<Grants>(r#"net = [{ url = "https://x.com/", method = "GET" }]"#).is_err());
}
