//! The sender's own evidence about losses that the receiver blames on its link.
//!
//! A link with random losses loses packets whatever the queues are like; a queue drops packets when
//! it is full. So a link's losses hit packets that found the shorter queues as often as others do,
//! and few of a full queue's losses do. The share of the recent losses that came with the shorter
//! queues, over the share of the packets that did, estimates the share that is the link's, without
//! any help from the receiver. A claim is held against it: losses that come with full queues are
//! not the link's, and a path that loses packets in its queues has a wired part that others may use
//! too, whatever delay the receiver claims. The round-trip times of a packet's neighbours show which
//! queue it found: the ACKs that arrive before a loss is found are those of packets sent around it,
//! and the longest of their queues counts. A loss found by the timer has no such witness and says
//! nothing: the timer also finds what a blackout of the link has lost.
//!
//! The share is taken over losses, not over time or packets: a flow that loses one packet in
//! thousands is judged by its last losses, however long ago they were. Losses that one ACK shows
//! are one event, or a short blackout would outweigh all that came before.
//!
//! Shorter queues are those below the median of the round-trip times, not below a share of the
//! largest. A queue of a few packets has a few lengths, and may be full most of the time: equal to the
//! median is not below it. And not the largest, since a receiver that holds back a few ACKs could make the largest as large as it likes. One
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

/// Round-trip times that arrive from around a lost packet until it is found.
const RECENT: usize = 4;

/// A sample moves the share of packets with the shorter queues by one part in this many.
const SHORT_GAIN: f64 = 512.0;

/// Shares up to this say nothing: where all queues are alike there are no shorter ones.
const NOTHING: f64 = 0.02;

/// Shares of the losses over that of the packets at which a claim is worth nothing, and all: the
/// share of some 16 losses scatters so much around both.
const NONE: f64 = 0.2;
const ALL: f64 = 0.6;

/// Mean distances from the median up to this share of it, and up to this time, are no queue's: half
/// a millisecond is a packet at 24 Mb/s.
const LEVEL: u64 = 64;
const LEVEL_NANOS: u64 = 500_000;

/// The queues at which losses come: shorter or longer ones.
#[derive(Clone, Debug)]
pub(crate) struct Evidence {
    median: Option<Median>,
    last: [u64; RECENT],
    /// The last packets found a queue below the median.
    short: bool,
    /// Share of the losses that came with the shorter queues, and of the packets.
    short_losses: f64,
    short_packets: f64,
}

impl Evidence {
    /// No evidence yet: claims about losses are accepted.
    pub(crate) fn new() -> Self {
        Evidence {
            median: None,
            last: [0; RECENT],
            short: false,
            short_losses: 0.4,
            short_packets: 0.4,
        }
    }

    pub(crate) fn restart(&mut self) {
        *self = Evidence::new();
    }

    #[inline]
    pub(crate) fn on_rtt(&mut self, rtt: Span) {
        let rtt = rtt.nanos().min(MAX_SAMPLE);
        let median = self.median.get_or_insert(Median::new(rtt));
        self.last.rotate_left(1);
        self.last[RECENT - 1] = rtt;
        self.short = self.last.iter().all(|rtt| *rtt < median.value);
        median.update(rtt);
        let short = if self.short { 1.0 } else { 0.0 };
        self.short_packets += (short - self.short_packets) / SHORT_GAIN;
    }

    /// Notes losses in one ACK that the sender's own link did not mark.
    pub(crate) fn on_loss(&mut self) {
        // Where all queues are alike a loss says nothing.
        if self.median.is_none_or(|m| m.distance <= LEVEL_NANOS.max(m.value / LEVEL)) {
            return;
        }
        let seen = if self.short { 1.0 } else { 0.0 };
        self.short_losses += (seen - self.short_losses) / LOSS_GAIN;
    }

    /// Share of the recent losses that may be the link's, from 0 to 1.
    pub(crate) fn share(&self) -> f64 {
        let ratio = (self.short_losses + NOTHING) / (self.short_packets + NOTHING);
        ((ratio - NONE) / (ALL - NONE)).clamp(0.0, 1.0)
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
        for _ in 0..40 {
            for ms in (300..400).chain((300..400).rev()) {
                evidence.on_rtt(Span::from_millis(ms));
                if ms == 310 {
                    evidence.on_loss();
                }
            }
        }
        assert!((evidence.share() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn losses_on_a_path_without_queues_leave_the_claim_as_it_is() {
        let mut evidence = Evidence::new();
        for i in 0..5000 {
            evidence.on_rtt(Span::from_millis(50));
            if i % 50 == 0 {
                evidence.on_loss();
            }
        }
        assert!((evidence.share() - 1.0).abs() < 1e-12, "{}", evidence.share());
    }

    #[test]
    fn a_loss_on_a_full_queue_counts_for_a_sixteenth_of_the_losses() {
        let mut evidence = Evidence::new();
        evidence.on_rtt(Span::from_millis(100));
        let mut share = 0.4;
        for _ in 0..15 {
            evidence.on_loss();
            share *= 15.0 / 16.0;
        }
        let ratio = (share + NOTHING) / (0.4 - 0.4 / SHORT_GAIN + NOTHING);
        assert!((evidence.share() - (ratio - NONE) / (ALL - NONE)).abs() < 1e-12);
    }
}
