//! The receiving end of a TCP connection: reorders and acknowledges segments.

mod held;
mod short;

use atl_core::time::{Span, Time};
use atl_core::window::MarkResponse;
use atl_link::Ecn;

use super::ack::AckInfo;
use super::ecn::{EcnMode, EcnReceiver};
use super::params::Tcp;
use super::recovery::{ReceiverDuties, Recovery};
use crate::options::{SACK_BLOCKS, SackBlock};

use held::Held;
use short::Short;

/// A segment as it arrives.
#[derive(Clone, Copy, Debug)]
pub struct Arrival {
    /// Number of the segment.
    pub seq: u64,
    /// Low half of the number of the transmission.
    pub tx: u32,
    /// Time of that transmission at the sender.
    pub sent_at: Time,
    /// Bytes of payload.
    pub payload: u32,
}

/// A TCP receiver. Keeps segments that arrived out of order as ranges.
#[derive(Debug)]
pub struct Receiver {
    next: u64,
    /// Bytes of the segments below `next`.
    delivered: u64,
    /// Payload of a full segment.
    segment: u32,
    /// Segments behind a hole that are not full. Made with the first.
    short: Option<Box<Short>>,
    /// Made at the first hole, so that a receiver without any is small.
    held_back: Option<Box<Held>>,
    sack: bool,
    /// Reports duplicates (RFC 2883).
    dsack: bool,
    /// Discards segments that arrive out of order.
    discards: bool,
    delay: Option<Span>,
    /// The oldest unacknowledged arrival, and the deadline of its ACK.
    held: Option<(Arrival, Time)>,
    arrived: u64,
    ecn: Option<Box<EcnReceiver>>,
    /// The feedback on marks that it supports, and whether it sends the AccECN option.
    supports: (EcnMode, bool),
    order: Option<Box<Order>>,
}

/// The order in which packets arrived.
#[derive(Clone, Copy, Debug, Default)]
struct Order {
    /// One past the latest transmission that arrived, by its low half.
    next: Option<u32>,
    duplicates: u64,
    reordered: u64,
}

impl Receiver {
    /// A receiver of segments of at most `segment` bytes. It sends SACK blocks if `sack`, and
    /// delays ACKs by at most `delay`, if given.
    pub fn new(segment: u32, sack: bool, delay: Option<Span>) -> Self {
        Receiver {
            next: 0,
            delivered: 0,
            segment,
            short: None,
            held_back: None,
            sack,
            dsack: false,
            discards: false,
            delay,
            held: None,
            arrived: 0,
            ecn: None,
            supports: (EcnMode::Off, false),
            order: None,
        }
    }

    /// Counts [duplicates](Self::duplicates) and [packets out of order](Self::reordered).
    #[must_use]
    pub fn counting_order(self) -> Self {
        Receiver { order: Some(Box::default()), ..self }
    }

    /// True if it delays ACKs.
    pub fn delays(&self) -> bool {
        self.delay.is_some()
    }

    /// Segments that arrived again, if they are counted.
    pub fn duplicates(&self) -> Option<u64> {
        self.order.as_ref().map(|order| order.duplicates)
    }

    /// Packets that arrived after one sent later, if they are counted (RFC 4737, sec. 3.3, with
    /// transmission numbers as the sequence: a retransmission is late only by the order of its own
    /// sending).
    pub fn reordered(&self) -> Option<u64> {
        self.order.as_ref().map(|order| order.reordered)
    }

    /// The receiver that fits the loss recovery of the sender: RACK uses reported duplicates, and
    /// the receiver of go-back-N keeps nothing that is out of order.
    pub fn of(recovery: Recovery, tcp: &Tcp) -> Self {
        let ReceiverDuties { sack, dsack, discards } = recovery.receiver();
        Receiver::new(tcp.segment, sack, tcp.delayed_ack)
            .reporting_duplicates(dsack)
            .discarding(discards)
    }

    /// The same, with the feedback on marked packets on which both ends agree, where the sender's
    /// controller answers marks like this.
    #[must_use]
    pub fn with_ecn(self, tcp: &Tcp, response: MarkResponse) -> Self {
        let supports = (tcp.peer_ecn_for(response), tcp.ecn_option);
        Receiver {
            ecn: EcnReceiver::new(tcp.agreed_ecn(response), tcp.ecn_option),
            supports,
            ..self
        }
    }

    /// A connection request arrived with these flags (AE, CWR, ECE) and this ECN field. Returns the
    /// flags of its answer. A request that comes again after data changes nothing.
    pub fn on_syn(&mut self, flags: u8, ecn: Ecn) -> u8 {
        let (supports, option) = self.supports;
        let (mode, answer) = supports.answer(flags, ecn);
        if self.arrived == 0 {
            self.ecn = EcnReceiver::new(mode, option);
        }
        answer
    }

    /// The counter of the AccECN option in the ACK that was made last (RFC 9768, sec. 3.2.3: ECEB);
    /// `None` without the option.
    pub fn ecn_option(&self) -> Option<u32> {
        self.ecn.as_ref().and_then(|ecn| ecn.option())
    }

    /// The segment that arrives now has this ECN field and `payload` bytes, and the CWR flag if
    /// `cwr`. Call it before [`on_segment`](Self::on_segment).
    #[inline(never)]
    pub fn on_ecn(&mut self, ecn: Ecn, cwr: bool, payload: u32) {
        if let Some(state) = &mut self.ecn {
            state.on_packet(ecn, cwr, payload);
        }
    }

    /// Data packets that arrived marked; `None` without ECN.
    pub fn marked(&self) -> Option<u64> {
        self.ecn.as_ref().map(|ecn| ecn.count())
    }

    /// Sets whether the receiver discards segments that arrive out of order. It acknowledges them
    /// either way.
    pub fn discarding(self, discards: bool) -> Self {
        Receiver { discards, ..self }
    }

    /// Sets whether the receiver reports duplicates (D-SACK, RFC 2883), which RACK uses.
    pub fn reporting_duplicates(self, dsack: bool) -> Self {
        Receiver { dsack, ..self }
    }

    /// The next expected segment. All segments below were handed to the application, in order,
    /// once.
    #[inline]
    pub fn next(&self) -> u64 {
        self.next
    }

    /// Bytes handed to the application: those of all segments below [`next`](Self::next).
    #[inline]
    pub fn delivered_bytes(&self) -> u64 {
        self.delivered
    }

    /// Data packets that arrived, including duplicates and probes with a copy of a segment.
    pub fn arrived(&self) -> u64 {
        self.arrived
    }

    /// Ranges of segments waiting for a hole before them to be filled (the first, and the one after
    /// the last), the most recently extended first.
    pub fn held_back(&self) -> Vec<(u64, u64)> {
        self.held_back.as_ref().map_or_else(Vec::new, |held| held.all())
    }

    /// A segment arrived. Returns the ACK to send, or `None` while the ACK is delayed.
    #[inline]
    pub fn on_segment(&mut self, now: Time, arrival: Arrival) -> Option<AckInfo> {
        if self.order.is_some() {
            self.count_order(&arrival);
        }
        if self.dsack { self.take_and_report(now, arrival) } else { self.take(now, arrival) }
    }

    // Inlined twice, to keep the path without D-SACK as short as possible.
    #[inline(always)]
    fn take(&mut self, now: Time, arrival: Arrival) -> Option<AckInfo> {
        self.arrived += 1;
        let seq = arrival.seq;
        let in_order = seq == self.next && !self.has_hole();
        if seq == self.next {
            self.deliver(arrival.payload);
        } else if seq > self.next {
            self.hold(&arrival);
        }
        // Segments out of order, duplicates and filled holes are acknowledged at once (RFC 5681,
        // sec. 4.2).
        match self.delay {
            Some(delay) if in_order && self.held.is_none() && !self.must_tell() => {
                self.held = Some((arrival, now + delay));
                None
            }
            _ => {
                let echo = self.held.take().map_or(arrival, |(first, _)| first);
                Some(self.ack(echo))
            }
        }
    }

    /// Marks are to be told at once.
    fn must_tell(&self) -> bool {
        self.ecn.as_ref().is_some_and(|ecn| ecn.is_urgent())
    }

    #[inline(never)]
    fn count_order(&mut self, arrival: &Arrival) {
        let again = self.has(arrival.seq);
        let Some(order) = &mut self.order else { return };
        order.duplicates += u64::from(again);
        match order.next {
            Some(next) if arrival.tx.wrapping_sub(next).cast_signed() < 0 => order.reordered += 1,
            _ => order.next = Some(arrival.tx.wrapping_add(1)),
        }
    }

    /// True if the segment has arrived and was kept.
    #[inline]
    pub fn has(&self, seq: u64) -> bool {
        seq < self.next || self.held_back.as_ref().is_some_and(|held| held.contains(seq))
    }

    /// RFC 2883, sec. 4: the first block reports the duplicate.
    #[inline(never)]
    fn take_and_report(&mut self, now: Time, arrival: Arrival) -> Option<AckInfo> {
        let seq = arrival.seq;
        let again = self.has(seq);
        let mut ack = self.take(now, arrival)?;
        if again {
            ack.sack.rotate_right(1);
            ack.sack[0] = SackBlock { offset: seq.wrapping_sub(self.next) as u32, len: 1 };
        }
        Some(ack)
    }

    /// When the delayed ACK is due, if one is pending.
    #[inline]
    pub fn ack_due(&self) -> Option<Time> {
        self.held.as_ref().map(|(_, due)| *due)
    }

    /// The delayed ACK, if it is due.
    pub fn on_timer(&mut self, now: Time) -> Option<AckInfo> {
        let (_, due) = self.held?;
        if now < due {
            return None;
        }
        let (first, _) = self.held.take()?;
        Some(self.ack(first))
    }

    /// Repeats the last ACK. It answers no packet, echoes [`Time::MAX`] and gives no RTT sample.
    pub fn repeated_ack(&mut self) -> AckInfo {
        self.held = None;
        self.ack(Arrival { seq: 0, tx: 0, sent_at: Time::MAX, payload: 0 })
    }

    /// A probe arrived, with a copy of a segment if it `copies` one. Each probe is acknowledged.
    /// This ACK replaces a pending delayed ACK, which would look like a duplicate after it.
    pub fn on_probe(&mut self, copies: bool, probe: Arrival) -> AckInfo {
        self.held = None;
        self.arrived += u64::from(copies);
        if copies && probe.seq == self.next {
            self.deliver(probe.payload);
        } else if copies && probe.seq > self.next {
            self.hold(&probe);
        }
        self.ack(probe)
    }

    #[inline]
    fn ack(&mut self, echo: Arrival) -> AckInfo {
        let mut sack = [SackBlock::default(); SACK_BLOCKS];
        if self.sack
            && let Some(held) = &self.held_back
        {
            for (block, range) in sack.iter_mut().zip(held.recent()) {
                *block = SackBlock {
                    offset: (range.0 - self.next) as u32,
                    len: (range.1 - range.0) as u32,
                };
            }
        }
        let ecn_flags = match &mut self.ecn {
            None => 0,
            Some(ecn) => {
                ecn.on_ack();
                ecn.flags()
            }
        };
        let (echo_tx, echo_sent_at) = (echo.tx, echo.sent_at);
        AckInfo { ack: self.next, echo_tx, echo_sent_at, ecn_flags, sack }
    }

    /// Delivers the next expected segment, and the ranges that follow it.
    #[inline]
    fn deliver(&mut self, payload: u32) {
        self.next += 1;
        self.delivered += u64::from(payload);
        let Some(held) = self.held_back.as_mut().filter(|held| !held.is_empty()) else { return };
        while let Some(end) = held.take_from(self.next) {
            self.delivered += (end - self.next) * u64::from(self.segment);
            if let Some(short) = &mut self.short {
                self.delivered -= short.take_below(end);
            }
            self.next = end;
        }
    }

    /// True if a segment before one that has arrived is missing.
    #[inline]
    fn has_hole(&self) -> bool {
        self.held_back.as_ref().is_some_and(|held| !held.is_empty())
    }

    fn hold(&mut self, arrival: &Arrival) {
        if self.discards {
            return;
        }
        self.held_back.get_or_insert_default().insert(arrival.seq);
        if arrival.payload < self.segment {
            let missing = self.segment - arrival.payload;
            self.short.get_or_insert_default().insert(arrival.seq, missing);
        }
    }
}

#[cfg(test)]
mod tests {
    use atl_link::random::Stream;

    use super::*;

    fn take(receiver: &mut Receiver, seq: u64) -> Option<AckInfo> {
        let arrival =
            Arrival { seq, tx: seq as u32, sent_at: Time::from_millis(seq), payload: 1000 };
        receiver.on_segment(Time::from_millis(seq + 100), arrival)
    }

    #[test]
    fn blocks_come_most_recent_first_and_merge() {
        let mut r = Receiver::new(1000, true, None);
        for seq in [2, 4, 6] {
            take(&mut r, seq);
        }
        let ack = take(&mut r, 8).expect("an ACK for each packet");
        let offsets: Vec<u32> = ack.sack.iter().map(|b| b.offset).collect();
        assert_eq!((ack.ack, offsets), (0, vec![8, 6, 4]));
        let ack = take(&mut r, 3).expect("an ACK");
        assert_eq!(ack.sack[0], SackBlock { offset: 2, len: 3 });
        let ack = take(&mut r, 0).expect("an ACK");
        assert_eq!(ack.ack, 1);
        let ack = take(&mut r, 1).expect("an ACK");
        assert_eq!((ack.ack, ack.sack[0]), (5, SackBlock { offset: 3, len: 1 }));
    }

    #[test]
    fn a_delayed_ack_covers_two_segments_or_waits_for_its_timer() {
        let mut r = Receiver::new(1000, true, Some(Span::from_millis(200)));
        assert_eq!(take(&mut r, 0), None);
        let ack = take(&mut r, 1).expect("the second segment is acknowledged");
        // RFC 7323, sec. 4.3: the echo is that of the first segment the ACK covers.
        assert_eq!((ack.ack, ack.echo_tx), (2, 0));
        assert_eq!(take(&mut r, 2), None);
        assert_eq!(r.on_timer(Time::from_millis(301)), None);
        assert_eq!(r.on_timer(Time::from_millis(302)).map(|a| a.ack), Some(3));
        // Out of order: at once.
        assert!(take(&mut r, 5).is_some());
    }

    #[test]
    fn another_ack_replaces_the_delayed_one() {
        let mut r = Receiver::new(1000, false, Some(Span::from_millis(200)));
        assert_eq!(take(&mut r, 0), None);
        assert_eq!((r.repeated_ack().ack, r.ack_due()), (1, None));
        assert_eq!(take(&mut r, 1), None);
        let probe = Arrival { seq: 0, tx: 0, sent_at: Time::ZERO, payload: 0 };
        assert_eq!((r.on_probe(false, probe).ack, r.on_timer(Time::from_millis(900))), (2, None));
        // The next segment is delayed like any first one.
        assert_eq!((take(&mut r, 2), take(&mut r, 3).map(|a| a.ack)), (None, Some(4)));
    }

    #[test]
    fn a_duplicate_is_reported_in_the_first_block_if_requested() {
        let mut r = Receiver::new(1000, true, None).reporting_duplicates(true);
        for seq in [0, 1, 4, 5, 7] {
            assert_eq!(take(&mut r, seq).and_then(|a| a.duplicate()), None);
        }
        // Below the cumulative ACK of 2, then inside 4 to 5.
        let ack = take(&mut r, 1).expect("an ACK");
        assert_eq!(
            (ack.duplicate(), ack.sack[1], ack.sack[2].offset),
            (Some(1), SackBlock { offset: 5, len: 1 }, 2)
        );
        let ack = take(&mut r, 5).expect("an ACK");
        assert_eq!((ack.duplicate(), ack.sack[1]), (Some(5), SackBlock { offset: 2, len: 2 }));
        assert_eq!(take(&mut r, 8).and_then(|a| a.duplicate()), None);
        // No reports unless requested.
        let mut r = Receiver::new(1000, true, None);
        take(&mut r, 0);
        assert_eq!(take(&mut r, 0).and_then(|a| a.duplicate()), None);
    }

    #[test]
    fn segments_out_of_order_are_discarded_if_requested() {
        let mut r = Receiver::of(Recovery::GoBackN, &Tcp::default());
        for (seq, ack) in [(0, 1), (2, 1), (3, 1), (1, 2), (2, 3)] {
            let answer = take(&mut r, seq).expect("an ACK for each packet");
            assert_eq!((answer.ack, answer.sack[0].len), (ack, 0));
            assert!(r.held_back().is_empty());
        }
        assert_eq!((r.next(), r.arrived()), (3, 5));
    }

    #[test]
    fn a_duplicate_moves_nothing_but_is_acknowledged() {
        let mut r = Receiver::new(1000, true, None);
        take(&mut r, 0);
        let again = take(&mut r, 0).expect("an ACK");
        assert_eq!((again.ack, r.next(), r.arrived()), (1, 1, 2));
    }

    #[test]
    fn bytes_are_delivered_in_order_once_whatever_the_lengths() {
        // Segment n has n + 1 bytes, every fourth is full.
        let payload = |seq: u64| if seq % 4 == 3 { 1000 } else { seq as u32 + 1 };
        let mut stream = Stream::new(3, "order");
        for recovery in [Recovery::Sack, Recovery::GoBackN] {
            let mut r = Receiver::of(recovery, &Tcp { segment: 1000, ..Tcp::default() });
            // Each of 64 segments some ten times, in a random order, by data or by a probe.
            for _ in 0..2_000 {
                let seq = stream.below(64);
                let (tx, sent_at) = (seq as u32, Time::ZERO);
                let arrival = Arrival { seq, tx, sent_at, payload: payload(seq) };
                if stream.below(4) == 0 {
                    r.on_probe(true, arrival);
                } else {
                    r.on_segment(Time::ZERO, arrival);
                }
                let expected: u64 = (0..r.next()).map(|seq| u64::from(payload(seq))).sum();
                assert_eq!(r.delivered_bytes(), expected, "up to {}", r.next());
            }
            assert_eq!(r.next() == 64, recovery == Recovery::Sack, "{}", r.next());
        }
    }

    #[test]
    fn the_order_of_arrivals_is_counted_by_transmission() {
        let mut r = Receiver::new(1000, true, None).counting_order();
        let mut arrive = |seq, tx| {
            r.on_segment(Time::ZERO, Arrival { seq, tx, sent_at: Time::ZERO, payload: 1000 });
            (r.duplicates(), r.reordered())
        };
        assert_eq!(arrive(0, u32::MAX - 1), (Some(0), Some(0)));
        // 2 overtakes 1, which comes late; then 2 comes again, as the retransmission that it is in
        // time.
        assert_eq!(arrive(2, 0), (Some(0), Some(0)));
        assert_eq!(arrive(1, u32::MAX), (Some(0), Some(1)));
        assert_eq!(arrive(2, 1), (Some(1), Some(1)));
        assert_eq!(arrive(5, 4), (Some(1), Some(1)));
        assert_eq!(arrive(5, 2), (Some(2), Some(2)));
        assert_eq!(Receiver::new(1000, true, None).duplicates(), None);
    }
}
