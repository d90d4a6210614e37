//! X_recv_set: recent receive rates, which limit the sending rate (RFC 5348, sec. 4.3 and 8.2.2).

use crate::time::{Span, Time};

/// "It is sufficient to limit X_recv_set to at most N=3 elements" (sec. 8.2.2).
const N: usize = 3;

/// X_recv_set, in packets per second with the times of the reports.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReceiveRates {
    /// Rates with their times, the newest last; never empty.
    set: [(Time, f64); N],
    len: usize,
}

impl ReceiveRates {
    /// "X_recv_set is first initialized to contain a single item, with value Infinity."
    pub(super) fn new(now: Time) -> Self {
        ReceiveRates { set: [(now, f64::INFINITY); N], len: 1 }
    }

    fn items(&self) -> &[(Time, f64)] {
        &self.set[..self.len]
    }

    /// The largest rate, max (X_recv_set).
    pub(super) fn max(&self) -> f64 {
        self.items().iter().fold(0.0, |most, item| item.1.max(most))
    }

    /// "Replace X_recv_set contents with the single item".
    pub(super) fn replace(&mut self, now: Time, rate: f64) {
        (self.set[0], self.len) = ((now, rate), 1);
    }

    /// "Halve entries in X_recv_set."
    pub(super) fn halve(&mut self) {
        for item in &mut self.set[..self.len] {
            item.1 /= 2.0;
        }
    }

    /// "Add X_recv to X_recv_set; delete initial value Infinity from X_recv_set, if it is still a
    /// member. Set the timestamp of the largest item to the current time; delete all other items."
    pub(super) fn maximize(&mut self, now: Time, rate: f64) {
        let finite = self.items().iter().filter(|item| item.1.is_finite());
        let most = finite.fold(rate, |most, item| item.1.max(most));
        self.replace(now, most);
    }

    /// "Add X_recv to X_recv_set; delete from X_recv_set values older than two round-trip times.
    /// Keep only the most recent N values."
    pub(super) fn update(&mut self, now: Time, rate: f64, rtt: Span) {
        let (old, mut kept) = (*self, 0);
        for &item in old.items() {
            if now.since(item.0) <= rtt * 2 {
                self.set[kept] = item;
                kept += 1;
            }
        }
        if kept == N {
            self.set.copy_within(1.., 0);
            kept -= 1;
        }
        self.set[kept] = (now, rate);
        self.len = kept + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RTT: Span = Span::from_millis(100);

    fn ms(ms: u64) -> Time {
        Time::from_millis(ms)
    }

    fn is(set: &ReceiveRates, expected: f64) {
        assert!((set.max() - expected).abs() < 1e-12, "{set:?} {expected}");
    }

    /// "Recv_limit is set to Infinity for the first two round-trip times of the connection."
    #[test]
    fn infinity_lasts_for_two_round_trips() {
        let mut set = ReceiveRates::new(ms(0));
        set.update(ms(100), 4.0, RTT);
        set.update(ms(200), 8.0, RTT);
        assert!(set.max().is_infinite());
        set.update(ms(201), 6.0, RTT);
        is(&set, 8.0);
    }

    #[test]
    fn values_of_the_last_two_round_trips_count() {
        let mut set = ReceiveRates::new(ms(0));
        set.replace(ms(0), 9.0);
        set.update(ms(200), 4.0, RTT);
        is(&set, 9.0);
        set.update(ms(201), 5.0, RTT);
        is(&set, 5.0);
        // Of three the oldest goes.
        set.update(ms(202), 3.0, RTT);
        set.update(ms(203), 3.5, RTT);
        is(&set, 5.0);
        set.update(ms(204), 3.5, RTT);
        is(&set, 3.5);
        set.halve();
        is(&set, 1.75);
    }

    #[test]
    fn a_data_limited_sender_keeps_its_best_alone() {
        let mut set = ReceiveRates::new(ms(0));
        set.maximize(ms(50), 4.0);
        is(&set, 4.0);
        set.maximize(ms(100), 3.0);
        is(&set, 4.0);
        set.maximize(ms(150), 7.0);
        is(&set, 7.0);
        // Its time is the last one's: it stays for two more round-trip times.
        set.update(ms(350), 1.0, RTT);
        is(&set, 7.0);
        set.update(ms(351), 1.0, RTT);
        is(&set, 1.0);
    }
}
