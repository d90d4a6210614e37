//! Segmentation and reassembly, the same for AAL5 (I.363.5 section 7) and AAL-T (paper, section
//! 3.3): 48 octets of the PDU per cell, the AAU bit set in the last one. Nothing else delimits a
//! PDU: lost or inserted cells show in its check.

use crate::cell::{Cell, Header, PAYLOAD_OCTETS, PayloadType};

/// The cells of a PDU on a connection, in order.
///
/// `None` if the length of the PDU is not a multiple of 48: the layer that builds a PDU pads it.
pub fn segment(
    vpi: u8,
    vci: u16,
    pdu: &[u8],
) -> Option<impl ExactSizeIterator<Item = Cell> + DoubleEndedIterator> {
    let (payloads, []) = pdu.as_chunks::<PAYLOAD_OCTETS>() else { return None };
    let last = payloads.len().saturating_sub(1);
    let header = Header::user(vpi, vci, false).encode();
    let header_of_last = Header::user(vpi, vci, true).encode();
    Some(payloads.iter().enumerate().map(move |(i, payload)| {
        Cell::from_parts(if i == last { header_of_last } else { header }, payload)
    }))
}

/// The result of a cell.
#[derive(Debug, PartialEq, Eq)]
pub enum Reassembled<'a> {
    /// The PDU is not complete, or the cell carried no user data.
    Pending,
    /// A PDU is complete; it stays in the buffer until the next cell.
    Pdu {
        /// Its octets, a multiple of 48, unchecked.
        pdu: &'a [u8],
        /// One of its cells passed a congested switch (EFCI).
        congested: bool,
    },
    /// The PDU was longer than allowed and was dropped.
    TooLong,
}

/// Reassembles the PDUs of one connection. Holds at most one PDU of the longest length allowed.
#[derive(Debug, Clone)]
pub struct Reassembler {
    buffer: Vec<u8>,
    longest: usize,
    congested: bool,
    overflowed: bool,
    finished: bool,
}

impl Reassembler {
    /// A reassembler for PDUs of at most `longest` octets.
    pub fn new(longest: usize) -> Self {
        Reassembler {
            buffer: Vec::new(),
            longest,
            congested: false,
            overflowed: false,
            finished: false,
        }
    }

    /// Octets of the PDU being reassembled.
    pub fn held(&self) -> usize {
        if self.finished { 0 } else { self.buffer.len() }
    }

    /// True if the next cell is the first of a PDU: at the start, and right after the last cell of
    /// one.
    pub fn is_idle(&self) -> bool {
        self.finished || (self.buffer.is_empty() && !self.overflowed)
    }

    /// Takes the connection's next cell. OAM and resource management cells are ignored.
    pub fn push(&mut self, cell: &Cell) -> Reassembled<'_> {
        let PayloadType::User { congested, aau } = cell.payload_type() else {
            return Reassembled::Pending;
        };
        if self.finished {
            self.restart();
        }
        self.congested |= congested;
        if self.buffer.len() + PAYLOAD_OCTETS > self.longest {
            self.overflowed = true;
        } else if !self.overflowed {
            self.buffer.extend_from_slice(cell.payload());
        }
        if !aau {
            return Reassembled::Pending;
        }
        self.finished = true;
        if self.overflowed {
            return Reassembled::TooLong;
        }
        Reassembled::Pdu { pdu: &self.buffer, congested: self.congested }
    }

    /// Discards an incomplete PDU, as when the connection is set up anew.
    pub fn restart(&mut self) {
        self.buffer.clear();
        self.congested = false;
        self.overflowed = false;
        self.finished = false;
    }
}
