//! Queries of RACK and QUIC's recovery: the transmissions in flight, and their sending times.

use atl_core::time::Time;

use super::{ELSEWHERE, LINK_FAILED, LOST, LostTx, Newly, RESENT, SACKED, Scoreboard};

impl Scoreboard {
    /// Calls `newly` for each segment that this cumulative ACK newly shows to have arrived. Call
    /// before the ACK is processed.
    pub(crate) fn each_below(&self, ack: u64, mut newly: impl FnMut(Newly)) {
        for (seq, segment) in (self.una..ack).zip(&self.segments) {
            if segment.flags & SACKED == 0 {
                newly(Newly::new(seq, segment, self.newest_tx));
            }
        }
    }

    /// Sending time of this transmission, if it is the latest of its segment and may be in flight.
    pub(crate) fn out_since(&self, seq: u64, tx: u64) -> Option<Time> {
        let index = usize::try_from(seq.checked_sub(self.una)?).ok()?;
        let segment = self.segments.get(index)?;
        let out = segment.flags & SACKED == 0 && segment.flags & (LOST | RESENT) != LOST;
        (out && segment.tx == tx as u32).then_some(segment.sent_at)
    }

    /// True if this segment, which was sent, is known to have arrived.
    pub(crate) fn has_arrived(&self, seq: u64) -> bool {
        let Some(index) = seq.checked_sub(self.una) else { return true };
        self.segments.get(index as usize).is_some_and(|segment| segment.flags & SACKED != 0)
    }

    /// The first segment in flight whose latest transmission came before number `before`.
    pub(crate) fn oldest_out(&self, before: u64) -> Option<u64> {
        let out = |s: &super::Segment| {
            s.flags & SACKED == 0
                && s.flags & (LOST | RESENT) != LOST
                && self.full_tx(s.tx) < before
        };
        self.segments.iter().position(out).map(|index| self.una + index as u64)
    }

    /// Marks the latest transmission of a segment as lost. Also returns true if it was a
    /// retransmission. `None` if the segment has arrived or already waits for retransmission.
    pub(crate) fn lose(&mut self, seq: u64) -> Option<(LostTx, bool)> {
        if let Some(lost) = self.mark_lost(seq) {
            return Some((lost, false));
        }
        let index = usize::try_from(seq.checked_sub(self.una)?).ok()?;
        let segment = self.segments.get_mut(index)?;
        if segment.flags & RESENT == 0 {
            return None;
        }
        self.elsewhere -= u32::from(segment.flags & ELSEWHERE != 0);
        segment.flags &= !(RESENT | ELSEWHERE);
        self.wait(seq);
        self.latest(seq).map(|lost| (lost, true))
    }

    /// The latest transmission of an outstanding segment.
    pub(crate) fn latest(&self, seq: u64) -> Option<LostTx> {
        let index = usize::try_from(seq.checked_sub(self.una)?).ok()?;
        let segment = self.segments.get(index)?;
        let link_failed = segment.flags & LINK_FAILED != 0;
        Some(LostTx { tx: self.full_tx(segment.tx), seq, bytes: segment.bytes, link_failed })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::{SackBlock, SackBlocks};

    #[test]
    fn a_retransmission_is_lost_like_the_first_transmission() {
        let mut board = Scoreboard::default();
        for tx in 0..3 {
            board.push(Time::from_millis(tx), tx, 100 + tx as u16);
        }
        assert_eq!(board.out_since(1, 1), Some(Time::from_millis(1)));
        let first = LostTx { tx: 1, seq: 1, bytes: 101, link_failed: false };
        assert_eq!(board.lose(1), Some((first, false)));
        assert_eq!((board.lose(1), board.out_since(1, 1)), (None, None));
        assert_eq!((board.pipe(), board.next_lost()), (2, Some(1)));
        board.resend(1, Time::from_millis(9), 3);
        assert_eq!(
            (board.out_since(1, 1), board.out_since(1, 3)),
            (None, Some(Time::from_millis(9)))
        );
        assert_eq!((board.pipe(), board.next_lost()), (3, None));
        assert_eq!(board.lose(1), Some((LostTx { tx: 3, ..first }, true)));
        assert_eq!((board.pipe(), board.next_lost()), (2, Some(1)));
        board.check();
        board.resend(1, Time::from_millis(20), 4);
        assert_eq!(board.acknowledge(3), 3);
        assert_eq!((board.pipe(), board.out_since(1, 4), board.lose(1)), (0, None, None));
        board.check();
    }

    /// The number of a transmission gives way to how many segments after it have arrived.
    #[test]
    fn a_segment_that_has_arrived_is_not_out_whatever_it_notes() {
        let mut board = Scoreboard::default();
        for tx in 0..4 {
            board.push(Time::from_millis(tx), tx, 1500);
        }
        let mut blocks = SackBlocks::default();
        blocks[0] = SackBlock { offset: 1, len: 1 };
        board.select(0, &blocks);
        assert_eq!(
            (board.out_since(1, 1), board.out_since(2, 2)),
            (None, Some(Time::from_millis(2)))
        );
    }
}
