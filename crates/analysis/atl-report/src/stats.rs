//! Statistics over seeds.
//!
//! Each run is one observation, and runs with different seeds are independent. With the same seed,
//! different protocols meet the same losses on the same links (named random streams). Differences
//! and ratios are therefore taken seed by seed, so that the effects of the links on both cancel
//! out.
//!
//! # Intervals
//!
//! All are two-sided 95 % confidence intervals of a mean, by Student's t distribution with n - 1
//! degrees of freedom: `h = t s / sqrt(n)`.
//!
//! - **A mean that has no bounds** (a difference): `mean ± h`.
//! - **A mean that cannot fall below a bound** (a rate, a time, a count, a ratio: 0; a relative
//!   error: -1): the interval is taken on the scale of `log(mean - bound)`, where by the delta
//!   method it is `± h / (mean - bound)`, and carried back.
//! - **A mean between two bounds** (a share, an index: 0 and 1): the same on the scale of the
//!   logit, where it is `± h (upper - lower) / ((mean - lower) (upper - mean))`.
//!
//! So an interval never includes impossible values, is asymmetric near a bound, and approaches the
//! plain one far from the bounds. The mean itself stays the arithmetic mean. Observations *at* a
//! bound need no special care: if all are, they are equal and have no interval, and if one is not,
//! the mean lies between the bounds. The log scale cannot run away either: for values that are not
//! negative, `s / sqrt(n)` is at most their mean, so that the upper end is at most `exp(t)` times
//! the mean. We considered a bootstrap and rejected it: with five to ten observations its
//! percentile intervals are too narrow by a factor of about `sqrt((n - 1) / n)` z / t, which is
//! 0.63 for five, and the acceleration of BCa is estimated from the same few numbers.
//!
//! **Fewer than [`MIN_SEEDS`] observations have no interval**, since their spread is known too
//! poorly: for two, the interval would be 12.7 times as wide as the difference between them.
//!
//! **Equal observations have no interval either**: if nothing varies, they say nothing about
//! another seed's result.
//!
//! # Missing values
//!
//! Not every run has a value of every metric. A mean over fewer runs than there are says so
//! ([`Estimate::of`] is the number of runs). A time to an event that some runs do not live to see
//! is never a mean over the others: see [`Survival`].

mod estimate;
mod paired;
mod shares;
mod survival;

pub use estimate::{CONFIDENCE, Estimate, MIN_SEEDS, Spread, UNBOUNDED, t_quantile};
pub use paired::{paired_difference, paired_ratio};
pub use shares::{jain, quantile};
pub use survival::{Survival, Waited};
