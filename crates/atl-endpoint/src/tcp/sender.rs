//! The sending end of a TCP connection: what to send when. What ACKs do to it is in `acks`.

use super::params::Tcp;
use super::recovery::Recovery;
use atl_core::measure::{RttConfig, RttEstimator};
use atl_core::path::LinkReport;
use atl_core::time::{Span, Time};
use atl_core::window::{Controller, Detection, Handoff, Loss, Sent, Timeout, WindowController};

use super::freeze::Frozen;
use super::rack::Rack;
use super::scoreboard::{LostTx, Scoreboard};
use crate::app::App;
use crate::options::WirelessOption;

/// Timeout of a connection request before any RTT is known (RFC 6298, rule 2.1).
const INITIAL_RTO: Span = Span::from_secs(1);

/// Where the sender is in its repair of losses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// Waits for the answer to its connection request.
    Connecting,
    /// No loss is being repaired.
    Open,
    /// Fast recovery, until `recover` is acknowledged.
    Recovery,
    /// The timer expired, or Tahoe takes a loss for that; slow start until `recover` is acknowledged.
    Expired,
}

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

/// What a sender counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Data packets sent, retransmissions included.
    pub sent: u64,
    /// Retransmissions.
    pub retransmissions: u64,
    /// Expired retransmission timers.
    pub timeouts: u64,
    /// Loss episodes repaired by fast retransmit.
    pub recoveries: u64,
    /// Probe packets sent.
    pub probes: u64,
    /// Source quenches that it slowed down for.
    pub quenches: u64,
}

/// A TCP sender.
#[derive(Debug)]
pub struct Sender {
    pub(super) board: Scoreboard,
    pub(super) controller: Controller,
    pub(super) recovery: Recovery,
    pub(super) phase: Phase,
    /// The ACK that ends the current or last episode.
    pub(super) recover: u64,
    /// The last episode began with a timeout, or sent everything again as after one.
    pub(super) after_timeout: bool,
    pub(super) duplicates: u32,
    /// Without SACK: packets that duplicate ACKs show to have arrived above the first hole.
    pub(super) reno_arrived: u32,
    /// The next packet goes out whatever the window says.
    pub(super) forced: bool,
    pub(super) window_limited: bool,
    pub(super) rtt: RttEstimator,
    pub(super) rto_due: Time,
    pub(super) consecutive_timeouts: u32,
    pub(super) partial_acks: u32,
    pub(super) counts: Counts,
    pub(super) packet_bytes: u32,
    pub(super) next_probe: u64,
    /// The last that was heard of the receiver's wireless link.
    pub(super) peer: Option<Box<WirelessOption>>,
    pub(super) frozen: Option<Box<Frozen>>,
    /// First packet out and timeouts so far when a pause last gave the timer its full time.
    pub(super) thawed: Option<Box<(u64, u64)>>,
    /// Until this is acknowledged a source quench says nothing new.
    pub(super) quenched: u64,
    /// Losses are judged by time.
    pub(super) rack: Option<Box<Rack>>,
    /// The application was found to have nothing more to send.
    idle: bool,
    receive_window: u64,
    next_tx: u64,
    release: Option<Time>,
    rescued: bool,
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
        Sender {
            board: Scoreboard::default(),
            controller,
            recovery,
            phase: if tcp.handshake { Phase::Connecting } else { Phase::Open },
            recover: 0,
            after_timeout: false,
            duplicates: 0,
            reno_arrived: 0,
            forced: false,
            window_limited: false,
            rtt,
            rto_due: Time::MAX,
            consecutive_timeouts: 0,
            partial_acks: 0,
            counts: Counts::default(),
            packet_bytes: tcp.segment + tcp.header,
            next_probe: 0,
            peer: None,
            frozen: None,
            thawed: None,
            quenched: 0,
            rack: (recovery == Recovery::Rack).then(|| Box::new(Rack::new(tcp.delayed_ack))),
            idle: false,
            receive_window: u64::from(tcp.receive_window),
            next_tx: 0,
            release: None,
            rescued: false,
            app,
            syn_sent: false,
            finished: None,
        }
    }

    /// Packets that may be in the network.
    #[inline]
    pub fn in_flight(&self) -> u32 {
        self.board.pipe().saturating_sub(self.reno_arrived)
    }

    /// What was counted so far.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// The congestion controller.
    pub fn controller(&self) -> &Controller {
        &self.controller
    }

    /// Smoothed RTT; `None` before the first sample.
    pub fn srtt(&self) -> Option<Span> {
        self.rtt.srtt()
    }

    /// Reads a word of each cache line that an ACK will need.
    #[inline]
    pub fn touch(&self) -> u64 {
        self.board.next()
            ^ self.board.newest_tx()
            ^ self.controller.window().to_bits()
            ^ self.rtt.rto().nanos()
            ^ self.rto_due.nanos()
            ^ self.counts.sent
            ^ self.receive_window
            ^ u64::from(self.packet_bytes)
            ^ self.next_tx
            ^ u64::from(self.frozen.is_some())
            ^ u64::from(self.rack.is_some())
    }

    /// The same of the segments that the ACK is about.
    #[inline]
    pub fn touch_segments(&self) -> u64 {
        self.board.touch()
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
        self.board.una()
    }

    /// The earliest time at which [`on_timer`](Self::on_timer) has something to do; [`Time::MAX`]: none.
    #[inline]
    pub fn next_timer(&mut self, now: Time) -> Time {
        let mut due = match &self.frozen {
            None => self.rack.as_ref().map_or(self.rto_due, |rack| self.rto_due.min(rack.due())),
            Some(frozen) => frozen.persist_due,
        };
        if let Some(release) = self.release {
            due = due.min(release);
        }
        if let Some(tick) = self.controller.next_timeout() {
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
        if self.controller.next_timeout().is_some_and(|t| t <= now) {
            self.controller.on_tick(now);
        }
        if self.frozen.is_some() {
            self.on_persist_timer(now);
            return;
        }
        if self.rack.is_some() {
            self.on_rack_timer(now);
        }
        if now < self.rto_due {
            return;
        }
        self.rtt.back_off();
        if self.phase == Phase::Connecting {
            self.syn_sent = false;
            self.rto_due = Time::MAX;
        } else if self.board.is_empty() {
            self.rto_due = Time::MAX;
        } else {
            self.expire(now);
        }
    }

    /// The retransmission timer expired (RFC 6298, rules 5.4 to 5.6).
    fn expire(&mut self, now: Time) {
        self.counts.timeouts += 1;
        self.consecutive_timeouts += 1;
        let in_flight = self.in_flight();
        // Without SACK all of it is sent again (go-back-N); with SACK only what has had the time to be
        // acknowledged: the rest is in flight still (RFC 8985 judges by time likewise).
        let sent_before = match self.rtt.srtt() {
            _ if self.rack.is_some() => self.expire_by_time(now).unwrap_or(now),
            Some(srtt) if self.recovery.selective() => now - srtt,
            _ => now,
        };
        self.reno_arrived = 0;
        self.duplicates = 0;
        let controller = &mut self.controller;
        let bytes = self.packet_bytes;
        self.board.expire(sent_before, |lost| {
            controller.on_loss(&loss(now, lost, false, Detection::Timeout, in_flight, bytes));
        });
        let consecutive = self.consecutive_timeouts;
        self.controller.on_timeout(&Timeout::new(now, in_flight).consecutive(consecutive));
        self.phase = Phase::Expired;
        self.after_timeout = true;
        self.recover = self.board.next();
        self.forced = true;
        self.arm_timer(now);
    }

    /// The retransmission timer starts anew, unless it is infinite.
    #[inline]
    pub(super) fn arm_timer(&mut self, now: Time) {
        self.rto_due = if self.recovery == Recovery::None {
            Time::MAX
        } else {
            now.saturating_add(self.rtt.rto())
        };
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
        if self.phase == Phase::Connecting {
            return self.connect(now);
        }
        let in_flight = self.in_flight();
        if self.frozen.is_some() {
            return self.ask().then_some(Outgoing::WindowProbe);
        }
        if !self.forced {
            if f64::from(in_flight + 1) > self.controller.window() {
                self.window_limited = true;
                return None;
            }
            if let Some(release) = self.controller.release_at()
                && release > now
            {
                self.release = Some(release);
                return None;
            }
        }
        let (seq, again) = self.choose(now)?;
        self.forced = false;
        let tx = self.next_tx;
        self.next_tx += 1;
        if again {
            self.board.resend(seq, now, tx);
            self.counts.retransmissions += 1;
            // RFC 6675, sec. 6, lets a retransmission re-arm the timer; the first outstanding segment's does,
            // as in Linux. A hole may be found long after the ACK that armed the timer.
            if self.recovery.selective() && seq == self.board.una() {
                self.arm_timer(now);
            }
        } else {
            self.board.push(now, tx);
        }
        self.counts.sent += 1;
        // Asked after the packet: what the controller is told is whether there is more behind it.
        self.idle = self.board.next() >= self.app.written(now);
        if self.rto_due == Time::MAX {
            self.arm_timer(now);
        }
        if self.rack.is_some() {
            self.note_sent(now, seq, tx, again);
        }
        self.controller.on_sent(
            &Sent::new(now, tx, self.packet_bytes, in_flight + 1)
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
        self.arm_timer(now);
        Some(Outgoing::Syn)
    }

    /// The segment to send (RFC 6675, NextSeg), and whether it was sent before.
    #[inline]
    fn choose(&mut self, now: Time) -> Option<(u64, bool)> {
        if let Some(seq) = self.board.next_lost() {
            return Some((seq, true));
        }
        let next = self.board.next();
        let written = self.app.written(now);
        self.idle = next >= written;
        if !self.idle && next - self.board.una() < self.receive_window {
            return Some((next, false));
        }
        self.window_limited = false;
        if let Some(rack) = &self.rack {
            return rack.tail_to_probe().map(|seq| (seq, true));
        }
        if !self.recovery.selective() || self.phase != Phase::Recovery {
            return None;
        }
        // Nothing else may be sent: rather than idle, repeat what may be lost (rule 3), and once an
        // episode the very last segment, whose ACK shows what is lost before it (rule 4).
        if let Some(seq) = self.board.next_doubtful() {
            return Some((seq, true));
        }
        if self.rescued {
            return None;
        }
        self.rescued = true;
        let seq = self.board.last_missing()?;
        (!self.board.repeated(seq)).then_some((seq, true))
    }

    /// A loss episode begins: the window is reduced, the first lost segment goes out at once.
    pub(super) fn begin_recovery(&mut self) {
        self.phase = Phase::Recovery;
        self.recover = self.board.next();
        self.forced = self.board.waiting() > 0;
        self.after_timeout = false;
        self.rescued = false;
        self.partial_acks = 0;
        self.counts.recoveries += 1;
        self.board.begin_episode();
        self.react();
    }

    /// Number of the next transmission.
    pub(super) fn next_tx(&self) -> u64 {
        self.next_tx
    }

    /// The link at the sender's end failed to carry a transmission.
    pub fn on_link_failure(&mut self, seq: u64, tx: u32) {
        self.board.link_failed(seq, tx);
    }

    /// The wireless link at the sender's end reports.
    pub fn on_link_report(&mut self, now: Time, report: &LinkReport) {
        self.controller.on_link_report(now, report);
    }

    /// The host changed networks: what the controller knows of the path changes with it, and so does the
    /// RTT, by twice the change of the link's delay.
    pub fn on_handoff(&mut self, handoff: &Handoff) {
        if self.controller.listens() {
            self.rtt.shift(handoff.old_delay, handoff.new_delay);
        }
        self.controller.on_handoff(handoff);
    }

    /// Notes that the application's last byte is acknowledged.
    pub(super) fn check_finished(&mut self, now: Time) {
        if self.finished.is_none() && self.app.end() == Some(self.board.una()) {
            self.finished = Some(now);
        }
    }
}

/// A loss as controllers are told of it.
pub(super) fn loss(
    now: Time,
    lost: LostTx,
    new_episode: bool,
    detection: Detection,
    in_flight: u32,
    bytes: u32,
) -> Loss {
    Loss::new(now, lost.tx, bytes, in_flight)
        .link_failures(u32::from(lost.link_failed))
        .new_episode(new_episode)
        .detection(detection)
}
