//! The first window as a train of packets, paced at the access link's rate: if it comes through at
//! that rate, this link is the slowest of the path, and nobody else used it then.
//!
//! The dispersion of a train shows what the slowest link leaves it (Dovrolis, Ramanathan and Moore,
//! ToN 2004). The rate that is reported is never used alone: a Wi-Fi that tells of 800 Mb/s may
//! lead to 20.

use crate::time::Time;

/// The fewest packets behind the first whose dispersion counts.
const LEAST_PACKETS: f64 = 5.0;
/// A train under way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Train {
    /// The first transmission that is not part of it.
    end: u64,
    /// When its first packet arrived, and the packets since.
    since: Option<Time>,
    packets: f64,
}

impl Train {
    /// Of all packets before transmission `end`.
    pub(super) const fn new(end: u64) -> Self {
        Train { end, since: None, packets: 0.0 }
    }

    /// An ACK for `delivered` packets, up to `newest`. Gives the rate in packets per second when
    /// the last one has arrived; zero if there were too few.
    pub(super) fn on_ack(&mut self, now: Time, newest: u64, delivered: u32) -> Option<f64> {
        match self.since {
            None => self.since = Some(now),
            Some(_) => self.packets += f64::from(delivered),
        }
        let secs = now.since(self.since?).secs();
        let many = self.packets >= LEAST_PACKETS && secs > 0.0;
        (newest.saturating_add(1) >= self.end).then(|| if many { self.packets / secs } else { 0.0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ten packets, `gap` microseconds apart.
    fn train(gap: u64, delivered: u32) -> Option<f64> {
        let mut train = Train::new(10);
        let mut acks = (1..=10u64).filter(|n| n % u64::from(delivered) == 0);
        acks.find_map(|n| train.on_ack(Time::from_nanos(1000 * gap * n), n - 1, delivered))
    }

    #[test]
    fn a_trains_rate_is_that_of_the_packets_behind_the_first() {
        for (gap, delivered) in [(1000, 1), (100, 1), (1000, 2)] {
            let rate = train(gap, delivered).expect("all have arrived");
            assert!((rate - 1e6 / gap as f64).abs() < 1e-6, "{rate}");
        }
    }

    #[test]
    fn few_packets_and_packets_at_once_tell_nothing() {
        assert_eq!((train(1000, 5), train(0, 1)), (Some(5.0 / 0.005), Some(0.0)));
        assert_eq!(train(1000, 10), Some(0.0), "one ACK for all");
        let mut lost = Train::new(10);
        assert_eq!(lost.on_ack(Time::from_millis(1), 0, 1), None);
        assert_eq!(lost.on_ack(Time::from_millis(2), 8, 8), None, "the last one is missing");
        let rate = lost.on_ack(Time::from_millis(102), 10, 1).expect("the next window's first");
        assert!((rate - 9.0 / 0.101).abs() < 1e-6, "{rate}");
    }
}
