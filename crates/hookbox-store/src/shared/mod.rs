//! The shared store: a Redis or Valkey server that several machines use.
//!
//! Every operation is one script, which the server runs as a whole. A write is never sent twice, because it may have
//! been carried out even if its answer was lost.

mod admin;
mod bounded;
mod ops;
mod script;
mod server;

use crate::namespace::NamespaceId;
use crate::{Error, ErrorKind};
use redis::{ErrorKind as Redis, RedisError, ScriptInvocation, Value};
use server::{Connection, Server};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;
use tokio::time::timeout_at;

/// The maximum time that a call waits for the server, including the connection.
const PATIENCE: Duration = Duration::from_secs(2);

/// The maximum number of connections of one store.
const MOST_CONNECTIONS: usize = 8;

/// The maximum length of a server's error message that is repeated, in characters.
const MOST_DETAIL: usize = 200;

/// A server to which the store connects on demand.
#[derive(Clone, Debug)]
pub(crate) struct Shared {
    inner: Arc<Inner>,
}

struct Inner {
    server: Server,
    idle: Mutex<Vec<Connection>>,
    permits: Semaphore,
}

impl std::fmt::Debug for Inner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.server.fmt(f)
    }
}

/// Returns the key of the hash of a namespace. The braces keep it in one slot.
fn key(id: &NamespaceId) -> String {
    format!("{PREFIX}{}{SUFFIX}", blake3::Hash::from_bytes(id.0).to_hex())
}

const PREFIX: &str = "hb:1:{";
const SUFFIX: &str = "}";

impl Shared {
    pub(crate) fn new(url: &str) -> Result<Self, Error> {
        let inner =
            Inner { server: Server::parse(url)?, idle: Mutex::default(), permits: Semaphore::new(MOST_CONNECTIONS) };
        Ok(Shared { inner: Arc::new(inner) })
    }

    /// Runs a script whose answer may have at most this many bytes.
    async fn run(&self, script: &ScriptInvocation<'_>, most: u64, deadline: Instant) -> Result<Vec<Value>, Error> {
        self.call(most, deadline, async |connection| script.invoke_async(&mut connection.redis).await).await
    }

    /// Does the work with an exclusive connection, which is kept only if the work succeeds.
    async fn call<T>(
        &self,
        most: u64,
        deadline: Instant,
        work: impl AsyncFnOnce(&mut Connection) -> Result<T, RedisError>,
    ) -> Result<T, Error> {
        let begun = Instant::now();
        if begun >= deadline {
            return Err(Error::deadline());
        }
        let inner = &*self.inner;
        let call = async {
            let _permit = inner.permits.acquire().await.map_err(|_| inner.unavailable("is closed"))?;
            // Yield twice, so that the drivers notice whether the server has closed a connection: after the first time,
            // they know that there is something to read, and after the second, they have read it.
            tokio::task::yield_now().await;
            tokio::task::yield_now().await;
            let mut connection = match inner.idle() {
                Some(connection) => connection,
                None => inner.server.connect().await?,
            };
            connection.allowance.set(most);
            let done = work(&mut connection).await.map_err(|error| failure(&error, &inner.server))?;
            connection.allowance.set(0);
            inner.keep(connection);
            Ok(done)
        };
        match timeout_at(deadline.min(begun + PATIENCE).into(), call).await {
            Ok(result) => result,
            Err(_) if Instant::now() >= deadline => Err(Error::deadline()),
            Err(_) => Err(inner.unavailable(&format!("did not answer within {} s", PATIENCE.as_secs()))),
        }
    }
}

impl Inner {
    /// Takes a connection that is alive and not in use.
    fn idle(&self) -> Option<Connection> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        std::iter::from_fn(|| idle.pop()).find(Connection::is_alive)
    }

    fn keep(&self, connection: Connection) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(connection);
    }

    fn unavailable(&self, what: &str) -> Error {
        Error::new(ErrorKind::Unavailable, format!("the shared store at `{}` {what}", self.server))
    }
}

/// Translates an error of the client or the server.
fn failure(error: &RedisError, server: &Server) -> Error {
    let said: String = error.to_string().escape_debug().take(MOST_DETAIL).collect();
    let with = |kind, what: &str| Error::new(kind, format!("the shared store at `{server}` {what}: {said}"));
    // Old servers wrap the error of a command in a script into an error of the script.
    let is = |code: &str| error.code() == Some(code) || said.contains(code);
    match error.kind() {
        _ if is("OOM") => with(ErrorKind::Full, "has no memory left; raise its `maxmemory`"),
        _ if is("WRONGTYPE") => with(ErrorKind::Damaged, "holds other data under keys that begin with `hb:1:`"),
        _ if is("READONLY") => with(ErrorKind::Unavailable, "is a replica; use the address of the primary"),
        _ if is("NOAUTH") || is("WRONGPASS") || is("NOPERM") => {
            with(ErrorKind::Denied, "does not let us in; check the user and password of its URL")
        }
        Redis::AuthenticationFailed => with(ErrorKind::Denied, "does not let us in; check its URL"),
        Redis::UnexpectedReturnType => with(ErrorKind::Damaged, "gave an answer that makes no sense"),
        _ => with(ErrorKind::Unavailable, "failed"),
    }
}
