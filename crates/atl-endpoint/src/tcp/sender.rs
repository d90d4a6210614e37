//! The sending end of a TCP connection: what to send when. What ACKs do to it is in `acks`.

use atl_core::measure::{RttConfig, RttEstimator};
use atl_core::path::LinkReport;
use atl_core::time::{Span, Time};
use atl_core::window::{Controller, Detection, Handoff, Sent, Timeout, WindowController};

use super::connection::{Connection, Phase, loss};
use super::counts::SenderCounts;
use super::frozen::Frozen;
use super::params::Tcp;
use super::recovery::{LossRecovery, Recovery, Strategy, Transmission};
use super::scoreboard::Scoreboard;
use crate::app::App;
use crate::options::PeerLinkReport;

/// Timeout of a connection request before any RTT is known (RFC 6298, rule 2.1).
const INITIAL_RTO: Span = Span::from_secs(1);

/// A packet to send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outgoing {
    /// A connection request.
    Syn,
    /// A data segment.
    Data {
        /// Number of the segment.
        seq: u64,
        /// Number of this transmission.
        tx: u64,
    },
    /// A question whether the receiver's window is open: no data, answered by an ACK.
    WindowProbe,
    /// A probe at low priority.
    Probe {
        /// Its number, apart from the data's.
        number: u64,
        /// The segment that it carries a copy of, if it does.
        segment: Option<u64>,
    },
}

/// A TCP sender.
#[derive(Debug)]
pub struct Sender {
    pub(super) conn: Connection,
    pub(super) strategy: Strategy,
    recovery: Recovery,
    pub(super) window_limited: bool,
    pub(super) consecutive_timeouts: u32,
    pub(super) next_probe: u64,
    /// The last report on the receiver's wireless link.
    pub(super) peer: Option<Box<PeerLinkReport>>,
    pub(super) frozen: Option<Box<Frozen>>,
    /// First packet out and timeouts so far when a pause last gave the timer its full time.
    pub(super) thawed: Option<Box<(u64, u64)>>,
    /// Source quenches are ignored until this is acknowledged.
    pub(super) quenched: u64,
    /// The application was found to have nothing more to send.
    idle: bool,
    receive_window: u64,
    release: Option<Time>,
    app: App,
    syn_sent: bool,
    finished: Option<Time>,
}

impl Sender {
    /// A sender that begins now.
    pub fn new(recovery: Recovery, controller: Controller, tcp: &Tcp, app: App) -> Self {
        let rtt = RttEstimator::new(RttConfig {
            initial_rto: INITIAL_RTO.max(tcp.min_rto),
            min_rto: tcp.min_rto,
            // What common stacks mean by their least timeout, unless a scenario wants an even shorter one.
            min_spread: tcp.min_rto.min(RttConfig::default().min_spread),
            max_rto: tcp.max_rto,
            ..RttConfig::default()
        });
        let conn = Connection {
            board: Scoreboard::default(),
            controller,
            phase: if tcp.handshake { Phase::Connecting } else { Phase::Open },
            recover: 0,
            after_timeout: false,
            duplicates: 0,
            arrived_above: 0,
            partial_acks: 0,
            forced: false,
            reacted: 0,
            next_tx: 0,
            rtt,
            rto_due: Time::MAX,
            timed: recovery.repairs(),
            packet_bytes: tcp.segment + tcp.header,
            counts: SenderCounts::default(),
        };
        Sender {
            conn,
            strategy: Strategy::new(recovery, tcp.delayed_ack),
            recovery,
            window_limited: false,
            consecutive_timeouts: 0,
            next_probe: 0,
            peer: None,
            frozen: None,
            thawed: None,
            quenched: 0,
            idle: false,
            receive_window: u64::from(tcp.receive_window),
            release: None,
            app,
            syn_sent: false,
            finished: None,
        }
    }

    /// Packets that may be in the network.
    #[inline]
    pub fn in_flight(&self) -> u32 {
        self.conn.in_flight()
    }

    /// What was counted so far.
    pub fn counts(&self) -> SenderCounts {
        self.conn.counts
    }

    /// The congestion controller.
    pub fn controller(&self) -> &Controller {
        &self.conn.controller
    }

    /// Smoothed RTT; `None` before the first sample.
    pub fn srtt(&self) -> Option<Span> {
        self.conn.rtt.srtt()
    }

    /// Reads a word of each cache line that an ACK will need.
    #[inline]
    pub fn touch(&self) -> u64 {
        self.conn.board.next()
            ^ self.conn.board.newest_tx()
            ^ self.conn.controller.window().to_bits()
            ^ self.conn.rtt.rto().nanos()
            ^ self.conn.rto_due.nanos()
            ^ self.conn.counts.sent
            ^ self.receive_window
            ^ u64::from(self.conn.packet_bytes)
            ^ self.conn.next_tx
            ^ u64::from(self.frozen.is_some())
            ^ u64::from(self.recovery as u8)
    }

    /// The same of the segments that the ACK is about.
    #[inline]
    pub fn touch_segments(&self) -> u64 {
        self.conn.board.touch()
    }

    /// When its last byte was acknowledged, of a sender that ends.
    pub fn finished(&self) -> Option<Time> {
        self.finished
    }

    /// How it repairs losses.
    pub fn recovery(&self) -> Recovery {
        self.recovery
    }

    /// The first segment that is not acknowledged.
    pub fn una(&self) -> u64 {
        self.conn.board.una()
    }

    /// The earliest time at which [`on_timer`](Self::on_timer) has something to do; [`Time::MAX`]: none.
    #[inline]
    pub fn next_timer(&mut self, now: Time) -> Time {
        let mut due = match &self.frozen {
            None => self.conn.rto_due.min(self.strategy.due()),
            Some(frozen) => frozen.persist_due,
        };
        if let Some(release) = self.release {
            due = due.min(release);
        }
        if let Some(tick) = self.conn.controller.next_timeout() {
            due = due.min(tick);
        }
        if self.idle
            && let Some(write) = self.app.next_write(now)
        {
            due = due.min(write);
        }
        due
    }

    /// A timer may be due. Ask for packets afterwards.
    pub fn on_timer(&mut self, now: Time) {
        if self.conn.controller.next_timeout().is_some_and(|t| t <= now) {
            self.conn.controller.on_tick(now);
        }
        if self.frozen.is_some() {
            self.on_persist_timer(now);
            return;
        }
        self.strategy.on_timer(&mut self.conn, now);
        if now < self.conn.rto_due {
            return;
        }
        self.conn.rtt.back_off();
        if self.conn.phase == Phase::Connecting {
            self.syn_sent = false;
            self.conn.rto_due = Time::MAX;
        } else if self.conn.board.is_empty() {
            self.conn.rto_due = Time::MAX;
        } else {
            self.expire(now);
        }
    }

    /// The retransmission timer expired (RFC 6298, rules 5.4 to 5.6).
    fn expire(&mut self, now: Time) {
        self.conn.counts.timeouts += 1;
        self.consecutive_timeouts += 1;
        let in_flight = self.in_flight();
        let sent_before = self.strategy.on_expiry(&mut self.conn, now);
        self.conn.arrived_above = 0;
        self.conn.duplicates = 0;
        let controller = &mut self.conn.controller;
        let bytes = self.conn.packet_bytes;
        self.conn.board.expire(sent_before, |lost| {
            controller.on_loss(&loss(now, lost, false, Detection::Timeout, in_flight, bytes));
        });
        let consecutive = self.consecutive_timeouts;
        self.conn.controller.on_timeout(&Timeout::new(now, in_flight).consecutive(consecutive));
        self.conn.phase = Phase::Expired;
        self.conn.after_timeout = true;
        self.conn.recover = self.conn.board.next();
        self.conn.forced = true;
        self.conn.arm_timer(now);
    }

    /// The next packet to send now, if there is one; probes come after all data. Call until it returns `None`.
    #[inline]
    pub fn poll_send(&mut self, now: Time) -> Option<Outgoing> {
        match self.poll_data(now) {
            None => self.poll_probe(now),
            data => data,
        }
    }

    #[inline]
    fn poll_data(&mut self, now: Time) -> Option<Outgoing> {
        self.release = None;
        if self.conn.phase == Phase::Connecting {
            return self.connect(now);
        }
        let in_flight = self.in_flight();
        if self.frozen.is_some() {
            return self.ask().then_some(Outgoing::WindowProbe);
        }
        if !self.conn.forced {
            if f64::from(in_flight + 1) > self.conn.controller.window() {
                self.window_limited = true;
                return None;
            }
            if let Some(release) = self.conn.controller.release_at()
                && release > now
            {
                self.release = Some(release);
                return None;
            }
        }
        let (seq, again) = self.choose(now)?;
        self.conn.forced = false;
        let tx = self.conn.next_tx;
        self.conn.next_tx += 1;
        if again {
            self.conn.board.resend(seq, now, tx);
            self.conn.counts.retransmissions += 1;
            if self.strategy.rearms_on_retransmission() && seq == self.conn.board.una() {
                self.conn.arm_timer(now);
            }
        } else {
            self.conn.board.push(now, tx);
        }
        self.conn.counts.sent += 1;
        // Asked after the packet: what the controller is told is whether there is more behind it.
        self.idle = self.conn.board.next() >= self.app.written(now);
        if self.conn.rto_due == Time::MAX {
            self.conn.arm_timer(now);
        }
        self.strategy.on_sent(&mut self.conn, now, Transmission { seq, tx, again });
        self.conn.controller.on_sent(
            &Sent::new(now, tx, self.conn.packet_bytes, in_flight + 1)
                .retransmission(again)
                .app_limited(self.idle),
        );
        Some(Outgoing::Data { seq, tx })
    }

    fn connect(&mut self, now: Time) -> Option<Outgoing> {
        if self.syn_sent {
            return None;
        }
        self.syn_sent = true;
        self.conn.arm_timer(now);
        Some(Outgoing::Syn)
    }

    /// The segment to send (RFC 6675, NextSeg), and whether it was sent before.
    #[inline]
    fn choose(&mut self, now: Time) -> Option<(u64, bool)> {
        if let Some(seq) = self.conn.board.next_lost() {
            return Some((seq, true));
        }
        let next = self.conn.board.next();
        let written = self.app.written(now);
        self.idle = next >= written;
        if !self.idle && next - self.conn.board.una() < self.receive_window {
            return Some((next, false));
        }
        self.window_limited = false;
        self.strategy.doubtful(&mut self.conn).map(|seq| (seq, true))
    }

    /// The link at the sender's end failed to carry a transmission.
    pub fn on_link_failure(&mut self, seq: u64, tx: u32) {
        self.conn.board.link_failed(seq, tx);
    }

    /// The wireless link at the sender's end reports.
    pub fn on_link_report(&mut self, now: Time, report: &LinkReport) {
        self.conn.controller.on_link_report(now, report);
    }

    /// The host changed networks: what the controller knows of the path changes with it, and so does the
    /// RTT, by twice the change of the link's delay.
    pub fn on_handoff(&mut self, handoff: &Handoff) {
        if self.conn.controller.listens() {
            self.conn.rtt.shift(handoff.old_delay, handoff.new_delay);
        }
        self.conn.controller.on_handoff(handoff);
    }

    /// Notes that the application's last byte is acknowledged.
    pub(super) fn check_finished(&mut self, now: Time) {
        if self.finished.is_none() && self.app.end() == Some(self.conn.board.una()) {
            self.finished = Some(now);
        }
    }
}
