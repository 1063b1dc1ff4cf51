//! Tests of TLS: which certificates a client trusts.

use crate::support::server::Server;
use crate::support::tls::{Authority, self_signed};
use crate::support::{LONG, Names, call, client, client_with, failure, fetch, get, private, run, try_client};
use hookbox_net::{Client, ErrorKind, LoadError, Options};
use std::io::Write;
use std::process::Command;

fn url(server: &Server, host: &str) -> String {
    format!("https://{host}:{}/", server.address.port())
}

fn trusting(authority: &Authority, url: &str) -> Client {
    let mut rule = private(url);
    rule.ca = Some(authority.file());
    client_with(&[rule], Options::default().with_resolver(Names::new(&[&["127.0.0.1"]])))
}

#[test]
fn a_company_has_its_own_authority() {
    let authority = Authority::new();
    for (name, host) in [("good.test", "good.test"), ("*.good.test", "a.good.test"), ("127.0.0.1", "127.0.0.1")] {
        let server = authority.server(name, 1);
        let url = url(&server, host);
        assert_eq!(run(fetch(&call(&trusting(&authority, &url), LONG), get(&url))).unwrap().body(), "hello");
        server.assert_all_closed();
    }
}

#[test]
fn wrong_certificates_are_refused() {
    let authority = Authority::new();
    let (name, expired, own) =
        (authority.server("other.test", 1), authority.server("good.test", -1), self_signed("good.test"));
    let unknown = Authority::new().server("good.test", 1);
    for server in [name, expired, own, unknown] {
        let url = url(&server, "good.test");
        assert_eq!(failure(&trusting(&authority, &url), &url), ErrorKind::TlsCertificateError);
        server.assert_all_closed();
    }
}

#[test]
fn the_system_does_not_know_a_private_authority() {
    let server = Authority::new().server("127.0.0.1", 1);
    let url = url(&server, "127.0.0.1");
    let kind = failure(&client(&[private(&url)]), &url);
    // A machine without certificate authorities cannot trust any server.
    assert!(matches!(kind, ErrorKind::TlsCertificateError | ErrorKind::ConfigurationError), "{kind:?}");
}

#[test]
fn old_versions_of_tls_are_refused() {
    // These bytes are the hello of a server that chooses TLS 1.1.
    let mut hello = vec![0x16, 3, 2, 0, 42, 2, 0, 0, 38, 3, 2];
    hello.extend([7; 32]);
    hello.extend([0, 0xc0, 0x14, 0]);
    let server = Server::new(move |stream| {
        let _ = stream.write_all(&hello);
    });
    let url = url(&server, "good.test");
    let kind = failure(&trusting(&Authority::new(), &url), &url);
    assert_eq!(kind, ErrorKind::TlsProtocolError);
    server.assert_all_closed();
}

#[test]
fn what_is_not_tls_is_refused() {
    let alert = Server::new(|stream| {
        let _ = stream.write_all(&[0x15, 3, 3, 0, 2, 2, 40]);
    });
    let http = Server::answering("HTTP/1.1 400 Bad Request\r\n\r\n");
    let ssh = Server::new(|stream| {
        let _ = stream.write_all(b"SSH-2.0-OpenSSH_9.2p1\r\n");
        let _ = stream.shutdown(std::net::Shutdown::Write);
    });
    let closed = Server::new(|stream| stream.shutdown(std::net::Shutdown::Both).unwrap());
    let authority = Authority::new();
    for (server, expected) in
        [(alert, Some(ErrorKind::TlsAlertReceived)), (ssh, Some(ErrorKind::TlsProtocolError)), (closed, None)]
    {
        let url = url(&server, "good.test");
        let kind = failure(&trusting(&authority, &url), &url);
        assert!(expected.is_none_or(|expected| expected == kind), "{kind:?}");
    }
    drop(http);
}

#[test]
fn files_of_authorities_are_checked() {
    let dir = tempfile::tempdir().unwrap();
    let load = |name: &str, content: &[u8]| {
        std::fs::write(dir.path().join("ca.pem"), content).unwrap();
        let mut rule = private("https://good.test/");
        rule.ca = Some(name.into());
        match try_client(&[rule], Options::default(), &|_| None, dir.path()) {
            Err(LoadError::Ca(error)) => error.to_string(),
            other => panic!("{other:?}"),
        }
    };
    assert!(load("none.pem", b"").contains("cannot be opened"));
    assert!(load("ca.pem", b"").contains("no certificate"));
    assert!(load("ca.pem", b"hello").contains("no certificate"));
    assert!(load("ca.pem", b"-----BEGIN CERTIFICATE-----\n!!\n-----END CERTIFICATE-----\n").contains("not valid"));
    assert!(load("ca.pem", b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n").contains("not valid"));
    assert!(load("ca.pem", &vec![b'x'; 2 << 20]).contains("larger than 1 MiB"));
}

/// Opening a pipe waits until somebody writes into it.
#[test]
fn a_pipe_as_the_file_of_authorities_is_refused_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().to_owned();
    assert!(Command::new("mkfifo").arg(path.join("ca.pem")).status().unwrap().success());
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let mut rule = private("https://good.test/");
        rule.ca = Some("ca.pem".into());
        let problem = match try_client(&[rule], Options::default(), &|_| None, &path) {
            Err(LoadError::Ca(error)) => error.to_string(),
            other => format!("{other:?}"),
        };
        let _ = sender.send(problem);
    });
    let problem = receiver.recv_timeout(LONG).expect("it waits for a writer");
    assert!(problem.contains("is not a regular file"), "{problem}");
}

/// Runs a test of this file again, in a process whose environment names other certificates and a proxy.
#[test]
fn the_environment_has_no_effect() {
    const CHILD: &str = "HOOKBOX_NET_TEST_CHILD";
    if std::env::var_os(CHILD).is_some() {
        return the_system_does_not_know_a_private_authority();
    }
    let authority = Authority::new();
    let server = authority.server("127.0.0.1", 1);
    let proxy = Server::answering("HTTP/1.1 200 OK\r\n\r\n");
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "tls::child_believes_the_system_alone", "--ignored"])
        .env(CHILD, url(&server, "127.0.0.1"))
        .env("SSL_CERT_FILE", authority.file())
        .env("SSL_CERT_DIR", authority.file().parent().unwrap())
        .envs(
            ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"]
                .map(|name| (name, proxy.url(""))),
        )
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("1 passed"), "{text}");
    assert_eq!((server.accepted(), proxy.accepted()), (1, 0));
}

#[test]
#[ignore = "run by `the_environment_has_no_effect`"]
fn child_believes_the_system_alone() {
    let url = std::env::var("HOOKBOX_NET_TEST_CHILD").unwrap();
    let variables = |name: &str| std::env::var_os(name);
    let client = try_client(&[private(&url)], Options::default(), &variables, "/".as_ref()).unwrap();
    let kind = failure(&client, &url);
    assert!(matches!(kind, ErrorKind::TlsCertificateError | ErrorKind::ConfigurationError), "{kind:?}");
}
