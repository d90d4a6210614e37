//! Proof that the peer wrote a notice.

use atl_core::path::PathSignal;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use atl_wire::{HandoffReport, micros};

/// Separates these tags from others under the same key, and this form from later ones.
const LABEL: &[u8] = b"atl handoff notice 1";
const REPORT_LABEL: &[u8] = b"atl handoff report 1";

/// The key of a session, which both ends know.
#[derive(Clone, PartialEq, Eq)]
pub struct Key([u8; 32]);

impl Key {
    /// A key of 256 bits.
    pub const fn new(octets: [u8; 32]) -> Self {
        Key(octets)
    }

    /// The tag of a notice: HMAC-SHA-256 (RFC 2104) over its number and signal, cut to its first 64
    /// bits.
    pub(super) fn tag(&self, sequence: u32, signal: PathSignal) -> u64 {
        let kind = match signal {
            PathSignal::Imminent(_) => 0,
            PathSignal::Done(_) => 1,
            PathSignal::Gone(_) => 2,
        };
        let [a, b, c, d] = sequence.to_be_bytes();
        self.mac(LABEL, &[a, b, c, d, kind, signal.path().index() as u8])
    }

    /// The tag of a report: the same over what it says, in the order of its fields.
    pub(crate) fn report_tag(&self, report: &HandoffReport) -> u64 {
        let HandoffReport { path, probe, highest, received, bytes, .. } = *report;
        let mut octets = vec![path.index() as u8, probe];
        octets.extend([highest, received].iter().flat_map(|n| n.to_be_bytes()));
        let times = [report.span, report.window, report.jitter];
        // As they travel: in microseconds.
        octets.extend(times.iter().flat_map(|time| micros(*time).to_be_bytes()));
        octets.extend(bytes.to_be_bytes());
        self.mac(REPORT_LABEL, &octets)
    }

    fn mac(&self, label: &[u8], octets: &[u8]) -> u64 {
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&self.0) else {
            unreachable!("HMAC takes keys of any length")
        };
        mac.update(label);
        mac.update(octets);
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
