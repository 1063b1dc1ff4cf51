//! The sockets on which requests arrive.

use anyhow::{Context, bail};
use listenfd::ListenFd;
use std::fmt;
use std::fs;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use tokio::net::{TcpListener, TcpStream, UnixListener, UnixStream};

/// The mode bits that let others change a directory.
const WRITABLE_BY_OTHERS: u32 = 0o022;

/// The sticky bit of a directory: only the owner of a file can remove it.
const STICKY: u32 = 0o1000;

/// An address to listen on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::cli) enum Address {
    Unix(PathBuf),
    Tcp(SocketAddr),
}

impl Address {
    /// Parses `unix:PATH`, or `IP:PORT` of the loopback interface.
    pub(in crate::cli) fn parse(text: &str) -> Result<Self, String> {
        if let Some(path) = text.strip_prefix("unix:") {
            return match Path::new(path) {
                path if path.file_name().is_some() => Ok(Address::Unix(path.to_owned())),
                _ => Err("`unix:` needs the path of a socket".to_owned()),
            };
        }
        let address: SocketAddr =
            text.parse().map_err(|_| "`unix:PATH`, `127.0.0.1:PORT` or `[::1]:PORT`".to_owned())?;
        match address.ip() {
            IpAddr::V4(ip) if ip.is_loopback() => Ok(Address::Tcp(address)),
            IpAddr::V6(ip) if ip.is_loopback() => Ok(Address::Tcp(address)),
            _ => Err(format!("{} can be reached from other machines; use 127.0.0.1 or [::1]", address.ip())),
        }
    }
}

/// A socket that accepts connections.
pub(super) enum Listener {
    /// A Unix socket, with its file if that has to be removed at the end.
    Unix(UnixListener, Option<PathBuf>),
    Tcp(TcpListener, SocketAddr),
}

/// A connection.
pub(super) enum Stream {
    Unix(UnixStream),
    Tcp(TcpStream),
}

impl Listener {
    /// Listens on the address, or on the socket that the service manager passed.
    ///
    /// # Errors
    /// Returns an error if the address is in use or the socket would be open to others.
    pub(super) fn bind(address: &Address) -> anyhow::Result<Self> {
        let mut passed = ListenFd::from_env();
        match address {
            Address::Unix(_) if passed.len() > 0 => {
                let socket = passed.take_unix_listener(0).context("the passed socket is not a Unix socket")?;
                let socket = socket.context("there is no passed socket")?;
                socket.set_nonblocking(true)?;
                Ok(Listener::Unix(UnixListener::from_std(socket)?, None))
            }
            Address::Tcp(_) if passed.len() > 0 => {
                let socket = passed.take_tcp_listener(0).context("the passed socket is not a TCP socket")?;
                let socket = socket.context("there is no passed socket")?;
                socket.set_nonblocking(true)?;
                let at = socket.local_addr()?;
                if !at.ip().is_loopback() {
                    bail!("the passed socket can be reached from other machines: {at}");
                }
                Ok(Listener::Tcp(TcpListener::from_std(socket)?, at))
            }
            Address::Unix(path) => bind_unix(path),
            Address::Tcp(address) => {
                let socket =
                    std::net::TcpListener::bind(address).with_context(|| format!("cannot listen on {address}"))?;
                socket.set_nonblocking(true)?;
                let at = socket.local_addr()?;
                Ok(Listener::Tcp(TcpListener::from_std(socket)?, at))
            }
        }
    }

    /// Returns the port, for TCP.
    pub(super) fn port(&self) -> Option<u16> {
        match self {
            Listener::Unix(..) => None,
            Listener::Tcp(_, at) => Some(at.port()),
        }
    }

    pub(super) async fn accept(&self) -> io::Result<Stream> {
        match self {
            Listener::Unix(socket, _) => loop {
                let (stream, _) = socket.accept().await?;
                // The mode of the socket's file may have been changed since it was created.
                if stream.peer_cred()?.uid() == rustix::process::geteuid().as_raw() {
                    return Ok(Stream::Unix(stream));
                }
                tracing::warn!("a connection of another user was refused");
            },
            Listener::Tcp(socket, _) => {
                let (stream, _) = socket.accept().await?;
                stream.set_nodelay(true)?;
                Ok(Stream::Tcp(stream))
            }
        }
    }

    /// Removes the file of the socket.
    pub(super) fn close(&self) {
        if let Listener::Unix(_, Some(path)) = self {
            let _ = fs::remove_file(path);
        }
    }
}

impl fmt::Display for Listener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Listener::Unix(_, Some(path)) => write!(f, "unix:{}", path.display()),
            Listener::Unix(_, None) => f.write_str("a socket of the service manager"),
            Listener::Tcp(_, at) => write!(f, "http://{at}"),
        }
    }
}

fn bind_unix(path: &Path) -> anyhow::Result<Listener> {
    let path = std::path::absolute(path).context("the current directory is unknown")?;
    let dir = path.parent().unwrap_or(Path::new("/"));
    let meta = fs::metadata(dir).with_context(|| format!("`{}` cannot be used", dir.display()))?;
    let user = rustix::process::geteuid().as_raw();
    let is_private = meta.mode() & WRITABLE_BY_OTHERS == 0 || meta.mode() & STICKY != 0;
    if (meta.uid() != user && meta.uid() != 0) || !is_private {
        bail!("others could replace a socket in `{}`; use a directory that only you can change", dir.display());
    }
    if let Ok(old) = fs::symlink_metadata(&path) {
        if !old.file_type().is_socket() || old.uid() != user {
            bail!("`{}` exists and is not a socket of yours", path.display());
        }
        if std::os::unix::net::UnixStream::connect(&path).is_ok() {
            bail!("another process listens on `{}`", path.display());
        }
        fs::remove_file(&path)?;
    }
    // Other users must not be able to connect before the mode of the file is set.
    let mask = rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o177));
    let socket = std::os::unix::net::UnixListener::bind(&path);
    rustix::process::umask(mask);
    let socket = socket.with_context(|| format!("cannot listen on `{}`", path.display()))?;
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600))?;
    socket.set_nonblocking(true)?;
    Ok(Listener::Unix(UnixListener::from_std(socket)?, Some(path)))
}
