//! Jitter of the data packets of a flow, in two readings.
//!
//! The papers draw "the jitter experienced by each packet" and do not say how it is computed. Two
//! readings are measured: the change of the transit time from packet to packet (RFC 3550), and the
//! change of the gaps between arrivals, which also reflects changes of the sending rate. Both
//! follow the order of arrival and cover all data packets that arrive. Retransmissions and
//! duplicates count, each from its own sending time; probes do not.

use atl_core::time::Time;

const NANOS: f64 = 1e9;

/// A sum of nanoseconds, and its number of terms.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    nanos: u64,
    terms: u64,
}

impl Sum {
    #[inline]
    fn add(&mut self, nanos: u64) {
        self.nanos = self.nanos.saturating_add(nanos);
        self.terms += 1;
    }

    /// The mean of the terms added since `before`, in seconds.
    fn mean_since(&self, before: &Sum) -> Option<f64> {
        let terms = self.terms - before.terms;
        (terms > 0).then(|| (self.nanos - before.nanos) as f64 / NANOS / terms as f64)
    }
}

/// Jitter of the data packets of one flow.
#[derive(Clone, Debug, Default)]
pub struct Arrivals {
    /// Packets so far, counted up to three, the number that a difference of gaps needs.
    seen: u8,
    came: Time,
    /// Transit time of the previous packet, in nanoseconds.
    transit: u64,
    /// Gap between the two previous arrivals, in nanoseconds.
    gap: u64,
    transits: Sum,
    gaps: Sum,
    /// The sums at the start of the measurement.
    since: (Sum, Sum),
    /// The sum of transit differences at the last [`take_interval`](Self::take_interval).
    taken: Sum,
}

impl Arrivals {
    /// A data packet sent at `sent_at` arrived.
    #[inline]
    pub fn on_packet(&mut self, now: Time, sent_at: Time) {
        // Differences wrap, so the clock of the sender may be ahead of that of the receiver.
        let transit = now.nanos().wrapping_sub(sent_at.nanos());
        let gap = now.since(self.came).nanos();
        if self.seen == 3 || self.step() {
            self.gaps.add(gap.abs_diff(self.gap));
        }
        if self.seen > 1 {
            self.transits.add(transit.wrapping_sub(self.transit).cast_signed().unsigned_abs());
        }
        (self.came, self.transit, self.gap) = (now, transit, gap);
    }

    /// Counts the first three packets. Returns true at the third, the first one with a previous
    /// gap.
    #[cold]
    fn step(&mut self) -> bool {
        self.seen += 1;
        self.seen == 3
    }

    /// Mean jitter since the start of the measurement, in seconds: the mean of |D| of RFC 3550
    /// (sec. 6.4.1), the difference between the transit times of two successive packets. `None`
    /// with fewer than two packets.
    pub fn transit_jitter(&self) -> Option<f64> {
        self.transits.mean_since(&self.since.0)
    }

    /// Mean difference between successive gaps between arrivals since the start of the measurement,
    /// in seconds. `None` with fewer than three packets.
    pub fn gap_jitter(&self) -> Option<f64> {
        self.gaps.mean_since(&self.since.1)
    }

    /// Mean of |D| since the last call, in seconds; `None` if nothing has arrived since.
    pub fn take_interval(&mut self) -> Option<f64> {
        let mean = self.transits.mean_since(&self.taken);
        self.taken = self.transits;
        mean
    }

    /// Starts the measurement. The previous packets are kept, and the next packet is compared with
    /// them.
    pub fn reset(&mut self) {
        self.since = (self.transits, self.gaps);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn close(value: Option<f64>, expected: f64) -> bool {
        value.is_some_and(|v| (v - expected).abs() < 1e-12)
    }

    fn after(packets: &[(u64, u64)]) -> Arrivals {
        let mut arrivals = Arrivals::default();
        for &(sent, came) in packets {
            arrivals.on_packet(Time::from_millis(came), Time::from_millis(sent));
        }
        arrivals
    }

    #[test]
    fn jitter_of_a_few_packets_matches_a_calculation_by_hand() {
        // Transit times of 10, 14, 11 and 11 ms: |D| is 4, 3 and 0. Gaps of 24, 17 and 40 ms differ
        // by 7 and 23.
        let arrivals = after(&[(0, 10), (20, 34), (40, 51), (80, 91)]);
        assert!(close(arrivals.transit_jitter(), 7e-3 / 3.0), "{:?}", arrivals.transit_jitter());
        assert!(close(arrivals.gap_jitter(), 15e-3), "{:?}", arrivals.gap_jitter());
    }

    #[test]
    fn a_change_of_the_sending_rate_changes_only_the_jitter_of_gaps() {
        let arrivals = after(&[(0, 10), (20, 30), (50, 60), (60, 70)]);
        assert_eq!(arrivals.transit_jitter(), Some(0.0));
        assert!(close(arrivals.gap_jitter(), 15e-3));
    }

    #[test]
    fn the_first_packets_have_no_jitter() {
        for n in 0..4 {
            let packets = [(0, 10), (20, 34), (40, 51), (80, 91)];
            let arrivals = after(&packets[..n]);
            assert_eq!(arrivals.transit_jitter().is_some(), n >= 2);
            assert_eq!(arrivals.gap_jitter().is_some(), n >= 3);
        }
    }

    #[test]
    fn an_interval_covers_packets_since_the_previous_one_even_across_a_reset() {
        let mut arrivals = after(&[(0, 10), (20, 34)]);
        assert!(close(arrivals.take_interval(), 4e-3));
        assert_eq!(arrivals.take_interval(), None);
        arrivals.on_packet(Time::from_millis(51), Time::from_millis(40));
        arrivals.reset();
        assert_eq!((arrivals.transit_jitter(), arrivals.gap_jitter()), (None, None));
        arrivals.on_packet(Time::from_millis(92), Time::from_millis(80));
        // The measurement compares with the packet before it: a transit time of 12 ms after 11, a
        // gap of 41 ms after 17.
        assert!(close(arrivals.transit_jitter(), 1e-3));
        assert!(close(arrivals.gap_jitter(), 24e-3));
        assert!(close(arrivals.take_interval(), 2e-3));
    }

    proptest! {
        #[test]
        fn jitter_is_the_mean_of_differences_in_the_order_of_arrival(
            packets in prop::collection::vec((0_u64..1000, 0_u64..100), 3..50),
            reset in 0_usize..50,
        ) {
            let mut came = 0;
            let packets: Vec<(u64, u64)> = packets
                .into_iter()
                .map(|(gap, sent_before)| {
                    came += gap;
                    (came, came.saturating_sub(sent_before))
                })
                .collect();
            let mut arrivals = Arrivals::default();
            for (i, &(came, sent)) in packets.iter().enumerate() {
                if i == reset {
                    arrivals.reset();
                }
                arrivals.on_packet(Time::from_nanos(came), Time::from_nanos(sent));
            }
            let reset = if reset < packets.len() { reset } else { 0 };
            let mean = |from: usize, term: &dyn Fn(usize) -> u64| {
                let terms: Vec<u64> = (from.max(reset)..packets.len()).map(term).collect();
                let n = terms.len() as f64;
                (n > 0.0).then(|| terms.iter().sum::<u64>() as f64 / 1e9 / n)
            };
            let transit = |i: usize| packets[i].0 - packets[i].1;
            let gap = |i: usize| packets[i].0 - packets[i - 1].0;
            let expected = mean(1, &|i| transit(i).abs_diff(transit(i - 1)));
            prop_assert_eq!(arrivals.transit_jitter(), expected);
            prop_assert_eq!(arrivals.gap_jitter(), mean(2, &|i| gap(i).abs_diff(gap(i - 1))));
        }
    }
}
