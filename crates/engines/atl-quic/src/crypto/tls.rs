//! TLS 1.3 between two ends that trust each other's certificate.

use std::sync::Arc;

use noq_proto::crypto::rustls::{NoInitialCipherSuite, QuicClientConfig, QuicServerConfig};
use noq_proto::{ClientConfig, ServerConfig};
use rustls::RootCertStore;
use rustls::crypto::ring::default_provider;
use rustls::pki_types::PrivatePkcs8KeyDer;

use super::{NoTokens, Pair, SERVER_NAME};

/// A failure of TLS before any packet is sent.
#[derive(Debug)]
pub enum TlsError {
    /// Make a certificate.
    Certificate(rcgen::Error),
    /// Accept a configuration.
    Tls(rustls::Error),
    /// Find the cipher suite of first packets.
    Suite(NoInitialCipherSuite),
}

impl std::fmt::Display for TlsError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            TlsError::Certificate(error) => write!(f, "no certificate for TLS: {error}"),
            TlsError::Tls(error) => write!(f, "TLS cannot be set up: {error}"),
            TlsError::Suite(error) => write!(f, "TLS cannot be set up: {error}"),
        }
    }
}

impl std::error::Error for TlsError {}

impl From<rcgen::Error> for TlsError {
    fn from(error: rcgen::Error) -> Self {
        TlsError::Certificate(error)
    }
}

impl From<rustls::Error> for TlsError {
    fn from(error: rustls::Error) -> Self {
        TlsError::Tls(error)
    }
}

impl From<NoInitialCipherSuite> for TlsError {
    fn from(error: NoInitialCipherSuite) -> Self {
        TlsError::Suite(error)
    }
}

/// A client and a server with a new key, which the client trusts, for any QUIC library on rustls.
/// The server is [`SERVER_NAME`].
///
/// # Errors
/// What TLS could not do: make a key, or draw randomness.
pub fn tls_configs() -> Result<(rustls::ClientConfig, rustls::ServerConfig), TlsError> {
    // ECDSA's signatures vary in length, and with them the packets of the handshake.
    let key = rcgen::KeyPair::generate_for(&rcgen::PKCS_ED25519)?;
    let certificate = rcgen::CertificateParams::new([SERVER_NAME.to_owned()])?.self_signed(&key)?;
    let certificate = certificate.der().clone();
    let provider = Arc::new(default_provider());
    let mut server = rustls::ServerConfig::builder_with_provider(provider.clone())
        .with_protocol_versions(&[&rustls::version::TLS13])?
        .with_no_client_auth()
        .with_single_cert(
            vec![certificate.clone()],
            PrivatePkcs8KeyDer::from(key.serialize_der()).into(),
        )?;
    // Tickets for later connections are of no use.
    server.send_tls13_tickets = 0;
    let mut roots = RootCertStore::empty();
    roots.add(certificate)?;
    let client = rustls::ClientConfig::builder_with_provider(provider)
        .with_protocol_versions(&[&rustls::version::TLS13])?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok((client, server))
}

/// The same for noq.
pub(super) fn pair() -> Result<Pair, TlsError> {
    let (client, server) = tls_configs()?;
    let client = ClientConfig::new(Arc::new(QuicClientConfig::try_from(client)?));
    let server = QuicServerConfig::try_from(server)?;
    Ok(Pair { client, server: ServerConfig::new(Arc::new(server), Arc::new(NoTokens)) })
}
