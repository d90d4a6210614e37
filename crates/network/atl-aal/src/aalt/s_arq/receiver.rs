//! The receiver of S-ARQ.

use super::config::{InvalidConfig, ReceiverConfig};
use crate::aalt::bit_errors::Comparison;
use crate::aalt::control::{BitMap, Control};
use crate::aalt::{PduError, SequenceNumber, Tag, cp_arq, cpcs};
use crate::cell::PAYLOAD_OCTETS as CELL_PAYLOAD;
use atl_core::time::{Span, Time};
use atl_core::units::Probability;
use std::collections::VecDeque;

/// The result of a PDU with a correct CRC.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arrival {
    /// New, and within the window.
    New,
    /// Received before, with the same octets.
    Duplicate,
    /// Beyond the window; dropped.
    Beyond,
    /// Received before with different octets: an error escaped a CRC. Both are discarded.
    Contradiction,
}

/// Counters of a receiver.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ReceiverStatistics {
    /// Intact PDUs within the window that were new.
    pub taken: u64,
    /// PDUs received again with the same octets.
    pub duplicates: u64,
    /// PDUs with a wrong CRC or size.
    pub wrong: u64,
    /// PDUs beyond the window.
    pub beyond: u64,
    /// PDUs received twice with different octets.
    pub contradictions: u64,
    /// CPCS-PDUs refused for a wrong length or tag.
    pub refused: u64,
    /// CPCS-PDUs handed over in order.
    pub delivered: u64,
    /// Control packets sent, periodic ones and those that a CPCS-PDU triggered.
    pub statuses: u64,
}

/// The receiving end of a connection. Holds at most `window` PDUs, one CPCS-PDU, and the SDUs
/// delivered but not yet fetched.
#[derive(Debug, Clone)]
pub struct Receiver {
    config: ReceiverConfig,
    /// Tag and first sequence number of the next CPCS-PDU.
    tag: Tag,
    first: SequenceNumber,
    /// Its octets received without a gap, and the start of each piece.
    assembled: Vec<u8>,
    starts: Vec<usize>,
    length: usize,
    /// PDUs received after MSN: element j is number MSN + 1 + j. The last element is never `None`.
    behind: VecDeque<Option<Vec<u8>>>,
    delivered: VecDeque<Vec<u8>>,
    next_status: Time,
    /// Cells per PDU, as currently chosen by the sender.
    cells: u16,
    map: Vec<u8>,
    comparison: Comparison,
    statistics: ReceiverStatistics,
}

impl Receiver {
    /// A receiver whose first status is due at `now`.
    ///
    /// # Errors
    /// If the configuration is out of range.
    pub fn new(config: ReceiverConfig, now: Time) -> Result<Self, InvalidConfig> {
        config.check()?;
        Ok(Receiver {
            config,
            tag: Tag::default(),
            first: SequenceNumber::default(),
            assembled: Vec::new(),
            starts: Vec::new(),
            length: 0,
            behind: VecDeque::new(),
            delivered: VecDeque::new(),
            next_status: now,
            cells: 1,
            map: Vec::new(),
            comparison: Comparison::new(config.statistics_window),
            statistics: ReceiverStatistics::default(),
        })
    }

    /// MSN: the first number not received.
    pub fn msn(&self) -> SequenceNumber {
        self.first.plus(self.starts.len())
    }

    /// When the next status is due. Status reports never stop.
    pub const fn next_status(&self) -> Time {
        self.next_status
    }

    /// Counts since the connection began.
    pub const fn statistics(&self) -> ReceiverStatistics {
        self.statistics
    }

    /// Estimate of the path's bit error ratio by comparing bits; `None` before the first PDU.
    pub fn bit_errors(&self) -> Option<Probability> {
        self.comparison.bit_errors()
    }

    /// The interval between control packets.
    pub fn status_interval(&self) -> Span {
        let grown = self.config.status_interval.mul_f64(f64::from(self.cells));
        grown.min(self.config.longest_status_interval)
    }

    /// PDUs held after a gap.
    pub fn held_pdus(&self) -> usize {
        self.behind.iter().flatten().count()
    }

    /// Octets held after gaps and for the incomplete CPCS-PDU, without SDUs delivered but not
    /// fetched.
    pub fn held_octets(&self) -> usize {
        self.assembled.len() + self.behind.iter().flatten().map(Vec::len).sum::<usize>()
    }

    /// The next SDU delivered, in order. Call it after each PDU until it returns `None`.
    pub fn poll_delivered(&mut self) -> Option<Vec<u8>> {
        self.delivered.pop_front()
    }

    /// Takes a PDU from the reassembler.
    ///
    /// # Errors
    /// If it is not an intact data PDU of this connection. It is dropped and will be retransmitted.
    pub fn on_pdu(&mut self, now: Time, pdu: &[u8]) -> Result<Arrival, PduError> {
        let read = match cp_arq::decode(pdu, self.config.connection) {
            Ok(read) => read,
            Err(error) => {
                self.statistics.wrong += 1;
                if error == PduError::Crc {
                    self.comparison.on_wrong(pdu);
                }
                return Err(error);
            }
        };
        self.comparison.on_right(read.sn, pdu);
        let arrival = match usize::try_from(read.sn.after(self.msn())) {
            Err(_) => self.on_old_number(now, read.sn, read.payload),
            Ok(ahead) if ahead >= usize::from(self.config.window) => Arrival::Beyond,
            Ok(0) => {
                self.take(now, read.payload);
                Arrival::New
            }
            Ok(ahead) => self.hold(ahead - 1, read.payload),
        };
        match arrival {
            Arrival::New => self.statistics.taken += 1,
            Arrival::Duplicate => self.statistics.duplicates += 1,
            Arrival::Beyond => self.statistics.beyond += 1,
            Arrival::Contradiction => self.statistics.contradictions += 1,
        }
        Ok(arrival)
    }

    /// A PDU before MSN: an old one, or a piece of the incomplete CPCS-PDU, which must then be
    /// identical.
    fn on_old_number(&mut self, now: Time, sn: SequenceNumber, payload: &[u8]) -> Arrival {
        let Ok(index) = usize::try_from(sn.after(self.first)) else { return Arrival::Duplicate };
        let Some(&start) = self.starts.get(index) else { return Arrival::Duplicate };
        let end = self.starts.get(index + 1).copied().unwrap_or(self.assembled.len());
        if self.assembled[start..end] == *payload {
            return Arrival::Duplicate;
        }
        self.start_over(now);
        Arrival::Contradiction
    }

    /// A PDU after a gap.
    fn hold(&mut self, place: usize, payload: &[u8]) -> Arrival {
        if place >= self.behind.len() {
            self.behind.resize(place + 1, None);
        }
        let slot = &mut self.behind[place];
        match slot {
            None => {
                *slot = Some(payload.to_vec());
                Arrival::New
            }
            Some(held) if held == payload => Arrival::Duplicate,
            Some(_) => {
                *slot = None;
                while self.behind.back().is_some_and(Option::is_none) {
                    self.behind.pop_back();
                }
                Arrival::Contradiction
            }
        }
    }

    /// The PDU at MSN, followed by those held that are now without a gap.
    fn take(&mut self, now: Time, payload: &[u8]) {
        if !self.assemble(now, payload) {
            return;
        }
        while let Some(Some(payload)) = self.behind.pop_front() {
            if !self.assemble(now, &payload) {
                return;
            }
        }
    }

    /// Appends the next piece and delivers the CPCS-PDU if complete. False if it must be
    /// retransmitted.
    fn assemble(&mut self, now: Time, payload: &[u8]) -> bool {
        self.starts.push(self.assembled.len());
        self.assembled.extend_from_slice(payload);
        if self.starts.len() == 1 {
            match cpcs::length(self.tag, &self.assembled) {
                Ok(length) => self.length = length,
                Err(_) => return self.refuse(now),
            }
        }
        if self.assembled.len() < self.length {
            let cells = (payload.len() + cp_arq::OVERHEAD_OCTETS) / CELL_PAYLOAD;
            // At most 1366 cells.
            self.cells = cells as u16;
            return true;
        }
        let Ok(sdu) = cpcs::decode(self.tag, &self.assembled, cp_arq::MAX_PAD_OCTETS) else {
            return self.refuse(now);
        };
        self.delivered.push_back(sdu.to_vec());
        self.statistics.delivered += 1;
        self.first = self.msn();
        self.tag = self.tag.plus(1);
        self.forget_assembled();
        self.next_status = now;
        true
    }

    fn refuse(&mut self, now: Time) -> bool {
        self.statistics.refused += 1;
        self.start_over(now);
        false
    }

    /// Resets MSN to the first piece of the CPCS-PDU, and makes a status due at once.
    fn start_over(&mut self, now: Time) {
        self.forget_assembled();
        self.behind.clear();
        self.next_status = now;
    }

    fn forget_assembled(&mut self) {
        self.assembled.clear();
        self.starts.clear();
        self.length = 0;
    }

    /// Writes the status into `pdu` if it is due. Returns whether it was.
    pub fn poll_status(&mut self, now: Time, pdu: &mut Vec<u8>) -> bool {
        if now < self.next_status {
            return false;
        }
        self.next_status = now + self.status_interval();
        self.statistics.statuses += 1;
        self.map.clear();
        let bits = if self.behind.is_empty() { 0 } else { self.behind.len() + 1 };
        self.map.resize(bits.div_ceil(8), 0);
        for (j, slot) in self.behind.iter().enumerate() {
            if slot.is_some() {
                self.map[(j + 1) / 8] |= 0x80 >> ((j + 1) % 8);
            }
        }
        let bitmap = BitMap::new(&self.map, bits).unwrap_or_default();
        Control { tag: self.tag, msn: self.msn(), bitmap }.encode(self.config.connection, pdu);
        true
    }
}
