//! Paced flows end to end: every packet accounted for, beside TCP, acknowledged or reported.

use std::sync::Arc;

use crate::support::single;
use atl_core::rate::FeedbackMode;
use atl_core::time::{Span, Time};
use atl_core::units::{Probability, Rate};
use atl_engine::result::{FlowResult, RunResult};
use atl_engine::setup::{EncoderRates, Media, Setup, Source};
use atl_link::{Blackout, Config, QueueConfig};
use atl_scenario::protocol::{Listed, catalogue};
use atl_sim::Simulation;

fn mbps(rate: f64) -> Rate {
    Rate::from_mbps(rate)
}

fn path(rate: f64, ms: u64, loss: f64) -> Config {
    Config::constant(mbps(rate), Span::from_millis(ms), 50).with_loss(Probability::clamped(loss))
}

fn paced(there: Config, target: f64, secs: f64) -> Setup {
    let mut setup = single("aimd-rate", there, secs);
    setup.flows[0].pacing.target = Some(mbps(target));
    setup
}

fn run(setup: &Setup, seed: u64) -> RunResult {
    Simulation::new(setup, seed).run()
}

/// In a run measured from its start, each packet has arrived, was dropped or lost, or is under way.
fn conserved(result: &RunResult, flow: &FlowResult) {
    let held: u64 = result.links.iter().map(|l| l.held).sum();
    let known = flow.arrived.expect("counted")
        + flow.dropped.expect("counted")
        + flow.lost.expect("counted");
    assert!(known <= flow.sent && flow.sent <= known + held, "{flow:?}, {held} held");
}

#[test]
fn a_lone_flow_reaches_its_target_and_stays_there() {
    let result = run(&paced(path(4.0, 20, 0.0), 2.0, 200.0), 1);
    let flow = &result.flows[0];
    conserved(&result, flow);
    assert_eq!((flow.dropped, flow.lost, flow.recoveries), (Some(0), Some(0), Some(0)));
    // From one packet per RTT it gains one each 44 ms: it takes 22 of them to get there.
    assert!(flow.throughput_bps > 1.97e6 && flow.throughput_bps <= 2e6, "{flow:?}");
    // 1000 of 1040 bytes are payload; a few packets are under way at the end.
    assert!((flow.goodput_bps / flow.throughput_bps * 1.04 - 1.0).abs() < 1e-3, "{flow:?}");
    assert_eq!(flow.rtt_min_s.map(|s| (s * 1e4).round()), Some(421.0));
}

/// With equal bounds a law has nothing to choose: constant-rate UDP, as docs/scenarios.md has it.
#[test]
fn equal_bounds_make_a_constant_rate_that_nothing_changes() {
    let secs = 20.0;
    let half = path(0.5, 20, 0.05);
    let silent = Blackout { at: Time::from_millis(8_000), lasts: Span::from_secs(3), hold: false };
    for there in [path(4.0, 20, 0.0), half.clone(), Config { blackouts: vec![silent], ..half }] {
        let mut setup = paced(there, 1.0, secs);
        setup.flows[0].pacing.minimum = mbps(1.0);
        let result = run(&setup, 1);
        let flow = &result.flows[0];
        conserved(&result, flow);
        // 1000 bytes and 40 of headers.
        let wanted = 1e6 * secs / (8.0 * 1040.0);
        assert!((flow.sent as f64 - wanted).abs() < 3.0, "{} sent, {wanted} wanted", flow.sent);
    }
}

#[test]
fn reports_lead_to_the_same_rate_as_acks() {
    // Long enough for thousands of loss events, so that the two means are within a few per cent.
    let acks = paced(path(50.0, 50, 0.01), 50.0, 2000.0);
    let mut reports = acks.clone();
    reports.flows[0].pacing.feedback = Some(FeedbackMode::Reports { every: Span::from_millis(50) });
    let (acks, reports) = (run(&acks, 1), run(&reports, 1));
    let (a, r) = (&acks.flows[0], &reports.flows[0]);
    conserved(&acks, a);
    conserved(&reports, r);
    assert!(acks.links[1].offered > 4 * reports.links[1].offered);
    // Reports arrive 25 ms later on average, and do not say where their losses were.
    let ratio = r.goodput_bps / a.goodput_bps;
    assert!((0.8..1.1).contains(&ratio), "{ratio}");
    assert!(a.recoveries > Some(2000) && r.recoveries > Some(1500), "{a:?} {r:?}");
}

#[test]
fn flows_come_in_the_order_of_the_setup_beside_tcp() {
    let mut setup =
        crate::support::dumbbell(&["aimd-rate", "sack", "aimd-rate"], mbps(3.0), 50, 300.0);
    setup.sample_every = Some(Span::from_secs(1));
    setup.warmup = Span::ZERO;
    for i in [0, 2] {
        setup.flows[i].pacing.target = Some(mbps(3.0));
    }
    let result = run(&setup, 1);
    assert_eq!(result.flows.len(), 3);
    let sum: f64 = result.flows.iter().map(|f| f.goodput_bps).sum();
    assert!(sum > 0.9 * 3e6 / 1.04, "{sum}");
    for (i, flow) in result.flows.iter().enumerate() {
        conserved(&result, flow);
        assert!(flow.goodput_bps > 0.15 * sum, "{i}: {flow:?}");
        assert_eq!(flow.retransmissions.expect("counted") > 0, i == 1);
        assert!(flow.jitter_s.is_some_and(|j| j > 0.0), "{flow:?}");
    }
    assert_eq!(result.samples.len(), 3 * 300);
    for (i, sample) in result.samples.iter().enumerate() {
        assert_eq!(sample.flow as usize, i % 3);
        assert_eq!((sample.cwnd.is_some(), sample.rate_bps.is_some()), (i % 3 == 1, i % 3 != 1));
    }
}

#[test]
fn a_flow_recovers_after_a_blackout() {
    for feedback in [FeedbackMode::Acks, FeedbackMode::Reports { every: Span::from_millis(200) }] {
        let mut link = path(2.0, 50, 0.0);
        let (at, lasts) = (Time::from_millis(60_000), Span::from_secs(60));
        link.blackouts = vec![Blackout { at, lasts, hold: false }];
        let mut setup = paced(link, 2.0, 240.0);
        setup.sample_every = Some(Span::from_secs(1));
        setup.flows[0].pacing.feedback = Some(feedback);
        let result = run(&setup, 1);
        conserved(&result, &result.flows[0]);
        let rate = |s: usize| result.samples[s - 1].throughput_bps;
        assert!(rate(60) > 1.9e6, "{feedback:?}: {} before", rate(60));
        assert!(rate(115) < 0.1e6, "{feedback:?}: {} in the dark", rate(115));
        assert!(rate(200) > 1.8e6, "{feedback:?}: {} after", rate(200));
    }
}

#[test]
fn every_rate_protocol_survives_a_blackout() {
    let paces = |listed: &&Listed| listed.recovery().is_none() && !listed.is_quic();
    for listed in catalogue().iter().filter(paces) {
        let goodput = |lasts| {
            let mut link = path(2.0, 50, 0.0);
            link.queue = QueueConfig::Priority { packets: 50 };
            let (at, lasts) = (Time::from_millis(60_000), Span::from_secs(lasts));
            link.blackouts = vec![Blackout { at, lasts, hold: false }];
            let mut setup = single(listed.name, link, 300.0);
            // Some receive feedback only every five seconds.
            setup.warmup = Span::from_secs(200);
            setup.flows[0].pacing.target = Some(mbps(4.0));
            run(&setup, 1).flows[0].goodput_bps
        };
        // Literal RCS halves at each packet that a full queue drops: even without a blackout it
        // gets only 0.58 of the link.
        let undisturbed = goodput(0);
        assert!(undisturbed > 0.5 * 2e6 / 1.04, "{}: {undisturbed}", listed.name);
        for lasts in [1, 10] {
            let share = goodput(lasts) / undisturbed;
            assert!(share > 0.85, "{} after {lasts} s: {share}", listed.name);
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let mut setup = paced(path(1.0, 30, 0.02), 2.0, 60.0);
    setup.sample_every = Some(Span::from_millis(100));
    let (a, b, c) = (run(&setup, 5), run(&setup, 5), run(&setup, 6));
    assert_eq!((a.events, &a.flows, &a.samples), (b.events, &b.flows, &b.samples));
    assert_ne!(a.flows, c.flows);
}

#[test]
fn live_frames_are_paced_and_counted() {
    let mut setup = paced(path(4.0, 20, 0.0), 2.0, 100.0);
    setup.flows[0].source = Source::Media(Media {
        frames_per_second: 25.0,
        rates: EncoderRates::Range { min: mbps(0.1), max: mbps(1.0) },
        reaction: Span::from_millis(200),
        playout: Span::from_millis(150),
    });
    conserved(&run(&setup, 1), &run(&setup, 1).flows[0]);
    // Leaves out the seconds in which it searches for its rate.
    setup.warmup = Span::from_secs(20);
    let result = run(&setup, 1);
    let flow = &result.flows[0];
    let media = flow.media.expect("frames");
    assert!(media.frames.abs_diff(80 * 25) <= 1, "{media:?}");
    assert_eq!((media.late, media.incomplete, media.stalls), (0, 0, 0), "{media:?}");
    assert!((media.encoder_bps - 1e6).abs() < 1.0, "{media:?}");
    assert!((flow.goodput_bps / 1e6 - 1.0).abs() < 0.01, "{flow:?}");

    // An encoder that wants more than the link has follows the rate that the flow finds. A full
    // queue takes 83 ms.
    let mut narrow = path(6.0, 20, 0.0);
    narrow.queue = QueueConfig::DropTail { packets: 60 };
    setup.links[0].config = Arc::new(narrow);
    setup.flows[0].pacing.target = Some(mbps(20.0));
    if let Source::Media(media) = &mut setup.flows[0].source {
        media.rates = EncoderRates::Range { min: mbps(0.1), max: mbps(20.0) };
        media.playout = Span::from_millis(400);
    }
    let result = run(&setup, 1);
    let (flow, media) = (&result.flows[0], result.flows[0].media.expect("frames"));
    assert!(flow.recoveries.expect("counted") > 10);
    assert!((3e6..6e6).contains(&media.encoder_bps), "{media:?}");
    assert!(media.late + media.incomplete < media.frames / 4, "{media:?}");
}

#[test]
fn probes_and_small_queues_leave_nothing_behind() {
    let mut link = path(1.0, 10, 0.05);
    link.queue = QueueConfig::Priority { packets: 3 };
    let mut setup = paced(link, 5.0, 100.0);
    setup.links[1].config = Arc::new(path(0.1, 10, 0.1));
    for feedback in [FeedbackMode::Acks, FeedbackMode::Reports { every: Span::from_millis(10) }] {
        setup.flows[0].pacing.feedback = Some(feedback);
        let result = run(&setup, 3);
        conserved(&result, &result.flows[0]);
        assert!(result.links[1].lost > 0 && result.flows[0].arrived.expect("counted") > 1000);
    }
}

/// A write of 1 to 800 bytes is a packet of that length and its header, at the pace that its source
/// has: over a link with room for no more than that, nothing is dropped and nothing waits.
#[test]
fn a_small_write_takes_the_room_of_its_bytes() {
    for bytes in [1, 100, 800] {
        // 50 writes a second, with 40 bytes of headers each, and a tenth to spare.
        let wire = 8.0 * 50.0 * (bytes as f64 + 40.0);
        let mut setup = paced(path(1.1 * wire / 1e6, 20, 0.0), 1.0, 20.0);
        setup.flows[0].source =
            Source::Files { bytes, every: Span::from_millis(20), exponential: false };
        setup.warmup = Span::from_secs(5);
        let result = run(&setup, 1);
        let flow = &result.flows[0];
        assert_eq!((flow.dropped, flow.lost), (Some(0), Some(0)), "{bytes} bytes");
        assert!(flow.sent.abs_diff(15 * 50) <= 1, "{bytes} bytes: {} packets", flow.sent);
        let goodput = 8.0 * 50.0 * bytes as f64;
        assert!((flow.goodput_bps / goodput - 1.0).abs() < 0.01, "{bytes} bytes: {flow:?}");
        assert!((flow.throughput_bps / wire - 1.0).abs() < 0.01, "{bytes} bytes: {flow:?}");
        // 40 ms, the packet's own time, and a write before it whose pace was still too slow.
        let rtt = flow.rtt_p95_s.expect("measured");
        assert!(rtt < 0.04 + 2.0 * 0.02, "{bytes} bytes: {rtt} s");
    }
}
