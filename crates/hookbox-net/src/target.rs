//! The target of a request: scheme, host, port, path and query, in one spelling.

use crate::host::Host;
use crate::path;
use crate::refusal::{Quoted, Refusal};
use std::fmt;

/// The scheme of a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scheme {
    /// Plain text.
    Http,
    /// TLS.
    Https,
}

impl Scheme {
    /// Returns the scheme's default port.
    #[must_use]
    pub const fn default_port(self) -> u16 {
        match self {
            Scheme::Http => 80,
            Scheme::Https => 443,
        }
    }

    pub(crate) fn parse(text: &str) -> Result<Self, Refusal> {
        match text {
            "https" => Ok(Scheme::Https),
            "http" => Ok(Scheme::Http),
            _ => Err(Refusal::Scheme(Quoted::new(text))),
        }
    }
}

impl fmt::Display for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Scheme::Http => "http",
            Scheme::Https => "https",
        })
    }
}

/// The target of a request, in one canonical form. This form is matched against the rules, and this form is sent.
///
/// Unusual spellings are refused and never repaired, because anything that this crate and the server read differently
/// is a way around the rules. Only two things are normalized, since everyone reads them alike: a host in upper case,
/// and one dot at the end of its name.
///
/// ```
/// use hookbox_net::Target;
///
/// let target = Target::parse("https", "API.example.com.:443", "/v1/users?page=2")?;
/// assert_eq!(target.to_string(), "https://api.example.com/v1/users?page=2");
/// assert!(Target::parse("https", "api.example.com", "/v1/../admin").is_err());
/// # Ok::<(), hookbox_net::Refusal>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Target {
    scheme: Scheme,
    host: Host,
    port: u16,
    path: String,
    query: Option<String>,
}

impl Target {
    /// Reads the parts of a request, as given by a guest.
    ///
    /// # Errors
    /// Returns an error if a part is missing, not valid, or in an unusual spelling.
    pub fn parse(scheme: &str, authority: &str, path_and_query: &str) -> Result<Self, Refusal> {
        let scheme = Scheme::parse(scheme)?;
        let (host, port) = split_authority(authority)?;
        let host = Host::parse(host)?;
        let port = port.unwrap_or(scheme.default_port());
        let (path, query) = path::parse(path_and_query)?;
        Ok(Target { scheme, host, port, path, query })
    }

    /// Returns the scheme.
    #[must_use]
    pub const fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// Returns the host.
    #[must_use]
    pub const fn host(&self) -> &Host {
        &self.host
    }

    /// Returns the port, which is the scheme's default if none is written.
    #[must_use]
    pub const fn port(&self) -> u16 {
        self.port
    }

    /// Returns the path. It begins with `/`.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Returns the query, without its `?`.
    #[must_use]
    pub fn query(&self) -> Option<&str> {
        self.query.as_deref()
    }

    /// Returns the host, and the port if it is not the scheme's default.
    #[must_use]
    pub fn authority(&self) -> String {
        if self.port == self.scheme.default_port() {
            self.host.to_string()
        } else {
            format!("{}:{}", self.host, self.port)
        }
    }

    /// Returns the path and the query.
    #[must_use]
    pub fn path_and_query(&self) -> String {
        match &self.query {
            Some(query) => format!("{}?{query}", self.path),
            None => self.path.clone(),
        }
    }

    /// Returns the URL without its query, for messages. The query is left out because it may contain data.
    pub(crate) fn quoted(&self) -> Quoted {
        Quoted::new(&format!("{}://{}{}", self.scheme, self.authority(), self.path))
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}{}", self.scheme, self.authority(), self.path_and_query())
    }
}

/// Splits an authority into its host and its port.
pub(crate) fn split_authority(authority: &str) -> Result<(&str, Option<u16>), Refusal> {
    if authority.contains('@') {
        // Leave out the part before the `@`, which may be a password.
        let host = authority.rsplit('@').next().unwrap_or_default();
        return Err(Refusal::UserInfo(Quoted::new(host)));
    }
    // The colons of an IPv6 address are within its brackets.
    let after = authority.rfind(']').map_or(0, |bracket| bracket + 1);
    let Some((_, port)) = authority.get(after..).and_then(|rest| rest.split_once(':')) else {
        return Ok((authority, None));
    };
    let bad = || Refusal::Port(Quoted::new(authority));
    let plain = port.bytes().all(|byte| byte.is_ascii_digit()) && !port.starts_with('0');
    let number = port.parse().ok().filter(|_| plain).ok_or_else(bad)?;
    let host = authority.strip_suffix(port).and_then(|rest| rest.strip_suffix(':')).ok_or_else(bad)?;
    Ok((host, Some(number)))
}
