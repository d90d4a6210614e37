//! Every kind of claim at the borders between verdicts.

use crate::support::{
    Builder, goodput_of, only, protocols, ratio_claim, run, selection, value_claim,
};
use atl_engine::setup::Source;
use atl_report::metric::estimate;
use atl_report::stats::MIN_SEEDS;
use atl_report::verdict::Tally;
use atl_report::{Judged, Outcome, Verdict};
use atl_scenario::quote::{Bound, Claim};
use atl_scenario::scenario::Metric;
use atl_scenario::{Overrides, builtin, open};

fn verdict(outcome: &Outcome) -> Verdict {
    only(outcome).verdict
}

fn value_with(seeds: &[f64], expect_mbps: f64) -> Judged {
    only(&protocols(&[("atl", seeds)]).quote("value", value_claim(expect_mbps * 1e6, 0.05)).done())
}

#[test]
fn a_value_is_judged_by_multiples_of_its_tolerance() {
    assert_eq!(value_with(&[1.0, 1.02, 0.98, 1.01, 0.99], 1.02).verdict, Verdict::Met);
    assert_eq!(value_with(&[1.0, 1.02, 0.98, 1.01, 0.99], 1.10).verdict, Verdict::SameDirection);
    assert_eq!(value_with(&[1.0, 1.02, 0.98, 1.01, 0.99], 1.30).verdict, Verdict::NotMet);
}

fn bounded(seeds: &[f64], mbps: f64, bound: Bound, tolerance: f64) -> Judged {
    let claim = Claim::Value {
        measure: Metric::Goodput.into(),
        of: goodput_of("atl"),
        expect: mbps * 1e6,
        bound,
        tolerance,
    };
    only(&protocols(&[("atl", seeds)]).quote("bound", claim).done())
}

#[test]
fn a_bound_is_missed_only_on_its_far_side() {
    let seeds = [1.0, 1.02, 0.98, 1.01, 0.99];
    let at_most = |mbps| bounded(&seeds, mbps, Bound::AtMost, 0.0);
    let at_least = |mbps| bounded(&seeds, mbps, Bound::AtLeast, 0.0);
    // However far below: "less than" is no equality.
    assert_eq!(at_most(50.0).verdict, Verdict::Met, "{}", at_most(50.0).reason);
    assert!(at_most(50.0).reason.contains("at most 50.00 Mb/s: kept"), "{}", at_most(50.0).reason);
    assert_eq!(at_most(0.9).verdict, Verdict::NotMet, "{}", at_most(0.9).reason);
    assert_eq!(at_least(0.02).verdict, Verdict::Met);
    assert_eq!(at_least(1.1).verdict, Verdict::NotMet);
    // The tolerance is beyond the bound, and the interval, 1 +- .02, must keep it as well.
    let near = |mbps, within| bounded(&seeds, mbps, Bound::AtMost, within).verdict;
    assert_eq!(near(0.9, 0.2), Verdict::Met);
    assert_eq!(near(0.9, 0.05), Verdict::SameDirection);
    assert_eq!(near(1.01, 0.0), Verdict::MetUncertain);
    let ratio = |expect, bound| {
        let claim = ratio_claim(expect, bound, 0.0);
        let twice = [2.0, 2.05, 1.97, 2.01, 1.99];
        only(&protocols(&[("atl", &twice), ("reno", &seeds)]).quote("ratio", claim).done()).verdict
    };
    assert_eq!(ratio(3.0, Bound::AtMost), Verdict::Met);
    assert_eq!(ratio(1.5, Bound::AtMost), Verdict::NotMet);
    assert_eq!(ratio(1.5, Bound::AtLeast), Verdict::Met);
    assert_eq!(ratio(3.0, Bound::AtLeast), Verdict::SameDirection);
}

#[test]
fn what_other_seeds_may_not_meet_is_met_but_uncertain() {
    // 1 +- .12 against 1.02 +- 5 %: the mean is within, the interval is not.
    let judged = value_with(&[0.9, 1.1, 1.0, 1.1, 0.9], 1.02);
    assert_eq!(judged.verdict, Verdict::MetUncertain, "{}", judged.reason);
    assert!(judged.reason.contains("reaches beyond the tolerance"), "{}", judged.reason);
    assert!(Verdict::MetUncertain.passes());
    let tally = Tally::of(std::slice::from_ref(&judged));
    assert_eq!((tally.claims, tally.met, tally.met_uncertain), (1, 0, 1));
    let sentence = tally.of_papers().expect("a claim");
    assert!(sentence.contains("0 met, 1 met but uncertain, 0 same direction"), "{sentence}");
    let wide = ratio_with(&[1.8, 2.2, 2.0, 2.3, 1.7], &[1.0; 5], 2.0);
    assert_eq!(wide.verdict, Verdict::MetUncertain, "{}", wide.reason);
}

#[test]
fn a_wide_interval_does_not_meet_a_value() {
    // The interval covers 1.4; the mean, 1.0, is 28.6 % below it.
    let judged = value_with(&[0.4, 1.0, 1.6, 0.7, 1.3], 1.4);
    assert_eq!(judged.verdict, Verdict::NotMet);
    assert!(judged.reason.contains("the interval covers it"), "{}", judged.reason);
    assert!(judged.reason.contains("28.6 % below"), "{}", judged.reason);
}

#[test]
fn an_interval_as_wide_as_its_value_decides_nothing() {
    // Two of five seeds got anything; their mean equals the quoted number by chance.
    let judged = value_with(&[0.0, 0.0, 0.0, 2.0, 3.0], 1.0);
    assert_eq!(judged.verdict, Verdict::Undecided);
    assert!(judged.reason.contains("as wide as"), "{}", judged.reason);
    let low = judged.measured[0].estimate.low().expect("an interval");
    assert!(low > 0.0, "a rate is not negative: {low}");
    // The same for a ratio, met or not.
    let (a, b) = ([0.1, 0.1, 0.1, 4.0, 0.2], [1.0; 5]);
    assert_eq!(ratio_with(&a, &b, 0.9).verdict, Verdict::Undecided);
    assert_eq!(ratio_with(&a, &b, 30.0).verdict, Verdict::Undecided);
}

#[test]
fn a_wide_interval_far_from_a_quoted_zero_refutes_it() {
    // The tolerance is absolute: 0.01 Mb/s.
    let zero = |seeds: &[f64]| {
        only(&protocols(&[("atl", seeds)]).quote("value", value_claim(0.0, 0.01e6)).done())
    };
    let far = zero(&[0.9, 1.1, 0.8, 1.2, 1.0]);
    assert_eq!(far.verdict, Verdict::NotMet, "{}", far.reason);
    assert!(far.measured[0].estimate.half_width() > Some(0.03e6), "wider than what is near");
    // An interval that comes near decides nothing, whatever its mean.
    let near = zero(&[0.0, 0.0, 0.0, 0.0, 0.05]);
    assert_eq!(near.verdict, Verdict::Undecided, "{}", near.reason);
}

#[test]
fn fewer_than_five_seeds_have_no_verdict() {
    for n in 1..5 {
        let seeds: Vec<f64> = (0..n).map(|i| 1.0 + 0.01 * f64::from(i)).collect();
        let higher: Vec<f64> = seeds.iter().map(|v| v + 1.0).collect();
        let judged = value_with(&seeds, 1.0);
        assert_eq!(judged.verdict, Verdict::TooFewSeeds);
        assert_eq!(judged.measured[0].estimate.half_width(), None);
        assert!(judged.reason.contains("too few for an interval"), "{}", judged.reason);
        assert!(!judged.measured[0].text.contains('±'), "{}", judged.measured[0].text);
        assert_eq!(ratio_with(&higher, &seeds, 2.0).verdict, Verdict::TooFewSeeds);
        let ordered = order(&[
            ("atl", &higher),
            ("snoop", &seeds),
            ("reno", &[0.1, 0.1, 0.1, 0.1][..n as usize]),
        ]);
        assert_eq!(ordered.verdict, Verdict::TooFewSeeds, "{}", ordered.reason);
        assert_eq!(above(n as u64, &[0.1, 0.2], None).verdict, Verdict::TooFewSeeds);
    }
    assert!(!Verdict::TooFewSeeds.passes() && !Verdict::Undecided.passes());
}

#[test]
fn every_built_in_scenario_with_claims_has_seeds_enough_for_verdicts() {
    for scenario in builtin() {
        let read = open(scenario.name, &Overrides::default());
        let read = read.unwrap_or_else(|errors| panic!("{}: {errors}", scenario.name));
        let enough = read.quotes.is_empty() || read.seeds.len() >= MIN_SEEDS;
        assert!(enough, "{} has {} seeds", scenario.name, read.seeds.len());
    }
}

#[test]
fn where_nothing_varied_the_number_itself_decides() {
    let judged = value_with(&[1.0; 5], 1.0);
    assert_eq!(judged.verdict, Verdict::Met);
    assert!(judged.reason.contains("5 seeds, with which nothing varied"), "{}", judged.reason);
    assert_eq!(judged.measured[0].text, "1.000 Mb/s", "no ± 0");
}

fn ratio_with(a: &[f64], b: &[f64], expect: f64) -> Judged {
    let claim = ratio_claim(expect, Bound::Equal, 0.1);
    only(&protocols(&[("atl", a), ("reno", b)]).quote("ratio", claim).done())
}

#[test]
fn a_ratio_is_judged_by_tolerance_and_direction() {
    let (a, b) = ([2.0, 2.1, 1.9, 2.05, 1.95], [1.0, 1.04, 0.97, 1.02, 0.98]);
    assert_eq!(ratio_with(&a, &b, 2.1).verdict, Verdict::Met);
    assert_eq!(ratio_with(&a, &b, 3.0).verdict, Verdict::SameDirection);
    assert_eq!(ratio_with(&a, &b, 0.7).verdict, Verdict::NotMet);
    assert_eq!(ratio_with(&b, &a, 0.8).verdict, Verdict::SameDirection);
}

#[test]
fn a_ratio_whose_interval_covers_one_shows_no_direction() {
    let judged = ratio_with(&[1.0, 2.0, 1.5, 1.2, 1.7], &[1.6, 1.0, 1.4, 1.2, 1.5], 2.0);
    assert_eq!(judged.verdict, Verdict::NotMet);
    assert!(judged.reason.contains("the interval covers 1"), "{}", judged.reason);
}

#[test]
fn a_small_part_of_the_quoted_effect_is_no_direction() {
    // A quarter of the effect on a log scale: 0.72^(1/4) = 0.9212, 5.68^(1/4) = 1.5438.
    let close =
        |ratio: f64| ([ratio, ratio + 1e-4, ratio - 1e-4, ratio + 5e-5, ratio - 5e-5], [1.0; 5]);
    for (ratio, expect, verdict) in [
        (0.997, 0.72, Verdict::NotMet),
        (0.923, 0.72, Verdict::NotMet),
        (0.919, 0.72, Verdict::SameDirection),
        (1.54, 5.68, Verdict::NotMet),
        (1.55, 5.68, Verdict::SameDirection),
        (40.0, 5.68, Verdict::SameDirection),
    ] {
        let (a, b) = close(ratio);
        let judged = ratio_with(&a, &b, expect);
        assert_eq!(judged.verdict, verdict, "{ratio} for {expect}: {}", judged.reason);
        let said = judged.reason.contains("less than a quarter of the quoted effect");
        assert_eq!(said, verdict == Verdict::NotMet, "{}", judged.reason);
    }
}

#[test]
fn a_ratio_quoted_as_one_has_no_direction() {
    assert_eq!(
        ratio_with(&[1.05, 1.0, 1.03, 1.02, 1.01], &[1.0, 0.96, 1.0, 0.99, 1.0], 1.0).verdict,
        Verdict::Met
    );
    assert_eq!(
        ratio_with(&[1.3, 1.31, 1.3, 1.32, 1.29], &[1.0, 1.01, 1.0, 1.0, 0.99], 1.0).verdict,
        Verdict::NotMet
    );
}

#[test]
fn a_ratio_to_zero_is_not_measured() {
    assert_eq!(ratio_with(&[1.0, 1.0], &[0.0, 0.0], 2.0).verdict, Verdict::NotMeasured);
}

fn order(goodputs: &[(&str, &[f64])]) -> Judged {
    let claim = Claim::Order {
        measure: Metric::Goodput.into(),
        of: ["atl", "snoop", "reno"].into_iter().map(goodput_of).collect(),
    };
    only(&protocols(goodputs).quote("order", claim).done())
}

#[test]
fn an_order_needs_significant_differences() {
    // The seeds differ by more than the protocols, so that only pairing shows the order.
    let seeds = |offset: f64| [0.0, 1.0, 2.0, 0.5, 1.5].map(|v| v + offset);
    let (third, second, first) = (seeds(1.1), seeds(1.2), seeds(1.3));
    let met = order(&[("atl", &first), ("snoop", &second), ("reno", &third)]);
    assert_eq!(met.verdict, Verdict::Met, "{}", met.reason);

    // One pair is open, the other in order.
    let noisy = [2.2, 1.2, 3.2, 2.9, 1.1];
    let low = [0.1, 0.2, 0.1, 0.2, 0.1];
    let unsure = order(&[("atl", &first), ("snoop", &noisy), ("reno", &low)]);
    assert_eq!(unsure.verdict, Verdict::SameDirection, "{}", unsure.reason);
    assert!(unsure.reason.contains("difference covers 0: ATL"), "{}", unsure.reason);
    // All pairs are open, whichever way the means point.
    let other = [1.1, 2.9, 1.3, 3.2, 2.2];
    for sides in [[&first, &noisy, &other], [&noisy, &other, &first]] {
        let open = order(&[("atl", sides[0]), ("snoop", sides[1]), ("reno", sides[2])]);
        assert_eq!(open.verdict, Verdict::Undecided, "{}", open.reason);
    }

    let wrong = order(&[("atl", &second), ("snoop", &first), ("reno", &third)]);
    assert_eq!(wrong.verdict, Verdict::NotMet);
    assert!(wrong.reason.contains("Out of order: ATL"), "{}", wrong.reason);
}

#[test]
fn what_is_level_is_not_ordered() {
    let seeds = [1.3, 2.3, 1.7, 1.9, 2.1];
    let equal = order(&[("atl", &seeds), ("snoop", &seeds), ("reno", &seeds)]);
    assert_eq!(equal.verdict, Verdict::NotMet, "{}", equal.reason);
    assert!(equal.reason.contains("Level: ATL"), "{}", equal.reason);
    // The difference is below 1 % of the values, and its interval shows it.
    let close = [1.301, 2.299, 1.7005, 1.899, 2.1005];
    let level = order(&[("atl", &seeds), ("snoop", &close), ("reno", &seeds)]);
    assert_eq!(level.verdict, Verdict::NotMet, "{}", level.reason);
}

#[test]
fn an_order_with_a_protocol_that_did_not_run_is_not_measured() {
    let missing = order(&[("atl", &[1.3; 5]), ("snoop", &[1.2; 5])]);
    assert_eq!(missing.verdict, Verdict::NotMeasured);
    assert!(missing.reason.contains("reno"), "{}", missing.reason);
}

/// ATL's lead over Reno at each p_w, in Mb/s.
fn above(seeds: u64, leads: &[f64], range: Option<(f64, f64)>) -> Judged {
    above_within(seeds, leads, range, 0.0)
}

fn above_within(seeds: u64, leads: &[f64], range: Option<(f64, f64)>, tolerance: f64) -> Judged {
    let losses = ["1e-4", "1e-3", "1e-2", "1e-1"];
    let mut builder = Builder::new(seeds, &["protocol", "p_w"]);
    for (lead, loss) in leads.iter().zip(losses) {
        for (name, lead) in [("atl", *lead), ("reno", 0.0)] {
            let vars = [("protocol", name), ("p_w", loss)];
            // A lead above 1 Mb/s stands for one that depends on the seed.
            let by_seed = move |seed: usize| match lead {
                wide if wide > 1.0 => {
                    (wide - 1.0) + if seed.is_multiple_of(2) { 0.5 } else { -0.5 }
                }
                narrow => narrow,
            };
            builder = builder.point(&vars, &[("flow", name)], move |seed| {
                run(&[1.0 + by_seed(seed) + 0.1 * seed as f64])
            });
        }
    }
    let claim = Claim::Above {
        measure: Metric::Goodput.into(),
        of: goodput_of("atl"),
        over: goodput_of("reno"),
        along: "p_w".to_owned(),
        range,
        tolerance,
    };
    only(&builder.quote("above", claim).done())
}

#[test]
fn above_counts_the_values_at_which_it_holds() {
    let five = |leads: &[f64], range| above(5, leads, range);
    assert_eq!(five(&[0.1, 0.2, 0.3, 0.4], None).verdict, Verdict::Met);
    let most = five(&[-0.1, 0.2, 0.3, 0.4], None);
    assert_eq!(most.verdict, Verdict::SameDirection);
    assert!(
        most.reason.contains("at 3 of 4") && most.reason.contains("not above at p_w = 1e-4"),
        "{}",
        most.reason
    );
    assert_eq!(
        five(&[-0.1, -0.2, 0.3, 0.4], None).verdict,
        Verdict::NotMet,
        "half is not more than half"
    );
    assert_eq!(
        five(&[-0.1, 0.2, 0.3, 0.4], Some((1e-3, 0.1))).verdict,
        Verdict::Met,
        "out of the range"
    );
    assert_eq!(five(&[0.1, 0.2], Some((0.5, 1.0))).verdict, Verdict::NotMeasured);
    // Above by means alone shows nothing; above by means at every value and by intervals at some
    // shows a tendency.
    assert_eq!(five(&[1.1, 1.1, 1.1, 1.1], None).verdict, Verdict::Undecided);
    assert_eq!(five(&[1.1, 1.1, 0.3, 0.4], None).verdict, Verdict::SameDirection);
    assert_eq!(five(&[0.0, 0.0, 0.0, 0.0], None).verdict, Verdict::NotMet, "level");
}

#[test]
fn above_may_be_below_by_what_the_quote_allows() {
    // The seeds add 0.1 to 0.5 to both: 1.2 against 1.3 is 7.7 % below.
    let close = above_within(5, &[-0.1, 0.2, 0.3, 0.4], None, 0.1);
    assert_eq!(close.verdict, Verdict::Met, "{}", close.reason);
    assert!(close.reason.contains("above or at most 10 % below"), "{}", close.reason);
    let far = above_within(5, &[-0.1, 0.2, 0.3, 0.4], None, 0.05);
    assert_eq!(far.verdict, Verdict::SameDirection, "{}", far.reason);
}

#[test]
fn rates_are_summed_over_all_flows_and_averaged_in_a_group() {
    let flows = [("atl", "atl"), ("atl", "atl"), ("sack", "sack")];
    let build = |group, expect| {
        let of = selection(&[], group);
        Builder::new(5, &[])
            .point(&[], &flows, |_| run(&[1.0, 3.0, 5.0]))
            .quote(
                "v",
                Claim::Value {
                    measure: Metric::Goodput.into(),
                    of,
                    expect,
                    bound: Bound::Equal,
                    tolerance: 1e-9,
                },
            )
            .done()
    };
    assert_eq!(verdict(&build(None, 9e6)), Verdict::Met);
    assert_eq!(verdict(&build(Some("atl"), 2e6)), Verdict::Met);
    assert_eq!(verdict(&build(Some("bbr"), 2e6)), Verdict::NotMeasured);
}

#[test]
fn an_unfinished_flow_leaves_no_mean_completion_time() {
    let of = selection(&[], None);
    let outcome = Builder::new(1, &[])
        .point(&[], &[("a", "reno"), ("a", "reno")], |_| {
            let mut result = run(&[1.0, 1.0]);
            result.flows[0].completion_s = Some(3.0);
            result
        })
        .setup(|setup| {
            for flow in &mut setup.flows {
                flow.source = Source::Fixed { bytes: 1_000_000 };
            }
        })
        .quote(
            "v",
            Claim::Value {
                measure: Metric::Completion.into(),
                of: of.clone(),
                expect: 3.0,
                bound: Bound::Equal,
                tolerance: 0.1,
            },
        )
        .done();
    assert_eq!(estimate(&outcome, Metric::Completion, &of), None);
    let judged = only(&outcome);
    assert_eq!(judged.verdict, Verdict::TooFewSeeds);
    assert!(judged.reason.contains("only 1 of 2 finished"), "{}", judged.reason);
}
