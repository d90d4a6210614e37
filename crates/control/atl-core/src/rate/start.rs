//! A rate controller's knowledge of its flow at the start.

use super::MIN_RATE;
use crate::setters::setters;

/// Maximum rate in packets per second: it keeps an endless run without a target finite.
const MAX_RATE: f64 = 1e9;

/// A rate controller's knowledge of its flow at the start.
///
/// ```
/// use atl_core::rate::RateStart;
///
/// let start = RateStart::default().packet_bytes(1200).target(250.0);
/// assert_eq!(start.bounds(), (1.0 / 64.0, 250.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct RateStart {
    /// Bytes of a full data packet on the wire, headers included: rates count packets of this size.
    /// 1500 by default.
    pub packet_bytes: u32,
    /// The rate that the application wants, and that is never exceeded, in packets per second.
    /// Values that are not positive, such as the default 0, mean no limit but 10^9.
    pub target: f64,
    /// Minimum rate in packets per second. Values that are not positive, such as the default 0,
    /// mean [`MIN_RATE`]. The target takes precedence.
    pub minimum: f64,
    /// Seed of the controller's random draws, which differs between flows. 0 by default.
    pub seed: u64,
    /// The rate in packets per second that a probe of the path has measured before a handoff. The
    /// flow begins with it, without the probing or the doubling of an unknown path, and its law
    /// goes on from there. It takes precedence over an initial rate among the controller's
    /// parameters. `None` by default; values that are not positive count as `None`.
    pub initial: Option<f64>,
}

impl Default for RateStart {
    fn default() -> Self {
        RateStart::DEFAULT
    }
}

impl RateStart {
    /// The defaults, for constants.
    pub const DEFAULT: RateStart =
        RateStart { packet_bytes: 1500, target: 0.0, minimum: 0.0, seed: 0, initial: None };

    setters! { packet_bytes: u32, target: f64, minimum: f64, seed: u64, initial: Option<f64> }

    /// The minimum and the maximum rate, finite, positive and in order.
    pub fn bounds(&self) -> (f64, f64) {
        let target = if self.target > 0.0 { self.target.min(MAX_RATE) } else { MAX_RATE };
        let least = if self.minimum > 0.0 { self.minimum } else { MIN_RATE };
        (least.min(target), target)
    }

    /// The flow's initial rate, within the bounds: the measured rate of the path, or else
    /// `configured`.
    pub(super) fn first(&self, configured: Option<f64>) -> Option<f64> {
        let measured = self.initial.filter(|rate| *rate > 0.0);
        measured.or(configured).map(|rate| self.bounded(rate))
    }

    /// True if the path was measured before the flow began on it.
    pub(super) fn is_measured(&self) -> bool {
        self.initial.is_some_and(|rate| rate > 0.0)
    }

    /// The nearest permitted rate; NaN gives the minimum.
    pub fn bounded(&self, rate: f64) -> f64 {
        let (least, most) = self.bounds();
        rate.max(least).min(most)
    }
}
