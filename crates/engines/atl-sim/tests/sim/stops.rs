//! Flows whose application stops: what was written is delivered, and the flow's own time ends.

use atl_core::time::{Span, Time};
use atl_core::units::Rate;
use atl_endpoint::app::{Dash, RequestResponse};
use atl_engine::result::FlowResult;
use atl_engine::setup::{Setup, Source};
use atl_link::Config;
use atl_sim::Simulation;

use crate::support::{flow, lossy, single};

/// 10 Mb/s and 20 ms each way, for 10 s.
fn path(protocol: &str, loss: f64) -> Setup {
    let link = Config::constant(Rate::from_mbps(10.0), Span::from_millis(20), 100);
    single(protocol, lossy(link, loss), 10.0)
}

fn run(setup: &Setup) -> Vec<FlowResult> {
    Simulation::new(setup, 1).run().flows
}

fn delivered(flow: &FlowResult) -> u64 {
    (flow.goodput_bps * flow.active_s / 8.0).round() as u64
}

#[test]
fn a_greedy_flow_ends_when_what_it_has_written_is_acknowledged() {
    for protocol in ["sack", "cubic", "tcp-atl"] {
        for loss in [0.0, 0.02] {
            let mut setup = path(protocol, loss);
            let whole = &run(&setup)[0];
            setup.flows[0].stop = Some(Time::from_millis(4000));
            let flow = &run(&setup)[0];
            let ended = flow.completion_s.expect("it ends");
            assert!((4.0..4.6).contains(&ended), "{protocol}: {ended}");
            assert_eq!((flow.active_s, flow.under_way_after), (ended, Some(0)));
            assert_eq!(flow.delivered.map(|segments| segments * 1000), Some(delivered(flow)));
            // Its rate is that of its own time, as for the whole run.
            let ratio = flow.goodput_bps / whole.goodput_bps;
            assert!((0.5..1.5).contains(&ratio), "{protocol}: {ratio}");
            assert_eq!(whole.completion_s, None);
        }
    }
}

#[test]
fn a_neighbour_has_the_link_afterwards_and_the_index_is_that_of_their_own_times() {
    let mut setup = path("sack", 0.0);
    setup.flows.push(flow("other", "sack", &[0], &[1]));
    setup.flows[0].stop = Some(Time::from_millis(5000));
    let flows = run(&setup);
    let all: u64 = flows.iter().map(delivered).sum();
    // 1000 of 1040 bytes are payload; slow start takes some of it.
    assert!(all as f64 > 0.9 * 10e6 / 8.0 * 10.0 / 1.04, "{all}");
    assert!(flows[1].goodput_bps > 1.3 * flows[0].goodput_bps, "{flows:?}");
}

#[test]
fn a_source_with_a_rate_writes_up_to_then() {
    let mut setup = path("sack", 0.0);
    setup.flows[0].source = Source::Steady { rate: Rate::from_mbps(4.0) };
    setup.flows[0].stop = Some(Time::from_millis(3001));
    let flow = &run(&setup)[0];
    // A segment every 2 ms, the last at 3 s; its ACK comes back 40 ms and its transmission later.
    assert_eq!(delivered(flow), 1500 * 1000);
    let ended = flow.completion_s.expect("it ends");
    assert!((3.04..3.05).contains(&ended), "{ended}");
    let offered = flow.offered_bps.expect("it is known");
    assert!((offered * flow.active_s / 8.0 - 1.5e6).abs() < 1.0, "{offered}");
    // Idle when it stops: that is its end.
    setup.flows[0].source = Source::OnOff {
        on: Span::from_millis(500),
        off: Span::from_millis(1500),
        rate: Rate::from_mbps(1.0),
        exponential: false,
    };
    let flow = &run(&setup)[0];
    assert_eq!(flow.completion_s, Some(3.001));
    assert_eq!(delivered(flow), 125 * 1000);
}

#[test]
fn a_paced_flow_ends_with_its_last_arrival() {
    for protocol in ["aimd-rate", "tfrc", "nada"] {
        let mut setup = path(protocol, 0.0);
        setup.flows[0].stop = Some(Time::from_millis(4000));
        let flow = &run(&setup)[0];
        assert!((4.0..4.3).contains(&flow.active_s), "{protocol}: {}", flow.active_s);
        assert_eq!(flow.under_way_after, Some(0));
        assert!(flow.goodput_bps < 10e6, "{protocol}: {}", flow.goodput_bps);
        let sent = flow.sent;
        setup.duration = Span::from_secs(20);
        assert_eq!(run(&setup)[0].sent, sent, "{protocol}: nothing is sent later");
    }
}

#[test]
fn a_client_that_stops_is_answered() {
    let mut setup = path("sack", 0.0);
    setup.links[1].config = setup.links[0].config.clone();
    setup.flows.push(flow("flow.back", "sack", &[1], &[0]));
    let talk = RequestResponse { request: 100, response: 200_000, ..RequestResponse::default() };
    for source in [Source::Application(talk.into()), Source::Application(Dash::default().into())] {
        for flow in &mut setup.flows {
            flow.source = source.clone();
            flow.stop = Some(Time::from_millis(3000));
        }
        setup.flows[0].answers = Some(1);
        let flows = run(&setup);
        let exchanges = flows[0].exchanges.expect("it talks");
        let asked = delivered(&flows[0]) / if flows[0].playback.is_some() { 500 } else { 100 };
        assert_eq!(exchanges.count, asked, "each is answered");
        assert!(flows[0].completion_s.is_some_and(|ended| ended < 3.2), "{flows:?}");
    }
}
