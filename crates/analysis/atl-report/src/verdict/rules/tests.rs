//! Each rule at its bounds: exactly there, just below and just above.

use atl_scenario::quote::Bound;

use super::above::Counts;
use super::compared::LEVEL;
use super::ratio::{self, has_quoted_tendency, same_side};
use super::value::too_wide;
use super::{Compared, Stated, percent};
use crate::stats::{Estimate, Spread};
use crate::verdict::Verdict;

fn between(low: f64, high: f64) -> Estimate {
    let mean = low.midpoint(high);
    Estimate { mean, spread: Spread::Interval { low, high }, n: 5, of: 5 }
}

fn without(spread: Spread) -> Estimate {
    Estimate { mean: 0.0, spread, n: 5, of: 5 }
}

fn stated(expect: f64, bound: Bound, tolerance: f64) -> Stated {
    Stated::new(expect, bound, tolerance)
}

#[test]
fn a_distance_is_relative_unless_it_is_absolute_or_kept() {
    let off = |bound, number, absolute| stated(4.0, bound, 0.0).off(number, absolute);
    for (bound, number, absolute, expected) in [
        (Bound::Equal, 5.0, false, 0.25),
        (Bound::Equal, 3.0, false, 0.25),
        (Bound::Equal, 5.0, true, 1.0),
        (Bound::Equal, 4.0, false, 0.0),
        (Bound::AtMost, 6.0, false, 0.5),
        (Bound::AtMost, 2.0, false, 0.0),
        (Bound::AtLeast, 3.0, true, 1.0),
        (Bound::AtLeast, 7.0, false, 0.0),
    ] {
        assert_eq!(off(bound, number, absolute).to_bits(), f64::to_bits(expected), "{number}");
    }
    // Of a negative number too, and of 0 where it is kept.
    assert_eq!(stated(-4.0, Bound::Equal, 0.0).off(-5.0, false).to_bits(), 0.25f64.to_bits());
    assert_eq!(stated(0.0, Bound::AtMost, 0.0).off(-1.0, false).to_bits(), 0);
}

/// Of ends of 3 and 5 around 4, each is a quarter away.
#[test]
fn an_interval_leaves_the_tolerance_with_either_end() {
    let leaves = |low, high, tolerance| {
        stated(4.0, Bound::Equal, tolerance).leaves(&between(low, high), false)
    };
    assert!(!leaves(3.0, 5.0, 0.25) && leaves(3.0, 5.0, 0.24));
    assert!(leaves(2.9, 5.0, 0.25) && leaves(3.0, 5.1, 0.25));
    // In absolute numbers both are 1 away.
    let absolute =
        |tolerance| stated(4.0, Bound::Equal, tolerance).leaves(&between(3.0, 5.0), true);
    assert!(!absolute(1.0) && absolute(0.99));
    // A bound has one side.
    let below = |low, high| stated(4.0, Bound::AtMost, 0.25).leaves(&between(low, high), false);
    assert!(!below(-9.0, 5.0) && below(-9.0, 5.1));
    for spread in [Spread::Same, Spread::TooFew] {
        assert!(!stated(4.0, Bound::Equal, 0.0).leaves(&without(spread), false));
    }
}

#[test]
fn an_interval_straddles_a_bound_that_lies_in_it() {
    let straddles = |bound, low, high| stated(4.0, bound, 0.0).straddles(&between(low, high));
    for (low, high, at_most, at_least) in [
        (3.0, 5.0, true, true),
        (3.75, 4.25, true, true),
        (3.0, 4.0, false, true),
        (4.0, 5.0, true, false),
        (1.0, 2.0, false, false),
        (5.0, 6.0, false, false),
        (4.0, 4.0, false, false),
    ] {
        assert_eq!(straddles(Bound::AtMost, low, high), at_most, "{low} {high}");
        assert_eq!(straddles(Bound::AtLeast, low, high), at_least, "{low} {high}");
        assert!(straddles(Bound::Equal, low, high), "a number has no side");
    }
    for spread in [Spread::Same, Spread::TooFew] {
        assert!(!stated(4.0, Bound::Equal, 0.0).straddles(&without(spread)));
    }
}

#[test]
fn an_interval_is_too_wide_from_its_own_value_on() {
    let wide = |bound, expect, low, high| {
        too_wide(&between(low, high), &stated(expect, bound, 0.1), false)
    };
    // 4 +- 4, and a little less.
    assert!(wide(Bound::Equal, 4.0, 0.0, 8.0) && !wide(Bound::Equal, 4.0, 0.1, 7.9));
    assert!(wide(Bound::Equal, 90.0, 0.0, 8.0), "wherever the quoted number is");
    assert!(wide(Bound::Equal, 4.0, -8.0, 0.0) && !wide(Bound::Equal, 4.0, -7.9, -0.1));
    // One that keeps or breaks a bound as a whole decides.
    assert!(wide(Bound::AtMost, 4.0, 0.0, 8.0) && !wide(Bound::AtMost, 8.0, 0.0, 8.0));
    assert!(!wide(Bound::AtLeast, 8.5, 0.0, 8.0) && wide(Bound::AtLeast, 8.0, 0.0, 8.0));
    for spread in [Spread::Same, Spread::TooFew] {
        assert!(!too_wide(&without(spread), &stated(0.0, Bound::Equal, 0.0), false));
    }
}

/// Near is up to three times the tolerance: from 1.25 to 2.75 where 2 is quoted, within a quarter.
#[test]
fn an_absolute_interval_is_too_wide_from_what_is_near_on() {
    let wide = |low, high| too_wide(&between(low, high), &stated(2.0, Bound::Equal, 0.25), true);
    assert!(wide(1.25, 2.75) && !wide(1.3, 2.7));
    assert!(wide(2.75, 4.25) && !wide(2.8, 4.3), "it reaches what is near from above");
    assert!(wide(-0.25, 1.25) && !wide(-0.3, 1.2), "and from below");
    assert!(wide(-9.0, 9.0));
}

#[test]
fn an_order_goes_by_the_interval_of_the_difference() {
    let by = |low, high| Compared::by(&between(low, high), 100.0);
    let limit = LEVEL * 100.0;
    assert_eq!([by(0.5, 9.0), by(-9.0, -0.5)], [Compared::Higher, Compared::Lower]);
    assert_eq!([by(-limit, limit), by(0.0, limit), by(-limit, 0.0)], [Compared::Level; 3]);
    assert_eq!([by(-limit, limit * 1.01), by(-limit * 1.01, limit)], [Compared::Open; 2]);
    let same = |mean| Compared::by(&Estimate { mean, ..without(Spread::Same) }, 100.0);
    assert_eq!(
        [same(0.0), same(2.0), same(-2.0)],
        [Compared::Level, Compared::Higher, Compared::Lower]
    );
    assert_eq!(Compared::by(&without(Spread::TooFew), 100.0), Compared::Open);
    // Two zeros are level.
    assert_eq!(Compared::by(&without(Spread::Same), 0.0), Compared::Level);
}

#[test]
fn a_claim_along_a_variable_goes_by_most_of_its_values() {
    use Verdict::*;
    for (all, above, higher, lower, open, expected) in [
        (4, 4, 4, 0, 0, Met),
        (4, 4, 3, 0, 0, Met),
        (4, 4, 3, 0, 1, MetUncertain),
        (4, 4, 2, 0, 2, SameDirection),
        (4, 4, 1, 0, 3, SameDirection),
        (4, 1, 1, 0, 3, Undecided),
        (4, 1, 0, 1, 3, NotMet),
        (4, 4, 2, 0, 0, SameDirection),
        (4, 3, 3, 0, 0, SameDirection),
        (4, 3, 2, 1, 0, SameDirection),
        (4, 3, 1, 1, 0, NotMet),
        (4, 3, 1, 1, 1, NotMet),
        (4, 2, 2, 0, 0, NotMet),
        (4, 2, 2, 0, 1, Undecided),
        (4, 2, 2, 1, 1, NotMet),
        (4, 4, 0, 0, 4, Undecided),
        (4, 0, 0, 0, 1, Undecided),
        (4, 4, 0, 0, 0, NotMet),
        (4, 0, 0, 1, 3, NotMet),
        (4, 4, 0, 1, 1, NotMet),
        (1, 1, 1, 0, 0, Met),
    ] {
        let counts = Counts { all, above, higher, lower, open };
        assert_eq!(counts.verdict(), expected, "{all} {above} {higher} {lower} {open}");
    }
}

/// 16 is the fourth power of 2, and 1/16 that of 1/2.
#[test]
fn a_tendency_is_a_quarter_of_the_effect() {
    assert!(has_quoted_tendency(2.0, 16.0) && !has_quoted_tendency(2.0f64.next_down(), 16.0));
    assert!(has_quoted_tendency(0.5, 0.0625) && !has_quoted_tendency(0.5f64.next_up(), 0.0625));
    assert!(has_quoted_tendency(1.0, 1.0) && !has_quoted_tendency(1.01, 1.0));
}

#[test]
fn a_side_of_one_is_that_of_the_quote_and_not_beyond_its_bound() {
    use Bound::{AtLeast, AtMost, Equal};
    for (ratio, expect, sides) in [
        (1.5, 2.0, [true, true, false]),
        (0.5, 0.7, [true, false, true]),
        (1.0, 2.0, [false; 3]),
        (1.0, 0.7, [false; 3]),
        (1.5, 1.0, [false; 3]),
        (0.5, 1.0, [false; 3]),
        (0.5, 2.0, [false; 3]),
        (1.5, 0.7, [false; 3]),
    ] {
        let found = [Equal, AtLeast, AtMost].map(|bound| same_side(ratio, expect, bound));
        assert_eq!(found, sides, "{ratio} {expect}");
    }
}

#[test]
fn a_ratio_decides_nothing_from_an_interval_of_its_own_width_on() {
    let wide = |bound, low, high| ratio::too_wide(&between(low, high), &stated(3.0, bound, 0.1));
    assert!(wide(Bound::Equal, 0.0, 4.0) && !wide(Bound::Equal, 0.1, 4.0));
    assert!(wide(Bound::AtMost, -1.0, 4.0) && !wide(Bound::AtMost, -1.0, 3.0));
    for spread in [Spread::Same, Spread::TooFew] {
        assert!(!ratio::too_wide(&without(spread), &stated(0.0, Bound::Equal, 0.0)));
    }
}

#[test]
fn a_share_is_shown_with_a_digit_below_one() {
    let shown = [0.0, 0.004, 0.05, 0.123, 0.999, 1.0, 1.5, 12.0].map(percent);
    assert_eq!(shown, ["0 %", "0.4 %", "5 %", "12.3 %", "99.9 %", "100 %", "150 %", "1200 %"]);
}
