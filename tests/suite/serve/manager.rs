//! A service manager that passes the socket and is told what happens, as systemd is.

use super::client::RULE;
use super::server::{Server, body};
use crate::support::project::Project;
use rustix::process::Signal;
use serde_json::Value;
use std::os::fd::OwnedFd;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{UnixDatagram, UnixListener};
use std::process::Command;
use std::time::{Duration, Instant};

const ALLOWED: &str = r#"{"input":{"event":"pre_tool","tool_name":"bash","tool_input":{"command":"ls"}}}"#;

/// Waits for a message with this line.
#[track_caller]
fn wait_for(told: &UnixDatagram, line: &str) -> String {
    let end = Instant::now() + Duration::from_secs(20);
    while Instant::now() < end {
        let mut message = [0; 1024];
        let Ok(length) = told.recv(&mut message) else { continue };
        let message = String::from_utf8_lossy(&message[..length]).into_owned();
        if message.lines().any(|known| known == line) {
            return message;
        }
    }
    panic!("the manager was not told {line}");
}

#[test]
fn a_manager_passes_the_socket_and_is_told() {
    let project = Project::new().user(RULE);
    let socket = project.home().join("passed.sock");
    let passed = UnixListener::bind(&socket).unwrap();
    let told = UnixDatagram::bind(project.home().join("notify.sock")).unwrap();
    told.set_read_timeout(Some(Duration::from_millis(200))).unwrap();
    // Descriptor 3 is the first that a manager passes.
    let script = format!(
        "exec 3<&0 </dev/null; export LISTEN_FDS=1 LISTEN_PID=$$ WATCHDOG_PID=$$; exec '{}' serve --listen unix:/not/used",
        assert_cmd::cargo::cargo_bin("hookbox").display()
    );
    let mut command = Command::new("sh");
    command.args(["-c", &script]).stdin(OwnedFd::from(passed));
    command.env("NOTIFY_SOCKET", project.home().join("notify.sock")).env("WATCHDOG_USEC", "400000");
    let server = Server::run(&project, Some(socket.clone()), command);
    wait_for(&told, "READY=1");
    let answer: Value = serde_json::from_str(body(&server.post("/v1/decide", ALLOWED))).unwrap();
    assert_eq!(answer["decision"], "allow");
    wait_for(&told, "WATCHDOG=1");
    project.write("home/.agents/hooks.toml", RULE.replace("no rm", "no more rm"));
    server.signal(Signal::HUP);
    let reloading = wait_for(&told, "RELOADING=1");
    assert!(reloading.contains("MONOTONIC_USEC="), "{reloading}");
    wait_for(&told, "READY=1");
    let rm = ALLOWED.replace("ls", "rm x");
    let answer: Value = serde_json::from_str(body(&server.post("/v1/decide", &rm))).unwrap();
    assert_eq!(answer["reason"], "no more rm", "the new config is there once it is ready again");
    server.signal(Signal::TERM);
    wait_for(&told, "STOPPING=1");
    assert_eq!(server.end(), 0);
    assert!(socket.exists(), "it is the manager's");
}

#[test]
fn a_stale_socket_is_replaced() {
    let project = Project::new().user(RULE);
    let first = Server::unix(&project);
    let mode = std::fs::metadata(first.socket()).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    first.signal(Signal::KILL);
    let socket = first.socket();
    assert_eq!(first.end(), -1);
    assert!(socket.exists(), "nobody has removed it");
    let second = Server::unix(&project);
    let answer: Value = serde_json::from_str(body(&second.post("/v1/decide", ALLOWED))).unwrap();
    assert_eq!(answer["decision"], "allow");
    second.signal(Signal::HUP);
    assert_eq!(second.end(), 0, "without a manager, it is a signal to end");
}

#[test]
fn a_directory_that_others_can_change_is_refused() {
    let project = Project::new().user(RULE);
    let open = project.home().join("open");
    std::fs::create_dir(&open).unwrap();
    std::fs::set_permissions(&open, std::fs::Permissions::from_mode(0o777)).unwrap();
    let ran = project.run(&["serve", "--listen", &format!("unix:{}", open.join("s").display())], "");
    assert!(ran.status == 1 && ran.stderr.contains("others could replace a socket"), "{ran:?}");
}
