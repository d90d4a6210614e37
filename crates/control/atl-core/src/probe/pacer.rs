//! Probes spread over time, never in a burst.

use crate::time::{Span, Time};

/// Least time between two probes. It only keeps a sender from sending them all at once while no RTT
/// is known.
const MIN_GAP: Span = Span::from_micros(1);

/// The time at which the next probe is due.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Pacer {
    left: u32,
    gap: Span,
    due: Time,
    /// The sender was woken for the probe that is due, and has not fetched it yet.
    woken: bool,
}

impl Pacer {
    /// Schedules `probes` from now on, evenly over `span`: the first one a gap from now, the last
    /// one at its end. Earlier ones that are left are dropped.
    pub(crate) fn start(&mut self, now: Time, probes: u32, span: Span) {
        let gap = Span::from_nanos(span.nanos() / u64::from(probes.max(1))).max(MIN_GAP);
        *self = Pacer { left: probes, gap, due: now.saturating_add(gap), woken: false };
    }

    /// Drops the probes that are left.
    pub(crate) fn stop(&mut self) {
        self.left = 0;
    }

    /// True if a probe is due.
    pub(crate) fn is_due(&self, now: Time) -> bool {
        self.left > 0 && now >= self.due
    }

    /// True if no probe is left.
    pub(crate) fn is_done(&self) -> bool {
        self.left == 0
    }

    /// Takes the probe that is due, if one is. A late fetch shifts the later probes: they do not
    /// catch up.
    pub(crate) fn poll(&mut self, now: Time) -> bool {
        if !self.is_due(now) {
            return false;
        }
        self.left -= 1;
        self.due = now.saturating_add(self.gap);
        self.woken = false;
        true
    }

    /// The time at which to wake a sender: once for each probe, so that a sender that fetches none
    /// is not kept busy.
    pub(crate) fn next(&self) -> Option<Time> {
        (self.left > 0 && !self.woken).then_some(self.due)
    }

    /// Notes that the sender is awake.
    pub(crate) fn tick(&mut self, now: Time) {
        self.woken |= now >= self.due;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(ms: u64) -> Time {
        Time::from_millis(ms)
    }

    #[test]
    fn probes_are_spread_evenly_over_the_time() {
        let mut pacer = Pacer::default();
        assert_eq!(pacer.next(), None);
        pacer.start(ms(100), 4, Span::from_millis(40));
        let mut times = Vec::new();
        while let Some(next) = pacer.next() {
            assert!(!pacer.poll(next - Span::from_nanos(1)));
            pacer.tick(next);
            assert!(pacer.poll(next));
            assert!(!pacer.poll(next), "two at once");
            times.push(next);
        }
        assert_eq!(times, [ms(110), ms(120), ms(130), ms(140)]);
    }

    #[test]
    fn a_late_host_gets_no_burst_and_one_that_fetches_none_is_woken_once() {
        let mut pacer = Pacer::default();
        pacer.start(ms(0), 3, Span::from_millis(30));
        pacer.tick(ms(10));
        assert_eq!(pacer.next(), None);
        assert!(pacer.poll(ms(25)));
        assert!(!pacer.poll(ms(25)));
        assert_eq!(pacer.next(), Some(ms(35)));
        pacer.stop();
        assert!(!pacer.poll(ms(100)));
        assert_eq!(pacer.next(), None);
    }

    #[test]
    fn without_a_time_to_spread_them_over_they_still_do_not_go_at_once() {
        let mut pacer = Pacer::default();
        pacer.start(ms(0), u32::MAX, Span::ZERO);
        let first = pacer.next().expect("due");
        assert!(pacer.poll(first) && !pacer.poll(first));
        // At the end of time no later time exists, and nothing overflows.
        pacer.start(Time::MAX, 2, Span::MAX);
        assert!(pacer.poll(Time::MAX));
    }
}
