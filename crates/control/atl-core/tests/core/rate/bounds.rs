//! The range of each parameter of each rate controller: its ends, what lies just beyond them, and
//! what is no number.

use atl_core::rate::{BuildRateController, aimd, arc, lda, nada, rap, rcp_atl, tfrc};

/// Allowed values of a parameter, and values that are not.
struct Range {
    allowed: Vec<f64>,
    refused: Vec<f64>,
}

const INFINITE: [f64; 3] = [f64::INFINITY, f64::NEG_INFINITY, f64::NAN];

fn range(allowed: &[f64], refused: &[f64]) -> Range {
    Range { allowed: allowed.to_vec(), refused: [refused, &INFINITE].concat() }
}

/// Greater than zero, and finite.
fn positive() -> Range {
    range(&[f64::MIN_POSITIVE, 0.5, 1.5, f64::MAX], &[0.0, -0.0, -f64::MIN_POSITIVE, -1.0])
}

fn not_negative() -> Range {
    range(&[0.0, -0.0, 0.5, 1.5, f64::MAX], &[-f64::MIN_POSITIVE, -1.0])
}

fn from_to(least: f64, most: f64) -> Range {
    let middle = (least + most) / 2.0;
    range(&[least, middle, most], &[least.next_down(), most.next_up()])
}

/// The ends are not allowed.
fn between(least: f64, most: f64) -> Range {
    range(&[least.next_up(), most.next_down()], &[least, least.next_down(), most, most.next_up()])
}

fn above_up_to(least: f64, most: f64) -> Range {
    range(&[least.next_up(), most], &[least, least.next_down(), most.next_up()])
}

fn from_up_to_below(least: f64, most: f64) -> Range {
    range(&[least, most.next_down()], &[least.next_down(), most, most.next_up()])
}

/// Tries a parameter, whose name the refusal begins with.
fn holds<C: BuildRateController>(name: &str, range: &Range, with: impl Fn(f64) -> C) {
    for value in &range.allowed {
        assert_eq!(with(*value).check(), Ok(()), "{name} {value:e}");
    }
    for value in &range.refused {
        let error = with(*value).check().expect_err(name);
        assert!(error.starts_with(&format!("{name} must ")), "{name} {value:e}: {error}");
    }
}

#[test]
fn of_aimd() {
    use aimd::Config;
    let standard = Config::default();
    holds("packets", &positive(), |packets| Config { packets, ..standard });
    holds("alpha", &positive(), |x| Config { alpha: Some(x), ..standard });
    holds("beta", &between(0.0, 1.0), |beta| Config { beta, ..standard });
    holds("initial", &positive(), |x| Config { initial: Some(x), ..standard });
}

#[test]
fn of_rap() {
    use rap::Config;
    let standard = Config::default();
    holds("alpha", &positive(), |alpha| Config { alpha, ..standard });
    holds("beta", &between(0.0, 1.0), |beta| Config { beta, ..standard });
    holds("initial-rtt", &from_to(1e-6, 3600.0), |x| Config { initial_rtt: x, ..standard });
    holds("gain", &above_up_to(0.0, 1.0), |gain| Config { gain, ..standard });
}

#[test]
fn of_arc() {
    use arc::Config;
    let standard = Config::default();
    holds("quiet-rtts", &positive(), |quiet_rtts| Config { quiet_rtts, ..standard });
    holds("probe-rate", &positive(), |x| Config { probe_rate: Some(x), ..standard });
    let gain = range(&[1.0, 1.0f64.next_up(), f64::MAX], &[1.0f64.next_down(), 0.0, -2.0]);
    holds("claim-gain", &gain, |claim_gain| Config { claim_gain, ..standard });
    holds("claim-age", &positive(), |x| Config { claim_age: Some(x), ..standard });
    assert_eq!(Config { claim_age: None, ..standard }.check(), Ok(()));
}

#[test]
fn of_rcp_atl() {
    use rcp_atl::Config;
    let standard = Config::default();
    holds("beta", &between(0.0, 1.0), |x| Config { beta: Some(x), ..standard });
    holds("window-rtts", &positive(), |window_rtts| Config { window_rtts, ..standard });
    holds("rtt-floor", &positive(), |rtt_floor| Config { rtt_floor, ..standard });
    let gain = range(&[1.0, 1.0f64.next_up(), f64::MAX], &[1.0f64.next_down(), 0.0, -2.0]);
    holds("claim-gain", &gain, |claim_gain| Config { claim_gain, ..standard });
    holds("claim-age", &positive(), |x| Config { claim_age: Some(x), ..standard });
    holds("initial", &positive(), |x| Config { initial: Some(x), ..standard });
    let floor = |floor_packets| Config { floor_packets, ..standard }.check();
    assert_eq!(floor(0), Err("floor-packets must be at least 1"));
    assert_eq!([1, 2, u32::MAX].map(floor), [Ok(()); 3]);
}

#[test]
fn of_lda() {
    use lda::Config;
    let standard = Config::default();
    holds("interval", &from_to(0.01, 60.0), |interval| Config { interval, ..standard });
    holds("increment", &positive(), |increment| Config { increment, ..standard });
    holds("bottleneck", &positive(), |x| Config { bottleneck: Some(x), ..standard });
    holds("initial", &positive(), |x| Config { initial: Some(x), ..standard });
}

#[test]
fn of_nada() {
    use nada::Config;
    let standard = Config::default();
    holds("prio", &positive(), |prio| Config { prio, ..standard });
    holds("rmin", &not_negative(), |rmin| Config { rmin, ..standard });
    holds("xref", &positive(), |xref| Config { xref, ..standard });
    holds("kappa", &positive(), |kappa| Config { kappa, ..standard });
    holds("eta", &not_negative(), |eta| Config { eta, ..standard });
    holds("tau", &positive(), |tau| Config { tau, ..standard });
    holds("delta", &from_to(1.0, 1000.0), |delta| Config { delta, ..standard });
    holds("logwin", &from_to(10.0, 60_000.0), |logwin| Config { logwin, ..standard });
    holds("qeps", &not_negative(), |qeps| Config { qeps, ..standard });
    holds("dfilt", &not_negative(), |dfilt| Config { dfilt, ..standard });
    holds("gamma-max", &positive(), |gamma_max| Config { gamma_max, ..standard });
    holds("qbound", &positive(), |qbound| Config { qbound, ..standard });
    holds("multiloss", &not_negative(), |multiloss| Config { multiloss, ..standard });
    holds("qth", &positive(), |qth| Config { qth, ..standard });
    holds("lambda", &not_negative(), |lambda| Config { lambda, ..standard });
    holds("plrref", &positive(), |plrref| Config { plrref, ..standard });
    holds("pmrref", &positive(), |pmrref| Config { pmrref, ..standard });
    holds("dmark", &not_negative(), |dmark| Config { dmark, ..standard });
    holds("dloss", &not_negative(), |dloss| Config { dloss, ..standard });
    holds("alpha", &above_up_to(0.0, 1.0), |alpha| Config { alpha, ..standard });
    holds("xmax", &positive(), |xmax| Config { xmax, ..standard });
    holds("base-window", &positive(), |base_window| Config { base_window, ..standard });
    holds("initial", &positive(), |x| Config { initial: Some(x), ..standard });
}

#[test]
fn of_tfrc() {
    use tfrc::Config;
    let standard = Config::default();
    let weight = from_up_to_below(0.0, 1.0);
    holds("rtt-weight", &weight, |rtt_weight| Config { rtt_weight, ..standard });
    holds("packets-per-ack", &from_to(1.0, 100.0), |x| Config { packets_per_ack: x, ..standard });
    holds("min-rto", &from_to(0.0, 60.0), |min_rto| Config { min_rto, ..standard });
    let window = above_up_to(0.0, 1000.0);
    holds("initial-window", &window, |x| Config { initial_window: Some(x), ..standard });
    holds("root-weight", &weight, |root_weight| Config { root_weight, ..standard });
    let discount = above_up_to(0.0, 1.0);
    holds("least-discount", &discount, |least_discount| Config { least_discount, ..standard });
    let intervals = |intervals| Config { intervals, ..standard }.check().is_ok();
    assert_eq!([0, 1, 16, 17, u32::MAX].map(intervals), [false, true, true, false, false]);
}
