//! Parameters as overridden by a scenario file.

use atl_core::model::TimeoutTerm;
use atl_core::path::WirelessLoss;
use atl_core::rate::{RateConfig, tfrc};
use atl_core::window::{
    ControllerConfig, Counting, Halving, atl, peach, peach_plus, reno, westwood, wtcp,
};

#[test]
fn what_is_not_named_keeps_its_default() {
    let config: atl::Config = toml::from_str(
        "beta = 0.8\nwindow-packets = 100\nwireless-loss = 'report'\ntimeouts = 'bounded'",
    )
    .expect("valid");
    let expected = atl::Config {
        beta: Some(0.8),
        window_packets: 100,
        wireless_loss: WirelessLoss::Report,
        timeouts: TimeoutTerm::Bounded,
        ..atl::Config::default()
    };
    assert_eq!(config, expected);
    let config: reno::Config = toml::from_str("halving = 'flight'\ncounting = 'acks'").unwrap();
    assert_eq!((config.halving, config.counting), (Halving::Flight, Counting::Acks));
    assert_eq!(toml::from_str::<westwood::Config>("").unwrap(), westwood::Config::default());
}

#[test]
fn an_unknown_parameter_is_an_error_that_names_it() {
    for error in [
        toml::from_str::<reno::Config>("gamma = 1").unwrap_err(),
        toml::from_str::<westwood::Config>("gamma = 1").unwrap_err(),
        toml::from_str::<atl::Config>("gamma = 1").unwrap_err(),
        toml::from_str::<wtcp::Config>("gamma = 1").unwrap_err(),
    ] {
        assert!(error.message().contains("`gamma`"), "{error}");
    }
}

#[test]
fn parameters_keep_their_type_behind_the_common_one() {
    let atl = atl::Config { beta: Some(0.9), ..atl::Config::default() };
    let config = ControllerConfig::from(atl.clone());
    assert_eq!(config.get(), Some(&atl));
    assert_eq!(config.get::<reno::Config>(), None);
    assert_eq!(config, atl.into());
    assert_ne!(config, atl::Config::default().into());
    // The same fields for another controller.
    let peach = peach::Config::default();
    assert_ne!(ControllerConfig::from(peach.clone()), peach_plus::Config(peach).into());
}

#[test]
fn a_rate_controller_is_read_the_same_way() {
    let tfrc: tfrc::Config = toml::from_str("rtt-weight = 0.5\nmin-rto = 1").expect("valid");
    let expected = tfrc::Config { rtt_weight: 0.5, min_rto: 1.0, ..tfrc::Config::default() };
    assert_eq!(RateConfig::from(tfrc).get(), Some(&expected));
    assert_ne!(RateConfig::from(expected), tfrc::Config::default().into());
    let error = toml::from_str::<tfrc::Config>("gamma = 1").unwrap_err();
    assert!(error.message().contains("`gamma`"), "{error}");
}
