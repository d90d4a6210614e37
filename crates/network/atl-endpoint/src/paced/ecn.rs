//! The ECN field of a paced flow's data packets, and whether the path can be trusted with it.
//!
//! A path that clears the field takes away marks that a queue has set: nobody would slow down. One
//! that marks everything leaves a sender at its least rate for ever. In both cases the sender goes
//! on without ECN, and queues drop its packets (RFC 6679, sec. 7.4, which leaves the rule to the
//! sender; RFC 9000, sec. 13.4.2, does the same for QUIC). A path that is new is trusted again.
//!
//! Marks without an end are no fault for ECT(1): an L4S queue in overload marks all that it does
//! not drop (RFC 9332, sec. 4.2.3), and a sender that left it for the classic queue would take
//! what that protects.

use atl_core::rate::Report;
use atl_core::time::{Span, Time};
use atl_link::Ecn;

use super::params::PacedEcn;

/// Where all packets arrive marked for so long, at least [`MARKED_IN_A_ROW`] of them, no queue is
/// to blame that this sender could shorten (chosen): slow start and late reports fill one for
/// seconds at most.
const MARKED_FOR: Span = Span::from_secs(10);
const MARKED_IN_A_ROW: u64 = 10;

/// The field of data packets. All numbers are those of the path in use.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field {
    /// The field on paths that can be trusted; clear for a flow without ECN.
    capable: Ecn,
    /// The number of the first packet that left with a clear field; none while the path is trusted.
    clear_from: u64,
    /// Packets sent.
    sent: u64,
    /// Packets in a row that arrived marked, and when the feedback on the first of them came.
    row: (u64, Time),
    /// Packets received and marked by the last report.
    reported: (u64, u64),
}

impl Field {
    pub(super) const fn new(ecn: PacedEcn) -> Field {
        let capable = match ecn {
            PacedEcn::Off => Ecn::NotEct,
            PacedEcn::Ect0 => Ecn::Ect0,
            PacedEcn::Ect1 => Ecn::Ect1,
        };
        Field::of(capable)
    }

    const fn of(capable: Ecn) -> Field {
        Field { capable, clear_from: u64::MAX, sent: 0, row: (0, Time::ZERO), reported: (0, 0) }
    }

    /// True for a flow with ECN.
    #[inline]
    pub(super) fn is_used(&self) -> bool {
        self.capable != Ecn::NotEct
    }

    /// The field of the next packet.
    #[inline]
    pub(super) fn send(&mut self) -> Ecn {
        let seq = self.sent;
        self.sent += 1;
        if seq < self.clear_from { self.capable } else { Ecn::NotEct }
    }

    /// An ACK says how a packet arrived.
    pub(super) fn on_ack(&mut self, now: Time, seq: u64, (marked, clear): (bool, bool)) {
        if !self.is_used() || seq >= self.clear_from.min(self.sent) {
            return;
        }
        if clear || self.is_endless(now, marked, 1) {
            self.distrust();
        }
    }

    /// A report says how packets have arrived so far.
    pub(super) fn on_report(&mut self, now: Time, report: &Report) {
        let (received, marked) = self.reported;
        if !self.is_used() || self.clear_from != u64::MAX || report.received <= received {
            return;
        }
        let (since, marks) = (report.received - received, report.marked.saturating_sub(marked));
        self.reported = (report.received, report.marked);
        if report.clear > 0 || self.is_endless(now, marks >= since, since) {
            self.distrust();
        }
    }

    /// Counts packets that all arrived marked, or some that did not. True if all have been marked
    /// for too long.
    fn is_endless(&mut self, now: Time, marked: bool, packets: u64) -> bool {
        // An L4S queue in overload marks all that it does not drop.
        if self.capable == Ecn::Ect1 {
            return false;
        }
        let (row, since) = self.row;
        self.row = match (marked, row) {
            (false, _) => (0, now),
            (true, 0) => (packets, now),
            (true, row) => (row.saturating_add(packets), since),
        };
        self.row.0 >= MARKED_IN_A_ROW && now.since(self.row.1) >= MARKED_FOR
    }

    fn distrust(&mut self) {
        self.clear_from = self.clear_from.min(self.sent);
    }

    /// Data takes another path from now on, with numbers of its own.
    pub(super) fn begin_anew(&mut self) {
        *self = Field::of(self.capable);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(packets: u64) -> Field {
        let mut field = Field::new(PacedEcn::Ect0);
        for _ in 0..packets {
            assert_eq!(field.send(), Ecn::Ect0);
        }
        field
    }

    const SECOND: Span = Span::from_secs(1);

    /// rfc6679 7.4: A sender whose packets arrive with a cleared field stops to use ECN.
    #[test]
    fn a_cleared_field_ends_ecn_for_the_path() {
        let at = Time::ZERO;
        let mut field = after(10);
        field.on_ack(at, 3, (false, false));
        assert_eq!(field.send(), Ecn::Ect0);
        field.on_ack(at, 10, (false, true));
        assert_eq!(field.send(), Ecn::NotEct);
        // On a path that is new nothing is known.
        field.begin_anew();
        assert_eq!(field.send(), Ecn::Ect0);
        field.on_ack(at, 1, (false, true));
        assert_eq!(field.send(), Ecn::Ect0, "a packet that was never sent");
        let mut field = after(10);
        field.on_report(at, &Report::default().received(5).clear(1));
        assert_eq!(field.send(), Ecn::NotEct);
        let mut field = Field::new(PacedEcn::Off);
        assert_eq!(field.send(), Ecn::NotEct);
        field.on_ack(at, 0, (false, true));
        field.begin_anew();
        assert_eq!(field.send(), Ecn::NotEct);
    }

    /// rfc6679 7.4: A sender all of whose packets arrive marked for ten seconds stops to use ECN.
    #[test]
    fn marks_without_an_end_end_ecn_for_the_path() {
        let mut field = after(300);
        let mut at = Time::ZERO;
        // 200 packets within 9.95 s, then one without a mark.
        for seq in 0..200 {
            field.on_ack(at, seq, (true, false));
            at += Span::from_millis(50);
        }
        field.on_ack(at, 200, (false, false));
        for seq in 201..211 {
            at += SECOND;
            field.on_ack(at, seq, (true, false));
        }
        assert_eq!(field.send(), Ecn::Ect0);
        field.on_ack(at + SECOND, 211, (true, false));
        assert_eq!(field.send(), Ecn::NotEct);
        // Few packets, over a long time.
        let mut field = after(9);
        for seq in 0..9 {
            field.on_ack(at, seq, (true, false));
            at += SECOND * 60;
        }
        assert_eq!(field.send(), Ecn::Ect0);

        let mut field = after(300);
        let report = |received, marked| Report::default().received(received).marked(marked);
        field.on_report(at, &report(99, 99));
        field.on_report(at + SECOND * 20, &report(99, 99));
        field.on_report(at + SECOND * 21, &report(150, 149));
        field.on_report(at + SECOND * 22, &report(151, 150));
        field.on_report(at + SECOND * 31, &report(250, 249));
        assert_eq!(field.send(), Ecn::Ect0);
        field.on_report(at + SECOND * 32, &report(251, 250));
        assert_eq!(field.send(), Ecn::NotEct);
    }

    /// rfc9332 4.2.3: An L4S queue in overload marks everything: the sender stays L4S's. That the
    /// field arrives clear ends it as for ECT(0).
    #[test]
    fn marks_without_an_end_are_no_fault_with_ect1() {
        let mut field = Field::new(PacedEcn::Ect1);
        let mut at = Time::ZERO;
        for seq in 0..300 {
            assert_eq!(field.send(), Ecn::Ect1);
            field.on_ack(at, seq, (true, false));
            at += SECOND;
        }
        field.on_ack(at, 299, (false, true));
        assert_eq!(field.send(), Ecn::NotEct);
        field.begin_anew();
        assert_eq!(field.send(), Ecn::Ect1);
    }
}
