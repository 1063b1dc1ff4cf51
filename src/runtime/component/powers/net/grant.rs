//! The grant of outgoing HTTP requests.

use super::NetRecord;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};

/// The variables that name a proxy or its exceptions, those with precedence first.
const PROXY_VARIABLES: [&str; 4] = ["https_proxy", "HTTPS_PROXY", "no_proxy", "NO_PROXY"];

/// The HTTP requests that a component may send: those that one of its rules covers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct NetGrant {
    /// The rules for what is allowed. Without a rule, nothing is allowed.
    pub rules: Vec<NetRule>,
    /// Where secrets come from. `None` until the host is known; no component runs without a place.
    pub place: Option<NetPlace>,
    /// The answers to use in place of the network, for tests of hooks. Nothing is then sent, and no secret is read.
    pub answers: Option<Vec<NetAnswer>>,
    /// Where the network's answers are kept, for tests of hooks.
    pub record: Option<NetRecord>,
}

/// One URL prefix that a component may send requests to, and what the host adds to them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct NetRule {
    /// Scheme, host, port and path prefix: `https://*.example.com/v1/`.
    pub url: String,
    /// The methods. If empty, only `GET` is allowed.
    pub methods: Vec<String>,
    /// Where the token for `authorization: Bearer …` comes from: `env:NAME` or `file:PATH`.
    pub bearer: Option<String>,
    /// Further headers that the host adds. The value says where the header's value comes from: `env:NAME` or
    /// `file:PATH`.
    pub headers: BTreeMap<String, String>,
    /// Whether the URL's host may be this machine or in a private network.
    pub private: bool,
    /// A PEM file with the only certificate authorities to trust, in place of the system's.
    pub ca: Option<PathBuf>,
    /// Whether to go through the proxy that the environment names.
    pub proxy: bool,
}

/// The answer to one request, in place of the network.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct NetAnswer {
    /// The request's method.
    pub method: String,
    /// The request's complete URL.
    pub url: String,
    /// The status code.
    pub status: u16,
    /// The headers, by name.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

impl NetAnswer {
    /// Creates an answer with status 200.
    pub fn new(method: impl Into<String>, url: impl Into<String>, body: impl Into<Vec<u8>>) -> Self {
        NetAnswer { method: method.into(), url: url.into(), status: 200, headers: Vec::new(), body: body.into() }
    }

    /// Sets the status code.
    #[must_use]
    pub fn with_status(self, status: u16) -> Self {
        NetAnswer { status, ..self }
    }

    /// Also sends a header.
    #[must_use]
    pub fn with_header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }
}

/// A problem with a rule.
pub(crate) struct BadRule {
    /// The key of the entry that the problem is about.
    pub(crate) key: &'static str,
    pub(crate) message: String,
}

/// The place that the secrets of a grant come from.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct NetPlace {
    /// The directory that the paths of files are relative to.
    pub dir: PathBuf,
    /// The environment variables that are set.
    pub variables: BTreeMap<String, OsString>,
}

impl NetGrant {
    /// Grants the requests that these rules cover.
    #[must_use]
    pub fn new(rules: Vec<NetRule>) -> Self {
        NetGrant { rules, ..NetGrant::default() }
    }

    /// Sets where secrets come from.
    #[must_use]
    pub fn at(self, place: NetPlace) -> Self {
        NetGrant { place: Some(place), ..self }
    }

    /// Uses these answers in place of the network.
    #[must_use]
    pub fn answered_by(self, answers: Vec<NetAnswer>) -> Self {
        NetGrant { answers: Some(answers), ..self }
    }

    /// Keeps the network's answers in `record`.
    #[must_use]
    pub fn recorded_to(self, record: NetRecord) -> Self {
        NetGrant { record: Some(record), ..self }
    }

    /// Returns the environment variables that the rules name.
    pub(crate) fn variables(&self) -> impl Iterator<Item = &str> {
        let secrets = self.rules.iter().flat_map(|rule| rule.bearer.iter().chain(rule.headers.values()));
        let named = secrets.filter_map(|source| source.strip_prefix("env:"));
        let proxy = self.rules.iter().any(|rule| rule.proxy);
        named.chain(PROXY_VARIABLES.into_iter().filter(move |_| proxy))
    }

    /// Returns the files that the rules name.
    pub(crate) fn files(&self) -> impl Iterator<Item = &Path> {
        self.rules.iter().flat_map(|rule| {
            let secrets = rule.bearer.iter().chain(rule.headers.values());
            let secrets = secrets.filter_map(|source| source.strip_prefix("file:")).map(Path::new);
            secrets.chain(rule.ca.as_deref())
        })
    }

    /// Describes the grant in words, for a user to judge.
    pub(in super::super::super) fn sentences(&self) -> impl Iterator<Item = String> {
        self.rules.iter().map(NetRule::sentence)
    }
}

impl NetRule {
    /// Allows `GET` requests to a URL prefix.
    pub fn new(url: impl Into<String>) -> Self {
        NetRule { url: url.into(), ..NetRule::default() }
    }

    /// Sets the methods.
    #[must_use]
    pub fn with_methods(self, methods: Vec<String>) -> Self {
        NetRule { methods, ..self }
    }

    /// Sets where the bearer token comes from: `env:NAME` or `file:PATH`.
    #[must_use]
    pub fn with_bearer(self, source: impl Into<String>) -> Self {
        NetRule { bearer: Some(source.into()), ..self }
    }

    /// Also adds a header, whose value comes from `env:NAME` or `file:PATH`.
    #[must_use]
    pub fn with_header(mut self, name: impl Into<String>, source: impl Into<String>) -> Self {
        self.headers.insert(name.into(), source.into());
        self
    }

    /// Sets whether the URL's host may be this machine or in a private network.
    #[must_use]
    pub fn with_private(self, private: bool) -> Self {
        NetRule { private, ..self }
    }

    /// Sets the only certificate authorities to trust.
    #[must_use]
    pub fn with_ca(self, ca: impl Into<PathBuf>) -> Self {
        NetRule { ca: Some(ca.into()), ..self }
    }

    /// Sets whether to go through the proxy that the environment names.
    #[must_use]
    pub fn with_proxy(self, proxy: bool) -> Self {
        NetRule { proxy, ..self }
    }

    fn sentence(&self) -> String {
        let NetRule { url, methods, bearer, headers, private, ca, proxy } = self;
        let methods = if methods.is_empty() { "GET".to_owned() } else { methods.join(", ") };
        let mut text = format!("may send {methods} requests to `{url}`");
        let token = bearer.iter().map(|source| ("authorization", source));
        for (name, source) in token.chain(headers.iter().map(|(name, source)| (name.as_str(), source))) {
            text.push_str(&format!(", with `{name}` from `{source}`"));
        }
        if *private {
            text.push_str(", also on this machine and in private networks");
        }
        if let Some(ca) = ca {
            text.push_str(&format!(", trusting only `{}`", ca.display()));
        }
        if *proxy {
            text.push_str(", through the proxy of the environment");
        }
        text
    }
}

impl NetPlace {
    /// Creates a place with these environment variables.
    pub fn new(dir: impl Into<PathBuf>, variables: BTreeMap<String, OsString>) -> Self {
        NetPlace { dir: dir.into(), variables }
    }
}

/// Formats the place without the values of variables, because they are secrets.
impl fmt::Debug for NetPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&String> = self.variables.keys().collect();
        f.debug_struct("NetPlace").field("dir", &self.dir).field("variables", &names).finish()
    }
}
