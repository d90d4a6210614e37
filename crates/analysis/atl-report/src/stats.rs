//! Statistics over seeds.
//!
//! Each run is one observation, and runs with different seeds are independent. With the same seed, different protocols
//! meet the same losses on the same links (named random streams). Differences and ratios are therefore taken seed by
//! seed, so that the effects of the links on both cancel out.
//!
//! # Intervals
//!
//! All are two-sided 95 % confidence intervals of a mean, by Student's t distribution with n - 1 degrees of freedom:
//! `h = t s / sqrt(n)`.
//!
//! - **A mean that has no bounds** (a difference): `mean ± h`.
//! - **A mean that cannot fall below a bound** (a rate, a time, a count, a ratio: 0; a relative error: -1): the interval is
//!   taken on the scale of `log(mean - bound)`, where by the delta method it is `± h / (mean - bound)`, and carried back.
//! - **A mean between two bounds** (a share, an index: 0 and 1): the same on the scale of the logit, where it is
//!   `± h (upper - lower) / ((mean - lower) (upper - mean))`.
//!
//! So an interval never holds what cannot be, and it is asymmetric where a bound is near; far from the bounds it is the
//! plain one. The mean itself stays the arithmetic mean. Nothing has to be done for observations *at* a bound: if all are,
//! they are equal and have no interval, and if one is not, the mean lies between the bounds. The log scale cannot run
//! away either: `s / sqrt(n)` of values that are not negative is at most their mean, so that the upper end is at most
//! `exp(t)` times the mean. A bootstrap was considered and left: from five to ten observations its percentile intervals
//! are too narrow by a factor of about `sqrt((n - 1) / n)` z / t, 0.63 for five, and the acceleration of BCa is
//! estimated from the same few numbers.
//!
//! **Fewer than [`MIN_SEEDS`] observations have no interval.** Their spread is known too badly: of two, the interval
//! would be 12.7 times as wide as the difference between them.
//!
//! **Equal observations have no interval either**: nothing varied, which says nothing about what another seed would do if
//! the seeds differ in nothing.

mod estimate;
mod paired;
mod shares;

pub use estimate::{CONFIDENCE, Estimate, MIN_SEEDS, Spread, UNBOUNDED, t_quantile};
pub use paired::{paired_difference, paired_ratio};
pub use shares::{jain, quantile};
