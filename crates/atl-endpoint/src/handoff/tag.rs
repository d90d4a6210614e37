//! Proof that the peer wrote a notice.

use atl_core::path::PathSignal;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// Separates these tags from others under the same key, and this form from later ones.
const LABEL: &[u8] = b"atl handoff notice 1";

/// The key of a session, which both ends know.
#[derive(Clone, PartialEq, Eq)]
pub struct Key([u8; 32]);

impl Key {
    /// A key of 256 bits.
    pub const fn new(octets: [u8; 32]) -> Self {
        Key(octets)
    }

    /// The tag of a notice: HMAC-SHA-256 (RFC 2104) over its number and signal, cut to its first 64 bits.
    pub(super) fn tag(&self, sequence: u32, signal: PathSignal) -> u64 {
        let kind = match signal {
            PathSignal::Imminent(_) => 0,
            PathSignal::Done(_) => 1,
            PathSignal::Gone(_) => 2,
        };
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&self.0) else {
            unreachable!("HMAC takes keys of any length")
        };
        mac.update(LABEL);
        mac.update(&sequence.to_be_bytes());
        mac.update(&[kind, signal.path().index() as u8]);
        let octets = mac.finalize().into_bytes();
        octets.iter().take(8).fold(0, |tag, octet| tag << 8 | u64::from(*octet))
    }
}

/// A key does not show itself in logs.
impl core::fmt::Debug for Key {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Key(..)")
    }
}
