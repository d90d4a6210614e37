//! The end of a link for a cell that the channel damaged: bits flip, then the header check decides.

use atl_aal::cell::{CELL_OCTETS, Cell, HEADER_OCTETS, HecReceiver, Verdict};
use atl_link::Damage;

/// Bits of a cell and of its header.
const CELL_BITS: u32 = CELL_OCTETS as u32 * 8;
const HEADER_BITS: u32 = HEADER_OCTETS as u32 * 8;

/// The outcome for a damaged cell at the end of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Passage {
    /// Dropped: its header is wrong.
    Dropped,
    /// It goes on in its present form.
    Passed {
        /// Its payload has wrong bits.
        payload_damaged: bool,
        /// Its header changed: another connection, or another payload type.
        header_changed: bool,
    },
}

/// The receivers of the header check, one per link: they belong to lines, not to connections.
#[derive(Debug, Default)]
pub(crate) struct Lines(Vec<HecReceiver>);

impl Lines {
    /// Receivers for this many links.
    pub(crate) fn new(links: usize) -> Self {
        Lines(vec![HecReceiver::new(); links])
    }

    /// A cell arrived as it was sent.
    #[inline]
    pub(crate) fn note_intact(&mut self, link: u32) {
        self.0[link as usize].note_intact();
    }

    /// A cell arrived with wrong bits.
    pub(crate) fn receive(&mut self, link: u32, cell: &mut Cell, damage: Damage) -> Passage {
        let sent = cell.header();
        let mut payload_damaged = false;
        for bit in damage.wrong_bits(CELL_BITS) {
            cell.flip(bit as usize);
            payload_damaged |= bit >= HEADER_BITS;
        }
        match self.0[link as usize].receive(*cell) {
            Verdict::Discarded => Passage::Dropped,
            Verdict::Intact(passed) | Verdict::Corrected(passed) => {
                *cell = passed;
                Passage::Passed { payload_damaged, header_changed: passed.header() != sent }
            }
        }
    }
}
