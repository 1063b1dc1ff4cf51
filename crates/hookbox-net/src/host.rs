//! The hosts of requests, which have one spelling only, and of rules, which may begin with `*.`.

use crate::metadata;
use crate::refusal::Refusal;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The maximum length of a name, in bytes (RFC 1035).
const MAX_NAME: usize = 253;

/// The maximum length of a label in a name, in bytes (RFC 1035).
const MAX_LABEL: usize = 63;

/// A host in its canonical form. Two accepted spellings of one host give equal values.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Host {
    /// A DNS name: lower case, without a trailing dot, ASCII.
    Name(String),
    /// An IP address.
    Ip(IpAddr),
}

impl Host {
    /// Parses the host of an authority: a name, an IPv4 address, or an IPv6 address in brackets.
    ///
    /// # Errors
    /// Returns an error if the text is anything else, or an unusual spelling of an address such as `0x7f.1`.
    pub(crate) fn parse(text: &str) -> Result<Self, Refusal> {
        let bad = |why| Err(Refusal::bad_host(text, why));
        if let Some(rest) = text.strip_prefix('[') {
            let inner = rest.strip_suffix(']').filter(|inner| inner.len() <= 45);
            return match inner.and_then(|inner| inner.parse::<Ipv6Addr>().ok()) {
                Some(v6) if v6.to_ipv4_mapped().is_some() => bad("write the IPv4 address that it carries"),
                Some(v6) => Ok(Host::Ip(v6.into())),
                None => bad("not an IPv6 address"),
            };
        }
        let name = text.strip_suffix('.').unwrap_or(text);
        if name.is_empty() {
            return bad("it is empty");
        }
        if name.len() > MAX_NAME {
            return bad("longer than 253 bytes");
        }
        let name = name.to_ascii_lowercase();
        if !name.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.')) {
            return bad("only letters, digits, `-` and `.` are allowed");
        }
        for label in name.split('.') {
            if label.is_empty() || label.len() > MAX_LABEL || label.starts_with('-') || label.ends_with('-') {
                return bad("a label is empty, longer than 63 bytes, or begins or ends with `-`");
            }
        }
        if name.rsplit('.').next().is_some_and(is_number) {
            // Resolvers read `127.1`, `0x7f000001` and `2130706433` as addresses. `Ipv4Addr` accepts only the plain
            // form.
            return match text.parse::<Ipv4Addr>() {
                Ok(v4) => Ok(Host::Ip(v4.into())),
                Err(_) => bad("it ends in a number but is not an IPv4 address"),
            };
        }
        if metadata::NAMES.contains(&name.as_str()) {
            return bad("metadata services are never allowed");
        }
        Ok(Host::Name(name))
    }
}

/// Whether resolvers would read a name with this last label as an address.
fn is_number(label: &str) -> bool {
    let hex = label.strip_prefix("0x").is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
    hex || label.bytes().all(|byte| byte.is_ascii_digit())
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Host::Name(name) => f.write_str(name),
            Host::Ip(IpAddr::V4(v4)) => v4.fmt(f),
            Host::Ip(IpAddr::V6(v6)) => write!(f, "[{v6}]"),
        }
    }
}

/// The host of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum HostPattern {
    /// Only this host.
    Exact(Host),
    /// `*.` and this name: every name below it, at any depth, but not the name itself and never an address.
    Below(String),
}

impl HostPattern {
    pub(crate) fn matches(&self, host: &Host) -> bool {
        match (self, host) {
            (HostPattern::Exact(exact), host) => exact == host,
            (HostPattern::Below(parent), Host::Name(name)) => is_below(name, parent),
            (HostPattern::Below(_), Host::Ip(_)) => false,
        }
    }

    /// Whether this pattern matches every host that the other one matches.
    pub(crate) fn covers(&self, other: &HostPattern) -> bool {
        match (self, other) {
            (pattern, HostPattern::Exact(host)) => pattern.matches(host),
            (HostPattern::Below(parent), HostPattern::Below(name)) => parent == name || is_below(name, parent),
            (HostPattern::Exact(_), HostPattern::Below(_)) => false,
        }
    }
}

fn is_below(name: &str, parent: &str) -> bool {
    name.strip_suffix(parent).and_then(|rest| rest.strip_suffix('.')).is_some_and(|rest| !rest.is_empty())
}

impl fmt::Display for HostPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HostPattern::Exact(host) => host.fmt(f),
            HostPattern::Below(name) => write!(f, "*.{name}"),
        }
    }
}
