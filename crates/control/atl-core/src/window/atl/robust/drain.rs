//! Draining of a queue, for flows that have never seen the path without it.
//!
//! A flow that begins on a standing queue takes a part of it for the path's own delay, gives way
//! later than the others, and keeps that queue for ever: it never sees a shorter RTT. The other
//! flows have seen one that has not come back. They send half of their window for a round trip and
//! return by slow start: a queue that falls shows all flows a shorter path. After ProbeRTT of BBR
//! (Cardwell et al., 2016), with two differences: a flow that finds the queue empty now and then,
//! alone or among flows that give way, never drains it; and the shortest RTT is never forgotten.

use crate::time::{Span, Time};

/// A queue of at most this share of the largest tolerated one counts as none.
const EMPTY: f64 = 0.25;
/// Share of the window that is sent in a draining round trip, as in BBRv2.
const KEPT: f64 = 0.5;
/// Time for which the queue must have stood: at least this span, and at least this many round
/// trips, since draining costs part of one.
const STOOD: (Span, u64) = (Span::from_secs(10), 50);

/// The time at which the queue was last empty, and the draining round trip.
#[derive(Clone, Copy, Debug)]
pub(super) struct Drain {
    empty_at: Time,
    under_way: Option<Pause>,
}

/// A draining round trip.
#[derive(Clone, Copy, Debug)]
struct Pause {
    /// Its first packet, whose ACK ends it.
    until: u64,
    /// The window to return to.
    window: f64,
}

impl Drain {
    pub(super) const fn new() -> Self {
        Drain { empty_at: Time::ZERO, under_way: None }
    }

    /// True while only half of the window is used.
    #[inline]
    pub(super) fn is_under_way(&self) -> bool {
        self.under_way.is_some()
    }

    /// Forgets the window to return to, after a change of path or a collapse.
    pub(super) fn restart(&mut self, now: Time) {
        *self = Drain { empty_at: now, under_way: None };
    }

    /// A loss leaves `beta` of the window to return to. Returns that window before the loss, if
    /// half of it is in use.
    pub(super) fn on_loss(&mut self, beta: f64) -> Option<f64> {
        let pause = self.under_way.as_mut()?;
        let before = pause.window;
        pause.window *= beta;
        Some(before)
    }

    /// Packet `newest` took `queue` longer than the path, of which `most` is tolerated. Returns the
    /// window to return to, if the queue was drained until now.
    pub(super) fn on_rtt(
        &mut self,
        now: Time,
        newest: Option<u64>,
        queue: Span,
        most: Span,
    ) -> Option<f64> {
        if queue <= most.mul_f64(EMPTY) {
            self.empty_at = now;
        }
        let over = self.under_way.filter(|pause| newest.is_some_and(|tx| tx >= pause.until))?;
        self.restart(now);
        Some(over.window)
    }

    /// Returns the part of a window of `cwnd` that may be used from now on, if the queue has stood
    /// for long enough on a path of `base`; `next` is the next packet.
    pub(super) fn begins(&mut self, now: Time, base: Span, next: u64, cwnd: f64) -> Option<f64> {
        let (least, trips) = STOOD;
        if self.is_under_way() || now.since(self.empty_at) <= least.max(base * trips) {
            return None;
        }
        self.under_way = Some(Pause { until: next, window: cwnd });
        Some(KEPT * cwnd)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(ms: u64) -> Span {
        Span::from_millis(ms)
    }

    #[test]
    fn a_queue_that_stands_is_drained_for_a_round_trip() {
        let mut drain = Drain::new();
        let at = Time::from_millis;
        assert_eq!(drain.on_rtt(at(1_000), Some(0), ms(2), ms(8)), None);
        for n in 1..=100 {
            assert_eq!(drain.on_rtt(at(1_000 + 100 * n), Some(n), ms(3), ms(8)), None);
            assert_eq!(drain.begins(at(1_000 + 100 * n), ms(100), n + 10, 40.0), None, "{n}");
        }
        assert_eq!(drain.begins(at(11_001), ms(100), 200, 40.0), Some(20.0));
        assert_eq!(drain.begins(at(11_002), ms(100), 201, 20.0), None, "once");
        // Packets sent before it show nothing of its effect. A loss counts for the window before.
        assert_eq!(drain.on_rtt(at(11_100), Some(199), ms(3), ms(8)), None);
        assert_eq!(drain.on_loss(0.75), Some(40.0));
        assert_eq!(drain.on_rtt(at(11_200), Some(200), ms(3), ms(8)), Some(30.0));
        assert_eq!((drain.is_under_way(), drain.on_loss(0.75)), (false, None));
        // The next one is as far away, whether this one had an effect or not.
        assert_eq!(drain.begins(at(21_200), ms(100), 300, 40.0), None);
        assert!(drain.begins(at(21_201), ms(100), 301, 40.0).is_some());
    }

    #[test]
    fn a_queue_that_is_empty_now_and_then_is_left_alone() {
        let mut drain = Drain::new();
        for n in 0..100 {
            drain.on_rtt(Time::from_millis(9_000 * n), Some(n), ms(1), ms(4));
            let later = Time::from_millis(9_000 * n + 8_999);
            assert_eq!(drain.begins(later, ms(20), n + 1, 10.0), None);
        }
    }

    #[test]
    fn a_long_path_waits_for_fifty_round_trips() {
        let mut drain = Drain::new();
        drain.restart(Time::from_millis(500));
        assert_eq!(drain.begins(Time::from_millis(30_500), ms(600), 1, 10.0), None);
        assert!(drain.begins(Time::from_millis(30_501), ms(600), 1, 10.0).is_some());
    }
}
