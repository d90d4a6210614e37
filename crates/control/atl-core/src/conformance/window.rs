//! The contract of window controllers, as a test.

use super::draws::Draws;
use crate::path::{End, Handoff, LinkReport};
use crate::probe::ProbeAck;
use crate::time::{Span, Time};
use crate::units::{Probability, Rate};
use crate::window::{
    Ack, Controller, ControllerConfig, Detection, Loss, Marked, Quench, Sent, Start, Timeout,
    WindowController,
};

/// Bytes of a packet.
const PACKET: u32 = 1040;
/// Operations of one long life, and of each of some short ones.
const LONG: u64 = 34_000;
const SHORT: u64 = 200;
const LIVES: u64 = 64;
/// A state is looked at this often.
const LOOK: u64 = 997;
/// Letters that the state of a controller may take at most.
const MOST_LETTERS: usize = 40_000;
/// The window that a timeout leaves at most: RFC 5681 has one packet, RFC 9002 two.
const AFTER_TIMEOUT: f64 = 2.0;
const RTT: Span = Span::from_millis(100);

/// Something that a transport may do. Times are steps, so that time does not go back; all else is
/// free.
#[derive(Clone, Debug)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the fields are those of the events")]
pub enum WindowOperation {
    /// Packets leave.
    Send { packets: u8, app_limited: bool },
    /// An ACK arrives; `limited`: the window was the limit.
    Acknowledge { delivered: u8, rtt_us: u32, recovery: bool, limited: bool },
    /// A duplicate ACK arrives, with news of a packet or without.
    Duplicate { sack: bool },
    /// Packets are found lost, the newest of them or very old ones; the link marked `link` of them.
    Lose { packets: u8, link: u8, new_episode: bool, timeout: bool, old: bool },
    /// Packets were marked by ECN.
    Mark { packets: u8, new_episode: bool, old: bool },
    /// The retransmission timer expires.
    Expire { consecutive: u8 },
    /// A source quench arrives.
    Quench,
    /// A repair is over.
    Recover,
    /// A wireless link reports.
    Report { loss: f64, delay_us: u32, peer: bool },
    /// An end changes networks.
    Handoff { old_ms: u16, new_ms: u16, peer: bool },
    /// A probe is acknowledged, sent or not.
    Probe { number: u64, rtt_us: u32 },
    /// The receiver asks for a rate.
    PeerRate { packets_per_sec: f64 },
    /// Time passes.
    Wait { us: u64 },
}

impl WindowOperation {
    /// Mostly of a path of our world, and now and then of any. `most` packets are sent, delivered
    /// or lost at once.
    fn draw(draws: &mut Draws, most: u64) -> Self {
        use WindowOperation::*;
        let wild = draws.below(32) == 0;
        let small = draws.below(if wild { 1 + most } else { 4 }) as u8;
        let rtt_us = if wild { draws.next() as u32 } else { 1000 + draws.below(500_000) as u32 };
        let share = if wild { draws.any_f64() } else { draws.share() };
        match draws.below(33) {
            0..=5 => Send { packets: small, app_limited: draws.chance() },
            6..=15 => Acknowledge {
                delivered: small,
                rtt_us,
                recovery: draws.chance(),
                limited: draws.chance(),
            },
            16 => Duplicate { sack: draws.chance() },
            17..=19 => Lose {
                packets: small,
                link: draws.below(4) as u8,
                new_episode: draws.chance(),
                timeout: draws.chance(),
                old: draws.below(8) == 0,
            },
            20 => Expire { consecutive: draws.below(6) as u8 },
            21 => Recover,
            22..=24 => Report { loss: share, delay_us: rtt_us, peer: draws.chance() },
            // Seldom enough for windows to fill in between.
            25 if wild => Handoff {
                old_ms: draws.below(400) as u16,
                new_ms: draws.below(400) as u16,
                peer: draws.chance(),
            },
            26 if wild => Probe { number: draws.next(), rtt_us },
            26 => Probe { number: draws.below(400), rtt_us },
            27 => PeerRate { packets_per_sec: 1e4 * share },
            28 if draws.below(8) == 0 => Quench,
            32 => Mark { packets: small, new_episode: draws.chance(), old: draws.below(8) == 0 },
            _ if wild => Wait { us: draws.next() >> 26 },
            _ => Wait { us: draws.below(100_000) },
        }
    }

    /// Nothing that lets a window grow.
    fn holds(&self) -> bool {
        use WindowOperation::*;
        matches!(
            self,
            Send { .. }
                | Acknowledge { limited: false, .. }
                | Lose { .. }
                | Mark { .. }
                | Expire { .. }
                | Quench
        )
    }
}

/// A transport that does whatever it is told, confused or not.
#[derive(Clone, Debug)]
pub struct WindowHarness {
    /// Takes the events.
    pub controller: Controller,
    /// The time.
    pub now: Time,
    /// Number of the next transmission.
    pub tx: u64,
    /// Packets in flight.
    pub in_flight: u32,
    /// The application had no more to send when a packet last left.
    pub idle: bool,
    srtt: Span,
    rtt_min: Span,
}

impl WindowHarness {
    /// A transport with the controller of these parameters, a link of 2 Mb/s and this initial
    /// window in packets.
    pub fn new(config: &ControllerConfig, initial_window: f64) -> Self {
        let start = Start::default()
            .initial_window(initial_window)
            .packet_bytes(PACKET)
            .access_rate(Some(Rate::from_mbps(2.0)))
            .receive_window(10_000);
        WindowHarness {
            controller: config.build(&start),
            now: Time::ZERO,
            tx: 0,
            in_flight: 0,
            idle: false,
            srtt: Span::ZERO,
            rtt_min: Span::MAX,
        }
    }

    fn ack(&mut self, ack: Ack) {
        self.in_flight = self.in_flight.saturating_sub(ack.delivered);
        self.controller.on_ack(&ack.in_flight(self.in_flight));
    }

    /// Does it, and sends the probes that the controller then wants.
    ///
    /// # Panics
    /// If they come in a burst, or a timer that was served is still due.
    pub fn apply(&mut self, operation: &WindowOperation) {
        let now = self.now;
        let newest = self.tx.checked_sub(1).map(|tx| (tx, now));
        let blank = Ack::new(now).newest(newest).srtt(self.srtt).rtt_min(self.rtt_min);
        match *operation {
            WindowOperation::Send { packets, app_limited } => {
                if packets > 0 {
                    self.idle = app_limited;
                }
                for _ in 0..packets {
                    self.in_flight += 1;
                    let sent = Sent::new(now, self.tx, PACKET, self.in_flight);
                    self.controller.on_sent(&sent.app_limited(app_limited));
                    self.tx += 1;
                }
            }
            WindowOperation::Acknowledge { delivered, rtt_us, recovery, limited } => {
                let rtt = Span::from_micros(rtt_us.into());
                self.srtt = rtt;
                self.rtt_min = self.rtt_min.min(rtt);
                let ack = blank.delivered(delivered.into()).cumulative(delivered.into());
                let ack = ack.rtt(Some(rtt)).srtt(rtt).rtt_min(self.rtt_min);
                self.ack(ack.in_recovery(recovery).window_limited(limited));
            }
            WindowOperation::Duplicate { sack } => {
                self.ack(blank.delivered(sack.into()).duplicate(true));
            }
            WindowOperation::Lose { packets, link, new_episode, timeout, old } => {
                let tx = if old { 0 } else { self.tx };
                let loss = Loss::new(now, tx, u32::from(packets) * PACKET, self.in_flight);
                self.controller.on_loss(
                    &loss
                        .packets(packets.into())
                        .link_failures(link.into())
                        .new_episode(new_episode)
                        .detection(if timeout { Detection::Timeout } else { Detection::Acks }),
                );
            }
            WindowOperation::Mark { packets, new_episode, old } => {
                let marked = Marked::new(now, if old { 0 } else { self.tx }, self.in_flight);
                let marked = marked.packets(packets.into()).bytes(u64::from(packets) * 1000);
                self.controller.on_marked(&marked.new_episode(new_episode));
            }
            WindowOperation::Expire { consecutive } => {
                let timeout = Timeout::new(now, self.in_flight).consecutive(consecutive.into());
                self.controller.on_timeout(&timeout);
            }
            WindowOperation::Quench => {
                self.controller.on_quench(&Quench::new(now, self.in_flight));
            }
            WindowOperation::Recover => self.controller.on_recovered(now),
            WindowOperation::Report { loss, delay_us, peer } => {
                let delay = Span::from_micros(delay_us.into());
                let report = LinkReport { loss: Probability::clamped(loss), delay };
                if peer {
                    self.controller.on_peer_report(now, &report);
                } else {
                    self.controller.on_link_report(now, &report);
                }
            }
            WindowOperation::Handoff { old_ms, new_ms, peer } => {
                let end = if peer { End::Peer } else { End::Own };
                let delays = [old_ms, new_ms].map(|ms| Span::from_millis(ms.into()));
                self.controller.on_handoff(&Handoff::new(now, end, delays[0], delays[1]));
            }
            WindowOperation::Probe { number, rtt_us } => {
                let rtt = Span::from_micros(rtt_us.into());
                self.controller.on_probe_ack(&ProbeAck::new(now, number, rtt));
            }
            WindowOperation::PeerRate { packets_per_sec } => {
                self.controller.on_peer_rate(now, packets_per_sec);
            }
            WindowOperation::Wait { us } => {
                self.now += Span::from_micros(us);
                self.tick();
            }
        }
        self.take_probes();
    }

    /// Serves what is due, which comes to an end without time moving.
    fn tick(&mut self) {
        for _ in 0..8 {
            if self.controller.next_timeout().is_none_or(|at| at > self.now) {
                return;
            }
            self.controller.on_tick(self.now);
            self.take_probes();
        }
        panic!("timeouts without end at {:?}: {:?}", self.now, self.controller);
    }

    /// An endless supply of probes would hang a transport, and more than a few at one time would be
    /// a burst.
    fn take_probes(&mut self) {
        for _ in 0..2 {
            if self.controller.poll_probe(self.now).is_none() {
                return;
            }
        }
        panic!("a burst of probes: {:?}", self.controller);
    }

    /// Sends `packets` packets, one each 4 ms, each of which is acknowledged after an RTT of 100
    /// ms.
    fn deliver(&mut self, packets: u32, window_limited: bool) {
        for _ in 0..packets {
            self.apply(&WindowOperation::Send { packets: 1, app_limited: !window_limited });
            self.now += Span::from_millis(4);
            self.tick();
            let newest = Some((self.tx - 1, self.now));
            let ack = Ack::new(self.now).delivered(1).cumulative(1).newest(newest);
            let ack = ack.rtt(Some(RTT)).srtt(RTT).rtt_min(RTT);
            self.ack(ack.window_limited(window_limited));
        }
    }

    /// All that was sent is lost, and so is the one packet that each of the growing number of
    /// timeouts sends.
    fn silence(&mut self, span: Span) {
        let end = self.now + span;
        let mut rto = Span::from_millis(300);
        for consecutive in 1.. {
            self.apply(&WindowOperation::Send { packets: 1, app_limited: false });
            self.now += rto;
            let in_flight = core::mem::take(&mut self.in_flight);
            self.controller.on_loss(
                &Loss::new(self.now, self.tx - 1, in_flight * PACKET, in_flight)
                    .packets(in_flight)
                    .link_failures(in_flight)
                    .new_episode(false)
                    .detection(Detection::Timeout),
            );
            let timeout = Timeout::new(self.now, in_flight).consecutive(consecutive);
            self.controller.on_timeout(&timeout);
            if self.now >= end {
                return;
            }
            rto = (rto * 2).min(Span::from_secs(60));
        }
    }

    /// All public answers of the controller.
    fn answers(&self) -> impl PartialEq + core::fmt::Debug + use<> {
        let controller = &self.controller;
        let rate = controller.pacing_rate().map(|rate| rate.bps().to_bits());
        let window = controller.window().to_bits();
        (
            window,
            controller.ssthresh().to_bits(),
            controller.release_at(),
            rate,
            controller.next_timeout(),
        )
    }

    /// The first thing that does not hold.
    fn violation(&self) -> Option<String> {
        let controller = &self.controller;
        let (cwnd, ssthresh) = (controller.window(), controller.ssthresh());
        if !(cwnd.is_finite() && cwnd >= 1.0) {
            return Some(format!("cwnd is {cwnd}"));
        }
        if ssthresh.is_nan() || ssthresh <= 0.0 {
            return Some(format!("ssthresh is {ssthresh}"));
        }
        let paces = controller.pacing_rate().map(Rate::bps);
        if paces.is_some_and(|bps| bps.is_nan() || bps < 0.0) {
            return Some(format!("the pacing rate is {paces:?} b/s"));
        }
        let aimd = controller.aimd()?;
        let usable =
            aimd.alpha.is_finite() && aimd.alpha > 0.0 && aimd.beta > 0.0 && aimd.beta < 1.0;
        (!usable).then(|| format!("{aimd:?}"))
    }
}

/// Checks all that a window controller promises ([`WindowController`]): what [`window_safety`]
/// checks, and that the window follows ACKs. It grows by nothing else that a transport tells of
/// packets, not while the application is the limit, and again after a silence of any length. A law
/// whose window only guards a rate, or follows a model of the path, need not do so.
///
/// # Panics
/// If a promise is broken.
pub fn window(config: impl Into<ControllerConfig>) {
    let config = &config.into();
    window_safety(config, |host, operation, before| {
        let cwnd = host.controller.window();
        if operation.holds() {
            assert!(cwnd <= before + 1e-9, "{config:?}: {before} to {cwnd} by {operation:?}");
        }
        if matches!(operation, WindowOperation::Expire { .. } | WindowOperation::Quench) {
            assert!(cwnd <= AFTER_TIMEOUT, "{config:?}: {cwnd} by {operation:?}");
        }
    });
    let mut host = WindowHarness::new(config, 4.0);
    host.deliver(100, true);
    let before = host.controller.window();
    for number in 0..2000 {
        host.deliver(1, false);
        host.apply(&WindowOperation::Probe { number: 1_000_000 + number, rtt_us: 100_000 });
        let cwnd = host.controller.window();
        assert!(
            cwnd <= before,
            "{config:?}: {before} to {cwnd} while the application is the limit"
        );
    }
    for secs in [0.01, 1.0, 10.0, 100.0, 1e4, 1e6] {
        let mut host = WindowHarness::new(config, 2.0);
        host.deliver(500, true);
        host.silence(Span::from_secs_f64(secs));
        let after = host.controller.window();
        assert!(after <= AFTER_TIMEOUT, "{config:?}: {after} after {secs} s of silence");
        host.deliver(20, true);
        let soon = host.controller.window();
        host.deliver(400, true);
        let later = host.controller.window();
        assert!(soon > 1.5 && later > soon, "{config:?} after {secs} s: {soon}, {later}");
    }
}

/// Checks that whatever a transport does, the window stays finite and at least 1, state is bounded,
/// and the same operations give the same answers, of a clone too. `look` sees the transport after
/// each operation, with the window before it, for what holds of some controllers only.
///
/// # Panics
/// If a promise is broken.
pub fn window_safety(
    config: &ControllerConfig,
    mut look: impl FnMut(&WindowHarness, &WindowOperation, f64),
) {
    let mut act = |host: &mut WindowHarness, operation: &WindowOperation| {
        let before = host.controller.window();
        host.apply(operation);
        if let Some(violation) = host.violation() {
            panic!("{config:?}: {violation} by {operation:?}");
        }
        look(host, operation, before);
    };
    for seed in 0..LIVES {
        let mut draws = Draws(seed);
        let initial = if seed % 2 == 0 { draws.any_f64() } else { 1.0 + 99.0 * draws.share() };
        let mut hosts =
            vec![WindowHarness::new(config, initial), WindowHarness::new(config, initial)];
        for step in 0..SHORT {
            if step == SHORT / 2 {
                hosts.push(hosts[0].clone());
            }
            let operation = WindowOperation::draw(&mut draws, 255);
            hosts.iter_mut().for_each(|host| act(host, &operation));
            for other in &hosts[1..] {
                let (answers, others) = (hosts[0].answers(), other.answers());
                assert!(answers == others, "{config:?}: {answers:?}, {others:?} by {operation:?}");
            }
        }
    }
    // Few packets at once: what a controller notes of each that is in flight is no hoard.
    let (mut draws, mut host) = (Draws(LIVES), WindowHarness::new(config, 2.0));
    // Letters that it takes to write down all that a controller holds: a measure of its state that
    // no field escapes.
    let mut most = [0; 2];
    for step in 0..LONG {
        act(&mut host, &WindowOperation::draw(&mut draws, 3));
        if step % LOOK == 0 {
            let half = &mut most[usize::from(step > LONG / 2)];
            *half = (*half).max(format!("{:?}", host.controller).len());
        }
    }
    // A window of outcomes may be a few buckets longer, never twice as long.
    assert!(most[1] < MOST_LETTERS, "{config:?}: a state of {} letters", most[1]);
    assert!(most[1] <= 2 * most[0], "{config:?}: a state of {most:?} letters");
}
