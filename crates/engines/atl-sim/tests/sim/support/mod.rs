//! Setups for the tests, in a few words.

pub(crate) mod agent;

use std::io;
use std::sync::Arc;

use atl_core::time::{Span, Time};
use atl_core::units::{Probability, Rate};
use atl_core::window::Start;
use atl_endpoint::app::App;
use atl_endpoint::tcp::{Receiver, Sender};
use atl_engine::protocol::{Protocol, Recovery, TcpProtocol};
use atl_engine::setup::{FlowSetup, LinkSetup, Pacing, Path, Setup, Source, Tcp};
use atl_link::random::Stream;
use atl_link::{Config, Loss, Service};
use atl_scenario::{Overrides, no_files};

/// The setup that a scenario's text describes, which needs no other file.
pub(crate) fn parse(text: &str) -> Setup {
    parse_with(text, &no_files)
}

/// The same with the files that `read` knows.
pub(crate) fn parse_with(
    text: &str,
    read: &dyn Fn(&std::path::Path) -> io::Result<String>,
) -> Setup {
    let at = std::path::Path::new("t.toml");
    atl_scenario::parse("t", text, at, read, &Overrides::default())
        .unwrap_or_else(|errors| panic!("{errors}\n{text}"))
        .points
        .swap_remove(0)
        .setup
}

/// TCP's parameters in the papers' simulations: packets of 1040 bytes, of which the tests' numbers
/// speak.
pub(crate) fn papers_tcp() -> Tcp {
    Tcp { segment: 1000, header: 40, ack: 40, initial_window: 2.0, ..Tcp::default() }
}

/// The protocol of this name in the catalogue, with another recovery if one follows after a slash.
pub(crate) fn protocol(name: &str) -> Protocol {
    let (listed, recovery) = name.split_once('/').map_or((name, None), |(n, r)| (n, Some(r)));
    let mut protocol = atl_scenario::protocol::named(listed)
        .unwrap_or_else(|| panic!("{listed} is in the catalogue"));
    let Some(name) = recovery else { return protocol };
    let recovery = Recovery::ALL.into_iter().find(|recovery| recovery.name() == name);
    let recovery = recovery.unwrap_or_else(|| panic!("{name} is not a recovery"));
    protocol.tcp_mut().expect("it repairs").recovery = recovery;
    protocol
}

/// The parts of the TCP of this name; see [`protocol`].
pub(crate) fn tcp(name: &str) -> TcpProtocol {
    protocol(name).tcp().expect("a TCP").clone()
}

/// Bytes of a transfer of this many segments, of which the last is not full.
pub(crate) fn transfer_bytes(segments: u64) -> u64 {
    segments * u64::from(papers_tcp().segment) - 300
}

/// The two ends of a transfer of this many segments, whose ACKs may be delayed by 100 ms.
pub(crate) fn transfer_ends(
    protocol: &TcpProtocol,
    segments: u64,
    delayed: bool,
) -> (Sender, Receiver) {
    let tcp = Tcp {
        delayed_ack: delayed.then(|| Span::from_millis(100)),
        max_rto: Span::from_secs(4),
        ..papers_tcp()
    };
    let controller = protocol.controller.build(
        &Start::default()
            .initial_window(tcp.initial_window)
            .packet_bytes(tcp.segment + tcp.header)
            .receive_window(10_000)
            .seed(1),
    );
    let source = Source::Fixed { bytes: transfer_bytes(segments) };
    let app = App::new(&source, tcp.segment, Time::ZERO, Stream::new(1, "app"));
    let receiver = Receiver::of(protocol.recovery, &tcp);
    (Sender::new(protocol.recovery, controller, &tcp, app), receiver)
}

/// A link in one direction.
pub(crate) fn link(name: &str, from: usize, to: usize, config: Config) -> LinkSetup {
    LinkSetup {
        name: name.into(),
        from,
        to,
        wireless: false,
        config: Arc::new(config),
        agent: None,
        adaptation: None,
        trace_start: None,
    }
}

/// A greedy flow of this protocol over these links; paced protocols have a target of 10 Mb/s.
pub(crate) fn flow(
    name: &str,
    protocol_name: &str,
    forward: &[usize],
    back: &[usize],
) -> FlowSetup {
    FlowSetup {
        name: name.into(),
        group: name.into(),
        paths: vec![Path { forward: forward.to_vec(), back: back.to_vec() }],
        mobile: None,
        notices: atl_engine::setup::Notices::default(),
        protocol: protocol(protocol_name),
        source: Source::Greedy,
        answers: None,
        connections: Vec::new(),
        onward: None,
        start: Time::ZERO,
        start_jitter: Span::ZERO,
        stop: None,
        overhead: Span::ZERO,
        tcp: papers_tcp(),
        pacing: Pacing { target: Some(Rate::from_mbps(10.0)), ..Pacing::default() },
        receiver: atl_engine::setup::ReceiverAwareness::default(),
        adaptation: None,
    }
}

/// One flow over one link, whose reverse path has the same delay, no rate limit and no losses.
pub(crate) fn single(protocol_name: &str, there: Config, secs: f64) -> Setup {
    let mut back = Config::constant(Rate::ZERO, Span::ZERO, 1);
    back.initial.service = Service::Unlimited;
    back.initial.delay = there.initial.delay.clone();
    Setup {
        nodes: vec!["a".into(), "b".into()],
        links: vec![link("there", 0, 1, there), link("back", 1, 0, back)],
        flows: vec![flow("flow", protocol_name, &[0], &[1])],
        mobiles: Vec::new(),
        map: None,
        duration: Span::from_secs_f64(secs),
        warmup: Span::ZERO,
        sample_every: None,
    }
}

/// `names.len()` flows, each with an access link of 10 ms of its own, and one bottleneck of 10 ms.
pub(crate) fn dumbbell(names: &[&str], bottleneck: Rate, queue: u32, secs: f64) -> Setup {
    let n = names.len();
    let access =
        Config::constant(Rate::from_bps(bottleneck.bps() * 4.0), Span::from_millis(10), 100);
    let shared = Config::constant(bottleneck, Span::from_millis(10), queue);
    let mut links =
        vec![link("shared", n, n + 1, shared.clone()), link("shared.back", n + 1, n, shared)];
    let mut flows = Vec::new();
    for (i, name) in names.iter().enumerate() {
        links.push(link(&format!("access-{i}"), i, n, access.clone()));
        links.push(link(&format!("access-{i}.back"), n, i, access.clone()));
        let mut f = flow(&format!("flow-{i}"), name, &[2 + 2 * i, 0], &[1, 3 + 2 * i]);
        f.start_jitter = Span::from_secs(1);
        f.overhead = bottleneck.time_for(1040);
        flows.push(f);
    }
    Setup {
        nodes: (0..n + 2).map(|i| i.to_string()).collect(),
        links,
        flows,
        mobiles: Vec::new(),
        map: None,
        duration: Span::from_secs_f64(secs),
        warmup: Span::from_secs_f64(secs / 6.0),
        sample_every: None,
    }
}

/// The same with independent losses of data.
pub(crate) fn lossy(config: Config, p: f64) -> Config {
    let mut config = config;
    config.initial.loss = Loss::Bernoulli(Probability::clamped(p));
    config
}

/// A flow of this law beside flows of another over a wire of `kbps`, with a round trip of `rtt_ms`
/// and a short queue.
pub(crate) fn wire(law: &str, kbps: f64, rtt_ms: u64, queue: u32, others: &[&str]) -> Setup {
    let rate = Rate::from_bps(kbps * 1e3);
    let access =
        Config::constant(Rate::from_bps(kbps * 12e3), Span::from_micros(rtt_ms * 50), 1000);
    let there = Config::constant(rate, Span::from_micros(rtt_ms * 450), queue);
    let back = Config::constant(rate, Span::from_micros(rtt_ms * 450), 1000);
    let links = vec![
        link("access", 0, 1, access.clone()),
        link("access.back", 1, 0, access),
        link("shared", 1, 2, there),
        link("shared.back", 2, 1, back),
    ];
    let mut flows = Vec::new();
    for (i, name) in std::iter::once(&law).chain(others).enumerate() {
        let mut f = flow(&format!("flow-{i}"), name, &[0, 2], &[3, 1]);
        f.start_jitter = Span::from_millis(100);
        f.overhead = rate.time_for(1040);
        f.pacing.target = Some(rate);
        flows.push(f);
    }
    Setup {
        nodes: (0..3).map(|n| n.to_string()).collect(),
        links,
        flows,
        mobiles: Vec::new(),
        map: None,
        duration: Span::from_secs(60),
        warmup: Span::from_secs(10),
        sample_every: None,
    }
}
