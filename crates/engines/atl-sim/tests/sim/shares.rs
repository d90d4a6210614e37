//! Prague beside CUBIC on a DualPI2 link: how they share it, and why; how long Prague's packets
//! wait. To find causes, runs take one away: the queue that swings, with signals of a constant
//! share; round trips that differ; CUBIC, with Reno in its place; Prague's RTT independence.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use atl_core::time::{Span, Time};
use atl_core::units::Rate;
use atl_endpoint::tcp::{EcnMode, Tcp};
use atl_engine::result::FlowResult;
use atl_link::random::Stream;
use atl_link::{
    BuildDiscipline, Config, DisciplineConfig, DualPi2, Ecn, Limit, Packet as _, QueueConfig,
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

/// Signals of a constant share, whatever waits: k p' for L4S and p'^2 for others, spread evenly.
#[derive(Clone, Debug, PartialEq)]
struct Constant {
    /// p'.
    base: f64,
}

impl BuildDiscipline for Constant {
    fn build(&self, _: Limit, _: Stream) -> Box<dyn QueueDiscipline + Send> {
        Box::new(Constantly { base: self.base, sums: [0.0; 2], waiting: VecDeque::new() })
    }
}

#[derive(Debug)]
struct Constantly {
    base: f64,
    sums: [f64; 2],
    waiting: VecDeque<Queued>,
}

impl QueueDiscipline for Constantly {
    fn enqueue(&mut self, _: Time, mut packet: Queued, _: &mut Vec<Queued>) {
        if packet.ecn().is_capable() {
            let l4s = packet.ecn() == Ecn::Ect1;
            let sum = &mut self.sums[usize::from(l4s)];
            *sum += if l4s { 2.0 * self.base } else { self.base * self.base };
            if *sum >= 1.0 {
                *sum -= 1.0;
                packet.mark();
            }
        }
        self.waiting.push_back(packet);
    }

    fn dequeue(&mut self, _: Time, _: &mut Vec<Queued>) -> Option<Queued> {
        self.waiting.pop_front()
    }

    fn len(&self) -> usize {
        self.waiting.len()
    }

    fn bytes(&self) -> u64 {
        self.waiting.iter().map(|packet| u64::from(packet.wire_bytes())).sum()
    }

    fn bypasses(&self) -> bool {
        false
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

/// Two flows that share a link of this rate behind this queue: these protocols, the first with
/// accurate feedback and the second with classic ECN, each with its round trip. The last two thirds
/// of the time are measured.
fn pair(
    names: [&str; 2],
    queue: QueueConfig,
    rate: Rate,
    rtts: [Span; 2],
    (seed, secs): (u64, u32),
) -> [FlowResult; 2] {
    let mut setup = dumbbell(&names, rate, 1000, f64::from(secs));
    setup.warmup = warmup(secs);
    // The round trip of the shared link; access links add the rest of each flow's.
    let base = Span::from_micros(500);
    let wide = Rate::from_mbps(10_000.0);
    for link in &mut setup.links {
        let flow = usize::from(link.name.starts_with("access-1"));
        let delay = (rtts[flow] - base) / 2;
        link.config = Arc::new(match &*link.name {
            "shared" => Config { queue: queue.clone(), ..Config::constant(rate, base / 2, 1) },
            "shared.back" => Config::constant(rate, base / 2, 1000),
            _ => Config::constant(wide, delay, 1000),
        });
    }
    for flow in &mut setup.flows {
        flow.overhead = Span::ZERO;
        flow.tcp = Tcp::default();
    }
    setup.flows[1].tcp.ecn = Some(EcnMode::Classic);
    Simulation::new(&setup, seed).run().flows.try_into().expect("two flows")
}

fn warmup(secs: u32) -> Span {
    Span::from_secs(u64::from(secs) / 3)
}

/// Mean window in packets, marked share of packets, and median round trip in seconds.
fn seen(flow: &FlowResult) -> (f64, f64, f64) {
    let bits = 8.0 * f64::from(Tcp::default().segment);
    let rtt = flow.rtt_median_s.expect("samples");
    (flow.goodput_bps * rtt / bits, flow.marked_share().expect("with ECN"), rtt)
}

/// Both share a DualPI2 link of this rate at this round trip.
fn share_of_prague(queue: DualPi2, mbps: f64, rtt_ms: u64, run: (u64, u32)) -> Shares {
    share(["prague", "cubic"], queue, mbps, [Span::from_millis(rtt_ms); 2], run)
}

fn share(names: [&str; 2], queue: DualPi2, mbps: f64, rtts: [Span; 2], run: (u64, u32)) -> Shares {
    let rate = Rate::from_mbps(mbps);
    let waits = Waits::default();
    let from = Time::ZERO + warmup(run.1);
    let discipline = DisciplineConfig::from(Watched { queue, from, waits: Arc::clone(&waits) });
    let queue = QueueConfig::Custom { limit: Limit::Packets(10_000), discipline };
    let flows = pair(names, queue, rate, rtts, run);
    let [prague, cubic] = flows.each_ref().map(|flow| flow.goodput_bps);
    let mut waits = std::mem::take(&mut *waits.lock().expect("one thread"));
    waits.sort_by(f64::total_cmp);
    Shares {
        ratio: prague / cubic,
        wait_ms: 1e3 * waits.get(waits.len() * 99 / 100).copied().unwrap_or(0.0),
        used: (prague + cubic) / rate.bps(),
        flows: flows.each_ref().map(seen),
    }
}

/// The same with signals of a constant share on a link on which nothing waits.
fn at_constant_signals(names: [&str; 2], base: f64, rtts: [Span; 2], secs: u32) -> Shares {
    let limit = Limit::Packets(10_000);
    let queue = QueueConfig::Custom { limit, discipline: Constant { base }.into() };
    let flows = pair(names, queue, Rate::from_mbps(10_000.0), rtts, (1, secs));
    let ratio = flows[0].goodput_bps / flows[1].goodput_bps;
    Shares { ratio, wait_ms: 0.0, used: 0.0, flows: flows.each_ref().map(seen) }
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

/// The causes of shares: each cell with one cause after another taken away.
#[test]
#[expect(clippy::print_stdout, reason = "that is what it is for")]
#[ignore = "a table: cargo test -p atl-sim --test sim table_of_causes -- --ignored --nocapture"]
fn table_of_causes() {
    for mbps in [4.0, 12.0, 40.0, 120.0, 200.0] {
        for rtt_ms in [5, 10, 20, 50, 100] {
            let secs = if mbps > 100.0 && rtt_ms == 100 { 450 } else { 45 };
            let rtts = [Span::from_millis(rtt_ms); 2];
            let both = ["prague", "cubic"];
            let real = share(both, STEP, mbps, rtts, (1, secs));
            let [(_, _, rtt), (_, signals, other)] = real.flows;
            let reno = share(["prague", "sack"], STEP, mbps, rtts, (1, secs));
            // CUBIC's base is shorter by what it waits in the classic queue.
            let shorter = Span::from_secs_f64((rtts[1].secs() - (other - rtt)).max(0.001));
            let equal = share(both, STEP, mbps, [rtts[0], shorter], (1, secs));
            let [own, their] = [rtt, other].map(Span::from_secs_f64);
            let base = signals.sqrt();
            let steady = at_constant_signals(both, base, [own, their], secs);
            let laws = at_constant_signals(both, base, [own, own], secs);
            let renos = at_constant_signals(["prague", "sack"], base, [own, own], secs);
            let far = Span::from_millis(25).max(own);
            let level = at_constant_signals(both, base, [far, far], secs);
            println!(
                "{mbps:>4} Mb/s {rtt_ms:>3} ms: {:.2}; Reno {:.2}; RTTs {:.1} {:.1} ms, alike {:.2} \
                 (RTTs {:.1} {:.1}); constant p' of {base:.4}: {:.2}, alike {:.2}, both at 25 ms \
                 or more {:.2}, Reno alike {:.2}; marks a round trip {:.2} {:.2}, CUBIC {:.2} {:.2}",
                real.ratio,
                reno.ratio,
                1e3 * rtt,
                1e3 * other,
                equal.ratio,
                1e3 * equal.flows[0].2,
                1e3 * equal.flows[1].2,
                steady.ratio,
                laws.ratio,
                level.ratio,
                renos.ratio,
                real.flows[0].0 * real.flows[0].1,
                steady.flows[0].0 * steady.flows[0].1,
                real.flows[1].0 * real.flows[1].1.sqrt(),
                steady.flows[1].0 * steady.flows[1].1.sqrt(),
            );
        }
    }
}
