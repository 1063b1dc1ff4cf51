//! The grant of a store.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// The default size of a store, in bytes: enough for 10,000 counters.
const DEFAULT_QUOTA: u64 = 1 << 20;

/// The default lifetime of a value in the store of a session: 365 days. The values of an ended session are never asked
/// for again, and no one tells hookbox that a session has ended.
const SESSION_TTL: Duration = Duration::from_secs(365 * 24 * 3600);

/// A store in which a component keeps values by key from call to call. No other hook can access it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StoreGrant {
    /// The calls that share the store.
    pub scope: StoreScope,
    /// The maximum size of keys and values, in bytes.
    pub quota: u64,
    /// The lifetime of a value after it was last set. `None` keeps the value until it is deleted, or for 365 days in
    /// the store of a session.
    pub ttl: Option<Duration>,
    /// The place of the store. `None` until the host is known; no component runs without a place.
    pub place: Option<StorePlace>,
    /// The server of [`StoreScope::Shared`].
    pub server: Option<StoreServer>,
}

/// The calls of a hook that share a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StoreScope {
    /// The calls of one session of an agent. A call without a session fails.
    Session,
    /// The calls in one project.
    Project,
    /// All calls of the user.
    User,
    /// All calls on all machines that use the same server.
    Shared,
}

/// A Redis or Valkey server that machines share.
#[derive(Clone, PartialEq, Eq)]
pub struct StoreServer {
    url: String,
}

/// The place of a store, and what distinguishes it from the stores of other hooks.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StorePlace {
    /// The directory of the file that contains all local stores. It must be private to the user.
    pub dir: PathBuf,
    /// The config that the hook comes from.
    pub layer: String,
    /// The hook's name.
    pub hook: String,
    /// The project of [`StoreScope::Project`].
    pub project: PathBuf,
}

impl StoreGrant {
    /// Grants a store of 1 MiB whose values live until they are deleted, or for 365 days in the store of a session.
    #[must_use]
    pub const fn new(scope: StoreScope) -> Self {
        StoreGrant { scope, quota: DEFAULT_QUOTA, ttl: None, place: None, server: None }
    }

    /// Sets the maximum size, in bytes.
    #[must_use]
    pub fn with_quota(self, quota: u64) -> Self {
        StoreGrant { quota, ..self }
    }

    /// Sets the lifetime of a value.
    #[must_use]
    pub fn with_ttl(self, ttl: Duration) -> Self {
        StoreGrant { ttl: Some(ttl), ..self }
    }

    /// Sets the place of the store.
    #[must_use]
    pub fn at(self, place: StorePlace) -> Self {
        StoreGrant { place: Some(place), ..self }
    }

    /// Sets the server of a store that machines share.
    #[must_use]
    pub fn on(self, server: StoreServer) -> Self {
        StoreGrant { server: Some(server), ..self }
    }

    /// Returns the lifetime of a value.
    #[cfg_attr(not(feature = "store"), expect(dead_code, reason = "there is none"))]
    pub(super) fn lifetime(&self) -> Option<Duration> {
        self.ttl.or_else(|| (self.scope == StoreScope::Session).then_some(SESSION_TTL))
    }

    /// Describes the grant in words, for a user to judge.
    pub(in super::super::super) fn sentence(&self) -> String {
        let scope = self.scope.as_str();
        let quota = bytesize::ByteSize(self.quota);
        let ttl = self.ttl.map(|ttl| format!(", each for {}", humantime::format_duration(ttl))).unwrap_or_default();
        let whose = match self.scope {
            StoreScope::Shared => {
                let server = self.server.as_ref().map_or_else(|| "the same server".to_owned(), StoreServer::place);
                format!("for all machines that use {server}")
            }
            _ => format!("per {scope}"),
        };
        format!("keeps up to {quota} of values {whose}{ttl}")
    }
}

impl StoreScope {
    /// Returns the scope's name in `hooks.toml`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            StoreScope::Session => "session",
            StoreScope::Project => "project",
            StoreScope::User => "user",
            StoreScope::Shared => "shared",
        }
    }
}

impl StorePlace {
    /// Creates a place for the store of a hook that `layer` configures.
    pub fn new(dir: impl Into<PathBuf>, layer: impl Into<String>, hook: impl Into<String>) -> Self {
        StorePlace { dir: dir.into(), layer: layer.into(), hook: hook.into(), project: PathBuf::new() }
    }

    /// Sets the project.
    #[must_use]
    pub fn in_project(self, project: impl Into<PathBuf>) -> Self {
        StorePlace { project: project.into(), ..self }
    }
}

impl StoreServer {
    /// Creates a server from its URL: `rediss://user:password@host:port/database`, with `redis`, `valkey`, `valkeys` or
    /// `unix` in place of `rediss`.
    pub fn new(url: impl Into<String>) -> Self {
        StoreServer { url: url.into() }
    }

    /// Returns the environment variable that holds the URL, if the URL is written as `env:NAME`.
    pub(crate) fn variable(&self) -> Option<&str> {
        self.url.strip_prefix("env:")
    }

    /// Describes where the server is, without the login in its URL.
    fn place(&self) -> String {
        if let Some(name) = self.variable() {
            return format!("the server in the variable `{name}`");
        }
        let (scheme, rest) = self.url.split_once("://").unwrap_or_default();
        // The login goes first, because a password may contain `?` and `#`.
        let rest = if scheme == "unix" { rest } else { rest.rsplit('@').next().unwrap_or_default() };
        format!("`{scheme}://{}`", rest.split(['?', '#']).next().unwrap_or_default())
    }

    /// Returns the server's URL, which may hold a password.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }
}

/// Formats the server without its URL, because the URL may hold a password.
impl fmt::Debug for StoreServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StoreServer").finish_non_exhaustive()
    }
}
