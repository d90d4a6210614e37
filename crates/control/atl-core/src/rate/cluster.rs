//! Loss events: groups of losses that a sender answers once.

use super::Lost;
use crate::time::Time;

/// Groups losses so that one event is answered once: packets sent before the last answer could take
/// effect belong to the event that it answered. RAP calls it a cluster; ATL and ARC throttle "once
/// an RTT".
#[derive(Clone, Copy, Debug, Default)]
pub struct Clusters {
    /// Losses of packets sent before this belong to an event that was answered.
    answered: Time,
}

impl Clusters {
    /// No event so far.
    pub fn new() -> Self {
        Clusters::default()
    }

    /// True if this loss begins an event, which the caller now answers.
    pub fn begins(&mut self, now: Time, lost: &Lost) -> bool {
        let begins = lost.sent_at >= self.answered;
        if begins {
            self.answered = now;
        }
        begins
    }

    /// Answers an event now, on other evidence than a loss: everything in flight belongs to it.
    pub fn answer(&mut self, now: Time) {
        self.answered = now;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packets_sent_before_the_answer_are_of_the_same_event() {
        let lost = |ms| Lost::new(ms, Time::from_millis(ms));
        let mut clusters = Clusters::new();
        assert!(clusters.begins(Time::from_millis(100), &lost(0)));
        assert!(!clusters.begins(Time::from_millis(100), &lost(50)));
        assert!(!clusters.begins(Time::from_millis(180), &lost(99)));
        assert!(clusters.begins(Time::from_millis(201), &lost(100)));
    }
}
