//! Each rate controller with its options, and the feedback that it gets.

use atl_core::model::{RateForm, TimeoutTerm};
use atl_core::path::WirelessLoss;
use atl_core::rate::{Counting, FeedbackMode, RateConfig};
use atl_core::rate::{aimd, arc, lda, nada, rap, rcp_atl, rcs, tfrc};
use atl_core::time::Span;

/// A controller with its options.
pub(super) struct Case {
    pub(super) name: &'static str,
    pub(super) config: RateConfig,
    pub(super) mode: FeedbackMode,
}

const ACKS: FeedbackMode = FeedbackMode::Acks;
const OWN: FeedbackMode = FeedbackMode::Own;

fn reports(ms: u64) -> FeedbackMode {
    FeedbackMode::Reports { every: Span::from_millis(ms) }
}

fn case(name: &'static str, config: impl Into<RateConfig>, mode: FeedbackMode) -> Case {
    Case { name, config: config.into(), mode }
}

pub(super) fn aimd() -> Vec<Case> {
    let standard = aimd::Config::default();
    let (initial, growth) = (Some(40.0), aimd::Growth::Continuous);
    vec![
        case("acks", standard, ACKS),
        case("reports", standard, reports(500)),
        case("own", standard, OWN),
        case("alpha", aimd::Config { alpha: Some(2.0), beta: 0.8, initial, ..standard }, ACKS),
        case("continuous", aimd::Config { growth, packets: 2.5, ..standard }, ACKS),
        case("continuous, reports", aimd::Config { growth, ..standard }, reports(300)),
    ]
}

pub(super) fn rap() -> Vec<Case> {
    let standard = rap::Config::default();
    let fine_grain = true;
    vec![
        case("acks", standard, ACKS),
        case("fine grain", rap::Config { fine_grain, ..standard }, ACKS),
        case("slow averages", rap::Config { fine_grain, gain: 0.125, ..standard }, ACKS),
        case("gains", rap::Config { alpha: 2.5, beta: 0.7, gain: 1.0, ..standard }, ACKS),
        case("first RTT", rap::Config { initial_rtt: 0.25, ..standard }, reports(200)),
        case("reports", standard, reports(1000)),
    ]
}

pub(super) fn rcs() -> Vec<Case> {
    let robust = rcs::Config { reading: rcs::Reading::Robust };
    vec![
        case("literal", rcs::Config::default(), ACKS),
        case("robust", robust, ACKS),
        case("robust, reports", robust, reports(400)),
    ]
}

pub(super) fn arc() -> Vec<Case> {
    let standard = arc::Config::default();
    let (marks, report) = (WirelessLoss::Marks, WirelessLoss::Report);
    let (quiet_rtts, probe_rate) = (2.5, Some(60.0));
    vec![
        case("acks", standard, ACKS),
        case("reports", standard, reports(300)),
        case("events", arc::Config { count: Counting::Events, ..standard }, ACKS),
        case("by marks", arc::Config { wireless_loss: marks, quiet_rtts, ..standard }, ACKS),
        case("by report", arc::Config { wireless_loss: report, probe_rate, ..standard }, ACKS),
        case("small claims", arc::Config { claim_gain: 1.25, claim_age: None, ..standard }, ACKS),
        case("short claims", arc::Config { claim_age: Some(0.7), ..standard }, reports(2000)),
    ]
}

pub(super) fn rcp_atl() -> Vec<Case> {
    let standard = rcp_atl::Config::default();
    let form = |form| rcp_atl::Config { form, ..standard };
    let (marks, report) = (WirelessLoss::Marks, WirelessLoss::Report);
    let (check_claims, claim_evidence, cap_at_target) = (false, false, true);
    let (timeouts, initial) = (TimeoutTerm::Bounded, Some(30.0));
    let brief = rcp_atl::Config {
        window_rtts: 2.5,
        window_packets: 12,
        floor_packets: 60,
        restart_packets: 7,
        ..standard
    };
    vec![
        case("acks", standard, ACKS),
        case("reports", standard, reports(700)),
        case("events", rcp_atl::Config { count: Counting::Events, ..standard }, ACKS),
        case("brief window", brief, ACKS),
        case("last round", form(RateForm::LastRound), ACKS),
        case("mended", form(RateForm::Mended), ACKS),
        case("half round", form(RateForm::HalfRound), ACKS),
        case("beta", rcp_atl::Config { beta: Some(0.9), initial, ..standard }, ACKS),
        case("by marks", rcp_atl::Config { wireless_loss: marks, timeouts, ..standard }, ACKS),
        case("by report", rcp_atl::Config { wireless_loss: report, ..standard }, ACKS),
        case("believes", rcp_atl::Config { check_claims, cap_at_target, ..standard }, ACKS),
        case("no evidence", rcp_atl::Config { claim_evidence, claim_age: None, ..standard }, ACKS),
        case(
            "small claims",
            rcp_atl::Config { claim_gain: 1.5, rtt_floor: 0.05, ..standard },
            ACKS,
        ),
    ]
}

pub(super) fn lda() -> Vec<Case> {
    let standard = lda::Config { interval: 1.0, ..lda::Config::default() };
    let below = |below_model| lda::Config { below_model, ..standard };
    vec![
        case("reports of 5 s", lda::Config::default(), reports(5000)),
        case("grows below", standard, OWN),
        case("leaps below", below(lda::BelowModel::Leaps), OWN),
        case("stays below", below(lda::BelowModel::Stays), reports(250)),
        case("acks", standard, ACKS),
        case("quick", lda::Config { interval: 0.2, increment: 9.0, ..standard }, ACKS),
        case("told", lda::Config { bottleneck: Some(90.0), initial: Some(20.0), ..standard }, OWN),
    ]
}

pub(super) fn nada() -> Vec<Case> {
    let standard = nada::Config::default();
    let slow = nada::Config { rmin: 0.0, prio: 0.4, kappa: 0.2, eta: 1.0, tau: 900.0, ..standard };
    let brief = nada::Config {
        logwin: 200.0,
        delta: 20.0,
        dfilt: 30.0,
        base_window: 8.0,
        initial: Some(35.0),
        ..standard
    };
    let warped = nada::Config { qth: 12.0, lambda: 1.5, qeps: 3.0, xmax: 60.0, ..standard };
    let losses = nada::Config {
        multiloss: 1.5,
        plrref: 0.05,
        pmrref: 0.002,
        dmark: 9.0,
        dloss: 40.0,
        alpha: 0.6,
        rmin: 20.0,
        ..standard
    };
    let steps = nada::Config { gamma_max: 0.1, qbound: 300.0, xref: 30.0, rmin: 4.0, ..standard };
    vec![
        case("acks", standard, ACKS),
        case("reports", standard, reports(100)),
        case("slow", slow, ACKS),
        case("brief windows", brief, ACKS),
        case("warped", warped, ACKS),
        case("losses", losses, ACKS),
        case("steps", steps, reports(30)),
    ]
}

pub(super) fn tfrc() -> Vec<Case> {
    let standard = tfrc::Config::default();
    let (history_discounting, reduce_oscillations) = (false, true);
    let damped = tfrc::Config { reduce_oscillations, root_weight: 0.7, ..standard };
    let slow = tfrc::Config { min_rto: 1.0, packets_per_ack: 2.0, rtt_weight: 0.5, ..standard };
    let forgets = tfrc::Config { intervals: 2, least_discount: 0.05, ..standard };
    vec![
        case("own", standard, OWN),
        case("acks", standard, ACKS),
        case("reports", standard, reports(250)),
        case("damped", damped, OWN),
        case("slow", slow, OWN),
        case("forgets", forgets, OWN),
        case("remembers", tfrc::Config { history_discounting, intervals: 16, ..standard }, OWN),
        case("one interval", tfrc::Config { intervals: 1, ..standard }, ACKS),
        case("first window", tfrc::Config { initial_window: Some(9.0), ..standard }, ACKS),
    ]
}
