//! A measured value beside a quoted one, and its words.

use super::super::judged::Measured;
use crate::quantity::Quantity;
use crate::stats::{Estimate, MIN_SEEDS, Spread};
use atl_scenario::metric::Unit;
use atl_scenario::quote::Bound;
use atl_scenario::scenario::Metric;

/// Multiple of its tolerance within which a value counts as near.
pub(super) const NEAR: f64 = 3.0;

pub(super) fn measured(metric: Metric, of: String, estimate: Estimate) -> Measured {
    Measured { of, text: Quantity::of(metric).show(&estimate), estimate }
}

/// Number of seeds as text, with a remark if they give no interval.
pub(super) fn seeds(estimate: &Estimate) -> String {
    let n = if estimate.n == 1 { "1 seed".to_owned() } else { format!("{} seeds", estimate.n) };
    match estimate.spread {
        Spread::TooFew => {
            format!("{n}, too few for an interval and a verdict: {MIN_SEEDS} are needed")
        }
        Spread::Same => format!("{n}, with which nothing varied"),
        Spread::Interval { .. } => n,
    }
}

pub(in crate::verdict) fn percent(share: f64) -> String {
    let text = if share >= 1.0 {
        format!("{:.0}", share * 100.0)
    } else {
        format!("{:.1}", share * 100.0)
    };
    format!("{} %", text.strip_suffix(".0").unwrap_or(&text))
}

/// True if distances from a quoted number are absolute instead of relative to it: for a quoted 0,
/// and for errors, which are relative already.
pub(in crate::verdict) fn is_absolute(metric: Metric, expect: f64) -> bool {
    expect == 0.0 || metric.unit() == Unit::Error
}

/// A quoted number and its tolerance.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stated {
    pub(super) expect: f64,
    pub(super) bound: Bound,
    pub(super) tolerance: f64,
}

impl Stated {
    pub(super) fn new(expect: f64, bound: Bound, tolerance: f64) -> Stated {
        Stated { expect, bound, tolerance }
    }

    /// Distance by which a number misses the quoted one.
    pub(super) fn off(&self, number: f64, absolute: bool) -> f64 {
        let miss = self.bound.miss(number, self.expect);
        // A bound of 0 that is kept is kept by any measure.
        if absolute || miss <= 0.0 { miss } else { miss / self.expect.abs() }
    }

    /// True if the interval of an estimate reaches beyond the tolerance.
    pub(super) fn leaves(&self, estimate: &Estimate, absolute: bool) -> bool {
        let Spread::Interval { low, high } = estimate.spread else { return false };
        [low, high].into_iter().any(|end| self.off(end, absolute) > self.tolerance)
    }

    /// True if an interval holds numbers on both sides of a bound.
    pub(super) fn straddles(&self, estimate: &Estimate) -> bool {
        let Spread::Interval { low, high } = estimate.spread else { return false };
        let kept = |end| self.bound.miss(end, self.expect) <= 0.0;
        self.bound == Bound::Equal || kept(low) != kept(high)
    }
}
