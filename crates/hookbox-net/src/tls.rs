//! TLS 1.2 and 1.3, with the system's certificate authorities or those of a rule.

use crate::error::{Error, ErrorKind};
use crate::host::Host;
use crate::refusal::Quoted;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ConfigBuilder, RootCertStore, WantsVerifier};
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::FileTypeExt;
use std::path::Path;
use std::sync::Arc;
use tokio::net::TcpStream;
use tokio::sync::OnceCell;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

/// The maximum size of a file of certificate authorities, in bytes. The bundle of all public ones is a fifth of this.
const MAX_CA: u64 = 1 << 20;

/// The only application protocol that is offered.
const ALPN: &[u8] = b"http/1.1";

/// The certificate authorities that are trusted.
#[derive(Clone)]
pub(crate) enum Roots {
    /// The system's authorities.
    System,
    /// The authorities of a file, and no others.
    Only(Arc<ClientConfig>),
}

/// The error for a file of certificate authorities that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("the file of certificate authorities `{path}` {problem}")]
pub struct CaError {
    path: Quoted,
    problem: String,
}

impl Roots {
    /// Reads the authorities of a PEM file.
    pub(crate) fn read(path: &Path) -> Result<Self, CaError> {
        let read = || -> Result<RootCertStore, String> {
            // Opening a FIFO would wait for a writer.
            if std::fs::metadata(path).is_ok_and(|meta| meta.file_type().is_fifo()) {
                return Err("is not a regular file".to_owned());
            }
            let file = File::open(path).map_err(|error| format!("cannot be opened: {error}"))?;
            let mut pem = Vec::new();
            let size =
                file.take(MAX_CA + 1).read_to_end(&mut pem).map_err(|error| format!("cannot be read: {error}"))?;
            if size as u64 > MAX_CA {
                return Err("is larger than 1 MiB".to_owned());
            }
            let mut store = RootCertStore::empty();
            for certificate in CertificateDer::pem_slice_iter(&pem) {
                let certificate = certificate.map_err(|error| format!("is not valid PEM: {error}"))?;
                store.add(certificate).map_err(|error| format!("has a certificate that is not valid: {error}"))?;
            }
            if store.is_empty() { Err("has no certificate in PEM form".to_owned()) } else { Ok(store) }
        };
        let config = read().and_then(|store| {
            let builder = builder().map_err(|error| error.to_string())?;
            Ok(finish(builder.with_root_certificates(store).with_no_client_auth()))
        });
        match config {
            Ok(config) => Ok(Roots::Only(Arc::new(config))),
            Err(problem) => Err(CaError { path: Quoted::longer(&path.display().to_string()), problem }),
        }
    }

    async fn config(&self) -> Result<Arc<ClientConfig>, Error> {
        // Reading all certificates takes 3 to 17 ms, so they are read when first needed, and once for the process.
        static SYSTEM: OnceCell<Arc<ClientConfig>> = OnceCell::const_new();
        match self {
            Roots::Only(config) => Ok(Arc::clone(config)),
            Roots::System => {
                let read = || async {
                    let config = tokio::task::spawn_blocking(system_config).await.map_err(io::Error::other)??;
                    Ok::<_, io::Error>(Arc::new(config))
                };
                SYSTEM.get_or_try_init(read).await.map(Arc::clone).map_err(|error| {
                    let message = "the system's certificate authorities cannot be read";
                    Error::new(ErrorKind::ConfigurationError, message).with_detail(error)
                })
            }
        }
    }
}

/// Performs the TLS handshake. The caller sets the time limit.
pub(crate) async fn handshake(roots: &Roots, host: &Host, stream: TcpStream) -> Result<TlsStream<TcpStream>, Error> {
    let name = match host {
        Host::Name(name) => ServerName::try_from(name.clone())
            .map_err(|_| Error::new(ErrorKind::HttpRequestUriInvalid, "the host's name is not valid for TLS"))?,
        Host::Ip(ip) => ServerName::IpAddress((*ip).into()),
    };
    let stream = TlsConnector::from(roots.config().await?).connect(name, stream).await;
    let stream = stream.map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => {
            Error::new(ErrorKind::TlsProtocolError, "the server closed the connection in the TLS handshake")
        }
        _ => Error::from_io(&error),
    })?;
    match stream.get_ref().1.alpn_protocol() {
        None | Some(ALPN) => Ok(stream),
        Some(_) => Err(Error::new(ErrorKind::TlsProtocolError, "the server chose a protocol that was not offered")),
    }
}

fn builder() -> Result<ConfigBuilder<ClientConfig, WantsVerifier>, rustls::Error> {
    // The provider is named explicitly, because the default provider of a process is undefined if two are linked.
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions()
}

fn finish(mut config: ClientConfig) -> ClientConfig {
    config.alpn_protocols = vec![ALPN.to_vec()];
    config
}

#[cfg(target_os = "macos")]
fn system_config() -> io::Result<ClientConfig> {
    use rustls_platform_verifier::BuilderVerifierExt;
    let builder = builder().map_err(io::Error::other)?;
    Ok(finish(builder.with_platform_verifier().map_err(io::Error::other)?.with_no_client_auth()))
}

#[cfg(not(target_os = "macos"))]
fn system_config() -> io::Result<ClientConfig> {
    let mut store = RootCertStore::empty();
    store.add_parsable_certificates(system_certificates()?);
    if store.is_empty() {
        return Err(io::Error::new(io::ErrorKind::NotFound, "no usable certificate found"));
    }
    let builder = builder().map_err(io::Error::other)?;
    Ok(finish(builder.with_root_certificates(store).with_no_client_auth()))
}

/// Reads the certificates of the distribution. This does not use `load_native_certs`, which obeys `SSL_CERT_FILE` and
/// `SSL_CERT_DIR`: anyone who can set a variable could decide where the host's secrets are sent.
#[cfg(not(target_os = "macos"))]
fn system_certificates() -> io::Result<Vec<CertificateDer<'static>>> {
    /// The bundles of Debian and its derivatives, of Fedora, of openSUSE, of other distributions, and of the BSDs.
    const BUNDLES: &[&str] = &[
        "/etc/ssl/certs/ca-certificates.crt",
        "/etc/pki/tls/certs/ca-bundle.crt",
        "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
        "/etc/ssl/ca-bundle.pem",
        "/etc/ssl/cert.pem",
        "/usr/local/share/certs/ca-root-nss.crt",
    ];
    let bundle = BUNDLES.iter().map(Path::new).find(|path| path.exists());
    let dir = bundle.is_none().then_some(Path::new("/etc/ssl/certs"));
    let found = rustls_native_certs::load_certs_from_paths(bundle, dir);
    match found.errors.into_iter().next() {
        Some(error) if found.certs.is_empty() => Err(io::Error::other(error)),
        _ => Ok(found.certs),
    }
}
