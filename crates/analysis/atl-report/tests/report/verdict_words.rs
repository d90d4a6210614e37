//! Claims of all kinds beside what was measured: the verdict, its reason and its numbers, as they
//! are shown.
//!
//! After an intended change `INSTA_UPDATE=always cargo test -p atl-report --test report
//! verdict_words` records them anew.

use std::fmt::Write;

use atl_report::verdict::{Tally, quoted};
use atl_report::{Judged, Verdict, judge};
use atl_scenario::quote::{Bound, Claim, Standing};
use atl_scenario::scenario::Metric;

use crate::support::{
    Builder, fitted, goodput_of, only, protocols, ratio_claim, run, selection, value_claim,
};

const BOUNDS: [Bound; 3] = [Bound::Equal, Bound::AtMost, Bound::AtLeast];
const ONE: [f64; 5] = [1.0; 5];

/// Goodputs of seeds in Mb/s: the same, close, apart, with an interval around 1, with one as wide
/// as the mean, and too few.
const SEEDS: [(&str, &[f64]); 7] = [
    ("same 3", &[3.0; 5]),
    ("same 1/2", &[0.5; 5]),
    ("close to 2", &[2.0, 2.05, 1.97, 2.01, 1.99]),
    ("about 2", &[1.8, 2.2, 2.0, 2.3, 1.7]),
    ("about 1", &[0.8, 1.3, 1.1, 1.2, 0.7]),
    ("any", &[0.1, 0.1, 0.1, 4.0, 0.2]),
    ("too few", &[2.0, 2.1]),
];

fn told(text: &mut String, name: &str, builder: Builder) {
    let outcome = builder.done();
    let Judged { quote, measured, verdict, reason } = only(&outcome);
    let claim = quoted(&outcome.scenario, &quote.claim);
    let measured: Vec<String> = measured.iter().map(|m| format!("{} {}", m.of, m.text)).collect();
    writeln!(text, "{name}, {claim}: {verdict}. {reason} [{}]", measured.join(", "))
        .expect("a text takes what it is given");
}

/// A claim of each bound, about each of these values and tolerances, beside all seeds.
fn beside_seeds(
    expected: &[(f64, f64)],
    claimed: impl Fn(&'static [f64], f64, Bound, f64) -> Builder,
) -> String {
    let mut text = String::new();
    for (name, seeds) in SEEDS {
        for (expect, tolerance) in expected {
            for bound in BOUNDS {
                told(&mut text, name, claimed(seeds, *expect, bound, *tolerance));
            }
        }
    }
    text
}

#[test]
fn values() {
    let expected = [(0.0, 0.2), (0.0, 0.0), (1.0, 0.0), (2.0, 0.1), (4.0, 0.25), (8.0, 0.25)];
    let text = beside_seeds(&expected, |seeds, expect, bound, tolerance| {
        let (measure, of) = (Metric::Goodput.into(), goodput_of("atl"));
        let tolerance = if expect > 0.0 { tolerance } else { 1e6 * tolerance };
        let claim = Claim::Value { measure, of, expect: 1e6 * expect, bound, tolerance };
        protocols(&[("atl", seeds)]).quote("q", claim)
    });
    insta::assert_snapshot!("values", text);
}

#[test]
fn ratios() {
    let expected = [(0.4, 0.25), (1.0, 0.0), (2.0, 0.05), (3.0, 0.0), (2.0, 0.5), (40.0, 0.1)];
    let text = beside_seeds(&expected, |seeds, expect, bound, tolerance| {
        let both = [("atl", seeds), ("reno", &ONE[..seeds.len()])];
        protocols(&both).quote("q", ratio_claim(expect, bound, tolerance))
    });
    insta::assert_snapshot!("ratios", text);
}

/// A value of a variable, and the goodputs of `atl` and `reno` there.
type At<'a> = (&'a str, &'a [f64], &'a [f64]);

fn along(values: &[At<'_>], claim: Claim) -> Builder {
    let mut builder = Builder::new(values[0].1.len() as u64, &["protocol", "x"]);
    for (value, first, second) in values {
        for (name, goodputs) in [("atl", first), ("reno", second)] {
            let vars = [("protocol", name), ("x", *value)];
            builder = builder.point(&vars, &[("flow", name)], |seed| run(&[goodputs[seed]]));
        }
    }
    builder.quote("q", claim)
}

fn above(range: Option<(f64, f64)>, tolerance: f64) -> Claim {
    let (of, over) = (goodput_of("atl"), goodput_of("reno"));
    Claim::Above {
        measure: Metric::Goodput.into(),
        of,
        over,
        along: "x".to_owned(),
        range,
        tolerance,
    }
}

#[test]
fn above_along_a_variable() {
    let mut text = String::new();
    let [_, _, (_, close), (_, wide), (_, about), _, (_, few)] = SEEDS;
    let level = [1.001, 0.999, 1.0, 1.002, 0.998];
    let cases: [(&str, Vec<At<'_>>); 7] = [
        ("all", vec![("1", close, &ONE), ("2", close, &ONE), ("3", wide, &ONE)]),
        ("most", vec![("1", close, &ONE), ("2", wide, &ONE), ("3", &ONE, close)]),
        ("one of each", vec![("1", close, &ONE), ("2", &ONE, close), ("3", about, &ONE)]),
        ("open", vec![("1", about, &ONE), ("2", &ONE, about)]),
        ("level", vec![("1", &level, &ONE), ("2", &ONE, &level)]),
        ("below", vec![("1", &ONE, close), ("2", &ONE, wide), ("3", close, &ONE)]),
        ("too few", vec![("1", few, &ONE[..2])]),
    ];
    for (name, values) in cases {
        for (range, tolerance) in [(None, 0.0), (Some((1.0, 2.0)), 0.0), (None, 0.6)] {
            told(&mut text, name, along(&values, above(range, tolerance)));
        }
    }
    insta::assert_snapshot!("above", text);
}

/// Level up to a hundredth of the larger of the two means, whichever it is: see `verdict_means`.
#[test]
fn above_is_level_by_the_larger_mean() {
    let apart = [1.0, -1.0, 1.0, -1.0, 0.0].map(|off| 1.005 + 0.004_051 * off);
    for (first, second) in [(&apart, &ONE), (&ONE, &apart)] {
        let judged = only(&along(&[("1", first, second)], above(None, 0.0)).done());
        assert_eq!(judged.verdict, Verdict::NotMet, "{}", judged.reason);
    }
}

/// A range has its ends, also where they are written otherwise: a billionth is no difference.
#[test]
fn a_range_ends_at_its_bounds() {
    let values = ["-2", "-1", "0", "1", "2"];
    let all: Vec<At<'_>> = values.iter().map(|value| (*value, &ONE[..], &ONE[..])).collect();
    let shown = |low: f64, high: f64| {
        let claim = above(Some((low, high)), 0.0);
        let outcome = along(&all, claim.clone()).done();
        quoted(&outcome.scenario, &claim).replace("above RENO at ", "")
    };
    let (near, far) = (0.9e-9, 1.5e-9);
    for (low, high, expected) in [
        (-2.0, 2.0, "every x from -2 to 2"),
        (0.0, 2.0, "every x from 0 to 2"),
        (-2.0, 0.0, "every x from -2 to 0"),
        (-1.0 + near, 1.0 - near, "every x from -1 to 1"),
        (-1.0 + far, 1.0 - far, "x = 0"),
        (1.0 + near, 2.0 - near, "every x from 1 to 2"),
        (-2.0 + near, -1.0 - near, "every x from -2 to -1"),
        (1.0 + far, 2.0, "x = 2"),
        (-2.0, -1.0 - far, "x = -2"),
    ] {
        assert_eq!(shown(low, high), expected, "{low} {high}");
    }
}

#[test]
fn orders() {
    let mut text = String::new();
    let [(_, three), _, (_, close), (_, wide), (_, about), _, (_, few)] = SEEDS;
    let cases: [(&str, [&[f64]; 3]); 7] = [
        ("in order", [three, close, &ONE]),
        ("out of order", [close, three, &ONE]),
        ("open", [three, close, wide]),
        ("level", [three, three, &ONE]),
        ("all level", [three, three, three]),
        ("all open", [about, &ONE, about]),
        ("too few", [few, &ONE[..2], &ONE[..2]]),
    ];
    for (name, [first, second, third]) in cases {
        for count in [3, 2, 1] {
            let measure = Metric::Goodput.into();
            let of =
                ["atl", "snoop", "reno"][..count].iter().map(|name| goodput_of(name)).collect();
            let all = [("atl", first), ("snoop", second), ("reno", third)];
            told(&mut text, name, protocols(&all).quote("q", Claim::Order { measure, of }));
        }
    }
    insta::assert_snapshot!("orders", text);
}

/// A number without a unit, and one in per cent.
#[test]
fn other_units() {
    let mut text = String::new();
    for (metric, expect) in [(Metric::Jain, 0.9), (Metric::Jain, 0.0), (Metric::Loss, 0.01)] {
        for bound in BOUNDS {
            let of = selection(&[], None);
            let (measure, tolerance) = (metric.into(), 0.1);
            let claim = Claim::Value { measure, of, expect, bound, tolerance };
            let builder =
                Builder::new(5, &[]).point(&[], &[("a", "reno"), ("b", "reno")], |seed| {
                    run(&[1.0, 1.0 + seed as f64])
                });
            told(&mut text, "two flows", builder.quote("q", claim));
        }
    }
    insta::assert_snapshot!("units", text);
}

/// A quote of each verdict and standing, so that no count equals another.
#[test]
fn counts_of_claims_are_added_one_by_one() {
    let sets: [(&[f64], usize); 5] = [
        (&[1.0; 5], 5),
        (&[0.9, 1.1, 1.0, 1.1, 0.9], 3),
        (&[1.2; 5], 2),
        (&[9.0; 5], 4),
        (&[1.0], 6),
    ];
    let mut all = Tally::default();
    for (at, (seeds, count)) in sets.into_iter().enumerate() {
        let mut builder = protocols(&[("atl", seeds)]);
        for number in 0..count {
            let claim = || value_claim(1e6, 0.1);
            let paper = format!("{at} {number}");
            builder = builder.quote(&paper, claim());
            builder = builder.quote("f", claim()).standing(fitted(&paper, "queue 12"));
            for _ in 0..=at {
                builder = builder.quote("own", claim()).standing(Standing::Own);
            }
        }
        let tally = Tally::of(&judge(&builder.done()));
        all = all + tally;
    }
    assert_eq!(
        all,
        Tally {
            claims: 20,
            met: 5,
            met_uncertain: 3,
            same_direction: 2,
            not_met: 4,
            without_verdict: 6,
            met_fitted: 5,
            met_uncertain_fitted: 3,
            own: 5 + 6 + 6 + 16 + 30,
            own_met: 5,
            own_met_uncertain: 6,
            own_without_verdict: 30,
        }
    );
    // Twice is twice as many of each.
    let twice = all + all;
    assert_eq!((twice.claims, twice.own_without_verdict, twice.met_uncertain), (40, 60, 6));
    assert!(Tally::default().of_papers().is_none() && Tally::default().of_own().is_none());
}
