//! Lateness of frames: the error of an emulator in real time.

use atl_core::time::Span;
use hdrhistogram::Histogram;

/// Largest share of frames, late by more than their packet time, with which a run can be trusted.
pub const TRUSTED_SHARE: f64 = 0.01;
/// Upper end of the histogram; a greater lateness counts as this one.
const LONGEST: Span = Span::from_secs(10);

/// A histogram of the time by which frames left late.
#[derive(Clone, Debug)]
pub struct Lateness {
    /// In nanoseconds, to two digits.
    histogram: Histogram<u32>,
    /// Frames later than their packet time.
    late: u64,
    /// Sums over the frames that took some time: their lateness, and the time that they were to
    /// take, in nanoseconds.
    added: u128,
    transit: u128,
}

impl Lateness {
    /// A histogram without frames.
    ///
    /// # Panics
    /// Never: the bounds are constant.
    pub fn new() -> Self {
        let histogram = Histogram::new_with_bounds(1, LONGEST.nanos(), 2).expect("constant bounds");
        Lateness { histogram, late: 0, added: 0, transit: 0 }
    }

    /// Counts a frame that left `lateness` after its time, on a link that takes `packet_time` to
    /// transmit it.
    pub fn add(&mut self, lateness: Span, packet_time: Span) {
        self.histogram.saturating_record(lateness.nanos());
        self.late += u64::from(lateness > packet_time);
    }

    /// Counts a frame as [`add`](Self::add) does that was to take the time `transit` from where it
    /// entered.
    pub fn left(&mut self, lateness: Span, packet_time: Span, transit: Span) {
        self.add(lateness, packet_time);
        // A frame that takes no time has no delay that could be wrong.
        if !transit.is_zero() {
            self.added += u128::from(lateness.nanos());
            self.transit += u128::from(transit.nanos());
        }
    }

    /// The relative error of delays: the lateness of frames over the time that they were to take,
    /// both on average. 0.01 is one percent.
    pub fn delay_error(&self) -> f64 {
        self.added as f64 / self.transit.max(1) as f64
    }

    /// Adds the frames of another histogram.
    ///
    /// # Panics
    /// Never: both have the same bounds.
    pub fn merge(&mut self, other: &Lateness) {
        self.histogram.add(&other.histogram).expect("equal bounds");
        self.late += other.late;
        self.added += other.added;
        self.transit += other.transit;
    }

    /// The number of frames.
    pub fn frames(&self) -> u64 {
        self.histogram.len()
    }

    /// The lateness that a `share` (0 to 1) of the frames did not exceed; zero without frames.
    pub fn quantile(&self, share: f64) -> Span {
        Span::from_nanos(self.histogram.value_at_quantile(share))
    }

    /// The greatest lateness of any frame.
    pub fn worst(&self) -> Span {
        Span::from_nanos(self.histogram.max())
    }

    /// The share of frames that were later than their packet time; zero without frames.
    pub fn late_share(&self) -> f64 {
        self.late as f64 / self.frames().max(1) as f64
    }

    /// True if at most [`TRUSTED_SHARE`] of the frames were later than their packet time.
    pub fn trusted(&self) -> bool {
        self.late_share() <= TRUSTED_SHARE
    }
}

impl Default for Lateness {
    fn default() -> Self {
        Lateness::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_with_more_than_one_late_frame_in_a_hundred_is_not_trusted() {
        let packet = Span::from_micros(600);
        let mut lateness = Lateness::new();
        for _ in 0..99 {
            lateness.add(Span::from_micros(50), packet);
        }
        assert!(lateness.trusted());
        lateness.add(Span::from_micros(601), packet);
        assert!(lateness.trusted(), "exactly one in a hundred");
        lateness.add(Span::from_millis(2), packet);
        assert!(!lateness.trusted());
        assert_eq!(lateness.frames(), 101);
        // The histogram keeps two digits.
        assert!(lateness.quantile(0.5).nanos().abs_diff(50_000) <= 500);
    }

    #[test]
    fn the_error_of_delays_is_relative_to_the_time_on_the_links() {
        let mut lateness = Lateness::new();
        lateness.left(Span::from_micros(100), Span::ZERO, Span::from_millis(10));
        lateness.left(Span::from_micros(300), Span::ZERO, Span::from_millis(30));
        lateness.left(Span::from_millis(50), Span::ZERO, Span::ZERO);
        assert!((lateness.delay_error() - 0.01).abs() < 1e-12);
        let mut all = Lateness::new();
        all.merge(&lateness);
        assert!((all.delay_error() - 0.01).abs() < 1e-12);
    }

    #[test]
    fn nothing_counted_is_nothing_late() {
        let lateness = Lateness::new();
        assert!(lateness.trusted());
        assert_eq!(lateness.worst(), Span::ZERO);
    }
}
