//! The fate of each data packet of a paced flow, by the receiver's feedback.
//!
//! - ACKs name a packet and, by a mask, the arrivals among the 32 before it, so that the loss of an
//!   ACK is not taken for the loss of a packet. A packet is lost when one at least three numbers
//!   above it has arrived (RFC 5348, sec. 5.1: `NDUPACK`).
//! - Reports give totals and do not name the lost packets. The packets that the sender's own MAC
//!   marked are taken first, and the rest of the count is spread evenly over the others (chosen; it
//!   decides where loss events begin, not how many packets are lost).
//! - Marks (ECN) are told of each packet by ACKs (as in RFC 8888), in total by reports (RFC 6679,
//!   sec. 5.1). Those of a report are spread evenly over the packets that arrived (chosen). A
//!   marked packet is a loss that is [`marked`](Lost::marked), and not delivered besides.
//!
//! Memory is bounded: the ledger keeps at most [`MOST_IN_FLIGHT`] packets in flight, beyond which
//! the oldest counts as lost, and as many losses that no feedback has reported yet.

use std::collections::VecDeque;

use super::{Feedback, Lost, Report};
use crate::measure::{RttConfig, RttEstimator};
use crate::time::{Span, Time};

/// A packet is lost once a packet at least this many numbers above it has arrived.
const REORDERING: u64 = 3;

/// Maximum number of packets in flight.
pub(super) const MOST_IN_FLIGHT: usize = 1 << 16;

#[derive(Clone, Copy, Debug)]
struct Entry {
    sent_at: Time,
    arrived: bool,
    link_failure: bool,
    /// It arrived with a mark, as a report tells.
    marked: bool,
}

/// The packets in flight, and their news since the last feedback.
#[derive(Clone, Debug)]
pub struct Ledger {
    entries: VecDeque<Entry>,
    /// Number of the first entry.
    base: u64,
    rtt: RttEstimator,
    losses: Vec<Lost>,
    delivered: u32,
    rate_limited: bool,
    /// `received` and `marked` of the last report.
    received: u64,
    marked: u64,
}

impl Default for Ledger {
    fn default() -> Self {
        Self::new()
    }
}

impl Ledger {
    /// A ledger of a flow that has sent nothing yet.
    pub fn new() -> Self {
        Ledger {
            entries: VecDeque::new(),
            base: 0,
            rtt: RttEstimator::new(RttConfig::default()),
            losses: Vec::new(),
            delivered: 0,
            rate_limited: true,
            received: 0,
            marked: 0,
        }
    }

    /// Starts with a round-trip time that is known before any packet was sent.
    #[must_use]
    pub fn with_rtt(mut self, rtt: Span) -> Self {
        self.rtt.on_sample(rtt);
        self
    }

    /// Notes that the next data packet leaves. Returns its number.
    #[inline]
    pub fn on_sent(&mut self, now: Time, app_limited: bool) -> u64 {
        self.rate_limited &= !app_limited;
        if self.entries.len() >= MOST_IN_FLIGHT {
            self.resolve(self.base + 1);
        }
        let (arrived, link_failure, marked) = (false, false, false);
        self.entries.push_back(Entry { sent_at: now, arrived, link_failure, marked });
        self.base + self.entries.len() as u64 - 1
    }

    /// Notes that the sender's own MAC gave up a packet.
    pub fn on_link_failure(&mut self, seq: u64) {
        if let Some(entry) = self.entry(seq) {
            entry.link_failure = true;
        }
    }

    fn entry(&mut self, seq: u64) -> Option<&mut Entry> {
        let index = usize::try_from(seq.checked_sub(self.base)?).ok()?;
        self.entries.get_mut(index)
    }

    /// Notes that a packet has arrived.
    #[inline]
    fn arrive(&mut self, seq: u64) {
        if let Some(entry) = self.entry(seq)
            && !entry.arrived
        {
            entry.arrived = true;
            self.delivered += 1;
        }
    }

    /// Resolves all packets below `until`: those that have not arrived are lost.
    fn resolve(&mut self, until: u64) {
        while self.base < until
            && let Some(entry) = self.entries.pop_front()
        {
            if (!entry.arrived || entry.marked) && self.losses.len() < MOST_IN_FLIGHT {
                let Entry { sent_at, link_failure, marked, .. } = entry;
                self.losses.push(Lost { seq: self.base, sent_at, link_failure, marked });
            }
            self.base += 1;
        }
    }

    /// Notes the marks that an ACK of `seq` tells, right before [`on_ack`](Self::on_ack): bit 0 of
    /// `marks` for `seq` itself, the others for the packets before it. What has been counted
    /// before, and a number that was never sent, change nothing.
    pub fn on_marks(&mut self, seq: u64, marks: u32) {
        let mut rest = marks;
        while rest != 0 {
            if let Some(seq) = seq.checked_sub(rest.trailing_zeros().into())
                && let Some(entry) = self.entry(seq)
                && !std::mem::replace(&mut entry.arrived, true)
            {
                let lost = Lost::new(seq, entry.sent_at).marked(true);
                if self.losses.len() < MOST_IN_FLIGHT {
                    self.losses.push(lost);
                }
            }
            rest &= rest - 1;
        }
    }

    /// The receiver acknowledged `seq`, sent at `sent_at`. The bits of `mask` show arrivals among
    /// the 32 packets before it: bit 0 is `seq - 1`. Returns the round-trip time, or `None` for a
    /// number that was never sent, which changes nothing.
    #[inline]
    pub fn on_ack(&mut self, now: Time, seq: u64, sent_at: Time, mask: u32) -> Option<Span> {
        if seq >= self.base + self.entries.len() as u64 {
            return None;
        }
        self.arrive(seq);
        // Only packets still in flight matter, and before `seq` there are usually none.
        let open = seq.saturating_sub(self.base).min(32);
        let mut rest = mask & ((1_u64 << open) - 1) as u32;
        while rest != 0 {
            self.arrive(seq - 1 - u64::from(rest.trailing_zeros()));
            rest &= rest - 1;
        }
        let rtt = now.since(sent_at);
        // An RTT of zero is impossible: no packet was sent at the echoed time.
        if !rtt.is_zero() {
            let in_flight = u32::try_from(self.entries.len()).unwrap_or(u32::MAX);
            self.rtt.on_one_sample_of(rtt, in_flight / 2);
        }
        // All that an arrival above shows was resolved when that came.
        self.resolve((seq + 1).saturating_sub(REORDERING));
        // Packets above may have arrived already: they are resolved too.
        while self.entries.front().is_some_and(|entry| entry.arrived) {
            self.entries.pop_front();
            self.base += 1;
        }
        // Marks that the ACK told came before the losses below them.
        self.losses.sort_unstable_by_key(|lost| lost.seq);
        Some(rtt)
    }

    /// A report of the receiver arrived. Returns the round-trip time. A report older than an
    /// earlier one gives nothing else, and a report on packets that were never sent gives nothing
    /// at all.
    pub fn on_report(&mut self, now: Time, report: &Report) -> Option<Span> {
        let end = report.highest.saturating_add(1);
        if report.received == 0 || end > self.base + self.entries.len() as u64 {
            return None;
        }
        let rtt = now.since(report.echo).saturating_sub(report.held);
        let rtt = (!rtt.is_zero()).then_some(rtt);
        if let Some(rtt) = rtt {
            self.rtt.on_sample(rtt);
        }
        if end <= self.base {
            // Late packets and duplicates must not hide losses among the packets of a later report
            // (RFC 3550, A.3: the losses of an interval are never negative).
            if end == self.base {
                self.received = self.received.max(report.received);
                self.marked = self.marked.max(report.marked);
            }
            return rtt;
        }
        let reported = end - self.base;
        // A receiver that counts less than before has restarted.
        let again = report.received < self.received;
        let (since, marked) = if again { (0, 0) } else { (self.received, self.marked) };
        let got = (report.received - since).min(reported);
        let marks = report.marked.saturating_sub(marked).min(got);
        (self.received, self.marked) = (report.received, report.marked);
        self.spread(reported, reported - got, marks);
        self.resolve(end);
        rtt
    }

    /// Takes `lost` of the next `reported` packets for lost: those that the MAC gave up first, then
    /// others at even distances. Of those that arrived, `marks` are marked, also at even distances.
    fn spread(&mut self, reported: u64, lost: u64, marks: u64) {
        let stretch = self.entries.iter_mut().take(usize::try_from(reported).unwrap_or(usize::MAX));
        let failed = stretch.filter(|entry| entry.link_failure).count() as u64;
        let (others, open) = (lost.saturating_sub(failed), reported - failed);
        let mut failed_left = failed.min(lost);
        let (mut i, mut arrivals, arrived) = (0, 0, reported - lost);
        // True `share` times in `of` steps.
        let evenly = |step: u64, share: u64, of: u64| (step + 1) * share / of > step * share / of;
        for entry in self.entries.iter_mut().take(usize::try_from(reported).unwrap_or(usize::MAX)) {
            let is_lost = if entry.link_failure {
                let is_lost = failed_left > 0;
                failed_left -= u64::from(is_lost);
                is_lost
            } else {
                i += 1;
                evenly(i - 1, others, open)
            };
            if !is_lost && !entry.arrived {
                entry.arrived = true;
                entry.link_failure = false;
                entry.marked = evenly(arrivals, marks, arrived);
                arrivals += 1;
                self.delivered += u32::from(!entry.marked);
            }
        }
    }

    /// The news since the last [`clear_feedback`](Self::clear_feedback), for the controller.
    #[inline]
    pub fn feedback<'a>(
        &'a self,
        now: Time,
        newest: Option<(u64, Time)>,
        rtt: Option<Span>,
        report: Option<&'a Report>,
    ) -> Feedback<'a> {
        Feedback {
            now,
            delivered: self.delivered,
            losses: &self.losses,
            newest,
            rtt,
            srtt: self.rtt.srtt().unwrap_or_default(),
            rtt_min: self.rtt.min().unwrap_or_default(),
            in_flight: self.in_flight(),
            rate_limited: self.rate_limited,
            report,
        }
    }

    /// Clears the news after the controller has received the [`feedback`](Self::feedback).
    #[inline]
    pub fn clear_feedback(&mut self) {
        self.delivered = 0;
        self.losses.clear();
        self.rate_limited = true;
    }

    /// Packets in flight, and arrivals above one in flight.
    #[inline]
    pub fn in_flight(&self) -> u32 {
        u32::try_from(self.entries.len()).unwrap_or(u32::MAX)
    }

    /// The RTT estimates: each ACK and each report gives a sample.
    pub fn rtt(&self) -> &RttEstimator {
        &self.rtt
    }

    /// Shifts the RTT after the sender changed networks, and with it the delay of its wireless
    /// link.
    pub fn shift_rtt(&mut self, old_delay: Span, new_delay: Span) {
        self.rtt.shift(old_delay, new_delay);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(ms: u64) -> Time {
        Time::from_millis(ms)
    }

    fn ledger(packets: u64) -> Ledger {
        let mut ledger = Ledger::new();
        for seq in 0..packets {
            assert_eq!(ledger.on_sent(ms(seq), false), seq);
        }
        ledger
    }

    fn lost(ledger: &Ledger) -> Vec<(u64, bool)> {
        let feedback = ledger.feedback(ms(0), None, None, None);
        feedback.losses.iter().map(|l| (l.seq, l.link_failure)).collect()
    }

    fn marked(ledger: &Ledger) -> Vec<(u64, bool)> {
        let feedback = ledger.feedback(ms(0), None, None, None);
        feedback.losses.iter().map(|l| (l.seq, l.marked)).collect()
    }

    #[test]
    fn a_round_trip_time_that_is_known_counts_as_the_first() {
        assert_eq!(Ledger::new().rtt().srtt(), None);
        let mut l = Ledger::new().with_rtt(Span::from_millis(100));
        assert_eq!(l.rtt().srtt(), Some(Span::from_millis(100)));
        l.on_sent(ms(0), false);
        l.on_ack(ms(180), 0, ms(0), 0);
        // An eighth of the way to 180 ms.
        assert_eq!(l.rtt().srtt(), Some(Span::from_millis(110)));
    }

    #[test]
    fn a_gap_of_three_is_a_loss_but_a_lost_ack_is_not() {
        let mut l = ledger(10);
        l.on_link_failure(1);
        l.on_ack(ms(100), 0, ms(0), 0);
        // 2 arrived but its ACK was lost; 1 is missing.
        l.on_ack(ms(103), 3, ms(3), 0b101);
        assert_eq!(l.delivered, 3);
        assert_eq!(lost(&l), []);
        l.on_ack(ms(104), 4, ms(4), 0b1011);
        assert_eq!(lost(&l), [(1, true)]);
        l.clear_feedback();
        l.on_ack(ms(109), 9, ms(9), 0);
        assert_eq!(lost(&l), [(5, false), (6, false)]);
        assert_eq!((l.delivered, l.in_flight()), (1, 3));
        assert_eq!(l.rtt().srtt(), Some(Span::from_millis(100)));
    }

    /// rfc8888 3.1: Feedback tells of each packet whether it was marked, and a later one repeats
    /// it: a mark is known although the ACK of its packet is lost.
    #[test]
    fn an_ack_tells_the_marks_of_the_packets_before_it() {
        let mut l = ledger(10);
        l.on_marks(0, 0b1);
        l.on_ack(ms(100), 0, ms(0), 0);
        assert_eq!((marked(&l), l.delivered), (vec![(0, true)], 0));
        l.clear_feedback();
        // 1 and 3 were marked, their ACKs are lost; 2 is missing.
        l.on_marks(4, 0b11010);
        l.on_ack(ms(104), 4, ms(4), 0b1101);
        assert_eq!((marked(&l), l.delivered), (vec![(1, true), (3, true)], 1));
        l.clear_feedback();
        // The marks again, with a new one, and the loss that comes to light is put before it.
        l.on_marks(5, 0b110101);
        l.on_ack(ms(105), 5, ms(5), 0b11011);
        assert_eq!((marked(&l), l.delivered), (vec![(2, false), (5, true)], 0));
        l.clear_feedback();
        for seq in [10, u64::MAX] {
            l.on_marks(seq, 1);
            l.on_ack(ms(106), seq, ms(0), 0);
        }
        assert_eq!((marked(&l), l.delivered, l.in_flight()), (vec![], 0, 4));
    }

    /// rfc6679 5.1: A report counts the packets that arrived marked since the start.
    #[test]
    fn a_report_spreads_the_marks_over_the_packets_that_arrived() {
        let mut l = ledger(20);
        let report = |highest, received, marked| {
            Report::default().highest(highest).received(received).marked(marked)
        };
        // Of 10 packets 8 arrived, 2 of them marked.
        l.on_report(ms(117), &report(9, 8, 2));
        assert_eq!(marked(&l), [(3, true), (4, false), (8, true), (9, false)]);
        l.clear_feedback();
        // The same again, then no new mark among the next five, then all five.
        l.on_report(ms(118), &report(9, 8, 2));
        l.on_report(ms(119), &report(14, 13, 2));
        assert_eq!((marked(&l), l.delivered), (vec![], 5));
        l.clear_feedback();
        l.on_report(ms(120), &report(19, 18, 99));
        assert_eq!((marked(&l).iter().filter(|l| l.1).count(), l.delivered), (5, 0));
    }

    #[test]
    fn numbers_that_were_never_sent_change_nothing() {
        let mut l = ledger(2);
        l.on_ack(ms(5), 7, ms(0), u32::MAX);
        l.on_report(ms(5), &Report { highest: 9, received: 4, ..Report::default() });
        l.on_link_failure(99);
        assert_eq!((l.in_flight(), l.rtt().srtt()), (2, None));
    }

    #[test]
    fn a_report_spreads_the_losses_that_it_does_not_name() {
        let mut l = ledger(10);
        l.on_link_failure(4);
        let report = Report {
            highest: 7,
            received: 5,
            echo: ms(7),
            held: Span::from_millis(10),
            ..Report::default()
        };
        l.on_report(ms(117), &report);
        // 8 packets, 3 lost: the marked one and two of the seven others.
        assert_eq!(lost(&l), [(3, false), (4, true), (7, false)]);
        assert_eq!((l.delivered, l.in_flight()), (5, 2));
        assert_eq!(l.rtt().srtt(), Some(Span::from_millis(100)));
        l.clear_feedback();
        // The same report again: nothing new.
        l.on_report(ms(118), &report);
        assert_eq!((lost(&l).len(), l.delivered, l.in_flight()), (0, 0, 2));
        l.on_report(ms(119), &Report { highest: 9, received: 7, ..report });
        assert_eq!((lost(&l).len(), l.delivered, l.in_flight()), (0, 2, 0));
    }

    /// The MAC gave up two, and one of these arrived after all.
    #[test]
    fn no_more_packets_are_lost_than_a_report_says() {
        let mut l = ledger(4);
        l.on_link_failure(1);
        l.on_link_failure(2);
        l.on_report(ms(100), &Report { highest: 3, received: 3, ..Report::default() });
        assert_eq!((lost(&l), l.delivered), (vec![(1, true)], 3));
    }

    #[test]
    fn memory_is_bounded_without_any_feedback() {
        let one_more = ledger(MOST_IN_FLIGHT as u64 + 1);
        assert_eq!((lost(&one_more).len(), one_more.in_flight() as usize), (1, MOST_IN_FLIGHT));
        let mut l = ledger(MOST_IN_FLIGHT as u64 + 10);
        assert_eq!(l.in_flight() as usize, MOST_IN_FLIGHT);
        assert_eq!(lost(&l).len(), 10);
        l.on_ack(ms(1), 12, ms(0), 0);
        assert_eq!(l.in_flight() as usize, MOST_IN_FLIGHT);
        for _ in 0..2 * MOST_IN_FLIGHT {
            l.on_sent(ms(2), false);
        }
        assert_eq!((lost(&l).len(), l.entries.len()), (MOST_IN_FLIGHT, MOST_IN_FLIGHT));
        l.on_marks(3 * MOST_IN_FLIGHT as u64 + 9, 1);
        assert_eq!(marked(&l).len(), MOST_IN_FLIGHT, "a mark has no room either");
    }

    #[test]
    fn packets_before_the_first_that_arrives_are_lost() {
        let report = Report { highest: 4, received: 3, ..Report::default() };
        let mut l = ledger(6);
        l.on_report(ms(100), &report);
        assert_eq!((lost(&l).len(), l.delivered, l.in_flight()), (2, 3, 1));
        let mut l = ledger(6);
        l.on_ack(ms(100), 4, ms(4), 0b11);
        assert_eq!(lost(&l), [(0, false), (1, false)]);
    }

    #[test]
    fn late_packets_and_duplicates_hide_no_later_loss() {
        let mut l = ledger(30);
        let report = |highest, received| Report { highest, received, ..Report::default() };
        l.on_report(ms(100), &report(9, 8));
        assert_eq!(lost(&l).len(), 2);
        // The two arrive late, and the receiver reports it.
        l.on_report(ms(110), &report(9, 10));
        l.on_report(ms(120), &report(19, 18));
        assert_eq!(lost(&l).len(), 4);
        // Five duplicates count for their own stretch only.
        l.on_report(ms(130), &report(24, 28));
        l.on_report(ms(140), &report(29, 31));
        assert_eq!((lost(&l).len(), l.in_flight()), (6, 0));
        // An old report has no effect.
        l.on_report(ms(150), &report(19, 18));
        assert_eq!((lost(&l).len(), l.received), (6, 31));
    }

    #[test]
    fn a_receiver_that_restarts_its_count_is_believed() {
        let mut l = ledger(30);
        let report = |highest, received| Report { highest, received, ..Report::default() };
        l.on_report(ms(100), &report(9, u64::MAX));
        l.on_report(ms(110), &report(19, 8));
        assert_eq!((l.delivered, lost(&l).len()), (18, 2));
        l.on_report(ms(120), &report(29, 18));
        assert_eq!((l.delivered, lost(&l).len()), (28, 2));
    }

    #[test]
    fn a_packet_is_delivered_once_however_it_is_reported() {
        let mut l = ledger(10);
        // 8 may still arrive: it and 9 are left.
        l.on_ack(ms(100), 9, ms(9), 0b10);
        assert_eq!((l.delivered, lost(&l).len(), l.in_flight()), (2, 7, 2));
        l.on_ack(ms(101), 9, ms(9), 0b10);
        assert_eq!((l.delivered, lost(&l).len(), l.in_flight()), (2, 7, 2));
        l.on_report(ms(102), &Report { highest: 9, received: 10, ..Report::default() });
        assert_eq!((l.delivered, lost(&l).len(), l.in_flight()), (3, 7, 0));
        l.on_ack(ms(103), 2, ms(2), u32::MAX);
        assert_eq!((l.delivered, lost(&l).len(), l.in_flight()), (3, 7, 0));
    }

    #[test]
    fn a_send_time_in_the_future_gives_no_sample() {
        let mut l = ledger(2);
        assert_eq!(l.on_ack(ms(5), 1, ms(6), 0), Some(Span::ZERO));
        assert_eq!((l.rtt().srtt(), l.delivered), (None, 1));
    }
}
