//! Tests of proxies, which are used only if a rule says so, and only as tunnels.

use crate::support::server::{Server, read_request};
use crate::support::tls::Authority;
use crate::support::{LONG, Names, SHORT, call, fetch, get, private, run, try_client};
use hookbox_net::{Client, Error, ErrorKind, LoadError, Options};
use std::ffi::OsString;
use std::io::{self, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

/// Starts a proxy that connects every tunnel to one address and keeps the requests.
fn proxy(to: SocketAddr) -> (Server, Arc<Mutex<Vec<String>>>) {
    let requests = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&requests);
    let server = Server::new(move |client| {
        let request = read_request(client).unwrap();
        kept.lock().unwrap().push(String::from_utf8(request).unwrap());
        let mut target = TcpStream::connect(to).unwrap();
        client.write_all(b"HTTP/1.1 200 Connection established\r\nx: y\r\n\r\n").unwrap();
        let (mut from, mut back) = (target.try_clone().unwrap(), client.try_clone().unwrap());
        thread::spawn(move || {
            let _ = io::copy(&mut from, &mut back);
        });
        let _ = io::copy(client, &mut target);
        let _ = target.shutdown(Shutdown::Both);
    });
    (server, requests)
}

fn client(authority: &Authority, url: &str, variables: &[(&str, String)]) -> Result<Client, LoadError> {
    let mut rule = private(url);
    rule.ca = Some(authority.file());
    rule.proxy = true;
    let find = |name: &str| variables.iter().find(|(other, _)| *other == name).map(|(_, value)| OsString::from(value));
    let options = Options::default().with_resolver(Names::new(&[&["127.0.0.1"]]));
    try_client(&[rule], options, &find, "/".as_ref())
}

#[test]
fn https_goes_through_a_tunnel() {
    let authority = Authority::new();
    let server = authority.server("good.test", 1);
    let (proxy, requests) = proxy(server.address);
    for (variable, user, basic) in [
        // Base64 of `us@er:hunter2`.
        ("HTTPS_PROXY", "us%40er:hunter2", "dXNAZXI6aHVudGVyMg=="),
        // Base64 of `token:`.
        ("https_proxy", "token", "dG9rZW46"),
    ] {
        let value = format!("http://{user}@{}/", proxy.address);
        let client = client(&authority, "https://good.test/", &[(variable, value)]).unwrap();
        assert!(!format!("{client:?}").contains("hunter2"));
        assert_eq!(run(fetch(&call(&client, LONG), get("https://good.test/"))).unwrap().body(), "hello");
        assert_eq!(
            requests.lock().unwrap().pop().unwrap(),
            format!(
                "CONNECT good.test:443 HTTP/1.1\r\nHost: good.test:443\r\nProxy-Authorization: Basic {basic}\r\n\r\n"
            )
        );
    }
}

#[test]
fn hosts_of_no_proxy_are_connected_to_directly() {
    let authority = Authority::new();
    let server = authority.server("a.good.test", 1);
    let (proxy, requests) = proxy(server.address);
    let url = format!("https://a.good.test:{}/", server.address.port());
    for (list, direct) in [
        ("good.test", true),
        (".good.test", true),
        ("x, a.good.test ", true),
        ("*", true),
        ("*.good.test", true),
        ("", false),
        ("ood.test", false),
        ("b.good.test", false),
        ("127.0.0.1", false),
        ("10.0.0.0/8", false),
        (",,%", false),
    ] {
        let variables = [("HTTPS_PROXY", proxy.url("")), ("NO_PROXY", list.to_owned())];
        let client = client(&authority, &url, &variables).unwrap();
        assert_eq!(run(fetch(&call(&client, LONG), get(&url))).unwrap().body(), "hello", "{list}");
        assert_eq!(requests.lock().unwrap().pop().is_none(), direct, "{list}");
    }
}

#[test]
fn a_rule_without_proxy_does_not_use_one() {
    let server = Server::answering("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
    let (proxy, requests) = proxy(server.address);
    let variables = |_: &str| Some(OsString::from(proxy.url("")));
    let client = try_client(&[private(&server.url("/"))], Options::default(), &variables, "/".as_ref()).unwrap();
    assert_eq!(run(fetch(&call(&client, LONG), get(&server.url("/")))).unwrap().body(), "ok");
    assert!(requests.lock().unwrap().is_empty());
}

#[test]
fn proxies_that_cannot_be_used_are_errors() {
    let authority = Authority::new();
    for value in [
        "https://hunter2@x.test/",
        "socks5://x.test",
        "http://",
        "http://x:0",
        "http://a b",
        "http://%zz:hunter2@x.test",
    ] {
        let error = client(&authority, "https://good.test/", &[("HTTPS_PROXY", value.to_owned())]).unwrap_err();
        assert!(matches!(error, LoadError::Proxy(_)), "{value}");
        assert!(!format!("{error} {error:?}").contains("hunter2"), "{error:?}");
    }
    assert!(client(&authority, "https://good.test/", &[("HTTPS_PROXY", String::new())]).is_ok());
}

fn answered(answer: &'static [u8]) -> Error {
    let authority = Authority::new();
    let server = Server::new(move |stream| {
        read_request(stream);
        let _ = stream.write_all(answer);
    });
    let client = client(&authority, "https://good.test/", &[("HTTPS_PROXY", server.url(""))]).unwrap();
    let error = run(fetch(&call(&client, SHORT), get("https://good.test/"))).unwrap_err();
    server.assert_all_closed();
    error
}

#[test]
fn a_proxy_may_refuse_or_hang() {
    assert_eq!(answered(b"HTTP/1.1 407 Who are you\r\n\r\n").kind(), ErrorKind::ConfigurationError);
    assert_eq!(answered(b"HTTP/1.1 403 No\r\n\r\n").kind(), ErrorKind::DestinationUnavailable);
    assert_eq!(answered(b"SSH-2.0\r\n\r\n").kind(), ErrorKind::DestinationUnavailable);
    assert_eq!(answered(b"HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200 OK\r\n").kind(), ErrorKind::DestinationUnavailable);
    assert_eq!(answered(&[b'x'; 10_000]).kind(), ErrorKind::DestinationUnavailable);
    assert_eq!(answered(b"").kind(), ErrorKind::ConnectionTimeout);
    assert_eq!(answered(b"HTTP/1.1 200 OK\r\n").kind(), ErrorKind::ConnectionTimeout);
}

/// An environment variable must not lead to an address that no rule can allow.
#[test]
fn a_proxy_at_a_metadata_or_link_local_address_is_refused() {
    let authority = Authority::new();
    for host in [
        "169.254.169.254",
        "169.254.1.1",
        "100.100.100.200",
        "168.63.129.16",
        "0.0.0.0",
        "[fe80::1]",
        "[fd00:ec2::254]",
    ] {
        let value = format!("http://{host}:3128");
        let client = client(&authority, "https://good.test/", &[("HTTPS_PROXY", value)]).unwrap();
        let error = run(fetch(&call(&client, SHORT), get("https://good.test/"))).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::DestinationIpProhibited, "{host}: {error:?}");
    }
    let mut rule = private("https://good.test/");
    rule.proxy = true;
    let find = |name: &str| (name == "https_proxy").then(|| OsString::from("http://proxy.test"));
    let options = Options::default().with_resolver(Names::new(&[&["127.0.0.1", "169.254.169.254"]]));
    let client = try_client(&[rule], options, &find, "/".as_ref()).unwrap();
    let error = run(fetch(&call(&client, SHORT), get("https://good.test/"))).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DestinationIpProhibited, "by its name: {error:?}");
}
