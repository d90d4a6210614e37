//! The segments that wait behind a hole, as ranges in two orders: by number, to find the neighbours
//! of an arrival, and by age, since an ACK reports the ranges extended last (RFC 2018, sec. 4).
//!
//! A large window with many holes has thousands of ranges, and each packet that arrives behind a
//! hole must not walk them all. Nearly all such packets come at the upper end, and few windows have
//! more holes than an ACK has blocks. So the ranges extended last stand in an array, the older ones
//! in ordered maps, and what arrives above everything else touches only the array.

mod key;

use std::collections::BTreeMap;

use crate::options::SACK_BLOCKS;
use key::Key;

/// A range of segments: the first, and the one after the last.
pub(super) type Range = (u64, u64);

/// A range that has left the array.
#[derive(Clone, Copy, Debug)]
struct Older {
    end: Key,
    /// Rises from one that leaves the array to the next, so the highest was extended last.
    age: u64,
}

/// Disjoint ranges, of which no two touch.
#[derive(Debug, Default)]
// The fields that nearly every arrival needs share one cache line: with a thousand flows each
// further line costs more than everything else that happens here.
#[repr(C, align(64))]
pub(super) struct Held {
    /// Ranges extended last, the latest first.
    recent: [Range; SACK_BLOCKS],
    /// One past the highest segment ever held.
    top: u64,
    /// Number of ranges in `recent`.
    len: u32,
    /// Number of ranges in `older`.
    others: u32,
    /// All others, by their first segments.
    older: BTreeMap<Key, Older>,
    /// First segments of the others, by age.
    by_age: BTreeMap<Key, u64>,
    /// The age of the next range that leaves the array.
    age: u64,
}

impl Held {
    /// True if nothing is held.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The ranges extended last, the latest first: as many as an ACK can report.
    #[inline]
    pub(super) fn recent(&self) -> &[Range] {
        &self.recent[..self.len as usize]
    }

    /// All ranges, those extended last first.
    pub(super) fn all(&self) -> Vec<Range> {
        let older = self.by_age.values().rev().filter_map(|start| {
            let range = self.older.get(&Key(*start))?;
            Some((*start, range.end.0))
        });
        self.recent().iter().copied().chain(older).collect()
    }

    /// True if this segment is held.
    pub(super) fn contains(&self, seq: u64) -> bool {
        seq < self.top
            && (self.recent().iter().any(|r| r.0 <= seq && seq < r.1)
                || self.older_at(seq).is_some())
    }

    /// Adds a segment above the next expected one. Its range, joined with its neighbours, becomes
    /// the latest; a duplicate makes its range the latest, too.
    #[inline]
    pub(super) fn insert(&mut self, seq: u64) {
        let mut range = (seq, seq + 1);
        if seq < self.top {
            range = self.take_neighbours(seq);
        } else if let Some(at) = self.recent().iter().position(|r| r.1 == seq) {
            range.0 = self.recent[at].0;
            self.take(at);
        } else if seq == self.top
            && self.others > 0
            && let Some((start, _)) = self.older.last_key_value().filter(|(_, r)| r.end == Key(seq))
        {
            range.0 = start.0;
            self.take_older(range.0);
        }
        self.top = self.top.max(range.1);
        self.put_first(range);
    }

    /// Removes the range that begins at this segment, and returns its end.
    #[inline]
    pub(super) fn take_from(&mut self, start: u64) -> Option<u64> {
        if let Some(at) = self.recent().iter().position(|r| r.0 == start) {
            let end = self.recent[at].1;
            self.take(at);
            self.refill();
            return Some(end);
        }
        self.take_older(start)
    }

    /// Removes the ranges that hold or touch this segment; returns them and it as one.
    fn take_neighbours(&mut self, seq: u64) -> Range {
        let mut range = (seq, seq + 1);
        let mut at = 0;
        while at < self.recent().len() {
            let (start, end) = self.recent[at];
            if start <= seq + 1 && seq <= end {
                range = (range.0.min(start), range.1.max(end));
                self.take(at);
            } else {
                at += 1;
            }
        }
        if self.others == 0 {
            return range;
        }
        let below = self.older.range(..=Key(seq)).next_back();
        if let Some((&Key(start), &Older { end: Key(end), .. })) =
            below.filter(|(_, r)| Key(seq) <= r.end)
        {
            range = (range.0.min(start), range.1.max(end));
            self.take_older(start);
        }
        if let Some(end) = self.take_older(seq + 1) {
            range.1 = end;
        }
        range
    }

    /// The older range that holds this segment.
    fn older_at(&self, seq: u64) -> Option<Range> {
        let (&Key(start), range) = self.older.range(..=Key(seq)).next_back()?;
        (Key(seq) < range.end).then_some((start, range.end.0))
    }

    /// Removes an older range, and returns its end.
    fn take_older(&mut self, start: u64) -> Option<u64> {
        if self.others == 0 {
            return None;
        }
        let range = self.older.remove(&Key(start))?;
        self.others -= 1;
        self.by_age.remove(&Key(range.age));
        Some(range.end.0)
    }

    /// Removes a range from the array. The place at its end stays empty.
    #[inline]
    fn take(&mut self, at: usize) {
        self.recent.copy_within(at + 1..self.len as usize, at);
        self.len -= 1;
    }

    /// Fills the places that are empty at the end of the array.
    fn refill(&mut self) {
        while self.recent().len() < SACK_BLOCKS
            && self.others > 0
            && let Some((_, start)) = self.by_age.pop_last()
            && let Some(range) = self.older.remove(&Key(start))
        {
            self.recent[self.len as usize] = (start, range.end.0);
            self.len += 1;
            self.others -= 1;
        }
    }

    #[inline]
    fn put_first(&mut self, range: Range) {
        if self.recent().len() == SACK_BLOCKS {
            let (start, end) = self.recent[SACK_BLOCKS - 1];
            self.older.insert(Key(start), Older { end: Key(end), age: self.age });
            self.by_age.insert(Key(self.age), start);
            self.age += 1;
            self.others += 1;
            self.len -= 1;
        }
        self.recent.copy_within(..self.len as usize, 1);
        self.recent[0] = range;
        self.len += 1;
        self.refill();
    }
}

#[cfg(test)]
mod tests;
