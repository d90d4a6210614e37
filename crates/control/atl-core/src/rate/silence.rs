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

    #[test]
    fn no_wait_is_longer_than_the_longest_or_shorter_than_a_nanosecond() {
        let (most, second) = (Span::from_secs(5), Span::from_secs(1));
        let mut silence = Silence::new(Span::from_secs(9), most);
        silence.on_sent(Time::ZERO);
        assert_eq!(silence.next_timeout(), Some(Time::ZERO + most));
        silence.on_feedback(Time::ZERO, Span::from_secs(7), true);
        assert_eq!(silence.next_timeout(), Some(Time::ZERO + most));
        silence.on_feedback(Time::ZERO, second, true);
        assert_eq!(silence.next_timeout(), Some(Time::ZERO + second));
        let mut none = Silence::new(Span::ZERO, most);
        none.on_sent(Time::ZERO);
        assert_eq!(none.next_timeout(), Some(Time::from_nanos(1)));
    }

    /// A second packet does not put it off, and a slow sender has until its own next packet.
    #[test]
    fn the_first_packet_starts_it_and_a_long_gap_delays_it() {
        let mut silence = Silence::new(Span::from_secs(1), Span::from_secs(5));
        silence.on_sent(Time::ZERO);
        silence.on_sent(Time::from_millis(600));
        assert!(silence.expired(Time::from_millis(1000), Span::from_secs(30)));
        assert_eq!(silence.next_timeout(), Some(Time::from_millis(31_000)));
    }

    /// 2^32 is the largest multiple of the wait.
    #[test]
    fn the_wait_doubles_thirty_two_times_at_most() {
        let mut silence = Silence::new(Span::from_nanos(1), Span::MAX);
        silence.on_sent(Time::ZERO);
        for _ in 0..40 {
            let due = silence.next_timeout().expect("it runs");
            assert!(silence.expired(due, Span::ZERO));
        }
        let before = silence.next_timeout().expect("it runs");
        assert!(silence.expired(before, Span::ZERO));
        assert_eq!(silence.next_timeout(), Some(before + Span::from_nanos(1 << 32)));
    }
}
