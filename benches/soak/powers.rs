//! The hooks with a store, network access and the log, some of which overuse them, and servers that misbehave.
//! `--powers` runs them.

use crate::ears::Ears;
use crate::expect::{Expected, Kind, Scenario};
use crate::good::{PATIENCE, info};
use crate::server::{Server, read_request};
use hookbox::runtime::component::{
    ComponentHook, Grants, Limits, NetGrant, NetPlace, NetRule, Prepared, Sandbox, StoreGrant, StorePlace, StoreScope,
};
use hookbox::{Code, Hook, Json};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::runtime::Runtime;

/// The time limit of calls whose server never answers.
const BUDGET: Duration = Duration::from_millis(50);

/// A time longer than a host keeps an idle connection to a server that closes it after two seconds.
pub(crate) const IDLE: Duration = Duration::from_secs(2);

const HELLO: &str = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nKeep-Alive: timeout=2\r\n\r\nhello";

/// The size of the store that most hooks share.
const QUOTA: u64 = 100_000;

/// A flood of the log: the size of a message in bytes, and the number of messages.
const FLOOD: (u64, u64) = (4096, 2_000);

/// The servers and the directory of the stores, which live as long as the run.
pub(crate) struct World {
    good: Server,
    silent: Server,
    endless: Server,
    garbage: Server,
    dir: tempfile::TempDir,
    ears: Ears,
    /// The number of calls that incremented the counter.
    increments: Arc<AtomicU64>,
    /// The number of calls that flooded the log.
    floods: Arc<AtomicU64>,
}

impl World {
    pub(crate) fn new() -> Self {
        let private = std::fs::Permissions::from_mode(0o700);
        World {
            good: Server::answering(HELLO),
            silent: Server::new(|stream| _ = read_request(stream)),
            endless: Server::new(|stream| {
                _ = read_request(stream);
                _ = stream.write_all(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
                while stream.write_all(&[b"1000\r\n", &[b'x'; 4096][..], b"\r\n"].concat()).is_ok() {}
            }),
            garbage: Server::answering("SSH-2.0-OpenSSH_9.2\r\n"),
            dir: tempfile::Builder::new().permissions(private).tempdir().unwrap(),
            ears: Ears::open(),
            increments: Arc::default(),
            floods: Arc::default(),
        }
    }

    /// Returns the grant of a store of at most this size, for the hook with this name.
    fn store(&self, hook: &str, quota: u64) -> Grants {
        let place = StorePlace::new(self.dir.path(), "soak", hook);
        Grants::default().with_store(StoreGrant::new(StoreScope::User).with_quota(quota).at(place))
    }

    /// Returns what is wrong in the totals after all calls, if anything.
    pub(crate) fn complaints(&self, sandbox: &Sandbox, runtime: &Runtime) -> Vec<String> {
        let stores = prepare(sandbox, "powers.wasm", self.store("powers", QUOTA));
        let counter = scenario("the counter", Kind::Good, &stores, &json!([["increment", "n", 0]]), PATIENCE);
        let (_, outcome, _) = runtime.block_on(counter.call(0));
        let counted = outcome.and_then(|outcome| outcome.reason).unwrap_or_default();
        let increments = self.increments.load(Ordering::SeqCst);
        let (cut, floods) = (self.ears.cut(), self.floods.load(Ordering::SeqCst));
        let is_lost = counted != format!("[{increments}]");
        let lost = is_lost.then(|| format!("the counter is at {counted} after {increments} increments"));
        let uncut = (cut != floods).then(|| format!("{cut} of {floods} floods of the log were cut"));
        lost.into_iter().chain(uncut).collect()
    }

    pub(crate) fn scenarios(&self, sandbox: &Sandbox) -> Vec<Scenario> {
        let stores = prepare(sandbox, "powers.wasm", self.store("powers", QUOTA));
        let full = prepare(sandbox, "powers.wasm", self.store("full", 10_000));
        let servers = [&self.good, &self.silent, &self.endless, &self.garbage];
        let rules = servers.map(|server| NetRule::new(server.url("/")).with_private(true)).to_vec();
        let net = NetGrant::new(rules).at(NetPlace::new("/", BTreeMap::new()));
        let requests = prepare(sandbox, "requests.wasm", Grants::default().with_net(net));
        let url = |server: &Server| server.url("/");
        let good = url(&self.good);
        let (silent, endless, garbage) = (url(&self.silent), url(&self.endless), url(&self.garbage));
        let asking = |name, kind, prepared: &Prepared, steps: Value, timeout, reason: &'static str| {
            scenario(name, kind, prepared, &steps, timeout).expecting(move |command| Expected::ask(command, reason))
        };
        let failing = |name, steps: Value, timeout, code| {
            scenario(name, Kind::Hostile, &requests, &steps, timeout)
                .expecting(move |command| Expected::failure(command, code))
        };
        let too_large = json!([["set", "large", 65_537], ["set", 1_000_000, "v"], ["get", "large"]]);
        let over_quota = json!([["set", "a", 9_000], ["set", "b", 5_000], ["get", "b"]]);
        let (size, times) = FLOOD;
        let flood = json!([["log", "error", "flood", size, times]]);
        let forbidden = json!([["fetch", "GET", "http://169.254.169.254/"], ["standard", "TRACE", good]]);
        vec![
            asking(
                "set and get",
                Kind::Good,
                &stores,
                json!([["set", "k", "v"], ["get", "k"]]),
                PATIENCE,
                r#"["set","v"]"#,
            ),
            asking("increment", Kind::Good, &stores, json!([["increment", "n", 1]]), PATIENCE, "")
                .counted_by(&self.increments),
            asking("log", Kind::Good, &stores, json!([["log", "info", "soak", "hello"]]), PATIENCE, r#"["logged"]"#),
            asking("fetch", Kind::Good, &requests, json!([["fetch", "GET", good]]), PATIENCE, "hello"),
            asking("wasi:http", Kind::Good, &requests, json!([["standard", "GET", good]]), PATIENCE, "hello"),
            asking("values that do not fit", Kind::Hostile, &stores, too_large, PATIENCE, "error"),
            asking("a full store", Kind::Hostile, &full, over_quota, PATIENCE, "is used up"),
            asking("a flood of the log", Kind::Hostile, &stores, flood, PATIENCE, r#"["logged"]"#)
                .counted_by(&self.floods),
            asking("requests that are not granted", Kind::Hostile, &requests, forbidden, PATIENCE, "error"),
            asking(
                "a body without end",
                Kind::Hostile,
                &requests,
                json!([["fetch", "GET", endless]]),
                PATIENCE,
                "error",
            ),
            asking("no HTTP", Kind::Hostile, &requests, json!([["standard", "GET", garbage]]), PATIENCE, "error"),
            failing(
                "a trap with open requests",
                json!([["leave", "GET", silent], ["leave", "GET", silent], ["trap"]]),
                PATIENCE,
                Code::Trap,
            ),
            failing("a loop with an open request", json!([["leave", "GET", silent], ["loop"]]), BUDGET, Code::Timeout),
            // The hook cannot answer, whether the request or the call ends first.
            failing("a silent server", json!([["fetch", "GET", silent], ["loop"]]), BUDGET, Code::Timeout),
            scenario(
                "a silent server, given up",
                Kind::Hostile,
                &requests,
                &json!([["fetch", "GET", silent]]),
                PATIENCE,
            )
            .expecting(Expected::given_up)
            .given_up_after(BUDGET),
        ]
    }
}

fn prepare(sandbox: &Sandbox, file: &str, grants: Grants) -> Prepared {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/guests").join(file);
    let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    sandbox.prepare(&bytes, None, grants, Limits::default()).unwrap()
}

fn scenario(name: &'static str, kind: Kind, prepared: &Prepared, steps: &Value, timeout: Duration) -> Scenario {
    let settings = Json::parse(&json!({ "do": steps }).to_string()).unwrap();
    let hook: Box<dyn Hook> = Box::new(ComponentHook::new(info("powers", timeout), prepared.clone(), Some(settings)));
    Scenario::new(name, kind, [hook], |number| format!("p{number:015}"), Expected::allow)
}
