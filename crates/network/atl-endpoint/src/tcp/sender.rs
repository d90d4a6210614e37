//! The sending end of a TCP connection: what to send, and when. Its reaction to ACKs is in `acks`.

use atl_core::measure::{RttConfig, RttEstimator};
use atl_core::path::{LinkReport, PathId};
use atl_core::time::{Span, Time};
use atl_core::window::{Controller, Detection, Handoff, Sent, Timeout, WindowController};
use atl_link::Ecn;

use super::connection::{Connection, Phase};
use super::counts::SenderCounts;
use super::credit::Credit;
use super::ecn::{EcnMode, EcnSender};
use super::frozen::Frozen;
use super::params::Tcp;
use super::path::{Path, loss};
use super::paths::Paths;
use super::recovery::{LossRecovery, Recovery, Strategy, Transmission};
use super::scoreboard::Scoreboard;
use super::segmentation::Segmentation;
use crate::app::App;
use crate::options::PeerLinkReport;

/// Timeout of the connection request, before there is an RTT sample (RFC 6298, rule 2.1).
const INITIAL_RTO: Span = Span::from_secs(1);

/// A packet to send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outgoing {
    /// A connection request. It takes the [current path](Sender::path).
    Syn {
        /// AE, CWR and ECE: the feedback on marks that it asks for (RFC 9768, sec. 3.1.1).
        flags: u8,
    },
    /// A data segment.
    Data {
        /// Number of the segment.
        seq: u64,
        /// Number of this transmission.
        tx: u64,
        /// Its bytes on the wire, headers included.
        bytes: u32,
        /// The path that it takes.
        path: PathId,
        /// The ECN field of its IP header.
        ecn: Ecn,
        /// It tells the receiver that the sender has reacted to ECE (RFC 3168, sec. 6.1.2).
        cwr: bool,
    },
    /// Asks whether the receive window is open again. Carries no data; the receiver answers with an
    /// ACK.
    WindowProbe,
    /// A low-priority probe.
    Probe {
        /// Number of the probe, in a number space of its own.
        number: u64,
        /// The segment that it copies, if any.
        segment: Option<u64>,
        /// The path that it takes.
        path: PathId,
        /// Its size on the wire, headers included.
        bytes: u32,
    },
    /// Asks whether somebody answers at the other end of a path that is new (RFC 9000, sec. 8.2).
    /// Answered like a probe, but at the priority of data: where low priority gets nothing, the
    /// path is full and not forged.
    Challenge {
        /// Its number, one of the probes'.
        number: u64,
        /// Bytes on the wire, headers included.
        bytes: u32,
        /// The path that it takes.
        path: PathId,
    },
}

/// A segment to send.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    pub(super) seq: u64,
    /// Its bytes on the wire.
    pub(super) bytes: u16,
    /// It was sent before.
    pub(super) again: bool,
}

/// A TCP sender.
#[derive(Debug)]
pub struct Sender {
    pub(super) conn: Connection,
    pub(super) strategy: Strategy,
    recovery: Recovery,
    pub(super) next_probe: u64,
    /// The first probe of the current controller.
    pub(super) first_probe: u64,
    /// The last accepted report on the wireless link of the receiver.
    pub(super) peer: Option<Box<PeerLinkReport>>,
    pub(super) frozen: Option<Box<Frozen>>,
    /// The first outstanding segment and the number of timeouts when a thaw last restarted the
    /// timer in full.
    pub(super) thawed: Option<Box<(u64, u64)>>,
    /// Source quenches are ignored until this is acknowledged.
    pub(super) quenched: u64,
    /// The application has nothing more to send for now.
    pub(super) idle: bool,
    pub(super) receive_window: u64,
    /// The window that the receiver announces; `None` if it is always as large.
    pub(super) credit: Option<Box<Credit>>,
    pub(super) paths: Option<Box<Paths>>,
    pub(super) data: Segmentation,
    pub(super) ecn: Option<Box<EcnSender>>,
    /// The feedback on marks for which its SYN asks.
    pub(super) asks: EcnMode,
    syn_sent: bool,
    finished: Option<Time>,
}

impl Sender {
    /// A sender at the start of its connection.
    ///
    /// # Panics
    /// Panics if a packet would have more than 65535 bytes, the most that IP has a length for.
    pub fn new(recovery: Recovery, controller: Controller, tcp: &Tcp, app: App) -> Self {
        let packet_bytes = tcp.segment + tcp.header;
        assert!(packet_bytes <= u32::from(u16::MAX), "a packet has at most 65535 bytes");
        let rtt = RttEstimator::new(RttConfig {
            initial_rto: INITIAL_RTO.max(tcp.min_rto),
            min_rto: tcp.min_rto,
            // The meaning of the minimum timeout in common stacks, unless `min_rto` is even
            // shorter.
            min_spread: tcp.min_rto.min(RttConfig::default().min_spread),
            max_rto: tcp.max_rto,
            ..RttConfig::default()
        });
        let response = controller.mark_response();
        let ecn = EcnSender::new(tcp.agreed_ecn(response), response);
        let conn = Connection {
            board: Scoreboard::default(),
            path: Path::new(PathId::FIRST, controller, rtt),
            phase: if tcp.handshake { Phase::Connecting } else { Phase::Open },
            recover: 0,
            after_timeout: false,
            duplicates: 0,
            arrived_above: 0,
            partial_acks: 0,
            next_tx: 0,
            timed: recovery.repairs(),
            packet_bytes,
            timing: (recovery.times_one() || !tcp.timestamps).then(Box::default),
            header_bytes: tcp.header,
            counts: SenderCounts::default(),
        };
        Sender {
            conn,
            strategy: Strategy::new(recovery, tcp.delayed_ack),
            recovery,
            ecn,
            next_probe: 0,
            first_probe: 0,
            peer: None,
            frozen: None,
            thawed: None,
            quenched: 0,
            idle: false,
            receive_window: u64::from(tcp.receive_window),
            credit: None,
            paths: None,
            data: Segmentation::new(app, tcp.segment, tcp.nagle),
            asks: tcp.ecn_for(response),
            syn_sent: false,
            finished: None,
        }
    }

    /// Packets in flight, as far as the sender knows.
    #[inline]
    pub fn in_flight(&self) -> u32 {
        self.conn.in_flight()
    }

    /// Counters since the start.
    pub fn counts(&self) -> SenderCounts {
        let mut counts = self.conn.counts;
        if let Some(paths) = &self.paths {
            counts.spurious_losses = paths.spurious() + u64::from(self.conn.board.revived());
        }
        counts
    }

    /// The congestion controller.
    pub fn controller(&self) -> &Controller {
        &self.conn.path.controller
    }

    /// Smoothed RTT; `None` before the first sample.
    pub fn srtt(&self) -> Option<Span> {
        self.conn.path.rtt.srtt()
    }

    /// Reads a word of each cache line that processing an ACK needs, to prefetch them.
    #[inline]
    pub fn touch(&self) -> u64 {
        self.conn.board.next()
            ^ self.conn.board.newest_tx()
            ^ self.conn.path.controller.window().to_bits()
            ^ self.conn.path.rtt.rto().nanos()
            ^ self.conn.path.rto_due.nanos()
            ^ self.conn.counts.sent
            ^ self.receive_window
            ^ u64::from(self.conn.packet_bytes)
            ^ self.conn.next_tx
            ^ u64::from(self.frozen.is_some())
            ^ u64::from(self.recovery as u8)
    }

    /// Like [`touch`](Self::touch), for the outstanding segments.
    #[inline]
    pub fn touch_segments(&self) -> u64 {
        self.conn.board.touch()
    }

    /// Gives back memory that its widest window took and this one does not need.
    pub fn trim(&mut self) {
        self.conn.board.trim();
    }

    /// When the last byte of a finite transfer was acknowledged.
    pub fn finished(&self) -> Option<Time> {
        self.finished
    }

    /// The loss recovery.
    pub fn recovery(&self) -> Recovery {
        self.recovery
    }

    /// The first unacknowledged segment.
    pub fn una(&self) -> u64 {
        self.conn.board.una()
    }

    /// The earliest time at which [`on_timer`](Self::on_timer) has something to do; [`Time::MAX`]
    /// if there is none.
    #[inline]
    pub fn next_timer(&mut self, now: Time) -> Time {
        let mut due = match &self.frozen {
            None if self.is_split() => self.conn.path.rto_due,
            None => self.conn.path.rto_due.min(self.strategy.due()),
            Some(frozen) => frozen.persist.due(),
        };
        due = due.min(self.conn.path.release);
        if let Some(paths) = &self.paths {
            due = due.min(paths.next_timer(now));
        }
        if let Some(credit) = &self.credit {
            due = due.min(credit.persist.due());
        }
        due = due.min(self.conn.path.next_tick(now));
        if self.idle
            && let Some(write) = self.data.next_write(now)
        {
            due = due.min(write);
        }
        due
    }

    /// A timer may be due. Ask for packets afterwards.
    pub fn on_timer(&mut self, now: Time) {
        // The application may have stopped with everything acknowledged.
        if self.idle {
            self.check_finished(now);
        }
        if self.conn.path.controller.next_timeout().is_some_and(|t| t <= now) {
            self.conn.path.controller.on_tick(now);
        }
        if self.paths.is_some() {
            self.on_roaming_timer(now);
        }
        if let Some(credit) = &mut self.credit {
            credit.persist.on_timer(now);
        }
        if let Some(frozen) = &mut self.frozen {
            frozen.persist.on_timer(now);
            return;
        }
        if !self.is_split() {
            self.strategy.on_timer(&mut self.conn, now);
        }
        if now < self.conn.path.rto_due {
            return;
        }
        self.conn.path.rtt.back_off();
        if self.conn.phase == Phase::Connecting {
            self.syn_sent = false;
            self.conn.path.rto_due = Time::MAX;
        } else if self.conn.board.is_empty() {
            self.conn.path.rto_due = Time::MAX;
            // The packet that tried this path was repaired over another one: the next packet tries
            // again.
            self.conn.path.forced |= self.conn.path.timeouts > 0 && self.beside().is_some();
        } else {
            self.expire(now);
        }
    }

    /// The retransmission timer expired (RFC 6298, rules 5.4 to 5.6).
    fn expire(&mut self, now: Time) {
        if self.expire_current(now) {
            return;
        }
        self.conn.counts.timeouts += 1;
        self.conn.path.timeouts += 1;
        let in_flight = self.in_flight();
        let sent_before = self.strategy.on_expiry(&mut self.conn, now);
        self.conn.arrived_above = 0;
        self.conn.duplicates = 0;
        self.conn.stop_timing();
        let controller = &mut self.conn.path.controller;
        let base = self.conn.path.base;
        let split = self.paths.as_deref().filter(|paths| paths.is_split());
        self.conn.board.expire(sent_before, |mut lost| {
            let mut base = base;
            if let Some(split) = split {
                let Some(number) = split.number_here(lost.tx) else { return };
                (lost.tx, base) = (number, 0);
            }
            let loss = loss(now, lost, false, Detection::Timeout, in_flight, base);
            controller.on_loss(&loss);
        });
        let consecutive = self.conn.path.timeouts;
        self.conn
            .path
            .controller
            .on_timeout(&Timeout::new(now, in_flight).consecutive(consecutive));
        self.conn.phase = Phase::Expired;
        self.conn.after_timeout = true;
        self.conn.recover = self.conn.board.next();
        self.conn.path.forced = true;
        self.conn.arm_timer(now);
        self.after_expiry();
    }

    /// True while packets are in flight over two paths.
    #[inline]
    fn is_split(&self) -> bool {
        self.paths.as_ref().is_some_and(|paths| paths.is_split())
    }

    /// The next packet to send now, data before probes. Call until it returns `None`.
    #[inline]
    pub fn poll_send(&mut self, now: Time) -> Option<Outgoing> {
        if self.paths.is_some() {
            return self.poll_roaming(now);
        }
        match self.poll_data::<false>(now) {
            None if self.credit.is_some() => self.poll_without_room(now),
            None => self.poll_probe(now),
            data => data,
        }
    }

    /// The next packet of a sender with several paths.
    #[inline(never)]
    fn poll_roaming(&mut self, now: Time) -> Option<Outgoing> {
        let data = self.poll_data::<true>(now);
        data.or_else(|| self.poll_survey(now)).or_else(|| self.poll_probe(now))
    }

    /// Lends `work` the paths, if the sender has several.
    pub(super) fn with_paths<R>(
        &mut self,
        work: impl FnOnce(&mut Self, &mut Paths) -> R,
    ) -> Option<R> {
        let mut paths = self.paths.take()?;
        let result = work(self, &mut paths);
        self.paths = Some(paths);
        Some(result)
    }

    /// The next data packet. `ROAMS`: the sender has several paths. Compiled for both cases, so
    /// that a sender with one path, as nearly all are, is asked once.
    #[inline]
    fn poll_data<const ROAMS: bool>(&mut self, now: Time) -> Option<Outgoing> {
        self.conn.path.release = Time::MAX;
        if self.conn.phase == Phase::Connecting {
            return self.connect(now);
        }
        let in_flight = self.in_flight();
        if self.frozen.is_some() {
            return self.ask().then_some(Outgoing::WindowProbe);
        }
        if ROAMS && let Some(out) = self.poll_released(now).or_else(|| self.poll_beside(now)) {
            return Some(out);
        }
        if !self.conn.path.forced {
            if !self.conn.path.holds(in_flight) {
                self.conn.path.window_limited = true;
                return None;
            }
            if let Some(release) = self.conn.path.controller.release_at()
                && release > now
            {
                self.conn.path.release = release;
                // Not the application: without pacing the window would be used (RFC 9002, sec.
                // 7.8).
                self.conn.path.window_limited |= !self.idle;
                return None;
            }
        }
        if ROAMS && !self.may_take_path(now) {
            return None;
        }
        let Choice { seq, bytes, again } = self.choose(now)?;
        self.conn.path.forced = false;
        let tx = self.conn.next_tx;
        self.conn.next_tx += 1;
        if ROAMS {
            self.note_path(now, Transmission { seq, tx, again }, bytes);
        }
        if again {
            self.conn.board.resend(seq, now, tx);
            self.conn.counts.retransmissions += 1;
            if self.strategy.rearms_on_retransmission() && seq == self.conn.board.una() {
                self.conn.arm_timer(now);
            }
        } else {
            self.data.cut(seq, u32::from(bytes) - self.conn.header_bytes);
            self.conn.board.push(now, tx, bytes);
            if let Some(timing) = &mut self.conn.timing {
                timing.on_sent(seq, now);
            }
        }
        self.conn.counts.sent += 1;
        // Evaluated after this packet: the controller wants to know whether more data follows.
        self.idle = self.data.ready(now, &self.conn.board) == 0;
        if self.conn.path.rto_due == Time::MAX {
            self.conn.arm_timer(now);
        }
        self.strategy.on_sent(&mut self.conn, now, Transmission { seq, tx, again });
        self.conn.path.controller.on_sent(
            &Sent::new(now, tx - self.conn.path.base, bytes.into(), in_flight + 1)
                .retransmission(again)
                .app_limited(self.idle),
        );
        let (ecn, cwr) = match &mut self.ecn {
            None => (Ecn::NotEct, false),
            Some(ecn) => ecn.stamp(again),
        };
        Some(Outgoing::Data { seq, tx, bytes: bytes.into(), path: self.conn.path.id, ecn, cwr })
    }

    fn connect(&mut self, now: Time) -> Option<Outgoing> {
        if self.syn_sent {
            return None;
        }
        self.syn_sent = true;
        self.conn.arm_timer(now);
        Some(Outgoing::Syn { flags: self.asks.syn() })
    }

    /// The segment to send (RFC 6675, NextSeg).
    #[inline]
    pub(super) fn choose(&mut self, now: Time) -> Option<Choice> {
        if let Some(seq) = self.conn.board.next_lost() {
            return Some(self.again(seq));
        }
        let seq = self.conn.board.next();
        let payload = self.data.ready(now, &self.conn.board);
        self.idle = payload == 0;
        if !self.idle && seq - self.conn.board.una() < self.receive_window {
            return Some(Choice { seq, bytes: self.conn.wire_bytes(payload), again: false });
        }
        self.conn.path.window_limited = false;
        self.strategy.next_unproven(&mut self.conn).map(|seq| self.again(seq))
    }

    /// An outstanding segment, once more: it carries what it carried before.
    #[inline]
    fn again(&self, seq: u64) -> Choice {
        Choice { seq, bytes: self.conn.board.bytes(seq), again: true }
    }

    /// An end of a [`Conversation`](crate::app::Conversation) has written this many bytes in all,
    /// and nothing more will follow if it has `ended`. Ask for packets afterwards.
    pub fn write(&mut self, now: Time, written: u64, ended: bool) {
        self.data.tell(written, ended);
        // Everything may be acknowledged already.
        self.check_finished(now);
    }

    /// The link at the sender failed to carry this transmission.
    pub fn on_link_failure(&mut self, seq: u64, tx: u32) {
        self.conn.board.link_failed(seq, tx);
    }

    /// A link report arrived from the wireless link at the sender.
    pub fn on_link_report(&mut self, now: Time, report: &LinkReport) {
        self.conn.path.controller.on_link_report(now, report);
    }

    /// The sender changed networks. The controller adjusts its view of the path, and RTT estimates
    /// shift by twice the change of the link delay.
    pub fn on_handoff(&mut self, handoff: &Handoff) {
        if self.conn.path.controller.listens() {
            self.conn.path.rtt.shift(handoff.old_delay, handoff.new_delay);
        }
        self.conn.path.controller.on_handoff(handoff);
    }

    /// Records when the last byte of the application is acknowledged.
    #[inline]
    pub(super) fn check_finished(&mut self, now: Time) {
        // Nearly always something is outstanding, which is asked first.
        if self.conn.board.is_empty() && self.finished.is_none() {
            self.finish_if_complete(now);
        }
    }

    #[cold]
    fn finish_if_complete(&mut self, now: Time) {
        if self.data.is_complete(now) {
            self.finished = Some(now);
        }
    }
}
