//! The protection of a run's packets.
//!
//! Nobody listens in virtual time, so nothing needs to be secret. [`Crypto::Null`] has packets of
//! the same form and length as TLS has, without its cost. [`Crypto::Tls`] is the real thing; it
//! draws keys from the system's randomness, so the bytes of its packets differ from run to run, and
//! nothing else does.

mod null;
mod pair;
mod pinned;
mod tls;

use std::sync::Arc;

use noq_proto::{ClientConfig, EndpointConfig, ServerConfig, ValidationTokenConfig};

pub use pair::{Pair, SERVER_NAME};
pub use tls::{TlsError, tls_configs};

use pinned::{ConnectionIds, NoTokens, ResetKey, StoppedClock};

/// The protection of a run's packets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Crypto {
    /// A handshake and packets of the usual form, without secrets. The bytes are the same in every
    /// run.
    #[default]
    Null,
    /// TLS 1.3 with AES-GCM or ChaCha20-Poly1305 by ring, and a self-signed Ed25519 certificate,
    /// whose signatures all have the same length.
    Tls,
}

impl Crypto {
    /// A pair for a new connection.
    ///
    /// # Errors
    /// What TLS could not do: make a key, or draw randomness.
    pub fn pair(self) -> Result<Pair, TlsError> {
        let Pair { mut client, mut server } = match self {
            Crypto::Null => Pair {
                client: ClientConfig::new(Arc::new(null::Null)),
                server: ServerConfig::new(Arc::new(null::Null), Arc::new(NoTokens)),
            },
            Crypto::Tls => tls::pair()?,
        };
        client.initial_dst_cid_provider(Arc::new(pinned::first_connection_id));
        // Tokens for later connections carry the time of day.
        let mut tokens = ValidationTokenConfig::default();
        tokens.sent(0);
        server.validation_token_config(tokens).time_source(Arc::new(StoppedClock));
        Ok(Pair { client, server })
    }
}

/// An endpoint whose choices follow from `seed` alone. It takes datagrams of up to `mtu` bytes.
pub fn endpoint(seed: [u8; 32], mtu: u16) -> Arc<EndpointConfig> {
    let mut config = EndpointConfig::new(Arc::new(ResetKey::new(seed)));
    let salt = u64::from_be_bytes(std::array::from_fn(|i| seed[i]));
    config.rng_seed(Some(seed));
    config.cid_generator(Arc::new(move || Box::new(ConnectionIds::new(salt))));
    // From 1200 to 65527: the caller has checked it.
    let _ = config.max_udp_payload_size(mtu);
    Arc::new(config)
}
