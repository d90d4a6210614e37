//! ACKs and losses while packets are in flight over two paths: before a move, when dummy ACKs release data on the path
//! that is being surveyed, and after it, while what was sent over the old path drains.
//!
//! Packets of two paths overtake each other, so neither duplicate ACKs nor SACK blocks show a loss by themselves. A
//! transmission is lost if three later ones *on its own path* have arrived, as in QUIC (RFC 9002, sec. 6.1.1); an ACK
//! echoes its transmission, hence this needs no SACK. The controller learns of the current path's transmissions only. What
//! is lost elsewhere is repaired without a word to it.
//!
//! Without SACK the echo of a duplicate ACK names the segment that arrived, which counts as selectively acknowledged until
//! the paths are one again. What arrived above a hole before is not known: of those segments only the first hole is lost for
//! certain, and they are repaired one at a time, as NewReno does.
//!
//! Each path's retransmission timer runs for the oldest packet in flight there, and restarts when another one is the oldest: RFC
//! 6298, rule 5.3, in which new data acknowledged means just that. The cumulative point would not do, since it waits for the
//! other path; nor would any arrival, since those behind a hole would keep its timer from expiring.
//!
//! What is still on an old path when its drain's deadline passes, one of its retransmission timeouts after the move, or
//! when the mobile leaves that network for good, is lost.
//!
//! All this ends when everything sent before the last move or release is acknowledged and nothing is missing. Then the
//! sender's own recovery takes over again.

use atl_core::path::PathId;
use atl_core::time::{Span, Time};
use atl_core::window::{Ack, Detection, WindowController};

use super::lane::Lane;
use super::legs::{Leg, Legs};
use super::{Roaming, Sender};
use crate::options::{SackBlock, SackBlocks};
use crate::tcp::ack::AckInfo;
use crate::tcp::connection::{Connection, Phase, loss};
use crate::tcp::recovery::LossRecovery;
use crate::tcp::scoreboard::{DUP_THRESH, LostTx, Newly, Scoreboard};

/// What is known of the arrivals over one path.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    /// The latest transmission that arrived.
    newest: Option<u64>,
    /// All transmissions below are known to have arrived or to be lost.
    examined: u64,
    /// No transmission below is in flight: the retransmission timer runs for the first from here on that is.
    oldest: u64,
}

impl Seen {
    fn new(newest: Option<u64>, first: u64) -> Self {
        Seen { newest, examined: first, oldest: first }
    }

    /// Goes on to the oldest transmission in flight over this path. True if another one was that before, so that the
    /// retransmission timer restarts (RFC 6298, rule 5.3, for a path: what arrives behind a hole does not restart it).
    fn advances(&mut self, leg: Leg, board: &Scoreboard, legs: &Legs, next: u64) -> bool {
        let mut advanced = false;
        while self.oldest < next {
            let tx = self.oldest;
            if legs.of(tx) == leg {
                let seq = legs.segment(tx);
                if seq.is_some_and(|seq| board.out_since(seq, tx).is_some()) {
                    break;
                }
                advanced = true;
            }
            self.oldest += 1;
        }
        advanced
    }
}

/// Packets are in flight over two paths.
#[derive(Debug)]
pub(super) struct Split {
    /// It lasts until this segment is the first outstanding one.
    until: u64,
    /// Of each transmission from this one on it is known whether it arrived.
    known_from: u64,
    seen: [Seen; 3],
    /// The path that was left last.
    behind: Option<PathId>,
    /// When what is still on it is lost.
    pub(super) deadline: Time,
    /// This has come.
    overdue: bool,
    /// The controller reacted to a loss, and nothing sent since has arrived.
    recovering: bool,
    /// The segment after the last that was outstanding when something was repaired: duplicates up to there may come from
    /// copies.
    repaired: Option<u64>,
}

impl Split {
    fn new(until: u64, first: u64, known_from: u64) -> Self {
        Split {
            until,
            known_from,
            seen: [Seen::new(None, first); 3],
            behind: None,
            deadline: Time::MAX,
            overdue: false,
            recovering: false,
            repaired: None,
        }
    }

    /// The timer of a path in use expired.
    pub(super) fn on_expiry(&mut self, next: u64) {
        self.until = next;
        self.repaired = Some(next);
    }

    /// Whether the current controller has reacted to a loss, and nothing sent since has arrived.
    pub(super) fn set_recovering(&mut self, recovering: bool) {
        self.recovering = recovering;
    }

    fn seen(&mut self, leg: Leg) -> &mut Seen {
        &mut self.seen[leg as usize]
    }
}

impl Sender {
    /// Packets are in flight over two paths from now on, up to the next segment.
    pub(super) fn begin_split(&mut self, roaming: &mut Roaming) {
        let next = self.conn.board.next();
        let Some(split) = &mut roaming.split else {
            let conn = &mut self.conn;
            let first = roaming.legs.first();
            let known = roaming.selective
                || conn.phase == Phase::Open && conn.duplicates == 0 && !roaming.discards;
            let known_from = if known { first } else { conn.next_tx };
            let mut split = Split::new(next, first, known_from);
            split.recovering = conn.phase == Phase::Recovery;
            if conn.phase != Phase::Open {
                conn.react();
            }
            conn.phase = Phase::Open;
            conn.duplicates = 0;
            self.strategy.on_split();
            roaming.split = Some(split);
            return;
        };
        split.until = next;
    }

    /// The sender moved: what is on the old path drains until the deadline.
    pub(super) fn begin_drain(&mut self, roaming: &mut Roaming, left: PathId, deadline: Time) {
        if self.conn.board.is_empty() {
            roaming.split = None;
            return;
        }
        self.begin_split(roaming);
        let first = roaming.legs.first();
        let Some(split) = &mut roaming.split else { return };
        let [here, ahead, behind] = split.seen.map(|seen| seen.newest);
        let seen = |newest| Seen::new(newest, first);
        split.seen = [seen(ahead), seen(None), seen(here.max(behind))];
        split.behind = Some(left);
        split.deadline = deadline;
        split.overdue = false;
        split.recovering = false;
    }

    /// The path that was being surveyed is given up: what was sent over it drains like that of an old one.
    pub(super) fn drain_ahead(&mut self, roaming: &mut Roaming, path: PathId, deadline: Time) {
        let released = !roaming.legs.ahead().is_empty();
        roaming.legs.give_up();
        let Some(split) = roaming.split.as_mut().filter(|_| released) else { return };
        let ahead = core::mem::take(split.seen(Leg::Ahead));
        let behind = split.seen(Leg::Behind);
        behind.newest = behind.newest.max(ahead.newest);
        behind.examined = behind.examined.min(ahead.examined);
        behind.oldest = behind.oldest.min(ahead.oldest);
        split.behind = Some(path);
        split.deadline = split.deadline.min(deadline);
        // What drains now has a deadline of its own, whatever became of the path that was left before.
        split.overdue = false;
    }

    /// What is still on the path that was left is lost. `path` names it if it is gone; otherwise the deadline has passed.
    pub(super) fn end_drain(&mut self, roaming: &mut Roaming, now: Time, path: Option<PathId>) {
        let Some(split) = &mut roaming.split else { return };
        if path.is_some() && path != split.behind {
            return;
        }
        split.deadline = Time::MAX;
        split.overdue = true;
        self.find_split_losses(roaming, now);
    }

    /// Processes an ACK while packets are in flight over two paths, or one that answers a packet on another path.
    pub(super) fn acknowledge_split(
        &mut self,
        roaming: &mut Roaming,
        now: Time,
        info: &AckInfo,
        measures: bool,
    ) -> Option<Span> {
        let conn = &mut self.conn;
        let una = conn.board.una();
        if info.ack > conn.board.next() || conn.phase == Phase::Connecting {
            return None;
        }
        // ACKs of two paths overtake each other too. The cumulative part of a late one is old, but not its echo.
        let ack = info.ack.max(una);
        let samples = conn.in_flight().div_ceil(2);
        let echo = measures.then(|| conn.board.full_tx(info.echo_tx));
        let leg = echo.map(|tx| roaming.legs.of(tx));
        let (mut here, mut beside, mut news) = (0, 0, 0);
        let legs = &roaming.legs;
        let mut note = |newly: Newly| {
            let leg = legs.of(newly.tx);
            here += u32::from(leg == Leg::Here);
            beside += u32::from(leg == Leg::Ahead);
            news += 1;
        };
        conn.board.each_below(ack, &mut note);
        conn.board.acknowledge(ack);
        let cumulative = (ack - una) as u32;
        if roaming.selective {
            conn.board.select_each(info.ack, &info.sack, &mut note);
        } else if !roaming.discards
            && let Some(seq) = echo.and_then(|tx| legs.segment(tx)).filter(|seq| *seq > ack)
        {
            let mut sack = SackBlocks::default();
            sack[0] = SackBlock { offset: (seq - ack) as u32, len: 1 };
            conn.board.select_each(ack, &sack, &mut note);
        }
        // Duplicate ACKs from before the split have counted some of these.
        let counted =
            if cumulative > 0 { conn.arrived_above.min(news - u32::from(news > 0)) } else { 0 };
        conn.arrived_above -= counted;
        here -= counted.min(here);
        let mut sample = None;
        if let Some((tx, leg)) = echo.zip(leg) {
            if let Some(split) = &mut roaming.split {
                let seen = split.seen(leg);
                seen.newest = seen.newest.max(Some(tx));
            }
            match leg {
                Leg::Here if here > 0 => {
                    let rtt = now.since(info.echo_sent_at);
                    conn.rtt.on_one_sample_of(rtt, samples);
                    roaming.guard.validate(self.path);
                    sample = Some(rtt);
                }
                _ => {}
            }
        }
        // A path that answers is alive. What another one has brought forward proves nothing of it.
        let alone = roaming.beside.is_none();
        if here > 0 || leg == Some(Leg::Here) || cumulative > 0 && alone {
            self.consecutive_timeouts = 0;
        }
        if leg == Some(Leg::Ahead)
            && let Some(lane) = &mut roaming.beside
        {
            lane.timeouts = 0;
        }
        if here > 0 {
            self.tell_of_arrivals(
                roaming,
                now,
                info,
                here,
                echo.filter(|_| leg == Some(Leg::Here)),
                sample,
            );
        }
        if beside > 0
            && let Some(lane) = &mut roaming.beside
        {
            let echo = echo.filter(|_| leg == Some(Leg::Ahead));
            let newest = echo.map(|tx| (tx, roaming.legs.index_beside(tx), info.echo_sent_at));
            let elsewhere = self.conn.board.elsewhere();
            let heard = lane.on_arrivals(now, beside, newest, elsewhere);
            sample = sample.or(heard);
        }
        if cumulative > 0 {
            self.conn.duplicates = 0;
            self.check_finished(now);
        }
        self.find_split_losses(roaming, now);
        self.restart_timers(roaming, now, (here > 0 || cumulative > 0, beside > 0));
        self.end_split(roaming, now);
        sample
    }

    /// Restarts or stops the retransmission timers of the paths of which an ACK has told something.
    fn restart_timers(&mut self, roaming: &mut Roaming, now: Time, (current, other): (bool, bool)) {
        let Roaming { split, legs, beside, .. } = roaming;
        let conn = &mut self.conn;
        // Without a split the ACK answers a packet of a path that was left long ago.
        let mut advances = |leg| {
            split
                .as_mut()
                .is_none_or(|split| split.seen(leg).advances(leg, &conn.board, legs, conn.next_tx))
        };
        let restart = current && advances(Leg::Here);
        let restart_other = other && advances(Leg::Ahead);
        // A path that does not answer goes on being tried, also when the other has repaired all that was on it.
        let silent = self.consecutive_timeouts > 0 && beside.is_some();
        if current && !silent {
            if conn.in_flight() == 0 {
                conn.rto_due = Time::MAX;
            } else if restart || conn.rto_due == Time::MAX {
                conn.arm_timer(now);
            }
        }
        if other && let Some(lane) = beside {
            if conn.board.elsewhere() == 0 {
                lane.rto_due = Time::MAX;
            } else if restart_other || lane.rto_due == Time::MAX {
                lane.arm(now);
            }
        }
    }

    /// Tells the controller that `here` packets arrived over its path. It is told as a host without a cumulative point tells
    /// it, since that point waits for what is on the other path.
    fn tell_of_arrivals(
        &mut self,
        roaming: &mut Roaming,
        now: Time,
        info: &AckInfo,
        here: u32,
        echo: Option<u64>,
        sample: Option<Span>,
    ) {
        let conn = &mut self.conn;
        let recovering = roaming.split.as_ref().is_some_and(|split| split.recovering);
        let over = recovering && echo.is_some_and(|tx| tx >= conn.reacted);
        let newest = echo.map(|tx| (roaming.legs.index(tx), info.echo_sent_at));
        let ack = Ack::new(now)
            .delivered(here)
            .cumulative(here)
            .newest(newest)
            .rtt(sample)
            .srtt(conn.rtt.srtt().unwrap_or_default())
            .rtt_min(conn.rtt.min().unwrap_or_default())
            .in_flight(conn.in_flight())
            .in_recovery(recovering)
            .window_limited(self.window_limited);
        conn.controller.on_ack(&ack);
        self.window_limited = false;
        if over {
            conn.controller.on_recovered(now);
            if let Some(split) = &mut roaming.split {
                split.recovering = false;
            }
        }
    }

    /// Finds transmissions that three later ones on their path have overtaken, or whose path is gone.
    fn find_split_losses(&mut self, roaming: &mut Roaming, now: Time) {
        if !self.conn.timed {
            return;
        }
        let Roaming { split: Some(split), legs, discards, beside, .. } = roaming else { return };
        let mut lane = beside.as_deref_mut();
        let conn = &mut self.conn;
        let known_from = if *discards { u64::MAX } else { split.known_from };
        for leg in Leg::ALL {
            let Seen { newest, examined, .. } = *split.seen(leg);
            let Some(newest) = newest else { continue };
            let end = (newest + 1).saturating_sub(u64::from(DUP_THRESH));
            for tx in examined.max(known_from)..end {
                if legs.of(tx) != leg {
                    continue;
                }
                let Some(seq) = legs.segment(tx) else { continue };
                if conn.board.out_since(seq, tx).is_some() {
                    let out = LostTx { tx, seq, link_failed: false };
                    lose(conn, split, lane.as_deref_mut(), now, out, leg, legs);
                }
            }
            split.seen(leg).examined = examined.max(end);
        }
        if split.overdue && conn.board.elsewhere() > 0 {
            conn.board.lose_elsewhere(|tx| tx >= known_from && legs.of(tx) == Leg::Behind);
            split.repaired = Some(conn.board.next());
        }
        while let Some(first) = conn.board.first_in_flight().filter(|first| first.tx < known_from) {
            let leg = legs.of(first.tx);
            let passed = split.seen(leg).newest >= Some(first.tx + u64::from(DUP_THRESH));
            if !(passed || leg == Leg::Behind && split.overdue) {
                break;
            }
            lose(conn, split, lane.as_deref_mut(), now, first, leg, legs);
            if *discards {
                conn.board.lose_elsewhere(|tx| legs.of(tx) == Leg::Behind);
            }
        }
    }

    /// Returns to the sender's own recovery, if nothing on another path is left and nothing is missing.
    fn end_split(&mut self, roaming: &mut Roaming, now: Time) {
        let conn = &mut self.conn;
        let board = &conn.board;
        let Some(split) = &roaming.split else { return };
        let clean = board.elsewhere() == 0
            && board.lost() == 0
            && (roaming.selective || board.sacked() == 0);
        if board.una() < split.until || !clean || roaming.beside.is_some() {
            return;
        }
        conn.arrived_above = 0;
        conn.after_timeout = split.repaired.is_some();
        conn.recover = split.repaired.unwrap_or(conn.board.una());
        if split.recovering {
            conn.controller.on_recovered(now);
        }
        roaming.split = None;
        self.strategy.after_pause(conn, now);
    }

    /// The timer of the current path expired: everything counts as sent anew.
    pub(in crate::tcp) fn after_expiry(&mut self, roaming: &mut Roaming) {
        let Some(split) = &mut roaming.split else { return };
        let conn = &mut self.conn;
        split.until = conn.board.next();
        split.repaired = Some(conn.board.next());
        split.recovering = false;
        conn.react();
        conn.phase = Phase::Open;
    }
}

/// A transmission is lost. The controller of its path learns of it, if that is in use.
fn lose(
    conn: &mut Connection,
    split: &mut Split,
    lane: Option<&mut Lane>,
    now: Time,
    out: LostTx,
    leg: Leg,
    legs: &Legs,
) {
    // Counted before the loss, which takes the segment out of flight.
    let in_flight = conn.in_flight();
    let beside = conn.board.elsewhere();
    let Some((lost, _)) = conn.board.lose(out.seq) else { return };
    split.repaired = Some(conn.board.next());
    if leg == Leg::Ahead
        && let Some(lane) = lane
    {
        let numbered = LostTx { tx: legs.index_beside(lost.tx), ..lost };
        conn.counts.recoveries +=
            u64::from(lane.on_loss(now, lost.tx, numbered, beside, conn.next_tx));
    }
    if leg != Leg::Here {
        return;
    }
    let begins = lost.tx >= conn.reacted;
    let numbered = LostTx { tx: legs.index(lost.tx), ..lost };
    let bytes = conn.packet_bytes;
    conn.controller.on_loss(&loss(now, numbered, begins, Detection::Acks, in_flight, bytes, 0));
    if begins {
        split.recovering = true;
        conn.counts.recoveries += 1;
        conn.forced = true;
        conn.react();
    }
}

#[cfg(test)]
mod tests {
    use atl_core::window::Start;

    use super::*;
    use crate::app::Source;
    use crate::tcp::{Recovery, testing};
    use atl_core::roaming::NewPath;

    fn ms(ms: u64) -> Time {
        Time::from_millis(ms)
    }

    /// A sender of ten packets at 0, of which some take another path as far as it knows.
    fn split() -> Sender {
        let controller = testing::reno();
        let mut sender = testing::sender(&controller, Recovery::Sack, 10.0, &Source::Greedy)
            .with_new_path(NewPath::Reset, controller, Start::default());
        testing::send(&mut sender, ms(0));
        let mut roaming = sender.roaming.take().expect("several paths");
        sender.begin_split(&mut roaming);
        roaming.split.as_mut().expect("begun").until = 100;
        sender.roaming = Some(roaming);
        sender
    }

    /// Segment `seq`, sent once, arrives when all below `ack` have.
    fn arrive(sender: &mut Sender, now: Time, ack: u64, seq: u64) {
        let mut sack = SackBlocks::default();
        if seq >= ack {
            sack[0] = SackBlock { offset: (seq - ack) as u32, len: 1 };
        }
        let info = AckInfo { ack, echo_tx: seq as u32, echo_sent_at: ms(0), sack };
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
