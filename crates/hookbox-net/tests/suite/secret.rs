//! Tests of secrets: who may own them, and that nothing reveals them.

use crate::support::server::Server;
use crate::support::{LONG, Names, call, client_with, fetch, get, private, run, try_client};
use hookbox_net::{Error, ErrorKind, LoadError, Options, RuleText, SecretProblem};
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

const VALUE: &str = "hunter2-hunter2";

fn rule(source: &str) -> RuleText {
    let mut rule = private("https://127.0.0.1/");
    rule.bearer = Some(source.to_owned());
    rule
}

fn problem(source: &str, value: Option<OsString>, dir: &Path) -> SecretProblem {
    match try_client(&[rule(source)], Options::default(), &|_| value.clone(), dir) {
        Ok(_) => panic!("{source} is accepted"),
        Err(LoadError::Secret(error)) => {
            assert!(!format!("{error} {error:?}").contains("hunter2"), "{error:?}");
            error.problem().clone()
        }
        Err(other) => panic!("{other}"),
    }
}

fn file(dir: &Path, name: &str, mode: u32, value: &str) {
    fs::write(dir.join(name), value).unwrap();
    fs::set_permissions(dir.join(name), fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn variables_are_checked() {
    let dir = Path::new("/");
    assert_eq!(problem("env:T", None, dir), SecretProblem::Unset);
    for (value, expected) in [
        ("", SecretProblem::Empty),
        ("hunter2\r\nx: y", SecretProblem::Characters),
        ("hunter2\n", SecretProblem::Characters),
        (" hunter2", SecretProblem::Characters),
        ("hunter2 ", SecretProblem::Characters),
        ("hunter2é", SecretProblem::Characters),
        ("hunter2\0", SecretProblem::Characters),
        (&"hunter2".repeat(2000), SecretProblem::TooLong),
    ] {
        assert_eq!(problem("env:T", Some(value.into()), dir), expected);
    }
}

#[test]
fn files_are_the_users_alone() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    for mode in [0o644, 0o640, 0o620, 0o601, 0o660] {
        file(dir, "open", mode, VALUE);
        assert_eq!(problem("file:open", None, dir), SecretProblem::Open(mode));
    }
    file(dir, "good", 0o600, VALUE);
    symlink(dir.join("good"), dir.join("link")).unwrap();
    assert_eq!(problem("file:link", None, dir), SecretProblem::Symlink);
    assert_eq!(problem("file:.", None, dir), SecretProblem::NotAFile);
    assert!(matches!(problem("file:none", None, dir), SecretProblem::Io(_)));
    rustix::fs::mkfifoat(rustix::fs::CWD, dir.join("pipe"), rustix::fs::Mode::from(0o600)).unwrap();
    assert_eq!(problem("file:pipe", None, dir), SecretProblem::NotAFile);
    file(dir, "empty", 0o600, "\n");
    assert_eq!(problem("file:empty", None, dir), SecretProblem::Empty);
    file(dir, "lines", 0o600, "hunter2\n\n");
    assert_eq!(problem("file:lines", None, dir), SecretProblem::Characters);
    file(dir, "long", 0o600, &"hunter2".repeat(1 << 20));
    assert_eq!(problem("file:long", None, dir), SecretProblem::TooLong);
}

#[test]
fn foreign_files_are_refused() {
    if rustix::process::geteuid().is_root() {
        let dir = tempfile::tempdir().unwrap();
        file(dir.path(), "foreign", 0o600, VALUE);
        std::os::unix::fs::chown(dir.path().join("foreign"), Some(12345), None).unwrap();
        assert_eq!(problem("file:foreign", None, dir.path()), SecretProblem::Foreign);
    } else {
        // This file of root can be read by all users. It is open to others, too, but the owner is checked first.
        assert_eq!(problem("file:/etc/passwd", None, Path::new("/")), SecretProblem::Foreign);
    }
}

/// Sends a request with a secret to a server that sends everything back, and returns the answer.
fn echoed(source: &str, dir: &Path) -> String {
    let server = Server::echo();
    let mut rule = private(&server.url("/"));
    rule.bearer = Some(source.to_owned());
    rule.headers.insert("x-key".into(), "env:KEY".into());
    let variables = |name: &str| Some(OsString::from(if name == "KEY" { "k y" } else { VALUE }));
    let client = try_client(&[rule], Options::default(), &variables, dir).unwrap();
    assert!(!format!("{client:?}").contains("hunter2"));
    let response = run(fetch(&call(&client, LONG), get(&server.url("/")))).unwrap();
    String::from_utf8(response.into_body().to_vec()).unwrap()
}

#[test]
fn the_host_adds_the_secret() {
    let dir = tempfile::tempdir().unwrap();
    file(dir.path(), "token", 0o600, &format!("{VALUE}\n"));
    file(dir.path(), "windows", 0o400, &format!("{VALUE}\r\n"));
    for source in ["env:T", "file:token", "file:windows"] {
        let head = echoed(source, dir.path());
        assert!(head.contains(&format!("\r\nauthorization: Bearer {VALUE}\r\n")), "{head}");
        assert!(head.contains("\r\nx-key: k y\r\n"), "{head}");
    }
}

#[test]
fn failures_do_not_show_the_secret() {
    // Each server sends the secret back in a form that makes the response fail.
    for answer in
        ["HTTP/1.1 hunter2-hunter2\r\n\r\n", "hunter2-hunter2\r\n\r\n", "HTTP/1.1 200 OK\r\nhunter2-hunter2\r\n\r\n"]
    {
        let server = Server::answering(answer);
        let mut rule = private(&server.url("/"));
        rule.bearer = Some("env:T".into());
        let client = try_client(&[rule], Options::default(), &|_| Some(VALUE.into()), Path::new("/")).unwrap();
        let error: Error = run(fetch(&call(&client, LONG), get(&server.url("/")))).unwrap_err();
        let shown = format!("{error} {error:?} {}", error.warning());
        assert!(!shown.contains("hunter2"), "{shown}");
    }
}

#[test]
fn secrets_go_to_their_rule_alone() {
    let server = Server::echo();
    let mut with = private(&server.url("/with/"));
    with.bearer = Some("env:T".into());
    let rules = [with, private(&server.url("/without/"))];
    let client = try_client(&rules, Options::default(), &|_| Some(VALUE.into()), Path::new("/")).unwrap();
    let response = run(fetch(&call(&client, LONG), get(&server.url("/without/")))).unwrap();
    assert!(!String::from_utf8_lossy(response.body()).contains("hunter2"));
    drop(client_with(&[], Options::default()));
}

/// Outside its own network, a private name may belong to anyone.
#[test]
fn a_secret_in_plain_text_stays_in_private_networks() {
    let server = Server::echo();
    let url = format!("http://x.test:{}/", server.address.port());
    let mut rule = private(&url);
    rule.bearer = Some("env:T".into());
    let send = |addresses: &[&str]| {
        let options = Options::default().with_resolver(Names::new(&[addresses]));
        let client = try_client(&[rule.clone()], options, &|_| Some(VALUE.into()), Path::new("/")).unwrap();
        run(fetch(&call(&client, LONG), get(&url)))
    };
    for public in [&["127.0.0.1", "1.1.1.1"][..], &["2606:4700::1"]] {
        let error = send(public).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::DestinationIpProhibited, "{public:?}: {error}");
    }
    assert_eq!(server.accepted(), 0);
    assert!(send(&["127.0.0.1"]).is_ok());
}
