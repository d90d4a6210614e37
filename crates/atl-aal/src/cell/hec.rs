//! The receiver of the header's check (ITU-T I.432.1 section 4.3.2, Fig. 4): correction mode and detection mode.
//!
//! In *correction mode* a header with a wrong bit is put right, one with more is dropped with its cell; either way the
//! receiver goes over to *detection mode*, in which every cell with a wrong header is dropped. The first right header
//! leads back. So single errors of fibres are corrected, and a burst, whose rest would be miscorrected, is not.
//!
//! The code has distance 4 over 40 bits: single errors have syndromes of their own, two errors never look like one.
//! Three or more may, and then the cell goes to a wrong connection: a misinserted cell, which the layers above must stand.

use super::header::Header;
use super::octets::Cell;

/// The state of the receiver.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum HecMode {
    /// A single wrong bit is corrected.
    #[default]
    Correction,
    /// No cell with a wrong header passes.
    Detection,
}

/// What the receiver made of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The header agreed with its check.
    Intact(Cell),
    /// One bit of the header was wrong and was put right.
    Corrected(Cell),
    /// The header was wrong: the cell is lost.
    Discarded,
}

impl Verdict {
    /// The cell, if it passed.
    pub const fn cell(&self) -> Option<&Cell> {
        match self {
            Verdict::Intact(cell) | Verdict::Corrected(cell) => Some(cell),
            Verdict::Discarded => None,
        }
    }
}

/// Cells counted by what became of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct HecStatistics {
    /// Cells that passed as they were.
    pub intact: u64,
    /// Cells with one bit put right.
    pub corrected: u64,
    /// Cells dropped.
    pub discarded: u64,
}

/// The header check's receiver of one line: its mode runs through all connections.
#[derive(Debug, Clone, Default)]
pub struct HecReceiver {
    mode: HecMode,
    statistics: HecStatistics,
}

impl HecReceiver {
    /// A receiver in correction mode.
    pub fn new() -> Self {
        Self::default()
    }

    /// The mode that the next cell meets.
    pub const fn mode(&self) -> HecMode {
        self.mode
    }

    /// What became of the cells so far.
    pub const fn statistics(&self) -> HecStatistics {
        self.statistics
    }

    /// Judges the next cell of the line.
    pub fn receive(&mut self, mut cell: Cell) -> Verdict {
        let corrected = self.statistics.corrected;
        match self.receive_in_place(&mut cell) {
            false => Verdict::Discarded,
            true if self.statistics.corrected == corrected => Verdict::Intact(cell),
            true => Verdict::Corrected(cell),
        }
    }

    /// As [`receive`](Self::receive) without a copy: puts the header right where that can be done, and tells whether the
    /// cell passed.
    pub fn receive_in_place(&mut self, cell: &mut Cell) -> bool {
        let syndrome = cell.syndrome();
        if syndrome == 0 {
            self.note_intact();
            return true;
        }
        let before = core::mem::replace(&mut self.mode, HecMode::Detection);
        let bit = BIT_OF_SYNDROME[usize::from(syndrome)];
        if before == HecMode::Correction && bit != NO_SINGLE_BIT {
            cell.flip(usize::from(bit));
            self.statistics.corrected += 1;
            return true;
        }
        self.statistics.discarded += 1;
        false
    }

    /// Counts a cell whose header is known to be right, as [`receive`](Self::receive) would, without a look at it: for a
    /// simulator that knows which cells its channel left alone.
    pub const fn note_intact(&mut self) {
        self.mode = HecMode::Correction;
        self.statistics.intact += 1;
    }

    /// As [`receive`](Self::receive), with the header of what passed.
    pub fn receive_header(&mut self, cell: Cell) -> Option<(Header, Cell)> {
        self.receive(cell).cell().map(|cell| (cell.header(), *cell))
    }
}

const NO_SINGLE_BIT: u8 = u8::MAX;

/// The wrong bit of a header, 0 the first on the line, that each syndrome tells.
static BIT_OF_SYNDROME: [u8; 256] = bit_of_syndrome();

/// An error at power k of x leaves x^k modulo the generator; bit 39 - k on the line.
const fn bit_of_syndrome() -> [u8; 256] {
    let mut table = [NO_SINGLE_BIT; 256];
    let mut syndrome = 1_u8;
    let mut power = 0;
    while power < 40 {
        table[syndrome as usize] = 39 - power;
        let carry = syndrome & 0x80 != 0;
        syndrome <<= 1;
        if carry {
            syndrome ^= 0x07;
        }
        power += 1;
    }
    table
}
