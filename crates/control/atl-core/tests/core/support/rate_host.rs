//! A harness that applies arbitrary operations to a rate controller, and every controller to try.

use atl_core::model::RateForm;
use atl_core::path::{LinkReport, WirelessLoss};
use atl_core::rate::{
    Feedback, Ledger, Lost, RateConfig, RateController, RateStart, Report, Sent, aimd, arc, lda,
    nada, rap, rcp_atl, rcs, tfrc,
};
use atl_core::time::{Span, Time};
use atl_core::units::Probability;

use atl_core::window::{Aimd, End, Handoff, ProbeAck};
use atl_engine::protocol::Transport;
use atl_scenario::protocol::catalogue;

/// Every registered controller, and variants true to their sources: all of these must recover.
pub(crate) fn plain() -> Vec<RateConfig> {
    let registered = catalogue().iter().filter_map(|listed| {
        match atl_scenario::protocol::named(listed.name).expect("listed").transport {
            Transport::Paced(config) => Some(config),
            Transport::Tcp(_) | Transport::Quic(_) => None,
        }
    });
    // The literal RCS halves its rate for each loss of an event, and so does not recover on every
    // path.
    let literal = rcs::Config { reading: rcs::Reading::Literal };
    registered.filter(|config| config.get() != Some(&literal)).chain(variants()).collect()
}

fn variants() -> Vec<RateConfig> {
    vec![
        RateConfig::from(aimd::Config { alpha: Some(2.0), beta: 0.8, ..aimd::Config::default() }),
        RateConfig::from(aimd::Config {
            growth: aimd::Growth::Continuous,
            ..aimd::Config::default()
        }),
        RateConfig::from(lda::Config {
            interval: 1.0,
            below_model: lda::BelowModel::Leaps,
            ..lda::Config::default()
        }),
        RateConfig::from(rcp_atl::Config {
            beta: Some(0.7),
            form: RateForm::HalfRound,
            wireless_loss: WirelessLoss::Report,
            cap_at_target: true,
            check_claims: false,
            ..rcp_atl::Config::default()
        }),
        RateConfig::from(tfrc::Config {
            reduce_oscillations: true,
            history_discounting: false,
            min_rto: 1.0,
            ..tfrc::Config::default()
        }),
        RateConfig::from(rap::Config { fine_grain: true, gain: 0.125, ..rap::Config::default() }),
        RateConfig::from(arc::Config {
            count: arc::Counting::Events,
            wireless_loss: WirelessLoss::Report,
            ..arc::Config::default()
        }),
    ]
}

/// The same with parameters that no scenario may have, or that are of no use.
pub(crate) fn wild() -> Vec<RateConfig> {
    vec![
        RateConfig::from(aimd::Config {
            packets: f64::NAN,
            alpha: None,
            beta: 7.0,
            initial: Some(f64::INFINITY),
            growth: aimd::Growth::Continuous,
        }),
        RateConfig::from(aimd::Config { packets: 1e300, ..aimd::Config::default() }),
        RateConfig::from(aimd::Config { alpha: Some(1e-300), ..aimd::Config::default() }),
        RateConfig::from(lda::Config {
            interval: f64::NAN,
            increment: f64::INFINITY,
            below_model: lda::BelowModel::Stays,
            bottleneck: Some(-1.0),
            initial: Some(f64::NAN),
        }),
        RateConfig::from(lda::Config { bottleneck: Some(1e-300), ..lda::Config::default() }),
        RateConfig::from(rcp_atl::Config {
            beta: Some(f64::NAN),
            window_rtts: f64::INFINITY,
            window_packets: u32::MAX,
            floor_packets: 0,
            rtt_floor: f64::NAN,
            claim_age: Some(-1.0),
            claim_gain: f64::NAN,
            initial: Some(f64::NAN),
            ..rcp_atl::Config::default()
        }),
        RateConfig::from(nada::Config {
            tau: 0.0,
            delta: f64::NAN,
            logwin: f64::NAN,
            qth: 0.0,
            plrref: 0.0,
            initial: Some(f64::NAN),
            ..nada::Config::default()
        }),
        RateConfig::from(nada::Config {
            kappa: f64::INFINITY,
            xref: 1e300,
            ..nada::Config::default()
        }),
        RateConfig::from(tfrc::Config {
            rtt_weight: f64::NAN,
            intervals: u32::MAX,
            ..tfrc::Config::default()
        }),
        RateConfig::from(tfrc::Config {
            rtt_weight: 0.0,
            packets_per_ack: 100.0,
            initial_window: Some(1000.0),
            reduce_oscillations: true,
            root_weight: 0.999,
            intervals: 1,
            least_discount: 1e-300,
            ..tfrc::Config::default()
        }),
        RateConfig::from(rap::Config {
            alpha: f64::NAN,
            beta: -1.0,
            initial_rtt: 0.0,
            gain: f64::INFINITY,
            fine_grain: true,
        }),
        RateConfig::from(rap::Config {
            alpha: 1e300,
            initial_rtt: 1e300,
            ..rap::Config::default()
        }),
        // An overrun of the queue takes all its rate, so that alone it never fills a link for long.
        RateConfig::from(rcs::Config { reading: rcs::Reading::Literal }),
        RateConfig::from(arc::Config {
            quiet_rtts: f64::NAN,
            probe_rate: Some(1e300),
            claim_gain: f64::NAN,
            claim_age: None,
            ..arc::Config::default()
        }),
        RateConfig::from(arc::Config {
            quiet_rtts: -1.0,
            probe_rate: Some(1e-300),
            claim_gain: f64::INFINITY,
            claim_age: Some(f64::NAN),
            ..arc::Config::default()
        }),
    ]
}

/// All controllers of both lists.
pub(crate) fn configs() -> Vec<RateConfig> {
    [plain(), wild()].concat()
}

/// An operation on a controller. Times are steps, so that time never decreases; all else is
/// arbitrary.
#[derive(Clone, Debug)]
pub(crate) enum Operation {
    /// Packets are sent at once.
    Send { packets: u8, app_limited: bool },
    /// The packet `back` before the last is acknowledged, with others before it.
    Ack { back: u8, mask: u32, rtt_us: u32 },
    /// An ACK of an arbitrary packet.
    AckAny { seq: u64, mask: u32, sent_ns: u64 },
    /// Packets are sent and do not arrive; those sent after them reveal it.
    Lose { packets: u8, marked: bool, rtt_us: u32 },
    /// A report of all packets sent, some of them lost.
    Report { lost: u8, rtt_us: u32, receive_rate: f64, loss_event_rate: f64 },
    /// A report with arbitrary contents.
    ReportAny(Report),
    /// Feedback that no ledger would give: losses of packets that were never sent, RTTs of zero,
    /// times in the future.
    Feedback { delivered: u32, lost: u8, at_ns: u64, srtt_ns: u64, rtt_ns: u64, odd: bool },
    /// A wireless link sends a report.
    Link { loss: f64, delay_us: u32, peer: bool },
    /// An end changes networks.
    Handoff { old_ms: u16, new_ms: u16, peer: bool },
    /// A probe is acknowledged, sent or not.
    Probe { number: u64, rtt_us: u32 },
    /// Time passes without packets.
    Wait { us: u64 },
    /// Time passes while data is sent without an answer.
    Silence { secs: u16 },
}

/// Limit on the packets sent in a silence, to keep the test short.
const MOST_IN_SILENCE: u32 = 300;

/// Limit on the timeouts that a wait serves one by one; then it jumps, like a suspended machine.
const MOST_TIMEOUTS: u32 = 40;

#[derive(Clone)]
pub(crate) struct Host {
    pub controller: Box<dyn RateController>,
    pub ledger: Ledger,
    pub start: RateStart,
    pub now: Time,
    pub sent: u64,
    received: u64,
}

impl Host {
    pub(crate) fn new(config: &RateConfig, start: &RateStart) -> Self {
        Host {
            controller: config.build(start),
            ledger: Ledger::new(),
            start: *start,
            now: Time::ZERO,
            sent: 0,
            received: 0,
        }
    }

    pub(crate) fn apply(&mut self, operation: &Operation) {
        let now = self.now;
        match *operation {
            Operation::Send { packets, app_limited } => self.send(packets.into(), app_limited),
            Operation::Ack { back, mask, rtt_us } => {
                if let Some(seq) = self.sent.checked_sub(1 + u64::from(back)) {
                    self.ack(seq, now - Span::from_micros(rtt_us.into()), mask);
                }
            }
            Operation::AckAny { seq, mask, sent_ns } => {
                self.ack(seq, Time::from_nanos(sent_ns), mask);
            }
            Operation::Lose { packets, marked, rtt_us } => {
                let first = self.sent;
                self.send(u32::from(packets) + 3, false);
                for seq in (first..first + u64::from(packets)).filter(|_| marked) {
                    self.ledger.on_link_failure(seq);
                }
                self.ack(self.sent - 1, now - Span::from_micros(rtt_us.into()), 0b11);
            }
            Operation::Report { lost, rtt_us, receive_rate, loss_event_rate } => {
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
            Operation::ReportAny(report) => self.report(&report),
            Operation::Feedback { delivered, lost, at_ns, srtt_ns, rtt_ns, odd } => {
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
            Operation::Link { loss, delay_us, peer } => {
                let loss = Probability::clamped(loss);
                let report = LinkReport { loss, delay: Span::from_micros(delay_us.into()) };
                if peer {
                    self.controller.on_peer_report(now, &report);
                } else {
                    self.controller.on_link_report(now, &report);
                }
            }
            Operation::Handoff { old_ms, new_ms, peer } => {
                let (old_delay, new_delay) =
                    (Span::from_millis(old_ms.into()), Span::from_millis(new_ms.into()));
                let end = if peer { End::Peer } else { End::Own };
                if !peer {
                    self.ledger.shift_rtt(old_delay, new_delay);
                }
                self.controller.on_handoff(&Handoff::new(now, end, old_delay, new_delay));
            }
            Operation::Probe { number, rtt_us } => {
                let rtt = Span::from_micros(rtt_us.into());
                self.controller.on_probe_ack(&ProbeAck::new(now, number, rtt));
            }
            Operation::Wait { us } => self.wait(Span::from_micros(us)),
            Operation::Silence { secs } => {
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

    pub(crate) fn send(&mut self, packets: u32, app_limited: bool) {
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

    /// Lets time pass; timeouts are served when they are due, and after some of them late.
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

    /// Serves everything due, which must end without time moving.
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

    /// The first violated property, if any.
    pub(crate) fn violation(&self) -> Option<String> {
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

    /// AIMD parameters that no rate could follow. Controllers with fixed parameters are exempt.
    pub(crate) fn unusable(&self) -> Option<Aimd> {
        self.controller.aimd().filter(|&Aimd { alpha, beta }| {
            !(alpha.is_finite() && alpha > 0.0 && beta > 0.0 && beta < 1.0)
        })
    }
}
