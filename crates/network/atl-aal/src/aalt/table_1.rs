//! Table 1 of the AAL-T paper compared with eq. 2, from which it was computed.

use atl_core::units::Probability;

use super::payload::{LengthRule, PayloadLength};

/// Bit error ratios that Table 1 prints for each number of cells.
const PRINTED: [(u16, &str); 9] = [
    (1, "2e-4 or higher"),
    (2, "4e-5 to 1e-4"),
    (3, "2e-5 to 3e-5"),
    (5, "8e-6 to 1e-5"),
    (6, "6e-6 to 7e-6"),
    (7, "4e-6 to 5e-6"),
    (9, "3e-6"),
    (10, "2e-6"),
    (15, "1e-6"),
];

/// A payload length, and the range of bit error ratios for which eq. 2 gives it.
#[derive(Clone, Debug, PartialEq)]
pub struct LengthRange {
    /// The length by eq. 2, in whole cells.
    pub length: PayloadLength,
    /// Lower end of the range, excluded.
    pub above: f64,
    /// Upper end of the range, included.
    pub up_to: f64,
    /// Cells that Table 1 gives for ratios in the range, in ascending order.
    pub table_1: Vec<u16>,
}

impl LengthRange {
    /// The ranges of all lengths up to the longest of Table 1, shortest first.
    pub fn all() -> Vec<LengthRange> {
        let longest = PayloadLength::TABLE_1_LONGEST.cells();
        (1..=longest).filter_map(PayloadLength::from_cells).map(LengthRange::of).collect()
    }

    fn of(length: PayloadLength) -> LengthRange {
        let (rule, table) = (LengthRule::Optimum, LengthRule::Table1);
        let cells = length.cells();
        let (above, up_to) = (largest_ratio(rule, cells + 1), largest_ratio(rule, cells));
        // The table falls in steps: its values at both ends and at each step in between are all its
        // values in the range.
        let longest = PayloadLength::TABLE_1_LONGEST.cells();
        let steps = (1..=longest).map(|least| largest_ratio(table, least));
        let inside = steps.filter(|ratio| *ratio > above && *ratio < up_to);
        let mut table_1: Vec<u16> =
            inside.chain([up_to]).map(|ratio| cells_at(table, ratio)).collect();
        table_1.push(cells_at(table, above * (1.0 + 1e-9)));
        table_1.sort_unstable();
        table_1.dedup();
        LengthRange { length, above, up_to, table_1 }
    }

    /// The bit error ratios that Table 1 prints for this length, if it has it.
    pub fn printed(&self) -> Option<&'static str> {
        PRINTED.iter().find(|(cells, _)| *cells == self.length.cells()).map(|(_, text)| *text)
    }

    /// True if Table 1 gives another length anywhere in the range.
    pub fn differs(&self) -> bool {
        self.table_1 != [self.length.cells()]
    }
}

/// Payload length by a rule, in cells; decreases as the bit error ratio grows.
fn cells_at(rule: LengthRule, ratio: f64) -> u16 {
    rule.length(Probability::clamped(ratio), PayloadLength::LONGEST).cells()
}

/// Largest bit error ratio at which a rule gives at least this many cells.
fn largest_ratio(rule: LengthRule, least: u16) -> f64 {
    if least <= 1 {
        return 1.0;
    }
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        if cells_at(rule, middle) >= least { low = middle } else { high = middle }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_join_and_hold_the_ratios_of_their_length() {
        let ranges = LengthRange::all();
        assert_eq!(ranges.len(), 15);
        assert_eq!(ranges[0].up_to.to_bits(), 1.0_f64.to_bits());
        for pair in ranges.windows(2) {
            assert_eq!(pair[0].above.to_bits(), pair[1].up_to.to_bits());
        }
        for range in &ranges {
            let cells = range.length.cells();
            assert_eq!(cells_at(LengthRule::Optimum, range.up_to), cells);
            assert_eq!(cells_at(LengthRule::Optimum, range.above * (1.0 + 1e-9)), cells);
            assert!(cells_at(LengthRule::Optimum, range.above) > cells);
        }
    }

    /// Worked by hand: 4 cells is no length of the table; at 1.2e-5 it has 5, and at 1.6e-5 3.
    #[test]
    fn table_1_differs_where_it_lacks_a_length() {
        let four = LengthRange::all().remove(3);
        assert_eq!((four.length.cells(), four.printed(), four.differs()), (4, None, true));
        assert_eq!(four.table_1, [3, 5]);
        let two = LengthRange::all().remove(1);
        assert_eq!((two.printed(), two.differs()), (Some("4e-5 to 1e-4"), false));
    }
}
