//! The receiver's half of ECN: it tells the sender of marked packets.

use atl_link::Ecn;

use super::{ACE, COUNTER, ECE, EcnMode, FIRST_COUNT};

/// Marks after which an ACK is due at once, at the latest (RFC 9768, sec. 3.2.2.5.1: n).
const MOST_UNTOLD: u8 = 2;

/// The marks that a receiver has seen.
#[derive(Clone, Copy, Debug)]
pub(in crate::tcp) struct EcnReceiver {
    accurate: bool,
    /// Marked data packets.
    count: u64,
    /// Their bytes of payload (r.ceb), if the AccECN option tells of them.
    bytes: Option<u64>,
    /// ECE is set in ACKs.
    echoes: bool,
    /// The last packet was marked.
    last: bool,
    /// Marks since the last ACK.
    untold: u8,
    /// The next ACK must not be delayed.
    urgent: bool,
}

impl EcnReceiver {
    /// Before any packet; `None` without ECN.
    pub(in crate::tcp) fn new(mode: EcnMode, option: bool) -> Option<Box<Self>> {
        let accurate = match mode {
            EcnMode::Off => return None,
            EcnMode::Classic => false,
            EcnMode::Accurate => true,
        };
        Some(Box::new(EcnReceiver {
            accurate,
            count: 0,
            bytes: (accurate && option).then_some(0),
            echoes: false,
            last: false,
            untold: 0,
            urgent: false,
        }))
    }

    /// A packet with `payload` bytes arrived with this ECN field. `cwr`: the sender has reacted.
    pub(in crate::tcp) fn on_packet(&mut self, ecn: Ecn, cwr: bool, payload: u32) {
        let marked = ecn == Ecn::Ce;
        if cwr {
            self.echoes = false;
        }
        // A packet with CWR that is marked itself sets ECE anew (RFC 3168, sec. 6.1.3).
        self.echoes |= marked;
        self.count += u64::from(marked);
        if let Some(bytes) = self.bytes.as_mut().filter(|_| marked) {
            *bytes += u64::from(payload);
        }
        self.untold = self.untold.saturating_add(u8::from(marked));
        // RFC 9768, sec. 3.2.2.5.1; where ECE is all that is told, only its first matters.
        self.urgent |= marked && (!self.last || self.untold >= MOST_UNTOLD && self.accurate);
        self.last = marked;
    }

    /// True if the next ACK must not be delayed.
    pub(in crate::tcp) fn is_urgent(&self) -> bool {
        self.urgent
    }

    /// An ACK leaves.
    pub(in crate::tcp) fn on_ack(&mut self) {
        (self.untold, self.urgent) = (0, false);
    }

    /// The flags of an ACK: ECE, or the ACE field.
    pub(in crate::tcp) fn flags(&self) -> u8 {
        match self.accurate {
            true => FIRST_COUNT.wrapping_add(self.count as u8) & ACE,
            false if self.echoes => ECE,
            false => 0,
        }
    }

    /// ECEB, the low 24 bits of the bytes that arrived marked; `None` without the AccECN option.
    pub(in crate::tcp) fn option(&self) -> Option<u32> {
        self.bytes.map(|bytes| bytes as u32 & COUNTER)
    }

    /// Marked data packets that have arrived.
    pub(in crate::tcp) fn count(&self) -> u64 {
        self.count
    }
}
