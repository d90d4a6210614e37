//! Connections that a proxy splits: every byte goes through once, in order and within its buffer.

use atl_core::time::{Span, Time};
use atl_core::units::Rate;
use atl_endpoint::app::RequestResponse;
use atl_engine::result::FlowResult;
use atl_engine::setup::{FlowSetup, Onward, Setup, Source};
use atl_link::Config;
use atl_sim::Simulation;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::support::{flow, link, lossy, single};

const SEGMENT: u64 = 1000;

/// A link of 50 Mb/s and 5 ms to the proxy, and one of `mbps` and `delay` with this loss on.
fn network(mbps: f64, delay: Span, losses: [f64; 2]) -> Setup {
    let near = Config::constant(Rate::from_mbps(50.0), Span::from_millis(5), 300);
    let far = Config::constant(Rate::from_mbps(mbps), delay, 300);
    let mut setup = single("sack", lossy(near.clone(), losses[0]), 20.0);
    setup.nodes = ["server", "proxy", "client"].map(String::from).into();
    setup.links = vec![
        link("near", 0, 1, lossy(near.clone(), losses[0])),
        link("near.back", 1, 0, lossy(near, losses[0])),
        link("far", 1, 2, lossy(far.clone(), losses[1])),
        link("far.back", 2, 1, lossy(far, losses[1])),
    ];
    setup
}

/// The flows of a connection that is split: from the proxy on, and to it.
fn split(
    name: &str,
    source: &Source,
    [first, second]: [&str; 2],
    at: usize,
    buffer: u64,
) -> [FlowSetup; 2] {
    let mut to = flow(&format!("{name}.pep"), first, &[0], &[1]);
    to.source = source.clone();
    to.onward = Some(Onward { flow: at, buffer });
    to.tcp.receive_window = to.tcp.receive_window.min((buffer / SEGMENT) as u32);
    let mut on = flow(name, second, &[2], &[3]);
    on.source = Source::Relayed(Box::new(source.clone()));
    [on, to]
}

fn delivered(flow: &FlowResult) -> u64 {
    (flow.goodput_bps * flow.active_s / 8.0).round() as u64
}

/// Runs it in steps, and checks after each that the proxy keeps no more than its buffer holds.
fn checked(setup: &Setup, buffer: u64, seed: u64) -> Vec<FlowResult> {
    let mut run = Simulation::new(setup, seed);
    let mut last = [0; 2];
    for ms in (0..setup.duration.nanos() / 1_000_000).step_by(7) {
        run.advance_to(Time::from_millis(ms));
        let [on, to] = [run.delivered_bytes(0), run.delivered_bytes(1)];
        assert!(on <= to, "at {ms} ms: {on} bytes came out of {to}");
        assert!(to - on <= buffer, "at {ms} ms: {} bytes in a buffer of {buffer}", to - on);
        assert!(on >= last[0] && to >= last[1]);
        last = [on, to];
    }
    run.run().flows
}

#[test]
fn a_transfer_comes_through_whole_and_its_time_is_that_from_end_to_end() {
    let source = Source::Fixed { bytes: 1_234_567 };
    let mut setup = network(10.0, Span::from_millis(250), [0.0; 2]);
    setup.flows = split("file", &source, ["sack", "cubic"], 0, 4_000_000).into();
    let flows = checked(&setup, 4_000_000, 1);
    assert_eq!([delivered(&flows[0]), delivered(&flows[1])], [1_234_567; 2]);
    let ends = [0, 1].map(|flow: usize| flows[flow].completion_s.expect("it ends"));
    assert!(ends[1] < 0.6 && ends[0] > 1.5, "the proxy acknowledges by itself: {ends:?}");
    // From end to end, the window opens round trip by round trip over the long link, too.
    let mut whole = flow("file", "cubic", &[0, 2], &[3, 1]);
    whole.source = source;
    setup.flows = vec![whole];
    let whole = Simulation::new(&setup, 1).run().flows[0].completion_s.expect("it ends");
    assert!(ends[0] < whole + 0.01, "{} and {whole}", ends[0]);
}

#[test]
fn a_small_buffer_holds_the_first_connection_back_and_the_link_stays_full() {
    let mut setup = network(4.0, Span::from_millis(20), [0.0; 2]);
    setup.flows = split("bulk", &Source::Greedy, ["cubic", "sack"], 0, 60_000).into();
    let flows = checked(&setup, 60_000, 1);
    // 4 Mb/s less headers; the first link could carry 50.
    assert!(flows[0].goodput_bps > 0.9 * 4e6 * 1000.0 / 1040.0, "{flows:?}");
    assert!(flows[1].goodput_bps < 1.05 * flows[0].goodput_bps, "{flows:?}");
    assert_eq!(flows[1].dropped, Some(0), "the window is below its queue");
}

#[test]
fn an_application_talks_through_a_proxy_in_both_directions() {
    let talk = RequestResponse {
        request: 300,
        response: 90_000,
        exchanges: Some(9),
        ..RequestResponse::default()
    };
    let source = Source::Application(talk.into());
    let mut setup = network(10.0, Span::from_millis(40), [0.01; 2]);
    // The client is at the near end, so that requests go from there on.
    let [on, mut to] = split("web", &source, ["sack", "cubic"], 0, 50_000);
    to.answers = Some(3);
    let (mut on_back, mut to_back) =
        (flow("web.back", "cubic", &[1], &[0]), flow("web.back.pep", "sack", &[3], &[2]));
    to_back.onward = Some(Onward { flow: 2, buffer: 50_000 });
    to_back.tcp.receive_window = 50;
    to_back.source = source.clone();
    on_back.source = Source::Relayed(Box::new(source));
    setup.flows = vec![on, to, on_back, to_back];
    let flows = Simulation::new(&setup, 1).run().flows;
    assert_eq!(flows[0].exchanges.map(|exchanges| exchanges.count), Some(9));
    assert_eq!(flows.iter().map(delivered).collect::<Vec<_>>(), [2_700, 2_700, 810_000, 810_000]);
    assert!(flows.iter().all(|flow| flow.completion_s.is_some()), "{flows:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, rng_seed: RngSeed::Fixed(5), ..ProptestConfig::default() })]

    /// Whatever is lost, with any buffer and any pair of TCPs, every byte comes out once and in
    /// order, and no more is kept than the buffer holds.
    #[test]
    fn every_byte_goes_through_once(
        bytes in 1_u64..300_000,
        buffer in 2_u64..200,
        mbps in 1_u32..40,
        delay in 1_u64..300,
        losses in (0.0..0.08_f64, 0.0..0.08_f64),
        pair in 0..6_usize,
        stops in any::<bool>(),
        seed in any::<u64>(),
    ) {
        let all = ["reno", "newreno", "sack", "cubic", "bbr3", "tcp-atl"];
        let protocols = [all[pair], all[(pair * 5 + 2) % 6]];
        let mut setup = network(f64::from(mbps), Span::from_millis(delay), [losses.0, losses.1]);
        setup.duration = Span::from_secs(if stops { 40 } else { 200 });
        let source = if stops { Source::Greedy } else { Source::Fixed { bytes } };
        setup.flows = split("file", &source, protocols, 0, buffer * SEGMENT).into();
        setup.flows[1].stop = stops.then_some(Time::from_millis(2000));
        let flows = checked(&setup, buffer * SEGMENT, seed);
        prop_assert_eq!(delivered(&flows[0]) <= delivered(&flows[1]), true);
        if !stops {
            let ends = [0, 1].map(|flow: usize| flows[flow].completion_s);
            prop_assert!(ends[0].is_some() && ends[1].is_some(), "{:?}: {:?}", protocols, ends);
            prop_assert_eq!([delivered(&flows[0]), delivered(&flows[1])], [bytes; 2]);
        } else if let Some(end) = flows[0].completion_s {
            prop_assert!(end >= 2.0, "{}", end);
            prop_assert_eq!(delivered(&flows[0]), delivered(&flows[1]));
        }
    }
}
