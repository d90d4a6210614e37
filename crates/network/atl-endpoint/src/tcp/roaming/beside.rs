//! Data over two paths at once, between the probe of the new one and the handoff.
//!
//! Source: Taleb et al., sec. IV-B: dummy ACKs release data on the new path, whose window then grows as NewReno's does, while
//! the mobile still hears both access points. That both deliver is what their throughput over the handoff period needs. The
//! paper does not say how one connection is spread over two paths. Chosen:
//!
//! - One sequence space. Each path has a controller, an RTT, packets in flight, loss detection (`split`) and a
//!   retransmission timer of its own: RFC 9002 for each path, as in Multipath QUIC.
//! - A path takes the next segment when its window has room; a lost segment goes to whichever path has. If both have, the
//!   one with the shorter RTT does; one whose timer has expired since its last ACK comes second.
//! - The receive window is shared. The slower path takes no segment if the faster one, which sends a window in each of its own
//!   round trips, would fill the receive window before that segment is answered: it would then stand still and wait for it
//!   (Ferlin et al., "BLEST", IFIP Networking 2016).
//! - Each path is paced ([`super::pace`]): ACKs of one open the receive window for both, in bursts.
//! - A path whose timer has expired may be dead: until it answers it gets one packet each time that its timer expires. If
//!   the receiver waits for that one, it is repaired over the other path as soon as that has nothing else to send.
//! - A receiver that discards what is out of order, and a sender that repairs nothing, use one path at a time.

use atl_core::path::PathId;
use atl_core::roaming::{Knowledge, Meanwhile};
use atl_core::time::Time;
use atl_core::window::{Detection, Sent, Timeout, WindowController};

use super::lane::Lane;
use super::legs::Leg;
use super::moving::Left;
use super::{Roaming, Sender};
use crate::tcp::connection::{Phase, loss};
use crate::tcp::recovery::{LossRecovery, Transmission};
use crate::tcp::scoreboard::LostTx;
use crate::tcp::sender::Outgoing;

impl Sender {
    /// The window of a path that is used beside the current one, in packets, and that path.
    pub fn beside(&self) -> Option<(PathId, f64)> {
        let lane = self.roaming.as_ref()?.beside.as_ref()?;
        Some((lane.path, lane.controller.window()))
    }

    /// What this connection does between a probe and the handoff.
    pub(super) fn meanwhile(&self, roaming: &Roaming, wish: Meanwhile) -> Meanwhile {
        match wish {
            Meanwhile::Both if roaming.discards || !self.conn.timed => Meanwhile::Old,
            // A third path is only probed.
            _ if roaming.beside.is_some() => Meanwhile::Old,
            wish => wish,
        }
    }

    /// Uses this path beside the current one from now on.
    pub(super) fn begin_beside(
        &mut self,
        roaming: &mut Roaming,
        now: Time,
        path: PathId,
        known: Knowledge,
    ) {
        let left = self.path;
        let back = roaming.left.take_if(|back| back.path == path);
        let back = back.filter(|back| now < back.until);
        let begun = self.begin_on(roaming, now, (left, path), known, back);
        let bytes = self.conn.packet_bytes;
        let mut lane = Lane::new(path, begun.controller, begun.rtt, begun.filling, bytes);
        // What the survey has released belongs to its window.
        let mut released = Vec::new();
        self.conn.board.each_in_flight(|tx| {
            if roaming.legs.of(tx) == Leg::Ahead {
                released.push(tx);
            }
        });
        released.sort_unstable();
        roaming.legs.begin_beside(released.first().copied().unwrap_or(self.conn.next_tx));
        for (at, tx) in released.iter().enumerate() {
            let number = roaming.legs.index_beside(*tx);
            lane.controller.on_sent(&Sent::new(now, number, bytes, at as u32 + 1));
        }
        if !released.is_empty() {
            lane.arm(now);
        }
        self.begin_split(roaming);
        roaming.beside = Some(Box::new(lane));
    }

    /// The host is on the path beside, or the current one is gone: it goes on alone, and the old one drains.
    pub(super) fn adopt(&mut self, roaming: &mut Roaming, now: Time) {
        let Some(lane) = roaming.beside.take() else { return };
        let left = self.path;
        let conn = &mut self.conn;
        let mut old_rtt = conn.rtt.clone();
        old_rtt.end_back_off();
        let deadline = now.saturating_add(old_rtt.rto());
        roaming.note_rtt(left, old_rtt.srtt(), now);
        let window = (conn.controller.window(), conn.controller.ssthresh());
        roaming.left = Some(Left { path: left, window, rtt: old_rtt, until: deadline });

        let legs = &mut roaming.legs;
        conn.board.turn(|tx| legs.of(tx) == Leg::Ahead);
        legs.turn_beside(conn.next_tx);
        conn.tx_base = legs.base();
        self.path = lane.path;
        conn.controller = lane.controller;
        conn.rtt = lane.rtt;
        conn.rto_due = lane.rto_due;
        conn.reacted = lane.reacted;
        conn.forced = lane.forced;
        conn.arrived_above = 0;
        conn.duplicates = 0;
        conn.partial_acks = 0;
        if conn.in_flight() > 0 && conn.rto_due == Time::MAX {
            conn.arm_timer(now);
        }
        roaming.filling = lane.filling;
        self.consecutive_timeouts = lane.timeouts;
        self.window_limited = lane.window_limited;
        self.first_probe = self.next_probe;
        self.begin_drain(roaming, left, deadline);
        if let Some(split) = &mut roaming.split {
            split.set_recovering(lane.recovering);
        }
        if roaming.stranded.take() == Some(left) {
            self.end_drain(roaming, now, Some(left));
        }
    }

    /// The path beside is not the one to move to.
    pub(super) fn give_up_beside(&mut self, roaming: &mut Roaming, now: Time) {
        let Some(mut lane) = roaming.beside.take() else { return };
        lane.rtt.end_back_off();
        roaming.note_rtt(lane.path, lane.rtt.srtt(), now);
        if !self.conn.board.is_empty() {
            self.begin_split(roaming);
        }
        self.drain_ahead(roaming, lane.path, now.saturating_add(lane.rtt.rto()));
    }

    /// The next packet over the path beside, if it is its turn.
    pub(in crate::tcp) fn poll_beside(&mut self, now: Time) -> Option<Outgoing> {
        self.roaming.as_ref()?.beside.as_ref()?;
        let mut roaming = self.roaming.take()?;
        let mut lane = roaming.beside.take()?;
        let out = self.send_beside(&mut roaming, &mut lane, now);
        roaming.beside = Some(lane);
        self.roaming = Some(roaming);
        out
    }

    fn send_beside(
        &mut self,
        roaming: &mut Roaming,
        lane: &mut Lane,
        now: Time,
    ) -> Option<Outgoing> {
        lane.release = Time::MAX;
        let in_flight = self.conn.board.elsewhere();
        if lane.timeouts > 0 && self.consecutive_timeouts == 0 && !lane.forced {
            return None;
        }
        if !lane.has_room(in_flight) {
            lane.window_limited = true;
            return None;
        }
        if let Some(at) = lane.paced_until(now) {
            lane.release = at;
            lane.window_limited |= !self.idle;
            return None;
        }
        if self.is_slower(lane) {
            let bytes = self.conn.packet_bytes;
            let first = self.has_room(now)
                && lane.pace_current.until(now).is_none()
                && roaming.may_go(now, self.path, bytes).is_ok();
            if first || self.would_block(lane, in_flight) {
                lane.window_limited = false;
                return None;
            }
        }
        let Some((seq, again)) = self.choose_beside(roaming, lane, now) else {
            lane.window_limited = false;
            return None;
        };
        let conn = &mut self.conn;
        let tx = conn.next_tx;
        conn.next_tx += 1;
        if again
            && conn.board.is_lost(seq)
            && let Some(lost) = conn.board.latest(seq)
        {
            roaming.on_repeated(lost.tx);
        }
        if again {
            conn.board.resend_elsewhere(seq, now, tx);
            conn.counts.retransmissions += 1;
        } else {
            conn.board.push_elsewhere(now, tx);
        }
        roaming.legs.on_sent(tx, seq, conn.board.una());
        roaming.legs.release(tx);
        conn.tx_base = roaming.legs.base();
        conn.counts.sent += 1;
        self.idle = conn.board.next() >= self.app.written(now);
        self.strategy.on_sent(conn, now, Transmission { seq, tx, again });
        if lane.timeouts > 0 {
            lane.tried = Some((seq, tx));
        }
        let number = roaming.legs.index_beside(tx);
        lane.on_sent(now, number, in_flight + 1, again, self.idle);
        Some(Outgoing::Data { seq, tx, path: lane.path })
    }

    /// The segment to send over the path beside. What a current path that does not answer is tried with goes before everything
    /// else, so that it does not hold up the rest.
    fn choose_beside(&mut self, roaming: &Roaming, lane: &Lane, now: Time) -> Option<(u64, bool)> {
        if lane.timeouts < self.consecutive_timeouts
            && let Some(tried) = self.take_tried(roaming)
        {
            return Some(tried);
        }
        self.choose(now).or_else(|| self.take_tried(roaming))
    }

    /// The segment that a current path is tried with since its timer has expired. It counts as lost there.
    fn take_tried(&mut self, roaming: &Roaming) -> Option<(u64, bool)> {
        if self.consecutive_timeouts == 0 || self.conn.in_flight() == 0 {
            return None;
        }
        // A timeout lets one packet go: there is no more to find.
        let mut tried = None;
        self.conn.board.each_in_flight(|tx| {
            if roaming.legs.of(tx) == Leg::Here {
                tried = Some(tx);
            }
        });
        let seq = roaming.legs.segment(tried?)?;
        self.conn.board.lose(seq)?;
        Some((seq, true))
    }

    /// Whether the current path may send, as far as one beside it is concerned.
    pub(in crate::tcp) fn may_take_current(&mut self, now: Time) -> bool {
        let Some(mut roaming) = self.roaming.take() else { return true };
        let may = self.may_send_beside(&mut roaming, now);
        self.roaming = Some(roaming);
        may
    }

    fn may_send_beside(&mut self, roaming: &mut Roaming, now: Time) -> bool {
        self.repair_beside(roaming);
        let Some(lane) = roaming.beside.as_deref_mut() else { return true };
        if self.is_silent(lane) || self.must_spare(lane) {
            self.window_limited = false;
            return false;
        }
        if let Some(at) = lane.pace_current.until(now)
            && !self.conn.forced
        {
            lane.release = lane.release.min(at);
            self.window_limited |= !self.idle;
            return false;
        }
        true
    }

    /// Before the current path is asked: what a path beside it that does not answer is tried with is lost.
    fn repair_beside(&mut self, roaming: &mut Roaming) {
        let Some(lane) = roaming.beside.as_deref_mut() else { return };
        if lane.timeouts <= self.consecutive_timeouts {
            return;
        }
        if let Some((seq, tx)) = lane.tried.take()
            && self.conn.board.out_since(seq, tx).is_some()
        {
            self.conn.board.lose(seq);
        }
    }

    /// True if the current path's window and pacing let a packet go.
    fn has_room(&self, now: Time) -> bool {
        let controller = &self.conn.controller;
        self.conn.forced
            || f64::from(self.in_flight() + 1) <= controller.window()
                && controller.release_at().is_none_or(|at| at <= now)
    }

    /// True if the path beside is slower than the current one.
    fn is_slower(&self, lane: &Lane) -> bool {
        let (here, there) = (self.conn.rtt.srtt(), lane.rtt.srtt());
        (lane.timeouts, there) >= (self.consecutive_timeouts, here)
    }

    /// True if the current path's timer has expired, and nothing has come from it since, while the other answers.
    fn is_silent(&self, lane: &Lane) -> bool {
        self.consecutive_timeouts > 0 && lane.timeouts == 0 && !self.conn.forced
    }

    /// True if the current path must leave the receive window to the one beside it.
    fn must_spare(&self, lane: &Lane) -> bool {
        !self.conn.forced && !self.is_slower(lane) && self.would_block(lane, self.in_flight())
    }

    /// True if a new segment over the slower path, with this many packets in flight, would make the faster one wait.
    fn would_block(&self, lane: &Lane, in_flight: u32) -> bool {
        let (Some(here), Some(there)) = (self.conn.rtt.srtt(), lane.rtt.srtt()) else {
            return false;
        };
        if self.conn.board.waiting() > 0 || lane.forced {
            return false;
        }
        let (fast, quick, slow) = if self.is_slower(lane) {
            (&self.conn.controller, here, there)
        } else {
            (&lane.controller, there, here)
        };
        if quick.is_zero() {
            return false;
        }
        let trips = (slow.secs() / quick.secs()).max(1.0);
        let needs = (fast.window() + (trips - 1.0) / 2.0) * trips;
        needs + f64::from(in_flight + 1) > self.receive_window as f64
    }

    /// Timers of the path beside.
    pub(super) fn on_beside_timer(&mut self, roaming: &mut Roaming, now: Time) {
        let Some(lane) = roaming.beside.as_deref_mut() else { return };
        if lane.release <= now {
            lane.release = Time::MAX;
        }
        if lane.controller.next_timeout().is_some_and(|at| at <= now) {
            lane.controller.on_tick(now);
        }
        if now < lane.rto_due {
            return;
        }
        let in_flight = self.conn.board.elsewhere();
        if self.frozen.is_some() {
            lane.arm(now);
            return;
        }
        let legs = &roaming.legs;
        let mut lost = Vec::new();
        self.conn.board.lose_each(|tx| legs.of(tx) == Leg::Ahead, |gone| lost.push(gone));
        if lost.is_empty() {
            lane.try_again();
            return;
        }
        for lost in &mut lost {
            lost.tx = legs.index_beside(lost.tx);
        }
        self.conn.counts.timeouts += 1;
        lane.on_expiry(now, &lost, in_flight, self.conn.next_tx);
        if let Some(split) = &mut roaming.split {
            split.on_expiry(self.conn.board.next());
        }
    }

    /// The timer of the current path expired while another is in use: only what is on the current one is lost. True if so.
    pub(in crate::tcp) fn expire_current(&mut self, now: Time) -> bool {
        let Some(roaming) = self.roaming.as_deref_mut() else { return false };
        if roaming.beside.is_none() {
            return false;
        }
        let conn = &mut self.conn;
        let legs = &roaming.legs;
        let in_flight = conn.in_flight();
        let (controller, bytes) = (&mut conn.controller, conn.packet_bytes);
        let mut any = false;
        conn.board.lose_each(
            |tx| legs.of(tx) == Leg::Here,
            |lost| {
                any = true;
                let lost = LostTx { tx: legs.index(lost.tx), ..lost };
                let event = loss(now, lost, false, Detection::Timeout, in_flight, bytes, 0);
                controller.on_loss(&event);
            },
        );
        conn.arrived_above = 0;
        conn.duplicates = 0;
        if !any {
            // What it was tried with is repaired over the other path. It is tried again with the next packet.
            conn.forced |= self.consecutive_timeouts > 0;
            conn.rto_due = Time::MAX;
            return true;
        }
        conn.counts.timeouts += 1;
        self.consecutive_timeouts += 1;
        let consecutive = self.consecutive_timeouts;
        conn.controller.on_timeout(&Timeout::new(now, in_flight).consecutive(consecutive));
        conn.phase = Phase::Open;
        conn.forced = true;
        conn.react();
        conn.arm_timer(now);
        if let Some(split) = &mut roaming.split {
            split.on_expiry(conn.board.next());
            split.set_recovering(false);
        }
        true
    }
}
