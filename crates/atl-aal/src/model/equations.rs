//! Equations 3 to 9 of the paper in closed form.

use atl_core::units::Probability;
use libm::{exp, log, log1p, pow};

/// Bits of a cell's header.
const HEADER_BITS: f64 = 40.0;
/// Bits of a cell.
const CELL_BITS: f64 = 424.0;
/// Above the bit error ratio of every success that is a number: that of the least one is .83.
const LARGEST_START: f64 = 0.9;
/// Steps of Newton's method; from four to eight are taken.
const MOST_STEPS: u32 = 60;

/// Eq. 3: the transmissions a packet takes under go-back-N with a window of `window` packets, counting the packets sent
/// in vain after it. Infinite if none succeeds.
pub fn go_back_n_attempts(success: Probability, window: f64) -> f64 {
    let p = success.get();
    (p + (1.0 - p) * window) / p
}

/// The transmission efficiency: the payload's share of what is sent.
pub fn transmission_efficiency(payload: f64, overhead: f64) -> f64 {
    payload / (payload + overhead)
}

/// Eq. 4: the throughput efficiency of go-back-N, such as TCP over AAL5.
pub fn go_back_n_efficiency(success: Probability, window: f64, payload: f64, overhead: f64) -> f64 {
    let p = success.get();
    p / (p + (1.0 - p) * window) * transmission_efficiency(payload, overhead)
}

/// Eq. 5: the throughput efficiency of selective repeat, such as AAL-T.
pub fn selective_repeat_efficiency(success: Probability, payload: f64, overhead: f64) -> f64 {
    success.get() * transmission_efficiency(payload, overhead)
}

/// Eq. 6: the probability that a packet of `cells` cells arrives intact, from that of a cell.
pub fn packet_success(cell_success: Probability, cells: u32) -> Probability {
    Probability::clamped(pow(cell_success.get(), f64::from(cells)))
}

/// The probability that the header of a cell has no wrong bit: `P0` of eq. 7.
fn header_intact(bit_errors: Probability) -> f64 {
    exp(HEADER_BITS * log1p(-bit_errors.get()))
}

/// The probability that just one bit of the header is wrong: `P1` of eq. 7.
fn header_single_error(bit_errors: Probability) -> f64 {
    let p = bit_errors.get();
    if p >= 1.0 { 0.0 } else { HEADER_BITS * p * exp((HEADER_BITS - 1.0) * log1p(-p)) }
}

/// Eq. 7: the share of cells that the header's check drops, with correction and detection modes, from the bit error ratio.
///
/// It takes the mode to be drawn anew for each cell, correction with probability P0. The mode is set by the cell before, whose
/// bits are independent of this one's, so that this holds for real receivers too ([`CellChannel`](super::CellChannel)). Miscorrected headers
/// (three wrong bits and more) count as drops: a real receiver drops that many fewer, and they arrive elsewhere.
pub fn cell_loss_ratio(bit_errors: Probability) -> f64 {
    let p0 = header_intact(bit_errors);
    let p1 = header_single_error(bit_errors);
    let correction = p0;
    let detection = 1.0 - correction;
    let more = (1.0 - p0 - p1).max(0.0);
    correction * more + detection * (p1 + more)
}

/// Eq. 8: the probability that a cell arrives, its payload intact, from the bit error ratio.
pub fn cell_success(bit_errors: Probability) -> Probability {
    let p = bit_errors.get();
    if p >= 1.0 {
        return Probability::clamped(0.0);
    }
    let survive = log1p(-p);
    let single = HEADER_BITS * p * exp((HEADER_BITS - 1.0) * survive);
    Probability::clamped(exp(CELL_BITS * survive) * (1.0 + single))
}

/// Eq. 9: the probability that a cell arrives intact, from the cell error ratio (errored and lost cells).
pub fn cell_success_from_errors(cell_errors: Probability) -> Probability {
    Probability::clamped(1.0 - cell_errors.get())
}

/// The inverse of eq. 8: the bit error ratio at which a cell arrives intact with this probability.
///
/// The logarithm of eq. 8 falls and is concave, so that Newton's method from its tangent at 0 comes down to the root and
/// never passes it.
pub fn bit_errors_from_cell_success(success: Probability) -> Probability {
    if success.get() <= 0.0 {
        return Probability::clamped(1.0);
    }
    let wanted = log(success.get());
    let mut p = (-wanted / (CELL_BITS - HEADER_BITS)).min(LARGEST_START);
    for _ in 0..MOST_STEPS {
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
