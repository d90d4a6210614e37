//! Every window controller to try, and what holds of ours beyond what holds of all.

use atl_core::conformance::WindowOperation;
use atl_core::path::WirelessLoss;
use atl_core::window::{
    ControllerConfig, Counting, Halving, atl, bbr3, cubic, fixed, peach, peach_plus, prague, reno,
    residual, resume, tahoe, vegas, westwood, wtcp,
};
use atl_scenario::protocol::catalogue;

/// Every registered controller with its defaults, once each.
fn registered() -> Vec<ControllerConfig> {
    let mut configs: Vec<ControllerConfig> = Vec::new();
    for listed in catalogue() {
        let protocol = atl_scenario::protocol::named(listed.name).expect("listed");
        if let Some(tcp) = protocol.tcp()
            && !configs.contains(&tcp.controller)
        {
            configs.push(tcp.controller.clone());
        }
    }
    configs
}

/// Every controller of the suite: as registered, with other options, and with parameters that no
/// scenario may have.
pub(crate) fn configs() -> Vec<ControllerConfig> {
    registered().into_iter().chain(variants()).collect()
}

fn variants() -> Vec<ControllerConfig> {
    let flight = reno::Config {
        halving: Halving::Flight,
        counting: Counting::Acks,
        ..reno::Config::default()
    };
    let wild = reno::Config { alpha: f64::NAN, beta: 7.0, ..flight };
    let fast = reno::Config { alpha: 1e300, ..reno::Config::default() };
    let short = westwood::Config { tau: 0.0, m: 0, ..westwood::Config::default() };
    let odd = atl::Config {
        beta: Some(f64::NAN),
        window_srtts: f64::INFINITY,
        window_packets: u32::MAX,
        rtt_floor: f64::NAN,
        claim_age: Some(-1.0),
        claim_gain: f64::NAN,
        ..atl::Config::default()
    };
    let report = atl::Config {
        wireless_loss: WirelessLoss::Report,
        timeouts: atl_core::model::TimeoutTerm::Bounded,
        halving: Halving::Flight,
        counting: Counting::Acks,
        ..atl::Config::default()
    };
    let trusting = atl::Config { check_claims: false, ..atl::Config::sparing() };
    let acks = tahoe::Config { halving: Halving::Flight, counting: Counting::Acks };
    let flood = peach::Config { start_window: u32::MAX, ..peach::Config::default() };
    let silent = peach::Config { start_window: 0, ..peach::Config::default() };
    let eager = vegas::Config { alpha: 1e300, beta: 1e300, ..vegas::Config::default() };
    let shy = vegas::Config { alpha: f64::NAN, beta: -1.0, gamma: 0.0, ..vegas::Config::default() };
    vec![
        ControllerConfig::from(flight),
        ControllerConfig::from(wild),
        ControllerConfig::from(fast),
        ControllerConfig::from(short),
        ControllerConfig::from(odd),
        ControllerConfig::from(report),
        ControllerConfig::from(trusting),
        ControllerConfig::from(acks),
        ControllerConfig::from(fixed::Config { window: 0 }),
        ControllerConfig::from(fixed::Config { window: u32::MAX }),
        ControllerConfig::from(flood),
        ControllerConfig::from(peach_plus::Config(silent)),
        ControllerConfig::from(eager),
        ControllerConfig::from(shy),
        // It only observes, and behaves like the controller that it wraps.
        ControllerConfig::from(resume::Config::new(reno::Config::default().into())),
        ControllerConfig::from(cubic::Config { pacing: false, ..cubic::Config::default() }),
        ControllerConfig::from(bbr3::Config { drain_gain: f64::NAN, ..bbr3::Config::default() }),
        ControllerConfig::from(wtcp::Config { max_rate: f64::NAN, ..wtcp::Config::default() }),
    ]
}

/// True if a rate controls, and the window beside it is a guard that an ACK may open at once.
pub(crate) fn paced_by_its_receiver(config: &ControllerConfig) -> bool {
    config.get::<wtcp::Config>().is_some()
}

/// True if the window follows a model of the path, which it may return to at once: after a repair,
/// or a look at the least round-trip time.
pub(crate) fn follows_a_model(config: &ControllerConfig) -> bool {
    config.get::<bbr3::Config>().is_some()
}

/// True if the window is constant.
pub(crate) fn never_moves(config: &ControllerConfig) -> bool {
    config.get::<fixed::Config>().is_some()
}

/// Limit on a window's growth in packets. It takes an ACK outside of recovery while the window
/// limits the sender (two packets an ACK at most, as in slow start); or the ACK of a probe, unless
/// the application is idle; or the receiver's rate. A controller that spares losses of its own link
/// grows also while the transport repairs them.
pub(crate) fn most_growth(
    config: &ControllerConfig,
    operation: &WindowOperation,
    idle: bool,
) -> f64 {
    let spared = config.get::<atl::Config>().is_some_and(|config| config.spare_marked)
        || config.get::<atl::robust::Config>().is_some()
        || config.get::<residual::Config>().is_some();
    match *operation {
        WindowOperation::Acknowledge { delivered, recovery, limited: true, rtt_us, .. }
            if spared || !recovery =>
        {
            // Once, a sixteenth of what the host's access link holds: 250 packets a second.
            let jump = 250.0 / 16.0 * f64::from(rtt_us) * 1e-6;
            let jump = if config.get::<residual::Config>().is_some() { jump } else { 0.0 };
            let paces =
                config.get::<cubic::Config>().is_some() || config.get::<prague::Config>().is_some();
            jump + f64::from(if paces { delivered } else { delivered.min(2) })
        }
        // A model's window opens with all that arrives.
        WindowOperation::Duplicate { sack: true } if config.get::<residual::Config>().is_some() => {
            1.0
        }
        WindowOperation::Probe { .. } if !idle => 1.0,
        WindowOperation::PeerRate { .. } => f64::INFINITY,
        _ => 0.0,
    }
}
