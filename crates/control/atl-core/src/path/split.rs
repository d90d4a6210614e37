//! The split of the end-to-end loss and round-trip time into a wireless part and a congestion part.
//!
//! Source: ATL paper, eq. 2-6 (one wireless link) and 14-17 (one at each end).
//!
//! Left open by the source, and chosen (docs/protocols/atl.md):
//! - p and p_w are capped at [`MAX_LOSS`]: at p_w = 1 eq. 5 is 0/0.
//! - Measured p_c is at least 1/(n+1), n the packets in the window: n packets without a loss do not
//!   show that the loss is zero, and p and p_w come from samples, so that raw p_c is often
//!   negative. p is then computed again from p_w and p_c (eq. 2): left at 0 it would give alpha =
//!   0.
//! - R_c has a floor: R - 2 d_w of measured values can be zero or less.

use super::LinkReport;
use crate::time::Span;
use crate::units::Probability;

/// Largest loss passed to a model.
pub const MAX_LOSS: f64 = 0.99;

/// Default floor of R_c: a millisecond, about the shortest wide-area round trip.
pub const MIN_CONGESTION_RTT: Span = Span::from_millis(1);

/// The end-to-end loss and round-trip time, in two parts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathSplit {
    /// p: the end-to-end loss, consistent with the parts (ATL paper, eq. 2), at most [`MAX_LOSS`].
    pub loss: Probability,
    /// R: the end-to-end round-trip time.
    pub rtt: Span,
    /// The wireless part: p_w and d_w, of both links where there are two.
    pub wireless: LinkReport,
    /// p_c: loss to congestion.
    pub congestion_loss: Probability,
    /// R_c: round-trip time without the wireless delay.
    pub congestion_rtt: Span,
}

/// Limits on a split's trust in its inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SplitRules {
    /// n: packets over which p was measured; `None` for a p that is known exactly.
    pub packets: Option<u64>,
    /// Lower bound of R_c.
    pub rtt_floor: Span,
}

impl Default for SplitRules {
    /// For inputs that are known exactly.
    fn default() -> Self {
        SplitRules { packets: None, rtt_floor: MIN_CONGESTION_RTT }
    }
}

impl PathSplit {
    /// Splits measured p and R, given the wireless part (ATL paper, eq. 5, 6, 16, 17).
    pub fn new(loss: Probability, rtt: Span, wireless: LinkReport, rules: SplitRules) -> Self {
        let p = loss.get().min(MAX_LOSS);
        let p_w = wireless.loss.get().min(MAX_LOSS);
        let floor = rules.packets.map_or(0.0, |n| 1.0 / (n as f64 + 1.0));
        let p_c = ((p - p_w) / (1.0 - p_w)).max(floor);
        let congestion_rtt = rtt
            .saturating_sub(wireless.delay)
            .saturating_sub(wireless.delay)
            .max(rules.rtt_floor.min(rtt));
        let wireless = LinkReport { loss: Probability::clamped(p_w), ..wireless };
        PathSplit::from_parts(Probability::clamped(p_c), congestion_rtt, rtt, wireless)
    }

    /// A split whose congestion part is known: p follows from the ATL paper's eq. 2. Used just
    /// after a handoff, when the wireless link is a new one and the wired path is still the one
    /// that was measured.
    pub fn from_parts(
        congestion_loss: Probability,
        congestion_rtt: Span,
        rtt: Span,
        wireless: LinkReport,
    ) -> Self {
        let congestion_loss = Probability::clamped(congestion_loss.get().min(MAX_LOSS));
        // 1 - (1 - a)(1 - b) as a + b - ab: exact where one of them is 0.
        let (a, b) = (wireless.loss.get(), congestion_loss.get());
        let loss = Probability::clamped((a + b - a * b).min(MAX_LOSS));
        PathSplit { loss, rtt, wireless, congestion_loss, congestion_rtt }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(loss: f64, ms: u64) -> LinkReport {
        LinkReport { loss: Probability::clamped(loss), delay: Span::from_millis(ms) }
    }

    #[test]
    fn splits_one_link_by_eq_5_and_6() {
        let rtt = Span::from_millis(360);
        let p = Probability::clamped(0.02);
        let split = PathSplit::new(p, rtt, report(0.01, 150), SplitRules::default());
        // (0.02 - 0.01) / 0.99
        assert!((split.congestion_loss.get() - 0.010_101_010_101_010_1).abs() < 1e-15);
        assert_eq!(split.congestion_rtt, Span::from_millis(60));
        assert!((split.loss.get() - 0.02).abs() < 1e-15);
    }

    #[test]
    fn splits_two_links_by_eq_16_and_17() {
        let both = report(0.01, 50).and(report(0.001, 10));
        let rtt = Span::from_millis(200);
        let split = PathSplit::new(Probability::clamped(0.03), rtt, both, SplitRules::default());
        // 1 - 0.97 / (0.99 * 0.999) = 0.0192212313...
        assert!((split.congestion_loss.get() - (1.0 - 0.97 / (0.99 * 0.999))).abs() < 1e-14);
        assert_eq!(split.congestion_rtt, Span::from_millis(80));
    }

    #[test]
    fn measured_loss_below_the_links_own_leaves_the_floor_and_a_consistent_p() {
        let rules = SplitRules { packets: Some(99), ..SplitRules::default() };
        let rtt = Span::from_millis(100);
        let split = PathSplit::new(Probability::clamped(0.01), rtt, report(0.05, 10), rules);
        assert!((split.congestion_loss.get() - 0.01).abs() < 1e-15);
        assert!((split.loss.get() - (1.0 - 0.95 * 0.99)).abs() < 1e-12);
    }

    #[test]
    fn a_dead_link_and_a_delay_beyond_the_rtt_stay_in_bounds() {
        let rtt = Span::from_millis(10);
        let split = PathSplit::new(Probability::ONE, rtt, report(1.0, 500), SplitRules::default());
        assert!(split.loss.get() <= MAX_LOSS);
        assert_eq!(split.congestion_rtt, MIN_CONGESTION_RTT);
    }
}
