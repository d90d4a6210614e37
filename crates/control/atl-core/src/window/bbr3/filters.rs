//! Windowed maxima.

/// Rounds that the filter of aggregation remembers, the one under way included, once the pipe was
/// full (BBR.ExtraAckedFilterLen and it), and before.
const ROUNDS: usize = 11;
const STARTING_ROUNDS: usize = 2;

/// BBR.max_bw_filter: the largest delivery rate of this cycle of probing and of the one before
/// (BBR.MaxBwFilterLen), in packets per second.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MaxBandwidth {
    before: f64,
    now: f64,
}

impl MaxBandwidth {
    pub(super) fn get(&self) -> f64 {
        self.before.max(self.now)
    }

    pub(super) fn update(&mut self, rate: f64) {
        self.now = self.now.max(rate);
    }

    /// A cycle is over. One without a rate does not count: the estimate would be lost.
    pub(super) fn advance(&mut self) {
        if self.now > 0.0 {
            self.before = self.now;
            self.now = 0.0;
        }
    }
}

/// BBR.extra_acked_filter: packets that arrived beyond those expected, by round.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ExtraAcked {
    rounds: [f64; ROUNDS],
    at: usize,
    /// The largest of all rounds but the one under way and the one before; and that of the one
    /// before.
    older: f64,
    last: f64,
}

impl ExtraAcked {
    pub(super) fn on_round(&mut self) {
        self.last = self.rounds[self.at];
        self.at = (self.at + 1) % ROUNDS;
        self.rounds[self.at] = 0.0;
        self.older = self.rounds.iter().copied().fold(0.0, f64::max);
    }

    pub(super) fn update(&mut self, packets: f64) {
        self.rounds[self.at] = self.rounds[self.at].max(packets);
    }

    /// The maximum; `starting`: only of the last rounds.
    pub(super) fn get(&self, starting: bool) -> f64 {
        const { assert!(STARTING_ROUNDS == 2) };
        let recent = self.rounds[self.at].max(self.last);
        if starting { recent } else { recent.max(self.older) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-12, "{found} instead of {expected}");
    }

    #[test]
    fn the_largest_rate_lasts_for_this_cycle_and_the_next() {
        let mut filter = MaxBandwidth::default();
        filter.update(100.0);
        filter.update(80.0);
        is(filter.get(), 100.0);
        filter.advance();
        filter.update(70.0);
        is(filter.get(), 100.0);
        filter.advance();
        is(filter.get(), 70.0);
        filter.advance();
        is(filter.get(), 70.0);
    }

    #[test]
    fn aggregation_is_remembered_for_ten_rounds_more() {
        let mut filter = ExtraAcked::default();
        filter.update(5.0);
        filter.on_round();
        is(filter.get(true), 5.0);
        filter.update(2.0);
        filter.on_round();
        is(filter.get(true), 2.0);
        is(filter.get(false), 5.0);
        for _ in 2..10 {
            filter.on_round();
        }
        is(filter.get(false), 5.0);
        filter.on_round();
        is(filter.get(false), 2.0);
    }

    #[test]
    fn aggregation_of_less_than_a_packet_is_no_more() {
        let mut filter = ExtraAcked::default();
        filter.update(0.25);
        for _ in 0..2 {
            filter.on_round();
        }
        is(filter.get(true), 0.0);
        is(filter.get(false), 0.25);
    }
}
