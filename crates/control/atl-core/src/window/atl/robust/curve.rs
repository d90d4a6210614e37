//! The window's growth between two reductions: RFC 9438, sec. 4.2 to 4.4, for any beta.

use crate::time::{Span, Time};

/// The share of the window that RFC 9438 keeps (sec. 4.6). Its C is meant for this beta.
const BETA_CUBIC: f64 = 0.7;

/// The alpha with which an AIMD that keeps `beta` gets as much as one with (1, 0.5) does at the
/// same losses (RFC 9438, eq. 4). Packets per round-trip time; falls from 1 at beta = 0.5 to 0 at
/// beta = 1.
pub(super) fn friendly_alpha(beta: f64) -> f64 {
    3.0 * (1.0 - beta) / (1.0 + beta)
}

/// The curve of the window since its last reduction.
///
/// C is scaled by (1 - beta)/0.3: K, the time to return to the window before the reduction, is then
/// CUBIC's own for any beta. With an unscaled C a gentler reduction would also be a quicker return,
/// and a flow that meets the same losses as a CUBIC would end with a larger share.
#[derive(Clone, Copy, Debug)]
pub(super) struct Curve {
    /// Start of the curve; `None` until the window grows along it for the first time.
    began: Option<Time>,
    /// W_max: the window that the curve flattens at.
    flat: f64,
    /// C in packets per second cubed.
    steepness: f64,
    /// K, the time back to W_max, in seconds.
    k: f64,
    /// The beta of the reduction at its start.
    beta: f64,
    /// W_est: the window of an AIMD with the same losses (sec. 4.3).
    estimate: f64,
}

impl Curve {
    /// The curve of a window that was never reduced, at `flat`.
    pub(super) const fn new() -> Self {
        Curve { began: None, flat: 0.0, steepness: 0.0, k: 0.0, beta: BETA_CUBIC, estimate: 0.0 }
    }

    /// Starts at a reduction from `before` to `beta` of it. Fast convergence (sec. 4.7): a flow
    /// that did not even reach its last W_max releases more.
    pub(super) fn reduce(&mut self, before: f64, beta: f64) {
        let flat = if before < self.flat { before * (1.0 + beta) / 2.0 } else { before };
        *self = Curve { began: None, flat, beta, ..*self };
    }

    /// Starts anew after the window was set by something else than a reduction.
    pub(super) fn restart(&mut self) {
        *self = Curve::new();
    }

    /// The next growth starts the curve at the window of that time.
    pub(super) fn pause(&mut self) {
        self.began = None;
    }

    /// True if the window has been beyond W_max for as long as it took to get there, without a
    /// loss: it may explore faster. A flow that competes has lost a packet by then.
    pub(super) fn is_exploring(&self, now: Time) -> bool {
        self.began.is_some_and(|began| now.since(began).secs() >= 2.0 * self.k)
    }

    /// Flattens the curve at `packets`, the measured capacity of the path.
    pub(super) fn aim(&mut self, packets: f64) {
        *self = Curve { flat: packets, ..Curve::new() };
    }

    fn begin(&mut self, now: Time, cwnd: f64, c: f64) {
        self.began = Some(now);
        self.steepness = c * (1.0 - self.beta) / (1.0 - BETA_CUBIC);
        self.flat = self.flat.max(cwnd);
        self.k = libm::cbrt((self.flat - cwnd) / self.steepness);
        self.estimate = cwnd;
    }

    /// The window after `packets` were acknowledged at `now`: at most half as large again a round
    /// trip (sec. 4.2). `alpha` is the least growth in packets per round trip beside
    /// [`friendly_alpha`]. C is that of beta = 0.7.
    pub(super) fn grown(
        &mut self,
        now: Time,
        rtt: Span,
        cwnd: f64,
        packets: f64,
        alpha: f64,
        c: f64,
    ) -> f64 {
        let began = match self.began {
            Some(began) => began,
            None => {
                self.begin(now, cwnd, c);
                now
            }
        };
        let alpha = alpha.max(friendly_alpha(self.beta));
        self.estimate += packets * (alpha / cwnd).min(1.0);
        let after = now.saturating_add(rtt).since(began).secs() - self.k;
        let target = self.steepness * after * after * after + self.flat;
        let target = target.clamp(cwnd, 1.5 * cwnd);
        (cwnd + packets * (target - cwnd) / cwnd).max(self.estimate.min(cwnd + packets))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const C: f64 = 0.4;

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-9 * expected.abs(), "{found} instead of {expected}");
    }

    /// The window after one more packet `after` seconds on the curve, from a window of 100 reduced
    /// to `beta`.
    fn grown(beta: f64, cwnd: f64, after: f64) -> f64 {
        let mut curve = Curve::new();
        curve.reduce(100.0, beta);
        curve.grown(Time::ZERO, Span::ZERO, beta * 100.0, 0.0, 0.0, C);
        curve.grown(Time::from_secs_f64(after), Span::ZERO, cwnd, 1.0, 0.0, C)
    }

    #[test]
    fn friendly_alpha_is_that_of_rfc_9438() {
        near(friendly_alpha(0.5), 1.0);
        near(friendly_alpha(0.7), 9.0 / 17.0);
        near(friendly_alpha(0.85), 0.45 / 1.85);
    }

    #[test]
    fn the_curve_is_back_at_its_flat_after_k_whatever_beta_is() {
        // K = cbrt(30 / 0.4) = cbrt(75) = 4.217163... s; with beta = 0.85 C is 0.2, and cbrt(15 /
        // 0.2) the same.
        let k = libm::cbrt(75.0);
        for beta in [0.7, 0.8, 0.85] {
            // Halfway: flat - C (K/2)^3 = 100 - 30 (1 - beta)/0.3 / 8.
            let halfway = 100.0 - 100.0 * (1.0 - beta) / 8.0;
            near(grown(beta, 90.0, k / 2.0), 90.0 + (halfway - 90.0) / 90.0);
            // Two seconds beyond it: flat + 8 C.
            let c = C * (1.0 - beta) / 0.3;
            near(grown(beta, 100.0, k + 2.0), 100.0 + 8.0 * c / 100.0);
        }
    }

    #[test]
    fn a_round_trip_adds_at_most_half_the_window() {
        near(grown(0.7, 100.0, 1000.0), 100.5);
    }

    #[test]
    fn a_small_window_grows_as_the_friendly_aimd_and_never_by_more_than_a_packet_per_packet() {
        let mut curve = Curve::new();
        curve.reduce(4.0, 0.7);
        let rtt = Span::ZERO;
        // K = cbrt(1.2 / 0.4) s; at the start the cubic curve adds nothing.
        let first = curve.grown(Time::ZERO, rtt, 2.8, 1.0, 0.0, C);
        near(first, 2.8 + 9.0 / 17.0 / 2.8);
        let mut curve = Curve::new();
        curve.reduce(4.0, 0.7);
        near(curve.grown(Time::ZERO, rtt, 2.8, 1.0, 1e9, C), 3.8);
    }

    #[test]
    fn fast_convergence_releases_more_below_the_last_flat() {
        let mut curve = Curve::new();
        curve.reduce(100.0, 0.7);
        curve.reduce(80.0, 0.7);
        near(curve.flat, 68.0);
        curve.reduce(90.0, 0.7);
        near(curve.flat, 90.0);
    }

    #[test]
    fn it_explores_after_twice_k() {
        let mut curve = Curve::new();
        assert!(!curve.is_exploring(Time::from_millis(1000)));
        curve.reduce(100.0, 0.7);
        curve.grown(Time::ZERO, Span::ZERO, 70.0, 1.0, 0.0, C);
        assert!(!curve.is_exploring(Time::from_millis(8_434)));
        assert!(curve.is_exploring(Time::from_millis(8_435)));
        curve.pause();
        assert!(!curve.is_exploring(Time::from_millis(9_000)));
    }

    #[test]
    fn a_restart_forgets_the_last_reduction() {
        let mut curve = Curve::new();
        curve.reduce(100.0, 0.85);
        curve.grown(Time::ZERO, Span::ZERO, 85.0, 1.0, 0.0, C);
        curve.restart();
        let now = Time::from_secs_f64(10.0);
        assert!(!curve.is_exploring(now));
        // The curve begins here, flat at the window, with K = 0 and the beta of CUBIC.
        near(curve.grown(now, Span::ZERO, 50.0, 1.0, 0.0, C), 50.0 + 9.0 / 17.0 / 50.0);
        assert!(curve.is_exploring(now), "from its beginning on");
        let later = Time::from_secs_f64(12.0);
        near(curve.grown(later, Span::ZERO, 50.0, 1.0, 0.0, C), 50.0 + 8.0 * C / 50.0);
    }
}
