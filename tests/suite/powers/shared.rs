//! Stores that machines share, on a real server.

use crate::support::project::Project;
use crate::support::{guests, skip};
use serde_json::{Value, json};
use std::ffi::OsString;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A directory with a server that is not in `PATH`.
const PLACE: &str = "HOOKBOX_REDIS_SERVER";

/// A server that ends with the test.
struct Server {
    process: Child,
    dir: tempfile::TempDir,
}

impl Server {
    /// `None` if this machine does not have one.
    fn start() -> Option<Self> {
        let dirs = [std::env::var_os(PLACE), std::env::var_os("PATH")].into_iter().flatten();
        let dirs = dirs.flat_map(|paths: OsString| std::env::split_paths(&paths).collect::<Vec<_>>());
        let mut found = dirs.flat_map(|dir| ["valkey-server", "redis-server"].map(|name| dir.join(name)));
        let Some(program) = found.find(|path| path.is_file()) else {
            skip("there is no `valkey-server` or `redis-server`, in `PATH` or in `HOOKBOX_REDIS_SERVER`");
            return None;
        };
        let dir = tempfile::tempdir().unwrap();
        let socket = dir.path().join("socket");
        let mut command = Command::new(program);
        command.args(["--port", "0", "--save", "", "--appendonly", "no", "--maxmemory-policy", "noeviction"]);
        command.arg("--unixsocket").arg(&socket).current_dir(dir.path());
        let mut process = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let start = Instant::now();
        while UnixStream::connect(&socket).is_err() {
            assert!(process.try_wait().unwrap().is_none(), "the server ended");
            assert!(start.elapsed() < Duration::from_secs(20), "the server does not answer");
            std::thread::sleep(Duration::from_millis(10));
        }
        Some(Server { process, dir })
    }

    fn socket(&self) -> PathBuf {
        self.dir.path().join("socket")
    }

    fn url(&self) -> String {
        format!("unix://{}", self.socket().display())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A user on one machine, whose hook keeps its values on this server.
fn machine(stores: &str) -> Project {
    let component = guests::path("powers.wasm").display().to_string();
    Project::new().user(&format!(
        "{stores}\n[hooks.counts]\nevents = [\"pre_tool\"]\ncomponent = \"{component}\"\n\
         grants = {{ store = {{ scope = \"shared\" }} }}\n"
    ))
}

fn ask(machine: &Project, steps: Value) -> Value {
    let input = json!({
        "event": "pre_tool", "session_id": "s1", "pwd": machine.dir(), "tool_name": "bash", "tool_input": { "do": steps },
    });
    machine.ask(&input.to_string()).json()
}

#[test]
fn machines_share_a_counter() {
    let Some(server) = Server::start() else { return };
    let stores = format!("stores.shared = \"{}\"", server.url());
    let (one, two) = (machine(&stores), machine(&stores));
    let count = json!([["increment", "n", 1]]);
    assert_eq!(ask(&one, count.clone())["reason"], "[1]");
    assert_eq!(ask(&two, count.clone())["reason"], "[2]");
    assert_eq!(ask(&one, count)["reason"], "[3]");
    assert!(!one.home().join(".local/state/hookbox/state.db").exists(), "nothing is kept on the machine");
}

#[test]
fn a_server_that_is_gone_is_an_error_that_the_component_sees() {
    let Some(server) = Server::start() else { return };
    let machine = machine(&format!("[stores]\nshared = \"{}\"", server.url()));
    assert_eq!(ask(&machine, json!([["set", "k", "v"], ["get", "k"]]))["reason"], "[\"set\",\"v\"]");
    drop(server);
    let answer = ask(&machine, json!([["get", "k"]]));
    assert!(answer["reason"].as_str().unwrap().contains("error"), "{answer}");
}

#[test]
fn a_shared_store_needs_a_server() {
    for (stores, message) in [
        ("", "needs a server: set `shared` under `[stores]`"),
        ("stores.shared = \"env:NO_SUCH_VARIABLE\"", "the variable `NO_SUCH_VARIABLE`"),
        ("stores.shared = \"rediss://\"", "cannot be given its store"),
        ("stores.shared = \"http://cache.example.com\"", "is not the URL of a Redis or Valkey"),
        ("stores.local = \"x\"", "unknown key `stores.local`"),
    ] {
        let machine = machine(stores);
        let checked = machine.hookbox("check", &[]);
        assert!(checked.status == 1 && checked.stderr.contains(message), "{stores}: {checked:?}");
        let answer = ask(&machine, json!([["get", "k"]]));
        assert_eq!(answer["decision"], "deny", "{stores}: {answer}");
    }
}

#[test]
fn a_password_is_not_shown() {
    let machine = machine("stores.shared = \"redis://:s3cr3t@127.0.0.1:1/0\"");
    for (command, args) in [("show", &["counts"][..]), ("list", &[]), ("check", &[])] {
        let said = machine.hookbox(command, args);
        assert!(!format!("{said:?}").contains("s3cr3t"), "{command}: {said:?}");
    }
    let answer = ask(&machine, json!([["get", "k"]]));
    assert!(!answer.to_string().contains("s3cr3t") && answer.to_string().contains("error"), "{answer}");
}
