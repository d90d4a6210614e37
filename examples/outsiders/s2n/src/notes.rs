//! Notes of each transmission, which the library wants back with its acknowledgment.

use std::collections::VecDeque;

use s2n_quic_core::time::Timestamp;

/// A transmission: when it left, and what the library said then.
#[derive(Clone, Copy, Debug)]
pub(super) struct Note<Info> {
    pub(super) sent: Timestamp,
    pub(super) info: Info,
}

/// Entries kept whatever is in flight: late ACKs after a timeout find theirs.
const SPARE: usize = 64;
/// Entries kept at most (about 5 MB for BBR).
pub(super) const MOST: usize = 1 << 16;

/// Notes on the last transmissions, by their number. An ACK says how many packets arrived, not
/// which, so notes go by age: twice the packets in flight and some to spare. That holds every one
/// in flight and as many again that were found lost or arrived ahead of them.
#[derive(Clone, Debug)]
pub(super) struct Notes<Info> {
    /// Number of the oldest one kept.
    first: u64,
    notes: VecDeque<Note<Info>>,
}

impl<Info: Copy> Notes<Info> {
    pub(super) fn new() -> Self {
        Notes { first: 0, notes: VecDeque::new() }
    }

    /// Adds transmission `tx`. A number that is not the next one begins the notes anew.
    pub(super) fn add(&mut self, tx: u64, note: Note<Info>, in_flight: u32) {
        if tx != self.first.wrapping_add(self.notes.len() as u64) {
            self.notes.clear();
            self.first = tx;
        }
        self.notes.push_back(note);
        let keep = (in_flight as usize).saturating_mul(2).saturating_add(SPARE).min(MOST);
        while self.notes.len() > keep {
            self.notes.pop_front();
            self.first = self.first.wrapping_add(1);
        }
    }

    /// The note on `tx`, or the nearest one that is left.
    pub(super) fn of(&self, tx: u64) -> Option<Note<Info>> {
        let newest = self.notes.len().checked_sub(1)?;
        let index = usize::try_from(tx.saturating_sub(self.first)).unwrap_or(usize::MAX);
        self.notes.get(index.min(newest)).copied()
    }

    /// The oldest one kept.
    pub(super) fn oldest(&self) -> Option<Note<Info>> {
        self.notes.front().copied()
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.notes.len()
    }
}

#[cfg(test)]
mod tests {
    use s2n_quic_core::time::{Clock as _, NoopClock};

    use super::*;

    fn note(info: u64) -> Note<u64> {
        Note { sent: NoopClock.get_time(), info }
    }

    fn info(notes: &Notes<u64>, tx: u64) -> Option<u64> {
        notes.of(tx).map(|n| n.info)
    }

    #[test]
    fn each_transmission_finds_its_own_note_while_it_may_be_in_flight() {
        let mut notes = Notes::new();
        for tx in 0..1000 {
            notes.add(tx, note(tx), 100);
        }
        assert_eq!(notes.len(), 264);
        assert_eq!(info(&notes, 999), Some(999));
        assert_eq!(info(&notes, 736), Some(736));
        assert_eq!(info(&notes, 3), Some(736), "the nearest one left");
        assert_eq!(info(&notes, 5000), Some(999));
        assert_eq!(notes.oldest().map(|n| n.info), Some(736));
    }

    #[test]
    fn memory_is_bounded_whatever_is_in_flight() {
        let mut notes = Notes::new();
        for tx in 0..(MOST as u64 + 10) {
            notes.add(tx, note(tx), u32::MAX);
        }
        assert_eq!(notes.len(), MOST);
        notes.add(MOST as u64 + 10, note(1), 1);
        assert_eq!(notes.len(), 66);
    }

    #[test]
    fn a_gap_in_the_numbers_begins_anew() {
        let mut notes = Notes::new();
        assert_eq!(info(&notes, 0), None);
        notes.add(7, note(7), 1);
        notes.add(3, note(3), 1);
        assert_eq!((notes.len(), info(&notes, 7)), (1, Some(3)));
    }
}
