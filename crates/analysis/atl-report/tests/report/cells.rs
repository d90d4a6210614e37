//! Metrics of packets carried in ATM cells.

use atl_engine::adaptation::{AalT, Adaptation, Layer};
use atl_engine::result::{AdaptationResult, FlowResult, RunResult};
use atl_engine::setup::Setup;
use atl_report::metric::of_run;
use atl_scenario::metric::Metric;

use crate::support;

/// 1200 octets in 26 cells, as in the AAL-T paper's fig. 5: a million octets delivered in 10 s with
/// 25 000 cells.
fn example(layer: Layer) -> (Setup, RunResult) {
    let mut flow = support::flow_setup("f", "f", "sack");
    flow.tcp.segment = 1200;
    flow.tcp.header = 40;
    flow.tcp.receive_window = 10;
    flow.adaptation = Some(Adaptation { layer, queue: 50, quench: None });
    let setup = Setup {
        nodes: vec!["a".into(), "b".into()],
        links: Vec::new(),
        flows: vec![flow],
        mobiles: Vec::new(),
        map: None,
        duration: atl_core::time::Span::from_secs(10),
        warmup: atl_core::time::Span::ZERO,
        sample_every: None,
    };
    let adaptation = AdaptationResult {
        delivered: 990,
        undetected: 10,
        pdus: 1200,
        retransmitted: 300,
        offered: 1200,
        refused: 100,
        cells: 26_000,
        control_cells: 1_000,
        cells_lost: 11,
        cells_astray: 5,
        cells_damaged: 10,
        quenches: 20,
        payload_octets: Some(716),
        bit_errors: Some(2e-6),
        ..AdaptationResult::default()
    };
    let flow = FlowResult {
        active_s: 10.0,
        goodput_bps: 800_000.0,
        adaptation: Some(adaptation),
        ..FlowResult::default()
    };
    (setup, RunResult { flows: vec![flow], ..RunResult::default() })
}

#[test]
fn cells_by_hand() {
    let (setup, run) = example(Layer::Aal5);
    let of = |metric| of_run(metric, &setup, &run, None).expect("it is measured");
    let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-9, "{a}, {b}");
    close(of(Metric::CellErrors), 1e-3);
    close(of(Metric::AalDelivered), 0.9);
    close(of(Metric::CellEfficiency), 1e6 / (25_000.0 * 48.0));
    close(of(Metric::ArqRetransmissions), 0.25);
    close(of(Metric::Undetected), 0.01);
    close(of(Metric::Quenches), 2.0);
    close(of(Metric::ArqPayload), 716.0);
    close(of(Metric::BitErrors), 2e-6);
}

/// 0.937 for AAL-T and 0.761 for go-back-N with a window of 10, as in the tests of atl-aal.
#[test]
fn the_model_fits_the_layer() {
    for (layer, expected) in [(Layer::Aal5, 0.7610), (Layer::AalT(AalT::default()), 0.9368)] {
        let (setup, run) = example(layer);
        let metric = Metric::CellEfficiencyModel;
        let value = of_run(metric, &setup, &run, None).expect("cells were sent");
        assert!((value - expected).abs() < 1e-4, "{value}, not {expected}");
    }
}

#[test]
fn flows_without_cells_have_no_such_metrics() {
    let (mut setup, mut run) = example(Layer::Aal5);
    setup.flows[0].adaptation = None;
    run.flows[0].adaptation = None;
    for metric in [Metric::CellErrors, Metric::CellEfficiency, Metric::CellEfficiencyModel] {
        assert_eq!(of_run(metric, &setup, &run, None), None);
    }
}
