//! Tests of names: every address must be allowed, and only addresses that were checked are connected to.

use crate::support::server::Server;
use crate::support::{LONG, Names, SHORT, call, client_with, failure, fetch, get, private, run};
use hookbox_net::{BlockingResolver, ErrorKind, MAX_LOOKUPS, Options, RuleText};
use std::net::{IpAddr, Ipv4Addr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};

fn client(rule: RuleText, names: Names) -> hookbox_net::Client {
    client_with(&[rule], Options::default().with_resolver(names))
}

#[test]
fn a_name_is_looked_up_once_and_connected_to_that_address() {
    let first = Server::answering("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nfirst");
    let port = first.address.port();
    let second = Server::on(&format!("127.0.0.2:{port}"), |_| {});
    let names = Names::new(&[&["127.0.0.1"], &["127.0.0.2"]]);
    let client = client(private(&format!("http://x.test:{port}/")), names.clone());
    let response = run(fetch(&call(&client, LONG), get(&format!("http://x.test:{port}/")))).unwrap();
    assert_eq!(response.body(), "first");
    assert_eq!(names.lookups.load(Ordering::SeqCst), 1);
    assert_eq!(second.accepted(), 0);
}

/// The first lookup returns a public address, and the second would return a loopback address. The check and the
/// connection share one lookup.
#[test]
fn a_name_that_changes_is_checked_each_time() {
    let server = Server::echo();
    let url = format!("http://x.test:{}/", server.address.port());
    let names = Names::new(&[&["192.0.2.1"], &["127.0.0.1"]]);
    let client = client(RuleText::new(&url), names.clone());
    for _ in 0..2 {
        assert_eq!(failure(&client, &url), ErrorKind::DestinationIpProhibited);
    }
    assert_eq!(names.lookups.load(Ordering::SeqCst), 2);
    assert_eq!(server.accepted(), 0);
}

#[test]
fn one_refused_address_condemns_the_name() {
    let server = Server::echo();
    let url = format!("http://x.test:{}/", server.address.port());
    for addresses in [
        &["1.1.1.1", "127.0.0.1"][..],
        &["127.0.0.1", "1.1.1.1"],
        &["2606:4700::1", "::1"],
        &["1.1.1.1", "1.0.0.1", "8.8.8.8", "8.8.4.4", "9.9.9.9", "127.0.0.1"],
    ] {
        let client = client(RuleText::new(&url), Names::new(&[addresses]));
        assert_eq!(failure(&client, &url), ErrorKind::DestinationIpProhibited, "{addresses:?}");
    }
    // The same holds for a private name that also has the address of a metadata service.
    let client = client(private(&url), Names::new(&[&["127.0.0.1", "169.254.169.254"]]));
    assert_eq!(failure(&client, &url), ErrorKind::DestinationIpProhibited);
    assert_eq!(server.accepted(), 0);
}

#[test]
fn no_form_of_a_private_address_is_connected_to() {
    let server = Server::echo();
    let url = format!("http://x.test:{}/", server.address.port());
    for address in [
        "127.0.0.1",
        "::1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "64:ff9b::a00:1",
        "64:ff9b::7f00:1",
        "2002:7f00:1::",
        "fe80::1",
        "0.0.0.0",
        "168.63.129.16",
        "169.254.169.254",
        "100.100.100.200",
        "10.0.0.1",
        "::",
        "::127.0.0.1",
        "fd00:ec2::254",
    ] {
        let client = client(RuleText::new(&url), Names::new(&[&[address]]));
        assert_eq!(failure(&client, &url), ErrorKind::DestinationIpProhibited, "{address}");
    }
    for address in
        ["169.254.169.254", "0.0.0.0", "fe80::1", "::", "100.100.100.200", "168.63.129.16", "64:ff9b::7f00:1"]
    {
        let client = client(private(&url), Names::new(&[&[address]]));
        assert_eq!(failure(&client, &url), ErrorKind::DestinationIpProhibited, "{address}");
    }
    assert_eq!(server.accepted(), 0);
}

#[test]
fn the_operator_is_told_the_address_and_the_guest_is_not() {
    let url = "http://x.test/secret?query";
    let client = client(RuleText::new("http://x.test/"), Names::new(&[&["10.1.2.3"]]));
    let error = run(fetch(&call(&client, LONG), get(url))).unwrap_err();
    assert!(!error.to_string().contains("10.1.2.3"), "{error}");
    assert!(
        error.warning().contains("10.1.2.3") && error.warning().contains("http://x.test/secret"),
        "{}",
        error.warning()
    );
    assert!(!error.warning().contains("query"));
}

#[test]
fn the_next_address_is_tried() {
    let server = Server::answering("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
    let url = format!("http://x.test:{}/", server.address.port());
    let client_of = |names: &[&str]| client(private(&url), Names::new(&[names]));
    let response = run(fetch(&call(&client_of(&["127.0.0.3", "127.0.0.2", "127.0.0.1"]), LONG), get(&url))).unwrap();
    assert_eq!(response.body(), "ok");
    // The fifth address is not tried.
    let five = client_of(&["127.0.0.2", "127.0.0.3", "127.0.0.4", "127.0.0.5", "127.0.0.1"]);
    assert_eq!(failure(&five, &url), ErrorKind::ConnectionRefused);
    assert_eq!(server.accepted(), 1);
}

#[test]
fn unknown_names_are_errors() {
    let url = "http://x.test/";
    assert_eq!(failure(&client(private(url), Names::new(&[])), url), ErrorKind::DnsError);
    assert_eq!(failure(&client(private(url), Names::new(&[&[]])), url), ErrorKind::DnsError);
}

#[test]
fn the_systems_resolver_knows_this_machine() {
    let server = Server::answering("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
    let url = format!("http://localhost:{}/", server.address.port());
    let client = client_with(&[private(&url)], Options::default());
    assert_eq!(run(fetch(&call(&client, LONG), get(&url))).unwrap().body(), "ok");
    let client = client_with(&[RuleText::new(&url)], Options::default());
    assert_eq!(failure(&client, &url), ErrorKind::DestinationIpProhibited);
}

#[test]
fn hanging_look_ups_hold_few_threads_and_nobody_else() {
    let (running, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let (release, wait) = mpsc::channel::<()>();
    let wait = Mutex::new(wait);
    let (counted, peak) = (Arc::clone(&running), Arc::clone(&most));
    let resolver = BlockingResolver::new(MAX_LOOKUPS, move |_| {
        let now = counted.fetch_add(1, Ordering::SeqCst) + 1;
        peak.fetch_max(now, Ordering::SeqCst);
        let _ = wait.lock().unwrap().recv();
        counted.fetch_sub(1, Ordering::SeqCst);
        Ok(vec![IpAddr::V4(Ipv4Addr::LOCALHOST)])
    });
    let options = Options::default().with_connect_timeout(SHORT).with_resolver(resolver);
    let client = client_with(&[private("http://x.test/")], options);
    let start = Instant::now();
    run(async {
        let calls: Vec<_> = (0..64).map(|_| call(&client, LONG)).collect();
        let requests = calls.iter().map(|call| fetch(call, get("http://x.test/")));
        for result in futures_util::future::join_all(requests).await {
            assert_eq!(result.unwrap_err().kind(), ErrorKind::DnsTimeout);
        }
    });
    assert!(start.elapsed() < LONG);
    assert_eq!(most.load(Ordering::SeqCst), MAX_LOOKUPS);
    drop(release);
    while running.load(Ordering::SeqCst) > 0 {
        std::thread::sleep(Duration::from_millis(1));
    }
}
