//! The estimates of AAL-T, from arbitrary observations.

use atl_aal::aalt::SequenceNumber;
use atl_aal::aalt::bit_errors::{Comparison, Outcomes};
use atl_aal::aalt::payload::{LengthRule, PayloadLength, optimal_bits};
use atl_aal::model::{bit_errors_from_cell_success, cell_loss_ratio, cell_success};
use atl_core::units::Probability;

use crate::bytes::Bytes;

/// Entries of a window.
const WINDOW: usize = 40;

/// Each byte is an event: the outcome of a transmission, a correct or damaged PDU, or an arbitrary
/// bit error ratio.
pub fn estimates(data: &[u8]) {
    let mut bytes = Bytes(data);
    let (mut outcomes, mut comparison) = (Outcomes::new(WINDOW), Comparison::new(WINDOW));
    while let Some(code) = bytes.byte() {
        match code & 3 {
            0 | 1 => outcomes.record(bytes.u16() % 1400, code & 1 == 0),
            2 => {
                let pdu = bytes.up_to(usize::from(code >> 3) * 2);
                if code & 4 == 0 {
                    comparison.on_wrong(pdu);
                } else {
                    comparison.on_right(SequenceNumber(bytes.u16()), pdu);
                }
            }
            _ => {
                if let Some(ratio) = Probability::new(bytes.f64()) {
                    check_ratio(ratio);
                }
            }
        }
        assert!(outcomes.len() <= WINDOW);
        assert!(comparison.errors() <= comparison.bits());
        for ratio in [outcomes.cell_success(), outcomes.bit_errors(), comparison.bit_errors()] {
            ratio.into_iter().for_each(check_ratio);
        }
    }
}

/// A valid payload length, and eq. 8 with its inverse.
fn check_ratio(ratio: Probability) {
    assert!((0.0..=1.0).contains(&ratio.get()));
    assert!(optimal_bits(ratio, 32.0) >= 0.0);
    for rule in [LengthRule::Optimum, LengthRule::Table1] {
        let length = rule.length(ratio, PayloadLength::TABLE_1_LONGEST);
        assert!((1..=15).contains(&length.cells()));
        assert_eq!(length.octets(), usize::from(length.cells()) * 48 - 4);
    }
    assert!((0.0..=1.0).contains(&cell_loss_ratio(ratio)));
    let success = cell_success(ratio);
    let back = cell_success(bit_errors_from_cell_success(success));
    assert!((back.get() - success.get()).abs() <= 1e-9 * success.get() + 1e-300);
    assert!((0.0..=1.0).contains(&bit_errors_from_cell_success(ratio).get()));
}
