//! The sender's own evidence about losses that the receiver blames on its link.
//!
//! A link with random losses loses packets whatever the queues are like; a queue drops packets when
//! it is full. So about half of a link's losses hit packets that found the shorter queues, which
//! half of all packets do, and few of a full queue's losses. Twice that half's share of the recent
//! losses estimates the share that is the link's, without any help from the receiver. A claim is
//! held against it: losses that come with full queues are not the link's, and a path that loses
//! packets in its queues has a wired part that others may use too, whatever delay the receiver
//! claims. The round-trip time of a packet's neighbours shows which queue it found: the ACKs that
//! show a loss are those of packets sent just after it. A loss found by the timer has no such
//! witness and says nothing: the timer also finds what a blackout of the link has lost.
//!
//! The share is taken over losses, not over time or packets: a flow that loses one packet in
//! thousands is judged by its last losses, however long ago they were. Losses that one ACK shows
//! are one event, or a short blackout would outweigh all that came before.
//!
//! The line between shorter and longer is the median of the round-trip times, not a share of the
//! largest: a receiver that holds back a few ACKs could make the largest as large as it likes. One
//! that holds back ACKs at random blurs the evidence. A receiver that forges what ACKs echo can
//! deceive any sender (Savage et al. 1999); that is not prevented here.

use crate::time::Span;

/// A loss moves the share by one part in this many: some 16 losses are remembered. Random losses
/// then give a share of 1/2 with a standard deviation of 0.09.
const LOSS_GAIN: f64 = 16.0;

/// Largest sample: an hour. It keeps the sums from overflowing.
const MAX_SAMPLE: u64 = 3_600_000_000_000;

/// A sample moves the median by this fraction of the mean distance from it: after some hundred
/// packets, about a sawtooth of the queue, earlier samples are forgotten.
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

/// The queues at which losses come: shorter or longer ones.
#[derive(Clone, Debug)]
pub(crate) struct Evidence {
    median: Option<Median>,
    /// The last packets found a queue below the median.
    short: bool,
    /// Share of the losses that came with the shorter queues.
    short_losses: f64,
}

impl Evidence {
    /// No evidence yet: claims about losses are accepted.
    pub(crate) fn new() -> Self {
        Evidence { median: None, short: false, short_losses: 0.5 }
    }

    pub(crate) fn restart(&mut self) {
        *self = Evidence::new();
    }

    #[inline]
    pub(crate) fn on_rtt(&mut self, rtt: Span) {
        let rtt = rtt.nanos().min(MAX_SAMPLE);
        let median = self.median.get_or_insert(Median::new(rtt));
        self.short = rtt <= median.value;
        median.update(rtt);
    }

    /// Notes losses in one ACK that the sender's own link did not mark.
    pub(crate) fn on_loss(&mut self) {
        let seen = if self.short { 1.0 } else { 0.0 };
        self.short_losses += (seen - self.short_losses) / LOSS_GAIN;
    }

    /// Share of the recent losses that may be the link's, from 0 to 1.
    pub(crate) fn share(&self) -> f64 {
        (2.0 * self.short_losses).min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Queues that grow and drain, with a loss where the round-trip time reaches `at` milliseconds.
    fn sawtooth(at: u64) -> Evidence {
        let mut evidence = Evidence::new();
        for _ in 0..100 {
            for ms in (100..200).chain((100..200).rev()) {
                evidence.on_rtt(Span::from_millis(ms));
                if ms == at {
                    evidence.on_loss();
                }
            }
        }
        evidence
    }

    #[test]
    fn losses_on_short_queues_are_the_links_and_losses_on_full_queues_are_not() {
        assert!(sawtooth(110).share() > 0.999);
        assert!(sawtooth(190).share() < 0.001);
    }

    #[test]
    fn losses_at_any_queue_leave_the_claim_as_it_is() {
        let mut evidence = Evidence::new();
        let mut least = 1.0f64;
        for round in 0..200 {
            for ms in (100..200).chain((100..200).rev()) {
                evidence.on_rtt(Span::from_millis(ms));
                // Every 37th packet: at each queue length in turn.
                if (round * 200 + ms) % 37 == 0 {
                    evidence.on_loss();
                }
            }
            if round > 10 {
                least = least.min(evidence.share());
            }
        }
        assert!(least > 0.7, "{least}");
    }

    #[test]
    fn without_losses_nothing_is_held_against_a_claim() {
        assert!((sawtooth(0).share() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn what_one_path_held_against_a_claim_the_next_does_not() {
        let mut evidence = sawtooth(190);
        assert!(evidence.share() < 0.001, "{}", evidence.share());
        evidence.restart();
        assert!((evidence.share() - 1.0).abs() < 1e-12);
        // The queues are new, too: 300 ms are the short ones of a path of 300 to 400 ms, and would
        // be long ones on the path before.
        evidence.on_rtt(Span::from_millis(300));
        evidence.on_loss();
        assert!((evidence.share() - 1.0).abs() < 1e-12);
        evidence.on_rtt(Span::from_millis(400));
        evidence.on_loss();
        // Losses at a short and a long queue: 1/2 + 1/32 and then 15/16 of it, times two.
        assert!((evidence.share() - 2.0 * (17.0 / 32.0) * (15.0 / 16.0)).abs() < 1e-12);
    }

    #[test]
    fn one_loss_on_a_full_queue_takes_a_sixteenth_of_the_share() {
        let mut evidence = Evidence::new();
        evidence.on_rtt(Span::from_millis(100));
        evidence.on_rtt(Span::from_millis(200));
        evidence.on_loss();
        assert!((evidence.share() - 15.0 / 16.0).abs() < 1e-12);
    }
}
