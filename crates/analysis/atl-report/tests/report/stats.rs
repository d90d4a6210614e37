//! Statistics compared with values computed by hand or taken from printed tables.

use atl_report::stats::{
    Estimate, MIN_SEEDS, Spread, Survival, Waited, jain, paired_difference, paired_ratio, quantile,
    t_quantile,
};

fn near(a: f64, b: f64, within: f64) {
    assert!((a - b).abs() <= within, "{a} is not within {within} of {b}");
}

#[test]
fn t_quantiles_agree_with_printed_tables() {
    for (degrees, t) in
        [(1, 12.7062), (2, 4.3027), (4, 2.7764), (9, 2.2622), (29, 2.0452), (120, 1.9799)]
    {
        near(t_quantile(degrees).expect("has degrees of freedom"), t, 6e-5);
    }
    assert_eq!(t_quantile(0), None);
}

#[test]
fn the_interval_of_five_observations_by_hand() {
    // mean 3, s^2 = 10/4, s/sqrt(5) = 0.70711, t(4) = 2.7764
    let e = Estimate::of(&[1.0, 2.0, 3.0, 4.0, 5.0]).expect("observations");
    near(e.mean, 3.0, 1e-12);
    near(e.half_width().expect("an interval"), 1.9632, 1e-4);
    assert_eq!(e.n, 5);
    assert!(e.excludes(5.0) && !e.excludes(4.9));
}

#[test]
fn fewer_than_five_observations_have_a_mean_but_no_interval() {
    for n in 1..MIN_SEEDS {
        let values: Vec<f64> = (0..n).map(|i| 7.0 + i as f64).collect();
        let e = Estimate::of(&values).expect("observations");
        assert_eq!((e.spread, e.low(), e.half_width(), e.n), (Spread::TooFew, None, None, n));
        assert!(!e.excludes(1000.0), "nothing is excluded without an interval");
        let pairs: Vec<(f64, f64)> = values.iter().map(|v| (*v, 1.0)).collect();
        assert_eq!(paired_difference(&pairs).expect("pairs").spread, Spread::TooFew);
        assert_eq!(paired_ratio(&pairs).expect("pairs").spread, Spread::TooFew);
    }
    assert_eq!(Estimate::of(&[]), None);
    assert_eq!(Estimate::of(&[1.0, f64::NAN]), None);
}

#[test]
fn equal_observations_are_the_same_and_have_no_interval() {
    // Adding 0.1 five times and dividing by five does not give 0.1 in floating point.
    let e = Estimate::of(&[0.1; 5]).expect("observations");
    assert_eq!((e.mean, e.spread, e.half_width()), (0.1, Spread::Same, Some(0.0)));
    assert!(e.excludes(0.11) && !e.excludes(0.1));
    assert_eq!(paired_ratio(&[(2.0, 4.0); 5]).expect("pairs").spread, Spread::Same);
    let nothing = [(0.0, 1.0), (0.0, 2.0), (0.0, 1.0), (0.0, 3.0), (0.0, 1.0)];
    assert_eq!(paired_ratio(&nothing).expect("pairs").spread, Spread::Same);
}

#[test]
fn json_says_why_there_is_no_interval() {
    let written = |values: &[f64]| serde_json::to_value(Estimate::of(values)).expect("JSON");
    let few = serde_json::json!({ "mean": 1.5, "low": null, "high": null, "spread": "too-few-seeds", "n": 2, "of": 2 });
    assert_eq!(written(&[1.0, 2.0]), few);
    assert_eq!(written(&[1.0; 6])["spread"], "same");
    let five = written(&[1.0, 2.0, 3.0, 4.0, 5.0]);
    near(five["low"].as_f64().expect("a bound"), 1.0368, 1e-4);
    assert_eq!(five["spread"], "interval");
}

/// Late frames and RTTs from actual runs: two seeds of ten have any.
#[test]
fn an_interval_stays_within_the_bounds() {
    let share = [0.0, 0.0, 0.0, 0.0, 0.21];
    let plain = Estimate::of(&share).expect("observations");
    assert!(plain.low().expect("an interval") < 0.0, "this is what bounds are for");
    let e = Estimate::within(&share, 0.0..=1.0).expect("observations");
    let (low, high) = (e.low().expect("a bound"), e.high().expect("a bound"));
    assert!(0.0 < low && low < e.mean && e.mean < high && high < 1.0, "{e:?}");
    near(e.mean, plain.mean, 1e-15);
    let mirrored: Vec<f64> = share.iter().map(|v| 1.0 - v).collect();
    let m = Estimate::within(&mirrored, 0.0..=1.0).expect("observations");
    near(m.low().expect("a bound"), 1.0 - high, 1e-12);
    near(m.high().expect("a bound"), 1.0 - low, 1e-12);
    let times = Estimate::within(&[0.1, 0.12, 2.5, 0.11, 0.1], 0.0..=f64::INFINITY);
    assert!(times.expect("observations").low().expect("a bound") > 0.0);
    let errors = Estimate::within(&[-0.99, -0.99, -0.98, -0.2, 0.3], -1.0..=f64::INFINITY);
    assert!(errors.expect("observations").low().expect("a bound") > -1.0);
    // Far from the bounds the intervals differ only in the last digits.
    let far = [0.50, 0.51, 0.49, 0.505, 0.495];
    let (plain, e) = (Estimate::of(&far), Estimate::within(&far, 0.0..=1.0));
    near(
        plain.and_then(|e| e.low()).expect("a bound"),
        e.and_then(|e| e.low()).expect("a bound"),
        1e-4,
    );
    // A share above 1 shows a mistake elsewhere, which an interval must not hide.
    assert_eq!(
        Estimate::within(&[1.1, 1.0, 0.9, 1.0, 1.0], 0.0..=1.0),
        Estimate::of(&[1.1, 1.0, 0.9, 1.0, 1.0])
    );
}

/// Pseudorandom numbers between 0 and 1, the same in every test run.
fn uniform(state: &mut u64) -> f64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    ((*state >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
}

/// Share of intervals over `n` draws that contain the true mean.
fn coverage(
    n: usize,
    truth: f64,
    bounds: std::ops::RangeInclusive<f64>,
    draw: fn(f64) -> f64,
) -> f64 {
    let (mut state, trials) = (1, 4000);
    let held = (0..trials).filter(|_| {
        let values: Vec<f64> = (0..n).map(|_| draw(uniform(&mut state))).collect();
        !Estimate::within(&values, bounds.clone()).expect("draws").excludes(truth)
    });
    held.count() as f64 / f64::from(trials)
}

#[test]
fn intervals_hold_the_true_mean_about_as_often_as_they_say() {
    let positive = || 0.0..=f64::INFINITY;
    for n in [5, 10] {
        let uniform = coverage(n, 0.5, 0.0..=1.0, |u| u);
        let exponential = coverage(n, 1.0, positive(), |u| -u.ln());
        // Shares crowded at 0, with a mean of 1/6.
        let crowded = coverage(n, 1.0 / 6.0, 0.0..=1.0, |u| u.powi(5));
        for (name, held) in
            [("uniform", uniform), ("exponential", exponential), ("crowded", crowded)]
        {
            assert!((0.88..=0.985).contains(&held), "{name} of {n}: {held}");
        }
    }
}

#[test]
fn pairing_removes_common_variation() {
    // The seeds differ by far more than the two protocols.
    let pairs = [(11.0, 10.0), (22.0, 21.0), (35.0, 34.0), (12.0, 11.0), (17.0, 16.0)];
    let d = paired_difference(&pairs).expect("pairs");
    assert_eq!((d.mean, d.spread), (1.0, Spread::Same));
}

#[test]
fn the_interval_of_a_ratio_by_hand() {
    // a = 2, 4, 9, 2, 4 over b = 1, 2, 3, 1, 2: r = 21/9;
    // deviations -1/3, -2/3, 2, -1/3, -2/3; squares 5.1111;
    // se = sqrt(5.1111 / (4*5)) / 1.8 = 0.28086; t(4) = 2.77645;
    // h / r = 0.33420; exp(0.33420) = 1.39682
    let r =
        paired_ratio(&[(2.0, 1.0), (4.0, 2.0), (9.0, 3.0), (2.0, 1.0), (4.0, 2.0)]).expect("pairs");
    near(r.mean, 7.0 / 3.0, 1e-12);
    near(r.low().expect("an interval"), 7.0 / 3.0 / 1.39682, 1e-4);
    near(r.high().expect("an interval"), 7.0 / 3.0 * 1.39682, 1e-4);
    assert_eq!(paired_ratio(&[(1.0, 0.0)]), None, "nothing can be said over zero");
}

#[test]
fn jains_index_of_equal_shares_and_of_a_monopoly() {
    near(jain(&[3.0, 3.0, 3.0]).expect("shares"), 1.0, 1e-12);
    near(jain(&[1.0, 0.0, 0.0, 0.0]).expect("shares"), 0.25, 1e-12);
    near(jain(&[1.0, 2.0, 3.0]).expect("shares"), 36.0 / 42.0, 1e-12);
    assert_eq!(jain(&[0.0, 0.0]), None);
    assert_eq!(jain(&[]), None);
}

#[test]
fn quantiles_interpolate() {
    let v = [4.0, 1.0, 3.0, 2.0];
    near(quantile(&v, 0.5).expect("values"), 2.5, 1e-12);
    near(quantile(&v, 0.0).expect("values"), 1.0, 1e-12);
    near(quantile(&v, 1.0).expect("values"), 4.0, 1e-12);
    near(quantile(&v, 0.25).expect("values"), 1.75, 1e-12);
    assert_eq!(quantile(&[], 0.5), None);
}

/// Times of flows by seed, each with whether it ended.
fn survival(times: &[(f64, bool)]) -> Survival {
    let waited = times.iter().enumerate();
    let waited: Vec<Waited> =
        waited.map(|(seed, &(time_s, ended))| Waited { time_s, ended, seed }).collect();
    Survival::of(&waited).expect("observations")
}

#[test]
fn the_kaplan_meier_median_of_a_printed_table() {
    // Remission times of Freireich et al. (1963), the example of most textbooks. With limits on the
    // scale of log(-log) SAS gives 23 [13, -) and 8 [4, 11].
    let (yes, no) = (true, false);
    let drug = [
        (6.0, yes),
        (6.0, yes),
        (6.0, yes),
        (6.0, no),
        (7.0, yes),
        (9.0, no),
        (10.0, yes),
        (10.0, no),
        (11.0, no),
        (13.0, yes),
        (16.0, yes),
        (17.0, no),
        (19.0, no),
        (20.0, no),
        (22.0, yes),
        (23.0, yes),
        (25.0, no),
        (32.0, no),
        (32.0, no),
        (34.0, no),
        (35.0, no),
    ];
    let s = survival(&drug);
    assert_eq!((s.ended, s.of, s.watched_s), (9, 21, 35.0));
    assert_eq!((s.median_s, s.low_s, s.high_s), (Some(23.0), Some(13.0), None));
    let placebo = [
        1.0, 1.0, 2.0, 2.0, 3.0, 4.0, 4.0, 5.0, 5.0, 8.0, 8.0, 8.0, 8.0, 11.0, 11.0, 12.0, 12.0,
        15.0, 17.0, 22.0, 23.0,
    ];
    let s = survival(&placebo.map(|time| (time, true)));
    assert_eq!((s.median_s, s.low_s, s.high_s), (Some(8.0), Some(4.0), Some(11.0)));
}

#[test]
fn kaplan_meier_by_hand_with_none_all_and_some_censored() {
    // None: the plain median. S = .8 after the first: its lower limit is .8^exp(1.96 * 1.0021) =
    // .20; after the fourth S = .2, and its upper limit is .2^exp(-1.96 * .5557) = .58.
    let s = survival(&[(1.0, true), (2.0, true), (3.0, true), (4.0, true), (5.0, true)]);
    assert_eq!((s.median_s, s.low_s, s.high_s), (Some(3.0), Some(1.0), None));
    assert_eq!(survival(&[(1.0, true), (2.0, true), (4.0, true), (7.0, true)]).median_s, Some(3.0));
    // All: nothing is known but that it takes longer.
    let s = survival(&[(60.0, false), (59.0, false), (60.0, false), (60.0, false), (60.0, false)]);
    assert_eq!((s.ended, s.of, s.watched_s), (0, 5, 60.0));
    assert_eq!((s.median_s, s.low_s, s.high_s, s.estimate()), (None, None, None, None));
    // Some, with a tie at 2 between an end and a flow whose watching ends: that one counts as
    // watched. S = 1 - 1/6, then * (1 - 2/5), then (of the two left) * 1/2: .833, .5, .25.
    let s =
        survival(&[(1.0, true), (2.0, true), (2.0, true), (2.0, false), (3.0, true), (9.0, false)]);
    assert_eq!(s.median_s, Some(2.5), "S is one half from 2 to 3");
    // Half of them end, and no more: the median is where S reaches one half.
    let s = survival(&[(1.0, true), (2.0, true), (9.0, false), (9.0, false)]);
    assert_eq!((s.median_s, s.low_s), (Some(2.0), None), "four seeds have no interval");
    // The same with every seed.
    let same = survival(&[(4.0, true); 6]).estimate().expect("a median");
    assert_eq!((same.mean, same.spread), (4.0, Spread::Same));
    assert_eq!(Survival::of(&[]), None);
}

#[test]
fn flows_of_one_run_are_not_independent() {
    let alone: Vec<Waited> = [(3.0, true), (4.0, true), (5.0, true), (6.0, true), (7.0, true)]
        .iter()
        .chain(&[(8.0, true), (9.0, false), (9.0, false), (2.0, true), (2.5, true)])
        .enumerate()
        .map(|(seed, &(time_s, ended))| Waited { time_s, ended, seed })
        .collect();
    let one = Survival::of(&alone).expect("observations");
    let twice = [alone.clone(), alone].concat();
    let both = Survival::of(&twice).expect("observations");
    assert_eq!((one.low_s, one.high_s), (both.low_s, both.high_s), "twins tell nothing new");
    let apart = twice.iter().enumerate().map(|(seed, wait)| Waited { seed, ..*wait });
    let apart = Survival::of(&apart.collect::<Vec<_>>()).expect("observations");
    assert!(apart.low_s > both.low_s || apart.high_s < both.high_s, "{apart:?} {both:?}");
}
