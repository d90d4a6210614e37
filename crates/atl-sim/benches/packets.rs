//! What a delivered data packet costs: a dumbbell of NewReno senders with SACK, each on an access link of its
//! own, one bottleneck, ACKs on the way back, recording off. Prints packets/s, events/s and ns per packet
//! (docs/performance.md explains the figures).
//!
//! `cargo bench -p atl-sim --bench packets -- [FLOWS...]`

#![expect(clippy::print_stdout, reason = "a benchmark's output is its result")]
#![expect(clippy::disallowed_methods, reason = "a benchmark reads the clock")]

use std::sync::Arc;
use std::time::Instant;

use atl_core::time::{Span, Time};
use atl_core::units::Rate;
use atl_core::window::ControllerConfig;
use atl_link::Config;
use atl_scenario::protocol::{Protocol, Recovery};
use atl_scenario::setup::{FlowSetup, LinkSetup, Setup, Source, Tcp};
use atl_sim::{Options, Simulation};

/// Fair share of a flow, in Mb/s.
const SHARE: f64 = 5.0;

/// A dumbbell: `flows` access links of four fair shares, a bottleneck with a queue of one
/// bandwidth-delay product, a round trip of 50 ms.
fn dumbbell(flows: usize, secs: f64) -> Setup {
    let rate = Rate::from_mbps(SHARE * flows as f64);
    let queue = (rate.packets_per_sec(1040) * 0.05).ceil().max(20.0) as u32;
    let access = Arc::new(Config::constant(
        Rate::from_mbps(4.0 * SHARE),
        Span::from_millis(5),
        100,
    ));
    let shared = Arc::new(Config::constant(rate, Span::from_millis(20), queue));
    let link = |name: String, from, to, config: &Arc<Config>| LinkSetup {
        name,
        from,
        to,
        wireless: false,
        config: Arc::clone(config),
    };
    let (router, sink) = (flows, flows + 1);
    let mut links = vec![
        link("shared".into(), router, sink, &shared),
        link("shared.back".into(), sink, router, &shared),
    ];
    let mut list = Vec::new();
    for i in 0..flows {
        links.push(link(format!("access-{i}"), i, router, &access));
        links.push(link(format!("access-{i}.back"), router, i, &access));
        list.push(FlowSetup {
            name: format!("flow-{i}"),
            group: "flow".into(),
            forward: vec![2 + 2 * i, 0],
            back: vec![1, 3 + 2 * i],
            protocol: Protocol {
                name: "sack".into(),
                label: "SACK".into(),
                recovery: Recovery::Sack,
                controller: ControllerConfig::Reno(Default::default()),
            },
            source: Source::Greedy,
            start: Time::ZERO,
            start_jitter: Span::from_secs(1),
            overhead: Span::ZERO,
            tcp: Tcp::default(),
        });
    }
    Setup {
        nodes: (0..flows + 2).map(|n| n.to_string()).collect(),
        links,
        flows: list,
        duration: Span::from_secs_f64(secs),
        warmup: Span::ZERO,
        sample_every: None,
    }
}

/// Peak resident memory so far, in MB, where the system tells it.
fn peak_mb() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|l| l.starts_with("VmHWM:"))?;
    let kb: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kb / 1e3)
}

fn measure(flows: usize, secs: f64, rounds: u32) {
    let setup = dumbbell(flows, secs);
    let mut costs = Vec::new();
    let (mut packets, mut events, mut sent) = (0, 0, 0);
    for _ in 0..rounds {
        let simulation = Simulation::with_options(&setup, 1, Options { rtt: false });
        let begin = Instant::now();
        let result = simulation.run();
        let took = begin.elapsed().as_secs_f64();
        packets = result.flows.iter().map(|f| f.delivered).sum::<u64>();
        sent = result.flows.iter().map(|f| f.sent).sum::<u64>();
        events = result.events;
        costs.push(took);
    }
    costs.sort_by(f64::total_cmp);
    let (best, median) = (costs[0], costs[costs.len() / 2]);
    let memory = peak_mb().map_or_else(|| "?".into(), |mb| format!("{mb:.0}"));
    println!(
        "{flows:>6} flows {secs:>5.0} s: {:>6.1} ns/packet median, {:>6.1} best; {:>5.2} M packets/s, \
         {:>5.2} M events/s; {packets} packets, {:.2} events/packet, {:.2} % sent again, peak {memory} MB",
        median / packets as f64 * 1e9,
        best / packets as f64 * 1e9,
        packets as f64 / median / 1e6,
        events as f64 / median / 1e6,
        events as f64 / packets as f64,
        (sent - packets) as f64 / sent as f64 * 100.0,
    );
}

fn main() {
    let chosen: Vec<usize> = std::env::args().filter_map(|a| a.parse().ok()).collect();
    // Simulated seconds are chosen for about 3 million packets each.
    for (flows, secs) in [
        (10, 600.0),
        (100, 60.0),
        (1000, 6.0),
        (10_000, 2.0),
        (1000, 600.0),
    ] {
        let long = flows == 1000 && secs > 10.0;
        if (chosen.is_empty() && !long) || (chosen.contains(&flows) && !long) {
            measure(flows, secs, 5);
        }
        // The memory bound: 1000 flows over 600 s. Only when asked for, as it takes minutes.
        if long && chosen.contains(&600) {
            measure(flows, secs, 1);
        }
    }
}
