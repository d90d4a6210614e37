//! How unevenly a flow's data packets arrive: jitter both ways.
//!
//! The papers draw "the jitter experienced by each packet" and do not say how it is computed. Two readings are
//! measured: how much the time under way changes from packet to packet (RFC 3550), and how much the gaps between
//! arrivals change, which counts changes of the sending rate too. Both go in the order of arrival, over all data
//! packets that arrive: retransmissions and copies count, each from when it was sent, and probes do not.

use atl_core::time::Time;

const NANOS: f64 = 1e9;

/// A sum of nanoseconds and how many terms it has.
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

    /// The mean of what was added since `before`, in seconds.
    fn mean_since(&self, before: &Sum) -> Option<f64> {
        let terms = self.terms - before.terms;
        (terms > 0).then(|| (self.nanos - before.nanos) as f64 / NANOS / terms as f64)
    }
}

/// Jitter of one flow's data packets, as they arrive.
#[derive(Clone, Debug, Default)]
pub struct Arrivals {
    /// Packets so far, up to the three that a difference of gaps takes.
    seen: u8,
    came: Time,
    /// Nanoseconds that the previous packet was under way.
    transit: u64,
    /// Nanoseconds between the two previous arrivals.
    gap: u64,
    transits: Sum,
    gaps: Sum,
    /// The sums when measurement began.
    since: (Sum, Sum),
    /// The sum of transits when an interval was last taken.
    taken: Sum,
}

impl Arrivals {
    /// A data packet arrived that was sent at `sent_at`.
    #[inline]
    pub fn on_packet(&mut self, now: Time, sent_at: Time) {
        // Differences wrap, so that a sender's clock may run ahead of the receiver's.
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

    /// Counts the first three packets; true of the third, at which there is a gap before this one.
    #[cold]
    fn step(&mut self) -> bool {
        self.seen += 1;
        self.seen == 3
    }

    /// Mean jitter since measurement began, in seconds: the mean of |D| of RFC 3550 (sec. 6.4.1), the difference of
    /// two successive packets' times under way. `None` with fewer than two packets.
    pub fn transit_jitter(&self) -> Option<f64> {
        self.transits.mean_since(&self.since.0)
    }

    /// Mean difference of neighbouring gaps between arrivals since measurement began, in seconds. `None` with
    /// fewer than three packets.
    pub fn gap_jitter(&self) -> Option<f64> {
        self.gaps.mean_since(&self.since.1)
    }

    /// Mean of |D| since this was asked before, in seconds; `None` if nothing has come since.
    pub fn take_interval(&mut self) -> Option<f64> {
        let mean = self.transits.mean_since(&self.taken);
        self.taken = self.transits;
        mean
    }

    /// Measurement begins. The previous packets are kept: the next one is compared with them.
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
    fn jitter_of_a_few_packets_is_what_one_computes_by_hand() {
        // Under way 10, 14, 11 and 11 ms: |D| is 4, 3 and 0. Gaps 24, 17 and 40 ms: they differ by 7 and 23.
        let arrivals = after(&[(0, 10), (20, 34), (40, 51), (80, 91)]);
        assert!(close(arrivals.transit_jitter(), 7e-3 / 3.0), "{:?}", arrivals.transit_jitter());
        assert!(close(arrivals.gap_jitter(), 15e-3), "{:?}", arrivals.gap_jitter());
    }

    #[test]
    fn a_sender_that_changes_its_rate_has_jitter_of_gaps_alone() {
        let arrivals = after(&[(0, 10), (20, 30), (50, 60), (60, 70)]);
        assert_eq!(arrivals.transit_jitter(), Some(0.0));
        assert!(close(arrivals.gap_jitter(), 15e-3));
    }

    #[test]
    fn the_first_packets_have_none() {
        for n in 0..4 {
            let packets = [(0, 10), (20, 34), (40, 51), (80, 91)];
            let arrivals = after(&packets[..n]);
            assert_eq!(arrivals.transit_jitter().is_some(), n >= 2);
            assert_eq!(arrivals.gap_jitter().is_some(), n >= 3);
        }
    }

    #[test]
    fn an_interval_is_what_came_since_the_one_before_and_a_reset_is_no_part_of_it() {
        let mut arrivals = after(&[(0, 10), (20, 34)]);
        assert!(close(arrivals.take_interval(), 4e-3));
        assert_eq!(arrivals.take_interval(), None);
        arrivals.on_packet(Time::from_millis(51), Time::from_millis(40));
        arrivals.reset();
        assert_eq!((arrivals.transit_jitter(), arrivals.gap_jitter()), (None, None));
        arrivals.on_packet(Time::from_millis(92), Time::from_millis(80));
        // Measurement compares with the packet before it: 12 ms under way after 11, a gap of 41 ms after 17.
        assert!(close(arrivals.transit_jitter(), 1e-3));
        assert!(close(arrivals.gap_jitter(), 24e-3));
        assert!(close(arrivals.take_interval(), 2e-3));
    }

    proptest! {
        #[test]
        fn it_is_the_mean_of_differences_in_the_order_of_arrival(
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
