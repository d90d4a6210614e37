//! Equations 3 to 9 of the paper in closed form.

use atl_core::units::Probability;
use libm::{exp, log, log1p, pow};

use crate::cell::PAYLOAD_OCTETS;

/// Bits of a cell's header.
const HEADER_BITS: f64 = 40.0;
/// Bits of a cell.
const CELL_BITS: f64 = 424.0;
/// Upper bound of the starting point. Every root is below it: even the smallest positive success
/// has 0.83.
const MAX_START: f64 = 0.9;
/// Limit on the steps of Newton's method, which takes four to eight.
const MAX_STEPS: u32 = 60;

/// Eq. 3: expected transmissions per packet under go-back-N with a window of `window` packets,
/// including those sent in vain. Infinite if `success` is 0.
pub fn go_back_n_attempts(success: Probability, window: f64) -> f64 {
    let p = success.get();
    (p + (1.0 - p) * window) / p
}

/// Transmission efficiency: the fraction of the transmitted data that is payload.
pub fn transmission_efficiency(payload: f64, overhead: f64) -> f64 {
    payload / (payload + overhead)
}

/// Eq. 4: throughput efficiency of go-back-N, such as TCP over AAL5.
pub fn go_back_n_efficiency(success: Probability, window: f64, payload: f64, overhead: f64) -> f64 {
    let p = success.get();
    p / (p + (1.0 - p) * window) * transmission_efficiency(payload, overhead)
}

/// Eq. 5: throughput efficiency of selective repeat, such as AAL-T.
pub fn selective_repeat_efficiency(success: Probability, payload: f64, overhead: f64) -> f64 {
    success.get() * transmission_efficiency(payload, overhead)
}

/// Efficiency of selective repeat over that of go-back-N, eq. 5 / eq. 4 = `E[N] P_s`: from 1 to
/// `window`, and defined even where both are 0.
pub fn efficiency_gain(success: Probability, window: f64) -> f64 {
    let p = success.get();
    p + (1.0 - p) * window
}

/// Efficiency of selective repeat with PDUs of `cells` cells that carry `payload` octets: eq. 5,
/// where the overhead is the rest of the cells' payload.
pub fn pdu_efficiency(cell_success: Probability, cells: u32, payload: f64) -> f64 {
    let overhead = f64::from(cells) * PAYLOAD_OCTETS as f64 - payload;
    selective_repeat_efficiency(packet_success(cell_success, cells), payload, overhead)
}

/// Eq. 6: the probability that a packet of `cells` cells arrives intact, from that of a single
/// cell.
pub fn packet_success(cell_success: Probability, cells: u32) -> Probability {
    Probability::clamped(pow(cell_success.get(), f64::from(cells)))
}

/// The probability that no bit of the header is wrong: `P0` of eq. 7.
fn header_intact(bit_errors: Probability) -> f64 {
    exp(HEADER_BITS * log1p(-bit_errors.get()))
}

/// The probability that exactly one bit of the header is wrong: `P1` of eq. 7.
fn header_single_error(bit_errors: Probability) -> f64 {
    let p = bit_errors.get();
    if p >= 1.0 { 0.0 } else { HEADER_BITS * p * exp((HEADER_BITS - 1.0) * log1p(-p)) }
}

/// Eq. 7: the fraction of cells that the header check drops, with correction and detection modes,
/// from the bit error ratio.
///
/// The equation draws the mode anew for each cell, correction with probability P0. In a real
/// receiver ([`CellChannel`](super::CellChannel)) the previous cell sets the mode; its bits are
/// independent of this cell's, so the result is the same. Miscorrected headers (three or more wrong
/// bits) count as drops here; a real receiver passes these cells on to a wrong connection.
pub fn cell_loss_ratio(bit_errors: Probability) -> f64 {
    let p0 = header_intact(bit_errors);
    let p1 = header_single_error(bit_errors);
    let correction = p0;
    let detection = 1.0 - correction;
    let more = (1.0 - p0 - p1).max(0.0);
    correction * more + detection * (p1 + more)
}

/// Eq. 8: the probability that a cell arrives with an intact payload, from the bit error ratio.
pub fn cell_success(bit_errors: Probability) -> Probability {
    let p = bit_errors.get();
    if p >= 1.0 {
        return Probability::clamped(0.0);
    }
    let survive = log1p(-p);
    let single = HEADER_BITS * p * exp((HEADER_BITS - 1.0) * survive);
    Probability::clamped(exp(CELL_BITS * survive) * (1.0 + single))
}

/// Eq. 9: the probability that a cell arrives intact, from the cell error ratio (errored and lost
/// cells).
pub fn cell_success_from_errors(cell_errors: Probability) -> Probability {
    Probability::clamped(1.0 - cell_errors.get())
}

/// Inverse of eq. 8: the bit error ratio at which a cell arrives intact with this probability.
///
/// The logarithm of eq. 8 is decreasing and concave, so Newton's method, started at the tangent
/// from 0, descends to the root without overshooting.
pub fn bit_errors_from_cell_success(success: Probability) -> Probability {
    if success.get() <= 0.0 {
        return Probability::clamped(1.0);
    }
    let wanted = log(success.get());
    let mut p = (-wanted / (CELL_BITS - HEADER_BITS)).min(MAX_START);
    for _ in 0..MAX_STEPS {
        let survive = log1p(-p);
        let other_bits = exp((HEADER_BITS - 1.0) * survive);
        let single = HEADER_BITS * p * other_bits;
        let value = CELL_BITS * survive + log1p(single) - wanted;
        let of_single = HEADER_BITS * other_bits * (1.0 - (HEADER_BITS - 1.0) * p / (1.0 - p));
        let slope = of_single / (1.0 + single) - CELL_BITS / (1.0 - p);
        let next = p - value / slope;
        if next >= p || next <= 0.0 {
            break;
        }
        p = next;
    }
    Probability::clamped(p)
}
