//! By how much the round-trip time varies though the sender does nothing about it.

/// Weight of a new step in the mean.
const WEIGHT: f64 = 0.125;

/// The mean step between the least round-trip times of successive rounds.
///
/// Of two successive steps in opposite directions the smaller one counts. A queue that comes or
/// goes makes one large step, and flows that fill and empty one together several in one direction;
/// jitter makes one after another, either way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Jitter {
    low: f64,
    /// The last step, with its direction.
    step: f64,
    mean: f64,
}

impl Jitter {
    pub(super) const fn new() -> Self {
        Jitter { low: f64::INFINITY, step: 0.0, mean: 0.0 }
    }

    /// In seconds.
    pub(super) const fn secs(&self) -> f64 {
        self.mean
    }

    /// A round is over; its least round-trip time, and by how much the sender itself may have
    /// changed that, in seconds.
    pub(super) fn on_low(&mut self, low: f64, own: f64) {
        if !low.is_finite() {
            return self.skip();
        }
        if self.low.is_finite() {
            let change = low - self.low;
            let step = (change.abs() - own).max(0.0).copysign(change);
            let turns = step * self.step < 0.0;
            let counted = if turns { step.abs().min(self.step.abs()) } else { 0.0 };
            self.mean += WEIGHT * (counted - self.mean);
            self.step = step;
        }
        self.low = low;
    }

    /// A round is over in which the sender changed the queue by an unknown amount.
    pub(super) fn skip(&mut self) {
        self.low = f64::INFINITY;
        self.step = 0.0;
    }
}

/// The mean fall of the round-trip time within a round, from its highest so far.
///
/// Packets that follow each other find much the same queue. Jitter lifts one and not the next; on a
/// link that keeps the order, those behind a late one come with it, and each sooner after it was
/// sent. So jitter shows in every round, and however stable the least round-trip time is. Of two
/// successive rounds the smaller fall counts: a queue that empties makes one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Falls {
    last: Option<f64>,
    mean: f64,
    rounds: u32,
}

impl Falls {
    pub(super) const fn new() -> Self {
        Falls { last: None, mean: 0.0, rounds: 0 }
    }

    /// In seconds.
    pub(super) const fn secs(&self) -> f64 {
        self.mean
    }

    /// A round is over in which it fell by `fall` seconds.
    pub(super) fn on_round(&mut self, fall: f64) {
        if let Some(last) = self.last.replace(fall) {
            self.rounds = self.rounds.saturating_add(1);
            self.mean += WEIGHT.max(1.0 / f64::from(self.rounds)) * (fall.min(last) - self.mean);
        }
    }

    /// A round is over in which the sender let the queue fall.
    pub(super) fn skip(&mut self) {
        self.last = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn falls_count_if_the_next_round_has_them_too() {
        let mut falls = Falls::new();
        for fall in [0.008, 0.006, 0.002] {
            falls.on_round(fall);
        }
        assert!((falls.secs() - 0.004).abs() < 1e-12, "the mean of 6 and 2 ms: {falls:?}");
        falls.skip();
        falls.on_round(0.06);
        assert!((falls.secs() - 0.004).abs() < 1e-12, "the first after a gap: {falls:?}");
        falls.on_round(0.001);
        assert!((falls.secs() - 0.003).abs() < 1e-12, "of a queue that emptied: {falls:?}");
        (0..80).for_each(|_| falls.on_round(0.007));
        assert!((falls.secs() - 0.007).abs() < 1e-5, "{falls:?}");
    }

    fn after(lows: impl IntoIterator<Item = f64>) -> Jitter {
        let mut jitter = Jitter::new();
        lows.into_iter().for_each(|low| jitter.on_low(low, 0.0));
        jitter
    }

    #[test]
    fn one_large_step_is_no_jitter() {
        let lows = (0..40).map(|i| if i < 20 { 0.05 } else { 0.08 });
        assert!(after(lows).secs().abs() < 1e-12);
    }

    #[test]
    fn steps_that_follow_each_other_are() {
        let lows = (0..60).map(|i| if i % 2 == 0 { 0.05 } else { 0.058 });
        assert!((after(lows).secs() - 0.008).abs() < 1e-5);
    }

    #[test]
    fn a_queue_that_flows_fill_and_empty_together_is_no_jitter() {
        // Four rounds up by 4 ms each, four down: the largest of eight steps turns.
        let wave = |i: u32| if i % 8 < 4 { i % 8 } else { 8 - i % 8 };
        let lows = (0..400).map(|i| 0.05 + 0.004 * f64::from(wave(i)));
        let found = after(lows).secs();
        assert!((0.000_5..0.001_5).contains(&found), "a quarter of the steps: {found}");
    }

    #[test]
    fn of_a_step_the_senders_own_part_is_left_out() {
        let mut jitter = Jitter::new();
        for i in 0..60 {
            jitter.on_low(if i % 2 == 0 { 0.05 } else { 0.058 }, 0.006);
        }
        assert!((jitter.secs() - 0.002).abs() < 1e-5);
        for i in 0..60 {
            jitter.on_low(if i % 2 == 0 { 0.05 } else { 0.058 }, 0.009);
        }
        assert!(jitter.secs() < 1e-5, "all of it");
    }

    #[test]
    fn a_round_left_out_begins_anew() {
        let mut jitter = after([0.05, 0.06, 0.05]);
        let mean = jitter.secs();
        assert!((mean - 0.00125).abs() < 1e-12, "an eighth of 10 ms: {mean}");
        jitter.skip();
        // The first step after it has none before it to be compared with.
        for low in [0.09, 0.01] {
            jitter.on_low(low, 0.0);
        }
        assert!((jitter.secs() - 0.875 * mean).abs() < 1e-12, "{jitter:?}");
        jitter.on_low(f64::INFINITY, 0.0);
        assert!(jitter.low.is_infinite());
    }
}
