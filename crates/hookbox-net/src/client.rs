//! The HTTP client of one hook: its rules, with their secrets and certificates.

use crate::call::Call;
use crate::idle::Idle;
use crate::proxy::{Proxy, ProxyError};
use crate::resolve::{BlockingResolver, Resolve};
use crate::rule::{Rule, Rules};
use crate::secret::{Secret, SecretError, Surroundings};
use crate::tls::{CaError, Roots};
use http::{HeaderName, HeaderValue};
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The limits of a client, and how it resolves names.
#[derive(Clone)]
#[non_exhaustive]
pub struct Options {
    /// The maximum number of requests in one call, including refused ones. The default is 8.
    pub max_requests: u32,
    /// The maximum size of a body in bytes, each way. The default is 1 MiB.
    pub body_limit: u64,
    /// The time limit for the lookup, the connection and the TLS handshake together. The default is 2 s.
    pub connect_timeout: Duration,
    /// How long an idle connection may wait for another request of the hook to the same host. With `None`, the default,
    /// every request has its own connection, and none stays open.
    pub keep_alive: Option<Duration>,
    /// The resolver of host names. The default is the system's resolver.
    pub resolver: Arc<dyn Resolve>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            max_requests: 8,
            body_limit: 1 << 20,
            connect_timeout: Duration::from_secs(2),
            keep_alive: None,
            resolver: Arc::new(BlockingResolver::system()),
        }
    }
}

impl Options {
    /// Sets the maximum number of requests in one call.
    #[must_use]
    pub fn with_max_requests(self, max_requests: u32) -> Self {
        Options { max_requests, ..self }
    }

    /// Sets the maximum size of a body in bytes, each way.
    #[must_use]
    pub fn with_body_limit(self, body_limit: u64) -> Self {
        Options { body_limit, ..self }
    }

    /// Sets the time limit for the lookup, the connection and the TLS handshake together.
    #[must_use]
    pub fn with_connect_timeout(self, connect_timeout: Duration) -> Self {
        Options { connect_timeout, ..self }
    }

    /// Lets connections wait for further requests. This is for long-lived hosts. 15 s is a good value: many servers
    /// close idle connections soon after that.
    ///
    /// Names are still looked up and checked, and a connection is reused only if the lookup finds its address again. A
    /// connection waits only after a response that was read to its end. A task of the client closes it when its time is
    /// up.
    #[must_use]
    pub fn with_keep_alive(self, keep_alive: Duration) -> Self {
        Options { keep_alive: Some(keep_alive), ..self }
    }

    /// Sets the resolver of host names.
    #[must_use]
    pub fn with_resolver(self, resolver: impl Resolve + 'static) -> Self {
        Options { resolver: Arc::new(resolver), ..self }
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Options { max_requests, body_limit, connect_timeout, keep_alive, resolver: _ } = self;
        f.debug_struct("Options")
            .field("max_requests", max_requests)
            .field("body_limit", body_limit)
            .field("connect_timeout", connect_timeout)
            .field("keep_alive", keep_alive)
            .finish_non_exhaustive()
    }
}

/// The client that sends the requests of one hook. It is cheap to clone.
#[derive(Clone)]
pub struct Client {
    inner: Arc<Inner>,
}

pub(crate) struct Inner {
    pub(crate) rules: Rules,
    /// What was loaded for each rule, indexed by the position of the rule.
    pub(crate) loaded: Vec<Loaded>,
    pub(crate) options: Options,
    pub(crate) idle: Option<Arc<Idle>>,
}

/// The secrets, certificates and proxy that a rule names, as they were read.
pub(crate) struct Loaded {
    /// The headers that the host adds.
    pub(crate) headers: Vec<(HeaderName, HeaderValue)>,
    pub(crate) roots: Roots,
    pub(crate) proxy: Option<Proxy>,
    pub(crate) private: bool,
}

/// The reason why the client of a hook cannot be created.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// A secret cannot be used.
    #[error(transparent)]
    Secret(#[from] SecretError),
    /// A file of certificate authorities cannot be used.
    #[error(transparent)]
    Ca(#[from] CaError),
    /// The proxy of the environment cannot be used.
    #[error(transparent)]
    Proxy(#[from] ProxyError),
}

impl Client {
    /// Creates a client. This reads the secrets, certificates and proxies that the rules name.
    ///
    /// # Errors
    /// Returns an error if one of them cannot be used.
    pub fn new(rules: Rules, from: Surroundings<'_>, options: Options) -> Result<Self, LoadError> {
        let loaded = rules.iter().map(|rule| load(rule, from)).collect::<Result<_, _>>()?;
        let idle = options.keep_alive.map(Idle::new);
        Ok(Client { inner: Arc::new(Inner { rules, loaded, options, idle }) })
    }

    /// Begins a call of the hook. The call must end by the deadline.
    #[must_use]
    pub fn call(&self, deadline: Instant) -> Call {
        Call::new(Arc::clone(&self.inner), deadline)
    }

    /// Returns the rules.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.inner.rules
    }
}

fn load(rule: &Rule, from: Surroundings<'_>) -> Result<Loaded, LoadError> {
    let mut headers = Vec::new();
    for (name, source) in rule.added_headers() {
        let prefix = if *name == http::header::AUTHORIZATION && rule.bearer.is_some() { "Bearer " } else { "" };
        headers.push((name.clone(), Secret::load(source, from)?.header(prefix)?));
    }
    let roots = match rule.ca() {
        Some(path) => Roots::read(&from.dir.join(path))?,
        None => Roots::System,
    };
    let proxy = if rule.uses_proxy() { Proxy::from_environment(from)? } else { None };
    Ok(Loaded { headers, roots, proxy, private: rule.is_private() })
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("rules", &self.inner.rules).finish_non_exhaustive()
    }
}
