//! TCP-ATL and the robust TCP-ATL with other options: sources of p_w, checks of claims, pace.

use atl_core::model::TimeoutTerm;
use atl_core::path::WirelessLoss;
use atl_core::window::atl::{self, robust};
use atl_core::window::{BuildController, Counting, Halving};

use super::{courses, hold};

/// Losses of every kind, and words about them.
const FEW: &[&str] = &[
    "plain",
    "fast",
    "stretch ACKs",
    "access",
    "losses",
    "marked losses",
    "marked runs",
    "dead",
    "jitter",
    "rival",
    "rival, told",
    "rival, marked",
    "marked moves",
    "dead again",
    "slowest",
    "own report",
    "own, marked",
    "claims",
    "lies",
    "told delay",
    "own handoff",
    "its handoffs",
];

#[track_caller]
fn with<C: BuildController + PartialEq>(name: &str, config: C) {
    hold(name, config, courses::named(FEW));
}

#[test]
fn tcp_atl_by_reports() {
    let config = atl::Config {
        wireless_loss: WirelessLoss::Report,
        timeouts: TimeoutTerm::Bounded,
        halving: Halving::Flight,
        counting: Counting::Acks,
        ..Default::default()
    };
    with("tcp-atl-reports", config);
}

#[test]
fn tcp_atl_by_marks() {
    let config = atl::Config {
        wireless_loss: WirelessLoss::Marks,
        window_srtts: 3.0,
        window_packets: 200,
        restart_packets: 60,
        beta: Some(0.6),
        cap_at_access_rate: false,
        ..Default::default()
    };
    with("tcp-atl-marks", config);
}

#[test]
fn tcp_atl_that_believes() {
    with("tcp-atl-unchecked", atl::Config { check_claims: false, ..Default::default() });
    let config = atl::Config { claim_evidence: false, claim_gain: 2.0, ..Default::default() };
    with("tcp-atl-gain", config);
    with("tcp-atl-age", atl::Config { claim_age: Some(1.0), ..atl::Config::sparing() });
    with("tcp-atl-floor", atl::Config { rtt_floor: 0.05, claim_age: None, ..Default::default() });
}

#[test]
fn robust_without_pace() {
    with("robust-unpaced", robust::Config { pace: None, ..Default::default() });
    let config =
        robust::Config { pace_at_access_rate: false, start_pace: 1.0, ..Default::default() };
    with("robust-no-access", config);
}

#[test]
fn robust_queues() {
    with("robust-any-queue", robust::Config { queue_share: None, ..Default::default() });
    let config =
        robust::Config { queue_share: Some(0.25), least_queue: 0.012, ..Default::default() };
    with("robust-short-queue", config);
    let config = robust::Config { least_queue: 0.0, cubic: 2.0, ..Default::default() };
    with("robust-no-least", config);
}

#[test]
fn robust_reductions() {
    let config = robust::Config { least_beta: 0.5, largest_beta: 0.95, ..Default::default() };
    with("robust-betas", config);
    with("robust-acks", robust::Config { counting: Counting::Acks, ..Default::default() });
    let config = robust::Config {
        wireless_loss: WirelessLoss::Report,
        window_srtts: 4.0,
        window_packets: 100,
        restart_packets: 40,
        ..Default::default()
    };
    with("robust-reports", config);
    let config = robust::Config { check_claims: false, claim_age: Some(2.0), ..Default::default() };
    with("robust-unchecked", config);
}
