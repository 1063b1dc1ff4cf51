//! The kinds of machines that hosts can be.

use super::host::{Host, SCHEMES, v4};
use super::metadata;
use std::net::{IpAddr, Ipv4Addr};

/// The kind of machine that a host is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// This machine.
    Local,
    /// A service that provides the credentials of the machine.
    Metadata,
    /// Any other machine.
    Other,
}

/// Domains below which a name resolves to the address that it contains.
const BY_ADDRESS: &[&str] = &["nip.io", "sslip.io", "xip.io", "traefik.me", "backname.io"];
/// Names that resolve to this machine.
const LOCAL: &[&str] = &[
    "localtest.me",
    "lvh.me",
    "vcap.me",
    "lacolhost.com",
    "localhost",
    "localhost.localdomain",
    "localhost4",
    "localhost6",
    "ip6-localhost",
    "ip6-loopback",
];

impl Host {
    /// Returns the kind of machine that this host is.
    #[must_use]
    pub fn reach(&self) -> Reach {
        match self.address.or_else(|| self.embedded()) {
            Some(IpAddr::V4(v4)) if v4.is_loopback() || v4.is_unspecified() => Reach::Local,
            Some(IpAddr::V6(v6)) if v6.is_loopback() || v6.is_unspecified() => Reach::Local,
            Some(address) if metadata::has_address(address) => Reach::Metadata,
            Some(_) => Reach::Other,
            None if metadata::NAMES.contains(&self.name.as_str()) => Reach::Metadata,
            None if LOCAL.iter().any(|name| is_in_domain(&self.name, name)) => Reach::Local,
            None => Reach::Other,
        }
    }

    /// Returns the address in a name such as `169.254.169.254.nip.io`.
    fn embedded(&self) -> Option<IpAddr> {
        let domain = BY_ADDRESS.iter().find(|domain| is_in_domain(&self.name, domain))?;
        let labels = self.name.strip_suffix(domain)?.trim_end_matches('.').replace('-', ".");
        let labels: Vec<&str> = labels.split('.').collect();
        let hex = labels.iter().filter(|label| label.len() == 8).find_map(|label| u32::from_str_radix(label, 16).ok());
        let four = labels.windows(4).find_map(|four| v4(&four.join(".")));
        four.or(hex.map(Ipv4Addr::from)).map(IpAddr::V4)
    }

    /// Whether the name has non-ASCII letters, directly or in Punycode, and so may look like another name.
    #[must_use]
    pub fn is_international(&self) -> bool {
        !self.name.is_ascii() || self.name.split('.').any(|label| label.starts_with("xn--"))
    }

    /// Returns the host and its port, for use in reasons.
    #[must_use]
    pub fn show(&self) -> String {
        let usual = self.scheme.as_deref().and_then(|scheme| SCHEMES.iter().find(|(name, _)| *name == scheme));
        // Default ports are left out.
        let is_usual = |port: &u16| usual.map_or(matches!(port, 22 | 25 | 53 | 443), |(_, usual)| usual == port);
        match self.port.filter(|port| !is_usual(port)) {
            Some(port) if self.name.contains(':') => format!("[{}]:{port}", self.name),
            Some(port) => format!("{}:{port}", self.name),
            None => self.name.clone(),
        }
    }
}

/// Whether a name is this domain or a name below it.
#[must_use]
pub fn is_in_domain(name: &str, domain: &str) -> bool {
    name.strip_suffix(domain).is_some_and(|before| before.is_empty() || before.ends_with('.'))
}
