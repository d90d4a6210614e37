//! Congestion intervals: the packets from one congestion event to the next, and the losses of each
//! event.
//!
//! Source: Floyd, Handley, Padhye, Widmer, TFRC (SIGCOMM 2000; RFC 5348, sec. 5.4), whose weighted
//! average of the last eight intervals stands in for ARC's "tau": weights 1, 1, 1, 1, .8, .6, .4,
//! .2 from the newest on, and the open interval counts where it makes the loss smaller. TFRC counts
//! an event as one loss; here its lost packets count.

use super::Counting;

/// The number of closed intervals that are kept.
const KEPT: usize = 8;

/// TFRC's weights, the newest interval's first.
const WEIGHTS: [f64; KEPT] = [1.0, 1.0, 1.0, 1.0, 0.8, 0.6, 0.4, 0.2];

/// The packets from the beginning of one congestion event to the next.
#[derive(Clone, Copy, Debug, Default)]
struct Interval {
    /// Packets that met the wired path: all but those that the wireless link lost.
    packets: f64,
    /// Those of them that congestion lost; 1 where events are counted.
    lost: f64,
}

/// The last intervals of a flow, and the open one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Intervals {
    counting: Counting,
    /// The closed intervals, newest first, of which `closed` are in use.
    kept: [Interval; KEPT],
    closed: usize,
    /// Number of the packet at which the open interval began.
    from: u64,
    /// Packets since then that the wireless link lost.
    spared: u64,
    /// Packets since then that congestion lost.
    lost: u64,
    /// One past the newest packet whose fate may be known.
    end: u64,
    /// Until the first event: packets of an interval that would give the rate at the flow's start.
    seed: f64,
}

impl Intervals {
    pub(super) fn new(counting: Counting) -> Self {
        Intervals {
            counting,
            kept: [Interval::default(); KEPT],
            closed: 0,
            from: 0,
            spared: 0,
            lost: 0,
            end: 0,
            seed: 1.0,
        }
    }

    /// Before the first event the loss is at most 1 in `packets`.
    pub(super) fn seed(&mut self, packets: f64) {
        self.seed = packets;
    }

    /// Notes that the fate of packets up to this number may be known.
    #[inline]
    pub(super) fn reach(&mut self, seq: u64) {
        self.end = self.end.max(seq.saturating_add(1));
    }

    /// Notes that the wireless link lost a packet.
    pub(super) fn spare(&mut self) {
        self.spared += 1;
    }

    /// Notes that congestion lost one more packet of the current event.
    pub(super) fn lose(&mut self) {
        self.lost += 1;
    }

    /// Notes that congestion lost packet `seq`, which begins an event. The flow's first one closes
    /// an interval of `seed` packets instead of the packets since the start.
    pub(super) fn begin(&mut self, seq: u64, seed: f64) {
        let interval = match self.closed {
            0 => Interval { packets: seed.max(1.0), lost: 1.0 },
            _ => self.interval_to(seq),
        };
        self.kept.rotate_right(1);
        self.kept[0] = interval;
        self.closed = (self.closed + 1).min(KEPT);
        (self.from, self.spared, self.lost) = (seq, 0, 1);
        self.reach(seq);
    }

    /// True until congestion has lost the first packet.
    pub(super) fn is_new(&self) -> bool {
        self.closed == 0
    }

    /// The interval from the last event up to packet `end`, excluded.
    fn interval_to(&self, end: u64) -> Interval {
        let passed = end.saturating_sub(self.from).saturating_sub(self.spared).max(1) as f64;
        let lost = match self.counting {
            Counting::Packets => (self.lost as f64).min(passed),
            Counting::Events => 1.0,
        };
        Interval { packets: passed, lost }
    }

    /// P(I1): the share of packets that congestion loses, above 0 and at most 1.
    pub(super) fn loss(&self) -> f64 {
        let open = self.interval_to(self.end);
        if self.is_new() {
            return 1.0 / open.packets.max(self.seed);
        }
        let average = |intervals: &mut dyn Iterator<Item = &Interval>| {
            let (mut lost, mut packets) = (0.0, 0.0);
            for (interval, weight) in intervals.zip(WEIGHTS) {
                lost += weight * interval.lost;
                packets += weight * interval.packets;
            }
            lost / packets
        };
        let kept = &self.kept[..self.closed];
        let without = average(&mut kept.iter());
        let with = average(&mut core::iter::once(&open).chain(kept));
        without.min(with)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Events at these packets, each with a number of lost packets, then packets up to `end`.
    fn intervals(counting: Counting, events: &[(u64, u32)], end: u64) -> Intervals {
        let mut intervals = Intervals::new(counting);
        for &(seq, lost) in events {
            intervals.begin(seq, 100.0);
            for _ in 1..lost {
                intervals.lose();
            }
        }
        intervals.reach(end - 1);
        intervals
    }

    #[track_caller]
    fn is(found: f64, expected: f64) {
        assert!((found / expected - 1.0).abs() < 1e-12, "{found} instead of {expected}");
    }

    #[test]
    fn packets_weigh_as_many_as_were_lost() {
        // Intervals, newest first: 200 packets of which 3 lost, and the seed, 1 in 100. The open
        // one, of 50 packets and 2 lost, makes the loss larger and does not count.
        let events = [(10, 3), (210, 2)];
        is(intervals(Counting::Packets, &events, 260).loss(), 4.0 / 300.0);
        is(intervals(Counting::Events, &events, 260).loss(), 2.0 / 300.0);
        // From 200 packets on the open one brings the loss down.
        is(intervals(Counting::Packets, &events, 410).loss(), 6.0 / 500.0);
        is(intervals(Counting::Events, &events, 410).loss(), 3.0 / 500.0);
    }

    #[test]
    fn the_wireless_link_s_losses_never_met_the_wired_path() {
        let mut intervals = intervals(Counting::Packets, &[(10, 1)], 20);
        intervals.spare();
        intervals.spare();
        intervals.begin(112, 1.0);
        // 102 packets from 10 on, 2 of them lost on the link; and the seed.
        is(intervals.loss(), 2.0 / 200.0);
    }

    #[test]
    fn the_last_eight_count_by_tfrc_s_weights() {
        // The seed, then intervals of 1, 2, ... 9 hundred packets: the seed and the first are
        // forgotten.
        let mut at = 0;
        let mut events = vec![(0, 1)];
        for hundreds in 1..=9 {
            at += 100 * hundreds;
            events.push((at, 1));
        }
        // 9 + 8 + 7 + 6 + .8 * 5 + .6 * 4 + .4 * 3 + .2 * 2 = 38; the weights' sum is 6.
        is(intervals(Counting::Packets, &events, at + 1).loss(), 6.0 / 3800.0);
        // With an open one of 2000 packets: 20 + 9 + 8 + 7 + .8 * 6 + .6 * 5 + .4 * 4 + .2 * 3 =
        // 54.
        is(intervals(Counting::Packets, &events, at + 2000).loss(), 6.0 / 5400.0);
    }

    #[test]
    fn before_the_first_event_the_packets_since_the_start_bound_the_loss() {
        let mut intervals = Intervals::new(Counting::Packets);
        intervals.seed(40.0);
        intervals.reach(9);
        is(intervals.loss(), 1.0 / 40.0);
        intervals.reach(199);
        is(intervals.loss(), 1.0 / 200.0);
        assert!(intervals.is_new());
        intervals.begin(150, 60.0);
        is(intervals.loss(), 1.0 / 60.0);
    }

    #[test]
    fn numbers_that_go_back_or_never_were_give_a_share() {
        let mut intervals = intervals(Counting::Packets, &[(1000, 90), (5, 1), (6, 200)], 7);
        assert!(intervals.loss() > 0.0 && intervals.loss() <= 1.0);
        intervals.reach(u64::MAX);
        assert!(intervals.loss() > 0.0 && intervals.loss() <= 1.0);
        intervals.begin(u64::MAX, f64::NAN);
        assert!(intervals.loss() > 0.0 && intervals.loss() <= 1.0);
    }

    /// Each packet may be lost until a seed says otherwise, and no interval is shorter than one.
    #[test]
    fn one_packet_is_the_shortest_interval() {
        let mut intervals = Intervals::new(Counting::Packets);
        is(intervals.loss(), 1.0);
        intervals.begin(5, 0.0);
        is(intervals.loss(), 1.0);
    }
}
