//! Delays of flows that visit several networks: in each, and never over the packets of all.

use std::sync::Arc;

use atl_core::time::Time;
use atl_engine::result::NetworkDelay;
use atl_link::Change;
use atl_report::compare::worth;
use atl_report::data::{Format, write};
use atl_report::engines::EngineComparison;
use atl_report::figure;
use atl_report::summary::Summary;
use atl_report::table::{Cell, delays, results};
use atl_report::{Outcome, html};
use atl_scenario::ablation::Ablation;

use crate::support::{Builder, run};

/// The case: on Wi-Fi both queue for 40 ms; over the satellite `often` queues for 100 ms,
/// `hardly`, which sends next to nothing there, for 300.
fn outcome() -> Outcome {
    let mut builder = Builder::new(6, &["protocol"]);
    for (protocol, satellite) in [("often", 0.4), ("hardly", 0.6)] {
        builder = builder
            .point(&[("protocol", protocol)], &[("upload", protocol)], |seed| {
                let mut result = run(&[if protocol == "often" { 2.0 } else { 1.0 }]);
                let delay = |network, time_s, least: f64, p95: f64| NetworkDelay {
                    network,
                    time_s,
                    rtt_median_s: Some(least),
                    rtt_p95_s: Some(p95 + 0.001 * seed as f64),
                    rtt_min_s: Some(least),
                };
                let flow = &mut result.flows[0];
                (flow.rtt_median_s, flow.rtt_p95_s) = (None, None);
                flow.delays = vec![delay(0, 200.0, 0.03, 0.07), delay(1, 400.0, 0.3, satellite)];
                result
            })
            .setup(|setup| {
                let mut config = (*setup.links[0].config).clone();
                config.initial.name = "wlan".into();
                let mut to = config.initial.clone();
                to.name = "satellite".into();
                config.schedule = vec![Change { at: Time::from_millis(200_000), to }];
                setup.links[0].config = Arc::new(config);
            });
    }
    builder.done()
}

#[test]
fn a_table_has_columns_for_each_network_and_none_over_all() {
    let outcome = outcome();
    let table = delays(&outcome).expect("several networks");
    let keys: Vec<&str> = table.columns.iter().map(|c| c.key.as_str()).collect();
    let place =
        |key: &str| keys.iter().position(|k| *k == key).unwrap_or_else(|| panic!("{keys:?}"));
    let mean = |row: usize, key: &str| match table.rows[row][place(key)] {
        Cell::Number(number) => (number.mean * 1e4).round() / 1e4,
        ref other => panic!("{other:?}"),
    };
    assert_eq!(mean(0, "wlan_rtt_p95_s").to_string(), "0.0725");
    assert_eq!(mean(0, "satellite_queueing_p95_s").to_string(), "0.1025");
    assert_eq!(mean(1, "satellite_queueing_p95_s").to_string(), "0.3025");
    let main = results(&outcome);
    let keys: Vec<&str> = main.columns.iter().map(|c| c.key.as_str()).collect();
    assert!(!keys.contains(&"rtt_p95_s") && !keys.contains(&"rtt_median_s"), "{keys:?}");
    assert!(keys.contains(&"queueing_p95_s"), "{keys:?}");
    let page = html::page(std::slice::from_ref(&outcome), &[Vec::new()]);
    assert!(page.contains("Delay in each network"));
}

#[test]
fn left_is_better_in_the_figure_of_delay() {
    let drawn = figure::all(&outcome());
    let scatter = drawn.iter().find(|drawn| drawn.title == "Goodput and delay").expect("drawn");
    let numbers = scatter.numbers.as_ref().expect("numbers");
    assert_eq!(numbers.columns[2].key, "queueing_p95_s");
    // Weighted by the time in each network, not by packets: (200 * .0425 + 400 * .1025) / 600.
    let xs: Vec<f64> = numbers
        .rows
        .iter()
        .map(|row| match row[2] {
            Cell::Number(number) => (number.mean * 1e4).round(),
            ref other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(xs, [825.0, 2158.0], "the one that hardly sends there does not look better");
}

#[test]
fn ablations_and_engines_compare_network_by_network() {
    let (a, b) = (outcome(), outcome());
    let worth = worth(Ablation::ALL[0], &a, &b);
    let rtt: Vec<&str> = worth
        .differences
        .iter()
        .filter(|difference| difference.metric.contains("RTT"))
        .map(|difference| difference.place.as_str())
        .collect();
    assert_eq!(rtt.len(), 4, "two protocols in two networks: {rtt:?}");
    assert!(rtt.iter().all(|place| place.contains("network = ")), "{rtt:?}");
    let mut udp = outcome();
    "udp".clone_into(&mut udp.engine.name);
    let hosts = EngineComparison::of(&a, &udp).expect("two engines");
    let places: Vec<&str> = hosts
        .differences
        .iter()
        .filter(|difference| difference.metric == "rtt_p95_s")
        .map(|difference| difference.group.as_str())
        .collect();
    assert!(places.contains(&"upload in satellite"), "{places:?}");
}

#[test]
fn json_and_data_files_have_each_network() {
    let outcome = outcome();
    let json = serde_json::to_value(Summary::new(&outcome, &[])).expect("JSON");
    let group = &json["points"][1]["groups"][0];
    assert!(group["metrics"]["rtt_p95_s"].is_null());
    assert_eq!(group["networks"][1]["network"], "satellite");
    let p95 = group["networks"][1]["delays"]["rtt_p95_s"]["mean"].as_f64().expect("a mean");
    assert!((p95 - 0.6025).abs() < 1e-9, "{p95}");
    let dir = tempfile::tempdir().expect("a directory");
    write(dir.path(), std::slice::from_ref(&outcome), Format::Csv).expect("written");
    let flows = std::fs::read_to_string(dir.path().join("flows.csv")).expect("flows.csv");
    let mut lines = flows.lines();
    let place =
        lines.next().expect("a heading").split(',').position(|c| c == "rtt_p95_s_satellite");
    let value = lines.next().expect("a flow").split(',').nth(place.expect("a column"));
    assert_eq!(value, Some("0.4"));
}
