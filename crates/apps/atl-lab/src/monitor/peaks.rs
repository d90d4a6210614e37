//! The peak of the bytes in flight.

use std::time::{Duration, Instant};

/// The most that was in flight over the last round trip or two.
///
/// The bytes in flight when an acknowledgment arrives say little: a burst that filled the window is
/// over a round trip later, and its acknowledgments may still enlarge the window (RFC 9002, sec.
/// 7.8 asks whether the window was used).
#[derive(Clone, Copy, Debug)]
pub(super) struct Peaks {
    since: Instant,
    now: u64,
    before: u64,
}

impl Peaks {
    pub(super) fn new(now: Instant) -> Peaks {
        Peaks { since: now, now: 0, before: 0 }
    }

    /// Notes the bytes in flight, with the current round-trip time.
    pub(super) fn note(&mut self, now: Instant, in_flight: u64, srtt: Duration) {
        let elapsed = now.saturating_duration_since(self.since);
        if elapsed > srtt {
            // After a longer silence the last round trip was an idle one.
            let before = if elapsed > 2 * srtt { in_flight } else { self.now };
            *self = Peaks { since: now, now: in_flight, before };
        }
        self.now = self.now.max(in_flight);
    }

    /// The peak, in bytes.
    pub(super) fn most(self) -> u64 {
        self.now.max(self.before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_peak_is_remembered_for_a_round_trip_or_two() {
        #[expect(clippy::disallowed_methods, reason = "there is no other way to have an `Instant`")]
        let origin = Instant::now();
        let ms = |ms| origin + Duration::from_millis(ms);
        let srtt = Duration::from_millis(100);
        let mut peaks = Peaks::new(origin);
        peaks.note(ms(10), 9000, srtt);
        peaks.note(ms(90), 100, srtt);
        assert_eq!(peaks.most(), 9000);
        peaks.note(ms(110), 200, srtt);
        assert_eq!(peaks.most(), 9000);
        peaks.note(ms(220), 300, srtt);
        assert_eq!(peaks.most(), 300);
        peaks.note(ms(5000), 50, srtt);
        assert_eq!(peaks.most(), 50);
    }
}
