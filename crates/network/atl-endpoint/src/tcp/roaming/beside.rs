//! Data over two paths at once, between the probe of the new one and the handoff.
//!
//! Source: Taleb et al., sec. IV-B: dummy ACKs release data on the new path, whose window then
//! grows as NewReno's does, while the mobile still hears both access points. That both deliver is
//! what their throughput over the handoff period needs. The paper does not say how one connection
//! is spread over two paths. Chosen:
//!
//! - One sequence space. Each path has a controller, an RTT, packets in flight, loss detection
//!   ([`super::acks`]) and a retransmission timer of its own: RFC 9002 for each path, as in
//!   Multipath QUIC.
//! - A path takes the next segment when its window has room; a lost segment goes to whichever path
//!   has. If both have, the one with the shorter RTT does; one whose timer has expired since its
//!   last ACK comes second.
//! - The receive window is shared. The slower path takes no segment if the faster one, which sends
//!   a window in each of its own round trips, would fill the receive window before that segment is
//!   answered: it would then stand still and wait for it (Ferlin et al., "BLEST", IFIP Networking
//!   2016).
//! - Each path is paced (`path::pace`): ACKs of one open the receive window for both, in bursts.
//! - A path whose timer has expired may be dead: until it answers it gets one packet each time that
//!   its timer expires. If the receiver waits for that one, it is repaired over the other path as
//!   soon as that has nothing else to send.
//! - A receiver that discards what is out of order, and a sender that repairs nothing, use one path
//!   at a time.

use atl_core::path::PathId;
use atl_core::roaming::{Knowledge, Meanwhile};
use atl_core::time::Time;
use atl_core::window::{Sent, WindowController};
use atl_link::Ecn;

use crate::tcp::path::Path;
use crate::tcp::paths::{Leg, Paths};
use crate::tcp::recovery::{LossRecovery, Transmission};
use crate::tcp::scoreboard::LostTx;
use crate::tcp::sender::{Choice, Outgoing, Sender};

impl Sender {
    /// The window of a path that is used beside the current one, in packets, and that path.
    pub fn beside(&self) -> Option<(PathId, f64)> {
        let beside = self.paths.as_ref()?.beside.as_ref()?;
        Some((beside.id, beside.controller.window()))
    }

    /// The use of two paths between a probe and the handoff, as far as this connection allows it.
    pub(super) fn meanwhile(&self, paths: &Paths) -> Meanwhile {
        match paths.how.meanwhile() {
            Meanwhile::Both if paths.receiver.discards || !self.conn.timed => Meanwhile::Old,
            // A third path is only probed.
            _ if paths.beside.is_some() => Meanwhile::Old,
            wish => wish,
        }
    }

    /// Uses this path beside the current one from now on.
    pub(super) fn begin_beside(
        &mut self,
        paths: &mut Paths,
        now: Time,
        path: PathId,
        known: Knowledge,
    ) {
        let back = paths.left.take_if(|(left, _)| left.id == path);
        let mut path = self.begin_on(paths, now, path, known, back);
        if path.base < self.conn.next_tx {
            path.arm(now);
        }
        self.begin_split(paths);
        self.conn.path.begin_spacing();
        paths.beside = Some(Box::new(path));
    }

    /// The host is on the path beside, or the current one is gone: it goes on alone, and the old
    /// one drains.
    pub(super) fn adopt(&mut self, paths: &mut Paths, now: Time) {
        let Some(path) = paths.beside.take() else { return };
        self.note_return(paths, now, path.id);
        self.turn_to(paths, now, *path);
        debug_assert!(self.conn.in_flight() == 0 || self.conn.path.rto_due < Time::MAX);
        self.begin_drain(paths, now);
    }

    /// The path beside is not the one to move to.
    pub(super) fn give_up_beside(&mut self, paths: &mut Paths, now: Time) {
        let Some(path) = paths.beside.take() else { return };
        paths.note_rtt(path.id, path.rtt.srtt(), now);
        self.begin_split(paths);
        // A move follows, which sets the deadline, or the path is gone, and its drain ends at once.
        paths.give_up_ahead(path.id, Time::MAX);
    }

    /// The next packet over the path beside, if it is its turn.
    pub(in crate::tcp) fn poll_beside(&mut self, now: Time) -> Option<Outgoing> {
        self.paths.as_ref()?.beside.as_ref()?;
        self.with_paths(|sender, paths| {
            let mut path = paths.beside.take()?;
            let out = sender.send_beside(paths, &mut path, now);
            paths.beside = Some(path);
            out
        })?
    }

    fn send_beside(&mut self, paths: &mut Paths, path: &mut Path, now: Time) -> Option<Outgoing> {
        path.release = Time::MAX;
        let in_flight = self.conn.board.elsewhere();
        let current = &mut self.conn.path;
        if path.timeouts > 0 && current.timeouts == 0 && !path.forced {
            return None;
        }
        if !path.has_room(in_flight) {
            path.window_limited = true;
            return None;
        }
        if let Some(at) = path.paced_until(now) {
            path.release = at;
            path.window_limited |= !self.idle;
            return None;
        }
        if self.is_slower(path) {
            let first = self.has_room(now)
                && self.conn.path.spaced_until(now).is_none()
                && paths.may_send(self.path(), self.conn.packet_bytes)
                && self.conn.path.filled_until(now).is_none();
            if first || self.would_block(path, in_flight) {
                path.window_limited = false;
                return None;
            }
        }
        let Some(choice) = self.choose_beside(paths, path, now) else {
            path.window_limited = false;
            return None;
        };
        let tx = self.conn.next_tx;
        let number = tx - path.base;
        let out = self.send_ahead(paths, now, path.id, choice, number);
        path.tried = Some((choice.seq, tx));
        path.forced = false;
        path.space(now, true);
        if path.rto_due == Time::MAX {
            path.arm(now);
        }
        let sent = Sent::new(now, number, choice.bytes.into(), in_flight + 1);
        path.controller.on_sent(&sent.retransmission(choice.again).app_limited(self.idle));
        Some(out)
    }

    /// Sends a segment over the path ahead, where it has this number.
    pub(super) fn send_ahead(
        &mut self,
        paths: &mut Paths,
        now: Time,
        path: PathId,
        choice: Choice,
        number: u64,
    ) -> Outgoing {
        let Choice { seq, bytes, again } = choice;
        let conn = &mut self.conn;
        let tx = conn.next_tx;
        conn.next_tx += 1;
        paths.on_repeated(&conn.board, seq);
        if again {
            conn.board.resend_elsewhere(seq, now, tx);
            conn.counts.retransmissions += 1;
        } else {
            self.data.cut(seq, u32::from(bytes) - conn.header_bytes);
            conn.board.push_elsewhere(now, tx, bytes);
        }
        paths.sent.on_sent((tx, seq), (Leg::Ahead, number), conn.board.una());
        conn.path.base += 1;
        conn.counts.sent += 1;
        self.idle = self.data.ready(now, &conn.board) == 0;
        self.strategy.on_sent(conn, now, Transmission { seq, tx, again });
        let (ecn, cwr) = self.ecn.as_mut().map_or((Ecn::NotEct, false), |ecn| ecn.stamp(again));
        Outgoing::Data { seq, tx, bytes: bytes.into(), path, ecn, cwr }
    }

    /// The segment to send over the path beside. What a current path that does not answer is tried
    /// with goes before everything else, so that it does not hold up the rest.
    fn choose_beside(&mut self, paths: &Paths, path: &Path, now: Time) -> Option<Choice> {
        if path.timeouts < self.conn.path.timeouts
            && let Some(tried) = self.take_tried(paths)
        {
            return Some(tried);
        }
        self.choose(now).or_else(|| self.take_tried(paths))
    }

    /// The segment that a current path is tried with since its timer has expired. It counts as lost
    /// there.
    fn take_tried(&mut self, paths: &Paths) -> Option<Choice> {
        if self.conn.path.timeouts == 0 {
            return None;
        }
        // A timeout lets one packet go: there is no more to find.
        let mut tried = None;
        self.conn.board.each_in_flight(|tx| {
            if paths.sent.of(tx) == Leg::Here {
                tried = Some(tx);
            }
        });
        let seq = paths.sent.segment(tried?)?;
        let (lost, _) = self.conn.board.lose(seq)?;
        Some(Choice { seq, bytes: lost.bytes, again: true })
    }

    /// False while the current path must wait: for the path beside it, or for its own pacing.
    pub(super) fn may_send_beside(&mut self, paths: &mut Paths, now: Time) -> bool {
        let Some(path) = paths.beside.as_deref_mut() else { return true };
        self.repair_beside(path);
        if self.is_silent(path) || self.must_spare(path) {
            self.conn.path.window_limited = false;
            return false;
        }
        let current = &mut self.conn.path;
        if let Some(at) = current.spaced_until(now)
            && !current.forced
        {
            current.release = at;
            current.window_limited |= !self.idle;
            return false;
        }
        true
    }

    /// Counts the packet that tried a silent path beside the current one as lost, before the
    /// current path is asked: it may then repair it.
    fn repair_beside(&mut self, path: &mut Path) {
        if path.timeouts > self.conn.path.timeouts
            && let Some((seq, tx)) = path.tried.take()
            && self.conn.board.out_since(seq, tx).is_some()
        {
            self.conn.board.lose(seq);
        }
    }

    /// True if the current path's window and pacing let a packet go.
    fn has_room(&self, now: Time) -> bool {
        let path = &self.conn.path;
        let paced = path.controller.release_at().is_some_and(|at| at > now);
        path.forced || path.has_room(self.in_flight()) && !paced
    }

    /// True if the path beside is slower than the current one.
    fn is_slower(&self, beside: &Path) -> bool {
        let (here, there) = (self.conn.path.rtt.srtt(), beside.rtt.srtt());
        (beside.timeouts, there) >= (self.conn.path.timeouts, here)
    }

    /// True if the current path's timer has expired, and nothing has come from it since, while the
    /// other answers.
    fn is_silent(&self, beside: &Path) -> bool {
        self.conn.path.timeouts > 0 && beside.timeouts == 0 && !self.conn.path.forced
    }

    /// True if the current path must leave the receive window to the one beside it.
    fn must_spare(&self, beside: &Path) -> bool {
        !self.conn.path.forced
            && !self.is_slower(beside)
            && self.would_block(beside, self.in_flight())
    }

    /// True if a new segment over the slower path, with this many packets in flight, would make the
    /// faster one wait.
    fn would_block(&self, beside: &Path, in_flight: u32) -> bool {
        let (Some(here), Some(there)) = (self.conn.path.rtt.srtt(), beside.rtt.srtt()) else {
            return false;
        };
        if self.conn.board.waiting() > 0 || beside.forced {
            return false;
        }
        let (fast, quick, slow) = if self.is_slower(beside) {
            (&self.conn.path.controller, here, there)
        } else {
            (&beside.controller, there, here)
        };
        if quick.is_zero() {
            return false;
        }
        let trips = (slow.secs() / quick.secs()).max(1.0);
        let needs = (fast.window() + (trips - 1.0) / 2.0) * trips;
        needs + f64::from(in_flight + 1) > self.receive_window as f64
    }

    /// Timers of the path beside.
    pub(super) fn on_beside_timer(&mut self, paths: &mut Paths, now: Time) {
        let Some(path) = paths.beside.as_deref_mut() else { return };
        // Found anew when the path is asked for its next packet.
        path.release = Time::MAX;
        if path.controller.next_timeout().is_some_and(|at| at <= now) {
            path.controller.on_tick(now);
        }
        if now < path.rto_due {
            return;
        }
        if self.frozen.is_some() {
            path.arm(now);
            return;
        }
        self.expire_path(paths, now, Leg::Ahead);
    }

    /// The timer of the current path expired while another is in use. True if so.
    pub(in crate::tcp) fn expire_current(&mut self, now: Time) -> bool {
        self.with_paths(|sender, paths| {
            let two = paths.beside.is_some();
            if two {
                sender.expire_path(paths, now, Leg::Here);
                sender.conn.arrived_above = 0;
            }
            two
        })
        .unwrap_or(false)
    }

    /// The timer of one of two paths in use expired: only what is on that one is lost.
    fn expire_path(&mut self, paths: &mut Paths, now: Time, leg: Leg) {
        let conn = &mut self.conn;
        let here = leg == Leg::Here;
        let in_flight = if here { conn.in_flight() } else { conn.board.elsewhere() };
        let Some(beside) = paths.beside.as_deref_mut() else { return };
        let path = if here { &mut conn.path } else { beside };
        let mut lost = Vec::new();
        conn.board.lose_each(
            |tx| paths.sent.of(tx) == leg,
            |gone| lost.push(LostTx { tx: paths.sent.number(gone.tx), ..gone }),
        );
        if !here && (path.timeouts > 0 || !lost.is_empty()) {
            path.rtt.back_off();
        }
        if lost.is_empty() {
            path.try_again();
            return;
        }
        conn.counts.timeouts += 1;
        path.on_expiry(now, &lost, in_flight, conn.next_tx);
        if let Some(split) = &mut paths.split {
            split.on_expiry(conn.board.next());
        }
    }
}
