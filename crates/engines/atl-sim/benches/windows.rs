//! The cost of a packet against the window: one flow with a fixed window over one link that it just
//! fills, with an RTT of 80 ms. A window of 1e3 packets is 100 Mb/s, one of 1e5 is 10 Gb/s. For
//! each loss recovery and rate of random loss it prints ns of processor time per packet sent, and
//! its ratio to that at 100 Mb/s. No list may make it grow with the window: caches alone account
//! for up to 1.5 times.
//!
//! `cargo bench -p atl-sim --bench windows -- [RECOVERY|loss=P|window=W]...` measures only these:
//! one of them for a profile.

#![expect(clippy::print_stdout, reason = "a benchmark's output is its result")]
#![expect(clippy::disallowed_methods, reason = "a benchmark reads the clock")]

use std::sync::Arc;
use std::time::Instant;

use atl_core::time::{Span, Time};
use atl_core::units::{Probability, Rate};
use atl_core::window::fixed;
use atl_engine::protocol::{Protocol, Recovery, TcpProtocol, Transport};
use atl_engine::setup::{FlowSetup, LinkSetup, Pacing, Path, Setup, Source, Tcp};
use atl_link::Config;
use atl_sim::{Options, Simulation};

const WINDOWS: [u32; 4] = [100, 1_000, 10_000, 100_000];
/// The window that the others are compared with.
const COMPARED: u32 = 1_000;
const LOSSES: [f64; 3] = [0.0, 0.01, 0.05];
const RTT: Span = Span::from_millis(80);
/// Packets on the wire while one is measured, at least.
const PACKETS: u32 = 500_000;
/// Least round trips measured. With losses a sender without RACK also waits for its retransmission
/// timer, since it cannot see that a retransmission was lost: a few round trips of a large window
/// may be nothing but such a wait.
const LEAST_ROUNDS: u32 = 50;
/// Fewer packets than this, while they are measured, do not tell what one costs.
const LEAST: u64 = 100_000;
const ROUNDS: usize = 3;

fn setup(recovery: Recovery, window: u32, loss: f64) -> Setup {
    let tcp =
        Tcp { segment: 1000, header: 40, ack: 40, receive_window: 2 * window, ..Tcp::default() };
    let bytes = tcp.segment + tcp.header;
    let rate = Rate::from_bytes_per_sec(f64::from(bytes) * f64::from(window) / RTT.secs());
    let loss = Probability::clamped(loss);
    let there = Config::constant(rate, RTT / 2, 2 * window).with_loss(loss);
    let back = Config::constant(rate, RTT / 2, 2 * window);
    let link = |name: &str, from, to, config| LinkSetup {
        name: name.into(),
        from,
        to,
        wireless: false,
        config: Arc::new(config),
        agent: None,
        adaptation: None,
        trace_start: None,
    };
    let controller = fixed::Config { window }.into();
    // After three round trips to fill the path and to lose the first packets.
    let rounds = PACKETS.div_ceil(window).max(LEAST_ROUNDS);
    Setup {
        nodes: vec!["a".into(), "b".into()],
        links: vec![link("there", 0, 1, there), link("back", 1, 0, back)],
        flows: vec![FlowSetup {
            name: "flow".into(),
            group: "flow".into(),
            paths: vec![Path { forward: vec![0], back: vec![1] }],
            mobile: None,
            notices: atl_engine::setup::Notices::default(),
            protocol: Protocol {
                new_path: atl_engine::protocol::NewPath::default(),
                name: "fixed".into(),
                label: "fixed".into(),
                transport: Transport::Tcp(TcpProtocol { recovery, controller, freeze: None }),
            },
            source: Source::Greedy,
            answers: None,
            connections: Vec::new(),
            onward: None,
            start: Time::ZERO,
            start_jitter: Span::ZERO,
            stop: None,
            overhead: Span::ZERO,
            tcp,
            pacing: Pacing::default(),
            receiver: atl_engine::setup::ReceiverAwareness::default(),
            adaptation: None,
        }],
        mobiles: Vec::new(),
        map: None,
        duration: RTT * u64::from(3 + rounds),
        warmup: RTT * 3,
        sample_every: None,
    }
}

/// Processor time of this thread so far, in ns, where the system reports it; elsewhere, elapsed
/// time.
fn cpu_ns(begin: Instant) -> f64 {
    std::fs::read_to_string("/proc/self/schedstat")
        .ok()
        .and_then(|text| text.split_whitespace().next()?.parse().ok())
        .unwrap_or_else(|| begin.elapsed().as_nanos() as f64)
}

/// The cost of a packet sent, in ns, and the share of the packets sent that were delivered.
fn cost(setup: &Setup) -> (f64, f64) {
    let origin = Instant::now();
    let options = Options { rtt: false, jitter: false };
    let mut simulation = Simulation::with_options(setup, 1, options);
    simulation.advance_to(Time::ZERO + setup.warmup);
    let before = cpu_ns(origin);
    simulation.advance_to(Time::ZERO + setup.duration);
    let ns = cpu_ns(origin) - before;
    let flow = simulation.run().flows.remove(0);
    let sent = flow.sent as f64;
    let ns = if flow.sent < LEAST { f64::NAN } else { ns / sent };
    (ns, flow.delivered.unwrap_or_default() as f64 / sent)
}

fn main() {
    let chosen: Vec<String> = std::env::args().skip(1).collect();
    let named = |name: &str| chosen.iter().any(|c| c == name);
    let all = !Recovery::ALL.iter().any(|r| named(r.name()));
    let any = |key: &str| !chosen.iter().any(|c| c.starts_with(key));
    let (any_loss, any_window) = (any("loss="), any("window="));
    let windows = WINDOWS.map(|w| Some(w).filter(|w| any_window || named(&format!("window={w}"))));
    let windows: Vec<u32> = windows.into_iter().flatten().collect();
    println!("ns per packet sent (times that at a window of 1e3)");
    print!("{:>10} {:>6}", "recovery", "loss");
    for window in &windows {
        print!("{:>16}", format!("W {window}"));
    }
    println!("   delivered per packet sent");
    for recovery in Recovery::ALL {
        if !all && !named(recovery.name()) {
            continue;
        }
        for loss in LOSSES {
            if !any_loss && !named(&format!("loss={loss}")) {
                continue;
            }
            let setups: Vec<_> = windows.iter().map(|w| setup(recovery, *w, loss)).collect();
            let mut least: Vec<_> = setups.iter().map(cost).collect();
            // In turn, so that other load on the machine affects all alike.
            for _ in 1..ROUNDS {
                for (least, setup) in least.iter_mut().zip(&setups) {
                    least.0 = least.0.min(cost(setup).0);
                }
            }
            print!("{:>10} {:>6}", recovery.name(), loss);
            let at = windows.iter().position(|w| *w == COMPARED).map(|at| least[at].0);
            for (ns, _) in &least {
                let times = at.map_or(String::new(), |at| format!(" ({:.2})", ns / at));
                let shown = if ns.is_nan() { "-".to_owned() } else { format!("{ns:.0}{times}") };
                print!("{shown:>16}");
            }
            let shares = least.iter().filter(|(ns, _)| !ns.is_nan());
            let shares = shares.map(|(_, share)| format!(" {share:.2}"));
            println!("  {}", shares.collect::<String>());
        }
    }
}
