//! Other options of the controllers than those by default, each where it makes a difference.

use atl_core::window::{
    BuildController, Counting, Halving, bbr3, cubic, dctcp, peach, peach_plus, prague, reno, tahoe,
    vegas, westwood, wtcp,
};

use super::{courses, hold};

/// Enough to tell one increase, one reduction and one start from another.
const FEW: &[&str] = &[
    "plain",
    "slow",
    "two packets",
    "delayed ACKs",
    "stretch ACKs",
    "idle",
    "losses",
    "runs",
    "dead",
    "jitter",
    "rate falls",
    "rival",
    "late marks",
    "quenches",
];

#[track_caller]
fn with<C: BuildController + PartialEq>(name: &str, config: C) {
    hold(name, config, courses::named(FEW));
}

#[test]
fn reno() {
    let halving = Halving::Flight;
    with("reno-acks", reno::Config { counting: Counting::Acks, ..Default::default() });
    with("reno-flight", reno::Config { halving, ..Default::default() });
    with("reno-gentle", reno::Config { alpha: 0.2, beta: 0.875, ..Default::default() });
    with("reno-abe", reno::Config { ecn_beta: 0.8, ..Default::default() });
    with("tahoe-acks", tahoe::Config { halving, counting: Counting::Acks });
}

#[test]
fn westwood() {
    with("westwood-acks", westwood::Config { counting: Counting::Acks, ..Default::default() });
    with("westwood-filter", westwood::Config { tau: 0.2, m: 5, ..Default::default() });
}

#[test]
fn vegas() {
    with("vegas-more", vegas::Config { alpha: 4.0, beta: 8.0, gamma: 3.0, ..Default::default() });
    with("vegas-half", vegas::Config { after_loss: 0.5, ..Default::default() });
    with("vegas-acks", vegas::Config { counting: Counting::Acks, ..Default::default() });
}

#[test]
fn peach() {
    let short = peach::Config { start_window: 8, counting: Counting::Acks };
    with("peach-short", short.clone());
    with("peach-plus-short", peach_plus::Config(short));
}

#[test]
fn wtcp() {
    with(
        "wtcp-short",
        wtcp::Config {
            decrease: 0.5,
            increase: 5.0,
            long_packets: 16,
            short_packets: 4,
            tolerance: 0.2,
            loss_block: 40,
            loss_deviations: 2.0,
            guard: 3.0,
            ..Default::default()
        },
    );
    with("wtcp-bounds", wtcp::Config { min_rate: 40.0, max_rate: 300.0, ..Default::default() });
}

#[test]
fn cubic() {
    with("cubic-unpaced", cubic::Config { pacing: false, ..Default::default() });
    with("cubic-slow-start", cubic::Config { hystart: false, ..Default::default() });
    with("cubic-slow", cubic::Config { fast_convergence: false, ..Default::default() });
    with("cubic-steep", cubic::Config { c: 2.0, beta: 0.5, ecn_beta: 0.9, ..Default::default() });
}

#[test]
fn bbr3() {
    with("bbr3-drain", bbr3::Config { drain_gain: 0.35, ..Default::default() });
    with("bbr3-losses", bbr3::Config { loss_threshold: 0.1, loss_ranges: 6, ..Default::default() });
    with("bbr3-looks", bbr3::Config { probe_rtt_interval: 1.5, ..Default::default() });
    let seldom = bbr3::Config { probe_rtt_interval: 7.0, ..Default::default() };
    hold("bbr3-seldom", seldom, courses::named(&["slow", "sway", "delay rises", "rival", "kin"]));
}

#[test]
fn marks() {
    let names = &["plain", "losses", "dead", "marks", "late marks", "all marks", "very late"];
    let hold = |name, config: prague::Config| hold(name, config, courses::named(names));
    hold("prague-gain", prague::Config { gain: 0.25, ..Default::default() });
    hold("prague-rtt", prague::Config { reference_rtt_s: 0.1, beta: 0.7, ..Default::default() });
    hold("prague-own-rtt", prague::Config { reference_rtt_s: 0.0, ..Default::default() });
    super::hold("dctcp-gain", dctcp::Config { gain: 0.5 }, courses::named(names));
}
