//! Loss events, the intervals between them, and their weighted average (RFC 5348, sec. 5.2 to 5.5).
//!
//! Left open by the RFC, and chosen:
//! - The general discount factor is worked out when it is asked for, not "on every packet arrival":
//!   it follows from I_0 and the closed intervals alone. What goes into the discount array at a new
//!   loss event is that of the closed interval, S_B - S_A, without the packets by which the loss
//!   was found out.
//! - Sums over n stand for sums over as many intervals as there are, as sec. 5.4 has it.

use super::config::{Config, MOST_INTERVALS};
use crate::time::{Span, Time};

/// w_i of sec. 5.4: 1 for the newer half of `n` intervals, then falling to 2 / (n + 2).
pub fn weight(i: usize, n: usize) -> f64 {
    if 2 * i < n { 1.0 } else { 2.0 * (n.saturating_sub(i)) as f64 / (n + 2) as f64 }
}

/// A closed loss interval.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Closed {
    /// I_i, its length in packets.
    packets: f64,
    /// DF_i, its discount factor.
    discount: f64,
}

/// The current loss event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Event {
    /// S_A: the first lost packet.
    pub seq: u64,
    /// T_old: the time at which it would have arrived.
    pub at: Time,
}

/// The last n loss intervals and the current one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LossIntervals {
    n: usize,
    discounting: bool,
    least_discount: f64,
    weights: [f64; MOST_INTERVALS],
    /// Closed intervals, I_1 first.
    closed: [Closed; MOST_INTERVALS],
    /// k: the number of closed intervals in use.
    k: usize,
    event: Option<Event>,
}

impl LossIntervals {
    /// Intervals of a flow without losses, by parameters that are in their ranges.
    pub(super) fn new(config: &Config) -> Self {
        let n = config.intervals as usize;
        LossIntervals {
            n,
            discounting: config.history_discounting,
            least_discount: config.least_discount,
            weights: core::array::from_fn(|i| weight(i, n)),
            closed: [Closed::default(); MOST_INTERVALS],
            k: 0,
            event: None,
        }
    }

    /// The number of intervals that are averaged.
    pub(super) fn n(&self) -> usize {
        self.n
    }

    /// The current loss event.
    pub(super) fn event(&self) -> Option<Event> {
        self.event
    }

    /// "If T_old + R >= T_new, then S_new is part of the existing loss event" (sec. 5.2): true of a
    /// loss after that. Before an R is known all losses are of one event (chosen).
    pub(super) fn is_new(&self, at: Time, rtt: Span) -> bool {
        match self.event {
            None => true,
            Some(event) => !rtt.is_zero() && at > event.at.saturating_add(rtt),
        }
    }

    /// A loss event begins. The first one closes an interval of `first` packets, at least 1 (sec.
    /// 6.3.1), a later one that of the packets since the event before.
    pub(super) fn begin(&mut self, event: Event, first: f64) {
        let (length, discount) = match self.event {
            None => (first, 1.0),
            Some(old) => {
                let length = event.seq.saturating_sub(old.seq) as f64;
                (length, self.discount(length))
            }
        };
        self.event = Some(event);
        for closed in &mut self.closed[..self.k] {
            closed.discount *= discount;
        }
        self.closed.copy_within(0..MOST_INTERVALS - 1, 1);
        self.k = (self.k + 1).min(self.n);
        self.closed[0] = Closed { packets: length.max(1.0), discount: 1.0 };
    }

    /// I_tot1 and W_tot1: the closed intervals alone.
    fn closed_sums(&self) -> (f64, f64) {
        let mut sums = (0.0, 0.0);
        for (closed, w) in self.closed[..self.k].iter().zip(&self.weights) {
            let w = w * closed.discount;
            sums.0 += closed.packets * w;
            sums.1 += w;
        }
        sums
    }

    /// DF while the current interval has `length` packets.
    fn discount(&self, length: f64) -> f64 {
        let (packets, weights) = self.closed_sums();
        self.discount_of(length, packets / weights)
    }

    /// The same, where the mean of the closed intervals is known. NaN of no interval gives 1.
    fn discount_of(&self, length: f64, mean: f64) -> f64 {
        if self.discounting && length > 2.0 * mean {
            (2.0 * mean / length).max(self.least_discount)
        } else {
            1.0
        }
    }

    /// p, the loss event rate, where `highest` is the highest number that has arrived: "p =
    /// min(W_tot0/I_tot0, W_tot1/I_tot1)", from 0 to 1. Zero before the first loss.
    pub(super) fn loss_event_rate(&self, highest: u64) -> f64 {
        let Some(event) = self.event else {
            return 0.0;
        };
        let current = highest.saturating_sub(event.seq) as f64 + 1.0;
        let (packets1, weights1) = self.closed_sums();
        let discount = self.discount_of(current, packets1 / weights1);
        // The newest interval weighs 1.
        let (mut packets0, mut weights0) = (current, 1.0);
        // I_1 to I_(k-1): all closed ones but the last.
        let older = &self.closed[..self.k.saturating_sub(1)];
        for (closed, w) in older.iter().zip(&self.weights[1..]) {
            let w = w * closed.discount * discount;
            packets0 += closed.packets * w;
            weights0 += w;
        }
        // No interval is shorter than a packet, so that neither is above 1.
        (weights0 / packets0).min(weights1 / packets1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(seq: u64) -> Event {
        Event { seq, at: Time::from_nanos(seq.saturating_mul(1_000_000)) }
    }

    /// Closed intervals of these lengths, the oldest first, which is the synthetic one.
    fn intervals(discounting: bool, lengths: &[u64]) -> (LossIntervals, u64) {
        let config = Config { history_discounting: discounting, ..Config::default() };
        let mut found = LossIntervals::new(&config);
        let mut seq = 1000;
        found.begin(event(seq), lengths[0] as f64);
        for length in &lengths[1..] {
            seq += length;
            found.begin(event(seq), f64::NAN);
        }
        (found, seq)
    }

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-12, "{found} {expected}");
    }

    /// "If n=8, the values of w_0 to w_7 are: 1.0, 1.0, 1.0, 1.0, 0.8, 0.6, 0.4, 0.2."
    #[test]
    fn weights_are_those_of_the_rfc() {
        for (i, expected) in [1.0, 1.0, 1.0, 1.0, 0.8, 0.6, 0.4, 0.2].into_iter().enumerate() {
            near(weight(i, 8), expected);
        }
        near(weight(8, 8), 0.0);
    }

    #[test]
    fn no_loss_is_a_rate_of_zero() {
        near(LossIntervals::new(&Config::default()).loss_event_rate(10_000), 0.0);
    }

    /// I_8 ... I_1 = 80, 70, ..., 10. I_tot1 = 10 + 20 + 30 + 40 + 0.8 50 + 0.6 60 + 0.4 70 + 0.2
    /// 80 = 220 over W_tot = 6: mean 36.667. I_tot0 with I_0 = 1: 1 + 10 + 20 + 30 + 0.8 40 + 0.6
    /// 50 + 0.4 60 + 0.2 70 = 161.
    #[test]
    fn the_average_of_eight_intervals_is_the_one_worked_by_hand() {
        let (found, seq) = intervals(false, &[80, 70, 60, 50, 40, 30, 20, 10]);
        near(found.loss_event_rate(seq), 6.0 / 220.0);
        // "We only include the current loss interval if it is sufficiently large to increase the
        // average": from I_0 = 60 on I_tot0 = I_0 + 160 is the larger.
        near(found.loss_event_rate(seq + 59), 6.0 / 220.0);
        near(found.loss_event_rate(seq + 60), 6.0 / 221.0);
        near(found.loss_event_rate(seq + 999), 6.0 / 1160.0);
    }

    /// A ninth event: I_8 = 80 is forgotten.
    #[test]
    fn the_oldest_interval_is_forgotten() {
        let (found, seq) = intervals(false, &[80, 70, 60, 50, 40, 30, 20, 10, 100]);
        let total = 100.0 + 10.0 + 20.0 + 30.0 + 0.8 * 40.0 + 0.6 * 50.0 + 0.4 * 60.0 + 0.2 * 70.0;
        near(found.loss_event_rate(seq), 6.0 / total);
    }

    /// "Otherwise, k is the maximum number of loss intervals seen so far": two closed ones, W_tot =
    /// 2.
    #[test]
    fn fewer_intervals_than_n_are_averaged_over_their_number() {
        let (found, seq) = intervals(false, &[50, 30]);
        near(found.loss_event_rate(seq), 2.0 / 80.0);
        // I_0 = 70: 70 + 30.
        near(found.loss_event_rate(seq + 69), 2.0 / 100.0);
        let (one, seq) = intervals(false, &[40]);
        near(one.loss_event_rate(seq), 1.0 / 40.0);
        near(one.loss_event_rate(seq + 79), 1.0 / 80.0);
    }

    /// Eight intervals of 100, I_0 = 400: DF = 2 100 / 400 = 0.5. I_tot0 = 400 + 0.5 100
    /// (1+1+1+.8+.6+.4+.2) = 650, W_tot0 = 1 + 0.5 5 = 3.5: mean 185.71; without discounting it
    /// were (400 + 500) / 6 = 150.
    #[test]
    fn a_long_interval_discounts_the_older_ones() {
        let (plain, seq) = intervals(false, &[100; 8]);
        near(plain.loss_event_rate(seq + 399), 6.0 / 900.0);
        let (found, seq) = intervals(true, &[100; 8]);
        near(found.loss_event_rate(seq + 399), 3.5 / 650.0);
        // "If I_0 is greater than twice I_mean": not at 200.
        near(found.loss_event_rate(seq + 199), 6.0 / 700.0);
        // DF = 2 100 / 2000 = 0.1 is below THRESHOLD, 0.25: I_tot0 = 2000 + 125, W_tot0 = 1 + 1.25.
        near(found.loss_event_rate(seq + 1999), 2.25 / 2125.0);
    }

    /// The same, and then a loss: "The previous discount factor DF has to be incorporated into the
    /// discount array." I_1 = 400 at weight 1, seven of 100 at 0.5: I_tot1 = 400 + 0.5 100 5 = 650,
    /// W_tot1 = 3.5. Another of 100: I_1 = 100, I_2 = 400, six of 100 at 0.5 and weights 1, 1, .8,
    /// .6, .4, .2: 500 + 0.5 100 4 = 700 over 4.
    #[test]
    fn what_was_discounted_stays_discounted() {
        let (found, seq) = intervals(true, &[100, 100, 100, 100, 100, 100, 100, 100, 400]);
        near(found.loss_event_rate(seq), 3.5 / 650.0);
        let (found, seq) = intervals(true, &[100, 100, 100, 100, 100, 100, 100, 100, 400, 100]);
        near(found.loss_event_rate(seq), 4.0 / 700.0);
    }

    #[test]
    fn losses_within_a_round_trip_are_one_event() {
        let rtt = Span::from_millis(100);
        let (found, seq) = intervals(true, &[50]);
        let at = |ms| Time::from_millis(seq + ms);
        // "If T_old + R >= T_new, then S_new is part of the existing loss event."
        assert!(!found.is_new(at(100), rtt));
        assert!(found.is_new(at(101), rtt));
        assert!(!found.is_new(at(1_000_000), Span::ZERO));
        assert!(LossIntervals::new(&Config::default()).is_new(Time::ZERO, Span::ZERO));
    }

    #[test]
    fn numbers_that_go_back_leave_the_rate_in_its_range() {
        let mut found = LossIntervals::new(&Config::default());
        for seq in [u64::MAX, 0, 5, 5, u64::MAX, 1] {
            found.begin(event(seq), 1e300);
            for highest in [0, 7, u64::MAX] {
                let p = found.loss_event_rate(highest);
                assert!((0.0..=1.0).contains(&p), "{p}");
            }
        }
        let mut first = LossIntervals::new(&Config::default());
        first.begin(event(3), f64::NAN);
        assert!((0.0..=1.0).contains(&first.loss_event_rate(3)));
    }

    /// Two events of one packet: I_2 = 10, I_1 = 1, and I_0 = 1. I_tot0 = 1 + 1 is the smaller.
    #[test]
    fn no_interval_is_shorter_than_a_packet() {
        let mut found = LossIntervals::new(&Config::default());
        found.begin(event(5), 10.0);
        found.begin(event(5), f64::NAN);
        near(found.loss_event_rate(5), 2.0 / 11.0);
        let mut unknown = LossIntervals::new(&Config::default());
        unknown.begin(event(5), f64::NAN);
        near(unknown.loss_event_rate(5), 1.0);
    }
}
