//! State of the segments that a sender has sent: the scoreboard of RFC 6675, with counters that
//! make "pipe" a subtraction.

mod by_time;
mod elsewhere;

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use atl_core::memory::trim;
use atl_core::time::Time;

use crate::options::{SACK_BLOCKS, SackBlocks};

/// Number of segments above a hole that must arrive before it counts as lost (RFC 6675: DupThresh).
pub const DUP_THRESH: u32 = 3;

/// A run of SACKed segments may be this much longer than its first segment records.
const RUN: u64 = 32;

const SACKED: u8 = 1;
const LOST: u8 = 2;
/// Retransmitted since it was found lost.
const RESENT: u8 = 4;
/// The link at the sender reported that it failed to carry the latest transmission.
const LINK_FAILED: u8 = 8;
/// The segment was sent more than once.
const REPEATED: u8 = 16;
/// The latest transmission is in flight over another path than the current one.
const ELSEWHERE: u8 = 32;

/// A segment that is not cumulatively acknowledged.
#[derive(Clone, Copy, Debug)]
struct Segment {
    sent_at: Time,
    /// Low half of the number of the latest transmission; windows are far below 2^32 transmissions.
    /// Once the segment is SACKed: at least this many segments from it on are.
    tx: u32,
    /// Bytes on the wire, headers included.
    bytes: u16,
    flags: u8,
}

const _: () = assert!(size_of::<Segment>() == 16);

/// A transmission that was declared lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LostTx {
    /// Number of the transmission.
    pub tx: u64,
    /// The segment that it carried.
    pub seq: u64,
    /// Its bytes on the wire, headers included.
    pub bytes: u16,
    /// The link at the sender failed to carry it.
    pub link_failed: bool,
}

/// A segment that an ACK shows to have arrived for the first time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Newly {
    /// Number of the segment.
    pub(crate) seq: u64,
    /// Number of the latest transmission.
    pub(crate) tx: u64,
    /// Time of that transmission.
    pub(crate) sent_at: Time,
    /// The segment was sent more than once, so an earlier transmission may be the one that arrived.
    pub(crate) repeated: bool,
}

impl Newly {
    #[inline]
    fn new(seq: u64, segment: &Segment, newest_tx: u64) -> Self {
        Newly {
            seq,
            tx: full(newest_tx, segment.tx),
            sent_at: segment.sent_at,
            repeated: segment.flags & REPEATED != 0,
        }
    }
}

/// The number not above `newest` whose low half is `low`; 0 if there is none, since nothing that
/// was sent has this half: a peer may make one up.
#[inline]
fn full(newest: u64, low: u32) -> u64 {
    newest.saturating_sub(u64::from((newest as u32).wrapping_sub(low)))
}

/// The outstanding segments, from the first unacknowledged one.
///
/// No call walks a window: segments that were examined once, and cannot change again, are skipped
/// (`examined`, `highest`, `resend_from`, and the run that a SACKed segment names).
#[derive(Debug, Default)]
pub struct Scoreboard {
    segments: VecDeque<Segment>,
    una: u64,
    sacked: u32,
    lost: u32,
    /// Lost segments that wait for retransmission.
    waiting: u32,
    /// Segments in flight over another path.
    elsewhere: u32,
    /// Segments found lost that arrived before they were resent.
    revived: u32,
    /// One past the highest SACKed segment.
    sacked_end: u64,
    /// The three highest SACKed segments ever, the highest first.
    highest: [u64; DUP_THRESH as usize],
    /// Everything below was examined and is known to be lost or to have arrived.
    examined: u64,
    /// No segment below waits for retransmission, but those of `behind`.
    resend_from: u64,
    /// Segments below `resend_from` that were found lost after it had passed them, such as lost
    /// retransmissions, and others that no longer wait.
    behind: BinaryHeap<Reverse<u64>>,
    /// One past the highest segment retransmitted since recovery began (RFC 6675: HighRxt).
    resent_end: u64,
    /// SACK blocks of the previous ACK, in segment numbers, which are already marked.
    known: [(u64, u64); SACK_BLOCKS],
    /// The latest transmission number, which gives `Segment::tx` its high half.
    newest_tx: u64,
}

impl Scoreboard {
    /// The first segment not cumulatively acknowledged (SND.UNA).
    #[inline]
    pub fn una(&self) -> u64 {
        self.una
    }

    /// The next segment to be sent for the first time (SND.MAX).
    #[inline]
    pub fn next(&self) -> u64 {
        self.una + self.segments.len() as u64
    }

    /// True when everything sent is acknowledged.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.segments.is_empty()
    }

    /// Number of segments sent and not cumulatively acknowledged.
    #[inline]
    pub fn outstanding(&self) -> u32 {
        self.segments.len() as u32
    }

    /// Packets in flight ("pipe" of RFC 6675): sent, not known to have arrived and not known to be
    /// lost, plus retransmissions. Packets on other paths than the current one do not count.
    #[inline]
    pub fn pipe(&self) -> u32 {
        self.outstanding() - self.sacked - self.waiting - self.elsewhere
    }

    /// Number of lost segments that wait for retransmission.
    #[inline]
    pub fn waiting(&self) -> u32 {
        self.waiting
    }

    /// Number of segments found lost and not known to have arrived since.
    #[inline]
    pub fn lost(&self) -> u32 {
        self.lost
    }

    /// Segments known to have arrived above the cumulative ACK.
    #[inline]
    pub fn sacked(&self) -> u32 {
        self.sacked
    }

    /// Reads the first and the last segment.
    #[inline]
    pub fn touch(&self) -> u64 {
        let time = |s: Option<&Segment>| s.map_or(0, |s| s.sent_at.nanos());
        time(self.segments.front()) ^ time(self.segments.back())
    }

    /// Gives back memory that the widest window took and this one does not need.
    pub fn trim(&mut self) {
        trim(&mut self.segments);
    }

    /// Number of the newest transmission.
    pub fn newest_tx(&self) -> u64 {
        self.newest_tx
    }

    /// The full transmission number for this low half.
    pub fn full_tx(&self, low: u32) -> u64 {
        full(self.newest_tx, low)
    }

    /// Records a new segment of `bytes` on the wire.
    #[inline]
    pub fn push(&mut self, now: Time, tx: u64, bytes: u16) {
        self.newest_tx = tx;
        self.segments.push_back(Segment { sent_at: now, tx: tx as u32, bytes, flags: 0 });
    }

    /// Bytes on the wire of an outstanding segment, headers included.
    #[inline]
    pub fn bytes(&self, seq: u64) -> u16 {
        self.segments[(seq - self.una) as usize].bytes
    }

    /// Records a retransmission of `seq`.
    pub fn resend(&mut self, seq: u64, now: Time, tx: u64) {
        self.newest_tx = tx;
        let segment = &mut self.segments[(seq - self.una) as usize];
        if segment.flags & LOST != 0 && segment.flags & RESENT == 0 {
            self.waiting -= 1;
            segment.flags |= RESENT;
        }
        self.elsewhere -= u32::from(segment.flags & ELSEWHERE != 0);
        segment.flags = (segment.flags | REPEATED) & !(LINK_FAILED | ELSEWHERE);
        segment.sent_at = now;
        if segment.flags & SACKED == 0 {
            segment.tx = tx as u32;
        }
        self.resent_end = self.resent_end.max(seq + 1);
    }

    /// Processes a cumulative ACK. Returns the number of segments below it that were not yet known
    /// to have arrived.
    #[inline]
    pub fn acknowledge(&mut self, ack: u64) -> u32 {
        let mut news = 0;
        while self.una < ack {
            let Some(segment) = self.segments.pop_front() else {
                break;
            };
            self.una += 1;
            if segment.flags & SACKED != 0 {
                self.sacked -= 1;
            } else {
                news += 1;
                if segment.flags & (LOST | ELSEWHERE) != 0 {
                    self.forget(segment.flags);
                }
            }
        }
        news
    }

    /// A segment with these flags arrived that was lost, or is on another path.
    fn forget(&mut self, flags: u8) {
        self.elsewhere -= u32::from(flags & ELSEWHERE != 0);
        if flags & LOST != 0 {
            self.lost -= 1;
            if flags & RESENT == 0 {
                self.waiting -= 1;
                self.revived += 1;
            }
        }
    }

    /// Processes the SACK blocks of an ACK, relative to `ack`. Returns the number of segments that
    /// they newly show to have arrived.
    pub fn select(&mut self, ack: u64, blocks: &SackBlocks) -> u32 {
        self.select_each(ack, blocks, |_| {})
    }

    /// Like [`select`](Self::select), and calls `newly` for each of these segments.
    pub(crate) fn select_each(
        &mut self,
        ack: u64,
        blocks: &SackBlocks,
        mut newly: impl FnMut(Newly),
    ) -> u32 {
        let mut news = 0;
        let mut seen = [(0, 0); SACK_BLOCKS];
        for (block, seen) in blocks.iter().zip(&mut seen) {
            let start = (ack + u64::from(block.offset)).max(self.una);
            let end = (ack + u64::from(block.offset) + u64::from(block.len)).min(self.next());
            if start >= end {
                continue;
            }
            *seen = (start, end);
            // ACKs repeat blocks. Only segments that the previous ACK did not cover are marked.
            let inside = self.known.iter().find(|k| start <= k.0 && k.1 <= end);
            let inside = inside.copied();
            match inside {
                Some((from, to)) => {
                    news += self.mark_arrived(start, from, &mut newly);
                    news += self.mark_arrived(to, end, &mut newly);
                }
                None => news += self.mark_arrived(start, end, &mut newly),
            }
            // A block grows segment by segment at its end. Its first segment, far away in memory,
            // is updated only now and then.
            let grown = inside.filter(|known| known.0 == start).map_or(0, |known| known.1 - start);
            if grown / RUN != (end - start) / RUN {
                self.segments[(start - self.una) as usize].tx = (end - start) as u32;
            }
            self.sacked_end = self.sacked_end.max(end);
        }
        self.known = seen;
        news
    }

    fn mark_arrived(&mut self, start: u64, end: u64, newly: &mut impl FnMut(Newly)) -> u32 {
        let mut news = 0;
        let mut seq = start;
        while seq < end {
            let segment = &mut self.segments[(seq - self.una) as usize];
            if segment.flags & SACKED != 0 {
                seq += u64::from(segment.tx);
                continue;
            }
            newly(Newly::new(seq, segment, self.newest_tx));
            let flags = core::mem::replace(&mut segment.flags, SACKED);
            segment.tx = 1;
            if flags & (LOST | ELSEWHERE) != 0 {
                self.forget(flags);
            }
            self.sacked += 1;
            news += 1;
            self.note_highest(seq);
            seq += 1;
        }
        news
    }

    /// A segment is SACKed.
    #[inline]
    fn note_highest(&mut self, seq: u64) {
        let [first, second, third] = self.highest;
        self.highest = if seq > first {
            [seq, first, second]
        } else if seq > second {
            [first, seq, second]
        } else {
            [first, second, third.max(seq)]
        };
    }

    /// Calls `found` for each newly lost segment: those with at least [`DUP_THRESH`] segments
    /// arrived above them (RFC 6675: IsLost).
    pub fn find_lost(&mut self, mut found: impl FnMut(LostTx)) {
        if self.sacked < DUP_THRESH {
            return;
        }
        let [.., seq] = self.highest;
        let from = self.examined.max(self.una);
        if seq < from {
            return;
        }
        for lost in from..seq {
            if let Some(tx) = self.mark_lost(lost) {
                found(tx);
            }
        }
        self.examined = seq;
    }

    /// Marks one segment as lost, unless it has arrived or is already marked.
    pub fn mark_lost(&mut self, seq: u64) -> Option<LostTx> {
        let index = usize::try_from(seq.checked_sub(self.una)?).ok()?;
        let segment = self.segments.get_mut(index)?;
        if segment.flags & (SACKED | LOST) != 0 {
            return None;
        }
        self.elsewhere -= u32::from(segment.flags & ELSEWHERE != 0);
        segment.flags = (segment.flags | LOST) & !ELSEWHERE;
        self.lost += 1;
        let Segment { tx, bytes, flags, .. } = *segment;
        self.wait(seq);
        let link_failed = flags & LINK_FAILED != 0;
        Some(LostTx { tx: self.full_tx(tx), seq, bytes, link_failed })
    }

    /// A segment waits for retransmission from now on.
    #[inline]
    fn wait(&mut self, seq: u64) {
        self.waiting += 1;
        if seq < self.resend_from {
            self.behind.push(Reverse(seq));
        }
    }

    /// The retransmission timer expired. The first segment is lost, and so is each segment whose
    /// latest transmission was sent at or before `sent_before`, including retransmissions.
    pub fn expire(&mut self, sent_before: Time, mut found: impl FnMut(LostTx)) {
        for index in 0..self.segments.len() {
            let segment = &mut self.segments[index];
            if segment.flags & SACKED != 0 || (index > 0 && segment.sent_at > sent_before) {
                continue;
            }
            let waiting = segment.flags & LOST != 0 && segment.flags & RESENT == 0;
            if waiting {
                continue;
            }
            self.lost += u32::from(segment.flags & LOST == 0);
            self.waiting += 1;
            self.elsewhere -= u32::from(segment.flags & ELSEWHERE != 0);
            segment.flags = (segment.flags | LOST) & !(RESENT | ELSEWHERE);
            let Segment { tx, bytes, flags, .. } = *segment;
            let (seq, link_failed) = (self.una + index as u64, flags & LINK_FAILED != 0);
            found(LostTx { tx: self.full_tx(tx), seq, bytes, link_failed });
        }
        self.resend_from = self.una;
        self.behind.clear();
        self.resent_end = self.una;
    }

    /// The next segment to retransmit (RFC 6675, NextSeg rule 1).
    #[inline]
    pub fn next_lost(&mut self) -> Option<u64> {
        if self.waiting() == 0 {
            return None;
        }
        while let Some(&Reverse(seq)) = self.behind.peek() {
            if seq >= self.una && self.waits(seq) {
                return Some(seq);
            }
            self.behind.pop();
        }
        let mut seq = self.resend_from.max(self.una);
        while !self.waits(seq) {
            seq += 1;
        }
        self.resend_from = seq;
        Some(seq)
    }

    /// True if this outstanding segment is lost and not resent.
    #[inline]
    fn waits(&self, seq: u64) -> bool {
        self.segments[(seq - self.una) as usize].flags & (LOST | RESENT) == LOST
    }

    /// A segment to resend although it is not known to be lost: below the highest that arrived and
    /// above all retransmitted ones (RFC 6675, NextSeg rule 3).
    pub fn next_unproven(&self) -> Option<u64> {
        // Everything below `examined` is lost or has arrived.
        let start = self.resent_end.max(self.una).max(self.examined);
        (start..self.sacked_end)
            .find(|seq| self.segments[(seq - self.una) as usize].flags & (SACKED | LOST) == 0)
    }

    /// The highest outstanding segment that has not arrived (RFC 6675, NextSeg rule 4).
    pub fn last_missing(&self) -> Option<u64> {
        (self.una..self.next())
            .rev()
            .find(|seq| self.segments[(seq - self.una) as usize].flags & SACKED == 0)
    }

    /// Starts a loss episode: retransmissions of the previous one no longer count for rule 3.
    pub fn begin_episode(&mut self) {
        self.resent_end = self.una;
    }

    /// The link at the sender failed to carry this transmission.
    pub fn link_failed(&mut self, seq: u64, tx: u32) {
        let Some(index) = seq.checked_sub(self.una) else {
            return;
        };
        if let Some(segment) = self.segments.get_mut(index as usize)
            && segment.flags & SACKED == 0
            && segment.tx == tx
        {
            segment.flags |= LINK_FAILED;
        }
    }

    /// True if the segment was sent more than once.
    pub fn repeated(&self, seq: u64) -> bool {
        seq.checked_sub(self.una)
            .and_then(|index| self.segments.get(index as usize))
            .is_some_and(|segment| segment.flags & REPEATED != 0)
    }

    /// Recounts everything from the segments; for tests.
    #[cfg(test)]
    pub fn check(&self) {
        let count = |mask: u8, value: u8| {
            self.segments.iter().filter(|s| s.flags & mask == value).count() as u32
        };
        assert_eq!(self.sacked, count(SACKED, SACKED));
        assert_eq!(self.lost, count(LOST, LOST));
        assert_eq!(self.waiting, count(LOST | RESENT, LOST));
        assert_eq!(count(SACKED | LOST, SACKED | LOST), 0);
        assert_eq!(count(RESENT | LOST, RESENT), 0);
        assert_eq!(self.elsewhere, count(ELSEWHERE, ELSEWHERE));
        assert_eq!(count(ELSEWHERE | SACKED, ELSEWHERE | SACKED), 0);
        assert_eq!(count(ELSEWHERE | LOST | RESENT, ELSEWHERE | LOST), 0);
        for (at, segment) in self.segments.iter().enumerate() {
            if segment.flags & SACKED != 0 {
                let run = self.segments.range(at..at + segment.tx as usize);
                assert!(segment.tx > 0 && run.into_iter().all(|s| s.flags & SACKED != 0));
            }
        }
        let missing = |s: &Segment| s.flags & (SACKED | LOST) == 0;
        let examined = self.examined.saturating_sub(self.una) as usize;
        assert!(!self.segments.iter().take(examined).any(missing));
    }
}

#[cfg(test)]
mod tests;
