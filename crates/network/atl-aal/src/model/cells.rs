//! The quantities of equations 3 to 8, counted on real cells: segmented, damaged, checked by
//! [`HecReceiver`], reassembled and checked by AAL5's CRC-32. The counts include what the equations
//! leave out: the receiver's mode from cell to cell, miscorrected headers, and the loss of two
//! packets when the last cell of the first is lost.
//!
//! The caller supplies random numbers, uniform in [0, 1).

use crate::aal5;
use crate::cell::{CELL_OCTETS, Cell, Header, HecReceiver, PAYLOAD_OCTETS};
use crate::sar::{Reassembled, Reassembler, segment};
use atl_core::units::Probability;
use libm::{floor, log, log1p};

const BITS: u64 = CELL_OCTETS as u64 * 8;
const VPI: u8 = 1;
const VCI: u16 = 100;

/// Errors of a channel, independent for each bit or cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum CellErrors {
    /// Bits are wrong with this probability.
    Bits(Probability),
    /// Cells are lost with this probability.
    Losses(Probability),
}

/// A channel for cells with a header check at its end.
#[derive(Debug, Clone)]
pub struct CellChannel<D> {
    errors: CellErrors,
    draw: D,
    hec: HecReceiver,
    /// Bits or cells before the next error.
    gap: u64,
}

impl<D: FnMut() -> f64> CellChannel<D> {
    /// A channel that draws random numbers from `draw`.
    pub fn new(errors: CellErrors, draw: D) -> Self {
        let mut channel = CellChannel { errors, draw, hec: HecReceiver::new(), gap: 0 };
        channel.gap = channel.next_gap();
        channel
    }

    /// The header check at its end.
    pub const fn hec(&self) -> &HecReceiver {
        &self.hec
    }

    /// The number of bits or cells before the next error, geometric. Rare errors thus cost little.
    fn next_gap(&mut self) -> u64 {
        let (CellErrors::Bits(p) | CellErrors::Losses(p)) = self.errors;
        if p.get() <= 0.0 {
            return u64::MAX;
        }
        if p.get() >= 1.0 {
            return 0;
        }
        // `as` saturates.
        floor(log(1.0 - (self.draw)()) / log1p(-p.get())) as u64
    }

    /// Carries a cell; `None` if it is lost or dropped. The header of the result may be
    /// miscorrected.
    pub fn carry(&mut self, mut cell: Cell) -> Option<Cell> {
        match self.errors {
            CellErrors::Bits(_) => {
                let mut at = self.gap;
                while at < BITS {
                    cell.flip(at as usize);
                    at = self.next_gap().saturating_add(at + 1);
                }
                self.gap = at - BITS;
                self.hec.receive_in_place(&mut cell).then_some(cell)
            }
            CellErrors::Losses(_) => {
                if self.gap == 0 {
                    self.gap = self.next_gap();
                    return None;
                }
                self.gap -= 1;
                self.hec.note_intact();
                Some(cell)
            }
        }
    }
}

/// Cell counts by fate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CellCounts {
    /// Cells that entered the channel.
    pub sent: u64,
    /// Dropped by the header check, or lost.
    pub dropped: u64,
    /// Arrived with a changed header: on the wrong connection, or with wrong flags.
    pub miscorrected: u64,
    /// Cells that arrived without a change.
    pub intact: u64,
}

impl CellCounts {
    /// The fraction of cells that did not arrive with their own header: eq. 7.
    pub fn loss_ratio(&self) -> f64 {
        (self.dropped + self.miscorrected) as f64 / self.sent as f64
    }

    /// The fraction that arrived intact: eq. 8.
    pub fn success(&self) -> f64 {
        self.intact as f64 / self.sent as f64
    }
}

/// Sends `cells` identical cells.
pub fn count_cells<D: FnMut() -> f64>(channel: &mut CellChannel<D>, cells: u64) -> CellCounts {
    let cell = Cell::new(Header::user(VPI, VCI, false), &[0xA5; PAYLOAD_OCTETS]);
    let mut counts = CellCounts { sent: cells, ..CellCounts::default() };
    for _ in 0..cells {
        match channel.carry(cell) {
            None => counts.dropped += 1,
            Some(come) if come == cell => counts.intact += 1,
            Some(come) => {
                counts.miscorrected += u64::from(come.header() != cell.header());
            }
        }
    }
    counts
}

/// Cost of an ARQ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ArqCounts {
    /// Packets that arrived in order.
    pub packets: u64,
    /// Packets sent, including retransmissions and packets sent in vain.
    pub transmissions: u64,
    /// Transmissions that arrived intact, including those in vain.
    pub intact: u64,
}

impl ArqCounts {
    /// Transmissions per packet: E\[N\] of eq. 3.
    pub fn attempts(&self) -> f64 {
        self.transmissions as f64 / self.packets as f64
    }

    /// The fraction of transmissions that arrived intact: P_s of eq. 6.
    pub fn success(&self) -> f64 {
        self.intact as f64 / self.transmissions as f64
    }
}

/// Transfers `packets` packets of `cells` cells each by go-back-N: the sender learns of a loss
/// after sending `window - 1` further packets, all in vain. A window of 1 is selective repeat, as
/// in eq. 5. `cells` is limited to the range that AAL5 allows, 1 to 1366.
pub fn go_back_n<D: FnMut() -> f64>(
    channel: &mut CellChannel<D>,
    cells: u16,
    window: u32,
    packets: u64,
) -> ArqCounts {
    let most = aal5::MAX_PDU_OCTETS / PAYLOAD_OCTETS;
    let octets = usize::from(cells).clamp(1, most) * PAYLOAD_OCTETS - aal5::TRAILER_OCTETS;
    let octets = octets.min(aal5::MAX_SDU_OCTETS);
    let mut line = Line {
        channel,
        reassembler: Reassembler::new(2 * aal5::MAX_PDU_OCTETS),
        sdu: vec![0; octets],
        pdu: Vec::new(),
    };
    let mut counts = ArqCounts { packets, ..ArqCounts::default() };
    for number in 0..packets {
        while !line.send(number, &mut counts) {
            for ahead in 1..u64::from(window) {
                line.send(number + ahead, &mut counts);
            }
        }
    }
    counts
}

struct Line<'a, D> {
    channel: &'a mut CellChannel<D>,
    reassembler: Reassembler,
    sdu: Vec<u8>,
    pdu: Vec<u8>,
}

impl<D: FnMut() -> f64> Line<'_, D> {
    /// Sends a packet. Returns whether it arrived.
    fn send(&mut self, number: u64, counts: &mut ArqCounts) -> bool {
        // A packet carries its number, in full if there is room.
        for (octet, part) in self.sdu.iter_mut().zip(number.to_le_bytes()) {
            *octet = part;
        }
        if aal5::encode(&self.sdu, 0, &mut self.pdu).is_err() {
            return false;
        }
        let mut come = false;
        for cell in segment(VPI, VCI, &self.pdu).into_iter().flatten() {
            let Some(cell) = self.channel.carry(cell) else { continue };
            let header = cell.header();
            if (header.vpi(), header.vci()) != (VPI, VCI) {
                continue;
            }
            if let Reassembled::Pdu { pdu, .. } = self.reassembler.push(&cell) {
                come |= aal5::decode(pdu).is_ok_and(|received| received.sdu == self.sdu);
            }
        }
        counts.transmissions += 1;
        counts.intact += u64::from(come);
        come
    }
}
