//! A QUIC client that says whatever a test wants.

use std::sync::Arc;

use atl_transfer::ticket::Ticket;
use atl_transfer::wire::{
    ALPN, Hello, LENGTH_OCTETS, MAX_MESSAGE, Message, Reason, Welcome, decode, encode, length,
};
use noq::crypto::rustls::QuicClientConfig;
use noq::{ClientConfig, Connection, ConnectionError, Endpoint, RecvStream, SendStream};
use rustls::DigitallySignedStruct;
use rustls::SignatureScheme;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};

use crate::support::LOOPBACK;

/// Accepts any certificate, as an attacker would.
#[derive(Debug)]
struct Anybody;

impl ServerCertVerifier for Anybody {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        Ok(HandshakeSignatureValid::assertion())
    }

    fn verify_tls13_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        Ok(HandshakeSignatureValid::assertion())
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        vec![SignatureScheme::ECDSA_NISTP256_SHA256, SignatureScheme::ED25519]
    }
}

pub(crate) fn client(alpn: &[u8]) -> ClientConfig {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut tls = rustls::ClientConfig::builder_with_provider(provider)
        .with_protocol_versions(&[&rustls::version::TLS13])
        .expect("TLS 1.3")
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(Anybody))
        .with_no_client_auth();
    tls.alpn_protocols = vec![alpn.to_vec()];
    ClientConfig::new(Arc::new(QuicClientConfig::try_from(tls).expect("a suite")))
}

/// A QUIC client that sends arbitrary messages.
pub(crate) struct Raw {
    pub(crate) connection: Connection,
    pub(crate) endpoint: Endpoint,
}

impl Raw {
    pub(crate) async fn connect(ticket: &Ticket, alpn: &[u8]) -> Result<Raw, ConnectionError> {
        let endpoint = Endpoint::client(LOOPBACK).expect("loopback");
        let to = ticket.addresses[0];
        let connecting = endpoint.connect_with(client(alpn), to, "x").expect("an address");
        Ok(Raw { connection: connecting.await?, endpoint })
    }

    /// A connection with a ticket, and its first stream.
    pub(crate) async fn greeted(ticket: &Ticket) -> (Raw, Stream) {
        Raw::greeted_as(ticket, [1; 16]).await
    }

    pub(crate) async fn greeted_as(ticket: &Ticket, session: [u8; 16]) -> (Raw, Stream) {
        let raw = Raw::connect(ticket, ALPN).await.expect("it answers");
        let mut stream = raw.stream().await;
        let hello = Hello { session, secret: ticket.secret, features: u32::MAX, bytes: 0 };
        stream.say(&Message::Hello(hello)).await;
        let welcome = stream.hear().await.expect("an answer");
        assert!(matches!(welcome, Message::Welcome(Welcome { features: 0, .. })), "{welcome:?}");
        (raw, stream)
    }

    pub(crate) async fn stream(&self) -> Stream {
        let (out, back) = self.connection.open_bi().await.expect("a stream");
        Stream { out, back }
    }
}

pub(crate) struct Stream {
    pub(crate) out: SendStream,
    back: RecvStream,
}

impl Stream {
    pub(crate) async fn say(&mut self, message: &Message) {
        self.raw(&encode(message)).await;
    }

    pub(crate) async fn raw(&mut self, octets: &[u8]) {
        // The other end may have stopped reading.
        let _ = self.out.write_all(octets).await;
    }

    pub(crate) async fn hear(&mut self) -> Option<Message> {
        let mut head = [0; LENGTH_OCTETS];
        self.back.read_exact(&mut head).await.ok()?;
        let mut octets = vec![0; length(head, MAX_MESSAGE).expect("a length")];
        self.back.read_exact(&mut octets).await.ok()?;
        Some(decode(&octets).expect("a message"))
    }

    pub(crate) async fn refused(&mut self) -> Reason {
        match self.hear().await {
            Some(Message::Refused { reason, .. }) => reason,
            other => panic!("{other:?}"),
        }
    }
}
