//! The receiving end of a paced flow.

use atl_core::rate::{Arrived, Report, ReportingReceiver};
use atl_core::time::Time;

use super::paths::Receiving;

/// Form of the receiver's answer to a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// With an ACK. The mask shows which of the 32 packets before it have arrived
    /// ([`Ledger::on_ack`](atl_core::rate::Ledger::on_ack)).
    Ack {
        /// Bit 0 is the packet just before.
        mask: u32,
        /// Which of this packet (bit 0) and the 31 before it have arrived marked
        /// ([`Ledger::on_marks`](atl_core::rate::Ledger::on_marks)); 0 without ECN.
        marks: u32,
        /// This packet's ECN field was clear; false without ECN.
        clear: bool,
    },
    /// With a receiver report.
    Report,
    /// No answer now.
    Nothing,
}

/// Receiver of a paced flow. Acknowledges each packet, or sends receiver reports when the protocol
/// wants them.
#[derive(Debug)]
pub struct PacedReceiver {
    pub(super) reports: Option<Box<dyn ReportingReceiver>>,
    /// One more than the highest number that has arrived.
    pub(super) above: u64,
    /// Which of the 64 packets below `above` have arrived.
    seen: Record,
    arrived: u64,
    payload_bytes: u64,
    last: Time,
    /// `None` without ECN.
    marks: Option<Marks>,
    pub(super) roaming: Option<Box<Receiving>>,
}

/// A bit for each of the last 64 numbers; bit 0 is the highest number's.
#[derive(Clone, Copy, Debug, Default)]
struct Record(u64);

impl Record {
    /// The highest number has grown by this much.
    #[inline]
    fn shift(&mut self, by: u64) {
        self.0 = self.0.unbounded_shl(by.min(64) as u32);
    }

    /// The bits from `back` numbers below the highest on, the highest of them first.
    #[inline]
    fn below(self, back: u64) -> u64 {
        self.0.unbounded_shr(back.min(64) as u32)
    }

    #[inline]
    fn set(&mut self, back: u64) {
        self.0 |= 1u64.unbounded_shl(back.min(64) as u32);
    }
}

/// The marks that a receiver has seen.
#[derive(Clone, Copy, Debug, Default)]
struct Marks {
    /// Which of the 64 packets below `above` have arrived marked.
    seen: Record,
    /// Packets that arrived marked, duplicates included.
    count: u64,
}

impl Marks {
    /// A packet arrived `back` numbers below the highest, which it raised by `shift`. Gives what
    /// its ACK tells of marks, and of a clear field.
    #[inline(never)]
    fn on_packet(&mut self, shift: u64, back: u64, arrived: &Arrived) -> (u32, bool) {
        self.seen.shift(shift);
        if arrived.marked {
            self.seen.set(back);
            self.count += 1;
        }
        (self.seen.below(back) as u32, arrived.clear)
    }
}

impl PacedReceiver {
    /// A receiver that sends receiver reports as `reports` decides, or acknowledges each packet.
    pub fn new(reports: Option<Box<dyn ReportingReceiver>>) -> Self {
        PacedReceiver {
            reports,
            above: 0,
            seen: Record::default(),
            arrived: 0,
            payload_bytes: 0,
            last: Time::ZERO,
            marks: None,
            roaming: None,
        }
    }

    /// Tells of marks: in each ACK for 32 packets (as RFC 8888 does), or in its reports.
    #[must_use]
    pub fn with_ecn(mut self) -> Self {
        self.marks = Some(Marks::default());
        self
    }

    /// True if it sends receiver reports instead of an ACK for each packet.
    pub fn reports(&self) -> bool {
        self.reports.is_some()
    }

    /// Data packets that arrived marked; `None` without ECN.
    pub fn marked(&self) -> Option<u64> {
        self.marks.map(|marks| marks.count)
    }

    /// A data packet with `payload` bytes of payload arrived.
    #[inline]
    pub fn on_data(&mut self, arrived: &Arrived, payload: u32) -> Answer {
        let followed = self.roaming.is_some().then(|| self.follow(arrived));
        let seq = arrived.seq;
        let shift = (seq + 1).saturating_sub(self.above);
        self.seen.shift(shift);
        self.above += shift;
        let back = self.above - 1 - seq;
        let known = self.seen.below(back) & 1 == 1;
        self.seen.set(back);
        let (marks, clear) = match &mut self.marks {
            Some(marks) => marks.on_packet(shift, back, arrived),
            None => (0, false),
        };
        self.arrived += 1;
        self.last = arrived.now;
        // A packet older than the record cannot be told from a duplicate; no link reorders that
        // far.
        self.payload_bytes += if known { 0 } else { u64::from(payload) };
        match &mut self.reports {
            None => Answer::Ack { mask: self.seen.below(back + 1) as u32, marks, clear },
            Some(reports) => {
                let counted = followed.as_ref().map_or(Some(arrived), Option::as_ref);
                if counted.is_some_and(|arrived| reports.on_data(arrived)) {
                    Answer::Report
                } else {
                    Answer::Nothing
                }
            }
        }
    }

    /// The earliest time at which [`on_timer`](Self::on_timer) has something to do; [`Time::MAX`]
    /// if there is none.
    #[inline(always)]
    pub fn next_timer(&self) -> Time {
        let report = self.reports.as_ref().and_then(|r| r.next_timeout()).unwrap_or(Time::MAX);
        self.roaming.as_ref().map_or(report, |roaming| report.min(roaming.next()))
    }

    /// A timer may be due. Returns true if a receiver report is to be sent. A Handoff Report may be
    /// due as well ([`poll_handoff_report`](Self::poll_handoff_report)).
    pub fn on_timer(&mut self, now: Time) -> bool {
        if let Some(roaming) = &mut self.roaming {
            roaming.on_timer(now);
        }
        self.reports.as_mut().is_some_and(|r| r.on_tick(now))
    }

    /// The receiver report to send now; `None` if this receiver acknowledges each packet.
    pub fn report(&mut self, now: Time) -> Option<Report> {
        let report = self.reports.as_mut().map(|r| r.report(now))?;
        Some(self.renumber(report))
    }

    /// Data packets that arrived.
    #[inline]
    pub fn arrived(&self) -> u64 {
        self.arrived
    }

    /// When the last data packet arrived.
    pub fn last_arrival(&self) -> Time {
        self.last
    }

    /// Bytes of payload that arrived, without duplicates.
    pub fn payload_bytes(&self) -> u64 {
        self.payload_bytes
    }

    /// The next expected number, to expand numbers from their low halves.
    #[inline]
    pub fn above(&self) -> u64 {
        self.above
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packet(seq: u64) -> Arrived {
        Arrived::new(Time::ZERO, seq, Time::ZERO, 1040)
    }

    fn mask(receiver: &mut PacedReceiver, seq: u64) -> u32 {
        match receiver.on_data(&packet(seq), 1000) {
            Answer::Ack { mask, marks: 0, clear: false } => mask,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn an_ack_shows_which_earlier_packets_arrived() {
        let mut r = PacedReceiver::new(None);
        assert_eq!(mask(&mut r, 0), 0);
        assert_eq!(mask(&mut r, 1), 0b1);
        assert_eq!(mask(&mut r, 4), 0b1100);
        // 2 arrives late, after 4. Packets after 2 are not in its mask.
        assert_eq!(mask(&mut r, 2), 0b11);
        assert_eq!(mask(&mut r, 5), 0b11101);
        assert_eq!((r.arrived(), r.payload_bytes()), (5, 5000));
        // A duplicate counts as arrived, but its payload only once.
        assert_eq!(mask(&mut r, 5), 0b11101);
        assert_eq!((r.arrived(), r.payload_bytes()), (6, 5000));
        assert_eq!(mask(&mut r, 200), 0);
        assert_eq!(mask(&mut r, 201), 1);
    }

    /// rfc8888 3.1: The receiver of an RTP stream reports the ECN field of each packet, and
    /// feedback repeats it, since feedback is lost too.
    #[test]
    fn an_ack_shows_which_packets_arrived_marked() {
        let mut r = PacedReceiver::new(None).with_ecn();
        let mut marks = |seq: u64, marked| match r.on_data(&packet(seq).marked(marked), 1000) {
            Answer::Ack { marks, .. } => marks,
            other => panic!("{other:?}"),
        };
        let all =
            [(0, true), (1, false), (4, true), (2, true), (5, false), (36, true), (200, false)];
        let told = all.map(|(seq, marked)| marks(seq, marked));
        // 4 is not in the ACK of 2, which comes late.
        assert_eq!(told, [0b1, 0b10, 0b1_0001, 0b101, 0b10_1010, 1, 0]);
        assert_eq!(r.marked(), Some(4));
        let mut r = PacedReceiver::new(None);
        let nothing = Answer::Ack { mask: 0, marks: 0, clear: false };
        assert_eq!(r.on_data(&packet(0).marked(true), 1000), nothing);
        assert_eq!(r.on_data(&packet(0).clear(true), 1000), nothing);
        assert_eq!(r.marked(), None);
    }
}
