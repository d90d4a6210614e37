//! The payload length of a CP-ARQ PDU: L = 48 i - 4 octets, chosen by the path's bit error ratio
//! (paper, section 3.2).
//!
//! There are two rules, and a fixed length. [`LengthRule::Optimum`] takes the i whose L is closest
//! to eq. 2 at every bit error ratio. [`LengthRule::Table1`] is the paper's Table 1. The bands of
//! the table are given to one significant digit with gaps between them, so the ratio is rounded to
//! one digit first. The two rules agree at all values in the table. They differ between these
//! values (at 1.2e-5 the optimum is 4 cells, a length that the table lacks; the table gives 5), and
//! below 1e-6, where the table ends.

use super::cp_arq::{MAX_PDU_OCTETS, OVERHEAD_OCTETS};
use crate::cell::PAYLOAD_OCTETS as CELL_PAYLOAD;
use atl_core::units::Probability;
use libm::{log1p, round, sqrt};

/// Bits of a CP-ARQ PDU's overhead: SN and CRC.
pub const OVERHEAD_BITS: f64 = (OVERHEAD_OCTETS * 8) as f64;

/// A payload length, as the number of cells that the PDU fills.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PayloadLength {
    cells: u16,
}

impl PayloadLength {
    /// One cell, 44 octets: the initial length of a connection.
    pub const SHORTEST: PayloadLength = PayloadLength { cells: 1 };
    /// Table 1's longest: 15 cells, 716 octets.
    pub const TABLE_1_LONGEST: PayloadLength = PayloadLength { cells: TABLE_1_LAST };
    /// The longest PDU, which holds any CPCS-PDU in one piece.
    pub const LONGEST: PayloadLength =
        PayloadLength { cells: (MAX_PDU_OCTETS / CELL_PAYLOAD) as u16 };

    /// The payload length of a PDU of `cells` cells; `None` for 0, or for more than
    /// [`LONGEST`](Self::LONGEST).
    pub const fn from_cells(cells: u16) -> Option<Self> {
        if cells == 0 || cells > Self::LONGEST.cells { None } else { Some(PayloadLength { cells }) }
    }

    /// Cells of the PDU: i.
    pub const fn cells(self) -> u16 {
        self.cells
    }

    /// Octets of the payload: L = 48 i - 4.
    pub const fn octets(self) -> usize {
        self.cells as usize * CELL_PAYLOAD - OVERHEAD_OCTETS
    }
}

/// The rule that gives the payload length from the bit error ratio.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LengthRule {
    /// The length closest to eq. 2.
    #[default]
    Optimum,
    /// The row of Table 1.
    Table1,
    /// The same at every bit error ratio.
    Fixed(PayloadLength),
}

/// Table 1: the smallest bit error ratio that rounds to the row, and the number of cells.
const TABLE_1: [(f64, u16); 8] = [
    (1.5e-4, 1),
    (3.5e-5, 2),
    (1.5e-5, 3),
    (7.5e-6, 5),
    (5.5e-6, 6),
    (3.5e-6, 7),
    (2.5e-6, 9),
    (1.5e-6, 10),
];
/// Cells in the last row of Table 1.
const TABLE_1_LAST: u16 = 15;

impl LengthRule {
    /// The payload length for a bit error ratio, at most `longest`.
    pub fn length(self, bit_errors: Probability, longest: PayloadLength) -> PayloadLength {
        let cells = match self {
            LengthRule::Optimum => {
                let octets = optimal_bits(bit_errors, OVERHEAD_BITS) / 8.0;
                // `as` saturates: without errors the optimum is infinite.
                let i = round((octets + OVERHEAD_OCTETS as f64) / CELL_PAYLOAD as f64) as u16;
                i.max(1)
            }
            LengthRule::Table1 => TABLE_1
                .iter()
                .find(|(from, _)| bit_errors.get() >= *from)
                .map_or(TABLE_1_LAST, |(_, cells)| *cells),
            LengthRule::Fixed(length) => length.cells,
        };
        PayloadLength { cells: cells.min(longest.cells) }
    }
}

/// Eq. 2: the payload in bits that maximises the efficiency of selective repeat with
/// `overhead_bits` bits of overhead per packet. Infinite without errors.
///
/// The root is in the denominator, which avoids cancellation at small bit error ratios.
pub fn optimal_bits(bit_errors: Probability, overhead_bits: f64) -> f64 {
    let h = overhead_bits;
    let a = -log1p(-bit_errors.get());
    if a.is_infinite() {
        return 0.0;
    }
    2.0 * h / (sqrt(4.0 * h * a + h * h * a * a) + h * a)
}
