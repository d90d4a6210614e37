//! Knowledge of a path, from outside: reports as they are passed on, and the bounds of claims.

use atl_core::path::{LinkReport, MAX_LOSS, News, PathSplit, Reports, SplitRules};
use atl_core::roaming::Knowledge;
use atl_core::time::Span;
use atl_core::units::Probability;
use atl_core::window::atl;

fn report(loss: f64, ms: u64) -> LinkReport {
    LinkReport { loss: Probability::clamped(loss), delay: Span::from_millis(ms) }
}

#[test]
fn a_reader_gets_a_report_that_came_before_it_and_each_once() {
    for before in 0..4_u32 {
        let reports = Reports::default();
        for _ in 0..before {
            reports.own(report(0.1, 1));
        }
        let mut reader = reports.reader();
        let own = (before > 0).then_some(report(0.1, 1));
        assert_eq!(reader.news(), own.map(|own| News { own: Some(own), peer: None }));
        assert_eq!(reader.news(), None, "{before}");
        reports.peer(report(0.2, 2));
        assert_eq!(reader.news(), Some(News { own: None, peer: Some(report(0.2, 2)) }));
    }
}

#[test]
fn two_links_in_a_row_add_delays_and_multiply_what_comes_through() {
    // ATL paper, eq. 14 and 15: 1 - .9 * .8.
    let both = report(0.1, 30).and(report(0.2, 12));
    assert!((both.loss.get() - 0.28).abs() < 1e-15);
    assert_eq!(both.delay, Span::from_millis(42));
    assert_eq!(report(0.1, 30).and(LinkReport::NONE).delay, Span::from_millis(30));
    assert!(LinkReport::NONE.is_none() && !report(0.0, 1).is_none() && !report(0.1, 0).is_none());
}

#[test]
fn a_claim_may_be_valid_for_any_time_above_zero_and_gain_a_factor_from_one() {
    let check = |claim_gain, claim_age| {
        atl::Config { claim_gain, claim_age, ..atl::Config::default() }.check()
    };
    for right in [(1.0, None), (1.0, Some(1e-3)), (50.0, Some(0.5)), (4.0, Some(1e6))] {
        assert_eq!(check(right.0, right.1), Ok(()), "{right:?}");
    }
    for (gain, age, told) in [
        (0.999, None, "claim-gain"),
        (f64::INFINITY, None, "claim-gain"),
        (f64::NAN, None, "claim-gain"),
        (4.0, Some(0.0), "claim-age"),
        (4.0, Some(-1.0), "claim-age"),
        (4.0, Some(f64::INFINITY), "claim-age"),
    ] {
        let error = check(gain, age).expect_err("out of range");
        assert!(error.starts_with(told), "{gain} {age:?}: {error}");
    }
}

#[test]
fn a_link_that_loses_all_counts_as_one_that_loses_nearly_all() {
    let (all, rtt) = (Probability::ONE, Span::from_millis(80));
    let split = PathSplit::new(all, rtt, report(1.0, 10), SplitRules::default());
    assert!((split.wireless.loss.get() - MAX_LOSS).abs() < 1e-15, "{split:?}");
    assert!((split.loss.get() - MAX_LOSS).abs() < 1e-15, "{split:?}");
    assert!(split.congestion_loss.get().abs() < 1e-15, "{split:?}");
}

#[test]
fn a_path_left_idle_is_as_well_known_as_before() {
    let known = Knowledge::after_idle((12.0, 20.0), Some(Span::from_millis(60)));
    assert_eq!(known.window, Some((12.0, 20.0)));
    assert_eq!(known.rtt, Some(Span::from_millis(60)));
    assert!(known.sure && !known.paced, "nothing older is worth more, and it needs no round trip");
    assert!(!Knowledge::of_rtt(Span::ZERO).sure && !Knowledge::full().sure);
}
