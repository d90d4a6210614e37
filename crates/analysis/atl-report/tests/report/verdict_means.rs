//! The means that verdicts show and go by.

use crate::support::{goodput_of, only, protocols, ratio_claim};
use atl_report::Verdict;
use atl_scenario::quote::{Bound, Claim};
use atl_scenario::scenario::Metric;

/// The differences are 5 kb/s on average, and at most 10.03 with 95 % confidence (s = 4.051, half
/// of the interval 2.776 s / sqrt(5) = 5.03): more than 1 % of 1 Mb/s, less than that of 1.005.
#[test]
fn level_is_a_hundredth_of_the_larger_mean() {
    let first = [1.0, -1.0, 1.0, -1.0, 0.0].map(|off| 1.005 + 0.004_051 * off);
    let order = |goodputs: &[(&str, &[f64])]| {
        let of = goodputs.iter().map(|(name, _)| goodput_of(name)).collect();
        let claim = Claim::Order { measure: Metric::Goodput.into(), of };
        only(&protocols(goodputs).quote("order", claim).done())
    };
    for goodputs in [
        [("atl", &first[..]), ("reno", &[1.0; 5][..])],
        [("atl", &[1.0; 5][..]), ("reno", &first[..])],
    ] {
        let judged = order(&goodputs);
        assert_eq!(judged.verdict, Verdict::NotMet, "{}", judged.reason);
        assert!(judged.reason.contains("Level: ATL"), "{}", judged.reason);
    }
}

#[test]
fn a_ratio_is_shown_with_the_means_of_both() {
    let claim = ratio_claim(2.0, Bound::Equal, 0.1);
    let (a, b) = ([6.0, 6.1, 5.9, 6.05, 5.95], [3.0, 3.1, 2.9, 3.0, 3.0]);
    let judged = only(&protocols(&[("atl", &a), ("reno", &b)]).quote("ratio", claim).done());
    assert!(judged.reason.contains("(6.000 Mb/s against 3.000 Mb/s)"), "{}", judged.reason);
}
