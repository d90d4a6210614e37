//! The controllers that noq brings along pass, but for what is said here.

use atl_lab::suite;
use noq_proto::congestion::{CubicConfig, NewRenoConfig};

/// In noq 1.4 both return early for a packet of a recovery period, before they look at persistent congestion.
const EARLY: &str =
    "noq 1.4 returns before it looks at persistent congestion within a recovery period";

#[test]
fn newreno_and_cubic_of_noq_pass_but_for_persistent_congestion_in_a_recovery() {
    let newreno = suite("rfc9002").with(NewRenoConfig::default());
    newreno.known("persistent-in-recovery", EARLY).run();
    suite("rfc9743").with(NewRenoConfig::default()).run();
    let cubic = suite("rfc9002").with(CubicConfig::default());
    cubic.known("persistent-in-recovery", EARLY).run();
    suite("rfc9743").with(CubicConfig::default()).run();
}

#[test]
fn what_is_known_has_to_occur() {
    let reno = suite("rfc9002").with(crate::reno::RenoConfig::default());
    let report = reno.known("persistent-in-recovery", EARLY).check().expect("it runs");
    assert_eq!(report.outdated, ["persistent-in-recovery"]);
    assert!(!report.passed() && report.to_string().contains("take it back"), "{report}");
}
