//! The bounds of every parameter: each bound itself, what is just inside and just outside of it,
//! the infinities and NaN. An error names its parameter.

use std::fmt::Debug;

use atl_core::window::atl::{self, robust};
use atl_core::window::{
    BuildController, ControllerConfig, bbr3, cubic, dctcp, fixed, pad, peach, peach_plus, prague,
    reno, residual, resume, vegas, westwood, wtcp,
};

use crate::support::course::{Course, Losses, trajectory};

/// One end of a range.
#[derive(Clone, Copy, Debug)]
enum End {
    /// The bound belongs to the range.
    At(f64),
    /// The bound lies just outside the range.
    Not(f64),
    /// Any finite number is in range.
    Finite,
    /// Any number is in range, also infinity.
    Infinite,
}

use End::{At, Finite, Infinite, Not};

/// The values next to a bound: the last in the range, and the first out of it.
fn next_to(end: End, outward: f64) -> (f64, f64) {
    let out = |x: f64| if outward > 0.0 { x.next_up() } else { x.next_down() };
    let back = |x: f64| if outward > 0.0 { x.next_down() } else { x.next_up() };
    match end {
        At(bound) => (bound, out(bound)),
        Not(bound) => (back(bound), bound),
        Finite => (outward * f64::MAX, outward * f64::INFINITY),
        Infinite => (outward * f64::INFINITY, f64::NAN),
    }
}

/// Any parameter's range, by the answers of `check` to its values.
#[track_caller]
fn holds<V: Copy + Debug>(
    name: &str,
    check: impl Fn(V) -> Result<(), &'static str>,
    inside: &[V],
    outside: &[V],
) {
    for value in inside {
        assert_eq!(check(*value), Ok(()), "{name} = {value:?}");
    }
    for value in outside {
        let error = check(*value).expect_err(&format!("{name} = {value:?}"));
        let blamed = error.split(" must").next().unwrap_or_default();
        assert!(blamed.split(' ').any(|word| word == name), "{name} = {value:?}: {error}");
    }
}

#[track_caller]
fn range(name: &str, low: End, high: End, check: impl Fn(f64) -> Result<(), &'static str>) {
    let ((least, below), (most, above)) = (next_to(low, -1.0), next_to(high, 1.0));
    let mut outside = vec![below, above, f64::NAN, f64::NEG_INFINITY];
    if !matches!(high, Infinite) {
        outside.push(f64::INFINITY);
    }
    holds(name, check, &[least, most], &outside);
}

/// A range of whole numbers.
#[track_caller]
fn whole(name: &str, low: u32, high: u32, check: impl Fn(u32) -> Result<(), &'static str>) {
    let outside: Vec<u32> = low.checked_sub(1).into_iter().chain(high.checked_add(1)).collect();
    holds(name, check, &[low, high], &outside);
}

/// The answer of `check` with another value of one field.
macro_rules! check {
    ($of:expr, $field:ident) => {
        |value| {
            let of = $of;
            let mut config = of();
            config.$field = value;
            config.check()
        }
    };
}

#[test]
fn residual() {
    let of = residual::Config::default;
    range("backlog", At(0.0), Finite, check!(of, backlog));
    range("least-backlog", At(0.5), Finite, check!(of, least_backlog));
    range("cubic", Not(0.0), Finite, check!(of, cubic));
    range("beta", At(0.5), Not(1.0), check!(of, beta));
    range("loss-threshold", At(0.0), At(1.0), check!(of, loss_threshold));
    range("sigmas", At(0.0), Finite, check!(of, sigmas));
    range("drain-every", Not(0.0), Finite, check!(of, drain_every));
    range("claim-factor", At(1.0), Finite, check!(of, claim_factor));
    range("claim-margin", At(0.0), At(1.0), check!(of, claim_margin));
    range("claim-limit", At(0.0), At(1.0), check!(of, claim_limit));
}

#[test]
fn tcp_atl() {
    let of = atl::Config::default;
    let some = |check: fn(Option<f64>) -> Result<(), &'static str>| move |x| check(Some(x));
    range("beta", Not(0.0), Not(1.0), some(check!(atl::Config::default, beta)));
    range("spared-beta", Not(0.0), Not(1.0), some(check!(atl::Config::default, spared_beta)));
    range("window-srtts", Not(0.0), Finite, check!(of, window_srtts));
    range("rtt-floor", Not(0.0), Finite, check!(of, rtt_floor));
    range("claim-gain", At(1.0), Finite, check!(of, claim_gain));
    range("claim-age", Not(0.0), Finite, some(check!(atl::Config::default, claim_age)));
    let none = atl::Config { beta: None, spared_beta: None, claim_age: None, ..of() };
    assert_eq!(none.check(), Ok(()));
}

#[test]
fn robust() {
    let of = robust::Config::default;
    let some = |check: fn(Option<f64>) -> Result<(), &'static str>| move |x| check(Some(x));
    range("cubic", Not(0.0), Finite, check!(of, cubic));
    let wide = || robust::Config { largest_beta: 1.0f64.next_down(), ..of() };
    range("least-beta", At(0.5), Not(1.0), check!(wide, least_beta));
    range("largest-beta", At(0.7), Not(1.0), check!(of, largest_beta));
    range("queue-share", At(0.0), Finite, some(check!(robust::Config::default, queue_share)));
    range("least-queue", At(0.0), Finite, check!(of, least_queue));
    range("pace", At(1.0), Finite, some(check!(robust::Config::default, pace)));
    range("start-pace", At(1.0), Finite, check!(of, start_pace));
    range("window-srtts", Not(0.0), Finite, check!(of, window_srtts));
    range("claim-gain", At(1.0), Finite, check!(of, claim_gain));
    range("claim-age", Not(0.0), Finite, some(check!(robust::Config::default, claim_age)));
    let none = robust::Config { queue_share: None, pace: None, claim_age: None, ..of() };
    assert_eq!(none.check(), Ok(()));
}

#[test]
fn reno_westwood_and_vegas() {
    range("alpha", At(0.0), Finite, check!(reno::Config::default, alpha));
    range("beta", Not(0.0), Not(1.0), check!(reno::Config::default, beta));
    range("ecn-beta", Not(0.0), Not(1.0), check!(reno::Config::default, ecn_beta));
    range("tau", At(0.001), Finite, check!(westwood::Config::default, tau));
    whole("m", 1, 10, check!(westwood::Config::default, m));
    let of = || vegas::Config { beta: f64::MAX, ..vegas::Config::default() };
    range("alpha", At(0.0), Finite, check!(of, alpha));
    range("beta", At(2.0), Finite, check!(vegas::Config::default, beta));
    range("gamma", At(0.0), Finite, check!(of, gamma));
    range("after-loss", Not(0.0), Not(1.0), check!(of, after_loss));
}

#[test]
fn cubic_and_bbr3() {
    range("c", Not(0.0), Finite, check!(cubic::Config::default, c));
    range("beta", At(0.5), Not(1.0), check!(cubic::Config::default, beta));
    range("ecn-beta", At(0.5), Not(1.0), check!(cubic::Config::default, ecn_beta));
    let of = bbr3::Config::default;
    range("drain-gain", Not(0.0), At(1.0), check!(of, drain_gain));
    range("loss-threshold", At(0.0), Not(1.0), check!(of, loss_threshold));
    range("probe-rtt-interval", Not(0.0), Finite, check!(of, probe_rtt_interval));
    whole("loss-ranges", 1, u32::MAX, check!(of, loss_ranges));
}

#[test]
fn prague_and_dctcp() {
    range("gain", Not(0.0), At(1.0), check!(dctcp::Config::default, gain));
    let of = prague::Config::default;
    range("gain", Not(0.0), At(1.0), check!(of, gain));
    range("reference-rtt-s", At(0.0), At(1.0), check!(of, reference_rtt_s));
    range("beta", At(0.5), Not(1.0), check!(of, beta));
}

#[test]
fn wtcp() {
    let of = wtcp::Config::default;
    range("decrease", Not(0.0), Not(1.0), check!(of, decrease));
    range("increase", Not(0.0), At(1000.0), check!(of, increase));
    whole("long-packets", 2, 10_000, check!(of, long_packets));
    whole("short-packets", 2, 10_000, check!(of, short_packets));
    range("tolerance", Not(0.0), At(1.0), check!(of, tolerance));
    range("short-tolerance", Not(0.0), At(1.0), check!(of, short_tolerance));
    whole("loss-block", 8, 100_000, check!(of, loss_block));
    range("loss-deviations", At(0.0), At(100.0), check!(of, loss_deviations));
    range("guard", At(1.0), At(1000.0), check!(of, guard));
    range("min-rate", Not(0.0), At(1e6), check!(of, min_rate));
    range("min-rate", At(1.0), At(1e9), check!(of, max_rate));
}

#[test]
fn windows_and_wrappers() {
    whole("window", 1, 1_000_000_000, check!(|| fixed::Config { window: 1 }, window));
    whole("start-window", 1, 10_000, check!(peach::Config::default, start_window));
    whole("start-window", 1, 10_000, |start_window| {
        peach_plus::Config(peach::Config { start_window, ..Default::default() }).check()
    });
    let inner = || ControllerConfig::from(reno::Config::default());
    whole("target", 1, 10_000, check!(|| pad::Config::new(inner()), target));
    whole("budget", 0, 1_000_000, check!(|| pad::Config::new(inner()), budget));
    range("jump", At(1.0), Infinite, check!(|| resume::Config::new(inner()), most));
    let odd = || ControllerConfig::from(reno::Config { beta: 1.0, ..Default::default() });
    assert!(pad::Config::new(odd()).check().is_err_and(|error| error.contains("beta")));
    assert!(resume::Config::new(odd()).check().is_err_and(|error| error.contains("beta")));
}

/// A lossy path, marks and a rival: here nearly every parameter makes a difference.
fn course() -> Course {
    Course {
        losses: Losses::Each(4000),
        mark_at: Some(12),
        rival: Some((2000, 6000)),
        ..Course::PLAIN
    }
}

/// The values of a parameter out of its range, which a controller replaces by the default's.
#[track_caller]
fn replaced<C: BuildController + PartialEq>(
    odd: impl IntoIterator<Item = C>,
    edge: impl IntoIterator<Item = C>,
    default: C,
) {
    let default = trajectory(&default.into(), &course());
    for odd in odd.into_iter().map(ControllerConfig::from) {
        assert!(odd.check().is_err(), "{odd:?}");
        assert_eq!(trajectory(&odd, &course()), default, "{odd:?}");
    }
    for edge in edge.into_iter().map(ControllerConfig::from) {
        assert_eq!(edge.check(), Ok(()), "{edge:?}");
        assert_ne!(trajectory(&edge, &course()), default, "{edge:?}");
    }
}

#[test]
fn cubic_replaces_what_it_cannot_use() {
    let of = cubic::Config::default;
    let c = |c| cubic::Config { c, ..of() };
    let beta = |beta| cubic::Config { beta, ..of() };
    let ecn_beta = |ecn_beta| cubic::Config { ecn_beta, ..of() };
    replaced(
        [0.0, -1.0, f64::INFINITY, f64::NAN].map(c).into_iter().chain(
            [0.49, 1.0, f64::NAN].into_iter().flat_map(|share| [beta(share), ecn_beta(share)]),
        ),
        [c(1e-9), beta(0.5), ecn_beta(0.5), beta(0.99), ecn_beta(0.99)],
        of(),
    );
}

#[test]
fn bbr3_replaces_what_it_cannot_use() {
    let of = bbr3::Config::default;
    let drain_gain = |drain_gain| bbr3::Config { drain_gain, ..of() };
    let loss_threshold = |loss_threshold| bbr3::Config { loss_threshold, ..of() };
    let interval = |probe_rtt_interval| bbr3::Config { probe_rtt_interval, ..of() };
    let odd = [
        drain_gain(0.0),
        drain_gain(1.01),
        drain_gain(f64::NAN),
        loss_threshold(-0.01),
        loss_threshold(1.0),
        loss_threshold(f64::NAN),
        bbr3::Config { loss_ranges: 0, ..of() },
        interval(0.0),
        interval(f64::INFINITY),
        interval(f64::NAN),
    ];
    let edge = [drain_gain(0.01), drain_gain(1.0), loss_threshold(0.0), interval(0.5)];
    replaced(odd, edge, of());
}

#[test]
fn prague_dctcp_and_vegas_take_the_defaults_for_what_they_cannot_use() {
    let of = prague::Config::default;
    let odd = [
        prague::Config { gain: 0.0, ..of() },
        prague::Config { reference_rtt_s: 1.5, ..of() },
        prague::Config { beta: 1.0, gain: 0.5, ..of() },
    ];
    replaced(odd, [prague::Config { gain: 1.0, ..of() }], of());
    let gain = |gain| dctcp::Config { gain };
    replaced([0.0, 1.5, f64::NAN].map(gain), [gain(1.0)], dctcp::Config::default());
    let of = vegas::Config::default;
    let odd = [
        vegas::Config { alpha: -1.0, ..of() },
        vegas::Config { beta: 1.0, gamma: 5.0, ..of() },
        vegas::Config { beta: f64::NAN, gamma: 5.0, ..of() },
        vegas::Config { gamma: f64::INFINITY, ..of() },
        vegas::Config { after_loss: 1.0, ..of() },
    ];
    replaced(odd, [vegas::Config { alpha: 0.0, ..of() }], of());
}
