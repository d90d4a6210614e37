//! X_recv: the rate at which data arrived over the last round-trip time (RFC 5348, sec. 6.2).
//!
//! Of the two ways that the RFC allows, the second: "the receive rate MAY be calculated over a
//! longer time interval, the time interval going back to the most recent feedback timer expiration
//! that was at least R_(m-1) seconds ago". Its note gives "a minimum value for the measured receive
//! rate X_recv of one packet per round-trip time", which is kept.

use crate::time::{Span, Time};

/// The number of expirations that are remembered.
const MARKS: usize = 8;

/// Counts arrivals between expirations of the feedback timer.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ReceiveRate {
    /// Times of expirations and the counts at those times; the newest last.
    marks: [(Time, f64); MARKS],
    len: usize,
    counted: f64,
    /// The largest rate measured.
    most: f64,
}

impl ReceiveRate {
    /// Counts an arrival, in bytes or packets.
    #[inline]
    pub(super) fn count(&mut self, amount: f64) {
        self.counted += amount;
    }

    /// Notes an expiration of the feedback timer.
    pub(super) fn mark(&mut self, now: Time) {
        if self.len == MARKS {
            self.marks.copy_within(1.., 0);
            self.len -= 1;
        }
        self.marks[self.len] = (now, self.counted);
        self.len += 1;
    }

    /// Arrivals per second since the most recent expiration that was at least `rtt` ago, and at
    /// least `one` packet per `rtt`.
    pub(super) fn measure(&mut self, now: Time, rtt: Span, one: f64) -> f64 {
        let old_enough = |mark: &&(Time, f64)| now.since(mark.0) >= rtt.max(Span::from_nanos(1));
        let marks = &self.marks[..self.len];
        let mark = marks.iter().rev().find(old_enough).or(marks.first());
        let (since, before) = mark.copied().unwrap_or((now, self.counted));
        let seconds = now.since(since).max(rtt).max(Span::from_micros(1)).secs();
        let least = if rtt.is_zero() { 0.0 } else { one / rtt.secs() };
        let rate = ((self.counted - before) / seconds).max(least);
        self.most = self.most.max(rate);
        rate
    }

    /// The largest rate measured so far.
    pub(super) fn most(&self) -> f64 {
        self.most
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-9, "{found} {expected}");
    }

    #[test]
    fn counts_from_the_newest_expiration_that_is_old_enough() {
        let (mut rate, rtt) = (ReceiveRate::default(), Span::from_millis(100));
        let ms = Time::from_millis;
        rate.mark(ms(0));
        rate.count(10.0);
        near(rate.measure(ms(100), rtt, 1.0), 100.0);
        rate.mark(ms(100));
        rate.count(4.0);
        // Early, for a loss: 14 in 140 ms, since the expiration at 100 ms is too new.
        near(rate.measure(ms(140), rtt, 1.0), 100.0);
        rate.mark(ms(140));
        rate.count(2.0);
        // 6 in 100 ms since the one at 100 ms.
        near(rate.measure(ms(200), rtt, 1.0), 60.0);
        near(rate.most(), 100.0);
    }

    /// "A minimum value for the measured receive rate X_recv of one packet per round-trip time."
    #[test]
    fn is_a_packet_per_round_trip_at_least() {
        let (mut rate, rtt) = (ReceiveRate::default(), Span::from_millis(100));
        rate.mark(Time::ZERO);
        rate.count(1000.0);
        near(rate.measure(Time::from_millis(5000), rtt, 1000.0), 10_000.0);
        // Without a round-trip time there is no such bound.
        near(rate.measure(Time::from_millis(5000), Span::ZERO, 1000.0), 200.0);
        near(rate.measure(Time::from_millis(2_000_000), Span::ZERO, 1000.0), 0.5);
    }

    #[test]
    fn remembers_a_few_expirations_only() {
        let mut rate = ReceiveRate::default();
        for i in 0..100 {
            rate.mark(Time::from_millis(i));
            rate.count(1.0);
        }
        // The oldest of eight is at 92 ms; the count since then is divided by the whole second.
        near(rate.measure(Time::from_millis(100), Span::from_secs(1), 0.0), 8.0);
        assert_eq!(rate.len, MARKS);
    }

    /// No time since the only expiration counts as a microsecond, and an expiration at this very
    /// instant is too new where an older one is there.
    #[test]
    fn arrivals_at_one_instant_have_a_rate() {
        let mut rate = ReceiveRate::default();
        near(rate.measure(Time::ZERO, Span::ZERO, 1.0), 0.0);
        rate.mark(Time::ZERO);
        rate.count(3.0);
        near(rate.measure(Time::ZERO, Span::ZERO, 1.0) / 1e6, 3.0);
        rate.mark(Time::from_millis(500));
        rate.count(1.0);
        near(rate.measure(Time::from_millis(500), Span::ZERO, 1.0), 8.0);
        near(rate.measure(Time::from_nanos(500_000_001), Span::ZERO, 1.0) / 1e6, 1.0);
    }
}
