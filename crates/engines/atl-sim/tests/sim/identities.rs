//! Counting identities: whatever is sent arrives, is dropped, is lost or is under way, for every
//! flow and every link, in the whole run and in the part that is measured.

use atl_core::time::{Span, Time};
use atl_core::units::{Probability, Rate};
use atl_engine::adaptation::{AalT, Adaptation, Layer};
use atl_engine::protocol::{Recovery, Transport};
use atl_engine::result::{FlowResult, RunResult};
use atl_engine::setup::{Agent, EncoderRates, Media, Setup, Snoop, Source};
use atl_link::{AtChange, Blackout, Change, Config, QueueConfig, Service};
use atl_scenario::protocol::{Listed, catalogue};
use atl_sim::Simulation;
use proptest::prelude::*;

use crate::support::agent::{Wireless, wlan};
use crate::support::{flow, link, single};

/// A link of a chain.
#[derive(Clone, Debug)]
struct Hop {
    kbps: u32,
    delay_ms: u64,
    loss: f64,
    lost_acks: f64,
    queue: u32,
    /// DropTail, with priorities, or either of them in bytes.
    discipline: u8,
    snoop: bool,
    snoop_delay_ms: u64,
    /// Nothing gets through in this stretch: packets are held, or lost.
    blackout: Option<(u64, u64, bool)>,
    /// The rate halves then; packets on the wire are lost.
    change_ms: Option<u64>,
}

/// A flow over a stretch of the chain.
#[derive(Clone, Debug)]
struct Plan {
    /// Index in the catalogue.
    protocol: usize,
    /// Of TCP flows; `None`: the protocol's own.
    recovery: Option<usize>,
    first: usize,
    hops: usize,
    source: u8,
    /// Zero, exactly when measurement begins, or then.
    start: Option<u64>,
    jitter_ms: u64,
    overhead_us: u64,
    delayed: bool,
    handshake: bool,
    cells: u8,
}

#[derive(Clone, Debug)]
struct Case {
    hops: Vec<Hop>,
    flows: Vec<Plan>,
    ms: u64,
    /// Share of the run, in tenths.
    warmup: u64,
    seed: u64,
}

fn hop() -> impl Strategy<Value = Hop> {
    (
        (
            100u32..8_000,
            0u64..60,
            prop_oneof![Just(0.0), 1e-3..0.3],
            prop_oneof![3 => Just(0.0), 1 => 0.0..0.2],
        ),
        (1u32..25, 0u8..4, prop::bool::weighted(0.3), prop_oneof![Just(0u64), 1u64..5]),
        (
            prop::option::weighted(0.2, (0u64..600, 1u64..300, any::<bool>())),
            prop::option::weighted(0.2, 0u64..800),
        ),
    )
        .prop_map(
            |(
                (kbps, delay_ms, loss, lost_acks),
                (queue, discipline, snoop, snoop_delay_ms),
                (blackout, change_ms),
            )| {
                Hop {
                    kbps,
                    delay_ms,
                    loss,
                    lost_acks,
                    queue,
                    discipline,
                    snoop,
                    snoop_delay_ms,
                    blackout,
                    change_ms,
                }
            },
        )
}

/// The protocols that the simulator has.
fn simulated() -> Vec<Listed> {
    catalogue().iter().filter(|listed| !listed.is_quic()).copied().collect()
}

fn plan() -> impl Strategy<Value = Plan> {
    (
        (
            0..simulated().len(),
            prop::option::weighted(0.4, 0..Recovery::ALL.len()),
            0usize..3,
            1usize..4,
        ),
        (0u8..6, prop_oneof![2 => Just(Some(0)), 1 => Just(None), 2 => (0u64..500).prop_map(Some)]),
        (
            prop_oneof![Just(0u64), 0u64..300],
            prop_oneof![Just(0u64), 0u64..5_000],
            any::<bool>(),
            any::<bool>(),
        ),
        prop_oneof![6 => Just(0u8), 1 => Just(1), 1 => Just(2)],
    )
        .prop_map(
            |(
                (protocol, recovery, first, hops),
                (source, start),
                (jitter_ms, overhead_us, delayed, handshake),
                cells,
            )| {
                Plan {
                    protocol,
                    recovery,
                    first,
                    hops,
                    source,
                    start,
                    jitter_ms,
                    overhead_us,
                    delayed,
                    handshake,
                    cells,
                }
            },
        )
}

fn case() -> impl Strategy<Value = Case> {
    let lists = (prop::collection::vec(hop(), 1..=3), prop::collection::vec(plan(), 1..=3));
    (lists, 50u64..1_200, prop_oneof![Just(0u64), 1u64..11], 1u64..1_000)
        .prop_map(|((hops, flows), ms, warmup, seed)| Case { hops, flows, ms, warmup, seed })
}

fn config(hop: &Hop, loss: f64) -> Config {
    let rate = Rate::from_bps(f64::from(hop.kbps) * 1e3);
    let delay = Span::from_millis(hop.delay_ms);
    let mut config = Config::constant(rate, delay, hop.queue).with_loss(Probability::clamped(loss));
    let (packets, bytes) = (hop.queue, u64::from(hop.queue) * 700);
    config.queue = match hop.discipline {
        0 => QueueConfig::DropTail { packets },
        1 => QueueConfig::DropTailBytes { bytes },
        2 => QueueConfig::Priority { packets },
        _ => QueueConfig::PriorityBytes { bytes },
    };
    let ms = Time::from_millis;
    config.blackouts.extend(hop.blackout.map(|(at, lasts, hold)| Blackout {
        at: ms(at),
        lasts: Span::from_millis(lasts),
        hold,
    }));
    if let Some(at) = hop.change_ms {
        let mut to = config.initial.clone();
        to.service = Service::Constant(Rate::from_bps(rate.bps() / 2.0));
        config.schedule.push(Change { at: ms(at), to });
        config.at_change = AtChange::Lose;
    }
    config
}

fn source(which: u8, paced: bool) -> Source {
    let rate = Rate::from_bps(4e5);
    let ms = Span::from_millis;
    match which {
        0 => Source::Greedy,
        1 => Source::Fixed { bytes: 10_000 },
        2 => Source::Files { bytes: 4_500, every: ms(100), exponential: true },
        3 => Source::OnOff { on: ms(100), off: ms(70), rate, exponential: false },
        4 if paced => Source::Media(Media {
            frames_per_second: 25.0,
            rates: EncoderRates::Range { min: Rate::from_bps(1e5), max: Rate::from_bps(2e6) },
            reaction: ms(50),
            playout: ms(150),
        }),
        4 => Source::Steady { rate },
        _ => Source::Files { bytes: 130, every: ms(7), exponential: true },
    }
}

/// A chain of nodes; each link has a way back.
fn setup(case: &Case) -> Setup {
    let mut links = Vec::new();
    for (at, hop) in case.hops.iter().enumerate() {
        links.push(link(&format!("hop-{at}"), at, at + 1, config(hop, hop.loss)));
        links.push(link(&format!("hop-{at}.back"), at + 1, at, config(hop, hop.lost_acks)));
        for link in links.iter_mut().skip(2 * at) {
            link.wireless = hop.snoop;
            let snoop = Snoop { delay: Span::from_millis(hop.snoop_delay_ms), ..Snoop::default() };
            link.agent = hop.snoop.then_some(Agent::Snoop(snoop));
        }
    }
    let duration = Span::from_millis(case.ms);
    let warmup = duration * case.warmup / 10;
    let flows = case.flows.iter().enumerate().map(|(i, plan)| {
        let first = plan.first.min(case.hops.len() - 1);
        let over = first..(first + plan.hops).min(case.hops.len());
        let forward: Vec<usize> = over.clone().map(|hop| 2 * hop).collect();
        let back: Vec<usize> = over.rev().map(|hop| 2 * hop + 1).collect();
        let listed = simulated()[plan.protocol];
        let mut flow = flow(&format!("flow-{i}"), listed.name, &forward, &back);
        let paced = matches!(flow.protocol.transport, Transport::Paced(_));
        if let (Some(tcp), Some(recovery)) = (flow.protocol.tcp_mut(), plan.recovery) {
            tcp.recovery = Recovery::ALL[recovery];
        }
        flow.source = source(plan.source, paced);
        flow.start = Time::ZERO + plan.start.map_or(warmup, Span::from_millis);
        flow.start_jitter = Span::from_millis(plan.jitter_ms);
        flow.overhead = Span::from_micros(plan.overhead_us);
        flow.tcp.delayed_ack = plan.delayed.then(|| Span::from_millis(100));
        flow.tcp.handshake = plan.handshake;
        flow.tcp.receive_window = 200;
        // An agent cannot see into cells: the reader of scenario files refuses both on one path.
        let agent = forward.iter().any(|&at| links[at].agent.is_some());
        let layer = match plan.cells {
            0 => None,
            _ if agent => None,
            1 => Some(Layer::Aal5),
            _ => Some(Layer::AalT(AalT::default())),
        };
        flow.adaptation = layer.map(|layer| Adaptation { layer, queue: 20, quench: None });
        flow
    });
    let flows = flows.collect();
    let nodes = (0..=case.hops.len()).map(|i| i.to_string()).collect();
    Setup {
        nodes,
        links,
        flows,
        mobiles: Vec::new(),
        map: None,
        duration,
        warmup,
        sample_every: Some(Span::from_millis(37)),
    }
}

fn count(value: Option<u64>) -> u64 {
    value.expect("the simulator counts it")
}

/// Of the interval that is measured.
fn check_flow(flow: &FlowResult) -> Result<(), TestCaseError> {
    let came = count(flow.under_way_before) + flow.sent + count(flow.copies);
    let went =
        count(flow.arrived) + count(flow.dropped) + count(flow.lost) + count(flow.under_way_after);
    prop_assert_eq!(came, went, "{:#?}", flow);
    for share in [flow.loss(), flow.retransmitted()] {
        prop_assert!(
            share.is_some_and(|share| (0.0..=1.0).contains(&share)),
            "{:?} {:#?}",
            share,
            flow
        );
    }
    prop_assert!(count(flow.delivered) <= u64::MAX / 2 && flow.goodput_bps >= 0.0);
    Ok(())
}

fn check(setup: &Setup, result: &RunResult) -> Result<(), TestCaseError> {
    for (at, flow) in result.flows.iter().enumerate() {
        check_flow(flow)?;
        let whole = setup.warmup.is_zero();
        if whole {
            prop_assert_eq!(flow.under_way_before, Some(0));
            // In an interval more may arrive than is sent, and what arrived before it be delivered.
            prop_assert!(
                count(flow.delivered) <= count(flow.arrived)
                    && count(flow.arrived) <= flow.sent + count(flow.copies),
                "{:#?}",
                flow
            );
            prop_assert!(flow.goodput_bps <= flow.throughput_bps, "{:#?}", flow);
        }
        // Each bin is the difference of two totals, and what was delivered had left before.
        let every = setup.sample_every.expect("sampled").secs();
        let mut before = (0, 0);
        for sample in result.samples.iter().filter(|sample| sample.flow as usize == at) {
            let (wire, delivered) = (sample.wire_bytes, sample.delivered_bytes);
            prop_assert!(
                before.0 <= wire && before.1 <= delivered && delivered <= wire,
                "{:#?}",
                sample
            );
            let bits = |bps: f64| (bps * every / 8.0).round() as u64;
            prop_assert_eq!(
                (bits(sample.throughput_bps), bits(sample.goodput_bps)),
                (wire - before.0, delivered - before.1)
            );
            before = (wire, delivered);
        }
    }
    for link in &result.links {
        prop_assert_eq!(
            link.offered,
            link.delivered + link.dropped + link.lost + link.held,
            "{:#?}",
            link
        );
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12_000, ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_sent_arrives_or_is_dropped_or_lost_or_under_way(case in case()) {
        let measured = setup(&case);
        let result = Simulation::new(&measured, case.seed).run();
        check(&measured, &result)?;
        // The measured part, the part before it and the part after it add up to the run.
        let whole = Setup { warmup: Span::ZERO, ..measured };
        let all = Simulation::new(&whole, case.seed).run();
        check(&whole, &all)?;
        for (part, all) in result.flows.iter().zip(&all.flows) {
            prop_assert!(part.sent <= all.sent && part.arrived <= all.arrived);
            prop_assert_eq!(part.under_way_after, all.under_way_after);
        }
    }
}

/// A probe with a copy of a segment delivers it like any other packet with data: TCP-Peach+ sends
/// many, and what they delivered once had neither been sent nor arrived.
#[test]
fn no_protocol_delivers_more_than_arrives_of_what_it_sends() {
    let there = Config {
        queue: QueueConfig::Priority { packets: 60 },
        ..Config::constant(Rate::from_mbps(4.0), Span::from_millis(150), 60)
            .with_loss(Probability::clamped(0.03))
    };
    for listed in simulated() {
        let setup = single(listed.name, there.clone(), 30.0);
        let flow = Simulation::new(&setup, 1).run().flows.remove(0);
        let (delivered, arrived) = (count(flow.delivered), count(flow.arrived));
        assert!(
            0 < delivered && delivered <= arrived && arrived <= flow.sent,
            "{}: {delivered} of {arrived} of {}",
            listed.name,
            flow.sent
        );
    }
}

/// All that a flow sends in its first instant.
#[test]
fn what_leaves_when_measurement_begins_is_sent() {
    let there = Config::constant(Rate::from_mbps(10.0), Span::from_millis(10), 100);
    for start in [0, 3] {
        let mut setup = single("sack", there.clone(), 10.0);
        setup.warmup = Span::from_secs(start);
        let flow = &mut setup.flows[0];
        flow.start = Time::ZERO + setup.warmup;
        flow.source = Source::Fixed { bytes: 10_000 };
        flow.tcp.initial_window = 10.0;
        let flow = Simulation::new(&setup, 1).run().flows.remove(0);
        assert_eq!((flow.sent, flow.arrived, flow.loss()), (10, Some(10), Some(0.0)), "{start} s");
    }
}

/// Snoop repairs losses of its link with copies, which are lost as often as originals.
#[test]
fn copies_of_an_agent_count_as_packets_in_the_loss() {
    for ends in [Wireless::Receiver, Wireless::Source] {
        let result =
            Simulation::new(&wlan("newreno", ends, 0.4, Some(Snoop::default()), 60.0), 1).run();
        let flow = &result.flows[0];
        let copies = result.links.iter().map(|link| link.local_retransmissions).sum();
        assert_eq!(flow.copies, Some(copies));
        assert!(copies > flow.sent / 4, "{copies} copies of {}", flow.sent);
        // Each crosses the wireless link, and those of a sender's own repairs too.
        let loss = flow.loss().expect("counted");
        assert!((0.36..0.44).contains(&loss), "{ends:?}: {loss}");
    }
}
