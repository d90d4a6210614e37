//! Which transmissions left when.

use std::collections::VecDeque;
use std::time::Instant;

/// The most transmits that are kept: memory is bounded. Send times older than that are unknown.
const MAX_TRACKED: usize = 1 << 16;

#[derive(Clone, Copy, Debug)]
struct Flight {
    at: Instant,
    /// The newest transmission that left then.
    newest: u64,
}

/// Finds the number of a transmission by its send time.
#[derive(Clone, Debug, Default)]
pub(crate) struct Flights {
    flights: VecDeque<Flight>,
}

impl Flights {
    pub(crate) fn on_sent(&mut self, at: Instant, newest: u64) {
        match self.flights.back_mut() {
            Some(last) if last.at >= at => last.newest = newest,
            _ => {
                if self.flights.len() >= MAX_TRACKED {
                    self.flights.pop_front();
                }
                self.flights.push_back(Flight { at, newest });
            }
        }
    }

    /// The newest transmission that had left by `at`; `None` if that is not known.
    pub(crate) fn newest_by(&self, at: Instant) -> Option<u64> {
        let after = self.flights.partition_point(|flight| flight.at <= at);
        Some(self.flights.get(after.checked_sub(1)?)?.newest)
    }

    /// Forgets the transmits before `at`, but for the last of them.
    pub(crate) fn forget_before(&mut self, at: Instant) {
        while self.flights.get(1).is_some_and(|flight| flight.at <= at) {
            self.flights.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    #[allow(clippy::disallowed_methods, reason = "there is no other way to get an Instant")]
    fn a_send_time_gives_its_transmission() {
        let start = Instant::now();
        let at = |ms| start + Duration::from_millis(ms);
        let mut flights = Flights::default();
        assert_eq!(flights.newest_by(at(5)), None);
        flights.on_sent(at(10), 3);
        flights.on_sent(at(10), 4);
        flights.on_sent(at(20), 9);
        let found = [5, 10, 15, 20, 30].map(|ms| flights.newest_by(at(ms)));
        assert_eq!(found, [None, Some(4), Some(4), Some(9), Some(9)]);
        flights.forget_before(at(25));
        assert_eq!((flights.flights.len(), flights.newest_by(at(20))), (1, Some(9)));
        for ms in 0..2 * MAX_TRACKED as u64 {
            flights.on_sent(at(100 + ms), ms);
        }
        assert_eq!(flights.flights.len(), MAX_TRACKED);
    }
}
