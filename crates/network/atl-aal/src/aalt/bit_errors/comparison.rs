//! The bit error ratio from damaged PDUs and their correct retransmissions.

use crate::aalt::{SequenceNumber, cp_arq};
use atl_core::units::Probability;
use std::collections::VecDeque;

/// Damaged PDUs kept for comparison.
const KEPT: usize = 16;

/// Compares the bits of recent PDUs. Keeps at most 16 damaged ones.
#[derive(Debug, Clone)]
pub struct Comparison {
    wrong: VecDeque<Vec<u8>>,
    /// Bits compared and wrong bits, per PDU.
    recent: VecDeque<(u64, u64)>,
    bits: u64,
    errors: u64,
    window: usize,
}

impl Comparison {
    /// Covers the last `window` PDUs, at least one.
    pub fn new(window: usize) -> Self {
        Comparison {
            wrong: VecDeque::new(),
            recent: VecDeque::new(),
            bits: 0,
            errors: 0,
            window: window.max(1),
        }
    }

    /// Keeps a PDU with a wrong CRC until its correct retransmission arrives. If its number is
    /// wrong too, nothing matches and it is eventually discarded.
    pub fn on_wrong(&mut self, pdu: &[u8]) {
        if self.wrong.len() == KEPT {
            self.wrong.pop_front();
        }
        self.wrong.push_back(pdu.to_vec());
    }

    /// Takes a PDU with a correct CRC, and compares it with the damaged PDUs that claim the same
    /// number.
    pub fn on_right(&mut self, sn: SequenceNumber, pdu: &[u8]) {
        let bits = pdu.len() as u64 * 8;
        let mut i = 0;
        while let Some(kept) = self.wrong.get(i) {
            if kept.len() != pdu.len() || cp_arq::claimed_number(kept) != Some(sn) {
                i += 1;
                continue;
            }
            let errors = kept.iter().zip(pdu).map(|(a, b)| u64::from((a ^ b).count_ones())).sum();
            self.wrong.remove(i);
            self.count(bits, errors);
        }
        self.count(bits, 0);
    }

    fn count(&mut self, bits: u64, errors: u64) {
        if self.recent.len() == self.window
            && let Some((bits, errors)) = self.recent.pop_front()
        {
            self.bits -= bits;
            self.errors -= errors;
        }
        self.recent.push_back((bits, errors));
        self.bits += bits;
        self.errors += errors;
    }

    /// Wrong bits among [`bits`](Self::bits).
    pub const fn errors(&self) -> u64 {
        self.errors
    }

    /// Bits compared, over the PDUs in the window.
    pub const fn bits(&self) -> u64 {
        self.bits
    }

    /// The fraction of wrong bits. While there are none, one additional wrong bit is assumed.
    /// `None` before the first PDU.
    pub fn bit_errors(&self) -> Option<Probability> {
        match (self.bits, self.errors) {
            (0, _) => None,
            (bits, 0) => Some(Probability::share(1, bits + 1)),
            (bits, errors) => Some(Probability::share(errors, bits)),
        }
    }
}
