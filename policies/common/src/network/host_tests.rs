use super::super::metadata;
use super::super::reach::Reach;
use super::*;
use proptest::prelude::*;

fn name(url: &str) -> String {
    match target(url) {
        Target::Host(host) => host.show(),
        other => format!("{other:?}"),
    }
}

fn host(url: &str) -> Option<Host> {
    match target(url) {
        Target::Host(host) => Some(host),
        _ => None,
    }
}

fn reach(url: &str) -> Option<Reach> {
    host(url).map(|host| host.reach())
}

#[test]
fn hosts_of_urls() {
    for (url, host) in [
        ("https://Example.COM./x", "example.com"),
        ("example.com", "example.com"),
        ("example.com/a?b", "example.com"),
        ("https://example.com:443/", "example.com"),
        ("https://example.com:8443/", "example.com:8443"),
        ("localhost:3000", "localhost:3000"),
        ("localhost:\u{F0000}/x", "localhost"),
        ("https://good.com@evil.com/", "evil.com"),
        ("https://good.com:x@evil.com/", "evil.com"),
        ("https://\u{F0000}@github.com/a", "github.com"),
        ("https://evil.com#@good.com", "evil.com"),
        ("https://evil.com?@good.com", "evil.com"),
        ("https:\\\\evil.com", "evil.com"),
        ("https:///evil.com", "evil.com"),
        ("//evil.com/x", "evil.com"),
        ("HTTPS://e%76il.com", "evil.com"),
        ("https://evil。com", "evil.com"),
        ("git+ssh://git@github.com/a/b", "github.com"),
        ("[::1]:80", "[::1]:80"),
        ("file:///etc/passwd", "File"),
        ("data:text/html,x", "Nowhere"),
        ("https://\u{F0000}/x", "Opaque"),
        ("https://a.com\u{F0000}/x", "Opaque"),
        ("\u{F0000}://a.com/x", "Opaque"),
        ("\u{F0000}", "Opaque"),
        ("http://{a,b}.com/", "Opaque"),
    ] {
        assert_eq!(name(url), host, "{url}");
    }
}

#[test]
fn spellings_of_addresses() {
    for metadata in [
        "169.254.169.254",
        "http://169.254.169.254/latest",
        "http://2852039166/",
        "http://0xa9fea9fe/",
        "http://0xa9.0xfe.0xa9.0xfe/",
        "http://0251.0376.0251.0376/",
        "http://169.254.43518/",
        "http://169.16689662/",
        "http://[::ffff:169.254.169.254]/",
        "http://[::ffff:a9fe:a9fe]/",
        "http://[64:ff9b::a9fe:a9fe]/",
        "http://[2002:a9fe:a9fe::]/",
        "http://[fd00:ec2::254]/",
        "http://[fe80::1%25eth0]/",
        "http://169.254.169.254.nip.io/",
        "http://x.169-254-169-254.sslip.io/",
        "http://a9fea9fe.nip.io/",
        "http://169.254.169.254./",
        "http://１６９.254.169.254/",
        "http://metadata.google.internal./",
        "http://METADATA/",
        "http://100.100.100.200/",
        "http://168.63.129.16/",
        "http://169.254.170.2/v2",
        "http://[fd00:42::42]/",
        "http://192.0.0.192/",
    ] {
        assert_eq!(reach(metadata), Some(Reach::Metadata), "{metadata}");
    }
    for name in metadata::NAMES {
        assert_eq!(reach(&format!("http://{name}/")), Some(Reach::Metadata), "{name}");
    }
    for local in [
        "http://127.0.0.1:80/",
        "http://127.1/",
        "http://2130706433/",
        "http://0/",
        "http://0.0.0.0:8000/",
        "[::1]:3000",
        "http://[::ffff:127.0.0.1]/",
        "http://app.localhost/",
        "localhost",
    ] {
        assert_eq!(reach(local), Some(Reach::Local), "{local}");
    }
    for other in ["http://10.0.0.1/", "http://256.1.1.1/", "http://localhost.evil.com/", "http://nip.io", "1.1.1.1"] {
        assert_eq!(reach(other), Some(Reach::Other), "{other}");
    }
}

#[test]
fn posing() {
    let posing = |url| host(url).and_then(|host| host.posing_as);
    assert_eq!(posing("https://github.com@evil.com/").as_deref(), Some("github.com"));
    assert_eq!(posing("https://first.last:token@git.example.com/"), None);
    assert!(host("https://good.com\\@evil.com/").is_some_and(|host| host.is_disputed));
}

proptest! {
    #[test]
    fn any_text_can_be_read(text in ".*") {
        let _ = target(&text);
        let _ = looks_like_host(&text);
    }

    #[test]
    fn case_and_a_dot_change_nothing(label in "[a-z]{1,9}", port in 1u16..) {
        let plain = target(&format!("https://{label}.example.com:{port}/x"));
        prop_assert_eq!(&plain, &target(&format!("HTTPS://{}.EXAMPLE.com.:{port}/y", label.to_uppercase())));
    }

    #[test]
    fn a_number_is_the_same_address(value: u32) {
        let dotted = Ipv4Addr::from(value).to_string();
        prop_assert_eq!(name(&format!("http://{value}/")), dotted.clone());
        prop_assert_eq!(name(&format!("http://{value:#x}/")), dotted.clone());
        prop_assert_eq!(name(&format!("http://[::ffff:{dotted}]/")), dotted);
    }
}
