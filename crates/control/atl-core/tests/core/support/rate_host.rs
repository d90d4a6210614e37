//! Every rate controller to try.

use atl_core::model::RateForm;
use atl_core::path::WirelessLoss;
use atl_core::rate::{RateConfig, aimd, arc, lda, nada, rap, rcp_atl, rcs, tfrc};
use atl_engine::protocol::Transport;
use atl_scenario::protocol::catalogue;

/// Every registered controller, and variants true to their sources: all of these must recover.
pub(crate) fn plain() -> Vec<RateConfig> {
    let registered = catalogue().iter().filter_map(|listed| {
        match atl_scenario::protocol::named(listed.name).expect("listed").transport {
            Transport::Paced(config) => Some(config),
            Transport::Tcp(_) | Transport::Quic(_) => None,
        }
    });
    // The literal RCS halves its rate for each loss of an event, and so does not recover on every
    // path.
    let literal = rcs::Config { reading: rcs::Reading::Literal };
    registered.filter(|config| config.get() != Some(&literal)).chain(variants()).collect()
}

fn variants() -> Vec<RateConfig> {
    vec![
        RateConfig::from(aimd::Config { alpha: Some(2.0), beta: 0.8, ..aimd::Config::default() }),
        RateConfig::from(aimd::Config {
            growth: aimd::Growth::Continuous,
            ..aimd::Config::default()
        }),
        RateConfig::from(lda::Config {
            interval: 1.0,
            below_model: lda::BelowModel::Leaps,
            ..lda::Config::default()
        }),
        RateConfig::from(rcp_atl::Config {
            beta: Some(0.7),
            form: RateForm::HalfRound,
            wireless_loss: WirelessLoss::Report,
            cap_at_target: true,
            check_claims: false,
            ..rcp_atl::Config::default()
        }),
        RateConfig::from(tfrc::Config {
            reduce_oscillations: true,
            history_discounting: false,
            min_rto: 1.0,
            ..tfrc::Config::default()
        }),
        RateConfig::from(rap::Config { fine_grain: true, gain: 0.125, ..rap::Config::default() }),
        RateConfig::from(arc::Config {
            count: arc::Counting::Events,
            wireless_loss: WirelessLoss::Report,
            ..arc::Config::default()
        }),
    ]
}

/// The same with parameters that no scenario may have, or that are of no use.
pub(crate) fn wild() -> Vec<RateConfig> {
    vec![
        RateConfig::from(aimd::Config {
            packets: f64::NAN,
            alpha: None,
            beta: 7.0,
            initial: Some(f64::INFINITY),
            growth: aimd::Growth::Continuous,
        }),
        RateConfig::from(aimd::Config { packets: 1e300, ..aimd::Config::default() }),
        RateConfig::from(aimd::Config { alpha: Some(1e-300), ..aimd::Config::default() }),
        RateConfig::from(lda::Config {
            interval: f64::NAN,
            increment: f64::INFINITY,
            below_model: lda::BelowModel::Stays,
            bottleneck: Some(-1.0),
            initial: Some(f64::NAN),
        }),
        RateConfig::from(lda::Config { bottleneck: Some(1e-300), ..lda::Config::default() }),
        RateConfig::from(rcp_atl::Config {
            beta: Some(f64::NAN),
            window_rtts: f64::INFINITY,
            window_packets: u32::MAX,
            floor_packets: 0,
            rtt_floor: f64::NAN,
            claim_age: Some(-1.0),
            claim_gain: f64::NAN,
            initial: Some(f64::NAN),
            ..rcp_atl::Config::default()
        }),
        RateConfig::from(nada::Config {
            tau: 0.0,
            delta: f64::NAN,
            logwin: f64::NAN,
            qth: 0.0,
            plrref: 0.0,
            initial: Some(f64::NAN),
            ..nada::Config::default()
        }),
        RateConfig::from(nada::Config {
            kappa: f64::INFINITY,
            xref: 1e300,
            ..nada::Config::default()
        }),
        RateConfig::from(tfrc::Config {
            rtt_weight: f64::NAN,
            intervals: u32::MAX,
            ..tfrc::Config::default()
        }),
        RateConfig::from(tfrc::Config {
            rtt_weight: 0.0,
            packets_per_ack: 100.0,
            initial_window: Some(1000.0),
            reduce_oscillations: true,
            root_weight: 0.999,
            intervals: 1,
            least_discount: 1e-300,
            ..tfrc::Config::default()
        }),
        RateConfig::from(rap::Config {
            alpha: f64::NAN,
            beta: -1.0,
            initial_rtt: 0.0,
            gain: f64::INFINITY,
            fine_grain: true,
        }),
        RateConfig::from(rap::Config {
            alpha: 1e300,
            initial_rtt: 1e300,
            ..rap::Config::default()
        }),
        // An overrun of the queue takes all its rate, so that alone it never fills a link for long.
        RateConfig::from(rcs::Config { reading: rcs::Reading::Literal }),
        RateConfig::from(arc::Config {
            quiet_rtts: f64::NAN,
            probe_rate: Some(1e300),
            claim_gain: f64::NAN,
            claim_age: None,
            ..arc::Config::default()
        }),
        RateConfig::from(arc::Config {
            quiet_rtts: -1.0,
            probe_rate: Some(1e-300),
            claim_gain: f64::INFINITY,
            claim_age: Some(f64::NAN),
            ..arc::Config::default()
        }),
    ]
}

/// All controllers of both lists.
pub(crate) fn configs() -> Vec<RateConfig> {
    [plain(), wild()].concat()
}
