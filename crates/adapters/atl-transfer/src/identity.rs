//! A receiver's identity: its certificate, its key, and the secret of its tickets.

use std::fmt;
use std::sync::Arc;

use data_encoding::HEXLOWER;
use noq::crypto::HmacKey;
use rcgen::{CertificateParams, KeyPair};
use ring::hmac;
use ring::rand::{SecureRandom as _, SystemRandom};
use rustls::pki_types::{CertificateDer, PrivatePkcs8KeyDer};

use crate::ticket::Fingerprint;

/// The name in all certificates. It is not checked: the fingerprint identifies a receiver.
pub(crate) const SERVER_NAME: &str = "atl-recv";

/// Octets from the system's random number generator.
pub(crate) fn random<const N: usize>() -> Result<[u8; N], IdentityError> {
    let mut octets = [0; N];
    SystemRandom::new().fill(&mut octets).map_err(|_| IdentityError::Random)?;
    Ok(octets)
}

/// A self-signed certificate with its key, and a secret.
#[derive(Clone, PartialEq, Eq)]
pub struct Identity {
    certificate: Vec<u8>,
    key: Vec<u8>,
    secret: [u8; 16],
}

impl fmt::Debug for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Neither the key nor the secret belongs in a log.
        f.debug_struct("Identity").field("fingerprint", &self.fingerprint()).finish_non_exhaustive()
    }
}

/// The reason why there is no identity.
#[derive(Debug)]
#[non_exhaustive]
pub enum IdentityError {
    /// The system's random number generator failed.
    Random,
    /// A certificate could not be made.
    Certificate(rcgen::Error),
    /// The text does not hold an identity.
    Form,
}

impl fmt::Display for IdentityError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IdentityError::Random => f.write_str("the system gives no random numbers"),
            IdentityError::Certificate(error) => write!(f, "cannot make a certificate: {error}"),
            IdentityError::Form => f.write_str("this is not the identity of a receiver"),
        }
    }
}

impl std::error::Error for IdentityError {}

impl Identity {
    /// Makes a new identity.
    ///
    /// # Errors
    /// If the system gives no random numbers, or the certificate cannot be made.
    pub fn generate() -> Result<Self, IdentityError> {
        let key = KeyPair::generate().map_err(IdentityError::Certificate)?;
        let params = CertificateParams::new(vec![SERVER_NAME.to_owned()]);
        let certificate = params.and_then(|params| params.self_signed(&key));
        let certificate = certificate.map_err(IdentityError::Certificate)?;
        Ok(Identity {
            certificate: certificate.der().to_vec(),
            key: key.serialize_der(),
            secret: random()?,
        })
    }

    /// The SHA-256 of the certificate, by which senders recognise the receiver.
    pub fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of(&self.certificate)
    }

    /// The secret of its tickets, which gives the right to send.
    pub fn secret(&self) -> [u8; 16] {
        self.secret
    }

    pub(crate) fn certificate(&self) -> CertificateDer<'static> {
        CertificateDer::from(self.certificate.clone())
    }

    pub(crate) fn key(&self) -> PrivatePkcs8KeyDer<'static> {
        PrivatePkcs8KeyDer::from(self.key.clone())
    }

    /// The key of stateless resets (RFC 9000, sec. 10.3): with it a receiver that was killed and
    /// started again can tell senders at once that their connections are gone.
    pub(crate) fn reset_key(&self) -> Arc<dyn HmacKey> {
        let secret = hmac::Key::new(hmac::HMAC_SHA256, &self.key);
        let derived = hmac::sign(&secret, b"atl-transfer stateless reset");
        Arc::new(hmac::Key::new(hmac::HMAC_SHA256, derived.as_ref()))
    }

    /// The identity as three lines of text, for [`from_text`](Self::from_text).
    pub(crate) fn to_text(&self) -> String {
        let hex = |octets: &[u8]| HEXLOWER.encode(octets);
        format!("{}\n{}\n{}\n", hex(&self.certificate), hex(&self.key), hex(&self.secret))
    }

    pub(crate) fn from_text(text: &str) -> Result<Self, IdentityError> {
        let mut lines = text.lines();
        let mut next = || {
            let line = lines.next().ok_or(IdentityError::Form)?;
            HEXLOWER.decode(line.as_bytes()).map_err(|_| IdentityError::Form)
        };
        let (certificate, key, secret) = (next()?, next()?, next()?);
        KeyPair::try_from(key.as_slice()).map_err(|_| IdentityError::Form)?;
        let secret = secret.try_into().map_err(|_| IdentityError::Form)?;
        Ok(Identity { certificate, key, secret })
    }
}
