//! Segments in flight over another path than the current one: they take no room in its window.

use atl_core::time::Time;

use super::{ELSEWHERE, LOST, LostTx, RESENT, SACKED, Scoreboard, Segment};

impl Scoreboard {
    /// Segments in flight over other paths.
    pub(crate) fn elsewhere(&self) -> u32 {
        self.elsewhere
    }

    /// Segments found lost that arrived before they were resent.
    pub(crate) fn revived(&self) -> u32 {
        self.revived
    }

    /// Records a new segment that is sent over another path.
    pub(crate) fn push_elsewhere(&mut self, now: Time, tx: u64, bytes: u16) {
        self.push(now, tx, bytes);
        if let Some(segment) = self.segments.back_mut() {
            segment.flags = ELSEWHERE;
        }
        self.elsewhere += 1;
    }

    /// Makes another path the current one. `here` is true for each transmission in flight over that
    /// path.
    pub(crate) fn turn(&mut self, mut here: impl FnMut(u64) -> bool) {
        self.elsewhere = 0;
        for index in 0..self.segments.len() {
            let segment = self.segments[index];
            if !in_flight(segment) {
                continue;
            }
            let away = !here(self.full_tx(segment.tx));
            let segment = &mut self.segments[index];
            segment.flags = segment.flags & !ELSEWHERE | if away { ELSEWHERE } else { 0 };
            self.elsewhere += u32::from(away);
        }
    }

    /// Marks segments in flight over other paths as lost where `gone` is true for their
    /// transmission.
    pub(crate) fn lose_elsewhere(&mut self, mut gone: impl FnMut(u64) -> bool) {
        if self.elsewhere == 0 {
            return;
        }
        for seq in self.una..self.next() {
            let segment = self.segments[(seq - self.una) as usize];
            if segment.flags & ELSEWHERE != 0 && gone(self.full_tx(segment.tx)) {
                self.lose(seq);
            }
        }
    }

    /// Calls `each` for the transmissions in flight.
    pub(crate) fn each_in_flight(&self, mut each: impl FnMut(u64)) {
        for segment in self.segments.iter().filter(|segment| in_flight(**segment)) {
            each(self.full_tx(segment.tx));
        }
    }

    /// Marks each transmission in flight as lost where `gone` is true, and passes it to `found`.
    pub(crate) fn lose_each(
        &mut self,
        mut gone: impl FnMut(u64) -> bool,
        mut found: impl FnMut(LostTx),
    ) {
        for seq in self.una..self.next() {
            let segment = self.segments[(seq - self.una) as usize];
            if in_flight(segment)
                && gone(self.full_tx(segment.tx))
                && let Some((lost, _)) = self.lose(seq)
            {
                found(lost);
            }
        }
    }

    /// Records a retransmission of `seq` over another path.
    pub(crate) fn resend_elsewhere(&mut self, seq: u64, now: Time, tx: u64) {
        self.resend(seq, now, tx);
        let segment = &mut self.segments[(seq - self.una) as usize];
        if in_flight(*segment) {
            segment.flags |= ELSEWHERE;
            self.elsewhere += 1;
        }
    }

    /// The latest transmission of the first outstanding segment, if it may be in flight.
    pub(crate) fn first_in_flight(&self) -> Option<LostTx> {
        self.segments.front().filter(|first| in_flight(**first))?;
        self.latest(self.una)
    }

    /// True if the segment was found lost and is not known to have arrived since.
    pub(crate) fn is_lost(&self, seq: u64) -> bool {
        let segment = seq.checked_sub(self.una).and_then(|at| self.segments.get(at as usize));
        segment.is_some_and(|segment| segment.flags & LOST != 0)
    }
}

fn in_flight(segment: Segment) -> bool {
    segment.flags & SACKED == 0 && segment.flags & (LOST | RESENT) != LOST
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::{SackBlock, SackBlocks};

    fn ms(ms: u64) -> Time {
        Time::from_millis(ms)
    }

    #[test]
    fn what_is_on_another_path_takes_no_room() {
        let mut board = Scoreboard::default();
        (0..4).for_each(|tx| board.push(ms(tx), tx, 1000));
        board.push_elsewhere(ms(4), 4, 1000);
        board.check();
        assert_eq!((board.pipe(), board.elsewhere(), board.outstanding()), (4, 1, 5));
        // The sender moves to the path of transmission 4.
        board.turn(|tx| tx == 4);
        board.check();
        assert_eq!((board.pipe(), board.elsewhere()), (1, 4));
        // 2 arrives; 0 is found lost and resent over the current path.
        let mut sack = SackBlocks::default();
        sack[0] = SackBlock { offset: 2, len: 1 };
        assert_eq!(board.select(0, &sack), 1);
        assert!(board.lose(0).is_some() && board.is_lost(0));
        board.check();
        assert_eq!((board.pipe(), board.elsewhere(), board.next_lost()), (1, 2, Some(0)));
        board.resend(0, ms(9), 5);
        board.check();
        assert_eq!((board.pipe(), board.elsewhere()), (2, 2));
        // The sender gives up the rest of the old path.
        board.lose_elsewhere(|_| true);
        board.check();
        assert_eq!((board.pipe(), board.elsewhere(), board.waiting()), (2, 0, 2));
        // The segments arrive after all, before they are resent; 0 was resent.
        assert_eq!(board.acknowledge(5), 4);
        board.check();
        assert_eq!((board.pipe(), board.elsewhere(), board.revived()), (0, 0, 2));
    }

    #[test]
    fn a_loss_may_be_resent_over_another_path() {
        let mut board = Scoreboard::default();
        (0..3).for_each(|tx| board.push(ms(tx), tx, 1000));
        board.push_elsewhere(ms(3), 3, 1000);
        let mut lost = Vec::new();
        board.lose_each(|tx| tx == 1 || tx == 3, |gone| lost.push((gone.tx, gone.seq)));
        board.check();
        assert_eq!((&lost[..], board.pipe(), board.elsewhere()), (&[(1, 1), (3, 3)][..], 2, 0));
        board.resend_elsewhere(1, ms(9), 4);
        board.check();
        assert_eq!((board.pipe(), board.elsewhere(), board.waiting()), (2, 1, 1));
        let mut out = Vec::new();
        board.each_in_flight(|tx| out.push(tx));
        assert_eq!(out, [0, 4, 2]);
        assert_eq!((board.acknowledge(4), board.elsewhere(), board.pipe()), (4, 0, 0));
        board.check();
    }

    #[test]
    fn a_retransmission_can_be_on_another_path_too() {
        let mut board = Scoreboard::default();
        (0..3).for_each(|tx| board.push(ms(tx), tx, 1000));
        board.lose(0);
        board.resend(0, ms(5), 3);
        board.turn(|_| false);
        board.check();
        assert_eq!((board.pipe(), board.elsewhere()), (0, 3));
        assert_eq!(board.first_in_flight().map(|sent| sent.tx), Some(3));
        board.expire(ms(9), |_| {});
        board.check();
        assert_eq!((board.pipe(), board.elsewhere(), board.waiting()), (0, 0, 3));
        assert_eq!(board.first_in_flight(), None);
    }
}
