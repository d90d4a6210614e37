//! The contract of rate controllers, as a test.

use super::draws::Draws;
use super::path::Path;
use crate::model::Aimd;
use crate::path::{End, Handoff, LinkReport};
use crate::probe::ProbeAck;
use crate::rate::{Feedback, Ledger, Lost, RateConfig, RateController, RateStart, Report, Sent};
use crate::time::{Span, Time};
use crate::units::Probability;

/// A flow of 2 Mb/s, in packets.
const START: RateStart = RateStart::DEFAULT.packet_bytes(1040).target(240.0).seed(1);
/// Operations of one long life, and of each of some short ones.
const LONG: u64 = 25_000;
const SHORT: u64 = 150;
const LIVES: u64 = 64;
/// A state is looked at this often.
const LOOK: u64 = 997;
/// Letters that the state of a controller may take at most.
const MOST_LETTERS: usize = 60_000;
/// Packets a second that count as the use of a path of 100.
const USED: f64 = 75.0;
/// Longest time in seconds that a rate may take to come back: one packet in 64 s is the least rate,
/// and some dozen of them tell what the path is like.
const COMES_BACK: f64 = 3600.0;

/// Something that a transport may do. Times are steps, so that time does not go back; all else is
/// free.
#[derive(Clone, Debug)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the fields are those of the events")]
pub enum RateOperation {
    /// Packets leave at once.
    Send { packets: u8, app_limited: bool },
    /// The packet so many before the last is acknowledged, with others before it.
    Ack { back: u8, mask: u32, rtt_us: u32 },
    /// An ACK of anything.
    AckAny { seq: u64, mask: u32, sent_ns: u64 },
    /// Packets are sent and do not arrive, and those sent after them show it.
    Lose { packets: u8, marked: bool, rtt_us: u32 },
    /// A report of all that was sent, some of it lost.
    Report { lost: u8, rtt_us: u32, receive_rate: f64, loss_event_rate: f64 },
    /// A report of anything.
    ReportAny(Report),
    /// The last packet and others before it arrived marked, as its ACK tells.
    Mark { marks: u32, mask: u32, rtt_us: u32 },
    /// A report of all that was sent, some of it marked.
    MarkReport { marked: u8, rtt_us: u32 },
    /// Feedback that no ledger would give: packets lost that were never sent, RTTs of zero, times
    /// to come.
    Feedback { delivered: u32, lost: u8, at_ns: u64, srtt_ns: u64, rtt_ns: u64, odd: bool },
    /// A wireless link reports.
    Link { loss: f64, delay_us: u32, peer: bool },
    /// Networks change.
    Handoff { old_ms: u16, new_ms: u16, peer: bool },
    /// A probe is acknowledged, sent or not.
    Probe { number: u64, rtt_us: u32 },
    /// Time passes.
    Wait { us: u64 },
    /// Time passes while data is sent and nothing comes back.
    Silence { secs: u16 },
}

impl RateOperation {
    fn draw(draws: &mut Draws) -> Self {
        use RateOperation::*;
        // Mostly a path of our world, and now and then anything.
        let wild = draws.below(32) == 0;
        let small = if wild { draws.next() as u8 } else { draws.below(4) as u8 };
        let rtt_us = if wild { draws.next() as u32 } else { 1000 + draws.below(500_000) as u32 };
        let share = if wild { draws.any_f64() } else { draws.share() };
        match draws.below(33) {
            0..=5 => Send { packets: small, app_limited: draws.chance() },
            6..=13 => Ack { back: small, mask: draws.next() as u32, rtt_us },
            14 if wild => ReportAny(draws.report()),
            14..=16 => Report {
                lost: small / 2,
                rtt_us,
                receive_rate: 1e3 * share,
                loss_event_rate: 0.1 * share,
            },
            17..=19 => Lose { packets: small.saturating_add(1), marked: draws.chance(), rtt_us },
            20 if wild => Feedback {
                delivered: small.into(),
                lost: small,
                at_ns: draws.any_nanos(),
                srtt_ns: draws.any_nanos(),
                rtt_ns: draws.any_nanos(),
                odd: draws.chance(),
            },
            21 if wild => {
                AckAny { seq: draws.next() >> draws.below(64), mask: 7, sent_ns: draws.any_nanos() }
            }
            22..=24 => Link { loss: share, delay_us: rtt_us / 4, peer: draws.chance() },
            // Seldom enough for windows of outcomes to fill in between.
            25 if wild => Handoff {
                old_ms: draws.below(400) as u16,
                new_ms: draws.below(400) as u16,
                peer: draws.chance(),
            },
            26 if wild => Probe { number: draws.next(), rtt_us },
            26 => Probe { number: draws.below(400), rtt_us },
            27 if draws.below(200) == 0 => Silence { secs: draws.below(600) as u16 },
            32 if small == 3 => MarkReport { marked: small, rtt_us },
            32 => Mark { marks: u32::from(small).wrapping_mul(0x4924_9249), mask: rtt_us, rtt_us },
            _ if wild => Wait { us: draws.next() >> 30 },
            _ => Wait { us: draws.below(100_000) },
        }
    }
}

impl Draws {
    /// A report with values that no receiver would send.
    fn report(&mut self) -> Report {
        let mut rate = || self.chance().then(|| self.any_f64());
        let rates = [rate(), rate(), rate()];
        Report::default()
            .highest(self.any_nanos())
            .received(self.any_nanos())
            .cumulative_lost(self.next().cast_signed())
            .fraction_lost(self.any_f64())
            .jitter(Span::from_nanos(self.any_nanos()))
            .echo(Time::from_nanos(self.any_nanos()))
            .held(Span::from_nanos(self.any_nanos()))
            .receive_rate(rates[0])
            .loss_event_rate(rates[1])
            .pair_rate(rates[2])
    }

    /// Starting values; in half of the draws such as no application would ask for.
    fn start(&mut self) -> RateStart {
        let wild = self.chance();
        let mut rate = |most: f64| if wild { self.any_f64() } else { most * self.share() };
        let (target, minimum, initial) = (rate(1e4), rate(10.0), rate(1e4));
        RateStart::default()
            .packet_bytes(if wild { self.next() as u32 } else { 1040 })
            .target(target)
            .minimum(minimum)
            .initial(self.chance().then_some(initial))
            .seed(self.next())
    }
}

/// Packets that a silence sends at most, to be done in time.
const MOST_IN_SILENCE: u32 = 300;

/// Timeouts that a wait serves one by one at most; it then jumps, as a transport that was
/// suspended.
const MOST_TIMEOUTS: u32 = 40;

/// A transport that does whatever it is told, confused or not.
#[derive(Clone, Debug)]
pub struct RateHarness {
    /// Takes the events.
    pub controller: Box<dyn RateController>,
    /// The time.
    pub now: Time,
    ledger: Ledger,
    start: RateStart,
    sent: u64,
    received: u64,
    marked: u64,
}

impl RateHarness {
    /// A transport with the controller of these parameters.
    pub fn new(config: &RateConfig, start: &RateStart) -> Self {
        RateHarness {
            controller: config.build(start),
            ledger: Ledger::new(),
            start: *start,
            now: Time::ZERO,
            sent: 0,
            received: 0,
            marked: 0,
        }
    }

    /// Does it, and sends the probes that the controller then wants.
    ///
    /// # Panics
    /// If they come in a burst, or timers without end.
    pub fn apply(&mut self, operation: &RateOperation) {
        let now = self.now;
        match *operation {
            RateOperation::Send { packets, app_limited } => self.send(packets.into(), app_limited),
            RateOperation::Ack { back, mask, rtt_us } => {
                if let Some(seq) = self.sent.checked_sub(1 + u64::from(back)) {
                    self.ack(seq, now - Span::from_micros(rtt_us.into()), mask);
                }
            }
            RateOperation::AckAny { seq, mask, sent_ns } => {
                self.ack(seq, Time::from_nanos(sent_ns), mask);
            }
            RateOperation::Lose { packets, marked, rtt_us } => {
                let first = self.sent;
                self.send(u32::from(packets) + 3, false);
                for seq in (first..first + u64::from(packets)).filter(|_| marked) {
                    self.ledger.on_link_failure(seq);
                }
                self.ack(self.sent - 1, now - Span::from_micros(rtt_us.into()), 0b11);
            }
            RateOperation::Report { lost, rtt_us, receive_rate, loss_event_rate } => {
                let known = self.sent - u64::from(self.ledger.in_flight());
                self.received += (self.sent - known).saturating_sub(lost.into());
                if let Some(highest) = self.sent.checked_sub(1) {
                    self.report(
                        &Report::default()
                            .highest(highest)
                            .received(self.received)
                            .cumulative_lost(
                                (self.sent - self.received.min(self.sent)).cast_signed(),
                            )
                            .fraction_lost(Probability::clamped(f64::from(lost) / 256.0).get())
                            .echo(now - Span::from_micros(rtt_us.into()))
                            .receive_rate(Some(receive_rate))
                            .loss_event_rate(Some(loss_event_rate))
                            .pair_rate(Some(receive_rate * 1000.0)),
                    );
                }
            }
            RateOperation::ReportAny(report) => self.report(&report),
            RateOperation::Feedback { delivered, lost, at_ns, srtt_ns, rtt_ns, odd } => {
                let losses: Vec<Lost> = (0..u64::from(lost))
                    .map(|i| {
                        Lost::new(
                            at_ns.wrapping_mul(i + 1),
                            Time::from_nanos(at_ns.wrapping_add(i)),
                        )
                        .link_failure(odd && i % 2 == 0)
                    })
                    .collect();
                self.controller.on_feedback(
                    &Feedback::new(now)
                        .delivered(delivered)
                        .losses(&losses)
                        .newest(odd.then_some((at_ns, Time::from_nanos(srtt_ns))))
                        .rtt((!odd).then_some(Span::from_nanos(rtt_ns)))
                        .srtt(Span::from_nanos(srtt_ns))
                        .rtt_min(Span::from_nanos(rtt_ns))
                        .in_flight(lost.into())
                        .rate_limited(odd),
                );
            }
            RateOperation::Mark { marks, mask, rtt_us } => {
                if let Some(seq) = self.sent.checked_sub(1) {
                    self.ledger.on_marks(seq, marks);
                    self.ack(seq, now - Span::from_micros(rtt_us.into()), mask);
                }
            }
            RateOperation::MarkReport { marked, rtt_us } => {
                let known = self.sent - u64::from(self.ledger.in_flight());
                self.received += self.sent - known;
                self.marked += u64::from(marked);
                if let Some(highest) = self.sent.checked_sub(1) {
                    let told = Report::default().highest(highest).received(self.received);
                    let echo = now - Span::from_micros(rtt_us.into());
                    self.report(&told.marked(self.marked).echo(echo));
                }
            }
            RateOperation::Link { loss, delay_us, peer } => {
                let loss = Probability::clamped(loss);
                let report = LinkReport { loss, delay: Span::from_micros(delay_us.into()) };
                if peer {
                    self.controller.on_peer_report(now, &report);
                } else {
                    self.controller.on_link_report(now, &report);
                }
            }
            RateOperation::Handoff { old_ms, new_ms, peer } => {
                let (old_delay, new_delay) =
                    (Span::from_millis(old_ms.into()), Span::from_millis(new_ms.into()));
                let end = if peer { End::Peer } else { End::Own };
                if !peer {
                    self.ledger.shift_rtt(old_delay, new_delay);
                }
                self.controller.on_handoff(&Handoff::new(now, end, old_delay, new_delay));
            }
            RateOperation::Probe { number, rtt_us } => {
                let rtt = Span::from_micros(rtt_us.into());
                self.controller.on_probe_ack(&ProbeAck::new(now, number, rtt));
            }
            RateOperation::Wait { us } => self.wait(Span::from_micros(us)),
            RateOperation::Silence { secs } => {
                let end = now + Span::from_secs(secs.into());
                for _ in 0..MOST_IN_SILENCE {
                    let gap = Span::from_secs_f64(1.0 / self.controller.rate());
                    if self.now.saturating_add(gap) >= end {
                        break;
                    }
                    self.send(1, false);
                    self.wait(gap.max(Span::from_nanos(1)));
                }
                self.wait(end.since(self.now));
            }
        }
        self.take_probes();
    }

    fn send(&mut self, packets: u32, app_limited: bool) {
        for _ in 0..packets {
            let seq = self.ledger.on_sent(self.now, app_limited);
            let sent = Sent::new(self.now, seq, self.start.packet_bytes).app_limited(app_limited);
            self.controller.on_sent(&sent);
            self.sent = seq + 1;
        }
    }

    fn ack(&mut self, seq: u64, sent_at: Time, mask: u32) {
        let rtt = self.ledger.on_ack(self.now, seq, sent_at, mask);
        let feedback = self.ledger.feedback(self.now, Some((seq, sent_at)), rtt, None);
        self.controller.on_feedback(&feedback);
        self.ledger.clear_feedback();
    }

    fn report(&mut self, report: &Report) {
        let rtt = self.ledger.on_report(self.now, report);
        let newest = Some((report.highest, report.echo));
        let feedback = self.ledger.feedback(self.now, newest, rtt, Some(report));
        self.controller.on_feedback(&feedback);
        self.ledger.clear_feedback();
    }

    /// Time passes; timeouts are served when they are due, and after some of them late.
    fn wait(&mut self, span: Span) {
        let end = self.now.saturating_add(span);
        for _ in 0..MOST_TIMEOUTS {
            match self.controller.next_timeout() {
                Some(at) if at <= end => {
                    self.now = self.now.max(at);
                    self.tick();
                }
                _ => break,
            }
        }
        self.now = end;
        self.tick();
    }

    /// Serves what is due, which must come to an end without time moving.
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

    /// Sends every probe that the controller wants to send now: an endless supply would hang a
    /// transport, and more than a few at one time would be a burst.
    fn take_probes(&mut self) {
        for _ in 0..3 {
            if !self.controller.poll_probe(self.now) {
                return;
            }
        }
        panic!("a burst of probes: {:?}", self.controller);
    }

    /// The first thing that does not hold.
    fn violation(&self) -> Option<String> {
        let (least, most) = self.start.bounds();
        let rate = self.controller.rate();
        if !(rate.is_finite() && rate > 0.0 && rate >= least && rate <= most) {
            return Some(format!("rate {rate}, bounds {least} to {most}"));
        }
        let a = self.controller.adaptation()?;
        let within = a.split.loss.get() < 1.0
            && a.split.congestion_loss.get() > 0.0
            && a.target > 0.0
            && a.target.is_finite();
        (!within).then(|| format!("{a:?}"))
    }

    /// AIMD parameters that no rate could follow. A controller whose parameters are fixed has what
    /// it was given.
    pub fn unusable(&self) -> Option<Aimd> {
        self.controller.aimd().filter(|&Aimd { alpha, beta }| {
            !(alpha.is_finite() && alpha > 0.0 && beta > 0.0 && beta < 1.0)
        })
    }
}

/// Checks all that a rate controller promises ([`RateController`]): what [`rate_safety`] checks,
/// and that it uses a quiet path of 100 packets a second, and does so again after a silence of any
/// length. Its receiver acknowledges or reports as the protocol has it.
///
/// # Panics
/// If a promise is broken.
pub fn rate(config: impl Into<RateConfig>) {
    let config = &config.into();
    rate_safety(config, |_, _| {});
    for silence in [1.0, 60.0, 10_000.0] {
        let mut path = Path::new(config, &START);
        path.run(120.0);
        path.dead = true;
        path.run(silence);
        path.dead = false;
        let mut took = 0.0;
        while path.run(30.0) < USED {
            took += 30.0;
            assert!(
                took < COMES_BACK,
                "{config:?}: {} packets/s, {took} s after {silence} s of silence: {:?}",
                path.sender.rate(),
                path.sender
            );
        }
    }
}

/// Checks that whatever a transport does, the rate stays finite and within its bounds, state is
/// bounded, timers and probes come to an end, and the same operations give the same answers, of a
/// clone too. `look` sees the transport after each operation, for what holds of some controllers
/// only.
///
/// # Panics
/// If a promise is broken.
pub fn rate_safety(config: &RateConfig, mut look: impl FnMut(&RateHarness, &RateOperation)) {
    let mut act = |host: &mut RateHarness, operation: &RateOperation| {
        host.apply(operation);
        if let Some(violation) = host.violation() {
            panic!("{config:?}: {violation} by {operation:?}");
        }
        look(host, operation);
    };
    for seed in 0..LIVES {
        let mut draws = Draws(seed);
        let start = draws.start();
        let mut hosts = vec![RateHarness::new(config, &start), RateHarness::new(config, &start)];
        assert_eq!(hosts[0].violation(), None, "{config:?} at the start");
        for step in 0..SHORT {
            if step == SHORT / 2 {
                hosts.push(hosts[0].clone());
            }
            let operation = RateOperation::draw(&mut draws);
            let answers: Vec<_> = hosts
                .iter_mut()
                .map(|host| {
                    act(host, &operation);
                    let controller = &host.controller;
                    let rate = controller.rate().to_bits();
                    (rate, controller.next_timeout(), controller.decreases())
                })
                .collect();
            let same = answers.iter().all(|other| *other == answers[0]);
            assert!(same, "{config:?}: {answers:?} by {operation:?}");
        }
    }
    let (mut draws, mut host) = (Draws(LIVES), RateHarness::new(config, &START));
    // Letters that it takes to write down all that a controller holds: a measure of its state that
    // no field escapes.
    let mut most = [0; 2];
    for step in 0..LONG {
        act(&mut host, &RateOperation::draw(&mut draws));
        if step % LOOK == 0 {
            let half = &mut most[usize::from(step > LONG / 2)];
            *half = (*half).max(format!("{:?}", host.controller).len());
        }
    }
    // A window of outcomes may be a few buckets longer, never twice as long.
    assert!(most[1] < MOST_LETTERS, "{config:?}: a state of {} letters", most[1]);
    assert!(most[1] <= 2 * most[0], "{config:?}: a state of {most:?} letters");
}
