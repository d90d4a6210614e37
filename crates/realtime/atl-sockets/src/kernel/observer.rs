//! A flow as the network sees it: segments that enter and leave, and what ACKs say of them.
//!
//! The kernel keeps its RTT samples to itself. But each segment and each ACK passes the network, so
//! the time from the one to the other can be measured there, as by a capture at the sender. A
//! segment that was sent again is not timed (Karn and Partridge 1987).

use std::collections::VecDeque;

use atl_core::time::Time;
use atl_endpoint::meters::Arrivals;
use atl_engine::flow::record::NetworkRtts;

use super::segment::Segment;

/// Counts of a flow's data segments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub sent: u64,
    pub retransmissions: u64,
    pub arrived: u64,
    pub reordered: u64,
}

/// A segment that is not acknowledged yet.
#[derive(Clone, Copy, Debug)]
struct Flying {
    /// Number of the byte after its last.
    end: u32,
    sent_at: Time,
    /// Neither sent again nor timed already.
    timed: bool,
}

/// A flow's counts and times, and the segments that are not acknowledged.
#[derive(Debug)]
pub(super) struct Observer {
    pub counts: Counts,
    /// The same when measurement began.
    pub before: Counts,
    pub rtts: NetworkRtts,
    pub arrivals: Arrivals,
    /// Number of the byte after the last that was sent.
    next: Option<u32>,
    /// In order of their numbers.
    flying: VecDeque<Flying>,
    /// When the newest segment that has arrived was sent.
    newest: Time,
}

/// True if byte `a` comes before `b`: numbers wrap (RFC 9293, sec. 3.4).
fn before(a: u32, b: u32) -> bool {
    a.wrapping_sub(b).cast_signed() < 0
}

impl Observer {
    /// Of a flow whose RTT samples go into `rtts`.
    pub(super) fn new(rtts: NetworkRtts) -> Self {
        Observer {
            counts: Counts::default(),
            before: Counts::default(),
            rtts,
            arrivals: Arrivals::default(),
            next: None,
            flying: VecDeque::new(),
            newest: Time::ZERO,
        }
    }

    /// A data segment enters the network.
    pub(super) fn on_sent(&mut self, now: Time, segment: &Segment) {
        self.counts.sent += 1;
        let next = *self.next.get_or_insert(segment.seq);
        if before(segment.seq, next) {
            self.counts.retransmissions += 1;
            let again = self.flying.iter_mut().filter(|flying| before(segment.seq, flying.end));
            // One more than needed loses its sample where segments are cut anew.
            again.take_while(|flying| !before(segment.end(), flying.end)).for_each(|flying| {
                flying.timed = false;
            });
        }
        if before(next, segment.end()) {
            let timed = !before(segment.seq, next);
            self.flying.push_back(Flying { end: segment.end(), sent_at: now, timed });
            self.next = Some(segment.end());
        }
    }

    /// A segment in the other direction reaches the sender, with an ACK.
    pub(super) fn on_ack(&mut self, now: Time, segment: &Segment) {
        // A block below what is acknowledged tells of a duplicate (RFC 2883).
        let sacked = segment.sacked.filter(|end| before(segment.ack, *end));
        let newest = sacked.unwrap_or(segment.ack);
        let at = self.flying.partition_point(|flying| before(flying.end, newest));
        if let Some(flying) = self.flying.get_mut(at)
            && flying.end == newest
            && std::mem::take(&mut flying.timed)
        {
            self.rtts.note(now, now.since(flying.sent_at));
        }
        while self.flying.front().is_some_and(|flying| !before(segment.ack, flying.end)) {
            self.flying.pop_front();
        }
    }

    /// A data segment that entered the network at `sent_at` reaches the receiver.
    pub(super) fn on_arrived(&mut self, now: Time, sent_at: Time) {
        self.counts.arrived += 1;
        self.counts.reordered += u64::from(sent_at < self.newest);
        self.newest = self.newest.max(sent_at);
        self.arrivals.on_packet(now, sent_at);
    }

    /// Measurement begins.
    pub(super) fn begin(&mut self) {
        self.before = self.counts;
        self.rtts.reset();
        self.arrivals.reset();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn data(seq: u32, bytes: u32) -> Segment {
        Segment { from_port: 1, to_port: 2, seq, bytes, ack: 0, sacked: None }
    }

    fn ack(ack: u32, sacked: Option<u32>) -> Segment {
        Segment { ack, sacked, ..data(0, 0) }
    }

    fn observer() -> Observer {
        Observer::new(NetworkRtts::of_one(true))
    }

    fn ms(ms: u64) -> Time {
        Time::from_millis(ms)
    }

    /// Minimum, median and 95th percentile, in milliseconds.
    fn rtts(observer: &Observer) -> [Option<i64>; 3] {
        let [median, p95, min] = observer.rtts.whole();
        [min, median, p95].map(|s| s.map(|s| (s * 1e3).round() as i64))
    }

    #[test]
    fn the_ack_of_a_segment_times_it_once_and_over_the_end_of_the_numbers() {
        let mut observer = observer();
        observer.on_sent(ms(0), &data(u32::MAX - 50, 100));
        observer.on_sent(ms(1), &data(49, 100));
        observer.on_ack(ms(40), &ack(49, None));
        observer.on_ack(ms(90), &ack(49, None));
        assert_eq!(rtts(&observer), [Some(40); 3]);
        observer.on_ack(ms(91), &ack(149, None));
        assert_eq!(rtts(&observer)[2], Some(90));
        assert!(observer.flying.is_empty());
        assert_eq!(observer.counts, Counts { sent: 2, ..Counts::default() });
    }

    #[test]
    fn a_sack_times_what_it_tells_of_and_a_duplicate_nothing() {
        let mut observer = observer();
        for packet in 0..3 {
            observer.on_sent(ms(u64::from(packet)), &data(100 * packet, 100));
        }
        // The first is lost.
        observer.on_ack(ms(51), &ack(0, Some(200)));
        observer.on_ack(ms(52), &ack(0, Some(300)));
        assert_eq!(rtts(&observer), [Some(50); 3]);
        observer.on_sent(ms(60), &data(0, 100));
        observer.on_ack(ms(200), &ack(300, Some(100)));
        assert_eq!(rtts(&observer), [Some(50); 3], "the repair is not timed");
        assert_eq!((observer.counts.sent, observer.counts.retransmissions), (4, 1));
        assert!(observer.flying.is_empty());
    }

    #[test]
    fn what_is_sent_again_is_not_timed() {
        let mut observer = observer();
        observer.on_sent(ms(0), &data(0, 100));
        observer.on_sent(ms(1), &data(100, 100));
        observer.on_sent(ms(300), &data(0, 100));
        observer.on_ack(ms(310), &ack(100, None));
        assert_eq!(rtts(&observer), [None; 3]);
        observer.on_ack(ms(311), &ack(200, None));
        assert_eq!(rtts(&observer)[0], Some(310));
    }

    #[test]
    fn one_that_is_overtaken_arrives_reordered_and_a_repair_does_not() {
        let mut observer = observer();
        for (now, sent_at) in [(10, 1), (11, 3), (12, 2), (30, 20)] {
            observer.on_arrived(ms(now), ms(sent_at));
        }
        assert_eq!((observer.counts.arrived, observer.counts.reordered), (4, 1));
        observer.begin();
        assert_eq!(observer.before.arrived, 4);
    }
}
