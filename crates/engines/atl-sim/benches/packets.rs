//! The cost of a delivered data packet: a dumbbell of NewReno senders with SACK on ten access
//! links, and on one link each, one bottleneck, ACKs on the reverse path, recording off. Prints
//! packets/s, events/s and ns per packet (docs/performance.md explains the figures). `paced`: a
//! thousand paced flows (AIMD of a rate) and a thousand with windows, in turn; the factor says how
//! much more a paced packet costs.
//!
//! `cargo bench -p atl-sim --bench packets -- [10] [100] [1000] [10000] [memory] [paced] [brief] [brief-paced]`
//!
//! `brief` runs ten flows for 20 s once, `brief-paced` ten paced ones. Under `valgrind --tool=callgrind` it counts instructions,
//! which noise does not affect.

#![expect(clippy::print_stdout, reason = "a benchmark's output is its result")]
#![expect(clippy::disallowed_methods, reason = "a benchmark reads the clock")]

use std::sync::Arc;
use std::time::Instant;

use atl_core::rate::aimd;
use atl_core::time::{Span, Time};
use atl_core::units::Rate;
use atl_core::window::reno;
use atl_engine::protocol::{Protocol, Recovery, TcpProtocol, Transport};
use atl_engine::setup::{FlowSetup, LinkSetup, Pacing, Path, Setup, Source, Tcp};
use atl_link::Config;
use atl_sim::{Options, Simulation};

/// Fair share of a flow, in Mb/s.
const SHARE: f64 = 5.0;

/// The family of the flows.
#[derive(Clone, Copy)]
enum Family {
    Window,
    Paced,
}

impl Family {
    fn protocol(self) -> Protocol {
        let (name, label, transport) = match self {
            Family::Window => {
                let controller = reno::Config::default().into();
                let recovery = Recovery::Sack;
                let tcp = TcpProtocol { recovery, controller, freeze: None };
                ("sack", "SACK", Transport::Tcp(tcp))
            }
            Family::Paced => {
                let rate = aimd::Config::default().into();
                ("aimd-rate", "AIMD rate", Transport::Paced(rate))
            }
        };
        Protocol {
            name: name.into(),
            label: label.into(),
            transport,
            new_path: atl_engine::protocol::NewPath::default(),
        }
    }
}

/// A dumbbell: `hosts` access links of four times their flows' fair shares, a round trip of 50 ms,
/// a bottleneck with a queue of one bandwidth-delay product over the square root of the number of
/// flows (Appenzeller, Keslassy, McKeown 2004).
fn dumbbell(family: Family, flows: usize, hosts: usize, secs: f64) -> Setup {
    let rate = Rate::from_mbps(SHARE * flows as f64);
    let queue = (rate.packets_per_sec(1040) * 0.05 / (flows as f64).sqrt()).ceil() as u32;
    let per_host = flows.div_ceil(hosts);
    let rate_of_access = Rate::from_mbps(4.0 * SHARE * per_host as f64);
    let room = 100 * per_host as u32;
    let access = Arc::new(Config::constant(rate_of_access, Span::from_millis(5), room));
    let shared = Arc::new(Config::constant(rate, Span::from_millis(20), queue));
    let link = |name: String, from, to, config: &Arc<Config>| LinkSetup {
        name,
        from,
        to,
        wireless: false,
        config: Arc::clone(config),
        agent: None,
        adaptation: None,
        trace_start: None,
    };
    let (router, sink) = (hosts, hosts + 1);
    let mut links = vec![
        link("shared".into(), router, sink, &shared),
        link("shared.back".into(), sink, router, &shared),
    ];
    let mut list = Vec::new();
    for i in 0..hosts {
        links.push(link(format!("access-{i}"), i, router, &access));
        links.push(link(format!("access-{i}.back"), router, i, &access));
    }
    for i in 0..flows {
        let host = i % hosts;
        list.push(FlowSetup {
            name: format!("flow-{i}"),
            group: "flow".into(),
            paths: vec![Path { forward: vec![2 + 2 * host, 0], back: vec![1, 3 + 2 * host] }],
            mobile: None,
            notices: atl_engine::setup::Notices::default(),
            protocol: family.protocol(),
            source: Source::Greedy,
            answers: None,
            connections: Vec::new(),
            onward: None,
            start: Time::ZERO,
            start_jitter: Span::from_secs(1),
            stop: None,
            overhead: Span::ZERO,
            tcp: Tcp { segment: 1000, header: 40, ack: 40, initial_window: 2.0, ..Tcp::default() },
            pacing: Pacing { target: Some(rate_of_access), ..Pacing::default() },
            receiver: atl_engine::setup::ReceiverAwareness::default(),
            adaptation: None,
        });
    }
    Setup {
        nodes: (0..hosts + 2).map(|n| n.to_string()).collect(),
        links,
        flows: list,
        mobiles: Vec::new(),
        map: None,
        duration: Span::from_secs_f64(secs),
        warmup: Span::ZERO,
        sample_every: None,
    }
}

/// Peak resident memory so far, in MB, where the system reports it.
fn peak_mb() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|l| l.starts_with("VmHWM:"))?;
    let kb: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kb / 1e3)
}

/// Processor time of this thread so far, in ns, where the system reports it; elsewhere, elapsed
/// time.
fn cpu_ns(begin: Instant) -> f64 {
    std::fs::read_to_string("/proc/self/schedstat")
        .ok()
        .and_then(|text| text.split_whitespace().next()?.parse().ok())
        .unwrap_or_else(|| begin.elapsed().as_nanos() as f64)
}

/// Data packets delivered to applications so far.
fn delivered(simulation: &Simulation) -> u64 {
    (0..simulation.flows()).map(|flow| simulation.delivered(flow)).sum()
}

/// The cost of a run: processor time in ns, data packets delivered, events.
struct Cost {
    ns: f64,
    packets: u64,
    events: u64,
}

impl Cost {
    fn per_packet(&self) -> f64 {
        self.ns / self.packets as f64
    }
}

/// Runs `warm` seconds unmeasured, so that slow start's overshoot is over, then `secs` measured.
fn cost(setup: &Setup, warm: f64, secs: f64) -> Cost {
    let origin = Instant::now();
    let mut simulation = Simulation::with_options(setup, 1, Options { rtt: false, jitter: false });
    simulation.advance_to(Time::from_secs_f64(warm));
    let before = (delivered(&simulation), simulation.events());
    let begin = cpu_ns(origin);
    simulation.advance_to(Time::from_secs_f64(warm + secs));
    Cost {
        ns: cpu_ns(origin) - begin,
        packets: delivered(&simulation) - before.0,
        events: simulation.events() - before.1,
    }
}

/// Prints the cost of this many runs with windows.
fn measure(flows: usize, hosts: usize, warm: f64, secs: f64, rounds: u32) {
    let setup = dumbbell(Family::Window, flows, hosts, warm + secs);
    print(flows, hosts, secs, (0..rounds).map(|_| cost(&setup, warm, secs)).collect());
}

/// Prints the cost of runs; returns the best, in ns per packet.
fn print(flows: usize, hosts: usize, secs: f64, mut costs: Vec<Cost>) -> f64 {
    costs.sort_by(|a, b| a.ns.total_cmp(&b.ns));
    let (best, median) = (costs[0].per_packet(), &costs[costs.len() / 2]);
    let memory = peak_mb().map_or_else(|| "?".into(), |mb| format!("{mb:.0}"));
    println!(
        "{flows:>6} flows on {hosts:>5} access links, {secs:>5.1} s: {:>6.1} ns/packet median, {best:>6.1} best; {:>5.2} M packets/s, \
         {:>5.2} M events/s; {} packets, {:.2} events/packet, peak {memory} MB",
        median.per_packet(),
        median.packets as f64 / median.ns * 1e3,
        median.events as f64 / median.ns * 1e3,
        median.packets,
        median.events as f64 / median.packets as f64,
    );
    best
}

/// A thousand flows of each family, in turn, so that other load on the machine affects both alike.
fn compare(hosts: usize) {
    let (flows, warm, secs, rounds) = (1000, 10.0, 5.0, 5);
    let setups = [Family::Window, Family::Paced].map(|f| dumbbell(f, flows, hosts, warm + secs));
    let mut costs = [Vec::new(), Vec::new()];
    for _ in 0..rounds {
        for (setup, costs) in setups.iter().zip(&mut costs) {
            costs.push(cost(setup, warm, secs));
        }
    }
    let [window, paced] = costs.map(|costs| print(flows, hosts, secs, costs));
    println!("    paced over window: {:.2}", paced / window);
}

fn main() {
    let chosen: Vec<String> = std::env::args().collect();
    let wanted = |name: &str| chosen.iter().any(|c| c == name);
    let some = ["10", "100", "1000", "10000", "memory", "paced", "brief", "brief-paced"]
        .into_iter()
        .any(wanted);
    // Simulated seconds for some 3 million packets each.
    for (flows, warm, secs, rounds) in
        [(10, 20.0, 500.0, 5), (100, 20.0, 50.0, 5), (1000, 10.0, 5.0, 3), (10_000, 3.0, 0.5, 1)]
    {
        if !some || wanted(&flows.to_string()) {
            measure(flows, flows, warm, secs, rounds);
            if flows > 10 {
                measure(flows, 10, warm, secs, rounds);
            }
        }
    }
    if !some || wanted("paced") {
        compare(1000);
        compare(10);
    }
    for (name, family) in [("brief", Family::Window), ("brief-paced", Family::Paced)] {
        if wanted(name) {
            print(10, 10, 20.0, vec![cost(&dumbbell(family, 10, 10, 20.0), 0.0, 20.0)]);
        }
    }
    // Memory of 1000 flows over 600 s: minutes, hence only when asked for, and alone.
    if wanted("memory") {
        measure(1000, 1000, 0.0, 600.0, 1);
    }
}
