//! The address of a server, and how to connect to it.

use super::bounded::{Allowance, Bounded};
use super::failure;
use crate::{Error, ErrorKind};
use redis::aio::MultiplexedConnection;
use redis::{AsyncConnectionConfig, ConnectionAddr, ConnectionInfo, IntoConnectionInfo, RedisConnectionInfo};
use std::fmt;
use std::io;
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpStream, UnixStream};
use tokio::sync::OnceCell;
use tokio::task::JoinHandle;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

/// The maximum number of bytes that a server may send while a connection is set up: 64 KiB.
const GREETING: u64 = 64 << 10;

/// The address of a server, and the login there.
pub(super) struct Server {
    address: ConnectionAddr,
    login: RedisConnectionInfo,
    tls: Option<OnceCell<TlsConnector>>,
}

/// Shows the address without the login.
impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Server({self})")
    }
}

impl fmt::Display for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.address.fmt(f)
    }
}

/// A connection for one call at a time.
pub(super) struct Connection {
    pub(super) redis: MultiplexedConnection,
    pub(super) allowance: Allowance,
    driver: JoinHandle<()>,
}

impl Connection {
    /// Whether the server has not closed the connection and the runtime that drives it still exists.
    pub(super) fn is_alive(&self) -> bool {
        !self.driver.is_finished()
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        // The driver may be in the middle of a reply that never ends.
        self.driver.abort();
    }
}

trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}
impl<S: AsyncRead + AsyncWrite + Send + Unpin> Stream for S {}

impl Server {
    pub(super) fn parse(url: &str) -> Result<Self, Error> {
        let wrong = |what: &str| Error::new(ErrorKind::Invalid, format!("the URL of the shared store {what}"));
        let Some((scheme, rest)) = url.split_once("://") else { return Err(wrong("has no scheme")) };
        if rest.contains('#') {
            return Err(wrong("has a fragment; TLS is always verified"));
        }
        // The client's own TLS is not built in, so the client knows only the schemes without TLS.
        let (plain, is_tls) = match scheme {
            "redis" | "valkey" => ("redis", false),
            "rediss" | "valkeys" => ("redis", true),
            "unix" | "redis+unix" | "valkey+unix" => ("unix", false),
            _ => return Err(wrong("must begin with `redis://`, `rediss://`, `valkey://`, `valkeys://` or `unix://`")),
        };
        let parsed: Result<ConnectionInfo, _> = format!("{plain}://{rest}").as_str().into_connection_info();
        // The client's own message might repeat the password.
        let info = parsed.map_err(|_| wrong("is not valid"))?;
        let login = info.redis_settings().clone().set_skip_set_lib_name();
        Ok(Server { address: info.addr().clone(), login, tls: is_tls.then(OnceCell::new) })
    }

    /// Connects to the server. The caller limits the time.
    pub(super) async fn connect(&self) -> Result<Connection, Error> {
        let unreachable = |error: io::Error| {
            Error::new(ErrorKind::Unavailable, format!("the shared store at `{self}` cannot be reached: {error}"))
        };
        let stream: Box<dyn Stream> = match (&self.address, &self.tls) {
            (ConnectionAddr::Tcp(host, port), None) => Box::new(tcp(host, *port).await.map_err(unreachable)?),
            (ConnectionAddr::Tcp(host, port), Some(tls)) => {
                let name = ServerName::try_from(host.clone())
                    .map_err(|_| unreachable(io::Error::other("its name is not one that a certificate can have")))?;
                let connector = tls.get_or_try_init(connector).await.map_err(unreachable)?;
                let stream = tcp(host, *port).await.map_err(unreachable)?;
                Box::new(connector.connect(name, stream).await.map_err(unreachable)?)
            }
            (ConnectionAddr::Unix(path), _) => Box::new(UnixStream::connect(path).await.map_err(unreachable)?),
            _ => return Err(unreachable(io::Error::other("its kind of address is not known"))),
        };
        let allowance = Allowance::default();
        allowance.set(GREETING);
        let stream = Bounded { stream, left: allowance.clone() };
        // The client needs no timeouts, because calls have their own deadlines.
        let config = AsyncConnectionConfig::new().set_connection_timeout(None).set_response_timeout(None);
        let (redis, driver) = MultiplexedConnection::new_with_config(&self.login, stream, config)
            .await
            .map_err(|error| failure(&error, self))?;
        Ok(Connection { redis, allowance, driver: tokio::spawn(driver) })
    }
}

async fn tcp(host: &str, port: u16) -> io::Result<TcpStream> {
    let stream = TcpStream::connect((host, port)).await?;
    stream.set_nodelay(true)?;
    Ok(stream)
}

/// Sets up TLS with the platform's certificates, and with a cryptography provider that does not depend on the rest of
/// the program.
async fn connector() -> io::Result<TlsConnector> {
    let loaded = tokio::task::spawn_blocking(rustls_native_certs::load_native_certs);
    let mut roots = RootCertStore::empty();
    // Some platforms have unreadable certificates, which are skipped.
    roots.add_parsable_certificates(loaded.await.map_err(io::Error::other)?.certs);
    if roots.is_empty() {
        return Err(io::Error::other("this system has no root certificates"));
    }
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(io::Error::other)?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(TlsConnector::from(Arc::new(config)))
}
