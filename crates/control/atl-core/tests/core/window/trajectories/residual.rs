//! Residual without each of its inputs, and with other parameters.

use atl_core::window::residual::Config;

use super::{courses, hold};

#[track_caller]
fn everywhere(name: &str, config: Config) {
    hold(&format!("residual-{name}"), config, courses::all());
}

#[test]
fn without_reports_of_losses() {
    everywhere("no-loss", Config { use_loss: false, ..Config::default() });
}

#[test]
fn without_marks_of_the_mac() {
    everywhere("no-marks", Config { use_marks: false, ..Config::default() });
}

#[test]
fn without_reports_of_delays() {
    everywhere("no-delay", Config { use_delay: false, ..Config::default() });
}

#[test]
fn without_the_access_links_rate() {
    everywhere("no-rate", Config { use_rate: false, ..Config::default() });
}

#[test]
fn without_inference() {
    everywhere("no-infer", Config { infer: false, ..Config::default() });
}

#[test]
fn with_nothing_but_the_window() {
    let config = Config {
        use_loss: false,
        use_marks: false,
        use_delay: false,
        use_rate: false,
        infer: false,
        ..Config::default()
    };
    everywhere("blind", config);
}

#[test]
fn that_believes_more() {
    let config =
        Config { claim_factor: 3.0, claim_margin: 0.02, claim_limit: 0.3, ..Config::default() };
    everywhere("believing", config);
}

#[test]
fn with_other_parameters() {
    let config = Config {
        backlog: 0.5,
        least_backlog: 4.0,
        cubic: 1.0,
        beta: 0.6,
        loss_threshold: 0.05,
        sigmas: 1.0,
        drain_every: 1.0,
        ..Config::default()
    };
    everywhere("other", config);
}

#[test]
fn with_a_short_backlog() {
    let config = Config {
        backlog: 0.0,
        least_backlog: 0.5,
        loss_threshold: 0.0,
        sigmas: 5.0,
        drain_every: 6.0,
        ..Config::default()
    };
    everywhere("short", config);
}
