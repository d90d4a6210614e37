//! Knowledge of a path, from outside: reports as they are passed on, and the bounds of claims.

use atl_core::path::{LinkReport, MAX_LOSS, News, PathSplit, Reports, SplitRules};
use atl_core::probe::Found;
use atl_core::roaming::{Knowledge, Meanwhile, NewPath, Pad, Probe, Resume};
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

#[test]
fn a_survey_without_answers_says_nothing_of_the_window_until_some_could_have_come() {
    let rtt = Some(Span::from_millis(80));
    let found = |acks, counted| Found { acks, dummies: 20, rtt, counted };
    let early = Knowledge::from_survey(found(0, Span::ZERO), false);
    assert_eq!((early.window, early.rtt, early.paced, early.sure), (None, rtt, false, false));
    let late = Knowledge::from_survey(found(0, Span::ZERO), true);
    assert_eq!((late.window, late.rtt), (Some((2.0, f64::INFINITY)), rtt));
    assert!(late.paced && !late.sure);
    for (ms, sure) in [(79, false), (80, true)] {
        let some = Knowledge::from_survey(found(9, Span::from_millis(ms)), false);
        assert_eq!((some.window.map(|window| window.0), some.sure), (Some(9.0), sure), "{ms} ms");
    }
}

#[test]
fn other_knowledge_of_a_path() {
    let rtt = Span::from_millis(80);
    let only_rtt = Knowledge::of_rtt(rtt);
    assert_eq!((only_rtt.window, only_rtt.rtt, only_rtt.sure), (None, Some(rtt), false));
    let idle = Knowledge::after_idle((7.0, 9.0), None);
    assert_eq!(
        (idle.window, idle.rtt, idle.paced, idle.sure),
        (Some((7.0, 9.0)), None, false, true)
    );
    let full = Knowledge::full();
    assert_eq!((full.window, full.paced, full.sure), (Some((2.0, f64::INFINITY)), false, false));
}

#[test]
fn data_stays_on_the_old_path_unless_a_probe_says_otherwise() {
    assert_eq!(NewPath::PROBE.meanwhile(), Meanwhile::Both);
    let probe = Probe { meanwhile: Meanwhile::New, ..Probe::DEFAULT };
    assert_eq!(NewPath::Probe(probe).meanwhile(), Meanwhile::New);
    for other in [NewPath::Keep, NewPath::Reset, NewPath::RESUME, NewPath::PAD] {
        assert_eq!(other.meanwhile(), Meanwhile::Old);
    }
    assert_eq!((Probe::MOST_DUMMIES, Probe::default().validate), (1000, true));
    assert_eq!(Resume::default().lifetime, Span::from_secs(300));
    assert_eq!((Pad::default().target, Pad::default().budget), (64, 256));
}
