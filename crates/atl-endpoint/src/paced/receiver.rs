//! The receiving end of a paced flow.

use atl_core::rate::{Arrived, Report, ReportingReceiver};
use atl_core::time::Time;

/// What a receiver does at a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It acknowledges it; the mask tells which of the 32 before it have arrived
    /// ([`Ledger::on_ack`](atl_core::rate::Ledger::on_ack)).
    Ack {
        /// Bit 0 is the packet before.
        mask: u32,
    },
    /// It reports.
    Report,
    /// Nothing for now.
    Nothing,
}

/// Acknowledges each packet, or leaves it to the protocol when to report.
#[derive(Debug)]
pub struct PacedReceiver {
    reports: Option<Box<dyn ReportingReceiver>>,
    /// Highest number that has arrived, and one more.
    above: u64,
    /// Which of the 64 below `above` have arrived: bit 0 is the highest.
    seen: u64,
    arrived: u64,
    payload_bytes: u64,
}

impl PacedReceiver {
    /// A receiver that reports as it is told, or acknowledges each packet.
    pub fn new(reports: Option<Box<dyn ReportingReceiver>>) -> Self {
        PacedReceiver { reports, above: 0, seen: 0, arrived: 0, payload_bytes: 0 }
    }

    /// A data packet arrived, of so many bytes of payload.
    #[inline]
    pub fn on_data(&mut self, arrived: &Arrived, payload: u32) -> Answer {
        let seq = arrived.seq;
        let shift = (seq + 1).saturating_sub(self.above);
        if shift > 0 {
            self.seen = if shift < 64 { self.seen << shift } else { 0 };
            self.above = seq + 1;
        }
        let back = self.above - 1 - seq;
        let known = back < 64 && self.seen >> back & 1 == 1;
        if back < 64 {
            self.seen |= 1 << back;
        }
        self.arrived += 1;
        // What is older than the record reaches cannot be told from a duplicate; no link is that far out of order.
        self.payload_bytes += if known { 0 } else { u64::from(payload) };
        match &mut self.reports {
            None => {
                let below = if back < 63 { self.seen >> (back + 1) } else { 0 };
                Answer::Ack { mask: below as u32 }
            }
            Some(reports) => {
                if reports.on_data(arrived) {
                    Answer::Report
                } else {
                    Answer::Nothing
                }
            }
        }
    }

    /// When [`on_timer`](Self::on_timer) wants to be called; [`Time::MAX`]: never.
    pub fn next_timer(&self) -> Time {
        self.reports.as_ref().and_then(|r| r.next_timeout()).unwrap_or(Time::MAX)
    }

    /// The time has come. True: a report goes out.
    pub fn on_timer(&mut self, now: Time) -> bool {
        self.reports.as_mut().is_some_and(|r| r.on_tick(now))
    }

    /// The report that goes out now, of a receiver that reports.
    pub fn report(&mut self, now: Time) -> Option<Report> {
        self.reports.as_mut().map(|r| r.report(now))
    }

    /// Data packets that arrived.
    #[inline]
    pub fn arrived(&self) -> u64 {
        self.arrived
    }

    /// Bytes of payload that arrived, each once.
    pub fn payload_bytes(&self) -> u64 {
        self.payload_bytes
    }

    /// The next number expected, for restoring numbers from their low halves.
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
            Answer::Ack { mask } => mask,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn an_ack_tells_of_the_packets_before() {
        let mut r = PacedReceiver::new(None);
        assert_eq!(mask(&mut r, 0), 0);
        assert_eq!(mask(&mut r, 1), 0b1);
        assert_eq!(mask(&mut r, 4), 0b1100);
        // Late: 2 after 4. What came after it is not in its mask.
        assert_eq!(mask(&mut r, 2), 0b11);
        assert_eq!(mask(&mut r, 5), 0b11101);
        assert_eq!((r.arrived(), r.payload_bytes()), (5, 5000));
        // A duplicate counts as arrived, and its payload once.
        assert_eq!(mask(&mut r, 5), 0b11101);
        assert_eq!((r.arrived(), r.payload_bytes()), (6, 5000));
        assert_eq!(mask(&mut r, 200), 0);
        assert_eq!(mask(&mut r, 201), 1);
    }
}
