//! The packets that a flow can send, and its limits: the cost of a run before it is run.

use atl_core::time::{Span, Time};
use atl_link::{Conditions, Config, Delay, Loss, Service};

use crate::gap::Gap;
use crate::setup::{FlowSetup, LinkSetup, Path, Setup, Source};

/// A flow's data packets in a run, at most.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Traffic {
    /// Packets that its route carries; infinite over links of unlimited rate.
    pub route: f64,
    /// The link with the lowest rate, if the route is limited.
    pub bottleneck: Option<usize>,
    /// Packets that the receive window admits, in rounds without queues; infinite for a paced flow.
    pub window: f64,
    /// Packets that the application has to send; infinite if it always has data.
    pub source: f64,
}

impl Traffic {
    /// The traffic of a flow in a run that ends at `end`.
    pub fn of(flow: &FlowSetup, links: &[LinkSetup], end: Time) -> Traffic {
        let active = flow.stop.map_or(end, |stop| stop.min(end)).since(flow.start).secs();
        let segment = f64::from(flow.tcp.segment.max(1));
        let bits = 8.0 * (segment + f64::from(flow.tcp.header));
        let best = flow.paths.iter().map(|path| bottleneck(path, links));
        let (rate, bottleneck) =
            best.max_by(|(a, _), (b, _)| a.total_cmp(b)).unwrap_or((f64::INFINITY, None));
        let rounds = active / shortest(flow, links).secs();
        let window = match flow.protocol.paces() {
            true => f64::INFINITY,
            false => f64::from(flow.tcp.receive_window) * rounds,
        };
        let bytes = bytes(&flow.source, active);
        Traffic { route: rate * active / bits, bottleneck, window, source: bytes / segment }
    }

    /// The lowest of the limits.
    pub fn packets(&self) -> f64 {
        self.route.min(self.window).min(self.source)
    }
}

/// Most bytes that a source writes in this many seconds.
fn bytes(source: &Source, active: f64) -> f64 {
    match source {
        Source::Fixed { bytes } => *bytes as f64,
        Source::Files { bytes, every, .. } => *bytes as f64 * (1.0 + active / every.secs()),
        Source::Steady { rate } | Source::OnOff { rate, .. } => rate.bps() * active / 8.0,
        Source::Greedy | Source::Media(_) | Source::Application(_) => f64::INFINITY,
        Source::Relayed(source) => bytes(source, active),
    }
}

/// Gaps for flows for which a run in virtual time would hardly end, or never: those that always
/// have data, over links of unlimited rate that lose nothing, so that each round trip carries a
/// receive window. `most` is how many packets the engine carries of such a flow.
pub fn endless(setup: &Setup, most: f64) -> Vec<Gap> {
    let end = Time::ZERO + setup.duration;
    let lossless =
        |l: &usize| conditions(&setup.links[*l].config).all(|now| now.loss == Loss::None);
    let of_flow = |flow: &FlowSetup| {
        let greedy = matches!(flow.source, Source::Greedy) && !flow.protocol.paces();
        let kept = flow.paths.iter().flat_map(|path| &path.forward).all(lossless);
        let traffic = Traffic::of(flow, &setup.links, end);
        let packets = traffic.packets();
        if !greedy || !kept || traffic.bottleneck.is_some() || packets <= most {
            return None;
        }
        let count = match packets.is_finite() {
            true => format!("{packets:.1e}"),
            false => "endlessly many".to_owned(),
        };
        let what = format!("{count} packets over links of unlimited rate");
        let why = format!(
            "each round trip of {} s carries a receive window of {} packets, and {most:e} packets \
             of such a flow are carried: give a link of its route a `rate` or a longer `delay`, or \
             lower `tcp.receive-window` or `duration`",
            shortest(flow, &setup.links).secs(),
            flow.tcp.receive_window
        );
        Some(Gap::flow(flow, "source", what, why))
    };
    setup.flows.iter().filter_map(of_flow).collect()
}

/// The lowest rate of a path in bits per second, and the link that has it.
fn bottleneck(path: &Path, links: &[LinkSetup]) -> (f64, Option<usize>) {
    let rates = path.forward.iter().map(|&l| (fastest(&links[l].config), l));
    let limited = rates.filter(|(bps, _)| bps.is_finite());
    let slowest = limited.min_by(|(a, _), (b, _)| a.total_cmp(b));
    slowest.map_or((f64::INFINITY, None), |(bps, l)| (bps, Some(l)))
}

/// Highest rate of a link in bits per second, with a trace counted by its mean.
fn fastest(config: &Config) -> f64 {
    let rates = conditions(config).map(|now| match &now.service {
        Service::Constant(rate) => rate.bps(),
        Service::Ramp(ramp) => ramp.highest().bps(),
        Service::Blocked(sight) => sight.clear.bps().max(sight.blocked.bps()),
        Service::Wifi(wifi) => wifi.mean_rate().bps(),
        Service::Trace(trace) => trace.mean_rate().bps(),
        Service::Unlimited => f64::INFINITY,
    });
    let shaped = config.shaper.map_or(f64::INFINITY, |shaper| shaper.rate.bps());
    rates.fold(0.0, f64::max).min(shaped)
}

/// Conditions of a link at the start and after each change.
fn conditions(config: &Config) -> impl Iterator<Item = &Conditions> {
    std::iter::once(&config.initial).chain(config.schedule.iter().map(|change| &change.to))
}

/// The shortest round trip of a flow's paths at the start, without queues.
fn shortest(flow: &FlowSetup, links: &[LinkSetup]) -> Span {
    let delay = |l: usize| match &links[l].config.initial.delay {
        Delay::Constant(delay) => *delay,
        Delay::Trace(trace) => trace.at(Time::ZERO),
    };
    let both = |path: &Path| {
        path.forward.iter().chain(&path.back).fold(Span::ZERO, |sum, &l| sum + delay(l))
    };
    flow.paths.iter().map(both).min().unwrap_or(Span::ZERO)
}
