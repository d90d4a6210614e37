//! Live media end to end: an encoder that follows its flow over links that change, and what a
//! viewer sees; jitter.

use std::sync::Arc;

use crate::support::single;
use atl_core::time::{Span, Time};
use atl_core::units::{Probability, Rate};
use atl_engine::result::{MediaResult, RunResult};
use atl_engine::setup::{EncoderRates, Media, Setup, Source};
use atl_link::{Change, Config, QueueConfig, Service};
use atl_scenario::protocol::{Listed, catalogue};
use atl_sim::Simulation;
use proptest::prelude::*;

fn path(mbps: f64, ms: u64, packets: u32) -> Config {
    Config::constant(Rate::from_mbps(mbps), Span::from_millis(ms), packets)
}

fn media(fps: f64, (min, max): (f64, f64), reaction: u64, playout: u64) -> Source {
    Source::Media(Media {
        frames_per_second: fps,
        rates: EncoderRates::Range { min: Rate::from_mbps(min), max: Rate::from_mbps(max) },
        reaction: Span::from_millis(reaction),
        playout: Span::from_millis(playout),
    })
}

/// A link of 4 Mb/s that drops to a quarter of that at 60 s.
fn falling(protocol: &str, reaction: u64) -> Setup {
    let mut link = path(4.0, 20, 50);
    let mut narrow = link.initial.clone();
    narrow.service = Service::Constant(Rate::from_mbps(1.0));
    link.schedule = vec![Change { at: Time::from_millis(60_000), to: narrow }];
    let mut setup = single(protocol, link, 120.0);
    setup.flows[0].pacing.target = Some(Rate::from_mbps(3.0));
    setup.flows[0].source = media(30.0, (0.1, 2.0), reaction, 400);
    setup.sample_every = Some(Span::from_millis(100));
    setup
}

fn run(setup: &Setup, seed: u64) -> RunResult {
    Simulation::new(setup, seed).run()
}

fn seen(result: &RunResult) -> MediaResult {
    result.flows[0].media.expect("frames")
}

/// The encoder's mean rate by the samples from `from` to `to` seconds.
fn encoder(result: &RunResult, (from, to): (f64, f64)) -> f64 {
    let rates = result.samples.iter().filter(|s| (from..to).contains(&s.time_s));
    let rates: Vec<f64> = rates.filter_map(|s| s.encoder_bps).collect();
    rates.iter().sum::<f64>() / rates.len() as f64
}

#[test]
fn an_encoder_follows_its_flow_onto_a_narrow_link() {
    for protocol in ["aimd-rate", "rcp-atl"] {
        let mut setup = falling(protocol, 200);
        // 2 Mb/s of frames fit until 60 s.
        setup.warmup = Span::from_secs(30);
        setup.duration = Span::from_secs(60);
        let before = seen(&run(&setup, 1));
        assert_eq!((before.late, before.incomplete, before.stalls), (0, 0, 0), "{protocol}");
        assert!(before.frames.abs_diff(30 * 30) <= 1, "{before:?}");
        assert!((before.encoder_bps / 2e6 - 1.0).abs() < 1e-3, "{before:?}");

        setup.duration = Span::from_secs(120);
        let result = run(&setup, 1);
        let all = seen(&result);
        assert!(all.frames.abs_diff(90 * 30) <= 1, "{all:?}");
        assert!(all.late > 0 && all.stalls > 0, "{protocol}: {all:?}");
        let after = encoder(&result, (80.0, 120.0));
        // Throughput leaves out packets that the encoder produced and its own queue dropped.
        assert!((0.4e6..1.2e6).contains(&after), "{protocol}: {after}");
        // The encoder adapts its rate before long: most frames arrive over the narrow link.
        assert!(all.incomplete < 60 * 30 / 3, "{protocol}: {all:?}");
    }
}

#[test]
fn an_encoder_that_reacts_late_makes_more_frames_late_or_incomplete() {
    let spoiled = |reaction| {
        let mut setup = falling("rcp-atl", reaction);
        // The drop, and the time to recover from it.
        (setup.warmup, setup.duration) = (Span::from_secs(55), Span::from_secs(75));
        let seen = seen(&run(&setup, 1));
        seen.late + seen.incomplete
    };
    let (at_once, late) = (spoiled(0), spoiled(3000));
    assert!(late > at_once, "{late} with a reaction of 3 s, {at_once} without");
}

#[test]
fn a_fixed_rate_encoder_on_a_link_too_narrow_stalls_or_loses_frames() {
    let mut setup = single("aimd-rate", path(1.0, 20, 50), 60.0);
    setup.flows[0].source = media(30.0, (2.0, 2.0), 0, 200);
    let seen = seen(&run(&setup, 1));
    assert!(seen.frames.abs_diff(60 * 30) <= 10, "{seen:?}");
    assert!(seen.late + seen.incomplete > seen.frames / 2, "{seen:?}");
    assert!((seen.encoder_bps / 2e6 - 1.0).abs() < 1e-3);
}

#[test]
fn an_even_flow_on_an_idle_link_has_no_jitter_and_a_window_has() {
    let mut setup = single("aimd-rate", path(4.0, 20, 50), 60.0);
    setup.flows[0].pacing.target = Some(Rate::from_mbps(2.0));
    setup.warmup = Span::from_secs(30);
    setup.sample_every = Some(Span::from_secs(1));
    let result = run(&setup, 1);
    let flow = &result.flows[0];
    // A gap is rounded to a nanosecond, and so may be a packet's time on the link.
    assert!(flow.jitter_s.is_some_and(|s| s < 2e-9), "{:?}", flow.jitter_s);
    assert!(flow.gap_jitter_s.is_some_and(|s| s < 4e-9), "{:?}", flow.gap_jitter_s);
    assert!(result.samples.iter().skip(30).all(|s| s.jitter_s.is_some_and(|s| s < 2e-9)));

    let mut setup = single("reno", path(4.0, 20, 20), 60.0);
    setup.sample_every = Some(Span::from_secs(1));
    let result = run(&setup, 1);
    let flow = &result.flows[0];
    // A growing window fills a queue of 42 ms, 2.08 ms per packet: transit times grow.
    let (jitter, gaps) = (flow.jitter_s.expect("packets"), flow.gap_jitter_s.expect("packets"));
    assert!((1e-5..2.08e-3).contains(&jitter), "{jitter}");
    assert!((1e-5..20e-3).contains(&gaps), "{gaps}");
    let samples: Vec<f64> = result.samples.iter().filter_map(|s| s.jitter_s).collect();
    assert!(samples.len() >= 59, "{}", samples.len());
    let mean = samples.iter().sum::<f64>() / samples.len() as f64;
    assert!((mean / jitter - 1.0).abs() < 0.2, "{mean} by samples, {jitter} by packets");
}

#[test]
fn every_rate_protocol_carries_frames() {
    let paces = |listed: &&Listed| listed.recovery().is_none() && !listed.is_quic();
    for listed in catalogue().iter().filter(paces) {
        let mut link = path(4.0, 20, 50).with_loss(Probability::clamped(1e-3));
        link.queue = QueueConfig::Priority { packets: 50 };
        let mut setup = single(listed.name, link, 60.0);
        setup.flows[0].source = media(30.0, (0.05, 3.0), 200, 400);
        let result = run(&setup, 1);
        let (seen, flow) = (seen(&result), &result.flows[0]);
        assert!(seen.frames > 50 * 30, "{}: {seen:?}", listed.name);
        assert!(seen.late + seen.incomplete < seen.frames, "{}: {seen:?}", listed.name);
        assert!(seen.encoder_bps >= 0.05e6 && seen.encoder_bps <= 3e6, "{}", listed.name);
        assert!(flow.jitter_s.is_some() && flow.gap_jitter_s.is_some(), "{}", listed.name);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    /// Whatever the link is like, each due frame is counted exactly once.
    #[test]
    fn frames_and_packets_are_conserved(
        protocol in prop::sample::select(vec!["aimd-rate", "rcp-atl", "tfrc"]),
        mbps in 0.1_f64..8.0,
        ms in 1_u64..200,
        packets in 2_u32..80,
        loss in prop_oneof![Just(0.0), 1e-4_f64..0.2],
        fps in 1.0_f64..90.0,
        rates in (0.02_f64..0.5, 0.5_f64..6.0),
        (reaction, playout) in (0_u64..1500, 0_u64..1500),
        warmup in 0_u64..8000,
        seed in 0_u64..1000,
    ) {
        let link = path(mbps, ms, packets).with_loss(Probability::clamped(loss));
        let mut setup = single(protocol, link, 20.0);
        setup.flows[0].source = media(fps, rates, reaction, playout);
        setup.warmup = Span::from_millis(warmup);
        let result = run(&setup, seed);
        let (seen, flow) = (seen(&result), &result.flows[0]);

        // Due in the measured time are the frames captured `playout` before it.
        let captured = |ms: u64| (ms.saturating_sub(playout) as f64 / 1e3 * fps).floor();
        let due = captured(20_000) - if warmup >= playout { captured(warmup) } else { 0.0 };
        prop_assert!((seen.frames as f64 - due).abs() <= 1.0, "{:?} of {}", seen, due);
        prop_assert!(seen.late + seen.incomplete <= seen.frames);
        prop_assert!(seen.stalled_s <= flow.active_s + 1e-9);
        prop_assert_eq!(seen.stalls == 0, seen.stalled_s.abs() < 1e-12);
        let within = rates.0 * 1e6 * 0.99 - 4.0 * fps..=rates.1 * 1e6 * 1.01 + 4.0 * fps;
        prop_assert!(within.contains(&seen.encoder_bps), "{:?}", seen);

        let mut whole = setup.clone();
        // A packet that leaves at the very instant at which measurement begins is not counted.
        (whole.warmup, whole.flows[0].start) = (Span::ZERO, Time::from_millis(1));
        let result = run(&whole, seed);
        let flow = &result.flows[0];
        let held: u64 = result.links.iter().map(|l| l.held).sum();
        let known = flow.arrived.expect("counted") + flow.dropped.expect("counted") + flow.lost.expect("counted");
        prop_assert!(known <= flow.sent && flow.sent <= known + held, "{:?}, {} held", flow, held);
    }
}

#[test]
fn a_ladder_is_climbed_step_by_step() {
    let mut setup = single("aimd-rate", path(4.0, 20, 50), 60.0);
    setup.flows[0].pacing.target = Some(Rate::from_mbps(2.0));
    setup.flows[0].source = Source::Media(Media {
        frames_per_second: 30.0,
        rates: EncoderRates::Ladder(Arc::new([0.3, 1.0, 2.5].map(Rate::from_mbps))),
        reaction: Span::ZERO,
        playout: Span::from_millis(200),
    });
    setup.sample_every = Some(Span::from_millis(100));
    let result = run(&setup, 1);
    let steps: Vec<f64> = result.samples.iter().filter_map(|s| s.encoder_bps).collect();
    assert!(steps.iter().all(|s| [0.3e6, 1e6].contains(s)), "2.5 Mb/s never fit");
    assert!(steps.is_sorted(), "nothing makes it fall");
    assert_eq!(steps.last(), Some(&1e6));
}
