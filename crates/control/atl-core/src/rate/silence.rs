//! A timer for the time without feedback.

use crate::time::{Span, Time};

/// A timer that expires when data was sent and no feedback has arrived for a while. Each further
/// expiry comes after twice the time (as with RFC 6298's timer), until feedback arrives.
#[derive(Clone, Copy, Debug)]
pub struct Silence {
    due: Option<Time>,
    expiries: u32,
    wait: Span,
    most: Span,
}

impl Silence {
    /// A timer that waits `initial` before the first feedback, and at most `most`.
    pub fn new(initial: Span, most: Span) -> Self {
        Silence { due: None, expiries: 0, wait: initial, most }
    }

    /// Notes that a packet left: from now on feedback is due.
    #[inline]
    pub fn on_sent(&mut self, now: Time) {
        if self.due.is_none() {
            self.due = Some(now.saturating_add(self.wait()));
        }
    }

    /// Notes feedback. `wait` is the longest time until the next, zero for the same as before;
    /// `in_flight` is true if more is due.
    #[inline]
    pub fn on_feedback(&mut self, now: Time, wait: Span, in_flight: bool) {
        if !wait.is_zero() {
            self.wait = wait;
        }
        self.expiries = 0;
        self.due = in_flight.then(|| now.saturating_add(self.wait()));
    }

    /// True once for each expiry. A sender that paces very slowly is not silent for longer than the
    /// time until its own next packet: `gap` is the time between two packets.
    pub fn expired(&mut self, now: Time, gap: Span) -> bool {
        if self.due.is_none_or(|due| now < due) {
            return false;
        }
        self.expiries += 1;
        self.due = Some(now.saturating_add(self.wait().max(gap)));
        true
    }

    fn wait(&self) -> Span {
        let nanos = self.wait.nanos().saturating_mul(1 << self.expiries.min(32));
        Span::from_nanos(nanos.max(1)).min(self.most)
    }

    /// The time at which it expires.
    #[inline]
    pub fn next_timeout(&self) -> Option<Time> {
        self.due
    }

    /// The number of expiries in a row.
    pub fn expiries(&self) -> u32 {
        self.expiries
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_twice_as_long_each_time_until_something_comes_back() {
        let mut silence = Silence::new(Span::from_secs(1), Span::from_secs(5));
        assert_eq!(silence.next_timeout(), None);
        silence.on_sent(Time::ZERO);
        assert!(!silence.expired(Time::from_millis(999), Span::ZERO));
        assert!(silence.expired(Time::from_millis(1000), Span::ZERO));
        assert_eq!(silence.next_timeout(), Some(Time::from_millis(3000)));
        assert!(silence.expired(Time::from_millis(3000), Span::ZERO));
        assert!(silence.expired(Time::from_millis(7000), Span::ZERO));
        assert_eq!(silence.next_timeout(), Some(Time::from_millis(12_000)));
        assert_eq!(silence.expiries(), 3);
        silence.on_feedback(Time::from_millis(8000), Span::from_millis(200), true);
        assert_eq!(silence.next_timeout(), Some(Time::from_millis(8200)));
        silence.on_feedback(Time::from_millis(8100), Span::ZERO, false);
        assert_eq!((silence.next_timeout(), silence.expiries()), (None, 0));
    }
}
