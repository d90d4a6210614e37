//! Fixed values for all that QUIC libraries draw at random, so that a run can be repeated.

use std::time::{Duration, SystemTime};

use noq_proto::crypto::{CryptoError, HandshakeTokenKey, HmacKey};
use noq_proto::{ConnectionId, ConnectionIdGenerator, TimeSource};

/// Bytes of a connection ID.
const ID_BYTES: usize = 8;
/// Bytes of a signature of [`ResetKey`]: as SHA-256 has, of which a reset token takes the first
/// half.
const SIGNATURE_BYTES: usize = 32;

/// The destination ID of a client's first packet.
pub(super) fn first_connection_id() -> ConnectionId {
    ConnectionId::new(&[0x51; ID_BYTES])
}

/// A step of SplitMix64.
fn mix(state: u64) -> u64 {
    let mut z = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Connection IDs that follow from a salt, each another.
#[derive(Debug)]
pub(super) struct ConnectionIds {
    salt: u64,
    issued: u64,
}

impl ConnectionIds {
    pub(super) fn new(salt: u64) -> Self {
        ConnectionIds { salt, issued: 0 }
    }
}

impl ConnectionIdGenerator for ConnectionIds {
    fn generate_cid(&mut self) -> ConnectionId {
        self.issued += 1;
        // `mix` is a bijection: no two are alike.
        ConnectionId::new(&mix(self.salt.wrapping_add(self.issued)).to_be_bytes())
    }

    fn cid_len(&self) -> usize {
        ID_BYTES
    }

    fn cid_lifetime(&self) -> Option<Duration> {
        None
    }
}

/// Makes stateless reset tokens. It keeps no secret from anyone.
#[derive(Debug)]
pub(super) struct ResetKey(u64);

impl ResetKey {
    pub(super) fn new(seed: [u8; 32]) -> Self {
        let words =
            seed.chunks_exact(8).map(|word| word.iter().fold(0, |w, b| w << 8 | u64::from(*b)));
        ResetKey(words.fold(0, |key, word: u64| mix(key ^ word)))
    }
}

impl HmacKey for ResetKey {
    fn sign(&self, data: &[u8], signature_out: &mut [u8]) {
        let mut state = data.iter().fold(self.0, |state, byte| mix(state ^ u64::from(*byte)));
        for chunk in signature_out.chunks_mut(8) {
            state = mix(state);
            chunk.copy_from_slice(&state.to_be_bytes()[..chunk.len()]);
        }
    }

    fn signature_len(&self) -> usize {
        SIGNATURE_BYTES
    }

    fn verify(&self, data: &[u8], signature: &[u8]) -> Result<(), CryptoError> {
        let mut own = [0; SIGNATURE_BYTES];
        self.sign(data, &mut own);
        if own == signature { Ok(()) } else { Err(CryptoError) }
    }
}

/// No connection has a token from an earlier one, and no server asks for a retry.
#[derive(Debug)]
pub(super) struct NoTokens;

impl HandshakeTokenKey for NoTokens {
    fn seal(&self, _token_nonce: u128, _data: &mut Vec<u8>) -> Result<(), CryptoError> {
        Err(CryptoError)
    }

    fn open<'a>(&self, _token_nonce: u128, _data: &'a mut [u8]) -> Result<&'a [u8], CryptoError> {
        Err(CryptoError)
    }
}

/// It is always the same time of day.
#[derive(Debug)]
pub(super) struct StoppedClock;

impl TimeSource for StoppedClock {
    fn now(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn connection_ids_follow_from_the_salt_and_differ() {
        let ids = |salt| {
            let mut ids = ConnectionIds::new(salt);
            (0..1000).map(|_| ids.generate_cid().to_string()).collect::<Vec<_>>()
        };
        assert_eq!(ids(1), ids(1));
        assert_ne!(ids(1)[..10], ids(1 << 40)[..10]);
        assert_eq!(ids(1).into_iter().collect::<BTreeSet<_>>().len(), 1000);
    }

    #[test]
    fn a_signature_is_of_its_data_and_key() {
        let key = ResetKey::new([3; 32]);
        let sign = |key: &ResetKey, data: &[u8]| {
            let mut signature = [0; SIGNATURE_BYTES];
            key.sign(data, &mut signature);
            signature
        };
        let signature = sign(&key, b"id");
        assert!(key.verify(b"id", &signature).is_ok());
        assert!(key.verify(b"ie", &signature).is_err());
        assert!(key.verify(b"id", &signature[..16]).is_err());
        assert_ne!(sign(&ResetKey::new([4; 32]), b"id"), signature);
    }
}
