//! Round-trip times measured by a flow.

use atl_core::time::Span;
use hdrhistogram::Histogram;

/// Significant decimal digits: values are exact to 0.1 %.
const DIGITS: u8 = 3;
/// Largest distinguishable RTT, in microseconds: an hour.
const MOST: u64 = 3_600_000_000;

/// A histogram of RTT samples, if samples are kept.
#[derive(Debug)]
pub struct Rtts {
    histogram: Option<Histogram<u32>>,
    min: Span,
}

impl Rtts {
    /// A meter without samples. It ignores samples unless `kept`.
    pub fn new(kept: bool) -> Self {
        let histogram = kept.then(|| {
            // It grows to the largest recorded value.
            Histogram::new(DIGITS).expect("one to five digits are allowed")
        });
        Rtts { histogram, min: Span::MAX }
    }

    /// Records a sample, if samples are kept.
    #[inline(always)]
    pub fn note(&mut self, rtt: Span) {
        if let Some(histogram) = &mut self.histogram {
            let micros = (rtt.nanos() / 1000).min(MOST);
            histogram.record(micros).expect("the histogram grows up to the largest RTT");
            self.min = self.min.min(rtt);
        }
    }

    /// Forgets all samples, as at the start of the measurement.
    pub fn reset(&mut self) {
        if let Some(histogram) = &mut self.histogram {
            histogram.reset();
            self.min = Span::MAX;
        }
    }

    /// A quantile in seconds; `None` without a sample.
    pub fn quantile(&self, q: f64) -> Option<f64> {
        let histogram = self.histogram.as_ref().filter(|h| !h.is_empty())?;
        Some(histogram.value_at_quantile(q) as f64 / 1e6)
    }

    /// Minimum in seconds; `None` without a sample.
    pub fn min(&self) -> Option<f64> {
        (self.min < Span::MAX).then(|| self.min.secs())
    }
}
