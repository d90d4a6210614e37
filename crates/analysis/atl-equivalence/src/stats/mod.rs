//! The statistics: intervals, distances, tests. Special functions come from `statrs`.

mod chi_squared;
mod distance;
mod interval;
mod quantile;

pub use chi_squared::{Homogeneity, homogeneity};
pub use distance::{KOLMOGOROV_MEAN, distance, distance_bound};
pub use interval::{Interval, Spread, clopper_pearson, welch};
pub use quantile::{order_statistics, quantile};
