//! The bottleneck's rate from pairs of data packets that leave back to back.

use crate::rate::{Arrived, PeriodicReports, Report, ReportingReceiver};
use crate::time::{Span, Time};

/// One packet in this many leaves right behind its predecessor.
const EVERY: u64 = 16;

/// Reports for which an estimate is kept.
const KEPT: usize = 8;

/// True for the second packet of a pair. The first two packets of a flow are a pair.
pub(super) fn is_second(seq: u64) -> bool {
    seq % EVERY == 1
}

/// The spacing of pairs at their arrival: the bottleneck serves two packets that reach it together
/// one after the other, and the service time of the second separates them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Spacing {
    /// The last arrival: its number, its sending time and its time of arrival.
    last: Option<(u64, Time, Time)>,
    /// The largest estimate that has not been taken yet, in bytes per second.
    rate: Option<f64>,
}

impl Spacing {
    /// Takes in the arrival of a packet of `bytes` bytes.
    #[inline]
    pub(super) fn on_packet(&mut self, now: Time, seq: u64, sent_at: Time, bytes: u32) {
        let before = self.last.replace((seq, sent_at, now));
        let Some((first, first_sent, first_came)) = before else { return };
        let (apart, sent_apart) = (now.since(first_came), sent_at.since(first_sent));
        // For a receiver that counts from a packet in the middle of the flow, numbers do not show
        // pairs; sending times do.
        if seq.checked_sub(1) != Some(first) || !(is_second(seq) || sent_apart.is_zero()) {
            return;
        }
        // A sender with only one packet to send sent no pair.
        if !apart.is_zero() && sent_apart * 2 <= apart {
            let rate = f64::from(bytes) / apart.secs();
            self.rate = Some(self.rate.map_or(rate, |r| r.max(rate)));
        }
    }

    /// The largest estimate since the last call, in bytes per second.
    pub(super) fn take(&mut self) -> Option<f64> {
        self.rate.take()
    }
}

/// The estimates of the last [`KEPT`] reports, of which the largest counts: other packets in the
/// queue can only separate a pair further.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Estimates {
    kept: [Option<f64>; KEPT],
    next: usize,
}

impl Estimates {
    /// Adds a report with an estimate or without. Both count alike: the path may have changed.
    pub(super) fn push(&mut self, estimate: Option<f64>) {
        self.kept[self.next] = estimate.filter(|e| *e > 0.0 && e.is_finite());
        self.next = (self.next + 1) % KEPT;
    }

    /// The largest estimate, in its own unit.
    pub(super) fn largest(&self) -> Option<f64> {
        self.kept.iter().copied().flatten().reduce(f64::max)
    }
}

/// A receiver that reports as RTCP does, and adds the bottleneck's rate.
#[derive(Clone, Debug)]
pub struct Receiver {
    reports: PeriodicReports,
    spacing: Spacing,
}

impl Receiver {
    /// Reports at intervals of `every`.
    pub fn new(every: Span) -> Self {
        Receiver { reports: PeriodicReports::new(every), spacing: Spacing::default() }
    }
}

impl ReportingReceiver for Receiver {
    fn on_data(&mut self, arrived: &Arrived) -> bool {
        let Arrived { now, seq, sent_at, bytes, .. } = *arrived;
        self.spacing.on_packet(now, seq, sent_at, bytes);
        self.reports.on_data(arrived)
    }

    fn next_timeout(&self) -> Option<Time> {
        self.reports.next_timeout()
    }

    fn on_tick(&mut self, now: Time) -> bool {
        self.reports.on_tick(now)
    }

    fn report(&mut self, now: Time) -> Report {
        Report { pair_rate: self.spacing.take(), ..self.reports.report(now) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arrive(receiver: &mut Receiver, seq: u64, sent_ms: u64, now_ms: u64) {
        let (now, sent_at) = (Time::from_millis(now_ms), Time::from_millis(sent_ms));
        receiver.on_data(&Arrived::new(now, seq, sent_at, 1000));
    }

    fn pair_rate(receiver: &mut Receiver) -> Option<f64> {
        receiver.report(Time::from_secs_f64(9.0)).pair_rate
    }

    #[test]
    fn the_spacing_of_a_pair_is_the_bottlenecks_time_for_a_packet() {
        let mut receiver = Receiver::new(Span::from_secs(5));
        arrive(&mut receiver, 0, 0, 50);
        arrive(&mut receiver, 1, 0, 54);
        assert_eq!(pair_rate(&mut receiver), Some(250_000.0));
        assert_eq!(pair_rate(&mut receiver), None);
        // Other traffic separated the first of these two pairs.
        for (seq, sent, came) in [(16, 100, 150), (17, 100, 170), (32, 200, 250), (33, 200, 255)] {
            arrive(&mut receiver, seq, sent, came);
        }
        assert_eq!(pair_rate(&mut receiver), Some(200_000.0));
    }

    #[test]
    fn what_left_apart_or_came_without_its_other_half_is_no_pair() {
        let mut receiver = Receiver::new(Span::from_secs(5));
        // Not a pair; sent apart; the first is missing; out of order; both at once.
        for (seq, sent, came) in [
            (2, 100, 150),
            (3, 101, 153),
            (16, 200, 250),
            (17, 210, 260),
            (33, 300, 350),
            (49, 400, 449),
            (48, 400, 450),
            (64, 500, 550),
            (65, 500, 550),
        ] {
            arrive(&mut receiver, seq, sent, came);
        }
        assert_eq!(pair_rate(&mut receiver), None);
    }

    /// A receiver that counts from a packet in the middle of a flow.
    #[test]
    fn what_left_together_is_a_pair_whatever_its_number() {
        let mut receiver = Receiver::new(Span::from_secs(5));
        arrive(&mut receiver, 6, 100, 150);
        arrive(&mut receiver, 7, 100, 160);
        assert_eq!(pair_rate(&mut receiver), Some(100_000.0));
    }

    #[test]
    fn an_estimate_is_forgotten_after_eight_reports() {
        let mut estimates = Estimates::default();
        estimates.push(Some(100.0));
        estimates.push(Some(40.0));
        estimates.push(Some(f64::NAN));
        for _ in 0..5 {
            estimates.push(None);
        }
        assert_eq!(estimates.largest(), Some(100.0));
        estimates.push(None);
        assert_eq!(estimates.largest(), Some(40.0));
        estimates.push(None);
        assert_eq!(estimates.largest(), None);
    }

    /// A packet in two seconds is an estimate, too; none at all is no estimate.
    #[test]
    fn a_slow_bottleneck_is_one() {
        let largest = |estimate| {
            let mut estimates = Estimates::default();
            estimates.push(Some(estimate));
            estimates.largest()
        };
        assert_eq!(largest(0.5), Some(0.5));
        assert_eq!([0.0, -0.5, f64::INFINITY, f64::NAN].map(largest), [None; 4]);
    }

    /// Up to half of the time between their arrivals may lie between two packets that left.
    #[test]
    fn a_pair_may_leave_a_little_apart() {
        let rate = |sent_apart: u64| {
            let mut receiver = Receiver::new(Span::from_secs(5));
            arrive(&mut receiver, 16, 100, 150);
            arrive(&mut receiver, 17, 100 + sent_apart, 160);
            pair_rate(&mut receiver)
        };
        assert_eq!((rate(5), rate(6)), (Some(100_000.0), None));
    }
}
