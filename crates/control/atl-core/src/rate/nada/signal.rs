//! The aggregated congestion signal x_curr (RFC 8698, sec. 4.2, eq. 1 and 2). Times are in
//! milliseconds, as there.

use super::Config;
use crate::rate::Lost;

/// TFRC's weights, the newest interval first (RFC 5348, sec. 5.4).
const WEIGHTS: [f64; 8] = [1.0, 1.0, 1.0, 1.0, 0.8, 0.6, 0.4, 0.2];

/// RFC 8698, eq. 1: the longer a queueing delay above QTH, the less it counts, so that a flow is
/// not starved by senders that fill a shared queue.
pub(super) fn warped(config: &Config, queueing: f64) -> f64 {
    if queueing < config.qth {
        return queueing;
    }
    config.qth * libm::exp(-config.lambda * (queueing - config.qth) / config.qth)
}

/// Intervals from loss to loss, in packets.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LossIntervals {
    /// The last closed intervals, the newest first.
    closed: [f64; 8],
    count: usize,
    /// The last lost packet.
    last: Option<u64>,
    /// Highest number with known fate.
    highest: u64,
}

impl LossIntervals {
    /// Notes the arrival of a packet with this number.
    #[inline]
    pub(super) fn on_arrived(&mut self, seq: u64) {
        self.highest = self.highest.max(seq);
    }

    /// A packet was lost; consecutive lost packets are one loss.
    pub(super) fn on_lost(&mut self, lost: &Lost) {
        let before = self.last.map_or(0, |last| last.saturating_add(1));
        if lost.seq < before {
            return;
        }
        if self.last.is_none() || lost.seq > before {
            self.closed.rotate_right(1);
            // The lost packet itself belongs to the interval that it closes.
            self.closed[0] = (lost.seq - before) as f64 + 1.0;
            self.count = (self.count + 1).min(self.closed.len());
        }
        self.last = Some(lost.seq);
    }

    /// Packets since the last loss.
    fn open(&self) -> f64 {
        self.last.map_or(0.0, |last| self.highest.saturating_sub(last) as f64)
    }

    /// loss_int, the average interval, weighted as in TFRC but over closed intervals only: with the
    /// open one, which weighs at least a sixth, no loss would ever expire. `None` before the first
    /// loss.
    fn average(&self) -> Option<f64> {
        let closed = &self.closed[..self.count];
        let total: f64 = WEIGHTS[..self.count].iter().sum();
        let sum: f64 = closed.iter().zip(WEIGHTS).map(|(interval, weight)| interval * weight).sum();
        (self.count > 0).then(|| sum / total)
    }

    /// Progress of the last loss's expiry: 0 while delays are warped, 1 when they are not, and in
    /// between over the length of one average interval.
    pub(super) fn expired(&self, multiloss: f64) -> f64 {
        match self.average() {
            None => 1.0,
            // An average is at least a packet long.
            Some(average) => {
                ((self.open() - multiloss * average) / average.max(1.0)).clamp(0.0, 1.0)
            }
        }
    }
}

/// x_curr in milliseconds, from a queueing delay in milliseconds and the smoothed shares of losses
/// and of marks.
pub(super) fn congestion(
    config: &Config,
    queueing: f64,
    losses: &LossIntervals,
    (loss, mark): (f64, f64),
) -> f64 {
    let plain = losses.expired(config.multiloss);
    let delay = plain * queueing + (1.0 - plain) * warped(config, queueing);
    let (lost, marked) = (loss / config.plrref, mark / config.pmrref);
    (delay + config.dmark * marked * marked + config.dloss * lost * lost).min(config.xmax)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Time;

    fn lost(seq: u64) -> Lost {
        Lost::new(seq, Time::ZERO)
    }

    fn near(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-9, "{a} is not {b}");
    }

    #[test]
    fn delays_are_warped_from_the_threshold_on() {
        let config = Config::default();
        for (queueing, expected) in [(0.0, 0.0), (49.0, 49.0), (50.0, 50.0)] {
            near(warped(&config, queueing), expected);
        }
        near(warped(&config, 150.0), 50.0 * (-1.0f64).exp());
        near(warped(&config, 450.0), 50.0 * (-4.0f64).exp());
    }

    #[test]
    fn losses_in_a_row_are_one() {
        let mut intervals = LossIntervals::default();
        assert_eq!(intervals.average(), None);
        for seq in [99, 100, 101, 202] {
            intervals.on_lost(&lost(seq));
        }
        // 100 packets to 99, and 101 from 102 to 202.
        assert_eq!((intervals.count, intervals.closed[0], intervals.closed[1]), (2, 101.0, 100.0));
        near(intervals.average().expect("lost"), 100.5);
        // Neither old losses nor repeated ones count.
        intervals.on_lost(&lost(150));
        intervals.on_lost(&lost(202));
        assert_eq!(intervals.count, 2);
        // The open interval does not count.
        intervals.on_arrived(504);
        near(intervals.average().expect("lost"), 100.5);
    }

    #[test]
    fn the_eighth_interval_weighs_a_fifth() {
        let mut intervals = LossIntervals::default();
        let mut seq = 0;
        for length in [1000, 10, 10, 10, 10, 10, 10, 10] {
            seq += length;
            intervals.on_lost(&lost(seq - 1));
        }
        // (4 + 0.8 + 0.6 + 0.4) 10 + 0.2 * 1000, over 6.
        near(intervals.average().expect("lost"), (5.8 * 10.0 + 200.0) / 6.0);
    }

    #[test]
    fn a_loss_expires_over_one_interval_after_seven() {
        let mut intervals = LossIntervals::default();
        near(intervals.expired(7.0), 1.0);
        for seq in [99, 199, 299, 399, 499, 599, 699, 799, 899] {
            intervals.on_lost(&lost(seq));
        }
        for (open, expected) in [(0, 0.0), (700, 0.0), (725, 0.25), (800, 1.0), (5000, 1.0)] {
            intervals.on_arrived(899 + open);
            near(intervals.expired(7.0), expected);
        }
    }

    #[test]
    fn a_percent_of_loss_weighs_as_ten_milliseconds_and_two_as_forty() {
        let (config, none) = (Config::default(), LossIntervals::default());
        let x = |queueing, loss, mark| congestion(&config, queueing, &none, (loss, mark));
        near(x(5.0, 0.0, 0.0), 5.0);
        near(x(5.0, 0.01, 0.0), 15.0);
        near(x(5.0, 0.02, 0.0), 45.0);
        near(x(5.0, 0.5, 0.0), 500.0);
        // Without a loss no delay is warped.
        near(x(150.0, 0.0, 0.0), 150.0);
    }

    /// rfc8698 4.2: A share of PMRREF (1 %) of marked packets counts as DMARK (2 ms) of delay, and
    /// the penalty grows with the square of the share.
    #[test]
    fn a_percent_of_marks_weighs_as_two_milliseconds() {
        let (config, none) = (Config::default(), LossIntervals::default());
        near(congestion(&config, 5.0, &none, (0.0, 0.01)), 7.0);
        near(congestion(&config, 5.0, &none, (0.0, 0.03)), 23.0);
        near(congestion(&config, 5.0, &none, (0.01, 0.01)), 17.0);
        near(congestion(&config, 5.0, &none, (0.0, 1.0)), 500.0);
    }

    /// Packet 0 is an interval of one packet, where it is the first loss.
    #[test]
    fn the_loss_of_the_first_packet_closes_an_interval() {
        let mut intervals = LossIntervals::default();
        intervals.on_lost(&lost(0));
        intervals.on_lost(&lost(0));
        assert_eq!((intervals.count, intervals.average()), (1, Some(1.0)));
        // 1 follows it at once.
        intervals.on_lost(&lost(1));
        assert_eq!((intervals.count, intervals.average()), (1, Some(1.0)));
    }
}
