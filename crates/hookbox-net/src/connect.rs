//! Connections to targets: each address of a target is checked, and only checked addresses are connected to.

use crate::address::{self, AddressClass};
use crate::error::{Error, ErrorKind};
use crate::host::Host;
use crate::refusal::Quoted;
use crate::resolve::Resolve;
use std::io;
use std::net::{IpAddr, SocketAddr};
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout_at};

/// The maximum number of addresses that are tried for one name.
const MAX_TRIES: usize = 4;

/// Looks up the addresses of a host, and checks all of them.
pub(crate) async fn resolve(
    resolver: &dyn Resolve,
    host: &Host,
    port: u16,
    private: bool,
    until: Instant,
) -> Result<Vec<SocketAddr>, Error> {
    let addresses = lookup(resolver, host, until).await?;
    // One refused address refuses the name, because the name's owner chooses which address comes first.
    if let Some(refused) = addresses.iter().find(|ip| !address::is_allowed(**ip, private)) {
        let error = Error::new(ErrorKind::DestinationIpProhibited, "the host has an address that is not allowed");
        return Err(error.with_detail(format_args!("{refused} is {}", why_refused(*refused))));
    }
    Ok(with_port(addresses, port))
}

/// Checks that a secret in plain text stays on this machine or in a private network. A rule with `private = true` also
/// allows public addresses, and the same name may belong to anyone in another network.
pub(crate) fn check_plain(addresses: &[SocketAddr]) -> Result<(), Error> {
    match addresses.iter().find(|address| address::classify(address.ip()) != AddressClass::Private) {
        None => Ok(()),
        Some(public) => {
            let message = "a secret is not sent in plain text to the internet";
            Err(Error::new(ErrorKind::DestinationIpProhibited, message).with_detail(public))
        }
    }
}

/// Looks up the addresses of a proxy. A proxy may be in a private network, but the environment must not choose a
/// metadata service or a link-local address, which no rule allows.
pub(crate) async fn resolve_proxy(
    resolver: &dyn Resolve,
    host: &Host,
    port: u16,
    until: Instant,
) -> Result<Vec<SocketAddr>, Error> {
    let addresses = lookup(resolver, host, until).await?;
    if let Some(refused) = addresses.iter().find(|ip| !address::is_allowed(**ip, true)) {
        let error = Error::new(ErrorKind::DestinationIpProhibited, "the proxy has an address that is not allowed");
        return Err(error.with_detail(format_args!("{refused} is {}", why_refused(*refused))));
    }
    Ok(with_port(addresses, port))
}

async fn lookup(resolver: &dyn Resolve, host: &Host, until: Instant) -> Result<Vec<IpAddr>, Error> {
    let name = match host {
        Host::Ip(ip) => return Ok(vec![*ip]),
        Host::Name(name) => name,
    };
    let failed = |detail: String| {
        Error::new(ErrorKind::DnsError, format!("the name `{}` cannot be resolved", Quoted::new(name)))
            .with_detail(detail)
    };
    match timeout_at(until, resolver.resolve(name)).await {
        Err(_) => Err(Error::new(ErrorKind::DnsTimeout, "the name was not resolved in time")),
        Ok(Err(error)) => Err(failed(error.to_string())),
        Ok(Ok(addresses)) if addresses.is_empty() => Err(failed("it has no address".to_owned())),
        Ok(Ok(addresses)) => Ok(addresses),
    }
}

fn why_refused(address: IpAddr) -> &'static str {
    // Public addresses are never refused, so their text is never seen.
    match address::classify(address) {
        AddressClass::Private => "private: the grant needs `private = true`",
        AddressClass::Public | AddressClass::Never => "never allowed",
    }
}

fn with_port(addresses: Vec<IpAddr>, port: u16) -> Vec<SocketAddr> {
    let mut sockets: Vec<SocketAddr> = Vec::with_capacity(addresses.len());
    for ip in addresses {
        let socket = SocketAddr::new(ip, port);
        if !sockets.contains(&socket) {
            sockets.push(socket);
        }
    }
    sockets.truncate(MAX_TRIES);
    sockets
}

/// Connects to the first address that answers. Each address gets an equal share of the time that is left.
pub(crate) async fn connect(addresses: &[SocketAddr], until: Instant) -> Result<(TcpStream, SocketAddr), Error> {
    let mut failure = Error::new(ErrorKind::DestinationUnavailable, "the host has no address");
    for (nth, address) in addresses.iter().enumerate() {
        let tries = u32::try_from(addresses.len() - nth).unwrap_or(1);
        let now = Instant::now();
        let share = now + until.saturating_duration_since(now) / tries;
        failure = match timeout_at(share, TcpStream::connect(*address)).await {
            Err(_) => Error::new(ErrorKind::ConnectionTimeout, "the connection was not made in time"),
            Ok(Err(error)) => refused(&error),
            Ok(Ok(stream)) => match prepare(&stream, *address) {
                Ok(()) => return Ok((stream, *address)),
                Err(error) => error,
            },
        };
        failure = failure.with_detail(address);
    }
    Err(failure)
}

fn prepare(stream: &TcpStream, address: SocketAddr) -> Result<(), Error> {
    let peer = stream.peer_addr().and_then(|peer| stream.set_nodelay(true).map(|()| peer));
    match peer {
        Ok(peer) if peer.ip() == address.ip() && peer.port() == address.port() => Ok(()),
        Ok(_) => {
            Err(Error::new(ErrorKind::DestinationIpProhibited, "connected to another address than the one checked"))
        }
        Err(error) => Err(refused(&error)),
    }
}

fn refused(error: &io::Error) -> Error {
    match error.kind() {
        io::ErrorKind::ConnectionRefused => {
            Error::new(ErrorKind::ConnectionRefused, "the server refused the connection")
        }
        io::ErrorKind::TimedOut => Error::new(ErrorKind::ConnectionTimeout, "the connection was not made in time"),
        io::ErrorKind::HostUnreachable | io::ErrorKind::NetworkUnreachable | io::ErrorKind::AddrNotAvailable => {
            Error::new(ErrorKind::DestinationUnavailable, "the server cannot be reached")
        }
        _ => Error::new(ErrorKind::ConnectionTerminated, "the connection could not be made"),
    }
}
