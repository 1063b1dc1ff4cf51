//! The certificates of a private authority, and servers that use them.

use super::server::{Server, read_request};
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use rustls::pki_types::PrivateKeyDer;
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use tempfile::TempDir;
use time::{Duration, OffsetDateTime};

pub(crate) struct Authority {
    issuer: Issuer<'static, KeyPair>,
    pem: String,
    dir: TempDir,
}

impl Authority {
    pub(crate) fn new() -> Self {
        let key = KeyPair::generate().unwrap();
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let pem = params.self_signed(&key).unwrap().pem();
        Authority { issuer: Issuer::new(params, key), pem, dir: tempfile::tempdir().unwrap() }
    }

    /// Writes the authority's certificate into a file.
    pub(crate) fn file(&self) -> PathBuf {
        let path = self.dir.path().join("ca.pem");
        std::fs::write(&path, &self.pem).unwrap();
        path
    }

    /// Starts a server with a certificate for a name, which expires this many days from now.
    pub(crate) fn server(&self, name: &str, days: i64) -> Server {
        let key = KeyPair::generate().unwrap();
        let certificate = params(name, days).signed_by(&key, &self.issuer).unwrap();
        serve(certificate.der().to_vec(), &key, "hello")
    }
}

/// Starts a server whose certificate is its own authority.
pub(crate) fn self_signed(name: &str) -> Server {
    let key = KeyPair::generate().unwrap();
    let certificate = params(name, 1).self_signed(&key).unwrap();
    serve(certificate.der().to_vec(), &key, "hello")
}

fn params(name: &str, days: i64) -> CertificateParams {
    let mut params = CertificateParams::new(vec![name.to_owned()]).unwrap();
    params.not_before = OffsetDateTime::now_utc() - Duration::days(30);
    params.not_after = OffsetDateTime::now_utc() + Duration::days(days);
    params
}

fn serve(certificate: Vec<u8>, key: &KeyPair, answer: &'static str) -> Server {
    let key = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate.into()], key)
        .unwrap();
    let config = Arc::new(config);
    Server::new(move |stream| {
        let connection = ServerConnection::new(Arc::clone(&config)).unwrap();
        let mut tls = StreamOwned::new(connection, stream.try_clone().unwrap());
        while read_request(&mut tls).is_some() {
            let answer = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{answer}", answer.len());
            if tls.write_all(answer.as_bytes()).is_err() {
                return;
            }
        }
    })
}
