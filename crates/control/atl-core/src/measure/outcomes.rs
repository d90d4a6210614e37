//! A sliding window of deliveries and losses.
//!
//! Source: ATL paper, sec. IV-A and V-A1: p and p_w are measured within a sliding window tau = 10
//! RTT.
//!
//! Left open by the source, and chosen: transmissions are counted, not loss events. A slow flow has
//! too few packets in 10 RTT, so the window covers the last k packets if these reach further back
//! (docs/protocols/atl.md). An outcome counts when it becomes known, not when the packet was
//! sent. Outcomes are kept in buckets of 1/16 of the span, so that memory is bounded and an update
//! costs O(1); the window's far end is exact to one bucket.

use std::collections::VecDeque;

use crate::time::{Span, Time};
use crate::units::Probability;

/// Buckets that make up the span.
const PER_SPAN: u64 = 16;

/// Largest number of buckets; beyond it the two oldest are merged.
const MOST_BUCKETS: usize = 1024;

/// Counts of transmissions by outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Transmissions known to have arrived.
    pub delivered: u64,
    /// Transmissions known to be lost.
    pub lost: u64,
    /// Lost ones that the sender's own link marked as failed on it.
    pub link_failures: u64,
}

impl Counts {
    /// n: transmissions whose outcome is known.
    pub const fn packets(&self) -> u64 {
        self.delivered + self.lost
    }

    /// p: share that was lost; 0 where nothing is known.
    pub fn loss(&self) -> Probability {
        Probability::share(self.lost, self.packets())
    }

    /// p_w: share that the link marked as failed; 0 where nothing is known.
    pub fn link_loss(&self) -> Probability {
        Probability::share(self.link_failures, self.packets())
    }

    fn add(&mut self, other: &Counts) {
        self.delivered += other.delivered;
        self.lost += other.lost;
        self.link_failures += other.link_failures;
    }

    fn remove(&mut self, other: &Counts) {
        self.delivered -= other.delivered;
        self.lost -= other.lost;
        self.link_failures -= other.link_failures;
    }
}

#[derive(Clone, Copy, Debug)]
struct Bucket {
    from: Time,
    to: Time,
    counts: Counts,
}

/// A window over the longer of a span of time and a number of packets.
#[derive(Clone, Debug)]
pub struct OutcomeWindow {
    span: Span,
    least_packets: u64,
    most_buckets: usize,
    total: Counts,
    buckets: VecDeque<Bucket>,
}

impl OutcomeWindow {
    /// An empty window over `span` or over the last `least_packets` packets, whichever reaches
    /// further.
    pub fn new(span: Span, least_packets: u32) -> Self {
        let wanted = least_packets as usize + 2;
        OutcomeWindow {
            span,
            least_packets: u64::from(least_packets),
            most_buckets: wanted.clamp(4 * PER_SPAN as usize, MOST_BUCKETS),
            total: Counts::default(),
            buckets: VecDeque::new(),
        }
    }

    /// Changes the span. Outcomes already counted stay until they are older than that.
    pub fn set_span(&mut self, span: Span) {
        self.span = span;
    }

    /// Empties the window after a change of path.
    pub fn restart(&mut self) {
        self.total = Counts::default();
        self.buckets.clear();
    }

    /// Counts outcomes that became known at `now`, which must not go back.
    #[inline]
    pub fn record(&mut self, now: Time, counts: Counts) {
        // A failure on the link is a loss; more failures than losses would make p_w exceed p.
        let counts = Counts { link_failures: counts.link_failures.min(counts.lost), ..counts };
        self.total.add(&counts);
        match self.buckets.back_mut() {
            Some(last) if now.since(last.from) < self.span / PER_SPAN => {
                last.to = now;
                last.counts.add(&counts);
            }
            _ => self.open(now, counts),
        }
    }

    fn open(&mut self, now: Time, counts: Counts) {
        self.forget(now);
        self.buckets.push_back(Bucket { from: now, to: now, counts });
        if self.buckets.len() > self.most_buckets
            && let Some(oldest) = self.buckets.pop_front()
            && let Some(next) = self.buckets.front_mut()
        {
            next.from = oldest.from;
            next.counts.add(&oldest.counts);
        }
    }

    fn forget(&mut self, now: Time) {
        while let Some(oldest) = self.buckets.front() {
            let needed = self.total.packets() - oldest.counts.packets() < self.least_packets;
            if needed || now.since(oldest.to) <= self.span {
                break;
            }
            self.total.remove(&oldest.counts);
            self.buckets.pop_front();
        }
    }

    /// The counts in the window at `now`.
    pub fn counts(&mut self, now: Time) -> Counts {
        self.forget(now);
        self.total
    }

    /// Buckets in use, for the memory that the window takes.
    pub fn buckets(&self) -> usize {
        self.buckets.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DELIVERED: Counts = Counts { delivered: 1, lost: 0, link_failures: 0 };
    const LOST: Counts = Counts { delivered: 0, lost: 1, link_failures: 0 };

    #[test]
    fn keeps_the_span_of_a_fast_flow_to_a_sixteenth() {
        let mut window = OutcomeWindow::new(Span::from_secs(1), 50);
        for ms in 0..10_000 {
            window.record(Time::from_millis(ms), DELIVERED);
        }
        let n = window.counts(Time::from_millis(9_999)).packets();
        assert!((1000..=1063).contains(&n), "{n}");
    }

    #[test]
    fn keeps_the_last_packets_of_a_slow_flow() {
        let mut window = OutcomeWindow::new(Span::from_secs(1), 50);
        for s in 0..500 {
            window.record(Time::from_millis(1000 * s), if s < 440 { LOST } else { DELIVERED });
        }
        let counts = window.counts(Time::from_millis(499_000));
        assert_eq!((counts.packets(), counts.lost), (50, 0));
        assert!(window.buckets() <= 51);
    }

    #[test]
    fn gives_the_share_of_losses_and_of_link_failures() {
        let mut window = OutcomeWindow::new(Span::from_secs(1), 50);
        window.record(Time::ZERO, Counts { delivered: 90, lost: 10, link_failures: 4 });
        let counts = window.counts(Time::ZERO);
        assert_eq!((counts.loss().get(), counts.link_loss().get()), (0.1, 0.04));
        window.restart();
        assert_eq!(window.counts(Time::ZERO), Counts::default());
    }
}
