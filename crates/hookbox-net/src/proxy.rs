//! The proxy of the environment, for rules with `proxy = true`: a tunnel by `CONNECT`, only for `https`.

use crate::error::{Error, ErrorKind};
use crate::host::Host;
use crate::secret::Surroundings;
use crate::target::{Target, split_authority};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use std::fmt;
use std::net::IpAddr;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// The maximum length of a proxy's answer to `CONNECT`, in bytes.
const MAX_ANSWER: usize = 8 << 10;

/// The proxy that opens tunnels.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Proxy {
    pub(crate) host: Host,
    pub(crate) port: u16,
    /// The value `Basic …`, made of the user name and the password in the URL.
    authorization: Option<String>,
    direct: Vec<Direct>,
}

/// An entry of `NO_PROXY`: hosts that are connected to without the proxy.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Direct {
    All,
    /// This name and all names below it.
    Name(String),
    /// Addresses that share this many leading bits.
    Ip(IpAddr, u32),
}

/// The error if the proxy of the environment cannot be used. Its text does not contain the value of the variable, which
/// may have a password.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{variable}` is not valid: use `http://HOST:PORT`, with `USER:PASSWORD@` in front of the host where needed")]
pub struct ProxyError {
    variable: &'static str,
}

impl Proxy {
    /// Reads the proxy for `https`. Returns `None` if the environment does not name one.
    pub(crate) fn from_environment(from: Surroundings<'_>) -> Result<Option<Self>, ProxyError> {
        let read = |names: [&'static str; 2]| {
            names
                .into_iter()
                .find_map(|name| (from.variables)(name).filter(|value| !value.is_empty()).map(|value| (name, value)))
        };
        let Some((variable, value)) = read(["https_proxy", "HTTPS_PROXY"]) else { return Ok(None) };
        let bad = || ProxyError { variable };
        let mut proxy = value.to_str().and_then(parse).ok_or_else(bad)?;
        if let Some((variable, value)) = read(["no_proxy", "NO_PROXY"]) {
            let entries = value.to_str().ok_or(ProxyError { variable })?.split(',').map(str::trim);
            proxy.direct = entries.filter_map(Direct::parse).collect();
        }
        Ok(Some(proxy))
    }

    /// Whether a host is connected to without the proxy.
    pub(crate) fn is_direct(&self, host: &Host) -> bool {
        self.direct.iter().any(|entry| entry.matches(host))
    }

    /// Asks the proxy for a tunnel to the target. The caller sets the time limit.
    pub(crate) async fn tunnel(&self, stream: &mut TcpStream, target: &Target) -> Result<(), Error> {
        let to = format!("{}:{}", target.host(), target.port());
        let mut request = format!("CONNECT {to} HTTP/1.1\r\nHost: {to}\r\n");
        if let Some(authorization) = &self.authorization {
            request.push_str("Proxy-Authorization: ");
            request.push_str(authorization);
            request.push_str("\r\n");
        }
        request.push_str("\r\n");
        let failed = |message: &'static str| Error::new(ErrorKind::DestinationUnavailable, message);
        let broken = |error: std::io::Error| failed("the connection to the proxy broke").with_detail(error);
        stream.write_all(request.as_bytes()).await.map_err(broken)?;
        let mut answer = Vec::new();
        while !answer.ends_with(b"\r\n\r\n") {
            // In a TLS handshake the server waits for the client, so nothing follows the head. Any further data would
            // be an attack.
            if answer.len() > MAX_ANSWER || answer.windows(4).any(|end| end == b"\r\n\r\n") {
                return Err(failed("the proxy's answer is too long"));
            }
            if stream.read_buf(&mut answer).await.map_err(broken)? == 0 {
                return Err(failed("the proxy closed the connection"));
            }
        }
        match answer.strip_prefix(b"HTTP/1.1 ").or_else(|| answer.strip_prefix(b"HTTP/1.0 ")) {
            Some([b'2', b'0', b'0', b' ' | b'\r', ..]) => Ok(()),
            Some([b'4', b'0', b'7', ..]) => {
                Err(Error::new(ErrorKind::ConfigurationError, "the proxy wants other credentials (status 407)"))
            }
            _ => Err(failed("the proxy refused the tunnel")),
        }
    }
}

fn parse(text: &str) -> Option<Proxy> {
    let rest = match text.split_once("://") {
        Some(("http", rest)) => rest,
        Some(_) => return None,
        None => text,
    };
    let rest = rest.strip_suffix('/').unwrap_or(rest);
    let (user, authority) = match rest.rsplit_once('@') {
        Some((user, authority)) => (Some(user), authority),
        None => (None, rest),
    };
    let (host, port) = split_authority(authority).ok()?;
    let authorization = match user {
        Some(user) => {
            let mut login = decode(user)?;
            if !user.contains(':') {
                // The colon is required even if there is no password (RFC 7617, 2).
                login.push(b':');
            }
            Some(format!("Basic {}", STANDARD.encode(login)))
        }
        None => None,
    };
    Some(Proxy { host: Host::parse(host).ok()?, port: port.unwrap_or(80), authorization, direct: Vec::new() })
}

/// Decodes the percent-escapes of a text. Returns `None` if one of them is not valid.
fn decode(text: &str) -> Option<Vec<u8>> {
    let mut bytes = text.bytes();
    let mut decoded = Vec::with_capacity(text.len());
    while let Some(byte) = bytes.next() {
        decoded.push(if byte == b'%' { crate::path::escape(&mut bytes)? } else { byte });
    }
    Some(decoded)
}

impl Direct {
    fn parse(text: &str) -> Option<Self> {
        if text == "*" {
            return Some(Direct::All);
        }
        let (address, length) = match text.split_once('/') {
            Some((address, length)) => (address, Some(length.parse().ok()?)),
            None => (text, None),
        };
        if let Ok(ip) = address.trim_matches(['[', ']']).parse() {
            return Some(Direct::Ip(ip, length.unwrap_or(128)));
        }
        let name = text.strip_prefix("*.").or_else(|| text.strip_prefix('.')).unwrap_or(text);
        match Host::parse(name) {
            Ok(Host::Name(name)) => Some(Direct::Name(name)),
            _ => None,
        }
    }

    fn matches(&self, host: &Host) -> bool {
        match (self, host) {
            (Direct::All, _) => true,
            (Direct::Name(parent), Host::Name(name)) => {
                name.strip_suffix(parent).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
            }
            (Direct::Ip(IpAddr::V4(net), length), Host::Ip(IpAddr::V4(ip))) => {
                (u32::from(*net) ^ u32::from(*ip)).leading_zeros() >= (*length).min(32)
            }
            (Direct::Ip(IpAddr::V6(net), length), Host::Ip(IpAddr::V6(ip))) => {
                (u128::from(*net) ^ u128::from(*ip)).leading_zeros() >= (*length).min(128)
            }
            _ => false,
        }
    }
}

impl fmt::Debug for Proxy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Proxy").field("host", &self.host).field("port", &self.port).finish_non_exhaustive()
    }
}
