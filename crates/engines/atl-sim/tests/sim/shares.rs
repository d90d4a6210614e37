//! Prague beside CUBIC on a DualPI2 link: how they share it, and why; how long Prague's packets
//! wait.

use std::sync::{Arc, Mutex};

use atl_core::time::{Span, Time};
use atl_core::units::Rate;
use atl_endpoint::tcp::{EcnMode, Tcp};
use atl_engine::result::FlowResult;
use atl_link::random::Stream;
use atl_link::{
    BuildDiscipline, Config, DisciplineConfig, DualPi2, Limit, Packet as _, QueueConfig,
    QueueDiscipline, Queued,
};
use atl_sim::Simulation;

use crate::support::dumbbell;

/// RFC 9332's step: of 1 ms, and with a packet behind (appendix A.2).
const STEP: DualPi2 = {
    let (target, update) = (Span::from_millis(15), Span::from_millis(16));
    let (alpha, beta, step) = (41.0 / 256.0, 819.0 / 256.0, Span::from_millis(1));
    let (coupling, protection, drop_on_overload) = (2.0, 0.1, true);
    DualPi2 {
        target,
        update,
        alpha,
        beta,
        step,
        step_packets: 1,
        coupling,
        protection,
        drop_on_overload,
        mtu: 1514,
    }
};

/// Times in seconds that packets of the first flow have waited.
type Waits = Arc<Mutex<Vec<f64>>>;

/// DualPI2 that notes how long each packet of the first flow has waited, once measurement begins.
#[derive(Clone, Debug)]
struct Watched {
    queue: DualPi2,
    from: Time,
    waits: Waits,
}

impl PartialEq for Watched {
    fn eq(&self, other: &Self) -> bool {
        self.queue == other.queue
    }
}

impl BuildDiscipline for Watched {
    fn build(&self, limit: Limit, stream: Stream) -> Box<dyn QueueDiscipline + Send> {
        let (queue, from) = (self.queue.build(limit, stream), self.from);
        Box::new(Watching { queue, from, waits: Arc::clone(&self.waits) })
    }
}

struct Watching {
    queue: Box<dyn QueueDiscipline + Send>,
    from: Time,
    waits: Waits,
}

impl core::fmt::Debug for Watching {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Watching")
    }
}

impl QueueDiscipline for Watching {
    fn enqueue(&mut self, now: Time, packet: Queued, dropped: &mut Vec<Queued>) {
        self.queue.enqueue(now, packet, dropped);
    }

    fn dequeue(&mut self, now: Time, dropped: &mut Vec<Queued>) -> Option<Queued> {
        let packet = self.queue.dequeue(now, dropped)?;
        if packet.flow() >> 1 == 0 && now >= self.from {
            self.waits.lock().expect("one thread").push(packet.sojourn(now).secs());
        }
        Some(packet)
    }

    fn len(&self) -> usize {
        self.queue.len()
    }

    fn bytes(&self) -> u64 {
        self.queue.bytes()
    }

    fn on_bypass(&mut self, now: Time, idle: Span) {
        self.queue.on_bypass(now, idle);
    }
}

/// Prague beside a CUBIC with classic ECN.
struct Shares {
    /// Goodput of Prague over that of CUBIC.
    ratio: f64,
    /// 99th percentile of the time in the L queue, of those packets that had to wait at all, in ms.
    wait_ms: f64,
    /// Share of the link that both use.
    used: f64,
    /// Prague's and CUBIC's mean window in packets, marked share of packets, and median RTT in s.
    flows: [(f64, f64, f64); 2],
}

impl Shares {
    /// The factors of the ratio, each over what theory has for it: how much window Prague keeps for
    /// its marks (2 / p, in a round trip of at least 25 ms), how much CUBIC keeps for its own (1.22
    /// / sqrt(p)), the coupling (2), and the ratio that these and the round trips would give.
    fn factors(&self) -> [f64; 4] {
        let [(prague, marks, rtt), (cubic, signals, cubic_rtt)] = self.flows;
        let keeps = 2.0 * (rtt / 0.025).min(1.0);
        let theory = keeps / 1.22 / 2.0 * cubic_rtt / rtt;
        let root = signals.sqrt();
        [prague * marks / keeps, cubic * root / 1.22, marks / root / 2.0, theory]
    }
}

/// Both share a DualPI2 link of this rate at this round trip; the last two thirds of the time are
/// measured.
fn share_of_prague(queue: DualPi2, mbps: f64, rtt_ms: u64, (seed, secs): (u64, u32)) -> Shares {
    let rate = Rate::from_mbps(mbps);
    let mut setup = dumbbell(&["prague", "cubic"], rate, 1000, f64::from(secs));
    setup.warmup = Span::from_secs(u64::from(secs) / 3);
    let access = Config::constant(Rate::from_mbps(1000.0), Span::from_micros(100), 1000);
    let shared = Config::constant(rate, Span::from_micros(500 * rtt_ms - 100), 1000);
    for link in &mut setup.links[1..] {
        link.config = Arc::new(if link.name == "shared.back" { &shared } else { &access }.clone());
    }
    let waits = Waits::default();
    let watched = Watched { queue, from: Time::ZERO + setup.warmup, waits: Arc::clone(&waits) };
    let (limit, discipline) = (Limit::Packets(10_000), DisciplineConfig::from(watched));
    let queue = QueueConfig::Custom { limit, discipline };
    setup.links[0].config = Arc::new(Config { queue, ..shared });
    for flow in &mut setup.flows {
        flow.overhead = Span::ZERO;
        flow.tcp = Tcp::default();
    }
    setup.flows[1].tcp.ecn = Some(EcnMode::Classic);
    let bits = 8.0 * f64::from(setup.flows[0].tcp.segment);
    let result = Simulation::new(&setup, seed).run();
    let of = |flow: &FlowResult| {
        let rtt = flow.rtt_median_s.expect("samples");
        (flow.goodput_bps * rtt / bits, flow.marked_share().expect("with ECN"), rtt)
    };
    let [prague, cubic] = [0, 1].map(|flow| result.flows[flow].goodput_bps);
    let mut waits = std::mem::take(&mut *waits.lock().expect("one thread"));
    waits.sort_by(f64::total_cmp);
    Shares {
        ratio: prague / cubic,
        wait_ms: 1e3 * waits.get(waits.len() * 99 / 100).copied().unwrap_or(0.0),
        used: (prague + cubic) / rate.bps(),
        flows: [0, 1].map(|flow| of(&result.flows[flow])),
    }
}

/// The queue that L4S was made for: the link is full, neither flow starves, and Prague's packets
/// hardly wait: of those that find the transmitter busy 99 of 100 for at most 2 ms, the step of 1
/// ms and 1 ms. Two seeds differ by less than 0.1. The target of .7 to 1.3 is not met everywhere:
/// the table below, and docs/protocols/modern.md.
#[test]
fn prague_and_cubic_share_a_dualpi2_link() {
    for (mbps, rtt_ms) in [(12.0, 20), (40.0, 5), (40.0, 10), (40.0, 20), (120.0, 10)] {
        let Shares { ratio, wait_ms, used, .. } = share_of_prague(STEP, mbps, rtt_ms, (1, 45));
        assert!((0.6..1.8).contains(&ratio), "{mbps} Mb/s, {rtt_ms} ms: {ratio}");
        assert!(wait_ms < 2.0, "{mbps} Mb/s, {rtt_ms} ms: {wait_ms} ms");
        assert!(used > 0.93, "{mbps} Mb/s, {rtt_ms} ms: {used}");
    }
}

#[test]
#[expect(clippy::print_stdout, reason = "that is what it is for")]
#[ignore = "a table: cargo test -p atl-sim --test sim table_of_shares -- --ignored --nocapture"]
fn table_of_shares() {
    let row = |queue: DualPi2, mbps: f64, rtt_ms, secs| {
        let [a, b] = [1, 2].map(|seed| share_of_prague(queue, mbps, rtt_ms, (seed, secs)));
        let [prague, cubic, coupling, theory] = a.factors();
        println!(
            "{mbps:>4} Mb/s {rtt_ms:>3} ms {secs:>3} s, above {} packets: {:.2} {:.2}, wait {:.2} \
             ms, used {:.2}; theory {theory:.2}, Prague {prague:.2}, CUBIC {cubic:.2}, coupling \
             {coupling:.2}; {:.3?}",
            queue.step_packets, a.ratio, b.ratio, a.wait_ms, a.used, a.flows
        );
    };
    for mbps in [4.0, 12.0, 40.0, 120.0, 200.0] {
        for rtt_ms in [5, 10, 20, 50, 100] {
            row(STEP, mbps, rtt_ms, 45);
        }
    }
    // Time to come to rest, and Linux's step.
    for (mbps, rtt_ms) in [(120.0, 50), (120.0, 100), (200.0, 50), (200.0, 100)] {
        row(STEP, mbps, rtt_ms, 450);
    }
    for (mbps, rtt_ms) in [(4.0, 10), (4.0, 20), (4.0, 50), (12.0, 10), (12.0, 20), (40.0, 20)] {
        row(DualPi2 { step_packets: 0, ..STEP }, mbps, rtt_ms, 45);
    }
    // A step that a packet of the link fits in many times.
    for (mbps, rtt_ms) in [(4.0, 10), (12.0, 5), (12.0, 10), (40.0, 5), (120.0, 20)] {
        row(DualPi2 { step: Span::from_millis(10), ..STEP }, mbps, rtt_ms, 45);
    }
}
