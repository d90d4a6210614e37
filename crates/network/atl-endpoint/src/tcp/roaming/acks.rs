//! ACKs and losses while packets are in flight over two paths: before a move, when dummy ACKs
//! release data on the path that is being surveyed, and after it, while what was sent over the old
//! path drains.
//!
//! Packets of two paths overtake each other, so neither duplicate ACKs nor SACK blocks show a loss
//! by themselves. A transmission is lost if three later ones *on its own path* have arrived, as in
//! QUIC (RFC 9002, sec. 6.1.1); an ACK echoes its transmission, hence this needs no SACK. The
//! controller learns of the current path's transmissions only. What is lost elsewhere is repaired
//! without a word to it.
//!
//! Without SACK the echo of a duplicate ACK names the segment that arrived, which counts as
//! selectively acknowledged until the paths are one again. What arrived above a hole before is not
//! known: of those segments only the first hole is lost for certain, and they are repaired one at a
//! time, as NewReno does.
//!
//! Each path's retransmission timer runs for the oldest packet in flight there, and restarts when
//! another one is the oldest: RFC 6298, rule 5.3, in which new data acknowledged means just that.
//! The cumulative point would not do, since it waits for the other path; nor would any arrival,
//! since those behind a hole would keep its timer from expiring.
//!
//! What is still on an old path when its drain's deadline passes, one of its retransmission
//! timeouts after the move, or when the mobile leaves that network for good, is lost.
//!
//! Marks (ECN) are those of the path whose packet the ACK answers: its controller reacts. Those of
//! an old path are read, so that they do not show later, and nobody reacts.
//!
//! All this ends when everything sent before the last move or release is acknowledged and nothing
//! is missing. Then the sender's own recovery takes over again.

use atl_core::path::PathId;
use atl_core::time::{Span, Time};

use crate::options::{SackBlock, SackBlocks};
use crate::tcp::ack::AckInfo;
use crate::tcp::connection::Phase;
use crate::tcp::path::Arrivals;
use crate::tcp::paths::{Leg, Paths, Seen, Split};
use crate::tcp::recovery::LossRecovery;
use crate::tcp::scoreboard::{DUP_THRESH, Newly};
use crate::tcp::sender::Sender;

impl Sender {
    /// Packets are in flight over two paths from now on, up to the next segment.
    pub(super) fn begin_split(&mut self, paths: &mut Paths) {
        let conn = &mut self.conn;
        let next = conn.board.next();
        if let Some(split) = &mut paths.split {
            split.until = next;
            return;
        }
        let first = paths.sent.first();
        let known = paths.receiver.sack || conn.phase == Phase::Open && conn.duplicates == 0;
        paths.split = Some(Split::new(next, first, if known { first } else { conn.next_tx }));
        conn.path.recovering = conn.phase == Phase::Recovery;
        if conn.phase != Phase::Open {
            conn.react();
        }
        conn.phase = Phase::Open;
        self.strategy.on_split();
    }

    /// The sender moved: what is on the path that it left drains until a deadline.
    pub(super) fn begin_drain(&mut self, paths: &mut Paths, now: Time) {
        let Some((left, until)) = paths.left.as_ref().map(|(left, until)| (left.id, *until)) else {
            return;
        };
        if self.conn.board.is_empty() {
            self.conn.path.end_recovery(now);
            if paths.split.take().is_some() {
                self.strategy.after_pause(&mut self.conn, now);
            }
        } else {
            self.begin_split(paths);
            let first = paths.sent.first();
            if let Some(split) = &mut paths.split {
                split.turn(left, until, first);
            }
        }
        if paths.stranded.take() == Some(left) {
            self.end_drain(paths, now, Some(left));
        }
    }

    /// Counts all packets still on the path that was left as lost. `path` names it if it is gone;
    /// otherwise the deadline has passed.
    pub(super) fn end_drain(&mut self, paths: &mut Paths, now: Time, path: Option<PathId>) {
        let Some(split) = &mut paths.split else { return };
        if path.is_some() && path != split.behind {
            return;
        }
        split.deadline = Time::MAX;
        split.overdue = true;
        self.find_split_losses(paths, now);
    }

    /// Processes an ACK while packets are in flight over two paths, or one that answers a packet on
    /// another path.
    pub(super) fn acknowledge_split(
        &mut self,
        paths: &mut Paths,
        now: Time,
        info: &AckInfo,
        measures: bool,
    ) -> Option<Span> {
        let conn = &mut self.conn;
        let una = conn.board.una();
        if info.ack > conn.board.next() {
            return None;
        }
        // ACKs of two paths overtake each other too. The cumulative part of a late one is old, but
        // not its echo.
        let ack = info.ack.max(una);
        let samples = conn.in_flight().div_ceil(2);
        let echo = measures.then(|| conn.board.full_tx(info.echo_tx));
        let leg = echo.map(|tx| paths.sent.of(tx));
        let (mut here, mut beside, mut news) = (0, 0, 0_u32);
        let sent = &paths.sent;
        let mut note = |newly: Newly| {
            let leg = sent.of(newly.tx);
            here += u32::from(leg == Leg::Here);
            beside += u32::from(leg == Leg::Ahead);
            news += 1;
        };
        conn.board.each_below(ack, &mut note);
        conn.board.acknowledge(ack);
        let cumulative = (ack - una) as u32;
        if paths.receiver.sack {
            conn.board.select_each(info.ack, &info.sack, &mut note);
        } else if !paths.receiver.discards
            && let Some(seq) = echo.and_then(|tx| sent.segment(tx)).filter(|seq| *seq > ack)
        {
            let mut sack = SackBlocks::default();
            sack[0] = SackBlock { offset: (seq - ack) as u32, len: 1 };
            conn.board.select_each(ack, &sack, &mut note);
        }
        // Duplicate ACKs from before the split have counted some of these.
        let counted = conn.arrived_above.min(news.saturating_sub(1));
        conn.arrived_above -= counted;
        here -= counted.min(here);
        if let (Some(tx), Some(leg), Some(split)) = (echo, leg, &mut paths.split) {
            let seen = split.seen(leg);
            seen.newest = seen.newest.max(Some(tx));
        }
        // A path that answers is alive. What another one has brought forward proves nothing of it.
        if leg == Some(Leg::Here) || cumulative > 0 && paths.beside.is_none() {
            conn.path.timeouts = 0;
        }
        let newest = |over: Leg| {
            let tx = echo.filter(|_| leg == Some(over))?;
            Some((tx, sent.number(tx), info.echo_sent_at))
        };
        let mut sample = None;
        if here > 0 {
            let (newest, in_flight) = (newest(Leg::Here), conn.in_flight());
            let arrivals = Arrivals { count: here, newest, in_flight, samples };
            sample = conn.path.on_arrivals(now, arrivals);
        }
        if let Some(path) = &mut paths.beside {
            if leg == Some(Leg::Ahead) {
                path.timeouts = 0;
            }
            if beside > 0 {
                let (newest, in_flight) = (newest(Leg::Ahead), conn.board.elsewhere());
                let samples = (in_flight + beside).div_ceil(2);
                let arrivals = Arrivals { count: beside, newest, in_flight, samples };
                sample = sample.or(path.on_arrivals(now, arrivals));
            }
        }
        if cumulative > 0 {
            self.conn.duplicates = 0;
            self.check_finished(now);
        }
        self.find_split_losses(paths, now);
        if measures {
            let answered = echo.zip(leg).map(|(tx, leg)| (leg, paths.sent.number(tx)));
            let beside = paths.beside.as_deref_mut();
            self.on_echo_split(beside, now, info, (cumulative, news), answered);
        }
        self.restart_timers(paths, now, (here > 0 || cumulative > 0, beside > 0));
        self.end_split(paths, now);
        sample
    }

    /// Restarts or stops the retransmission timers of the paths of which an ACK has told something.
    fn restart_timers(&mut self, paths: &mut Paths, now: Time, (current, other): (bool, bool)) {
        let Paths { split, sent, beside, .. } = paths;
        let conn = &mut self.conn;
        // Without a split the ACK answers a packet of a path that was left long ago.
        let mut advances = |leg| {
            split.as_mut().is_none_or(|split| split.advances(leg, &conn.board, sent, conn.next_tx))
        };
        let restart = current && advances(Leg::Here);
        let restart_other = other && advances(Leg::Ahead);
        // A path that does not answer goes on being tried, also when the other has repaired all
        // that was on it.
        if current && conn.path.timeouts == 0 {
            // Duplicates may have counted copies as arrivals: less can be in flight than is out.
            if conn.board.pipe() == 0 {
                conn.path.rto_due = Time::MAX;
            } else if restart {
                conn.arm_timer(now);
            }
        }
        if other && let Some(path) = beside {
            if conn.board.elsewhere() == 0 {
                path.rto_due = Time::MAX;
            } else if restart_other {
                path.arm(now);
            }
        }
    }

    /// Finds transmissions that three later ones on their path have overtaken, or whose path is
    /// gone.
    fn find_split_losses(&mut self, paths: &mut Paths, now: Time) {
        if !self.conn.timed {
            return;
        }
        let discards = paths.receiver.discards;
        let Some(split) = &mut paths.split else { return };
        let known_from = if discards { u64::MAX } else { split.known_from };
        for leg in Leg::ALL {
            let Some(split) = &mut paths.split else { return };
            let Seen { newest, examined, .. } = *split.seen(leg);
            let Some(newest) = newest else { continue };
            let end = (newest + 1).saturating_sub(u64::from(DUP_THRESH));
            split.seen(leg).examined = end;
            for tx in examined.max(known_from)..end {
                if paths.sent.of(tx) == leg
                    && let Some(seq) = paths.sent.segment(tx)
                    && self.conn.board.out_since(seq, tx).is_some()
                {
                    self.lose(paths, now, seq, leg);
                }
            }
        }
        let board = &mut self.conn.board;
        let Some(split) = &mut paths.split else { return };
        if split.overdue && board.elsewhere() > 0 {
            let sent = &paths.sent;
            board.lose_elsewhere(|tx| tx >= known_from && sent.of(tx) == Leg::Behind);
            split.repaired = Some(board.next());
        }
        while let Some(first) = self.conn.board.first_in_flight()
            && let Some(split) = &mut paths.split
        {
            let leg = paths.sent.of(first.tx);
            let passed = split.seen(leg).newest >= Some(first.tx + u64::from(DUP_THRESH));
            if !(passed || leg == Leg::Behind && split.overdue) {
                break;
            }
            self.lose(paths, now, first.seq, leg);
            if discards {
                self.conn.board.lose_elsewhere(|tx| paths.sent.of(tx) == Leg::Behind);
            }
        }
    }

    /// A segment whose latest transmission took this path is lost. The path's controller learns of
    /// it, if it is in use.
    fn lose(&mut self, paths: &mut Paths, now: Time, seq: u64, leg: Leg) {
        let conn = &mut self.conn;
        // Counted before the loss, which takes the segment out of flight.
        let (here, elsewhere) = (conn.in_flight(), conn.board.elsewhere());
        let Some((lost, _)) = conn.board.lose(seq) else { return };
        if let Some(split) = &mut paths.split {
            split.repaired = Some(conn.board.next());
        }
        let (path, in_flight) = match (leg, &mut paths.beside) {
            (Leg::Here, _) => (&mut conn.path, here),
            (Leg::Ahead, Some(beside)) => (&mut **beside, elsewhere),
            _ => return,
        };
        let lost = (lost, paths.sent.number(lost.tx));
        let begins = path.on_loss(now, lost, in_flight, conn.next_tx);
        conn.counts.recoveries += u64::from(begins);
    }

    /// Returns to the sender's own recovery, if nothing on another path is left and nothing is
    /// missing.
    fn end_split(&mut self, paths: &mut Paths, now: Time) {
        let conn = &mut self.conn;
        let board = &conn.board;
        let Some(split) = &paths.split else { return };
        let clean = board.lost() == 0 && (paths.receiver.sack || board.sacked() == 0);
        if board.una() < split.until || !clean || paths.beside.is_some() {
            return;
        }
        debug_assert!(board.elsewhere() == 0, "only a path beside gets what is new");
        conn.arrived_above = 0;
        conn.after_timeout = split.repaired.is_some();
        conn.recover = split.repaired.unwrap_or(board.una());
        conn.path.end_recovery(now);
        paths.split = None;
        conn.stop_timing();
        self.strategy.after_pause(conn, now);
    }

    /// The timer of the only path in use expired: everything counts as sent anew.
    pub(in crate::tcp) fn after_expiry(&mut self) {
        let conn = &mut self.conn;
        let split = self.paths.as_mut().and_then(|paths| paths.split.as_mut());
        let Some(split) = split else { return };
        split.on_expiry(conn.board.next());
        conn.path.recovering = false;
        conn.react();
        conn.phase = Phase::Open;
    }
}

#[cfg(test)]
mod tests {
    use atl_core::window::Start;

    use super::*;
    use crate::app::Source;
    use crate::tcp::sender::Choice;
    use crate::tcp::{Recovery, testing};
    use atl_core::roaming::NewPath;

    fn ms(ms: u64) -> Time {
        Time::from_millis(ms)
    }

    /// A sender of ten packets at 0.
    fn sender(recovery: Recovery) -> Sender {
        let controller = testing::reno();
        let mut sender = testing::sender(&controller, recovery, 10.0, &Source::Greedy)
            .with_new_path(NewPath::Reset, controller, Start::default());
        testing::send(&mut sender, ms(0));
        sender
    }

    /// The same, of which some take another path as far as it knows.
    fn split_of(recovery: Recovery) -> Sender {
        let mut sender = sender(recovery);
        sender.with_paths(|sender, paths| {
            sender.begin_split(paths);
            paths.split.as_mut().expect("begun").until = 100;
        });
        sender
    }

    fn split() -> Sender {
        split_of(Recovery::Sack)
    }

    /// Segment `seq`, sent once, arrives when all below `ack` have.
    fn arrive(sender: &mut Sender, now: Time, ack: u64, seq: u64) {
        let mut sack = SackBlocks::default();
        if seq >= ack {
            sack[0] = SackBlock { offset: (seq - ack) as u32, len: 1 };
        }
        let info = AckInfo { ack, echo_tx: seq as u32, echo_sent_at: ms(0), ecn_flags: 0, sack };
        sender.on_ack(now, &info);
        testing::send(sender, now);
    }

    #[test]
    fn what_arrives_behind_a_hole_does_not_keep_its_timer_from_expiring() {
        let mut sender = split();
        assert_eq!(sender.next_timer(ms(0)), ms(1000));
        // Two later ones are too few to show that the first is lost.
        for (at, seq) in [(500, 1), (900, 2)] {
            arrive(&mut sender, ms(at), 0, seq);
            assert_eq!(sender.next_timer(ms(at)), ms(1000), "{seq}");
        }
        sender.on_timer(ms(1000));
        assert_eq!(sender.counts().timeouts, 1);
        assert_eq!(testing::send(&mut sender, ms(1000)).first(), Some(&0));
    }

    #[test]
    fn an_ack_of_what_was_never_sent_says_nothing() {
        let mut sender = split();
        arrive(&mut sender, ms(100), 11, 0);
        assert_eq!((sender.una(), sender.in_flight(), sender.srtt()), (0, 10, None));
        arrive(&mut sender, ms(100), 10, 9);
        assert_eq!(sender.una(), 10);
    }

    /// It cannot have arrived, whatever the echo says.
    #[test]
    fn the_segment_that_an_ack_asks_for_is_outstanding() {
        let mut sender = split_of(Recovery::NewReno);
        let sack = SackBlocks::default();
        let info = AckInfo { ack: 0, echo_tx: 0, echo_sent_at: ms(0), ecn_flags: 0, sack };
        sender.on_ack(ms(100), &info);
        assert_eq!(sender.in_flight(), 10);
    }

    /// Two duplicate ACKs came before the split, and then each ACK of one packet alone.
    #[test]
    fn nothing_above_a_hole_is_left_to_count_when_the_split_ends() {
        let mut sender = sender(Recovery::NewReno);
        let ack = |sender: &mut Sender, ack: u64, echo_tx: u32| {
            let sack = SackBlocks::default();
            let info = AckInfo { ack, echo_tx, echo_sent_at: ms(0), ecn_flags: 0, sack };
            sender.on_ack(ms(100), &info);
        };
        [1, 2].into_iter().for_each(|echo| ack(&mut sender, 0, echo));
        assert_eq!(sender.in_flight(), 8);
        sender.with_paths(Sender::begin_split);
        (0..10).for_each(|echo| ack(&mut sender, u64::from(echo) + 1, echo));
        assert!(sender.paths.as_ref().is_some_and(|paths| !paths.is_split()));
        let sent = testing::send(&mut sender, ms(100)).len();
        assert_eq!(sender.in_flight() as usize, sent);
    }

    /// Two duplicates, then an ACK of more over a path that was given up, then a duplicate: not
    /// three in a row.
    #[test]
    fn an_ack_over_an_old_path_breaks_a_row_of_duplicates() {
        let mut sender = sender(Recovery::NewReno);
        sender.with_paths(|sender, paths| {
            let choice = Choice { seq: 10, bytes: 1040, again: false };
            sender.send_ahead(paths, ms(0), PathId::new(1), choice, 0);
            paths.sent.give_up();
        });
        for (ack, echo_tx) in [(0, 1), (0, 2), (1, 10), (1, 3)] {
            let sack = SackBlocks::default();
            let info = AckInfo { ack, echo_tx, echo_sent_at: ms(0), ecn_flags: 0, sack };
            sender.on_ack(ms(100), &info);
        }
        assert_eq!((sender.una(), sender.counts().recoveries), (1, 0));
    }

    #[test]
    fn the_timer_restarts_with_the_next_oldest_packet() {
        let mut sender = split();
        arrive(&mut sender, ms(900), 1, 0);
        let due = sender.next_timer(ms(900));
        assert!(due > ms(1000), "{due:?}");
        // Now 1 is the oldest; 2 changes nothing.
        arrive(&mut sender, ms(950), 1, 2);
        assert_eq!(sender.next_timer(ms(950)), due);
    }
}
