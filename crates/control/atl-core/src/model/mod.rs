//! The suite's equations: the throughput of an AIMD sender, the alpha that gives it a certain
//! throughput, and the equations of a [fading channel](fading); and the charge that a probe costs.
//!
//! Windows and rates count packets, and times are spans. A model without a finite, positive result
//! for its inputs gives `None`, never NaN, zero or infinity.

mod aimd;
mod arc;
mod battery;
mod chain;
pub mod fading;
mod loss_cycle;
mod path_chain;
mod rate;
mod rate_form;
mod tcp;

pub use aimd::Aimd;
pub use arc::{arc_loss, arc_throughput};
pub use battery::{Card, milliampere_minutes};
pub use chain::{Adaptation, AtlInput, rcp_atl, tcp_atl};
pub use loss_cycle::{LossCycle, LossCycles, Reading};
pub use path_chain::{Gilbert, PathChain, congestion_share};
pub use rate::{rate_alpha, rate_loss_cycle, rate_throughput};
pub use rate_form::RateForm;
pub use tcp::{TcpModel, TimeoutTerm};

use crate::time::Span;

/// beta for a wireless link's one-way delay (ATL paper, sec. IV-A): 0.75 below 50 ms (WLAN), 0.80
/// below 150 ms (3G), 0.85 from there on (satellite).
///
/// `None` at d_w = 0: the paper's first class begins above 0 ms.
pub fn beta_for(delay: Span) -> Option<f64> {
    const CELLULAR: Span = Span::from_millis(50);
    const SATELLITE: Span = Span::from_millis(150);
    match delay {
        Span::ZERO => None,
        d if d < CELLULAR => Some(0.75),
        d if d < SATELLITE => Some(0.80),
        _ => Some(0.85),
    }
}

/// `x` if it is finite and positive, and so a valid result of a model.
fn positive(x: f64) -> Option<f64> {
    (x.is_finite() && x > 0.0).then_some(x)
}

/// sqrt(1 + x) - 1 without cancellation where x is small.
fn sqrt_1p_m1(x: f64) -> f64 {
    x / (1.0 + (1.0 + x).sqrt())
}

/// True for a share that a window keeps after a loss.
fn is_beta(beta: f64) -> bool {
    beta > 0.0 && beta < 1.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beta_has_three_classes_and_none_without_a_delay() {
        let at = |ms| beta_for(Span::from_millis(ms));
        assert_eq!(at(0), None);
        assert_eq!([at(1), at(10), at(49)], [Some(0.75); 3]);
        assert_eq!([at(50), at(149)], [Some(0.80); 2]);
        assert_eq!([at(150), at(1000)], [Some(0.85); 2]);
    }

    #[test]
    fn the_root_keeps_its_digits_where_x_is_small() {
        // sqrt(1 + 1e-18) - 1 is 0 in plain arithmetic; the value is 5e-19.
        assert!((sqrt_1p_m1(1e-18) - 5e-19).abs() < 1e-33);
        assert!((sqrt_1p_m1(3.0) - 1.0).abs() < 1e-15);
    }
}
