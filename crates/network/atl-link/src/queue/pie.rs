//! PIE: arrivals are dropped or marked at random, with a probability that a proportional-integral
//! controller moves until packets wait for a target time (RFC 8033).
//!
//! The RFC's appendix A is followed, with the de-randomisation of its section 5.4 and the cap of
//! 5.5, and Linux's faster growth above 250 ms. The queueing delay is that of the last packet that
//! left, by its own time in the queue (section 4.3; Linux's default), not by an estimate of the
//! departure rate.

use atl_core::time::{Span, Time};

use super::drop_tail::DropTail;
use super::updates::Updates;
use crate::discipline::{BuildDiscipline, QueueDiscipline};
use crate::limit::Limit;
use crate::packet::Packet as _;
use crate::queued::Queued;
use crate::random::Stream;

/// Proportional integral controller enhanced (Pan and others, RFC 8033, 2017).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pie {
    /// The queueing delay aimed at (RFC 8033, section 4.2: QDELAY_REF, 15 ms).
    pub target: Span,
    /// Time between two updates of the probability (RFC 8033, section 4.2: T_UPDATE, 15 ms).
    pub update: Span,
    /// After a time without congestion nothing is dropped for this long (RFC 8033, section 4.4:
    /// MAX_BURST, 150 ms).
    pub max_burst: Span,
    /// Weight of the distance from the target, per second of it (RFC 8033, section 6: 0.125 Hz).
    pub alpha: f64,
    /// Weight of the change since the last update (RFC 8033, section 6: 1.25 Hz).
    pub beta: f64,
    /// ECN-capable packets are marked instead of dropped while the probability is below
    /// [`mark_up_to`](Self::mark_up_to).
    pub ecn: bool,
    /// Above this probability ECN-capable packets are dropped too (RFC 8033, section 5.1: 10 %).
    pub mark_up_to: f64,
    /// Length of a mean packet in bytes: nothing is dropped from a queue of two or less (RFC 8033,
    /// section 4.1, MEAN_PKTSIZE).
    pub mean_packet: u32,
}

impl Default for Pie {
    fn default() -> Self {
        Pie {
            target: Span::from_millis(15),
            update: Span::from_millis(15),
            max_burst: Span::from_millis(150),
            alpha: 0.125,
            beta: 1.25,
            ecn: true,
            mark_up_to: 0.1,
            mean_packet: 1000,
        }
    }
}

impl BuildDiscipline for Pie {
    fn check(&self) -> Result<(), &'static str> {
        if self.target.is_zero() || self.update.is_zero() {
            return Err("`target` and `update` must be above 0");
        }
        if !(self.alpha.is_finite() && self.alpha >= 0.0) {
            return Err("`alpha` must not be negative");
        }
        if !(self.beta.is_finite() && self.beta >= 0.0) {
            return Err("`beta` must not be negative");
        }
        if !(0.0..=1.0).contains(&self.mark_up_to) {
            return Err("`mark-up-to` must be from 0 to 1");
        }
        Ok(())
    }

    /// Linux's 1000 packets.
    fn usual_limit(&self) -> Option<Limit> {
        Some(Limit::Packets(1000))
    }

    fn build(&self, limit: Limit, stream: Stream) -> Box<dyn QueueDiscipline + Send> {
        Box::new(PieQueue {
            config: *self,
            fifo: DropTail::new(limit),
            stream,
            updates: Updates::new(self.update),
            delay: Span::ZERO,
            old_delay: Span::ZERO,
            burst_left: self.max_burst,
            probability: 0.0,
            sum: 0.0,
        })
    }
}

#[derive(Debug)]
struct PieQueue {
    config: Pie,
    fifo: DropTail,
    stream: Stream,
    updates: Updates,
    /// The RFC's `current_qdelay_`.
    delay: Span,
    /// At the last update.
    old_delay: Span,
    burst_left: Span,
    probability: f64,
    /// Of the probabilities of arrivals since the last drop (RFC 8033, section 5.4, `accu_prob_`).
    sum: f64,
}

/// Below the first number the step is divided by the second (RFC 8033, section 4.2).
const TUNING: [(f64, f64); 6] = [
    (0.000_001, 2048.0),
    (0.000_01, 512.0),
    (0.000_1, 128.0),
    (0.001, 32.0),
    (0.01, 8.0),
    (0.1, 2.0),
];
/// From a probability of a tenth on it grows by this at most per update (RFC 8033, section 5.5).
const MOST_STEP: f64 = 0.02;
/// Above this delay it grows by `MOST_STEP` more (Linux).
const LONG: Span = Span::from_millis(250);
/// The probability is multiplied by this per update without any queue (RFC 8033, section 4.2).
const DECAY: f64 = 0.98;
/// Arrivals are dropped from a sum of probabilities of the first on, and for sure from the second
/// on (RFC 8033, section 5.4).
const SUMS: (f64, f64) = (0.85, 8.5);

impl PieQueue {
    /// The updates due by `now`. Nothing has entered or left since the last call, so they find the
    /// queue as it is.
    fn catch_up(&mut self, now: Time) {
        while self.updates.next(now).is_some() {
            self.update();
            if self.is_at_rest() {
                self.updates.skip(now);
            }
        }
    }

    fn is_at_rest(&self) -> bool {
        self.probability <= 0.0 && self.delay.is_zero() && self.old_delay.is_zero()
    }

    /// RFC 8033, section 4.2 and appendix A, `calculate_drop_prob`.
    fn update(&mut self) {
        let Pie { target, alpha, beta, max_burst, update, .. } = self.config;
        let (delay, old, target_s) = (self.delay.secs(), self.old_delay.secs(), target.secs());
        let mut step = alpha * (delay - target_s) + beta * (delay - old);
        if let Some((_, divisor)) = TUNING.iter().find(|(below, _)| self.probability < *below) {
            step /= divisor;
        } else {
            step = step.min(MOST_STEP);
        }
        if self.delay > LONG {
            step += MOST_STEP;
        }
        self.probability += step;
        if self.delay.is_zero() && self.old_delay.is_zero() {
            self.probability *= DECAY;
        }
        self.probability = self.probability.clamp(0.0, 1.0);
        self.burst_left = self.burst_left.saturating_sub(update);
        let calm = self.delay < target / 2 && self.old_delay < target / 2;
        if calm && self.probability <= 0.0 {
            self.burst_left = max_burst;
        }
        self.old_delay = self.delay;
    }

    /// True if an arrival is to be dropped or marked (RFC 8033, section 4.1 and 5.4,
    /// `drop_early`).
    fn strikes(&mut self) -> bool {
        let Pie { target, mean_packet, .. } = self.config;
        let short = self.old_delay < target / 2 && self.probability < 0.2;
        let bytes = QueueDiscipline::bytes(&self.fifo);
        if !self.burst_left.is_zero() || short || bytes <= 2 * u64::from(mean_packet) {
            return false;
        }
        if self.probability <= 0.0 {
            self.sum = 0.0;
        }
        self.sum += self.probability;
        let strikes =
            self.sum >= SUMS.0 && (self.sum >= SUMS.1 || self.stream.chance(self.probability));
        if strikes {
            self.sum = 0.0;
        }
        strikes
    }
}

impl QueueDiscipline for PieQueue {
    fn enqueue(&mut self, now: Time, mut packet: Queued, dropped: &mut Vec<Queued>) {
        self.catch_up(now);
        let bytes = QueueDiscipline::bytes(&self.fifo) + u64::from(packet.wire_bytes());
        // An arrival that finds the queue full draws no random number.
        if self.fifo.fits(bytes) && self.strikes() {
            let marks = self.config.ecn
                && packet.ecn().is_capable()
                && self.probability < self.config.mark_up_to;
            if !marks {
                return dropped.push(packet);
            }
            packet.mark();
        }
        if let Err(packet) = self.fifo.push(packet) {
            self.sum = 0.0;
            dropped.push(packet);
        }
    }

    fn dequeue(&mut self, now: Time, _dropped: &mut Vec<Queued>) -> Option<Queued> {
        self.catch_up(now);
        let packet = self.fifo.pop()?;
        self.delay = if self.fifo.is_empty() { Span::ZERO } else { packet.sojourn(now) };
        Some(packet)
    }

    fn len(&self) -> usize {
        self.fifo.len()
    }

    fn bytes(&self) -> u64 {
        QueueDiscipline::bytes(&self.fifo)
    }

    fn on_bypass(&mut self, now: Time, _idle: Span) {
        self.catch_up(now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queue() -> PieQueue {
        let (config, limit) = (Pie::default(), Limit::Packets(1000));
        PieQueue {
            config,
            fifo: DropTail::new(limit),
            stream: Stream::new(1, "pie"),
            updates: Updates::new(config.update),
            delay: Span::ZERO,
            old_delay: Span::ZERO,
            burst_left: Span::ZERO,
            probability: 0.0,
            sum: 0.0,
        }
    }

    /// The probability after an update.
    fn updated(probability: f64, old_ms: u64, delay_ms: u64) -> f64 {
        let [old_delay, delay] = [old_ms, delay_ms].map(Span::from_millis);
        let mut pie = PieQueue { probability, old_delay, delay, ..queue() };
        pie.update();
        assert_eq!(pie.old_delay, delay);
        pie.probability
    }

    /// rfc8033 4.2: The probability moves by alpha (delay - target) + beta (delay - old delay) in
    /// each update, divided by 2048 below 1e-6, by 512 below 1e-5, 128 below 1e-4, 32 below .001,
    /// 8 below .01 and 2 below .1.
    /// rfc8033 4.2: Without any delay twice in a row it also decays by 2 %.
    /// rfc8033 5.5: From a probability of 10 % on it grows by 2 % at most per update.
    /// Deviation: by 2 % more where the delay is above 250 ms.
    /// Reason: Linux does so.
    #[test]
    fn the_probability_moves_as_the_rfc_says() {
        // 5 ms above target and 4 ms above the last delay: .000625 + .005 = .005625. 45 ms and
        // 30 ms: .005625 + .0375.
        for (probability, old, delay, expected) in [
            (0.0, 16, 20, 0.005_625 / 2048.0),
            (2e-6, 16, 20, 2e-6 + 0.005_625 / 512.0),
            (2e-5, 16, 20, 2e-5 + 0.005_625 / 128.0),
            (2e-4, 16, 20, 2e-4 + 0.005_625 / 32.0),
            (2e-3, 16, 20, 2e-3 + 0.005_625 / 8.0),
            (0.02, 16, 20, 0.02 + 0.005_625 / 2.0),
            (0.2, 16, 20, 0.205_625),
            // Each bound is the first of the next divisor.
            (1e-6, 16, 20, 1e-6 + 0.005_625 / 512.0),
            (1e-5, 16, 20, 1e-5 + 0.005_625 / 128.0),
            (1e-4, 16, 20, 1e-4 + 0.005_625 / 32.0),
            (1e-3, 16, 20, 1e-3 + 0.005_625 / 8.0),
            (1e-2, 16, 20, 1e-2 + 0.005_625 / 2.0),
            (0.1, 16, 20, 0.105_625),
            (0.1, 30, 60, 0.12),
            // 250 ms are not yet too long, and less than 2 % is left as it is.
            (0.2, 250, 250, 0.22),
            (0.2, 15, 15, 0.2),
            (0.2, 30, 60, 0.22),
            (0.02, 30, 60, 0.02 + 0.043_125 / 2.0),
            (0.2, 300, 300, 0.2 + 0.02 + 0.02),
            (0.2, 20, 16, 0.2 + 0.000_125 - 0.005),
            (0.2, 0, 0, (0.2 - 0.001_875) * 0.98),
            (0.001, 100, 0, 0.0),
            (0.999, 300, 300, 1.0),
        ] {
            let now = updated(probability, old, delay);
            assert!((now - expected).abs() < 1e-12, "{probability} {old} {delay}: {now}");
        }
    }

    /// rfc8033 5.4: Drops are spread: none comes before the probabilities of arrivals since the
    /// last one sum to 0.85, and one for sure when they sum to 8.5.
    #[test]
    fn drops_are_spread() {
        let mut pie = PieQueue { probability: 0.05, old_delay: Span::from_millis(20), ..queue() };
        for _ in 0..4 {
            let packet = Queued::new(Time::ZERO, 1000);
            pie.fifo.push(packet).expect("there is room");
        }
        let drops = 20_000_u32;
        let (mut arrivals, mut longest, mut shortest) = (0, 0, u32::MAX);
        for _ in 0..drops {
            let gap = (1..).find(|_| pie.strikes()).expect("the sum grows");
            (arrivals, longest, shortest) = (arrivals + gap, longest.max(gap), shortest.min(gap));
        }
        assert!((17..=18).contains(&shortest) && longest <= 171, "{shortest} {longest}");
        // The 17th arrival is the first that may be dropped, and then one in 20 is: 36 on average,
        // with a standard deviation of 19.5 / sqrt(20 000) = 0.14; rounding of the sum may make it
        // the 18th.
        let mean = f64::from(arrivals) / f64::from(drops);
        assert!((35.5..=37.5).contains(&mean), "{mean}");
    }

    /// A queue in which this many bytes wait, past its burst, whose next arrival is dropped if any
    /// may be.
    fn certain(bytes: u32, probability: f64, old_ms: u64) -> PieQueue {
        let old_delay = Span::from_millis(old_ms);
        let mut pie = PieQueue { probability, old_delay, sum: SUMS.1, ..queue() };
        pie.fifo.push(Queued::new(Time::ZERO, bytes)).expect("room");
        pie
    }

    /// rfc8033 4.1: Nothing is dropped from a queue of two mean packets or less, while the last
    /// delay is below half of the target and the probability below 20 %, or within a burst.
    #[test]
    fn a_queue_is_spared_up_to_the_bounds() {
        assert!(!certain(2000, 0.5, 20).strikes() && certain(2001, 0.5, 20).strikes());
        assert!(!certain(5000, 0.19, 7).strikes() && certain(5000, 0.2, 7).strikes());
        assert!(certain(5000, 0.19, 8).strikes(), "half of the target is 7.5 ms");
        let mut burst = PieQueue { burst_left: Span::from_nanos(1), ..certain(5000, 0.5, 20) };
        assert!(!burst.strikes());
    }

    #[test]
    fn the_sum_begins_anew_without_a_probability_and_at_a_drop() {
        let mut pie = PieQueue { probability: 0.0, ..certain(5000, 0.5, 20) };
        assert!(!pie.strikes() && pie.sum.abs() < 1e-15);
        let mut pie = certain(5000, 0.5, 20);
        assert!(pie.strikes() && pie.sum.abs() < 1e-15);
        // An arrival that finds the queue full is a drop, too.
        let fifo = DropTail::new(Limit::Packets(1));
        let mut full = PieQueue { fifo, sum: 0.5, ..queue() };
        full.fifo.push(Queued::new(Time::ZERO, 100)).expect("room");
        let mut dropped = Vec::new();
        full.enqueue(Time::ZERO, Queued::new(Time::ZERO, 100), &mut dropped);
        assert!(dropped.len() == 1 && full.sum.abs() < 1e-15);
    }

    /// rfc8033 5.1: Packets are marked instead of dropped where that is possible and wanted, below
    /// the bound of the probability.
    #[test]
    fn marks_end_at_their_bound() {
        use crate::ecn::Ecn;
        let fate = |probability: f64, ecn: bool, field: Ecn| {
            let config = Pie { ecn, mark_up_to: 0.3, ..Pie::default() };
            let mut pie = PieQueue { config, ..certain(5000, probability, 20) };
            let mut dropped = Vec::new();
            pie.enqueue(Time::ZERO, Queued::new(Time::ZERO, 500).with_ecn(field), &mut dropped);
            let last = pie.fifo.packets().back().map(crate::packet::Packet::ecn);
            (dropped.len(), last)
        };
        assert_eq!(fate(0.29, true, Ecn::Ect0), (0, Some(Ecn::Ce)));
        assert_eq!(fate(0.3, true, Ecn::Ect0).0, 1);
        assert_eq!(fate(0.29, false, Ecn::Ect0).0, 1);
        assert_eq!(fate(0.29, true, Ecn::NotEct).0, 1);
    }

    /// rfc8033 4.4: After a calm time a burst passes again: both delays below half of the target,
    /// and no probability left.
    #[test]
    fn a_burst_is_allowed_again_after_calm() {
        let left = |probability: f64, old_us: u64, delay_us: u64| {
            let [old_delay, delay] = [old_us, delay_us].map(Span::from_micros);
            let burst_left = Span::from_millis(40);
            let mut pie = PieQueue { probability, old_delay, delay, burst_left, ..queue() };
            pie.update();
            pie.burst_left
        };
        let (whole, rest) = (Span::from_millis(150), Span::from_millis(25));
        assert_eq!(left(0.0, 7_000, 7_000), whole);
        assert_eq!(left(0.0, 7_500, 7_000), rest, "the last delay is half of the target");
        assert_eq!(left(0.0, 7_000, 7_500), rest, "this one is");
        assert_eq!(left(0.5, 7_000, 7_000), rest, "some probability is left");
    }

    #[test]
    fn the_delay_is_that_of_the_last_to_leave_unless_it_was_the_last_of_all() {
        let mut pie = queue();
        for _ in 0..2 {
            pie.fifo.push(Queued::new(Time::ZERO, 100)).expect("room");
        }
        let now = Time::from_millis(9);
        assert!(pie.dequeue(now, &mut Vec::new()).is_some());
        assert_eq!(pie.delay, Span::from_millis(9));
        assert!(pie.dequeue(now, &mut Vec::new()).is_some());
        assert_eq!(pie.delay, Span::ZERO);
        assert!(pie.is_at_rest());
        assert!(!PieQueue { old_delay: Span::from_nanos(1), ..queue() }.is_at_rest());
        assert!(!PieQueue { delay: Span::from_nanos(1), ..queue() }.is_at_rest());
        assert!(!PieQueue { probability: 1e-9, ..queue() }.is_at_rest());
    }
}
