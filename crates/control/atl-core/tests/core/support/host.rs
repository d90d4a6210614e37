//! A harness that applies arbitrary operations to a window controller, and every controller to try.

use atl_core::path::{LinkReport, WirelessLoss};
use atl_core::time::{Span, Time};
use atl_core::units::{Probability, Rate};
use atl_core::window::{
    Ack, Controller, ControllerConfig, Counting, Detection, End, Halving, Handoff, Loss, ProbeAck,
    Quench, Sent, Start, Timeout, WindowController, atl, fixed, peach, peach_plus, reno, resume,
    tahoe, vegas, westwood, wtcp,
};
use atl_hosted::{bbr2, cubic};
use atl_scenario::protocol::catalogue;

/// An operation on a controller. Times are steps, so that time never decreases; all else is
/// arbitrary.
#[derive(Clone, Debug)]
pub(crate) enum Operation {
    Send { packets: u8, app_limited: bool },
    Acknowledge { delivered: u8, rtt_us: u32, recovery: bool, limited: bool },
    Duplicate { sack: bool },
    Lose { packets: u8, link: u8, new_episode: bool, timeout: bool, old: bool },
    Expire { consecutive: u8 },
    Quench,
    Recover,
    Report { loss: f64, delay_us: u32, peer: bool },
    Handoff { old_ms: u16, new_ms: u16, peer: bool },
    Probe { number: u64, rtt_us: u32 },
    PeerRate { packets_per_sec: f64 },
    Wait { us: u64 },
}

/// Every registered controller with its defaults, once each.
fn registered() -> impl Iterator<Item = ControllerConfig> {
    let mut configs: Vec<ControllerConfig> = Vec::new();
    for listed in catalogue() {
        let protocol = atl_scenario::protocol::named(listed.name).expect("listed");
        if let Some(tcp) = protocol.tcp()
            && !configs.contains(&tcp.controller)
        {
            configs.push(tcp.controller.clone());
        }
    }
    configs.into_iter()
}

fn is_hosted(config: &ControllerConfig) -> bool {
    config.get::<cubic::Config>().is_some() || config.get::<bbr2::Config>().is_some()
}

/// The hosted controllers, which grow and recover by the rules of a QUIC library, not by those of
/// this suite.
pub(crate) fn hosted_configs() -> Vec<ControllerConfig> {
    registered().filter(is_hosted).collect()
}

/// Every controller of the suite: as registered, with other options, and with parameters that no
/// scenario may have.
pub(crate) fn configs() -> Vec<ControllerConfig> {
    registered().filter(|config| !is_hosted(config)).chain(variants()).collect()
}

fn variants() -> Vec<ControllerConfig> {
    let flight = reno::Config {
        halving: Halving::Flight,
        counting: Counting::Acks,
        ..reno::Config::default()
    };
    let wild = reno::Config { alpha: f64::NAN, beta: 7.0, ..flight };
    let fast = reno::Config { alpha: 1e300, ..reno::Config::default() };
    let short = westwood::Config { tau: 0.0, m: 0, ..westwood::Config::default() };
    let odd = atl::Config {
        beta: Some(f64::NAN),
        window_srtts: f64::INFINITY,
        window_packets: u32::MAX,
        rtt_floor: f64::NAN,
        claim_age: Some(-1.0),
        claim_gain: f64::NAN,
        ..atl::Config::default()
    };
    let report = atl::Config {
        wireless_loss: WirelessLoss::Report,
        timeouts: atl_core::model::TimeoutTerm::Bounded,
        halving: Halving::Flight,
        counting: Counting::Acks,
        ..atl::Config::default()
    };
    let trusting = atl::Config { check_claims: false, ..atl::Config::sparing() };
    let acks = tahoe::Config { halving: Halving::Flight, counting: Counting::Acks };
    let flood = peach::Config { start_window: u32::MAX, ..peach::Config::default() };
    let silent = peach::Config { start_window: 0, ..peach::Config::default() };
    let eager = vegas::Config { alpha: 1e300, beta: 1e300, ..vegas::Config::default() };
    let shy = vegas::Config { alpha: f64::NAN, beta: -1.0, gamma: 0.0, ..vegas::Config::default() };
    vec![
        ControllerConfig::from(flight),
        ControllerConfig::from(wild),
        ControllerConfig::from(fast),
        ControllerConfig::from(short),
        ControllerConfig::from(odd),
        ControllerConfig::from(report),
        ControllerConfig::from(trusting),
        ControllerConfig::from(acks),
        ControllerConfig::from(fixed::Config { window: 0 }),
        ControllerConfig::from(fixed::Config { window: u32::MAX }),
        ControllerConfig::from(flood),
        ControllerConfig::from(peach_plus::Config(silent)),
        ControllerConfig::from(eager),
        ControllerConfig::from(shy),
        // It only observes, and behaves like the controller that it wraps.
        ControllerConfig::from(resume::Config::new(reno::Config::default().into())),
        ControllerConfig::from(wtcp::Config { max_rate: f64::NAN, ..wtcp::Config::default() }),
    ]
}

#[derive(Clone)]
pub(crate) struct Host {
    pub controller: Controller,
    pub now: Time,
    pub tx: u64,
    pub in_flight: u32,
    pub srtt: Span,
    pub rtt_min: Span,
    pub idle: bool,
}

impl Host {
    pub(crate) fn new(config: &ControllerConfig, initial_window: f64) -> Self {
        let start = Start::default()
            .initial_window(initial_window)
            .packet_bytes(1040)
            .access_rate(Some(Rate::from_mbps(2.0)))
            .receive_window(10_000);
        Host {
            controller: config.build(&start),
            now: Time::ZERO,
            tx: 0,
            in_flight: 0,
            srtt: Span::ZERO,
            rtt_min: Span::MAX,
            idle: false,
        }
    }

    pub(crate) fn ack(&mut self, ack: Ack) {
        self.in_flight = self.in_flight.saturating_sub(ack.delivered);
        self.controller.on_ack(&ack.in_flight(self.in_flight));
    }

    pub(crate) fn apply(&mut self, operation: &Operation) {
        let now = self.now;
        let blank = Ack::new(now)
            .newest(self.tx.checked_sub(1).map(|tx| (tx, now)))
            .srtt(self.srtt)
            .rtt_min(self.rtt_min);
        match *operation {
            Operation::Send { packets, app_limited } => {
                if packets > 0 {
                    self.idle = app_limited;
                }
                for _ in 0..packets {
                    self.in_flight += 1;
                    self.controller.on_sent(
                        &Sent::new(now, self.tx, 1040, self.in_flight).app_limited(app_limited),
                    );
                    self.tx += 1;
                }
            }
            Operation::Acknowledge { delivered, rtt_us, recovery, limited } => {
                let rtt = Span::from_micros(u64::from(rtt_us));
                self.srtt = rtt;
                self.rtt_min = self.rtt_min.min(rtt);
                self.ack(
                    blank
                        .delivered(u32::from(delivered))
                        .cumulative(u32::from(delivered))
                        .rtt(Some(rtt))
                        .srtt(rtt)
                        .rtt_min(self.rtt_min)
                        .in_recovery(recovery)
                        .window_limited(limited),
                );
            }
            Operation::Duplicate { sack } => {
                self.ack(blank.delivered(u32::from(sack)).duplicate(true));
            }
            Operation::Lose { packets, link, new_episode, timeout, old } => {
                let detection = if timeout { Detection::Timeout } else { Detection::Acks };
                self.controller.on_loss(
                    &Loss::new(
                        now,
                        if old { 0 } else { self.tx },
                        u32::from(packets) * 1040,
                        self.in_flight,
                    )
                    .packets(u32::from(packets))
                    .link_failures(u32::from(link))
                    .new_episode(new_episode)
                    .detection(detection),
                );
            }
            Operation::Expire { consecutive } => {
                self.controller.on_timeout(
                    &Timeout::new(now, self.in_flight).consecutive(u32::from(consecutive)),
                );
            }
            Operation::Quench => {
                self.controller.on_quench(&Quench::new(now, self.in_flight));
            }
            Operation::Recover => self.controller.on_recovered(now),
            Operation::Report { loss, delay_us, peer } => {
                let report = LinkReport {
                    loss: Probability::clamped(loss),
                    delay: Span::from_micros(u64::from(delay_us)),
                };
                if peer {
                    self.controller.on_peer_report(now, &report);
                } else {
                    self.controller.on_link_report(now, &report);
                }
            }
            Operation::Handoff { old_ms, new_ms, peer } => {
                self.controller.on_handoff(&Handoff::new(
                    now,
                    if peer { End::Peer } else { End::Own },
                    Span::from_millis(u64::from(old_ms)),
                    Span::from_millis(u64::from(new_ms)),
                ));
            }
            Operation::Probe { number, rtt_us } => self.controller.on_probe_ack(&ProbeAck::new(
                now,
                number,
                Span::from_micros(u64::from(rtt_us)),
            )),
            Operation::PeerRate { packets_per_sec } => {
                self.controller.on_peer_rate(now, packets_per_sec);
            }
            Operation::Wait { us } => {
                self.now += Span::from_micros(us);
                if self.controller.next_timeout().is_some_and(|t| t <= self.now) {
                    self.controller.on_tick(self.now);
                }
            }
        }
        self.take_probes();
    }

    /// Sends every probe that the controller wants to send now: an endless supply would hang a
    /// transport, and more than a few at one time would be a burst.
    pub(crate) fn take_probes(&mut self) {
        for _ in 0..2 {
            if self.controller.poll_probe(self.now).is_none() {
                return;
            }
        }
        panic!("a burst of probes: {:?}", self.controller);
    }
}

/// True if a rate controls, and the window beside it is a guard that an ACK may open at once.
pub(crate) fn paced_by_its_receiver(config: &ControllerConfig) -> bool {
    config.get::<wtcp::Config>().is_some()
}

/// True if the window is constant.
pub(crate) fn never_moves(config: &ControllerConfig) -> bool {
    config.get::<fixed::Config>().is_some()
}

/// Limit on a window's growth in packets. It takes an ACK outside of recovery while the window
/// limits the sender (two packets an ACK at most, as in slow start); or the ACK of a probe, unless
/// the application is idle; or the receiver's rate. A controller that spares losses of its own link
/// grows also while the transport repairs them.
pub(crate) fn most_growth(config: &ControllerConfig, operation: &Operation, idle: bool) -> f64 {
    let spared = config.get::<atl::Config>().is_some_and(|config| config.spare_marked)
        || config.get::<atl::robust::Config>().is_some();
    match *operation {
        Operation::Acknowledge { delivered, recovery, limited: true, .. }
            if spared || !recovery =>
        {
            f64::from(delivered.min(2))
        }
        Operation::Probe { .. } if !idle => 1.0,
        Operation::PeerRate { .. } => f64::INFINITY,
        _ => 0.0,
    }
}
