//! Statistics against values computed by hand or taken from printed tables.

use atl_report::stats::{Estimate, jain, paired_difference, paired_ratio, quantile, t_quantile};

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
    near(e.half_width.expect("an interval"), 1.9632, 1e-4);
    assert_eq!(e.n, 5);
    assert!(e.excludes(5.0) && !e.excludes(4.9));
}

#[test]
fn one_observation_has_a_mean_but_no_interval() {
    let e = Estimate::of(&[7.0]).expect("an observation");
    assert_eq!(e, Estimate { mean: 7.0, half_width: None, n: 1 });
    assert!(!e.excludes(1000.0), "nothing is excluded without an interval");
    assert_eq!(Estimate::of(&[]), None);
    assert_eq!(Estimate::of(&[1.0, f64::NAN]), None);
}

#[test]
fn pairing_removes_common_variation() {
    // The seeds differ by far more than the two protocols do.
    let pairs = [(11.0, 10.0), (22.0, 21.0), (35.0, 34.0)];
    let d = paired_difference(&pairs).expect("pairs");
    near(d.mean, 1.0, 1e-12);
    near(d.half_width.expect("an interval"), 0.0, 1e-9);
}

#[test]
fn the_interval_of_a_ratio_by_hand() {
    // a = 2, 4, 9 over b = 1, 2, 3: r = 15/6 = 2.5; deviations -0.5, -1, 1.5; squares 3.5;
    // se = sqrt(3.5 / (2*3)) / 2 = 0.38188; t(2) = 4.30265
    let r = paired_ratio(&[(2.0, 1.0), (4.0, 2.0), (9.0, 3.0)]).expect("pairs");
    near(r.mean, 2.5, 1e-12);
    near(r.half_width.expect("an interval"), 1.64312, 1e-4);
    assert_eq!(paired_ratio(&[(1.0, 0.0)]), None, "nothing can be said over zero");
    assert_eq!(paired_ratio(&[(2.0, 1.0)]).expect("a pair").half_width, None);
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
