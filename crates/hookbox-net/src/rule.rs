//! A rule: one URL prefix that hooks may send requests to.

mod error;
mod parse;
mod rules;

pub use error::{RuleError, RuleProblem};
pub use rules::Rules;

use crate::host::HostPattern;
use crate::secret::SecretSource;
use crate::target::{Scheme, Target};
use http::{HeaderName, Method};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

/// A rule as it is written in a config: one entry of `net = [...]`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct RuleText {
    /// The scheme, host, port and path prefix, such as `https://*.example.com/v1/`.
    pub url: String,
    /// The methods. If absent, only `GET`.
    #[serde(default)]
    pub methods: Option<Vec<String>>,
    /// The source of a token for `authorization: Bearer …`: `env:NAME` or `file:PATH`.
    #[serde(default)]
    pub bearer: Option<String>,
    /// Further headers that the host adds, each with the source of its value: `env:NAME` or `file:PATH`.
    #[serde(default, rename = "header")]
    pub headers: BTreeMap<String, String>,
    /// Whether the host may be this machine or in a private network.
    #[serde(default)]
    pub private: bool,
    /// A PEM file of certificate authorities, which are trusted instead of the system's.
    #[serde(default)]
    pub ca: Option<PathBuf>,
    /// Whether requests go through the proxy that the environment names.
    #[serde(default)]
    pub proxy: bool,
}

impl RuleText {
    /// Creates a rule for `GET` requests below a URL.
    pub fn new(url: impl Into<String>) -> Self {
        RuleText { url: url.into(), ..RuleText::default() }
    }
}

/// One URL prefix that hooks may send requests to, with what the host adds to them.
///
/// A rule names its secrets but does not contain them: they are read when a [`Client`](crate::Client) is created.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    pub(crate) scheme: Scheme,
    pub(crate) host: HostPattern,
    pub(crate) port: u16,
    /// The path prefix. It begins with `/`. With a trailing `/` it covers only what lies below it; without one it also
    /// covers itself.
    pub(crate) path: String,
    pub(crate) methods: Vec<Method>,
    pub(crate) bearer: Option<SecretSource>,
    pub(crate) headers: Vec<(HeaderName, SecretSource)>,
    pub(crate) private: bool,
    pub(crate) ca: Option<PathBuf>,
    pub(crate) proxy: bool,
}

impl Rule {
    /// Whether the rule covers the URL, with any method.
    #[must_use]
    pub fn covers_url(&self, target: &Target) -> bool {
        self.scheme == target.scheme()
            && self.port == target.port()
            && self.host.matches(target.host())
            && is_below(target.path(), &self.path)
    }

    /// Whether the rule covers the method.
    #[must_use]
    pub fn covers_method(&self, method: &Method) -> bool {
        self.methods.contains(method)
    }

    /// Whether the host may be this machine or in a private network.
    #[must_use]
    pub const fn is_private(&self) -> bool {
        self.private
    }

    /// Returns the file with the certificate authorities to trust.
    #[must_use]
    pub fn ca(&self) -> Option<&Path> {
        self.ca.as_deref()
    }

    /// Whether requests go through the proxy that the environment names.
    #[must_use]
    pub const fn uses_proxy(&self) -> bool {
        self.proxy
    }

    /// Returns the headers that the host adds, each with the source of its value.
    pub fn added_headers(&self) -> impl Iterator<Item = (&HeaderName, &SecretSource)> {
        let bearer = self.bearer.iter().map(|source| (&http::header::AUTHORIZATION, source));
        bearer.chain(self.headers.iter().map(|(name, source)| (name, source)))
    }

    fn covers(&self, other: &Rule) -> bool {
        self.scheme == other.scheme
            && self.port == other.port
            && self.host.covers(&other.host)
            && is_below(&other.path, &self.path)
            && other.methods.iter().all(|method| self.covers_method(method))
    }
}

/// Whether a path equals a prefix or lies below it, by whole segments.
fn is_below(path: &str, prefix: &str) -> bool {
    path.strip_prefix(prefix).is_some_and(|rest| prefix.ends_with('/') || rest.is_empty() || rest.starts_with('/'))
}

/// Says what the rule allows, so that a user can judge it: ``GET https://api.example.com/v1/, with `authorization` from
/// `env:TOKEN` ``.
impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let methods: Vec<&str> = self.methods.iter().map(Method::as_str).collect();
        write!(f, "{} {}://{}", methods.join(", "), self.scheme, self.host)?;
        if self.port != self.scheme.default_port() {
            write!(f, ":{}", self.port)?;
        }
        f.write_str(&self.path)?;
        for (name, source) in self.added_headers() {
            write!(f, ", with `{name}` from `{source}`")?;
        }
        if self.private {
            f.write_str(", also on this machine and in private networks")?;
        }
        if let Some(ca) = &self.ca {
            write!(f, ", trusting only `{}`", ca.display())?;
        }
        if self.proxy {
            f.write_str(", through the proxy of the environment, which resolves the name")?;
        }
        Ok(())
    }
}
