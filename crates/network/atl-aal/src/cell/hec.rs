//! The receiver of the header error check (ITU-T I.432.1 section 4.3.2, Fig. 4): correction mode
//! and detection mode.
//!
//! In *correction mode* a header with one wrong bit is corrected, and a cell with more is dropped.
//! Either way the receiver enters *detection mode*, in which every cell with a wrong header is
//! dropped. The first intact header returns it to correction mode. So single errors, typical of
//! fibre, are corrected, while bursts, where a correction would often be wrong, are not.
//!
//! The code has distance 4 over 40 bits: each single error has its own syndrome, and a double error
//! never looks like a single one. Three or more errors may. Then the cell reaches the wrong
//! connection (misinsertion), which the layers above have to detect.

use super::header::Header;
use super::octets::Cell;

/// The state of the receiver.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum HecMode {
    /// Single wrong bits are corrected.
    #[default]
    Correction,
    /// Every cell with a wrong header is dropped.
    Detection,
}

/// The result of the header check for one cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The header is intact.
    Intact(Cell),
    /// One bit of the header was wrong and has been corrected.
    Corrected(Cell),
    /// The header was wrong: the cell is dropped.
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

/// Cell counts by result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct HecStatistics {
    /// Cells whose header had no error.
    pub intact: u64,
    /// Cells passed with one bit corrected.
    pub corrected: u64,
    /// Cells dropped for an error that cannot be corrected.
    pub discarded: u64,
}

/// The header check of one line. Its mode is common to all connections.
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

    /// The mode for the next cell.
    pub const fn mode(&self) -> HecMode {
        self.mode
    }

    /// Cell counts so far.
    pub const fn statistics(&self) -> HecStatistics {
        self.statistics
    }

    /// Checks the next cell of the line.
    pub fn receive(&mut self, mut cell: Cell) -> Verdict {
        let corrected = self.statistics.corrected;
        match self.receive_in_place(&mut cell) {
            false => Verdict::Discarded,
            true if self.statistics.corrected == corrected => Verdict::Intact(cell),
            true => Verdict::Corrected(cell),
        }
    }

    /// Like [`receive`](Self::receive) without a copy: corrects the header in place if possible.
    /// Returns whether the cell passed.
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

    /// Counts a cell whose header is known to be intact, as [`receive`](Self::receive) would,
    /// without reading it. For callers that know which cells their channel left unchanged.
    pub const fn note_intact(&mut self) {
        self.mode = HecMode::Correction;
        self.statistics.intact += 1;
    }

    /// Like [`receive`](Self::receive); returns the header along with a cell that passed.
    pub fn receive_header(&mut self, cell: Cell) -> Option<(Header, Cell)> {
        self.receive(cell).cell().map(|cell| (cell.header(), *cell))
    }
}

const NO_SINGLE_BIT: u8 = u8::MAX;

/// For each syndrome the wrong bit of the header, counted from 0 in transmission order.
static BIT_OF_SYNDROME: [u8; 256] = bit_of_syndrome();

/// An error at power k of x, bit 39 - k in transmission order, leaves x^k modulo the generator.
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
