//! What the sender itself can tell about losses that the receiver blames on its own link.
//!
//! A link with random losses loses packets whatever the queues are like; a queue drops packets when it is full. So the loss
//! among the packets that found the shorter queues, half of all packets, estimates the link's loss without any help from
//! the receiver. A higher claim blames losses on the link that came with full queues. The round-trip time of a packet's
//! neighbours shows which queue it found: the ACKs that show a loss are those of packets sent just after it. A loss found by
//! the timer has no such witness and counts as congestion.
//!
//! The line between shorter and longer is the median of the round-trip times, not a share of the largest: a receiver that
//! holds back a few ACKs could make the largest as large as it likes. A receiver that forges what ACKs echo can deceive any
//! sender (Savage et al. 1999); that is not prevented here.

use crate::measure::{Counts, OutcomeWindow};
use crate::time::{Span, Time};
use crate::units::Probability;

/// The estimate looks back over at least this many packets on the shorter queues: a single loss is then 1/500.
const LEAST_PACKETS: u32 = 500;

/// Largest sample: an hour. It keeps the sums from overflowing.
const MAX_SAMPLE: u64 = 3_600_000_000_000;

/// A sample moves the median by this fraction of the mean distance from it: after some hundred packets, about a sawtooth of
/// the queue, earlier samples are forgotten.
const MEDIAN_GAIN: u64 = 128;

/// Gain of the mean distance itself.
const DISTANCE_GAIN: u64 = 64;

/// A running median, by steps up and down.
#[derive(Clone, Copy, Debug)]
struct Median {
    value: u64,
    /// Mean distance of the samples from it; one sample counts for at most the median itself.
    distance: u64,
}

impl Median {
    fn new(first: u64) -> Self {
        Median { value: first, distance: first / 8 }
    }

    fn update(&mut self, sample: u64) {
        let far = sample.abs_diff(self.value).min(self.value);
        self.distance = (self.distance * (DISTANCE_GAIN - 1) + far) / DISTANCE_GAIN;
        let step = (self.distance / MEDIAN_GAIN).max(1);
        if sample > self.value {
            self.value = self.value.saturating_add(step);
        } else if sample < self.value {
            self.value = self.value.saturating_sub(step);
        }
    }
}

/// Loss among the packets that found the shorter queues.
#[derive(Clone, Debug)]
pub(crate) struct Evidence {
    median: Option<Median>,
    /// The last packets found a queue below the median.
    short: bool,
    outcomes: OutcomeWindow,
}

impl Evidence {
    pub(crate) fn new() -> Self {
        let outcomes = OutcomeWindow::new(Span::ZERO, LEAST_PACKETS);
        Evidence { median: None, short: false, outcomes }
    }

    pub(crate) fn restart(&mut self) {
        *self = Evidence::new();
    }

    /// The span that the estimate looks back over, if that is more than its least number of packets.
    pub(crate) fn set_span(&mut self, span: Span) {
        self.outcomes.set_span(span);
    }

    pub(crate) fn on_ack(&mut self, now: Time, delivered: u32, rtt: Option<Span>) {
        if let Some(rtt) = rtt {
            let rtt = rtt.nanos().min(MAX_SAMPLE);
            let median = self.median.get_or_insert(Median::new(rtt));
            self.short = rtt <= median.value;
            median.update(rtt);
        }
        if delivered > 0 && self.short {
            let delivered = u64::from(delivered);
            self.outcomes.record(now, Counts { delivered, ..Counts::default() });
        }
    }

    /// ACKs showed losses; the sender's own link did not mark `packets` of them.
    pub(crate) fn on_loss(&mut self, now: Time, packets: u32) {
        if self.short {
            self.outcomes.record(now, Counts { lost: u64::from(packets), ..Counts::default() });
        }
    }

    /// Buckets in use.
    pub(crate) fn buckets(&self) -> usize {
        self.outcomes.buckets()
    }

    /// The largest p_w that the observations support: one loss more than was seen, since a sample may miss one by chance.
    pub(crate) fn most(&mut self, now: Time) -> Probability {
        let counts = self.outcomes.counts(now);
        Probability::share(counts.lost + 1, counts.packets() + 1)
    }
}
