//! Patterns for hosts in settings.

use super::host::{Host, Target, target};
use super::reach::is_in_domain;
use std::net::IpAddr;

/// A pattern for hosts: `example.com`, `*.example.com` (all names below it), `localhost:3000`, an address, a range of
/// addresses such as `10.0.0.0/8`, or `*`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostPattern {
    kind: Kind,
    port: Option<u16>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    All,
    Exact(String),
    Below(String),
    Range(IpAddr, u8),
}

impl HostPattern {
    /// Parses a pattern.
    ///
    /// # Errors
    /// Returns an error if the text is not a pattern. The error shows valid patterns.
    pub fn new(text: &str) -> Result<Self, String> {
        let wrong = |what: &str| Err(format!("`{text}` is not a pattern for hosts: {what}"));
        if text.contains("://") {
            return wrong("leave out the scheme and the path, as in `example.com`");
        }
        if text == "*" {
            return Ok(HostPattern { kind: Kind::All, port: None });
        }
        if let Some((address, bits)) = text.split_once('/') {
            return match (address.parse::<IpAddr>(), bits.parse::<u8>()) {
                (Ok(address), Ok(bits)) if bits <= if address.is_ipv4() { 32 } else { 128 } => {
                    Ok(HostPattern { kind: Kind::Range(address, bits), port: None })
                }
                _ => wrong("a slash belongs in a range of addresses alone, as in `10.0.0.0/8`"),
            };
        }
        let (below, rest) = match text.strip_prefix("*.") {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        if rest.contains('*') {
            return wrong("a star stands alone or for whole names at the beginning, as in `*.example.com`");
        }
        let is_plain = |c: char| c.is_alphanumeric() || "-_.:[]".contains(c);
        // Without its port, a pattern would stand for all ports.
        let has_port = rest.contains("]:") || rest.matches(':').count() == 1;
        match target(rest) {
            Target::Host(host) if rest.chars().all(is_plain) && (host.port.is_some() || !has_port) => {
                let kind = if below { Kind::Below(host.name) } else { Kind::Exact(host.name) };
                Ok(HostPattern { kind, port: host.port })
            }
            _ => wrong("write `example.com`, `*.example.com`, `localhost:3000` or an address"),
        }
    }

    /// Parses a list of patterns.
    ///
    /// # Errors
    /// Returns an error if one of the texts is not a pattern.
    pub fn list(texts: &[String]) -> Result<Vec<Self>, String> {
        texts.iter().map(|text| Self::new(text)).collect()
    }

    /// Whether a host matches this pattern.
    #[must_use]
    pub fn matches(&self, host: &Host) -> bool {
        let is_port = self.port.is_none_or(|port| host.port == Some(port));
        is_port
            && match &self.kind {
                Kind::All => true,
                Kind::Exact(name) => host.name == *name,
                Kind::Below(domain) => host.name != *domain && is_in_domain(&host.name, domain),
                Kind::Range(start, bits) => host.address.is_some_and(|address| is_in_range(address, *start, *bits)),
            }
    }

    /// Whether the pattern names a single host.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        matches!(self.kind, Kind::Exact(_))
    }
}

fn is_in_range(address: IpAddr, start: IpAddr, bits: u8) -> bool {
    let bits = u32::from(bits);
    match (address, start) {
        (IpAddr::V4(address), IpAddr::V4(start)) => {
            (address.to_bits() ^ start.to_bits()).checked_shr(32 - bits).unwrap_or(0) == 0
        }
        (IpAddr::V6(address), IpAddr::V6(start)) => {
            (address.to_bits() ^ start.to_bits()).checked_shr(128 - bits).unwrap_or(0) == 0
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, url: &str) -> bool {
        match (HostPattern::new(pattern), target(url)) {
            (Ok(pattern), Target::Host(host)) => pattern.matches(&host),
            _ => false,
        }
    }

    #[test]
    fn patterns() {
        assert!(matches("example.com", "https://EXAMPLE.com./x"));
        assert!(matches("Example.com", "https://example.com:8443/x"));
        assert!(!matches("example.com", "https://a.example.com"));
        assert!(!matches("example.com", "https://notexample.com"));
        assert!(!matches("example.com", "https://example.com.evil.com"));
        assert!(matches("*.example.com", "https://a.b.example.com"));
        assert!(!matches("*.example.com", "https://example.com"));
        assert!(!matches("*.example.com", "https://badexample.com"));
        assert!(matches("localhost:3000", "http://localhost:3000/x"));
        assert!(!matches("localhost:3000", "http://localhost:3001/x"));
        assert!(matches("127.0.0.1", "http://2130706433/"));
        assert!(matches("[::1]:80", "http://[::1]/"));
        assert!(matches("10.0.0.0/8", "http://10.1.2.3/"));
        assert!(!matches("10.0.0.0/8", "http://11.1.2.3/"));
        assert!(matches("0.0.0.0/0", "http://11.1.2.3/"));
        assert!(matches("fd00::/8", "http://[fd12::1]/"));
        assert!(matches("*", "http://anything/"));
    }

    #[test]
    fn what_is_no_pattern() {
        for text in [
            "https://example.com",
            "example.com/x",
            "exa*mple.com",
            "",
            "*.*.com",
            "a b",
            "10.0.0.0/33",
            "$X",
            "a:99999",
        ] {
            assert!(HostPattern::new(text).is_err(), "{text}");
        }
    }
}
