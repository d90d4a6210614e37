//! Applications whose two ends answer each other, on a path where an exchange can be worked out by
//! hand.

use atl_core::time::Span;
use atl_core::units::Rate;
use atl_endpoint::app::RequestResponse;
use atl_engine::result::{ExchangeResult, FlowResult};
use atl_engine::setup::{Setup, Source};
use atl_link::Config;
use atl_sim::Simulation;

use crate::support::{flow, lossy, single};

/// Requests of 100 bytes and responses of 50 full segments, over links that take 1 ms for a full
/// packet and 20 ms each way. Both windows are larger than a response.
fn talk(protocol: &str, config: RequestResponse, loss: f64) -> Setup {
    let link = Config::constant(Rate::from_bps(8.32e6), Span::from_millis(20), 10_000);
    let mut setup = single(protocol, lossy(link.clone(), loss), 10.0);
    setup.links[1].config = lossy(link, loss).into();
    setup.flows.push(flow("flow.back", protocol, &[1], &[0]));
    for flow in &mut setup.flows {
        flow.source = Source::Application(config.clone().into());
        flow.tcp.initial_window = 200.0;
    }
    setup.flows[0].answers = Some(1);
    setup
}

fn fetch() -> RequestResponse {
    RequestResponse { request: 100, response: 50_000, ..RequestResponse::default() }
}

fn run(setup: &Setup) -> [FlowResult; 2] {
    Simulation::new(setup, 1).run().flows.try_into().expect("a pair of flows")
}

/// Bytes delivered.
fn delivered(flow: &FlowResult) -> u64 {
    (flow.goodput_bps * flow.active_s / 8.0).round() as u64
}

fn exchanges(flow: &FlowResult) -> ExchangeResult {
    flow.exchanges.expect("the flow of an application")
}

#[test]
fn an_exchange_takes_a_round_trip_and_the_time_to_send_both_messages() {
    let ms = |bytes: f64| bytes * 8.0 / 8.32e3;
    for protocol in ["sack", "reno"] {
        let [there, back] = run(&talk(protocol, fetch(), 0.0));
        // The request with its header, and before the response the ACK of the request. Before each
        // request but the first, the ACK of the last segment.
        let mean = ms(140.0) + 20.0 + ms(40.0) + 50.0 + 20.0 + ms(40.0);
        let took = exchanges(&there);
        assert_eq!(took.count, (10_000.0 / mean) as u64);
        let first = ms(40.0) / took.count as f64;
        let found = took.mean_s.expect("exchanges") * 1e3;
        assert!((found - (mean - first)).abs() < 1e-3, "{found} ms, expected {mean}");
        assert_eq!(exchanges(&back).count, 0, "the server counts none");
        // Each request is delivered once, and with it each response but the last.
        let requests = took.count + 1;
        assert_eq!(delivered(&there), requests * 100);
        let responses = delivered(&back);
        assert!((took.count * 50_000..requests * 50_000).contains(&responses), "{responses}");
    }
}

#[test]
fn a_pause_is_waited_for_and_what_was_before_measurement_does_not_count() {
    let mut setup = talk("sack", RequestResponse { pause: Span::from_secs(1), ..fetch() }, 0.0);
    assert_eq!(exchanges(&run(&setup)[0]).count, 10);
    // Exchanges begin at 0, 1.09, 2.18, ... s. Four were complete before.
    setup.warmup = Span::from_secs(4);
    assert_eq!(exchanges(&run(&setup)[0]).count, 6);
}

#[test]
fn an_application_that_ends_completes_both_flows_whatever_is_lost() {
    for loss in [0.0, 0.03] {
        let config = RequestResponse { exchanges: Some(7), ..fetch() };
        let setup = talk("sack", config, loss);
        let [there, back] = run(&setup);
        assert_eq!(exchanges(&there).count, 7, "{loss}");
        assert_eq!([delivered(&there), delivered(&back)], [700, 350_000]);
        let ended = [&there, &back].map(|flow| flow.completion_s.expect("it ends"));
        assert!(ended[0] < ended[1], "the last request is acknowledged before its response");
        assert_eq!([there, back], run(&setup), "the same seed gives the same results");
    }
}
