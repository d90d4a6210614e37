//! Applications whose two ends answer each other.

use atl_engine::result::{ExchangeResult, RunResult};
use atl_sim::Simulation;

use crate::support::{parse, run, text};

fn talk(options: &str, loss: f64) -> String {
    let source = format!("{{ application = {{ name = \"request-response\", {options} }} }}");
    text("\"newreno\"", loss, 20) + &format!("source = {source}\n")
}

fn exchanges(result: &RunResult) -> ExchangeResult {
    let [there, back] = &result.flows[..] else { panic!("a pair of flows") };
    assert_eq!(back.exchanges.map(|of_server| of_server.count), Some(0));
    there.exchanges.expect("the flow of an application")
}

#[test]
fn exchanges_take_about_as_long_as_in_the_simulator() {
    // Responses fit into the queue: QUIC's library spreads what TCP sends at once.
    for response in ["2kB", "150kB"] {
        let setup = parse(&talk(&format!("response = {response:?}"), 0.0));
        let (quic, tcp) =
            (exchanges(&run(&setup, 1)), exchanges(&Simulation::new(&setup, 1).run()));
        let [quic_s, tcp_s] = [quic, tcp].map(|of| of.mean_s.expect("exchanges"));
        // A round trip at least. Windows, headers and acknowledgments differ a little.
        assert!(quic_s >= 0.1, "{response}: {quic_s} s");
        assert!((quic_s / tcp_s - 1.0).abs() < 0.15, "{response}: {quic_s} and {tcp_s} s");
    }
}

#[test]
fn an_application_that_ends_completes_both_flows() {
    let text = talk("request = \"3kB\", response = \"20kB\", exchanges = 5", 1e-2);
    let setup = parse(&text.replace("warmup = \"2s\"\n", ""));
    let result = run(&setup, 1);
    assert_eq!(exchanges(&result).count, 5);
    for (flow, bytes) in result.flows.iter().zip([15_000.0, 100_000.0]) {
        assert!(flow.completion_s.is_some());
        assert!((flow.goodput_bps * flow.active_s / 8.0 - bytes).abs() < 0.5);
    }
    assert_eq!(result, run(&setup, 1), "the same seed gives the same results");
}
