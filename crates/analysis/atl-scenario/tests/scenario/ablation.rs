//! Scenarios without one part of their protocols.

use atl_engine::protocol::{NewPath, Recovery};
use atl_scenario::ablation::Ablation;
use atl_scenario::scenario::Scenario;
use atl_scenario::{Overrides, open};

fn scenario(name: &str) -> Scenario {
    open(name, &Overrides::default()).expect("a built-in scenario")
}

/// Labels of the protocols at all points.
fn protocols(scenario: &Scenario) -> Vec<String> {
    let flows = scenario.points.iter().flat_map(|point| &point.setup.flows);
    flows.map(|flow| flow.protocol.name.clone()).collect()
}

#[test]
fn names_are_read_back() {
    for ablation in Ablation::ALL {
        assert_eq!(ablation.name().parse(), Ok(ablation));
    }
    let error = "reports".parse::<Ablation>().expect_err("no such name");
    assert!(error.to_string().contains("link-reports, recovery, probing"), "{error}");
}

#[test]
fn without_link_reports_only_those_who_listen_run_again() {
    let whole = scenario("showcase/roaming");
    let without = Ablation::LinkReports.of(&whole).expect("TCP-ATL listens");
    assert!(without.points.len() < whole.points.len());
    assert!(protocols(&without).iter().all(|name| name.starts_with("tcp-atl")), "{without:?}");
    assert!(without.points.iter().flat_map(|p| &p.setup.links).all(|link| !link.wireless));
    assert_eq!(without.without, Some(Ablation::LinkReports));
    assert_ne!(without.hash, whole.hash);
    assert_eq!(without.seeds, whole.seeds);
}

#[test]
fn without_its_recovery_a_tcp_has_newrenos() {
    let whole = scenario("showcase/handover-contest");
    let without = Ablation::Recovery.of(&whole).expect("it is on SACK or RACK");
    for flow in without.points.iter().flat_map(|point| &point.setup.flows) {
        assert_eq!(flow.protocol.tcp().map(|tcp| tcp.recovery), Some(Recovery::NewReno));
    }
}

#[test]
fn without_probing_a_mobile_starts_afresh() {
    let whole = scenario("showcase/handover-contest");
    let without = Ablation::Probing.of(&whole).expect("one of its rivals probes");
    assert_eq!(without.points.len(), 2, "one rival of each controller probes");
    let moved = |flow: &&atl_engine::setup::FlowSetup| flow.mobile.is_some();
    let mut flows = without.points.iter().flat_map(|point| &point.setup.flows).filter(moved);
    assert!(flows.all(|flow| flow.protocol.new_path == NewPath::Reset));
    assert!(Ablation::Probing.of(&scenario("showcase/roaming")).is_none(), "nobody probes there");
}

#[test]
fn what_is_left_out_is_part_of_the_hash() {
    let whole = scenario("showcase/handover-contest");
    let hash = |ablation: Ablation| ablation.of(&whole).expect("it has all of them").hash;
    assert_ne!(hash(Ablation::Recovery), hash(Ablation::Probing));
}
