//! Hosts in URLs and in arguments, in every spelling that programs accept.

use crate::{GLOB, UNKNOWN};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The destination of a URL or an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A host.
    Host(Host),
    /// A file on this machine, by `file:`.
    File,
    /// No other machine, as for `data:`.
    Nowhere,
    /// A target that is known only when the command runs.
    Opaque,
}

/// A host, in the canonical spelling that settings use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Host {
    /// The name in lower case, without a trailing dot; an address in its usual form, without brackets.
    pub name: String,
    /// The address, if the name is one.
    pub address: Option<IpAddr>,
    /// The port, if given, or the scheme's default.
    pub port: Option<u16>,
    /// The user name before `@`, if it looks like a host. The URL does not lead to that host.
    pub posing_as: Option<String>,
    /// Whether programs disagree about which host this is.
    pub is_disputed: bool,
    /// The scheme, if there is one.
    pub scheme: Option<String>,
}

/// The schemes and their default ports.
pub(super) const SCHEMES: &[(&str, u16)] = &[
    ("http", 80),
    ("https", 443),
    ("ws", 80),
    ("wss", 443),
    ("ftp", 21),
    ("ftps", 990),
    ("sftp", 22),
    ("scp", 22),
    ("ssh", 22),
    ("git", 9418),
    ("rsync", 873),
    ("telnet", 23),
    ("ldap", 389),
    ("ldaps", 636),
    ("smtp", 25),
    ("gopher", 70),
    ("dict", 2628),
    ("redis", 6379),
    ("tftp", 69),
    ("svn", 3690),
    ("smtps", 465),
    ("imap", 143),
    ("imaps", 993),
    ("pop3", 110),
    ("postgres", 5432),
    ("postgresql", 5432),
    ("mysql", 3306),
    ("mongodb", 27017),
    // The last part of `mongodb+srv`.
    ("srv", 27017),
    ("rediss", 6379),
    ("amqp", 5672),
    ("amqps", 5671),
    ("mqtt", 1883),
    ("nats", 4222),
    ("grpc", 443),
    ("docker", 443),
    ("oci", 443),
    ("rtsp", 554),
    ("rtmp", 1935),
    ("socks4", 1080),
    ("socks4a", 1080),
    ("socks5", 1080),
    ("socks5h", 1080),
];

/// Whether a URL has a network scheme, rather than a scheme of one program, as in `op://vault/item`.
pub(super) fn is_of_network(url: &str) -> bool {
    let scheme = url.split("://").next().unwrap_or_default().to_ascii_lowercase();
    let plain = scheme.rsplit('+').next().unwrap_or_default();
    plain.contains(UNKNOWN) || plain == "file" || SCHEMES.iter().any(|(name, _)| *name == plain)
}

/// The schemes that do not lead to another machine.
const NOWHERE: &[&str] =
    &["about", "blob", "cid", "data", "fd", "javascript", "mailto", "mem", "urn", "view-source", "vscode"];

/// Parses a URL or a host. Programs such as `curl` accept a host in place of a URL.
#[must_use]
pub fn target(text: &str) -> Target {
    let text = text.trim_matches(|c: char| c.is_ascii_whitespace() || c.is_ascii_control());
    let (scheme, rest) = match split_scheme(text) {
        Some((scheme, rest)) => (Some(scheme.to_ascii_lowercase()), rest),
        None => (None, text),
    };
    // `git+ssh`, `svn+https`
    let plain = scheme.as_deref().map(|scheme| scheme.rsplit('+').next().unwrap_or(scheme).to_owned());
    match plain.as_deref() {
        Some(scheme) if scheme.contains([UNKNOWN, GLOB]) => return Target::Opaque,
        Some("file") => return Target::File,
        Some(scheme) if NOWHERE.contains(&scheme) => return Target::Nowhere,
        _ => {}
    }
    if scheme.is_none() && text.is_empty() {
        return Target::Nowhere;
    }
    // Browsers accept any number of slashes of either kind.
    let rest = rest.trim_start_matches(['/', '\\']);
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let authority = rest.get(..end).unwrap_or(rest);
    // Some programs end the host at a backslash, others at the `@` after the backslash.
    let is_disputed = authority.contains(['\\', '\t', '\n', '\r']) || authority.matches('@').count() > 1;
    let (user, host) = match authority.rsplit_once('@') {
        Some((user, host)) => (Some(user), host),
        None => (None, authority),
    };
    let default = plain.as_deref().and_then(|plain| SCHEMES.iter().find(|(name, _)| *name == plain));
    let Some(mut host) = host_and_port(host, default.map(|(_, port)| *port)) else {
        return Target::Opaque;
    };
    host.is_disputed |= is_disputed;
    host.scheme = plain;
    // `github.com%2facme@host` looks like a path on another host.
    let user = user.map(|user| decode(user).unwrap_or_else(|| user.to_owned())).unwrap_or_default();
    let user = user.split([':', '/', '?', '#']).next().unwrap_or_default();
    host.posing_as = (looks_like_host(user)).then(|| user.to_owned());
    Target::Host(host)
}

/// Returns the scheme and the rest of a URL. `localhost:3000` and `host:path` have no scheme.
fn split_scheme(text: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = text.split_once(':')?;
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic() || c == UNKNOWN)
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c) || c == UNKNOWN);
    let has_slashes = rest.starts_with(['/', '\\']);
    let is_known = SCHEMES.iter().any(|(name, _)| scheme.eq_ignore_ascii_case(name))
        || NOWHERE.iter().any(|name| scheme.eq_ignore_ascii_case(name))
        || scheme.eq_ignore_ascii_case("file");
    // After a host name, a digit begins a port.
    let is_port = rest.starts_with(|c: char| c.is_ascii_digit() || c == UNKNOWN);
    (is_scheme && (has_slashes || (is_known && !is_port))).then_some((scheme, rest))
}

/// Parses `host`, `host:port`, `[v6]` and `[v6]:port`. `None` if the host is not known.
#[must_use]
pub(super) fn host_and_port(text: &str, default: Option<u16>) -> Option<Host> {
    let (name, port) = match text.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((name, rest)) => (name, rest.strip_prefix(':')),
        None if text.parse::<Ipv6Addr>().is_ok() => (text, None),
        None => match text.split_once(':') {
            Some((name, port)) => (name, Some(port)),
            None => (text, None),
        },
    };
    // An unknown port is ignored: `localhost:$PORT` is common.
    let port = match port {
        Some(port) if port.contains(UNKNOWN) => None,
        Some(port) if !port.is_empty() => port.parse().ok(),
        _ => default,
    };
    let name = clean(name)?;
    let address = address(&name);
    let name = address.map_or(name, |address| address.to_string());
    Some(Host { name, address, port, posing_as: None, is_disputed: false, scheme: None })
}

/// Returns a host's name in canonical spelling: decoded, in lower case, without a trailing dot.
fn clean(name: &str) -> Option<String> {
    let decoded = decode(name)?;
    let mut clean: String = decoded
        .chars()
        .filter(|c| !matches!(c, '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}'))
        .flat_map(|c| {
            match c {
                // These are dots of other scripts, which resolvers treat as dots.
                '\u{3002}' | '\u{ff0e}' | '\u{ff61}' => '.',
                // These are the full-width forms of ASCII.
                '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
                _ => c,
            }
            .to_lowercase()
        })
        .collect();
    while clean.ends_with('.') {
        clean.pop();
    }
    let is_open = clean.contains([UNKNOWN, GLOB, '{', '}', '[', ']', '*', '$', '`']);
    (!is_open && !clean.is_empty()).then_some(clean)
}

/// Decodes `%41`. `None` if the result is not valid text.
fn decode(text: &str) -> Option<String> {
    if !text.contains('%') {
        return Some(text.to_owned());
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        let mut ahead = rest.clone();
        let digits = [ahead.next(), ahead.next()].map(|digit| digit.and_then(|digit| char::from(digit).to_digit(16)));
        match digits {
            [Some(high), Some(low)] if byte == b'%' => {
                bytes.push(u8::try_from(high * 16 + low).ok()?);
                rest = ahead;
            }
            _ => bytes.push(byte),
        }
    }
    String::from_utf8(bytes).ok()
}

/// Returns the address, if the name is an address in a spelling that the C library accepts: `127.1`, `2130706433`,
/// `0x7f.1`, `0177.0.0.1`, and IPv6 addresses that embed an IPv4 address.
fn address(name: &str) -> Option<IpAddr> {
    let without_zone = name.split('%').next().unwrap_or(name);
    if let Ok(v6) = without_zone.parse::<Ipv6Addr>() {
        return Some(inner(v6).map_or(IpAddr::V6(v6), IpAddr::V4));
    }
    v4(name).map(IpAddr::V4)
}

/// Returns the IPv4 address inside an IPv6 address: mapped, compatible, NAT64 or 6to4.
fn inner(v6: Ipv6Addr) -> Option<Ipv4Addr> {
    let last = |high: u16, low: u16| Ipv4Addr::from((u32::from(high) << 16) | u32::from(low));
    match v6.segments() {
        [0, 0, 0, 0, 0, 0, 0, 0 | 1] => None,
        [0, 0, 0, 0, 0, 0 | 0xffff, high, low]
        | [0, 0, 0, 0, 0xffff, 0, high, low]
        | [0x64, 0xff9b, 0, 0, 0, 0, high, low]
        | [0x2002, high, low, ..] => Some(last(high, low)),
        _ => None,
    }
}

pub(super) fn v4(name: &str) -> Option<Ipv4Addr> {
    let parts: Vec<&str> = name.split('.').collect();
    let mut value: u64 = 0;
    let (last, first) = parts.split_last()?;
    if first.len() > 3 {
        return None;
    }
    for part in first {
        let part = number(part).filter(|part| *part < 256)?;
        value = (value << 8) | part;
    }
    let room = 8 * (4 - u32::try_from(first.len()).ok()?);
    let last = number(last).filter(|last| *last < 1 << room)?;
    u32::try_from((value << room) | last).ok().map(Ipv4Addr::from)
}

/// Parses a number in C syntax.
fn number(text: &str) -> Option<u64> {
    let (digits, radix) = match text.strip_prefix("0x") {
        Some("") => return Some(0),
        Some(digits) => (digits, 16),
        None if text.len() > 1 && text.starts_with('0') => (text, 8),
        None => (text, 10),
    };
    // There may be any number of zeros at the beginning.
    let is_plain = digits.chars().all(|c| c.is_digit(radix));
    u64::from_str_radix(digits, radix).ok().filter(|_| is_plain)
}

/// Endings of host names that are unusual as endings of file names.
const ENDINGS: &[&str] = &[
    "com",
    "net",
    "org",
    "io",
    "dev",
    "app",
    "ai",
    "co",
    "uk",
    "de",
    "eu",
    "fr",
    "nl",
    "ru",
    "cn",
    "xyz",
    "info",
    "biz",
    "edu",
    "gov",
    "mil",
    "site",
    "online",
    "tech",
    "cloud",
    "live",
    "me",
    "us",
    "ca",
    "jp",
    "in",
    "br",
    "au",
    "ch",
    "at",
    "it",
    "es",
    "se",
    "no",
    "pl",
    "cz",
    "tk",
    "ml",
    "top",
    "club",
    "shop",
    "link",
    "page",
    "run",
    "internal",
    "local",
    "localhost",
    "onion",
];

/// Whether a text is probably a host: an address, or a name with a common ending.
#[must_use]
pub fn looks_like_host(text: &str) -> bool {
    let Some(Host { name, address, .. }) = host_and_port(text, None) else {
        return false;
    };
    let is_name = name.chars().all(|c| c.is_alphanumeric() || "-_.".contains(c));
    let dots = name.matches('.').count();
    let is_address = match address {
        Some(IpAddr::V4(_)) => dots == 3,
        Some(IpAddr::V6(_)) => true,
        None => false,
    };
    let ending = name.rsplit('.').next().unwrap_or_default();
    is_address || (is_name && dots > 0 && !name.starts_with('.') && ENDINGS.contains(&ending)) || name == "localhost"
}

#[cfg(test)]
#[path = "host_tests.rs"]
mod tests;
