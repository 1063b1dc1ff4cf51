//! Tests of the shared store over TLS.

use crate::shared::{assert_no_secret, program};
use crate::support::{bucket, skip};
use hookbox_store::{ErrorKind, Store};
use std::path::Path;
use std::process::{Command, Stdio};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

#[tokio::test]
async fn tls_is_not_given_up_for_a_server_without_it() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("rediss://:sesame@localhost:{}", listener.local_addr().unwrap().port());
    let server = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut heard = Vec::new();
        let mut part = [0; 4096];
        let read = stream.read(&mut part).await.unwrap();
        heard.extend_from_slice(&part[..read]);
        let _ = stream.write_all(b"+OK\r\n").await;
        heard
    });
    let store = Store::shared(&url).unwrap();
    let error = bucket(&store, "hook").get("key").await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unavailable, "{error}");
    assert_no_secret(&[format!("{error:?}")]);
    if error.to_string().contains("no root certificates") {
        skip("this system has no root certificates");
        return;
    }
    let heard = server.await.unwrap();
    assert_eq!(heard[0], 0x16, "a TLS handshake");
    assert_no_secret(&[String::from_utf8_lossy(&heard).into_owned()]);
}

/// The variable that tells a process of this program which server to use.
const URL: &str = "HOOKBOX_STORE_TEST_URL";

/// This is not a test, but the task of a process with other root certificates. It answers on stderr.
#[tokio::test]
async fn another_process() {
    let Ok(url) = std::env::var(URL) else { return };
    match bucket(&Store::shared(&url).unwrap(), "hook").increment("counter", 1).await {
        Ok(number) => eprintln!("{number}"),
        Err(error) => eprintln!("{:?}: {error}", error.kind()),
    }
}

fn openssl(dir: &Path, args: &str) -> bool {
    let mut command = Command::new("openssl");
    command.args(args.split(' ')).current_dir(dir).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

#[tokio::test]
async fn certificates_are_verified() {
    let Some(program) = program() else { return };
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("name"), "subjectAltName=DNS:localhost").unwrap();
    let curve = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";
    let made = openssl(dir.path(), &format!("req -x509 {curve} -keyout ca.key -out ca.pem -subj /CN=ca -days 2"))
        && openssl(dir.path(), &format!("req {curve} -keyout key.pem -out request.pem -subj /CN=localhost"))
        && openssl(
            dir.path(),
            "x509 -req -in request.pem -CA ca.pem -CAkey ca.key -CAcreateserial -out cert.pem -days 2 -extfile name",
        );
    if !made {
        skip("there is no `openssl` that makes certificates");
        return;
    }
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port().to_string();
    let mut server = Command::new(program);
    server.args(["--port", "0", "--tls-port", &port, "--bind", "127.0.0.1", "--save", "", "--tls-auth-clients", "no"]);
    server.args(["--tls-cert-file", "cert.pem", "--tls-key-file", "key.pem", "--tls-ca-cert-file", "ca.pem"]);
    let mut server = server.current_dir(dir.path()).stdout(Stdio::null()).spawn().unwrap();
    let up = (0..300).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(10));
        std::net::TcpStream::connect(format!("127.0.0.1:{port}")).is_ok()
    });
    let ask = |host: &str, roots: &str| {
        let mut process = Command::new(std::env::current_exe().unwrap());
        process.args(["--exact", "tls::another_process", "--nocapture"]).env_remove("SSL_CERT_DIR");
        process.env(URL, format!("rediss://{host}:{port}")).env("SSL_CERT_FILE", dir.path().join(roots));
        String::from_utf8(process.output().unwrap().stderr).unwrap()
    };
    let answers = [("localhost", "ca.pem"), ("localhost", "cert.pem"), ("127.0.0.1", "ca.pem")]
        .map(|(host, roots)| if up { ask(host, roots) } else { String::new() });
    server.kill().unwrap();
    server.wait().unwrap();
    if !up {
        skip("the server has no TLS");
        return;
    }
    assert_eq!(answers[0].trim(), "1");
    for refused in &answers[1..] {
        assert!(refused.starts_with("Unavailable") && refused.contains("certificate"), "{refused}");
    }
}
