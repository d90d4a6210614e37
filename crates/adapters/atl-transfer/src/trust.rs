//! Checks of the receiver's certificate.

use std::sync::{Arc, Mutex, PoisonError};

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{CertificateError, DigitallySignedStruct, Error, SignatureScheme};

use crate::ticket::Fingerprint;

/// Accepts the certificate with one fingerprint, or any if none was given. Names, dates and issuers
/// prove nothing in a self-signed certificate.
#[derive(Debug)]
pub(crate) struct Pinned {
    expected: Option<Fingerprint>,
    found: Mutex<Option<Fingerprint>>,
    provider: Arc<CryptoProvider>,
}

impl Pinned {
    pub(crate) fn new(expected: Option<Fingerprint>, provider: Arc<CryptoProvider>) -> Arc<Self> {
        Arc::new(Pinned { expected, found: Mutex::default(), provider })
    }

    /// The fingerprint that is accepted; `None` for any.
    pub(crate) fn expected(&self) -> Option<Fingerprint> {
        self.expected
    }

    /// The fingerprint of the last receiver that answered.
    pub(crate) fn found(&self) -> Option<Fingerprint> {
        *self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The fingerprint of the receiver that answered, if it differs from the expected one.
    pub(crate) fn stranger(&self) -> Option<Fingerprint> {
        self.found().filter(|found| self.expected.is_some_and(|expected| expected != *found))
    }
}

impl ServerCertVerifier for Pinned {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _name: &ServerName<'_>,
        _ocsp: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let found = Fingerprint::of(certificate);
        *self.found.lock().unwrap_or_else(PoisonError::into_inner) = Some(found);
        match self.expected {
            Some(expected) if expected != found => {
                Err(Error::InvalidCertificate(CertificateError::ApplicationVerificationFailure))
            }
            _ => Ok(ServerCertVerified::assertion()),
        }
    }

    fn verify_tls12_signature(
        &self,
        _message: &[u8],
        _certificate: &CertificateDer<'_>,
        _signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Err(Error::General("QUIC has TLS 1.3".to_owned()))
    }

    /// The peer must prove in any case that it has the certificate's key.
    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signature, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}
