//! Stores that machines share, on a real server.

use crate::support::project::Project;
use crate::support::{SANDBOX, guests, skip};
use hookbox::runtime::component::{ComponentHook, Grants, Limits, StoreGrant, StorePlace, StoreScope, StoreServer};
use hookbox::{Code, Event, HookInfo, Input, Outcome, Registry};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The variable for a directory with a server that is not in `PATH`.
const PLACE: &str = "HOOKBOX_REDIS_SERVER";

/// A server that ends with the test.
struct Server {
    program: PathBuf,
    process: Child,
    dir: tempfile::TempDir,
}

impl Server {
    /// Starts a server. Returns `None` if this machine does not have one.
    fn start() -> Option<Self> {
        let dirs = [std::env::var_os(PLACE), std::env::var_os("PATH")].into_iter().flatten();
        let dirs = dirs.flat_map(|paths: OsString| std::env::split_paths(&paths).collect::<Vec<_>>());
        let mut found = dirs.flat_map(|dir| ["valkey-server", "redis-server"].map(|name| dir.join(name)));
        let Some(program) = found.find(|path| path.is_file()) else {
            skip("there is no `valkey-server` or `redis-server`, in `PATH` or in `HOOKBOX_REDIS_SERVER`");
            return None;
        };
        let dir = tempfile::tempdir().unwrap();
        let process = Server::run(&program, dir.path());
        Some(Server { program, process, dir })
    }

    fn run(program: &Path, dir: &Path) -> Child {
        let socket = dir.join("socket");
        let mut command = Command::new(program);
        command.args(["--port", "0", "--save", "", "--appendonly", "no", "--maxmemory-policy", "noeviction"]);
        command.arg("--unixsocket").arg(&socket).current_dir(dir);
        let mut process = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let start = Instant::now();
        while UnixStream::connect(&socket).is_err() {
            assert!(process.try_wait().unwrap().is_none(), "the server ended");
            assert!(start.elapsed() < Duration::from_secs(20), "the server does not answer");
            std::thread::sleep(Duration::from_millis(10));
        }
        process
    }

    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.process), signal).unwrap();
    }

    /// Kills the server. What it kept is lost.
    fn crash(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }

    fn run_again(&mut self) {
        self.process = Server::run(&self.program, self.dir.path());
    }

    /// Waits until the server has this many connections, besides the one that asks.
    async fn assert_connections(&self, expected: usize) {
        let start = Instant::now();
        loop {
            let mut asking = UnixStream::connect(self.socket()).unwrap();
            asking.write_all(b"INFO clients\r\n").unwrap();
            let line =
                BufReader::new(asking).lines().map(Result::unwrap).find(|line| line.contains("connected_clients:"));
            let count: usize = line.unwrap().trim().rsplit(':').next().unwrap().parse().unwrap();
            if count - 1 == expected {
                return;
            }
            assert!(start.elapsed() < Duration::from_secs(10), "{} connections are open, not {expected}", count - 1);
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
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

/// Creates a user on one machine, whose hook keeps its values on this server.
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
fn a_project_does_not_say_where_stores_are() {
    let hook = "[hooks.counts]\nevents = [\"pre_tool\"]\ncomponent = \"counts.wasm\"\n\
                grants.store = { scope = \"shared\" }\n";
    for (stores, message) in [
        ("stores.shared = \"unix:///run/cache\"\n", "a project cannot say where stores are"),
        ("", "the scope `shared` is only for hooks in your own hooks.toml"),
    ] {
        let project = Project::new().project(&format!("{stores}{hook}"));
        project.write("project/.agents/counts.wasm", guests::read("powers.wasm"));
        for subcommand in ["check", "trust"] {
            let ran = project.hookbox(subcommand, &[]);
            assert!(ran.status == 1 && ran.stderr.contains(message), "{subcommand}: {ran:?}");
        }
    }
}

#[test]
fn a_server_is_shown_without_its_password() {
    for (url, place) in [
        ("unix:///run/cache?pass=s3cr3t", "`unix:///run/cache`"),
        ("redis://me:s3cr3t?@cache.example.com", "`redis://cache.example.com`"),
        ("redis://:s3cr3t@127.0.0.1:1/0", "`redis://127.0.0.1:1/0`"),
        ("env:CACHE", "the server in the variable `CACHE`"),
    ] {
        let machine = machine(&format!("stores.shared = \"{url}\""));
        let shown = machine.hookbox("show", &["counts"]);
        assert!(shown.stdout.contains(&format!("for all machines that use {place}")), "{url}: {shown:?}");
        for said in [shown, machine.hookbox("list", &[]), machine.hookbox("check", &[])] {
            assert!(!format!("{said:?}").contains("s3cr3t"), "{url}: {said:?}");
        }
    }
    let machine = machine("stores.shared = \"redis://:s3cr3t@127.0.0.1:1/0\"");
    let answer = ask(&machine, json!([["get", "k"]]));
    assert!(!answer.to_string().contains("s3cr3t") && answer.to_string().contains("error"), "{answer}");
}

/// Creates a hook of a long-lived host.
fn hook(server: &Server, timeout: Duration) -> Registry {
    let grant = StoreGrant::new(StoreScope::Shared)
        .on(StoreServer::new(server.url()))
        .at(StorePlace::new("", "user", "counts"));
    let wasm = guests::read("powers.wasm");
    let prepared = SANDBOX.prepare(&wasm, None, Grants::default().with_store(grant), Limits::default()).unwrap();
    let mut info = HookInfo::new("counts", [Event::PreTool]);
    info.timeout = Some(timeout);
    let registry = Registry::new();
    registry.register(ComponentHook::new(info, prepared, None)).unwrap();
    registry
}

/// Returns the outcome of a call that increments a counter. The outcome must come, however long the server takes.
async fn count(registry: &Registry) -> Outcome {
    let steps = json!({ "do": [["increment", "n", 1]] }).to_string();
    let call = registry.run_pre(Input::pre_tool("bash", &steps).unwrap());
    tokio::time::timeout(Duration::from_secs(60), call).await.unwrap()
}

async fn counted(registry: &Registry) -> i64 {
    let reason = count(registry).await.reason.unwrap();
    reason.trim_matches(['[', ']']).parse().unwrap_or_else(|_| panic!("{reason}"))
}

/// Checks that either the component saw an error, or the whole call failed.
fn assert_failed(outcome: &Outcome) {
    let saw_error = outcome.reason.as_deref().is_some_and(|reason| reason.contains("error"));
    assert!(saw_error || outcome.hooks[0].code == Some(Code::Timeout), "{outcome:?}");
}

fn tasks() -> usize {
    tokio::runtime::Handle::current().metrics().num_alive_tasks()
}

#[tokio::test]
async fn a_server_that_hangs_ends_with_the_call() {
    let Some(server) = Server::start() else { return };
    let hooks = hook(&server, Duration::from_millis(300));
    assert_eq!(counted(&hooks).await, 1);
    server.assert_connections(1).await;
    let idle = tasks();
    server.signal(Signal::STOP);
    // The first call has the connection that was kept, and the others have none.
    for _ in 0..3 {
        assert_failed(&count(&hooks).await);
    }
    server.signal(Signal::CONT);
    // A call that failed may have taken effect.
    let after = counted(&hooks).await;
    assert!((2..=5).contains(&after), "{after}");
    assert_eq!(counted(&hooks).await, after + 1);
    server.assert_connections(1).await;
    assert_eq!(tasks(), idle);
}

#[tokio::test]
async fn a_server_that_restarts_in_mid_call_ends_the_call() {
    let Some(mut server) = Server::start() else { return };
    let hooks = Arc::new(hook(&server, Duration::from_secs(50)));
    assert_eq!(counted(&hooks).await, 1);
    let idle = tasks();
    server.signal(Signal::STOP);
    let asking = Arc::clone(&hooks);
    let call = tokio::spawn(async move { count(&asking).await });
    tokio::time::sleep(Duration::from_millis(100)).await;
    server.crash();
    let outcome = call.await.unwrap();
    assert!(outcome.reason.as_deref().is_some_and(|reason| reason.contains("error")), "{outcome:?}");
    // No server is running.
    assert_failed(&count(&hooks).await);
    server.run_again();
    assert_eq!(counted(&hooks).await, 1, "it kept nothing");
    // The server is restarted between two calls.
    server.crash();
    server.run_again();
    assert_eq!((counted(&hooks).await, counted(&hooks).await), (1, 2));
    server.assert_connections(1).await;
    assert_eq!(tasks(), idle);
}

#[test]
fn the_operator_sees_what_machines_share() {
    let Some(server) = Server::start() else { return };
    let stores = format!("stores.shared = \"{}\"", server.url());
    let (one, two) = (machine(&stores), machine(&stores));
    let state = |machine: &Project, args: &[&str]| {
        let home = machine.home().display().to_string();
        machine.run(&[&["state"], args, &["--home", &home]].concat(), "")
    };
    assert_eq!(ask(&one, json!([["set", "k", "v"], ["increment", "n", 41]]))["reason"], "[\"set\",41]");
    for machine in [&one, &two] {
        let listed = state(machine, &["list", "--format", "json"]).json();
        let [store] = listed.as_array().unwrap().as_slice() else { panic!("{listed}") };
        assert_eq!((&store["hook"], &store["keys"]), (&json!("counts"), &json!(2)), "{store}");
        assert!(store["scope"].as_str().unwrap().contains("shared"), "{store}");
        assert!(state(machine, &["show", "counts"]).stdout.contains("41"));
    }
    assert_eq!(state(&one, &["list", "--only", "local"]).stdout, "no component keeps anything\n");
    // This config does not belong to a layer.
    let other = Project::new();
    let file = other.write("elsewhere.toml", &stores).display().to_string();
    assert_eq!(state(&other, &["list"]).stdout, "no component keeps anything\n");
    assert!(state(&other, &["list", "--config", &file]).stdout.contains("counts"));
    let missing = state(&other, &["list", "--config", "/no/such.toml"]);
    assert!(missing.status == 1 && missing.stderr.contains("/no/such.toml"), "{missing:?}");
    // Leaving out an option does not delete all values of all machines.
    let refused = state(&two, &["clear", "--all"]);
    assert!(refused.status == 1 && refused.stderr.contains("--only shared"), "{refused:?}");
    assert_eq!(state(&two, &["clear", "--all", "--only", "local"]).stdout, "deleted 0 values in 0 stores\n");
    assert_eq!(ask(&one, json!([["get", "k"]]))["reason"], "[\"v\"]");
    assert_eq!(state(&two, &["clear", "counts"]).stdout, "deleted 2 values in 1 store\n");
    assert_eq!(ask(&one, json!([["get", "k"]]))["reason"], "[null]");
    drop(server);
    let gone = state(&one, &["list"]);
    assert!(gone.status == 1 && gone.stderr.contains("`--only local` leaves them out"), "{gone:?}");
    assert_eq!(state(&one, &["list", "--only", "local"]).status, 0);
}

#[test]
fn a_server_that_is_not_known_is_not_left_out_in_silence() {
    for stores in ["stores.shared = \"env:NO_SUCH_VARIABLE\"", "stores.shared = \"http://cache\"", "stores = ["] {
        let machine = machine(stores);
        let home = machine.home().display().to_string();
        let listed = machine.run(&["state", "list", "--home", &home], "");
        assert!(listed.status == 1 && listed.stderr.contains("`--only local`"), "{stores}: {listed:?}");
        let listed = machine.run(&["state", "list", "--only", "local", "--home", &home], "");
        assert_eq!((listed.status, listed.stdout.as_str()), (0, "no component keeps anything\n"), "{stores}");
    }
}
